package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/bus"
)

// tool makes a card from "name type description" lines; those of the returned fields come after a line "->".
func tool(name, desc, fields string) bus.Card {
	schema := map[string]any{}
	order := []string{}
	c := bus.Card{Name: name, Kind: "tool", Effect: bus.Read, Description: desc}
	seal := func() json.RawMessage {
		raw, err := json.Marshal(map[string]any{"type": "object", "properties": schema, "required": order})
		if err != nil {
			panic(err)
		}
		schema, order = map[string]any{}, []string{}
		return raw
	}
	for line := range strings.Lines(fields) {
		part := strings.SplitN(strings.TrimSpace(line), " ", 3)
		switch {
		case part[0] == "->":
			c.Parameters = seal()
		case len(part) == 3:
			schema[part[0]] = map[string]any{"type": part[1], "description": part[2]}
			order = append(order, part[0])
		}
	}
	c.Returns = seal()
	return c
}

// kiln makes a pot, glazes it and shows it.
var kiln = []bus.Card{
	tool("show_pot", "Show a pot in the gallery", "glazed string the picture of the glazed pot\n->\nvisitors integer how many people came"),
	tool("glaze_pot", "Glaze a pot in a colour", "pot_id string unique identifier of the pot\n->\nglazed string the picture of the glazed pot"),
	tool("throw_pot", "Throw a pot on the wheel", "shape string the shape of the pot\n->\npot_id string unique identifier of the pot"),
}

// refs lists the references of a plan as taker.parameter=provider.field, sorted.
func refs(cs []Call) []string {
	_, out, _ := names(cs)
	slices.Sort(out)
	return out
}

