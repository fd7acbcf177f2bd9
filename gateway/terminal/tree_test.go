package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A round is shown alike, whether it is a record of its own or comes with the response.
func TestRoundWithResponse(t *testing.T) {
	round := bus.Record{Session: "s", Task: "t", Call: "t-1-0", Agent: "orders", Round: 2, Critique: "counted", Thought: "it can be answered"}
	own, both := round, round
	own.Kind, own.Answer = bus.KindRound, "three"
	both.Kind, both.Status, both.Observation = bus.KindResponse, bus.OK, json.RawMessage(`"three"`)
	var shown [2]strings.Builder
	NewTree(&shown[0], false, false).Show(own)
	NewTree(&shown[1], false, false).Show(both)
	if got, want := shown[1].String(), shown[0].String(); got != want || !strings.Contains(got, "counted") || !strings.Contains(got, round.Thought) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The mark before the last line tells an answer from the answer that nothing could be done.
func TestMark(t *testing.T) {
	result := func(call, child, tool string, status bus.Status, observation string) bus.Record {
		return bus.Record{Kind: bus.KindResult, Task: "t", Call: call, Child: child, ToolName: tool, Status: status, Observation: json.RawMessage(observation)}
	}
	steps := func(last bus.StepStatus) bus.Record {
		return bus.Record{Kind: bus.KindPlan, Task: "t", Call: "c", Plan: &bus.PlanBody{Steps: []bus.Step{
			{ID: "s1", Status: bus.StepCompleted}, {ID: "s2", Status: last, After: []string{"s1"}}}}}
	}
	orders := result("t", "c", "orders", bus.OK, `"text"`)
	answered := func(model string) bus.Record {
		return bus.Record{Kind: bus.KindResponse, Task: "t", Call: "c", Agent: "orders", Round: 1, Model: model, Status: bus.OK, Observation: json.RawMessage(`"text"`)}
	}
	for name, c := range map[string]struct {
		records []bus.Record
		want    string
	}{
		"nothing was called":           {nil, "– master  1 round, 0 calls\n"},
		"a model answered":             {[]bus.Record{{Kind: bus.KindRound, Task: "t", Call: "t", Model: "m"}}, "✓"},
		"found":                        {[]bus.Record{result("c", "d", "list", bus.OK, `{}`), orders}, "✓"},
		"an agent that answers itself": {[]bus.Record{orders}, "✓"},
		"an agent that had no tool":    {[]bus.Record{answered(""), orders}, "– master  1 round, 0 calls; nothing came of them\n"},
		"one of two had no tool":       {[]bus.Record{answered(""), orders, result("t", "e", "rules", bus.OK, `"text"`)}, "✓"},
		"an agent with a model":        {[]bus.Record{answered("m"), orders}, "✓"},
		"failed below":                 {[]bus.Record{result("c", "d", "list", bus.Failed, ``), orders}, "– master  1 round, 0 calls; nothing came of them\n"},
		"one of two failed":            {[]bus.Record{result("c", "d", "list", bus.Failed, ``), orders, result("t", "e", "rules", bus.OK, `"text"`)}, "✓"},
		"found nothing":                {[]bus.Record{result("c", "d", "search", bus.OK, `{"found":false}`), orders}, "–"},
		"looked up, and not changed":   {[]bus.Record{result("c", "d", "look", bus.OK, `{}`), steps(bus.NotStarted), orders}, "–"},
		"changed":                      {[]bus.Record{result("c", "d", "look", bus.OK, `{}`), steps(bus.StepCompleted), orders}, "✓"},
		"only asked":                   {[]bus.Record{result("t", "d", "ask_user", bus.OK, `"yes"`)}, "–"},
	} {
		var shown strings.Builder
		tree := NewTree(&shown, false, false)
		for _, r := range append(c.records, bus.Record{Kind: bus.KindResponse, Task: "t", Call: "t", Agent: "master", Status: bus.OK, Usage: &bus.Usage{Rounds: 1}}) {
			tree.Show(r)
		}
		if lines := strings.SplitAfter(shown.String(), "\n"); !strings.HasPrefix(lines[len(lines)-2], c.want) {
			t.Errorf("%s: %s, want %s", name, shown.String(), c.want)
		}
	}
}

// A file that the answer names is not listed below it once more.
func TestAnswerNamesFiles(t *testing.T) {
	got := answer(bus.Record{Observation: json.RawMessage(`"Made [a.pdf](obj:a)."`), Files: []bus.File{{Ref: "obj:a", Name: "a.pdf"}, {Ref: "obj:b", Name: "b.csv", Bytes: 3}}})
	if want := "\nMade [a.pdf](obj:a).\n  obj:b  b.csv (3 B)\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestUsage(t *testing.T) {
	for want, u := range map[string]bus.Usage{
		"1 round, 0 calls":            {Rounds: 1},
		"3 rounds, 1 call, 12 tokens": {Rounds: 3, Calls: 1, InputTokens: 10, OutputTokens: 2},
		"0 rounds, 2 calls, 1 token":  {Calls: 2, OutputTokens: 1},
	} {
		if got := usage(u); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
