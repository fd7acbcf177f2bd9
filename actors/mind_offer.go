package actors

import (
	"encoding/json"
	"slices"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

const (
	offered  = 12 // how many of the tools that fit best are shown
	provided = 8  // how many more for what those need
)

// keptPlan is the tool with which a model shows its plan where there is none of the agent's own.
const keptPlan = "planning"

// offer is the tools that a model is shown, in the order of the cards: all when they are few; else those that fit best, those that the
// planner would use, those that find out what these need, and those used already.
func offer(v *View) []bus.Card {
	if len(v.Rounds) == 0 && len(v.Turns) == 0 && plan.SmallTalk(v.Request.JobDesc) {
		return nil
	}
	cards := v.Cards
	if len(cards) > 2*offered {
		names := wanted(v)
		cards = slices.DeleteFunc(slices.Clone(cards), func(c bus.Card) bool { return !names[c.Name] })
	}
	if v.Mode == bus.Plan && len(cards) > 0 { // its plan is the agent's own then, and needs no tool
		cards = slices.DeleteFunc(slices.Clone(cards), func(c bus.Card) bool { return c.Name == keptPlan })
		cards = append(withSteps(cards), planCard)
	}
	return cards
}

// wanted are the names of the tools worth showing.
func wanted(v *View) map[string]bool {
	names := map[string]bool{}
	ranked := v.Index.Find(v.Request.JobDesc+"\n"+v.Request.Context, len(v.Cards))
	for _, s := range ranked[:min(offered, len(ranked))] {
		names[s.Card.Name] = true
	}
	for _, c := range v.Index.PlanAll(inputOf(v)) { // each wish of several has its own, and what provides for it
		names[c.ToolName] = true
	}
	for _, r := range v.Rounds {
		for _, a := range r.Acts {
			names[a.ToolName] = true
		}
	}
	for _, c := range v.Cards { // they serve the work, whatever it is about
		if slices.Contains(c.Tags, bus.ModelTag) {
			names[c.Name] = true
		}
	}
	for range provided {
		name := provider(v.Cards, ranked, names)
		if name == "" {
			break
		}
		names[name] = true
	}
	return names
}

// provider is the best tool that is not among names and brings a typed field which one of those needs and none brings; "": there is none.
func provider(cards []bus.Card, ranked []plan.Scored, names map[string]bool) string {
	brought, needed := map[string]bool{}, map[string]bool{}
	for _, c := range cards {
		if names[c.Name] {
			for field := range marks(c.Returns, "x-provides") {
				brought[field] = true
			}
			for field := range marks(c.Parameters, "x-needs") {
				needed[field] = true
			}
		}
	}
	brings := func(c bus.Card) bool {
		if names[c.Name] {
			return false
		}
		for field := range marks(c.Returns, "x-provides") {
			if needed[field] && !brought[field] {
				return true
			}
		}
		return false
	}
	for _, s := range ranked {
		if brings(s.Card) {
			return s.Card.Name
		}
	}
	for _, c := range cards { // what shares no word with the request
		if brings(c) {
			return c.Name
		}
	}
	return ""
}

// marks are the values of a keyword, a text or a list of them, anywhere in a schema.
func marks(raw json.RawMessage, keyword string) map[string]bool {
	found := map[string]bool{}
	var schema any
	if json.Unmarshal(raw, &schema) != nil {
		return found
	}
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, field := range plan.Scalars(v[keyword]) {
				found[field] = true
			}
			for _, sub := range v {
				visit(sub)
			}
		case []any:
			for _, sub := range v {
				visit(sub)
			}
		}
	}
	visit(schema)
	return found
}
