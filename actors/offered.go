package actors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/gloss"
	"github.com/hmap-project/hmap/configs"
)

// Parallel is how many calls of an agent run at the same time, as far as one node's limits tell: calls of each agent where it asks agents alone,
// else those that each tool works on.
func Parallel(l configs.Limits, a configs.Agent) int {
	if len(a.Tools) == 0 && len(a.Agents) > 0 {
		return l.Calls
	}
	return l.ToolCalls
}

// Offered are the cards of all that an agent of the team may call, as its planner sees them, and those of the tools behind such agents, for
// [plan.Options]; both in the order of all. The error says which agents there are when the team has none of that name.
func Offered(team []configs.Agent, name string, all []bus.Card) (cards, tools []bus.Card, err error) {
	var d *desk
	var names, entries []string
	for _, a := range team {
		names = append(names, a.Name)
		if a.Entry {
			entries = append(entries, a.Name)
		}
		if a.Name == name {
			d = &desk{agent: a}
		}
	}
	if d == nil {
		return nil, nil, fmt.Errorf("there is no agent %.80q in the configuration; want one of %s", name, strings.Join(names, ", "))
	}
	d.entries = entries
	cards, tools = d.offered(all)
	return cards, tools, nil
}

// idle reports whether an agent lacks the tools that are all it has.
func idle(agent bus.Card, all []bus.Card) bool {
	return agent.IsAgent() && slices.Contains(agent.Tags, idleTag) && !slices.ContainsFunc(all, func(c bus.Card) bool {
		return !c.IsAgent() && slices.Contains(c.Tags, agent.Name)
	})
}

// offered are the cards of all that the agent may call, and those of the tools that are tagged with the name of such an agent; with what they are called in the
// other language.
func (d *desk) offered(all []bus.Card) (cards, tools []bus.Card) {
	all = slices.Clone(all)
	for i := range all {
		all[i] = gloss.Card(all[i])
	}
	for _, c := range all {
		if d.mayCall(c) && !idle(c, all) {
			cards = append(cards, skilled(c, all))
		}
	}
	for _, c := range all {
		if !c.IsAgent() && slices.ContainsFunc(cards, func(a bus.Card) bool { return a.IsAgent() && slices.Contains(c.Tags, a.Name) }) {
			tools = append(tools, c)
		}
	}
	return cards, tools
}
