package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// steps lists what was done, what runs now and what comes later, by their numbers, and names the actions after their steps.
// Planned again with more results, a step keeps its id, title and place, so that the log of plans shows only what changed.
func (r *round) steps(actions []bus.Action, state map[*cards.Entry]bus.StepStatus) []bus.Step {
	n := numbers{of: map[string]string{}, taken: map[string]bool{}}
	made := map[string]Done{} // the last try of each call
	for _, d := range r.in.Done {
		n.keep(key(d.Action), d.Action.Step)
		made[key(d.Action)] = d
	}
	for k, a := range r.running {
		n.keep(k, a.Step)
	}
	now := map[string]int{} // the actions of this round by key
	for i, a := range actions {
		now[key(a)] = i
	}
	// Each tool of the plan takes its number first, then what fits no tool, then the further calls of a tool whose provider
	// found several things: so these come last and move nothing.
	order := r.best.Ordered()
	calls := map[*cards.Entry][]string{}
	for i, e := range order {
		if calls[e] = r.keys(e, made, now); len(calls[e]) == 0 {
			calls[e] = []string{"later " + strconv.Itoa(i)}
		}
		n.number(calls[e][0])
	}
	for _, c := range r.unmet {
		n.number("unmet " + c.Text)
	}
	for _, e := range order {
		for _, k := range calls[e] {
			n.number(k)
		}
	}
	steps := map[string]bus.Step{}
	for _, d := range r.latest() {
		steps[n.number(key(d.Action))] = r.doneStep(d)
	}
	for _, e := range order {
		after := r.after(e, calls, &n)
		for _, k := range calls[e] {
			id := n.number(k)
			s, past := steps[id]
			i, runs := now[k]
			running, before := r.running[k]
			switch {
			case before:
				s = bus.Step{Title: r.title(running), Status: bus.InProgress}
			case runs && past:
				s.Status, s.Note = bus.InProgress, words.Say(r.g.lang, "重试", "trying again")
			case runs:
				s = bus.Step{Title: r.title(actions[i]), Status: bus.InProgress}
			case !past:
				s = bus.Step{Title: r.title(bus.Action{ToolName: e.Name, JobDesc: r.jobOf(e)}), Status: state[e]}
			}
			if runs {
				actions[i].Step, actions[i].ID = id, "t"+strings.TrimPrefix(id, "s")
			}
			s.After = after
			steps[id] = s
		}
	}
	for _, c := range r.unmet {
		steps[n.number("unmet "+c.Text)] = bus.Step{Title: words.Short(c.Text, words.MaxTitle), Status: bus.StepBlocked, Note: words.Say(r.g.lang, "没有合适的工具", "no tool fits")}
	}
	out := make([]bus.Step, 0, len(steps))
	for id, s := range steps {
		s.ID = id
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b bus.Step) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), strings.Compare(a.ID, b.ID)) // s2 before s10
	})
	if len(out) == 1 && len(actions) == 1 && len(r.in.Done)+len(r.running) == 0 && r.in.Mode != bus.Plan {
		actions[0].ID, actions[0].Step = "", ""
	}
	return out
}

// numbers gives out the ids of steps: the lowest free one, and always the same for the same key.
type numbers struct {
	of    map[string]string // by key
	taken map[string]bool
	last  int
}

// keep holds on to an id that a call has already.
func (n *numbers) keep(key, id string) {
	if id != "" {
		n.of[key], n.taken[id] = id, true
	}
}

func (n *numbers) number(key string) string {
	for n.of[key] == "" {
		n.last++
		if id := "s" + strconv.Itoa(n.last); !n.taken[id] {
			n.keep(key, id)
		}
	}
	return n.of[key]
}

// keys are the calls of a tool of the plan that were made, run or are to run now.
func (r *round) keys(e *cards.Entry, made map[string]Done, now map[string]int) []string {
	var out []string
	calls, _, _ := r.calls(e)
	for _, a := range calls {
		k := key(a)
		_, past := made[k]
		_, runs := now[k]
		if _, before := r.running[k]; past || runs || before {
			out = append(out, k)
		}
	}
	return out
}

// after lists the steps that a tool of the plan waits for; nil when it waits for none.
func (r *round) after(e *cards.Entry, calls map[*cards.Entry][]string, n *numbers) []string {
	var out []string
	for _, p := range r.best.Waits(e) {
		for _, k := range calls[p] {
			if id := n.number(k); !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

func (r *round) doneStep(d Done) bus.Step {
	s := bus.Step{Title: r.title(d.Action), Status: bus.StepCompleted}
	if d.Status != bus.OK {
		s.Status, s.Note = bus.StepFailed, words.Short(reason(d), 200)
	} else if empty(d.Observation) {
		s.Note = words.Say(r.g.lang, "没有结果", "nothing found")
	}
	return s
}
