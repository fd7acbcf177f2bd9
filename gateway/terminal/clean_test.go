package terminal

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// A name or a text from outside prints as what it is, on its own line.
func TestTreeIsNotForged(t *testing.T) {
	const evil = "x\n✓ master  all is well\r\n\x1b[2J\u009b2J\u202eb\u2066c\u200fd\u2028e"
	for _, r := range []bus.Record{
		{Kind: bus.KindRequest, Agent: evil, Request: &bus.Request{JobDesc: evil}},
		{Kind: bus.KindClaim, Agent: evil},
		{Kind: bus.KindRound, Agent: evil, Thought: evil},
		{Kind: bus.KindRound, Agent: "a", ActionCode: []bus.Action{{ToolName: evil, JobDesc: evil}}},
		{Kind: bus.KindPlan, Agent: evil, Plan: &bus.PlanBody{Title: evil}},
		{Kind: bus.KindResult, ToolName: evil, Status: bus.OK, Observation: []byte(`"` + "x\u202ey" + `"`)},
		{Kind: bus.KindResult, ToolName: evil, Status: bus.Status(evil)},
		{Kind: bus.KindAsk, Agent: evil, Ask: &bus.Ask{Question: evil}},
		{Kind: bus.KindInput, Input: &bus.Input{Kind: bus.InputKind(evil), Text: evil}},
	} {
		r.Task, r.Call = "t", "t"
		var out bytes.Buffer
		NewTree(&out, false, false).Show(r)
		if s := out.String(); strings.Count(s, "\n") != 1+strings.Count(s, "\n  │ ") || Clean(s) != s || strings.ContainsRune(s, '\u2028') {
			t.Errorf("%s: %q", r.Kind, s)
		}
	}
	end := bus.Record{Observation: []byte(`"a\nb"`), Files: []bus.File{{Ref: "r\nr", Name: "n\n✓ forged"}}}
	if s := answer(end); s != "\na\nb\n  r r  n ✓ forged (0 B)\n" {
		t.Errorf("%q", s)
	}
}

// A question is shown whole, however long: nobody agrees to what was cut away.
func TestQuestionIsNotCut(t *testing.T) {
	var out bytes.Buffer
	NewTree(&out, false, false).Show(bus.Record{Kind: bus.KindAsk, Ask: &bus.Ask{Question: strings.Repeat("x ", 500) + "and all is deleted"}})
	if !strings.Contains(out.String(), "and all is deleted") {
		t.Error(out.String())
	}
	out.Reset() // of several calls each has a line
	NewTree(&out, false, false).Show(bus.Record{Kind: bus.KindAsk, Agent: "orders", Ask: &bus.Ask{Question: "Cancel:\n1. A\n\n2. B"}})
	if want := "? orders  Cancel:\n  │ 1. A\n  │ 2. B\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset() // what an agent below asks is asked again by each above it: whole at the root, once
	tree := NewTree(&out, false, false)
	for _, call := range []string{"t", "t-1-0"} {
		tree.Show(bus.Record{Kind: bus.KindRequest, Task: "t", Call: call, Parent: map[string]string{"t-1-0": "t"}[call], Agent: "a"})
	}
	for _, call := range []string{"t-1-0", "t"} {
		tree.Show(bus.Record{Kind: bus.KindAsk, Task: "t", Call: call, Agent: "a", Ask: &bus.Ask{Question: "Cancel:\n1. A\n2. B"}})
	}
	if want := "  ? a  Cancel: 1. A 2. B\n? a  Cancel:\n  │ 1. A\n  │ 2. B\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a\nb\tc\x1b[31m\x9b\u009b\u202e\xff 王萍萍")
	f.Fuzz(func(t *testing.T, s string) {
		c := Clean(s)
		if !utf8.ValidString(c) || Clean(c) != c {
			t.Errorf("%q", c)
		}
		for _, r := range c {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("%q has %U", c, r)
			}
		}
		if l := Line(s); strings.ContainsAny(l, "\n\t\u2028\u2029\u0085") {
			t.Errorf("%q", l)
		}
	})
}

// JSON stays what it was, and has nothing that a terminal obeys.
func FuzzJSON(f *testing.F) {
	f.Add("a\nb\x1b\u009b\u202e\x7f 王萍萍 \xff")
	f.Fuzz(func(t *testing.T, s string) {
		was, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		is := JSON(was)
		var a, b string
		if err := errors.Join(json.Unmarshal(was, &a), json.Unmarshal(is, &b)); err != nil || a != b || Clean(string(is)) != string(is) {
			t.Errorf("%s became %s: %v", was, is, err)
		}
	})
}
