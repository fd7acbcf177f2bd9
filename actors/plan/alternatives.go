package plan

import (
	"encoding/json"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Bounds of what Explain tells of a search; a person reads no more, and a log holds it.
const (
	maxExplainedTools = 48
	maxExplainedFills = 160
	maxReasons        = 8
	maxExplainedName  = 80 // runes of a field's name or path
	maxExplainedValue = 60
)

// explainPlans tells the graph searched, the plan, and what else could have been done.
func (r *round) explainPlans(tolls map[*cards.Entry]toll) {
	ex, s := r.ex, r.best
	ex.Search, ex.Cost, ex.Expanded, ex.Bounded = s.String(), round3(max(0, s.Cost)), s.Expanded, s.Bounded
	ex.Gap = round3(s.Cost - s.Least)
	ex.Graph = r.explainGraph(s.Graph)
	ex.Plan, ex.Alternatives = nil, nil
	if s.Cost < 0 {
		return
	}
	chosen := r.explainPlan(s)
	ex.Plan = &chosen
	for _, o := range s.Others {
		p := r.explainPlan(o)
		p.Lost = r.reasons(s, o, tolls)
		ex.Alternatives = append(ex.Alternatives, p)
	}
}

func (r *round) explainGraph(h *solver.Hypergraph) *ExplainGraph {
	g := &ExplainGraph{}
	for t := range h.Tools {
		v := &h.Tools[t]
		if len(g.Tools) == maxExplainedTools {
			g.Omitted += len(h.Tools) - t
			break
		}
		g.Tools = append(g.Tools, ExplainTool{Tool: v.Name, Wished: t < h.Goals, Cost: round3(v.Fixed.Cost()), Seconds: round3(r.x.seconds(v.Entry))})
	}
	for n := range h.Needs {
		d := &h.Needs[n]
		for k := range d.Ways {
			switch {
			case d.Field == nil:
			case len(g.Fills) == maxExplainedFills || d.Taker >= maxExplainedTools:
				g.Omitted++
			default:
				g.Fills = append(g.Fills, explainFill(solver.Choice{Need: d.Need, Option: d.Ways[k].Option}))
			}
		}
	}
	return g
}

func explainFill(c solver.Choice) ExplainFill {
	f := ExplainFill{Tool: c.Taker.Name, Parameter: words.Short(c.Field.Name, maxExplainedName), Source: SourceAsk, Cost: round3(solver.ToPrice(c.Cost).Cost())}
	switch {
	case c.Known != nil:
		f.Source, f.From, f.Sure = SourceSaid, c.Known.Why, round3(c.Known.Sure)
		text, ok := c.Known.Value.(string)
		if raw, err := json.Marshal(c.Known.Value); !ok && err == nil {
			text = string(raw)
		}
		f.Value = words.Short(text, maxExplainedValue)
	case c.Provider != nil:
		f.Source, f.From, f.Field, f.Sure = SourceTool, c.Provider.Name, words.Short(c.Edge.Path, maxExplainedName), round3(sureness(c.Option))
	}
	return f
}

// sureness is how sure the option's value is meant; an agent that answers in words is taken for as sure as its cost says.
func sureness(o solver.Option) float64 {
	switch {
	case o.Known != nil:
		return o.Known.Sure
	case o.Provider != nil && o.Edge.Field == nil:
		return max(0, 1-o.Cost/costUnsure)
	}
	return o.Edge.Sure
}

func (r *round) explainPlan(s solver.Solution) ExplainPlan {
	p := ExplainPlan{Cost: round3(s.Cost)}
	tools, all := r.errands(s)
	known := true
	for _, e := range tools {
		t := ExplainTool{Tool: e.Name, Wished: slices.Contains(s.Tools[:len(r.targets)], e), Seconds: round3(r.x.seconds(e))}
		if !t.Wished {
			t.Cost = round3(s.Graph.Fixed(e).Cost())
		}
		for _, b := range s.Waits(e) {
			t.After = append(t.After, b.Name)
		}
		known = known && t.Seconds > 0
		p.Tools = append(p.Tools, t)
	}
	for _, c := range s.Choices {
		p.Fills = append(p.Fills, explainFill(c))
	}
	if known {
		_, end := schedule(all, r.slots())
		p.Seconds = round3(end)
	}
	return p
}
