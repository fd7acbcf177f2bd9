package plan

import (
	"fmt"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Explain says how an outcome came about. It is for people and for tests; nothing is decided by it. It holds no clock and no
// address, so equal inputs give equal JSON, and its size is bounded: long lists end early and say how much was left out.
// Texts for people (Why, Lost, Understood) are in the language of the request.
type Explain struct {
	// Goal is the wish in full, at most 400 runes.
	Goal string `json:"goal"`
	// Understood says how an incomplete request was completed; "" when it stood alone.
	Understood string          `json:"understood,omitempty"`
	Clauses    []ExplainClause `json:"clauses,omitempty"`
	// Facts are "kind: text" in the order of the text.
	Facts []string `json:"facts,omitempty"`
	// Unused are the facts that no call of the plan takes; the answer says so.
	Unused []string `json:"unused,omitempty"`
	// Worked says what was worked out from the rows of observations, a sentence each.
	Worked []string `json:"worked,omitempty"`
	// Search is the plan chosen in one line, one way of filling a parameter after the other.
	Search string `json:"search,omitempty"`
	// Cost of the plan (see [ExplainPlan]), and how many states the optimiser expanded for it.
	Cost     float64 `json:"cost,omitempty"`
	Expanded int     `json:"expanded,omitempty"`
	// Bounded: a bound was reached, the plan is the best found so far. It is at most Gap dearer than the best one of the graph.
	Bounded bool    `json:"bounded,omitempty"`
	Gap     float64 `json:"gap,omitempty"`
	// Graph is what the optimiser chose from; nil when no tool fits, as Plan.
	Graph *ExplainGraph `json:"graph,omitempty"`
	// Plan is the plan chosen.
	Plan *ExplainPlan `json:"plan,omitempty"`
	// Alternatives are the next best plans for the same wished tools, cheapest first, at most 3, each with the reasons why it lost.
	Alternatives []ExplainPlan `json:"alternatives,omitempty"`
}

// ExplainClause is one clause with the cards considered for it, best first.
type ExplainClause struct {
	Text       string             `json:"text"`
	Chosen     string             `json:"chosen,omitempty"`
	Why        string             `json:"why,omitempty"`
	Candidates []ExplainCandidate `json:"candidates,omitempty"`
}

// ExplainCandidate is a card considered.
type ExplainCandidate struct {
	Tool string `json:"tool"`
	// Score is what the choice goes by; comparable within one clause. Fit is the share of the clause's informative words that
	// the card knows, 0–1.
	Score float64 `json:"score"`
	Fit   float64 `json:"fit"`
	// Signals are the single voices of retrieval: "words" (BM25), "grams" and "embedding" (cosines). Silent ones are left out.
	Signals map[string]float64 `json:"signals,omitempty"`
	// Lost says why it was not taken; "" for the chosen one.
	Lost string `json:"lost,omitempty"`
}

// ExplainGraph is the part of the tools DAG that was searched.
type ExplainGraph struct {
	// Tools are the wished ones, then those that may provide for them, in the order in which they were reached.
	Tools []ExplainTool `json:"tools"`
	// Fills are all ways of filling the parameters of these tools: by parameter, in the order of Tools, the cheapest first.
	Fills []ExplainFill `json:"fills,omitempty"`
	// Omitted is how many tools and fills were left out, so that the explanation stays readable.
	Omitted int `json:"omitted,omitempty"`
}

// ExplainTool is a tool of the graph or of a plan.
type ExplainTool struct {
	Tool string `json:"tool"`
	// Wished: the request asks for it. The others are there only to fill parameters.
	Wished bool `json:"wished,omitempty"`
	// Cost of having it in the plan, without its parameters; 0 for a wished one.
	Cost float64 `json:"cost,omitempty"`
	// Seconds a call takes, as learned from the log; 0: not known.
	Seconds float64 `json:"seconds,omitempty"`
	// After are the tools of the same plan that must end before it. Empty in the graph.
	After []string `json:"after,omitempty"`
}

// The sources of a value, see [ExplainFill].
const (
	SourceSaid = "said"
	SourceTool = "tool"
	SourceAsk  = "ask"
)

// ExplainFill is one way of filling one parameter.
type ExplainFill struct {
	Tool      string `json:"tool"`
	Parameter string `json:"parameter"`
	// Source is SourceSaid (the user or an observation told it: From is the kind of fact, such as "person" or "default"),
	// SourceTool (From is the tool, Field the path in its observation; "" when it is an agent, which answers in words) or
	// SourceAsk (the user would be asked).
	Source string `json:"source"`
	From   string `json:"from,omitempty"`
	Field  string `json:"field,omitempty"`
	// Value is what would be filled in, of SourceSaid: a text as it is, any other as JSON, at most 60 runes.
	Value string `json:"value,omitempty"`
	// Sure is how sure it is that the value is meant, 0–1; 0 for SourceAsk.
	Sure float64 `json:"sure,omitempty"`
	// Cost of filling it so, without the cost of the tool that provides.
	Cost float64 `json:"cost"`
}

// ExplainPlan is a plan with its cost broken down: Cost is the sum of the costs of Tools and of Fills. The unit: bothering the
// user once is what four sure extra calls cost (2.5 and 0.6), a value that is surely wrong costs 1.
type ExplainPlan struct {
	// Tools in the order in which they run.
	Tools []ExplainTool `json:"tools"`
	Fills []ExplainFill `json:"fills,omitempty"`
	Cost  float64       `json:"cost"`
	// Seconds is how long its longest chain takes by what the log has taught; 0: not known.
	Seconds float64 `json:"seconds,omitempty"`
	// Lost are the reasons why this plan was not chosen, the weightiest first; nil for the chosen one.
	Lost []ExplainReason `json:"lost,omitempty"`
}

// ExplainReason is one difference between a plan and the chosen one.
type ExplainReason struct {
	// Text such as "one call more: find_customer" or "asks the user for order_id".
	Text string `json:"text"`
	// Cost it adds; below zero what speaks for the plan that lost; 0 for what only tells the two apart.
	Cost float64 `json:"cost"`
}

func (g *goal) explain() *Explain {
	ex := &Explain{Goal: words.Short(g.said(), 400), Understood: g.how}
	for _, f := range append(append([]facts.Fact(nil), g.facts...), g.extra...) {
		line := facts.KindNames[f.Kind] + ": " + words.Short(f.Text, 80)
		if p, ok := f.Value.(facts.Period); ok {
			line = fmt.Sprintf("date: %s (%s)", f.Text, p)
		}
		if f.From != "" {
			line += " (" + f.From + ")"
		}
		ex.Facts = append(ex.Facts, line)
	}
	return ex
}

// signals are the voices that say anything, for Explain.
func (w Why) signals() map[string]float64 {
	m := map[string]float64{}
	for name, v := range map[string]float64{"words": w.Words, "grams": w.Grams, "embedding": w.Embedding} {
		if v != 0 {
			m[name] = round3(v)
		}
	}
	return m
}
