package plan

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// wide are tools of so many parameters and returned fields each, of which the request of [TestWideCards] wants three.
func wide(n int) []bus.Card {
	var cs []bus.Card
	for i, name := range []string{"throw_pot", "glaze_pot", "show_pot", "weigh_clay", "fire_kiln"} {
		fields := ""
		for j := range n {
			fields += fmt.Sprintf("shade_%d_%d string the shade number %d of the thing\n", i, j, j)
		}
		fields += "colour string the colour to glaze in\npot_id string unique identifier of the pot\n->\n"
		for j := range n {
			fields += fmt.Sprintf("tone_%d_%d string the tone number %d of the thing\n", i, j, j)
		}
		cs = append(cs, tool(name, map[int]string{0: "Throw a pot on the wheel", 1: "Glaze a pot in a colour", 2: "Show a pot in the gallery"}[i]+name, fields+"pot_id string unique identifier of the pot"))
	}
	return cs
}

// A full plan of cards with hundreds of fields looks at some of each and says so; which they are does not hang on the order of the cards.
func TestWideCards(t *testing.T) {
	request := ask(`Throw a pot on the wheel, then glaze the pot in the colour "blue", and show the pot in the gallery.`)
	if calls, bounded := NewIndex(kiln, Options{}).PlanBounded(request); bounded || len(calls) < 2 {
		t.Errorf("cards of a few fields: bounded %v, %v", bounded, calls)
	}
	cs := wide(300)
	calls, bounded := NewIndex(cs, Options{}).PlanBounded(request)
	if !bounded || len(calls) < 2 {
		t.Errorf("300 fields each: bounded %v, %v", bounded, calls)
	}
	said := false
	for _, c := range calls {
		said = said || c.ToolName == "glaze_pot" && c.Parameter["colour"] == "blue"
	}
	if !said {
		t.Errorf("what the request tells must be looked at, wherever the card lists it: %v", calls)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		r.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
		if other, _ := NewIndex(cs, Options{}).PlanBounded(request); !reflect.DeepEqual(other, calls) {
			t.Errorf("in another order %v, not %v", other, calls)
		}
	}
}

// The work of weaving is bounded whatever the cards: pairs of fields that are looked at.
func TestWeaveIsBounded(t *testing.T) {
	x := NewIndex(wide(300), Options{})
	g := x.understand(ask("Throw a pot, glaze it and show it"))
	var chosen []terminal
	for _, e := range x.entries {
		chosen = append(chosen, terminal{e: e})
	}
	w := x.weave(&g, chosen)
	pairs := 0
	for _, gaps := range w.gaps {
		for _, g := range gaps {
			pairs += len(g.links)
		}
	}
	if pairs == 0 || pairs > maxPairs {
		t.Errorf("%d pairs, where %d are the most", pairs, maxPairs)
	}
}
