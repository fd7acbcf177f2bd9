package solver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

// hard is a kind of catalogue on which the bound of raise is far from the best plan.
var hard = shapeOf{tools: 120, goals: 4, params: 4, ways: 6, cycles: true, ask: 0.5, dearest: 25}

// At the bound the best plan so far is given, with what no plan can go below, and the work has kept to the bound.
func TestSearchBound(t *testing.T) {
	reached := 0
	for seed := range uint64(60) {
		p := newPuzzle(rand.New(rand.NewPCG(seed, 3)), hard)
		best := p.Solve()
		if best.Cost < 0 || best.Bounded {
			continue
		}
		last := -1.0
		for _, bound := range []int{1, 4, 16, 64} {
			p.Bound = bound
			s := p.Solve()
			if bad := p.sound(s); bad != "" {
				t.Fatalf("seed %d, bound %d: %s", seed, bound, bad)
			}
			if s.Expanded > bound || s.Cost < best.Cost || s.Least > best.Cost || s.Bounded == (s.Least == s.Cost) || !s.Bounded && s.Cost != best.Cost {
				t.Fatalf("seed %d, bound %d: expanded %d, bounded %v, cost %v, at least %v; the best is %v", seed, bound, s.Expanded, s.Bounded, s.Cost, s.Least, best.Cost)
			}
			if last >= 0 && s.Cost > last {
				t.Errorf("seed %d, bound %d: a longer search found a dearer plan: %v after %v", seed, bound, s.Cost, last)
			}
			last = s.Cost
			if s.Bounded {
				reached++
			}
		}
	}
	if reached < 20 {
		t.Errorf("only %d searches reached their bound: the test sees nothing", reached)
	}
}

// The best plans are the same, word for word, in whatever order the options are told and however often it is asked.
func TestSearchOrder(t *testing.T) {
	for name, shape := range puzzles {
		shape.tools *= 3
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 4))
			p := newPuzzle(r, shape)
			p.Others = 3
			told := func() string {
				s := p.Solve()
				out := fmt.Sprint(s.Cost, s.Expanded, s)
				for _, o := range s.Others {
					out += fmt.Sprint("\n", o.Cost, o)
				}
				return out
			}
			want := told()
			for range 3 {
				for n := range p.ways {
					r.Shuffle(len(p.ways[n]), func(i, j int) { p.ways[n][i], p.ways[n][j] = p.ways[n][j], p.ways[n][i] })
				}
				if got := told(); got != want {
					t.Fatalf("%s, seed %d: found\n%s\nand in another order\n%s", name, seed, want, got)
				}
			}
		}
	}
}

// Without the optimiser the first way that fits is taken; the plan is sound and never cheaper.
func TestSearchGreedy(t *testing.T) {
	dearer := 0
	for name, shape := range puzzles {
		for seed := range uint64(60) {
			p := newPuzzle(rand.New(rand.NewPCG(seed, 5)), shape)
			best := p.Solve()
			p.Greedy = true
			s := p.Solve()
			if bad := p.sound(s); best.Cost >= 0 && bad != "" || s.Cost < best.Cost || best.Cost < 0 && s.Cost >= 0 {
				t.Fatalf("%s, seed %d: %s: cost %v, the best is %v", name, seed, bad, s.Cost, best.Cost)
			}
			if s.Cost > best.Cost {
				dearer++
			}
		}
	}
	if dearer == 0 {
		t.Error("it never mattered: the test sees nothing")
	}
}

