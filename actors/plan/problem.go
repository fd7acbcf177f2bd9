package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Costs of a plan, in one unit: bothering the user once is what four sure extra calls cost.
const (
	costTool   = 0.6
	costAsk    = 2.5
	costUnsure = 1.0 // times one minus how sure a binding or an edge is
)

// defaultBound is the bound of Options.Bound when that is 0.
const defaultBound = 4000

// need is a parameter that must get a value.
type need struct {
	taker *entry
	field *field
}

// option is one way to fill a need: a known value, a field of another tool, or a question to the user.
type option struct {
	known    *binding
	provider *entry
	edge     edge
	cost     float64 // not below 0; without the cost of bringing the provider into the plan
}

// choice is a need with the option taken for it.
type choice struct {
	need
	option
}

// problem is what the optimiser is given: the terminal tools and, for each need, its options in any order. The functions must
// answer the same each time; each is asked once for a tool or a need that the goals can reach.
type problem struct {
	goals   []*entry
	bound   int // states that may be expanded; 0: defaultBound
	others  int // how many of the next best plans are wanted besides
	greedy  bool
	options func(need) []option
	fixed   func(*entry) float64 // cost of bringing a tool into the plan
	needs   func(*entry) []need
	after   func(*entry) []*entry // goals that must end before a goal whatever provides for it; nil: none
}

// solution is a plan: the tools in it and how each need is met.
type solution struct {
	cost     float64
	tools    []*entry            // goals first, then providers in the order in which they came in
	choices  []choice            // in the order of tools
	after    map[*entry][]*entry // of problem
	expanded int
	bounded  bool    // the bound was reached: the best so far, not proved to be the best
	least    float64 // what no plan can go below; the cost itself unless bounded
	others   []solution
	graph    *hypergraph
}

// providers of the taker within the solution.
func (s solution) providers(e *entry) []*entry {
	var out []*entry
	for _, c := range s.choices {
		if c.taker == e && c.provider != nil {
			out = append(out, c.provider)
		}
	}
	return out
}

// waits are the tools that must end before e: those that provide for it, in the order of its needs, and the goals that the
// request wants done before.
func (s solution) waits(e *entry) []*entry {
	var out []*entry
	for _, b := range append(s.providers(e), s.after[e]...) {
		if !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// ordered puts every tool after those it waits for, otherwise in the order of goals.
func (s solution) ordered() []*entry {
	var out []*entry
	seen := map[*entry]bool{}
	var visit func(e *entry)
	visit = func(e *entry) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, p := range s.waits(e) {
			visit(p)
		}
		out = append(out, e)
	}
	for _, e := range s.tools {
		visit(e)
	}
	return out
}

// String tells the solution in one line, for Explain.
func (s solution) String() string {
	var parts []string
	for _, c := range s.choices {
		switch {
		case c.provider != nil:
			parts = append(parts, fmt.Sprintf("%s.%s ← %s.%s (%.2f)", c.taker.Name, c.field.Name, c.provider.Name, c.edge.path, c.edge.sure))
		case c.known != nil:
			parts = append(parts, fmt.Sprintf("%s.%s ← %s (%.2f)", c.taker.Name, c.field.Name, c.known.why, c.known.sure))
		default:
			parts = append(parts, fmt.Sprintf("%s.%s ← ask the user", c.taker.Name, c.field.Name))
		}
	}
	return strings.Join(parts, "; ")
}
