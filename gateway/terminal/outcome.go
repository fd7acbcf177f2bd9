package terminal

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/hmap-project/hmap/bus"
)

// outcome is how far a call came, by its records: a task that ends well may have ended in the answer that nothing could be done.
type outcome struct {
	well, ill int           // results that brought something, and that did not
	model     bool          // a model thought, so that an answer may need no tool
	planner   bool          // the planner did, whose answer without a result says that it has no tool, or none that does it as wished
	plan      *bus.PlanBody // as it stood last
}

// vain reports whether all that a call tried came to nothing: each result, or each end of its plan, the steps that no other one waits for.
func (o outcome) vain() bool {
	if o.well == 0 {
		return o.ill > 0 || o.planner && !o.model
	}
	if o.plan == nil || len(o.plan.Steps) == 0 {
		return false
	}
	for _, s := range o.plan.Steps {
		end := !slices.ContainsFunc(o.plan.Steps, func(other bus.Step) bool { return slices.Contains(other.After, s.ID) })
		if end && s.Status == bus.StepCompleted {
			return false
		}
	}
	return true
}

// outcomes are those of the calls of a task, by call.
type outcomes map[string]outcome

// fold takes the next record into account.
func (all outcomes) fold(r bus.Record) {
	o := all[r.Call]
	o.model = o.model || r.Model != ""
	o.planner = o.planner || r.HasRound() && r.Model == ""
	switch {
	case r.Kind == bus.KindPlan && r.Plan != nil:
		o.plan = r.Plan
	case r.Kind != bus.KindResult || r.ToolName == "ask_user":
	case r.Status == bus.OK && !all[r.Child].vain() && !unfound(r.Observation):
		o.well++
	default:
		o.ill++
	}
	all[r.Call] = o
}

// mark is what stands before the last line of a task that ended well, its colour, and what is said of it: whether something was found or done, or nothing was.
func (all outcomes) mark(task string) (mark, color, note string) {
	switch o := all[task]; {
	case o.well+o.ill == 0 && !o.model:
		return "–", "33", ""
	case o.vain():
		return "–", "33", "; nothing came of them"
	}
	return "✓", "32", ""
}

// unfound reports whether a result says that it found nothing.
func unfound(observation json.RawMessage) bool {
	var m struct {
		Found *bool `json:"found"`
	}
	return bytes.HasPrefix(observation, []byte("{")) && json.Unmarshal(observation, &m) == nil && m.Found != nil && !*m.Found
}