func TestPlanAllLinksInTheOrderOfTheRequest(t *testing.T) {
	got := NewIndex(kiln, Options{}).PlanAll(ask("Throw a round pot on the wheel. Then glaze the pot in blue. In the end everybody shall see it in the gallery."))
	var order []string
	for _, c := range got {
		order = append(order, c.ToolName)
	}
	if want := []string{"throw_pot", "glaze_pot", "show_pot"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	if want := []string{"glaze_pot.pot_id=throw_pot.pot_id", "show_pot.glazed=glaze_pot.glazed"}; !slices.Equal(refs(got), want) {
		t.Errorf("references %v, want %v", refs(got), want)
	}
}

// Names that say nothing: the descriptions are enough.
func TestPlanAllWithoutSpeakingNames(t *testing.T) {
	var muted []bus.Card
	for _, c := range kiln {
		r, _ := nesRow{Tools: []bus.Card{c}}.mute(nil)
		muted = append(muted, r.Tools...)
	}
	got := NewIndex(muted, Options{}).PlanAll(ask("Throw a round pot on the wheel. Then glaze the pot in blue. In the end show the pot in the gallery."))
	o := opaque
	if want := []string{
		o("glaze_pot") + "." + o("pot_id") + "=" + o("throw_pot") + "." + o("pot_id"),
		o("show_pot") + "." + o("glazed") + "=" + o("glaze_pot") + "." + o("glazed"),
	}; !slices.Equal(refs(got), want) {
		t.Errorf("references %v, want %v", refs(got), want)
	}
}

// Names that only number the fields of each card: equal ones are no sign of anything.
func TestPlanAllWithNumberedNames(t *testing.T) {
	for name, say := range map[string][6]string{
		"both from one":   {"p1", "p2", "p1", "p2", "p1", "p2"},
		"with a word":     {"field_1", "field_2", "field_1", "field_2", "field_1", "field_2"},
		"results go on":   {"a1", "a2", "a3", "a4", "a1", "a2"},
		"none says it":    {"x17", "x18", "x19", "x20", "x21", "x22"},
		"as people speak": {"city", "nights", "greeting", "booking_id", "booking_id", "voucher"},
	} {
		cards := []bus.Card{
			tool("t1", "Book a room in a hotel", say[0]+" string the city of the hotel\n"+say[1]+" string how many nights\n->\n"+say[2]+" string a message of the hotel to its guest\n"+say[3]+" string the number of the booking"),
			tool("t2", "Pay a booking", say[4]+" string identifier of the booking to be paid\n"+say[5]+" string the voucher to pay with\n->\n"+say[4]+"x string the receipt of the payment"),
		}
		got := NewIndex(cards, Options{}).PlanAll(ask("Book a room in Lyon for two nights, then pay the booking."))
		if want := []string{"t2." + say[4] + "=t1." + say[3]}; !slices.Equal(refs(got), want) {
			t.Errorf("%s: references %v, want %v", name, refs(got), want)
		}
	}
}

// One returned field fills one parameter of a tool, the one it is likelier to be.
func TestPlanAllTakesAFieldOnce(t *testing.T) {
	cards := []bus.Card{
		tool("make_list", "Make a list of songs", "title string the title\n->\nlist_id string unique identifier of the list of songs"),
		tool("merge_lists", "Merge two lists of songs", "list_id string unique identifier of the list of songs\nother_list_id string unique identifier of the other list of songs\n->\nsize integer how many songs there are"),
	}
	got := NewIndex(cards, Options{}).PlanAll(ask("Make a list of songs, then merge the lists of songs."))
	if want := []string{"merge_lists.list_id=make_list.list_id"}; !slices.Equal(refs(got), want) {
		t.Errorf("references %v, want %v", refs(got), want)
	}
}

// A provider that nobody asked for comes in when it is clearly right, and the more cards there are, the clearer it must be.
func TestPlanAllInsertsAProvider(t *testing.T) {
	far := tool("weigh_cargo", "Weigh the cargo of a ship", "ship string the name of the ship\n->\nweight number the weight of the cargo")
	for name, c := range map[string]struct {
		cards []bus.Card
		want  []string
	}{
		"clearly right": {[]bus.Card{kiln[1], kiln[2], far, far, far, far}, []string{"glaze_pot.pot_id=throw_pot.pot_id"}},
		"nothing fits":  {[]bus.Card{kiln[1], far, far, far, far, far}, nil},
	} {
		for i := range c.cards {
			if c.cards[i].Name == far.Name {
				c.cards[i].Name = fmt.Sprint(far.Name, i)
			}
		}
		got := NewIndex(c.cards, Options{}).PlanAll(ask("Glaze the pot in blue."))
		if !slices.Equal(refs(got), c.want) {
			t.Errorf("%s: references %v, want %v", name, refs(got), c.want)
		}
	}
}

// Two tools give the same; what calls showed decides, and without it the one that comes last before it is used.
func TestPlanAllLearnsFromEvidence(t *testing.T) {
	cards := []bus.Card{
		tool("first_source", "Look the price up", "\n->\nprice number the price of the metal"),
		tool("other_source", "Look the price up", "\n->\nprice number the price of the metal"),
		tool("forecast", "Forecast the price", "price number the price of the metal\n->\nforecast number the price to come"),
	}
	from := func(v *Evidence) []string {
		return refs(NewIndex(cards, Options{Evidence: v}).PlanAll(ask("Look the price up at both sources, then forecast the price.")))
	}
	before := from(nil)
	if len(before) != 1 {
		t.Fatalf("without evidence: %v", before)
	}
	_, provider, _ := strings.Cut(before[0], "=")
	provider, _, _ = strings.Cut(provider, ".")
	other := map[string]string{"first_source": "other_source", "other_source": "first_source"}[provider]
	e := Edge{provider, "price", "forecast", "price"}
	for name, v := range map[string]*Evidence{
		"the edge failed":    {Edges: map[Edge]Tries{e: {Failed: 9}}},
		"the other one did":  {Edges: map[Edge]Tries{{other, "price", "forecast", "price"}: {Worked: 9}, e: {Failed: 3}}},
		"of edges not there": {Edges: map[Edge]Tries{{provider, "cost", "forecast", "price"}: {Failed: 9}}},
	} {
		want := "forecast.price=" + other + ".price"
		if name == "of edges not there" {
			want = before[0]
		}
		if got := from(v); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
}

func TestAssign(t *testing.T) {
	for _, c := range []struct {
		fit    [][]float64
		want   []int
		before [][]float64
	}{
		{fit: [][]float64{{1, 0}, {0, 1}}, want: []int{0, 1}},
		{fit: [][]float64{{3, 2}, {3, 0}}, want: []int{1, 0}},                                      // both want the first: together they are better so
		{fit: [][]float64{{3, 2}, {3, 0}}, before: [][]float64{{0, 4}, {0, 0}}, want: []int{0, 1}}, // but the second builds on the first
		{fit: [][]float64{{1}, {2}}, want: []int{-1, 0}},                                           // one column for two rows
		{fit: [][]float64{{0, 5, 0, 1}}, want: []int{1}},                                           // more columns than rows
		{fit: [][]float64{{9, 8}, {9, 1}, {1, 1}}, want: []int{1, 0, -1}},
	} {
		if got := assign(c.fit, c.before); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.fit, got, c.want)
		}
	}
}

