package actors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// The reserved tool plan, for models that call functions in mode plan.
const planTool = "plan"

var planCard = bus.Card{
	Name: planTool, Kind: "tool", Effect: bus.Read,
	Description: "Write down or change the plan: all steps with what they depend on. Call it together with the first steps that can start; give their step ids as plan_step.",
	Parameters: json.RawMessage(`{"type":"object","required":["title","steps"],"properties":{"title":{"type":"string"},"steps":{"type":"array","items":{"type":"object","required":["id","title"],"properties":{
		"id":{"type":"string"},"title":{"type":"string"},"after":{"type":"array","items":{"type":"string"}},"note":{"type":"string"}}}}}}`),
}

func planOf(raw json.RawMessage) (*bus.PlanBody, error) {
	var p bus.PlanBody
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	if len(p.Steps) == 0 {
		return nil, errors.New("no steps")
	}
	return &p, nil
}

func planText(p bus.PlanBody) string {
	var b strings.Builder
	b.WriteString(p.Title)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "\n- [%s] %s %s", s.Status, s.ID, s.Title)
	}
	return b.String()
}

// withSteps adds the argument plan_step to tools, so that a model can say which step a call belongs to.
func withSteps(cards []bus.Card) []bus.Card {
	out := slices.Clone(cards)
	for i := range out {
		if out[i].IsAgent() {
			continue
		}
		var schema map[string]json.RawMessage
		var properties map[string]json.RawMessage
		if json.Unmarshal(out[i].Parameters, &schema) != nil || json.Unmarshal(schema["properties"], &properties) != nil || properties == nil {
			continue
		}
		properties["plan_step"] = json.RawMessage(`{"type":"string","description":"id of the plan's step that this call carries out"}`)
		var err error
		if schema["properties"], err = json.Marshal(properties); err != nil {
			continue
		}
		if raw, err := json.Marshal(schema); err == nil {
			out[i].Parameters = raw
		}
	}
	return out
}

func takeStep(parameter json.RawMessage, step string) (json.RawMessage, string) {
	if !bytes.Contains(parameter, []byte("plan_step")) {
		return parameter, step
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(parameter, &m) != nil {
		return parameter, step
	}
	raw, ok := m["plan_step"]
	if !ok {
		return parameter, step
	}
	delete(m, "plan_step")
	if step == "" {
		step = round.Text(raw)
	}
	rest, err := json.Marshal(m)
	if err != nil {
		return parameter, step
	}
	return rest, step
}

// split takes the reserved tool plan out of the actions, and the step that an action belongs to out of its arguments.
func split(actions []bus.Action, out *Thought) (rest []bus.Action, planned []model.Called) {
	for i, a := range actions {
		if a.ToolName == planTool {
			planned = append(planned, model.Called{ID: fmt.Sprintf("plan-%d", i), ToolName: planTool, Arguments: a.Parameter})
			if p, err := planOf(a.Parameter); err == nil {
				out.Plan = p
			}
			continue
		}
		a.Parameter, a.Step = takeStep(a.Parameter, a.Step)
		rest = append(rest, a)
	}
	return rest, planned
}

// assign gives actions that do not say which step they carry out the steps that can start, in order: an agent's only argument is
// its job, so a model has no place to say it.
func assign(actions []bus.Action, old, made *bus.PlanBody) {
	p := made
	if p == nil {
		p = old
	}
	if p == nil {
		return
	}
	stands := map[string]bus.StepStatus{}
	if old != nil {
		for _, s := range old.Steps {
			stands[s.ID] = s.Status
		}
	}
	var ready []string
	for _, s := range p.Steps {
		waits := slices.ContainsFunc(s.After, func(id string) bool { return stands[id] != bus.StepCompleted })
		taken := slices.ContainsFunc(actions, func(a bus.Action) bool { return a.Step == s.ID })
		if now := stands[s.ID]; !waits && !taken && (now == "" || now == bus.NotStarted || now == bus.StepFailed) {
			ready = append(ready, s.ID)
		}
	}
	for i := range actions {
		a := &actions[i]
		if a.Step == "" && a.ToolName != round.AskUser && a.ToolName != round.Finish && len(ready) > 0 {
			a.Step, ready = ready[0], ready[1:]
		}
	}
}