// A need that only cycles could fill makes no plan, a goal may provide for another, and one provider is paid once.
func TestSearchByHand(t *testing.T) {
	e := map[string]*cards.Entry{}
	tool := func(name string, params ...string) {
		e[name] = &cards.Entry{}
		e[name].Name = name
		for _, p := range params {
			e[name].Params = append(e[name].Params, fields.Field{Name: p})
		}
	}
	tool("a", "x", "y")
	tool("b", "z")
	tool("c", "w")
	from := func(name string, cost float64) Option { return Option{Provider: e[name], Cost: cost} }
	ask := func(cost float64) Option { return Option{Cost: cost} }
	for _, c := range []struct {
		name  string
		goals []string
		ways  map[string][]Option
		want  float64
		tools []string
	}{
		{"one provider for two needs", []string{"a"}, map[string][]Option{"x": {from("b", 0), ask(4)}, "y": {from("b", 0), ask(4)}, "z": {ask(2)}}, 7, []string{"a", "b"}},
		{"a dear provider for one", []string{"a"}, map[string][]Option{"x": {from("b", 0), ask(4)}, "y": {ask(1)}, "z": {ask(2)}}, 5, []string{"a"}},
		{"a goal provides", []string{"a", "b"}, map[string][]Option{"x": {from("b", 1), ask(4)}, "y": {ask(1)}, "z": {ask(2), from("a", 0)}}, 4, []string{"a", "b"}},
		{"only a cycle", []string{"a"}, map[string][]Option{"x": {from("b", 0)}, "y": {ask(1)}, "z": {from("c", 0)}, "w": {from("b", 0)}}, -1, []string{"a"}},
		{"nothing", []string{"a"}, map[string][]Option{"x": nil, "y": {ask(1)}}, -1, []string{"a"}},
		{"itself", []string{"c"}, map[string][]Option{"w": {from("c", 0), ask(9)}}, 9, []string{"c"}},
		{"no goal", nil, nil, 0, nil},
	} {
		p := Problem{
			Fixed: func(e *cards.Entry) float64 {
				if slices.Contains(c.goals, e.Name) {
					return 0
				}
				return 5
			},
			Needs: func(e *cards.Entry) (out []Need) {
				for i := range e.Params {
					out = append(out, Need{e, &e.Params[i]})
				}
				return out
			},
			Options: func(n Need) []Option { return c.ways[n.Field.Name] },
		}
		for _, g := range c.goals {
			p.Goals = append(p.Goals, e[g])
		}
		s := p.Solve()
		var tools []string
		for _, e := range s.Tools {
			tools = append(tools, e.Name)
		}
		if s.Cost != c.want || !slices.Equal(tools, c.tools) {
			t.Errorf("%s: cost %v with %v, want %v with %v: %s", c.name, s.Cost, tools, c.want, c.tools, s)
		}
	}
}

// However much could be looked at, the work is bounded: tools beyond maxTools are not even asked for their options, no more
// states are expanded than allowed, and no more are stored than a fixed number for each of them.
func TestSearchWorkIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	p := newPuzzle(r, shapeOf{tools: 10_000, goals: 6, params: 6, ways: 30, cycles: true, ask: 1, dearest: 40})
	p.Bound, p.Others = 100, 3
	asked, tolls := 0, 0
	options, fixed := p.Options, p.Problem.Fixed
	p.Options = func(n Need) []Option { asked++; return options(n) }
	p.Problem.Fixed = func(e *cards.Entry) float64 { tolls++; return fixed(e) }
	s := p.Solve()
	if bad := p.sound(s); bad != "" {
		t.Error(bad)
	}
	if !s.Bounded || s.Expanded > 100 || tolls > maxTools || asked > 6*maxTools {
		t.Errorf("bounded %v after %d states, %d tools and %d needs", s.Bounded, s.Expanded, tolls, asked)
	}
	// A chain as long as the catalogue costs no more than its length: no recursion goes that deep, no list is copied each time.
	chain := func(tools int) *puzzle {
		p := newPuzzle(r, shapeOf{tools: tools, goals: 1, params: 0, ways: 0, dearest: 1})
		for i, e := range p.tools[:tools-1] {
			e.Params = []fields.Field{{Name: "in"}}
			n := Need{e, &e.Params[0]}
			p.Problem.Needs = func(e *cards.Entry) []Need { return p.needs[e] }
			p.needs[e] = []Need{n}
			p.ways[n] = []Option{{Provider: p.tools[i+1], Cost: 1}, {Cost: 5000}}
		}
		return p
	}
	allocs := func(tools int) float64 {
		p := chain(tools)
		return testing.AllocsPerRun(1, func() { p.Solve() })
	}
	if one, eight := allocs(100), allocs(800); eight > 12*one {
		t.Errorf("a chain of 800 takes %v allocations, one of 100 takes %v", eight, one)
	}
	if s := chain(800).Solve(); s.Bounded || len(s.Tools) != 800 || s.Cost != 799 {
		t.Errorf("bounded %v with %d tools at %v", s.Bounded, len(s.Tools), s.Cost)
	}
}

