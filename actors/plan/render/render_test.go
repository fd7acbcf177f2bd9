package render

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
)

// An object that is one text is shown as that text: "content:" before it would say nothing. What a label tells something of keeps it.
func TestOnlyText(t *testing.T) {
	for said, want := range map[string]string{
		`{"content":"[FILE] a.md\n[DIR] b"}`: "[FILE] a.md\n[DIR] b",
		`{"result":"done"}`:                  "done",
		`{"content":"x","lines":2}`:          "- content: x\n- lines: 2",
		`{"state":"open"}`:                   "state: open",
		`{"content":""}`:                     "",
	} {
		var v any
		if err := json.Unmarshal([]byte(said), &v); err != nil {
			t.Fatal(err)
		}
		if m := v.(map[string]any); m["lines"] != nil {
			m["lines"] = json.Number("2")
		}
		if got := (Writer{Lang: "en"}).Value(v, nil, 0); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}

// What a card calls the values of a column in English stands in an English answer, and in no other; what it does not call stays.
func TestCellsInEnglish(t *testing.T) {
	f := &fields.Field{Fields: []fields.Field{{Name: "state", Title: "状态", TitleEn: "State", Called: fields.Means{"已完成": {"completed", "done"}}}, {Name: "name", Title: "商品", TitleEn: "Product"}}}
	rows := []any{map[string]any{"state": "已完成", "name": "甲"}, map[string]any{"state": "暂停", "name": "乙"}}
	for lang, want := range map[string]string{"en": "| completed | 甲 |", "zh": "| 已完成 | 甲 |"} {
		if got := (Writer{Lang: lang}).Table(rows, f); !strings.Contains(got, want) || !strings.Contains(got, "| 暂停 | 乙 |") {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// Of more columns than a table has room for, one that is asked for stays.
func TestAskedColumnStays(t *testing.T) {
	row := map[string]any{}
	f := &fields.Field{}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		row[name] = name
		f.Fields = append(f.Fields, fields.Field{Name: name, Title: name + "数"})
	}
	f.Fields = append(f.Fields, fields.Field{Name: "freight", Title: "运费", TitleEn: "Freight (CNY)"})
	row["freight"] = "9"
	for lang, w := range map[string]Writer{"zh": {Lang: "zh", Asked: "每天的运费"}, "en": {Lang: "en", Asked: "freight by day"}} {
		if got := w.Table([]any{row}, f); !strings.Contains(got, "| 9 |") || strings.Count(strings.SplitN(got, "\n", 2)[0], "|") != maxCols+1 {
			t.Errorf("%s: %s", lang, got)
		}
	}
}
