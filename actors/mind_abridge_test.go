package actors

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// A model that writes a long text in many calls sees the newest whole and of the others the ends; what is short stays as it was.
func TestOldWordsAreShortened(t *testing.T) {
	t.Parallel()
	short := `{ "draft": true, "n": 12345678901234567890, "sections":[{"heading":"一"}]}`
	if got := abridged(json.RawMessage(short)); string(got) != short {
		t.Errorf("%s", got)
	}
	var v View
	for range 10 {
		text, err := json.Marshal(map[string]any{"sections": []any{map[string]string{"heading": "一", "text": "始" + strings.Repeat("很长", 2_000) + "终"}}})
		if err != nil {
			t.Fatal(err)
		}
		v.Rounds = append(v.Rounds, Past{Thought: "next", Acts: []Acted{{Action: bus.Action{ToolName: "report_tool", Parameter: text}, Child: "c"}}})
	}
	messages := transcript(&v, 1000)
	for i := range 10 {
		args := string(messages[2*i].Actions[0].Arguments)
		if whole := i >= 10-wholeRounds; whole != (len(args) > 12_000) || !strings.Contains(args, "始") || !strings.Contains(args, "终") || !strings.Contains(args, `"heading":"一"`) {
			t.Errorf("round %d: %d bytes", i, len(args))
		}
	}
}

// A model sees the first rows of a long table, valid JSON, its figures to the last digit; what is no table stays as it is.
func TestLongTablesAreCut(t *testing.T) {
	t.Parallel()
	row := `["2026-01-02","华东","上海",2782.90]`
	table := `{"answer":"共 300 行","count":300,"figures":{"id":12345678901234567890,"rows":[` + strings.Repeat(row+",", 299) + row + `]}}`
	got := observation(Acted{Result: &bus.Record{Status: bus.OK, Observation: json.RawMessage(table)}}, 10_000, map[string]string{})
	if !json.Valid([]byte(got)) || strings.Count(got, "华东") != shownRows || !strings.Contains(got, "260 more rows") || !strings.Contains(got, "12345678901234567890") || !strings.Contains(got, "2782.90") {
		t.Errorf("%s", got)
	}
	for _, same := range []string{`{"orders":[` + strings.Repeat(`{"id":"1234567890"},`, 200) + `{}]}`, strings.Repeat("文", 3000), `{"rows":[` + row + `],"text":"` + strings.Repeat("文", 3000) + `"}`, `{"a":1} ` + table} {
		if got := fewerRows(same); got != same {
			t.Errorf("%.100s became %.100s", same, got)
		}
	}
}

func FuzzFewerRows(f *testing.F) {
	f.Add(`{"rows":[` + strings.Repeat(`["表",1e400],`, 400) + `[]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		got := fewerRows(text)
		if got != text && (!json.Valid([]byte(got)) || len(got) > 6*len(text)) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func FuzzAbridged(f *testing.F) {
	f.Add([]byte(`{"a":["` + strings.Repeat("表", 1000) + `"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := abridged(text)
		if json.Valid(text) && (!json.Valid(got) || len(got) > len(text)+200*strings.Count(string(text), `"`) || utf8.Valid(text) && !utf8.Valid(got)) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
