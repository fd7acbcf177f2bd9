package plan

import "fmt"

// Explain says how an outcome came about. It is for people and for tests; nothing is decided by it.
type Explain struct {
	Goal string `json:"goal"`
	// Understood says how an incomplete request was completed; "" when it stood alone.
	Understood string          `json:"understood,omitempty"`
	Clauses    []ExplainClause `json:"clauses,omitempty"`
	// Facts are "kind: text" in the order of the text.
	Facts []string `json:"facts,omitempty"`
	// Unused are the facts that no call of the plan takes; the answer says so.
	Unused []string `json:"unused,omitempty"`
	// Search is the plan chosen, one way of filling a parameter after the other.
	Search string `json:"search,omitempty"`
	// Cost of the plan, and how many states the optimiser expanded for it.
	Cost     float64 `json:"cost,omitempty"`
	Expanded int     `json:"expanded,omitempty"`
	// Bounded: the bound was reached, the plan is the best found so far.
	Bounded bool `json:"bounded,omitempty"`
}

// ExplainClause is one clause with the cards considered for it, best first.
type ExplainClause struct {
	Text       string             `json:"text"`
	Chosen     string             `json:"chosen,omitempty"`
	Why        string             `json:"why,omitempty"`
	Candidates []ExplainCandidate `json:"candidates,omitempty"`
}

// ExplainCandidate is a card considered. Lost says why it was not taken; "" for the chosen one.
type ExplainCandidate struct {
	Tool  string  `json:"tool"`
	Score float64 `json:"score"`
	Fit   float64 `json:"fit"`
	Lost  string  `json:"lost,omitempty"`
}

func (g *goal) explain() *Explain {
	ex := &Explain{Goal: short(g.text, 400), Understood: g.how}
	for _, f := range append(append([]fact(nil), g.facts...), g.extra...) {
		line := factNames[f.kind] + ": " + short(f.text, 80)
		if p, ok := f.value.(period); ok {
			line = fmt.Sprintf("date: %s (%s)", f.text, p)
		}
		if f.from != "" {
			line += " (" + f.from + ")"
		}
		ex.Facts = append(ex.Facts, line)
	}
	return ex
}
