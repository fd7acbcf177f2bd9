package configs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Mind says how the planner and a language model share the thinking. The zero value is a model that thinks alone; what it plans is
// checked in any case.
type Mind struct {
	// Planner is one of the three below; "" is [PlannerOff].
	Planner string `yaml:"planner"`
	// Fallback lets the planner think in the place of a model that fails. It needs a planner that is not off.
	Fallback bool `yaml:"fallback"`
	// Verify sends an answer back, once, that names an id or a link which nothing known holds, and marks it if it insists.
	Verify bool  `yaml:"verify"`
	Steps  Steps `yaml:"steps"`
}

// What the planner does for an agent that has a model.
const (
	PlannerFirst  = "first"  // acts alone where it is sure, and asks the model only where it is not
	PlannerAdvise = "advise" // where it is sure the model is shown what it would do; the model decides
	PlannerOff    = "off"    // nothing
)

// Steps names the models, by their names in models, that do single small steps of the thinking.
type Steps struct {
	// Goal says in one sentence what is wanted, when the planner is not sure; "": the agent's model thinks the round then.
	Goal string `yaml:"goal"`
	// Arguments reads what the planner lacks for a tool out of the user's words; "": it is not tried.
	Arguments string `yaml:"arguments"`
	// Answer words what the planner found; "": the planner's own words.
	Answer string `yaml:"answer"`
	// Shorten makes notes of a conversation that is too long; "": the agent's own model.
	Shorten string `yaml:"shorten"`
}

// check says what is wrong; nil if nothing is.
func (m *Mind) check(models map[string]Model) error {
	if !slices.Contains([]string{PlannerFirst, PlannerAdvise, PlannerOff}, m.Planner) {
		return fmt.Errorf("mind.planner is %q: want %q, %q or %q", m.Planner, PlannerFirst, PlannerAdvise, PlannerOff)
	}
	for step, name := range map[string]string{"goal": m.Steps.Goal, "arguments": m.Steps.Arguments, "answer": m.Steps.Answer, "shorten": m.Steps.Shorten} {
		if _, there := models[name]; name != "" && !there {
			return fmt.Errorf("mind.steps.%s is %q, but models has only %s", step, name, strings.Join(slices.Sorted(maps.Keys(models)), ", "))
		}
	}
	if s := m.Steps; m.Planner != PlannerFirst && (s.Goal != "" || s.Arguments != "" || s.Answer != "") {
		return fmt.Errorf("mind.steps: goal, arguments and answer help a planner that leads; set mind.planner to %q or leave them out", PlannerFirst)
	}
	return nil
}
