package mcp

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A server that wants an address visited, in the middle of a call or before it does anything: the person is shown it and asked; nobody
// else goes there. Addresses that are no pages are not shown.
func TestVisits(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{}, hostileServer("visits"))
	for _, c := range []struct {
		tool  string
		input bus.Input
		want  string // of what came of it
	}{
		{"visits__amid", bus.Input{Kind: bus.Answer, Text: "yes"}, "accept"},
		{"visits__amid", bus.Input{Kind: bus.Answer, Text: "否"}, "decline"},
		{"visits__amid", bus.Input{Kind: bus.Refuse}, "decline"},
		{"visits__amid", bus.Input{Kind: bus.Expire}, "cancel"},
		{"visits__first", bus.Input{Kind: bus.Answer, Text: "是"}, "done"},
		{"visits__first", bus.Input{Kind: bus.Answer, Text: "no"}, bus.CodeForbidden},
	} {
		r := request(c.tool, `{}`)
		answer := w.ask(r)
		if answer.Status != bus.InputRequired || !strings.Contains(answer.Ask.Question, "https://example.com/sign-in?x=1") || !strings.Contains(answer.Ask.Question, "leads to example.com.") {
			t.Fatalf("%s: %s %+v %v", c.tool, answer.Status, answer.Ask, answer.Error)
		}
		c.input.Ask = answer.Ask.ID
		r.Input = &c.input
		answer = w.ask(r)
		got := string(answer.Observation)
		if answer.Error != nil {
			got = answer.Error.Code
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, %s %s: %s, want %s", c.tool, c.input.Kind, c.input.Text, got, c.want)
		}
	}
	for _, tool := range []string{"script", "file", "secret", "hidden"} {
		if got := w.ok("visits__"+tool, `{}`); !strings.Contains(got, "decline") {
			t.Errorf("%s: %s", tool, got)
		}
	}
	if got := w.failing(bus.CodeForbidden, "visits__nowhere", `{}`); !strings.Contains(got, "visited first") {
		t.Error(got)
	}
}
