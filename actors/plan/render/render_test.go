package render

import (
	"encoding/json"
	"testing"
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
