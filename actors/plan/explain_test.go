package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// What was chosen, what else could be done, and why it was not, in both languages.
func TestExplain(t *testing.T) {
	for _, c := range []struct{ request, want, call string }{
		{"王萍萍的包裹到哪里了", "要向用户询问 order_id", "少一次调用：不用 search_order_code"},
		{"查一下订单 316123105676 的物流", "虽然已经知道", ""},
	} {
		ex := index(t, "shop.json").Think(ask(c.request)).Explain
		if ex.Graph == nil || ex.Plan == nil || len(ex.Alternatives) == 0 {
			t.Fatalf("%s: %+v", c.request, ex)
		}
		if found := ex.Clauses[0].Candidates; len(found) == 0 || len(found[0].Signals) == 0 {
			t.Errorf("%s: candidates %+v without the voices of retrieval", c.request, found)
		}
		var texts []string
		for _, a := range ex.Alternatives {
			for _, r := range a.Lost {
				texts = append(texts, r.Text)
			}
		}
		if all := strings.Join(texts, "\n"); !strings.Contains(all, c.want) || !strings.Contains(all, c.call) {
			t.Errorf("%s: lost because\n%s", c.request, all)
		}
	}
	cards := []bus.Card{
		reader("track_parcel", "Track where a parcel is now", []string{"parcel_id!: ID of the parcel"}, nil),
		reader("find_parcels", "Find the parcels of a person", []string{"person!: name of the person"}, []string{"parcel_id: ID of the parcel"}),
		reader("search_parcels", "Search the parcels of a person", []string{"person!: name of the person"}, []string{"parcel_id: ID of the parcel"}),
	}
	ex := NewIndex(cards, Options{Evidence: &Evidence{Tools: map[string]Record{
		"find_parcels": {Calls: 10, Failed: 0, Seconds: 3}, "search_parcels": {Calls: 10, Failed: 4, Seconds: 12}, "track_parcel": {Calls: 1, Seconds: 1},
	}}}).Think(ask("Track the parcel of Mary Smith")).Explain
	if len(ex.Alternatives) < 2 || ex.Plan.Seconds != 1.3 {
		t.Fatalf("plan %+v, alternatives %+v", ex.Plan, ex.Alternatives)
	}
	got := fmt.Sprint(ex.Alternatives[0].Lost)
	for _, want := range []string{"calls search_parcels instead of find_parcels", "slower: 2.2 s against 1.3 s", "fails in 33 % against 0 %"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s does not say %q", got, want)
		}
	}
}

// The costs of a plan are those of its parts, and the reasons add up to what it costs more than the chosen one.
func TestExplainAddsUp(t *testing.T) {
	x := index(t, "shop.json")
	plans := 0
	for _, request := range requests(t) {
		ex := x.Think(ask(request)).Explain
		if ex.Plan == nil {
			continue
		}
		for _, p := range append([]ExplainPlan{*ex.Plan}, ex.Alternatives...) {
			plans++
			sum := 0.0
			for _, t := range p.Tools {
				sum += t.Cost
			}
			for _, f := range p.Fills {
				sum += f.Cost
			}
			if math.Abs(sum-p.Cost) > 0.01 {
				t.Errorf("%s: parts cost %.3f, the plan %.3f: %+v", request, sum, p.Cost, p)
			}
		}
		for _, p := range ex.Alternatives {
			sum := 0.0
			for _, l := range p.Lost {
				sum += l.Cost
			}
			if len(p.Lost) == 0 || math.Abs(sum-(p.Cost-ex.Plan.Cost)) > 0.03 || p.Cost < ex.Plan.Cost {
				t.Errorf("%s: costs %.3f against %.3f because %+v", request, p.Cost, ex.Plan.Cost, p.Lost)
			}
		}
	}
	if plans < 50 {
		t.Errorf("only %d plans were looked at", plans)
	}
}

// requests are those of testdata/phrasings.txt.
func requests(t *testing.T) (out []string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/phrasings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(raw), "\n") {
		if q, _, ok := strings.Cut(line, " | "); ok && !strings.HasPrefix(line, "#") {
			out = append(out, strings.TrimSpace(q))
		}
	}
	return out
}

// The same catalogue in another order gives the same plan for the same reasons. (Cards that score the same are candidates in
// the order of the catalogue, see NewIndex.)
func TestOrderOfCards(t *testing.T) {
	cs := cardsOf(t, "shop.json")
	r := rand.New(rand.NewPCG(1, 8))
	all := requests(t)
	think := func(cs []bus.Card) (out []string) {
		x := NewIndex(cs, Options{})
		for i := 0; i < len(all); i += 5 {
			o := x.Think(ask(all[i]))
			raw, err := json.Marshal([]any{o.Actions, o.Ask, o.Plan, o.Thought, o.Explain.Graph, o.Explain.Plan, o.Explain.Alternatives, o.Explain.Expanded})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(raw))
		}
		return out
	}
	want := think(cs)
	for range 3 {
		other := slices.Clone(cs)
		r.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for i, got := range think(other) {
			if got != want[i] {
				t.Errorf("%s:\n%s\nin another order\n%s", all[5*i], want[i], got)
			}
		}
	}
}

// However large the catalogue and its fields, an explanation stays of a size that a log can hold, and says what was left out.
func TestExplainIsBounded(t *testing.T) {
	var cs []bus.Card
	long := strings.Repeat("x", 100)
	for i := range 60 {
		var takes, gives []string
		for j := range 24 {
			mark := map[bool]string{true: "!"}[j < 8]
			takes = append(takes, fmt.Sprintf("thing_%d_%s%s: ID of the thing of kind %d", (i+j)%80, long, mark, (i+j)%80))
			gives = append(gives, fmt.Sprintf("thing_%d_%s: ID of the thing of kind %d", (i+j+40)%80, long, (i+j+40)%80))
		}
		cs = append(cs, reader(fmt.Sprintf("find_things_%d", i), "Find the things", takes, gives))
	}
	out := NewIndex(cs, Options{Bound: 50}).Think(ask("Find the things of Mary Smith"))
	raw, err := json.Marshal(out.Explain)
	if err != nil || len(raw) > 200<<10 || out.Explain.Graph == nil || out.Explain.Graph.Omitted == 0 {
		t.Errorf("%d bytes, %v", len(raw), err)
	}
	if !out.Explain.Bounded || !strings.Contains(out.Thought, "reached its bound") {
		t.Errorf("that not all pairs of fields were compared must be said: %v, %s", out.Explain.Bounded, out.Thought)
	}
}
