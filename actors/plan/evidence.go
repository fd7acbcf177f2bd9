package plan

import (
	"fmt"
	"math"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

// Evidence is what earlier calls showed: how tools fared, and which field filled which parameter well. It is pure data with a
// JSON form; the planner only reads it. nil, or a tool or an edge that it does not know, changes no cost.
type Evidence struct {
	Tools map[string]Record `json:"tools,omitempty"` // by name
	Edges map[Edge]Tries    `json:"edges,omitempty"`
}

// Record sums up the calls of one tool.
type Record struct {
	Calls   int     `json:"calls"`
	Failed  int     `json:"failed,omitempty"`  // of Calls
	Seconds float64 `json:"seconds,omitempty"` // of all calls together
	Cost    float64 `json:"cost,omitempty"`    // money of all calls together, in the unit of [bus.Card]
}

// Edge is a returned field that fills a parameter.
type Edge struct {
	Provider, Field  string // Field is dotted through lists and objects
	Taker, Parameter string
}

// Tries counts how often the call that was filled over an edge worked and how often it failed.
type Tries struct {
	Worked int `json:"worked,omitempty"`
	Failed int `json:"failed,omitempty"`
}

// MarshalText writes provider.field>taker.parameter, so that edges can be keys of a JSON object.
func (e Edge) MarshalText() ([]byte, error) {
	return []byte(e.Provider + "." + e.Field + ">" + e.Taker + "." + e.Parameter), nil
}

// UnmarshalText reads what MarshalText wrote. Names of tools hold neither dots nor ">"; names of fields may.
func (e *Edge) UnmarshalText(text []byte) error {
	provider, rest, ok := strings.Cut(string(text), ".")
	i := strings.LastIndex(rest, ">")
	if !ok || i < 0 {
		return fmt.Errorf("edge %.80q: must be provider.field>taker.parameter", text)
	}
	taker, parameter, ok := strings.Cut(rest[i+1:], ".")
	if !ok {
		return fmt.Errorf("edge %.80q: the taker names no parameter; must be provider.field>taker.parameter", text)
	}
	*e = Edge{provider, rest[:i], taker, parameter}
	return nil
}

// Prices of what the log shows, in the unit of the costs of a plan.
const (
	costSecond = 0.05 // a second of waiting
	maxSeconds = 20   // a call that takes longer is no worse: others run beside it
	maxDearer  = 2.0  // the most that failures add to the cost of an edge
	maxCheaper = 0.3  // the most that successes take off it: they do not beat what the user said himself
)

// tool is what a call costs beside its fixed price, see parts.
func (v *Evidence) tool(e *cards.Entry) float64 {
	money, waiting, risk := v.parts(e)
	return money + waiting + risk
}

// parts are the costs of a call by reasons: money, waiting, and the risk of failing as −ln of the chance of success. A rate is
// drawn towards none by two calls that did not fail, so that one bad day bars nothing. The card's own price stands until there
// are calls; one below zero is none, so that no card can pay its way into a plan.
func (v *Evidence) parts(e *cards.Entry) (money, waiting, risk float64) {
	if v == nil || v.Tools[e.Name].Calls <= 0 {
		return max(e.Cost, 0), 0, 0
	}
	r := v.Tools[e.Name]
	n := float64(r.Calls)
	rate := min(float64(max(r.Failed, 0))/(n+2), 0.99)
	return max(r.Cost, 0) / n, costSecond * min(max(r.Seconds, 0)/n, maxSeconds), -math.Log(1 - rate)
}

// Of two tools that can do the same the one is taken that fares better. What failures cost grows with the square of their share, so that now and
// then one says nothing, and is bounded, so that a tool that always failed is still taken when nothing else fits as well.
const (
	unreliable = 0.6  // what always failing costs a tool in the choice, in the unit of [judged].total
	dearer     = 0.05 // what price and waiting cost there at most: they decide between equals
)

// rate is the share of a tool's calls that failed, 0–1, drawn towards none as in parts.
func (v *Evidence) rate(e *cards.Entry) float64 {
	_, _, risk := v.parts(e)
	return 1 - math.Exp(-risk)
}

// burden is what speaks against a tool in the choice, below 1; 0 of one that is not known and has no price.
func (v *Evidence) burden(e *cards.Entry) float64 {
	money, waiting, _ := v.parts(e)
	rate, price := v.rate(e), money+waiting
	return unreliable*rate*rate + dearer*price/(1+price)
}

// edge is what the tries of an edge add to its cost: the log of the odds of failing, below 0 when it worked more often than
// it failed.
func (v *Evidence) edge(provider *cards.Entry, path string, taker *cards.Entry, f *fields.Field) float64 {
	if v == nil || len(v.Edges) == 0 {
		return 0
	}
	t := v.Edges[Edge{provider.Name, path, taker.Name, f.Name}]
	odds := math.Log(float64(max(t.Failed, 0)+1) / float64(max(t.Worked, 0)+1))
	return min(max(odds, -maxCheaper), maxDearer)
}
