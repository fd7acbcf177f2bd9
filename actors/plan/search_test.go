package plan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// hard is a kind of catalogue on which the bound of raise is far from the best plan.
var hard = shapeOf{tools: 120, goals: 4, params: 4, ways: 6, cycles: true, ask: 0.5, dearest: 25}

// At the bound the best plan so far is given, with what no plan can go below, and the work has kept to the bound.
func TestSearchBound(t *testing.T) {
	reached := 0
	for seed := range uint64(60) {
		p := newPuzzle(rand.New(rand.NewPCG(seed, 3)), hard)
		best := p.solve()
		if best.cost < 0 || best.bounded {
			continue
		}
		last := -1.0
		for _, bound := range []int{1, 4, 16, 64} {
			p.bound = bound
			s := p.solve()
			if bad := p.sound(s); bad != "" {
				t.Fatalf("seed %d, bound %d: %s", seed, bound, bad)
			}
			if s.expanded > bound || s.cost < best.cost || s.least > best.cost || s.bounded == (s.least == s.cost) || !s.bounded && s.cost != best.cost {
				t.Fatalf("seed %d, bound %d: expanded %d, bounded %v, cost %v, at least %v; the best is %v", seed, bound, s.expanded, s.bounded, s.cost, s.least, best.cost)
			}
			if last >= 0 && s.cost > last {
				t.Errorf("seed %d, bound %d: a longer search found a dearer plan: %v after %v", seed, bound, s.cost, last)
			}
			last = s.cost
			if s.bounded {
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
			p.others = 3
			told := func() string {
				s := p.solve()
				out := fmt.Sprint(s.cost, s.expanded, s)
				for _, o := range s.others {
					out += fmt.Sprint("\n", o.cost, o)
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
			best := p.solve()
			p.greedy = true
			s := p.solve()
			if bad := p.sound(s); best.cost >= 0 && bad != "" || s.cost < best.cost || best.cost < 0 && s.cost >= 0 {
				t.Fatalf("%s, seed %d: %s: cost %v, the best is %v", name, seed, bad, s.cost, best.cost)
			}
			if s.cost > best.cost {
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
	e := map[string]*entry{}
	tool := func(name string, params ...string) {
		e[name] = &entry{}
		e[name].Name = name
		for _, p := range params {
			e[name].params = append(e[name].params, field{Name: p})
		}
	}
	tool("a", "x", "y")
	tool("b", "z")
	tool("c", "w")
	from := func(name string, cost float64) option { return option{provider: e[name], cost: cost} }
	ask := func(cost float64) option { return option{cost: cost} }
	for _, c := range []struct {
		name  string
		goals []string
		ways  map[string][]option
		want  float64
		tools []string
	}{
		{"one provider for two needs", []string{"a"}, map[string][]option{"x": {from("b", 0), ask(4)}, "y": {from("b", 0), ask(4)}, "z": {ask(2)}}, 7, []string{"a", "b"}},
		{"a dear provider for one", []string{"a"}, map[string][]option{"x": {from("b", 0), ask(4)}, "y": {ask(1)}, "z": {ask(2)}}, 5, []string{"a"}},
		{"a goal provides", []string{"a", "b"}, map[string][]option{"x": {from("b", 1), ask(4)}, "y": {ask(1)}, "z": {ask(2), from("a", 0)}}, 4, []string{"a", "b"}},
		{"only a cycle", []string{"a"}, map[string][]option{"x": {from("b", 0)}, "y": {ask(1)}, "z": {from("c", 0)}, "w": {from("b", 0)}}, -1, []string{"a"}},
		{"nothing", []string{"a"}, map[string][]option{"x": nil, "y": {ask(1)}}, -1, []string{"a"}},
		{"itself", []string{"c"}, map[string][]option{"w": {from("c", 0), ask(9)}}, 9, []string{"c"}},
		{"no goal", nil, nil, 0, nil},
	} {
		p := problem{
			fixed: func(e *entry) float64 {
				if slices.Contains(c.goals, e.Name) {
					return 0
				}
				return 5
			},
			needs: func(e *entry) (out []need) {
				for i := range e.params {
					out = append(out, need{e, &e.params[i]})
				}
				return out
			},
			options: func(n need) []option { return c.ways[n.field.Name] },
		}
		for _, g := range c.goals {
			p.goals = append(p.goals, e[g])
		}
		s := p.solve()
		var tools []string
		for _, e := range s.tools {
			tools = append(tools, e.Name)
		}
		if s.cost != c.want || !slices.Equal(tools, c.tools) {
			t.Errorf("%s: cost %v with %v, want %v with %v: %s", c.name, s.cost, tools, c.want, c.tools, s)
		}
	}
}

// However much could be looked at, the work is bounded: tools beyond maxTools are not even asked for their options, no more
// states are expanded than allowed, and no more are stored than a fixed number for each of them.
func TestSearchWorkIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	p := newPuzzle(r, shapeOf{tools: 10_000, goals: 6, params: 6, ways: 30, cycles: true, ask: 1, dearest: 40})
	p.bound, p.others = 100, 3
	asked, tolls := 0, 0
	options, fixed := p.options, p.problem.fixed
	p.options = func(n need) []option { asked++; return options(n) }
	p.problem.fixed = func(e *entry) float64 { tolls++; return fixed(e) }
	s := p.solve()
	if bad := p.sound(s); bad != "" {
		t.Error(bad)
	}
	if !s.bounded || s.expanded > 100 || tolls > maxTools || asked > 6*maxTools {
		t.Errorf("bounded %v after %d states, %d tools and %d needs", s.bounded, s.expanded, tolls, asked)
	}
	// A chain as long as the catalogue costs no more than its length: no recursion goes that deep, no list is copied each time.
	chain := func(tools int) *puzzle {
		p := newPuzzle(r, shapeOf{tools: tools, goals: 1, params: 0, ways: 0, dearest: 1})
		for i, e := range p.tools[:tools-1] {
			e.params = []field{{Name: "in"}}
			n := need{e, &e.params[0]}
			p.problem.needs = func(e *entry) []need { return p.needs[e] }
			p.needs[e] = []need{n}
			p.ways[n] = []option{{provider: p.tools[i+1], cost: 1}, {cost: 5000}}
		}
		return p
	}
	allocs := func(tools int) float64 {
		p := chain(tools)
		return testing.AllocsPerRun(1, func() { p.solve() })
	}
	if one, eight := allocs(100), allocs(800); eight > 12*one {
		t.Errorf("a chain of 800 takes %v allocations, one of 100 takes %v", eight, one)
	}
	if s := chain(800).solve(); s.bounded || len(s.tools) != 800 || s.cost != 799 {
		t.Errorf("bounded %v with %d tools at %v", s.bounded, len(s.tools), s.cost)
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
			p.bound = 0
			ps = append(ps, p)
		}
		took := make([]time.Duration, min(b.N, len(ps)))
		expanded, bounded := 0, 0
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			from := time.Now()
			s := ps[i%len(ps)].solve()
			if t := time.Since(from); i < len(took) || t < took[i%len(ps)] {
				took[i%len(ps)] = t
			}
			expanded += s.expanded
			if s.bounded {
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
	chain := make([]*entry, length)
	next := map[*entry]*entry{}
	for i := range chain {
		chain[i] = &entry{}
		chain[i].Name = fmt.Sprint(i)
		if i > 0 {
			chain[i-1].params = []field{{Name: "a"}, {Name: "b"}}
			next[chain[i-1]] = chain[i]
		}
	}
	p := problem{
		goals: chain[:1],
		fixed: func(*entry) float64 { return 1 },
		needs: func(e *entry) (out []need) {
			for i := range e.params {
				out = append(out, need{e, &e.params[i]})
			}
			return out
		},
		options: func(n need) []option { return []option{{provider: next[n.taker]}} },
	}
	if s := p.solve(); s.cost != length || len(s.tools) != length {
		t.Errorf("cost %v with %d tools, want %d of each", s.cost, len(s.tools), length)
	}
}
