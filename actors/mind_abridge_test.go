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

func FuzzAbridged(f *testing.F) {
	f.Add([]byte(`{"a":["` + strings.Repeat("表", 1000) + `"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := abridged(text)
		if json.Valid(text) && (!json.Valid(got) || len(got) > len(text)+200*strings.Count(string(text), `"`) || utf8.Valid(text) && !utf8.Valid(got)) {
			t.Errorf("%q became %q", text, got)
		}
	})
}
