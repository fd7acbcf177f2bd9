package plan

import "slices"

// Bounds of what Explain tells of a search; a person reads no more, and a log holds it.
const (
	maxExplainedTools = 48
	maxExplainedFills = 160
	maxReasons        = 8
	maxExplainedName  = 80 // runes of a field's name or path
)

// explainPlans tells the graph searched, the plan, and what else could have been done.
func (r *round) explainPlans(tolls map[*entry]toll) {
	ex, s := r.ex, r.best
	ex.Search, ex.Cost, ex.Expanded, ex.Bounded = s.String(), round3(max(0, s.cost)), s.expanded, s.bounded
	ex.Gap = round3(s.cost - s.least)
	ex.Graph = r.explainGraph(s.graph)
	ex.Plan, ex.Alternatives = nil, nil
	if s.cost < 0 {
		return
	}
	chosen := r.explainPlan(s)
	ex.Plan = &chosen
	for _, o := range s.others {
		p := r.explainPlan(o)
		p.Lost = r.reasons(s, o, tolls)
		ex.Alternatives = append(ex.Alternatives, p)
	}
}

func (r *round) explainGraph(h *hypergraph) *ExplainGraph {
	g := &ExplainGraph{}
	for t := range h.tools {
		v := &h.tools[t]
		if len(g.Tools) == maxExplainedTools {
			g.Omitted += len(h.tools) - t
			break
		}
		g.Tools = append(g.Tools, ExplainTool{Tool: v.Name, Wished: t < h.goals, Cost: round3(v.fixed.cost()), Seconds: round3(r.x.seconds(v.entry))})
	}
	for n := range h.needs {
		d := &h.needs[n]
		for k := range d.ways {
			switch {
			case d.field == nil:
			case len(g.Fills) == maxExplainedFills || d.taker >= maxExplainedTools:
				g.Omitted++
			default:
				g.Fills = append(g.Fills, choice{d.need, d.ways[k].option}.explain())
			}
		}
	}
	return g
}

func (c choice) explain() ExplainFill {
	f := ExplainFill{Tool: c.taker.Name, Parameter: short(c.field.Name, maxExplainedName), Source: SourceAsk, Cost: round3(toPrice(c.cost).cost())}
	switch {
	case c.known != nil:
		f.Source, f.From, f.Sure = SourceSaid, c.known.why, round3(c.known.sure)
	case c.provider != nil:
		f.Source, f.From, f.Field, f.Sure = SourceTool, c.provider.Name, short(c.edge.path, maxExplainedName), round3(c.sure())
	}
	return f
}

// sure is how sure the option's value is meant; an agent that answers in words is taken for as sure as its cost says.
func (o option) sure() float64 {
	switch {
	case o.known != nil:
		return o.known.sure
	case o.provider != nil && o.edge.field == nil:
		return max(0, 1-o.cost/costUnsure)
	}
	return o.edge.sure
}

func (r *round) explainPlan(s solution) ExplainPlan {
	p := ExplainPlan{Cost: round3(s.cost)}
	tools, all := r.errands(s)
	known := true
	for _, e := range tools {
		t := ExplainTool{Tool: e.Name, Wished: slices.Contains(s.tools[:len(r.targets)], e), Seconds: round3(r.x.seconds(e))}
		if !t.Wished {
			t.Cost = round3(s.graph.fixed(e).cost())
		}
		for _, b := range s.waits(e) {
			t.After = append(t.After, b.Name)
		}
		known = known && t.Seconds > 0
		p.Tools = append(p.Tools, t)
	}
	for _, c := range s.choices {
		p.Fills = append(p.Fills, c.explain())
	}
	if known {
		_, end := schedule(all, r.slots())
		p.Seconds = round3(end)
	}
	return p
}

// fixed is the cost of bringing in a tool of the graph.
func (h *hypergraph) fixed(e *entry) price {
	for t := range h.tools {
		if h.tools[t].entry == e {
			return h.tools[t].fixed
		}
	}
	return 0
}
