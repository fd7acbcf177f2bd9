package actors

import (
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// Offered are the cards of all that an agent of the team may call, as its planner sees them, in the order of all. The error says which
// agents there are when the team has none of that name.
func Offered(team []configs.Agent, name string, all []bus.Card) ([]bus.Card, error) {
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
		return nil, fmt.Errorf("there is no agent %.80q in the configuration; want one of %s", name, strings.Join(names, ", "))
	}
	d.entries = entries
	return d.offered(all), nil
}

// offered are the cards of all that the agent may call.
func (d *desk) offered(all []bus.Card) []bus.Card {
	var cards []bus.Card
	for _, c := range all {
		if d.mayCall(c) {
			cards = append(cards, skilled(c, all))
		}
	}
	return cards
}
