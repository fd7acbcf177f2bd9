package round

import (
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// A round and the response that it comes to are one record, unless something else comes first. What it holds, TestAnyCall sees.
func TestConcluded(t *testing.T) {
	request := bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Request: &bus.Request{JobDesc: "x", Budget: &bus.Budget{Seconds: 60}}}
	said := func(in bus.Input) bus.Record {
		return bus.Record{Kind: bus.KindInput, Session: "s", Task: "t", Call: "t", Input: &in}
	}
	for name, c := range map[string]struct {
		before bus.Record
		after  time.Duration
		code   []bus.Action
		one    bool
	}{
		"an answer":              {one: true},
		"with something to do":   {code: []bus.Action{{ToolName: "find"}}},
		"nobody wants it":        {before: said(bus.Input{Kind: bus.Cancel})},
		"a wish it knew not of":  {before: said(bus.Input{Kind: bus.Steer, Text: "in red"})},
		"an answer to no ask":    {before: said(bus.Input{Kind: bus.Answer, Text: "yes"}), one: true},
		"just in time":           {after: 59 * time.Second, one: true},
		"when the time is up":    {after: time.Minute},
		"while steps have moved": {before: bus.Record{Kind: bus.KindPlan, Session: "s", Task: "t", Call: "t", Plan: &bus.PlanBody{Steps: []bus.Step{{ID: "s1", Status: bus.InProgress}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.fold(t, request, 0)
			known := w.state.Known()
			if c.before.Kind != "" {
				w.fold(t, c.before, 0)
			}
			w.now = w.now.Add(c.after)
			r := w.state.Thought(1, known)
			r.Thought, r.Answer, r.ActionCode = "thought", "done", c.code
			if end := w.concluded(t, *r); (end != nil) != c.one {
				t.Errorf("one record: %t", end != nil)
			}
		})
	}
}