func TestVector(t *testing.T) {
	s := newShape(NewIndex(kiln, Options{}).entries)
	a, b := s.vector("pot", "pot", "glaze"), s.vector("glaze", "wheel")
	if len(a.terms) != 2 {
		t.Errorf("a word counts once: %v", a.terms)
	}
	if got := cosine(a, a); math.Abs(got-1) > 1e-9 {
		t.Errorf("cosine with itself %v", got)
	}
	if got := covered(b, a); math.Abs(got-s.idf("glaze")/(s.idf("glaze")+s.idf("wheel"))) > 1e-9 {
		t.Errorf("covered %v", got)
	}
	if cosine(a, vector{}) != 0 || covered(vector{}, a) != 0 {
		t.Error("nothing is like nothing")
	}
	if s.idf("pot") >= s.idf("wheel") {
		t.Error("what every field says tells less than what one says")
	}
}

// A tool that hardly anything speaks for stays out when the others build on each other; it may stay when nothing does.
func TestCompany(t *testing.T) {
	x := NewIndex(kiln, Options{})
	show, glaze, throw := x.byName["show_pot"], x.byName["glaze_pot"], x.byName["throw_pot"]
	chosen := []terminal{{e: show, score: 0.5}, {e: glaze, score: 0.5}, {e: throw, score: 0.5}}
	link := solver.Solution{Choices: []solver.Choice{{Need: solver.Need{Taker: glaze, Field: nil}, Option: solver.Option{Provider: throw}}, {Need: solver.Need{Taker: show, Field: nil}, Option: solver.Option{}}}}
	if got := companions(link, chosen); len(got) != 2 || got[0].e != glaze || got[1].e != throw {
		t.Errorf("kept %v", got)
	}
	if got := companions((solver.Solution{}), chosen); len(got) != 3 {
		t.Errorf("nothing is linked, kept %v", got)
	}
	chosen[0].score = 0.9
	if got := companions(link, chosen); len(got) != 3 {
		t.Errorf("it is likely wanted for itself, kept %v", got)
	}
}

func TestMeant(t *testing.T) {
	x := NewIndex(kiln, Options{})
	near, far := x.says("doctor", ""), x.says("bicycle", "")
	if a, b := meant(x.says("physician", "").name, near.name), meant(x.says("physician", "").name, far.name); a < b+0.2 || a > 1 {
		t.Errorf("a physician is a doctor to %.2f and a bicycle to %.2f", a, b)
	}
	y := NewIndex(kiln, Options{Without: Without{Embedding: true}})
	if v := meant(y.says("physician", "").name, y.says("doctor", "").name); v != 0 {
		t.Errorf("without vectors %.2f", v)
	}
}
