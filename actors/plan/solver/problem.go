package solver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

// Edge says that a field of the provider's observation can fill a parameter of the taker.
type Edge struct {
	Path  string // of the field in the observation, dotted through lists and objects
	Field *fields.Field
	Sure  float64 // 0–1
}

// DefaultBound is the bound of Options.Bound when that is 0.
const DefaultBound = 4000

// Need is a parameter that must get a value.
type Need struct {
	Taker *cards.Entry
	Field *fields.Field
}

// Option is one way to fill a need: a known value, a field of another tool, or a question to the user.
type Option struct {
	Known    *fields.Binding
	Provider *cards.Entry
	Edge     Edge
	Cost     float64 // not below 0; without the cost of bringing the provider into the plan
}

// Choice is a need with the option taken for it.
type Choice struct {
	Need
	Option
}

// Problem is what the optimiser is given: the terminal tools and, for each need, its options in any order. The functions must
// answer the same each time; each is asked once for a tool or a need that the goals can reach.
type Problem struct {
	Goals   []*cards.Entry
	Bound   int // states that may be expanded; 0: DefaultBound
	Others  int // how many of the next best plans are wanted besides
	Greedy  bool
	Options func(Need) []Option
	Fixed   func(*cards.Entry) float64 // cost of bringing a tool into the plan
	Needs   func(*cards.Entry) []Need
	After   func(*cards.Entry) []*cards.Entry // goals that must end before a goal whatever provides for it; nil: none
}

// Solution is a plan: the tools in it and how each need is met.
type Solution struct {
	Cost     float64
	Tools    []*cards.Entry                  // goals first, then providers in the order in which they came in
	Choices  []Choice                        // in the order of tools
	After    map[*cards.Entry][]*cards.Entry // of problem
	Expanded int
	Bounded  bool    // the bound was reached: the best so far, not proved to be the best
	Least    float64 // what no plan can go below; the cost itself unless bounded
	Others   []Solution
	Graph    *Hypergraph
}

// Providers of the taker within the solution.
func (s Solution) Providers(e *cards.Entry) []*cards.Entry {
	var out []*cards.Entry
	for _, c := range s.Choices {
		if c.Taker == e && c.Provider != nil {
			out = append(out, c.Provider)
		}
	}
	return out
}

// Waits are the tools that must end before e: those that provide for it, in the order of its needs, and the goals that the
// request wants done before.
func (s Solution) Waits(e *cards.Entry) []*cards.Entry {
	var out []*cards.Entry
	for _, b := range append(s.Providers(e), s.After[e]...) {
		if !slices.Contains(out, b) {
			out = append(out, b)
		}
	}
	return out
}

// Ordered puts every tool after those it waits for, otherwise in the order of goals.
func (s Solution) Ordered() []*cards.Entry {
	var out []*cards.Entry
	seen := map[*cards.Entry]bool{}
	var visit func(e *cards.Entry)
	visit = func(e *cards.Entry) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, p := range s.Waits(e) {
			visit(p)
		}
		out = append(out, e)
	}
	for _, e := range s.Tools {
		visit(e)
	}
	return out
}

// String tells the solution in one line, for Explain.
func (s Solution) String() string {
	var parts []string
	for _, c := range s.Choices {
		switch {
		case c.Provider != nil:
			parts = append(parts, fmt.Sprintf("%s.%s ← %s.%s (%.2f)", c.Taker.Name, c.Field.Name, c.Provider.Name, c.Edge.Path, c.Edge.Sure))
		case c.Known != nil:
			parts = append(parts, fmt.Sprintf("%s.%s ← %s (%.2f)", c.Taker.Name, c.Field.Name, c.Known.Why, c.Known.Sure))
		default:
			parts = append(parts, fmt.Sprintf("%s.%s ← ask the user", c.Taker.Name, c.Field.Name))
		}
	}
	return strings.Join(parts, "; ")
}

// Same reports whether two choices fill a need alike.
func (c Choice) Same(o Choice) bool {
	return c.Source() == o.Source() && c.Provider == o.Provider && c.Edge.Path == o.Edge.Path && c.Cost == o.Cost
}
