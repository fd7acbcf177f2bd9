package actors

import (
	"encoding/json"
	"slices"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// propose is what the planner would do next in a call in which a model may have had its say. The planner knows a call again by its exact
// arguments, and a model words the same change otherwise: it adds a reason, writes a number as a text. So where the planner plans a change
// that was made, refused or left in doubt already, it is told that this is that call, and thinks again: it answers from what came of it.
func propose(v *View, in plan.Input) plan.Outcome {
	out := v.Index.Think(in)
	in.Done, in.Running = slices.Clone(in.Done), slices.Clone(in.Running)
	for range len(in.Done) + len(in.Running) { // each time one more is told
		if !tell(v, &in, out.Actions) {
			return out
		}
		out = v.Index.Think(in)
	}
	out.Actions = slices.DeleteFunc(out.Actions, func(a bus.Action) bool { return tell(v, &in, []bus.Action{a}) })
	return out
}

// tell gives the first call that an action would repeat this action's arguments. False: none repeats one.
func tell(v *View, in *plan.Input, actions []bus.Action) bool {
	for _, a := range actions {
		i := slices.IndexFunc(v.Cards, func(c bus.Card) bool { return c.Name == a.ToolName })
		if i < 0 || round.EffectOf(&v.Cards[i]) == bus.Read {
			continue
		}
		card := &v.Cards[i]
		for n, d := range in.Done {
			if settled(d, round.EffectOf(card)) && alike(card, a, d.Action) {
				in.Done[n].Action.Parameter, in.Done[n].Action.JobDesc = a.Parameter, a.JobDesc
				return true
			}
		}
		for n, r := range in.Running {
			if alike(card, a, r) {
				in.Running[n].Parameter, in.Running[n].JobDesc = a.Parameter, a.JobDesc
				return true
			}
		}
	}
	return false
}

// settled reports whether a call that ended must not be made once more unless a person says so: it had its effect, or may have had it, or a
// person said no or nothing to it. What was not begun may be tried again, and so may what has no more effect the second time.
func settled(d plan.Done, effect bus.Effect) bool {
	switch {
	case d.Status == bus.OK || d.Error == nil:
		return true
	case d.Error.Code == bus.CodeForbidden, d.Error.Code == bus.CodeExpired:
		return true
	case effect == bus.Idempotent, d.Error.Code == bus.CodeUnavailable && d.Error.Retryable:
		return false
	}
	return !slices.Contains([]string{bus.CodeInvalidParameter, bus.CodeInvalidRequest, bus.CodeUnknownTool, bus.CodeBusy, bus.CodeUnsupported, bus.CodeBudget}, d.Error.Code)
}

// alike reports whether two calls of one tool may be the same change: all that it must be told is equal, or one of them says nothing that
// the other does not. The jobs of an agent cannot be compared, nor what is not known yet.
func alike(card *bus.Card, a, b bus.Action) bool {
	if a.ToolName != b.ToolName || card.IsAgent() {
		return a.ToolName == b.ToolName
	}
	var schema struct{ Required []string }
	_ = json.Unmarshal(card.Parameters, &schema) // without it nothing is required
	one, _ := decoded(a.Parameter).(map[string]any)
	two, _ := decoded(b.Parameter).(map[string]any)
	same := func(name string) bool {
		l, r := texts(one[name]), texts(two[name])
		return slices.EqualFunc(l, r, func(l, r string) bool { return plainly(l) == plainly(r) || reference.MatchString(l) })
	}
	within := func(in, of map[string]any) bool {
		for name := range in {
			if _, there := of[name]; !there || !same(name) {
				return false
			}
		}
		return true
	}
	return len(schema.Required) > 0 && !slices.ContainsFunc(schema.Required, func(name string) bool { return !same(name) }) ||
		within(one, two) || within(two, one)
}