// BenchmarkSearch searches 300 random hypergraphs of each size in turn, cycles included, and reports what the search alone
// takes, the states it expands and how often it ends at its bound. "shared" are those on which it has most to think about:
// nearly all needs can be filled by several of few providers. The percentiles are over the hypergraphs, of each its quickest
// run, so that they tell them apart and not what else the machine had to do: run with -benchtime 1500x or more.
func BenchmarkSearch(b *testing.B) {
	for _, tools := range []int{10, 30, 100, 300, 1000} {
		benchmarkSearch(b, fmt.Sprint("sparse/", tools), shapeOf{tools: tools, goals: 3, params: 3, ways: 4, cycles: true, ask: 0.6, dearest: 25})
	}
	for _, tools := range []int{10, 20, 40, 80} {
		benchmarkSearch(b, fmt.Sprint("shared/", tools), shapeOf{tools: tools, goals: 4, params: 4, ways: 6, ask: 0.7, dearest: 25})
	}
}

func benchmarkSearch(b *testing.B, name string, shape shapeOf) {
	b.Run(name, func(b *testing.B) {
		var ps []*puzzle
		for seed := range uint64(300) {
			p := newPuzzle(rand.New(rand.NewPCG(seed, 6)), shape)
			p.Bound = 0
			ps = append(ps, p)
		}
		took := make([]time.Duration, min(b.N, len(ps)))
		expanded, bounded := 0, 0
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			from := time.Now()
			s := ps[i%len(ps)].Solve()
			if t := time.Since(from); i < len(took) || t < took[i%len(ps)] {
				took[i%len(ps)] = t
			}
			expanded += s.Expanded
			if s.Bounded {
				bounded++
			}
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		b.ReportMetric(float64(expanded)/float64(b.N), "states/op")
		b.ReportMetric(100*float64(bounded)/float64(b.N), "%bounded")
	})
}

// A chain in which each tool takes twice from the next one doubles what a tool costs alone with each of its links: the sum stops
// at maxSum, and the plan, which shares the steps, costs no more than its tools.
func TestSearchLongDoubleChain(t *testing.T) {
	const length = 200
	chain := make([]*cards.Entry, length)
	next := map[*cards.Entry]*cards.Entry{}
	for i := range chain {
		chain[i] = &cards.Entry{}
		chain[i].Name = fmt.Sprint(i)
		if i > 0 {
			chain[i-1].Params = []fields.Field{{Name: "a"}, {Name: "b"}}
			next[chain[i-1]] = chain[i]
		}
	}
	p := Problem{
		Goals: chain[:1],
		Fixed: func(*cards.Entry) float64 { return 1 },
		Needs: func(e *cards.Entry) (out []Need) {
			for i := range e.Params {
				out = append(out, Need{e, &e.Params[i]})
			}
			return out
		},
		Options: func(n Need) []Option { return []Option{{Provider: next[n.Taker]}} },
	}
	if s := p.Solve(); s.Cost != length || len(s.Tools) != length {
		t.Errorf("cost %v with %d tools, want %d of each", s.Cost, len(s.Tools), length)
	}
}
