package actors

import (
	"slices"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// When the planner counts as sure of a tool: the share of the request's informative words that the tool's card knows, and by how much
// of its own score it leads the next best. Set on one half of the single wishes of Seal-Tools, where 37 of 38 sure choices were right,
// and looked at on the other: 25 of 27; without a lead it was 98 of 116. See TestSureIsRight.
const (
	sureFit   = 0.15
	sureLead  = 0.2
	clearLead = 0.5 // by so much it leads, whatever words its card lacks
)

// doubt says why the planner's outcome should not be acted on alone; "" when it is sure: the request is one wish that stands for itself,
// one tool fits it clearly better than all others, everything in it is used, nothing is missing, and nothing has gone wrong so far.
func doubt(v *View, out plan.Outcome) string {
	w := sayer(v.Language)
	e := out.Explain
	switch {
	case len(v.Steering) > 0:
		return w("用户中途提出了要求", "the user has steered")
	case e.Understood != "":
		return w("这句话要接着前文才能理解", "the request leans on an earlier turn")
	case len(e.Clauses) == 0:
		return w("没有要用工具做的事", "there is nothing for a tool to do")
	case len(e.Clauses) > 1:
		return w("一句话里有几件事", "there are several wishes in it")
	case e.Bounded:
		return w("没有找完所有方案", "not all plans could be looked at")
	case out.Ask != nil:
		return w("还缺信息", "a fact is missing")
	case len(e.Unused) > 0:
		return w("有的条件没有用上：", "something in it is not used: ") + e.Unused[0]
	}
	for _, r := range v.Rounds {
		for _, a := range r.Acts {
			if a.Result != nil && (a.Result.Status != bus.OK || nothing(a.Result)) {
				return w(a.ToolName+" 没有给出结果", a.ToolName+" brought nothing")
			}
		}
	}
	c := e.Clauses[0]
	if c.Chosen == "" {
		return w("没有合适的工具", "no tool fits")
	}
	var best, next plan.ExplainCandidate
	for _, k := range c.Candidates {
		agents, _ := v.Index.Behind(k.Tool) // an agent is chosen by its tools, and among them it chooses itself
		switch {
		case k.Tool == c.Chosen || slices.Contains(agents, c.Chosen):
			if k.Score > best.Score {
				best = k
			}
		case k.Score > next.Score && !barred(v, k.Tool):
			next = k
		}
	}
	lead := (best.Score - next.Score) / max(best.Score, 0.01)
	switch {
	case best.Fit < sureFit && lead < clearLead:
		return w(c.Chosen+" 的说明与这句话相近处太少", c.Chosen+" knows too few of the words")
	case lead < sureLead:
		return w(next.Tool+" 与 "+c.Chosen+" 差不多合适", next.Tool+" would serve nearly as well as "+c.Chosen)
	case len(out.Actions) == 0 && (out.Answer == "" || len(v.Rounds) == 0):
		return w("没有可执行的步骤", "there is no step to take")
	}
	return ""
}

// barred reports whether a tool is no rival: it changes something, and nobody asked for that.
func barred(v *View, tool string) bool {
	_, card := v.Index.Behind(tool)
	if i := slices.IndexFunc(v.Cards, func(c bus.Card) bool { return c.Name == tool }); i >= 0 {
		card = &v.Cards[i]
	}
	return card != nil && changes(card) && !v.Index.Asks(v.Request.JobDesc, tool)
}

// nothing reports whether a result has no content: no observation, or one of empty texts and lists alone.
func nothing(r *bus.Record) bool {
	var empty func(any) bool
	empty = func(v any) bool {
		switch v := v.(type) {
		case nil:
			return true
		case string:
			return v == ""
		case []any:
			return len(v) == 0
		case map[string]any:
			for _, e := range v {
				if !empty(e) {
					return false
				}
			}
			return true
		}
		return false
	}
	return empty(decoded(r.Observation))
}

// sayer picks the language of what is said to people.
func sayer(language string) func(zh, en string) string {
	if language == "zh" {
		return func(zh, _ string) string { return zh }
	}
	return func(_, en string) string { return en }
}
