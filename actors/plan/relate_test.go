package plan

import (
	"math"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// What is taken from what tells the order of tools better than where the request speaks of them.
func TestRelateOrdersToolsByTheirLinks(t *testing.T) {
	x := NewIndex(kiln, Options{})
	for text, want := range map[string][]string{
		"Show the pot in the gallery. It is a pot to throw on the wheel and to glaze in blue.": {"throw_pot", "glaze_pot", "show_pot"},
		"Throw a round pot on the wheel. Then glaze the pot in blue. Show it in the gallery.":  {"throw_pot", "glaze_pot", "show_pot"},
	} {
		g := x.understand(ask(text))
		chosen, _ := x.terminals(&g)
		w := x.weave(&g, chosen)
		w.relate()
		var got []string
		for i, e := range w.asked {
			got = append(got, e.Name)
			if w.place[e] != i {
				t.Errorf("%s: %s is at place %d, noted as %d", text, e.Name, i, w.place[e])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: order %v, want %v", text, got, want)
		}
	}
}

// Without links the order stays that of the request, also when there are more tools than it tries.
func TestPrecedeKeepsTheOrder(t *testing.T) {
	for _, n := range []int{0, 1, 5, maxPlaced, maxPlaced + 3} {
		w := &weave{place: map[*cards.Entry]int{}, where: map[*cards.Entry]*spot{}}
		for i := range n {
			e := &cards.Entry{}
			w.asked, w.place[e], w.where[e] = append(w.asked, e), i, &spot{}
		}
		if got := w.precede(); !slices.Equal(got, w.asked) {
			t.Errorf("%d tools: another order", n)
		}
	}
}

func TestContend(t *testing.T) {
	r, other := &fields.Field{}, &fields.Field{}
	gaps := []*gap{
		{odds: []float64{0.2, 0.8}, links: []*link{{field: r}}},
		{odds: []float64{0.5, 0.4, 0.1}, links: []*link{{field: r}, {field: other}}},
		{odds: []float64{0, 1}, links: []*link{{field: other}}},
	}
	(&weave{}).contend(gaps)
	for _, c := range []struct {
		gap, link int
		want      float64
	}{{0, 0, 0.4}, {1, 0, 0.8}, {1, 1, 1}, {2, 0, 0.1}} {
		if got := gaps[c.gap].links[c.link].traits[elsewhere]; math.Abs(got-c.want) > 1e-6 {
			t.Errorf("link %d of gap %d: another gap takes its field with probability %.2f, want %.2f", c.link, c.gap, got, c.want)
		}
	}
}

// Two tools that want the same thing take it from the same place, and what is told to one is told to the other.
func TestTwins(t *testing.T) {
	x := NewIndex([]bus.Card{
		tool("plan_wedding", "Plan a wedding", "guests integer how many guests\n->\nvenue string the venue of the wedding"),
		tool("book_florist", "Book a florist", "venue string the venue of the wedding\ntint string the tint of the roses\n->\n"),
		tool("hire_band", "Hire a band", "place string the venue of the wedding\ntint string the tint of the roses\n->\n"),
	}, Options{})
	g := x.understand(ask("Plan a wedding, book a florist and hire a band."))
	plan, florist, band := x.byName["plan_wedding"], x.byName["book_florist"], x.byName["hire_band"]
	w := x.weave(&g, []terminal{{e: plan}, {e: florist}, {e: band}})
	find := func(e *cards.Entry, name string) *gap {
		return w.gaps[e][slices.IndexFunc(w.gaps[e], func(g *gap) bool { return g.Field.Name == name })]
	}
	venue := &plan.Gives[0]
	w.look(func(g *gap) []float64 { // the florist takes the venue, nothing else takes anything
		out := make([]float64, len(g.links)+1)
		out[0] = words.Either[float64](g == find(florist, "venue"), -9, 9)
		return out
	}, false)
	for _, l := range find(band, "place").links {
		if got := l.traits[twinTakes]; l.field == venue && got < 0.5 || l.field != venue && got > 0 {
			t.Errorf("another tool takes %s for the place: %.2f", l.path, got)
		}
	}
	for _, l := range find(florist, "venue").links {
		if got := l.traits[twinTakes]; got > 0 {
			t.Errorf("the florist is its own twin: %.2f", got)
		}
	}
	if told, taken := find(band, "tint").own[twinTold], find(band, "place").own[twinTold]; told < 0.9 || told < taken+0.3 {
		t.Errorf("the tint is told to another tool: %.2f; the place is not: %.2f", told, taken)
	}
}

// Two stretches that might each speak of either tool: the earlier one speaks of the tool that the other takes something from.
func TestRecut(t *testing.T) {
	x := NewIndex([]bus.Card{
		tool("paint_wall", "Paint a wall", "tint string the tint of the paint\n->\nlayers integer how many layers"),
		tool("mix_paint", "Paint a wall", "\n->\ntint string the tint of the paint"),
	}, Options{})
	g := x.understand(ask("Paint a wall in the hall. Then paint a wall in the kitchen."))
	paint, mix := x.byName["paint_wall"], x.byName["mix_paint"]
	for again, before := range map[bool]*cards.Entry{false: paint, true: mix} {
		w := x.weave(&g, []terminal{{e: paint}, {e: mix}})
		w.look(func(g *gap) []float64 { // what is painted with is surely what was mixed
			out := make([]float64, len(g.links)+1)
			out[0] = -9
			return out
		}, again)
		after := words.Either(before == mix, paint, mix)
		if w.where[before].Start >= w.where[after].Start {
			t.Errorf("cut again: %v; %s is spoken of at %d, %s at %d", again, before.Name, w.where[before].Start, after.Name, w.where[after].Start)
		}
	}
}
