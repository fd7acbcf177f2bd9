package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// trifle is a difference that nobody needs to read about; trifles are told together.
const trifle = solver.PerUnit / 100

// comparison collects the reasons why one plan lost to another one. Their costs sum up to the difference of the plans'
// costs, but for trifles.
type comparison struct {
	lang    string
	reasons []ExplainReason
	left    solver.Price // of the difference that is not told yet
}

func (c *comparison) add(cost solver.Price, zh, en string, args ...any) {
	c.left -= cost
	c.reasons = append(c.reasons, ExplainReason{Text: words.Short(words.Say(c.lang, zh, en, args...), 160), Cost: cost.Cost()})
}

// reasons say why other lost to best, the weightiest first.
func (r *round) reasons(best, other solver.Solution, tolls map[*cards.Entry]toll) []ExplainReason {
	c := &comparison{lang: r.g.lang, left: solver.ToPrice(other.Cost) - solver.ToPrice(best.Cost)}
	r.compareCalls(c, best, other, tolls)
	r.compareFills(c, best, other)
	if other.Cost != best.Cost && (len(c.reasons) == 0 || c.left > trifle || c.left < -trifle) {
		c.add(c.left, "其他小差别", "small differences")
	}
	slices.SortStableFunc(c.reasons, func(a, b ExplainReason) int { return cmp.Compare(b.Cost, a.Cost) })
	if len(c.reasons) > maxReasons {
		rest := ExplainReason{Text: words.Say(c.lang, "另有 %d 处不同", "%d more differences", len(c.reasons)-maxReasons+1)}
		for _, o := range c.reasons[maxReasons-1:] {
			rest.Cost += o.Cost
		}
		c.reasons = append(c.reasons[:maxReasons-1], rest)
	}
	for i := range c.reasons {
		c.reasons[i].Cost = math.Round(c.reasons[i].Cost*1000) / 1000
	}
	if other.Cost == best.Cost {
		c.reasons = append(c.reasons, ExplainReason{Text: words.Say(c.lang, "一样好；同分时按固定的次序取前一个", "just as good; of equal plans the first in a fixed order is taken")})
	}
	return c.reasons
}

// compareCalls tells what the tools of one plan cost beyond those of the other.
func (r *round) compareCalls(c *comparison, best, other solver.Solution, tolls map[*cards.Entry]toll) {
	more, fewer := without(other.Tools, best.Tools), without(best.Tools, other.Tools)
	var d [2]toll // what only best pays, what only other pays
	for i, es := range [][]*cards.Entry{fewer, more} {
		for _, e := range es {
			t := tolls[e]
			d[i] = toll{d[i].call + t.call, d[i].money + t.money, d[i].waiting + t.waiting, d[i].risk + t.risk, d[i].blind + t.blind, d[i].approval + t.approval}
		}
	}
	if len(more)+len(fewer) > 0 {
		cost := solver.ToPrice(d[1].call) - solver.ToPrice(d[0].call)
		switch n := len(more) - len(fewer); {
		case n == 1 && len(fewer) == 0:
			c.add(cost, "多一次调用：%s", "one call more: %s", listed(c.lang, more))
		case n == -1 && len(more) == 0:
			c.add(cost, "少一次调用：不用 %s", "one call fewer: without %s", listed(c.lang, fewer))
		case len(fewer) == 0:
			c.add(cost, "多 %d 次调用：%s", "%d calls more: %s", n, listed(c.lang, more))
		case len(more) == 0:
			c.add(cost, "少 %d 次调用：不用 %s", "%d calls fewer: without %s", -n, listed(c.lang, fewer))
		default:
			c.add(cost, "调用 %s，而不是 %s", "calls %s instead of %s", listed(c.lang, more), listed(c.lang, fewer))
		}
	}
	if v := solver.ToPrice(d[1].blind) - solver.ToPrice(d[0].blind); v > 0 {
		c.add(v, "%s 的调用里没有用户说过的任何内容", "its call of %s would hold nothing that the user said", listed(c.lang, blind(more, tolls)))
	} else if v < 0 {
		c.add(v, "%s 的调用里没有用户说过的任何内容，这里不需要它", "does without %s, whose call holds nothing that the user said", listed(c.lang, blind(fewer, tolls)))
	}
	if v := solver.ToPrice(d[1].approval) - solver.ToPrice(d[0].approval); v > 0 {
		c.add(v, "要等人批准 %s", "a person must approve %s", listed(c.lang, approved(more)))
	} else if v < 0 {
		c.add(v, "不必等人批准 %s", "nobody need approve %s", listed(c.lang, approved(fewer)))
	}
	if v := solver.ToPrice(d[1].money) - solver.ToPrice(d[0].money); v != 0 {
		c.add(v, "费用 %.2f，而不是 %.2f", "costs %.2f against %.2f", d[1].money, d[0].money)
	}
	if v := solver.ToPrice(d[1].waiting) - solver.ToPrice(d[0].waiting); v != 0 {
		one, two := r.longest(best), r.longest(other)
		switch {
		case two > one+0.005:
			c.add(v, "更慢：%s 秒，而不是 %s 秒", "slower: %s s against %s s", brief(two), brief(one))
		case two < one-0.005:
			c.add(v, "更快：%s 秒，而不是 %s 秒", "faster: %s s against %s s", brief(two), brief(one))
		default:
			c.add(v, "调用用时不同，总时间一样", "its calls take another time, the whole takes the same")
		}
	}
	if v := solver.ToPrice(d[1].risk) - solver.ToPrice(d[0].risk); v != 0 {
		one, two := r.failing(best), r.failing(other)
		c.add(v, "失败的可能：%.0f %%，而不是 %.0f %%", "fails in %.0f %% against %.0f %%", 100*two, 100*one)
	}
}

// longest is how long the plan takes, in seconds.
func (r *round) longest(s solver.Solution) float64 {
	_, all := r.errands(s)
	_, end := schedule(all, r.slots())
	return end
}

// failing is the chance that a call of a plan's own providers fails, 0–1, as Evidence counts it.
func (r *round) failing(s solver.Solution) float64 {
	sum := 0.0
	for _, e := range s.Tools[len(r.targets):] {
		_, _, risk := r.x.options.Evidence.parts(e)
		sum += risk
	}
	return 1 - math.Exp(-sum)
}

// compareFills tells what filling the parameters costs otherwise.
func (r *round) compareFills(c *comparison, best, other solver.Solution) {
	was := map[solver.Need]solver.Choice{}
	for _, o := range best.Choices {
		was[o.Need] = o
	}
	inOther := map[solver.Need]bool{}
	for _, o := range other.Choices {
		inOther[o.Need] = true
		b, ok := was[o.Need]
		cost := solver.ToPrice(o.Cost)
		name := words.Short(o.Field.Name, maxExplainedName)
		switch {
		case ok && o.Same(b) || o.Source() == b.Source() && cost != solver.ToPrice(b.Cost) && cost-solver.ToPrice(b.Cost) < trifle && solver.ToPrice(b.Cost)-cost < trifle:
		case !ok && o.Source() == 2:
			c.add(cost, "要为 %[2]s 向用户询问 %[1]s", "asks the user for %s, which %s needs", name, o.Taker.Name)
		case !ok && cost > 0:
			c.add(cost, "不确定 %s 就是 %s.%s（%.2f）", "not sure that %s is %s.%s (%.2f)", whence(o, c.lang), o.Taker.Name, name, sureness(o.Option))
		case !ok:
		case o.Source() == 2 && b.Known != nil:
			c.add(cost-solver.ToPrice(b.Cost), "要向用户询问 %s，虽然已经知道", "asks the user for %s, although it is known", name)
		case o.Source() == 2:
			c.add(cost-solver.ToPrice(b.Cost), "要向用户询问 %s", "asks the user for %s", name)
		case b.Source() == 2:
			c.add(cost-solver.ToPrice(b.Cost), "不必向用户询问 %s，取自 %s", "does not ask the user for %s, but takes %s", name, whence(o, c.lang))
		case math.Abs(sureness(o.Option)-sureness(b.Option)) < 0.005 && o.Cost > b.Cost:
			c.add(cost-solver.ToPrice(b.Cost), "用 %s 作 %s 过去不如 %s", "%s did worse before as %s than %s", whence(o, c.lang), name, whence(b, c.lang))
		case o.Cost > b.Cost:
			c.add(cost-solver.ToPrice(b.Cost), "更不确定 %s 就是 %s：%.2f，而 %s 为 %.2f", "less sure that %s is %s: %.2f against %.2[5]f for %[4]s", whence(o, c.lang), name, sureness(o.Option), whence(b, c.lang), sureness(b.Option))
		case o.Cost < b.Cost:
			c.add(cost-solver.ToPrice(b.Cost), "更确定 %s 就是 %s：%.2f，而 %s 为 %.2f", "surer that %s is %s: %.2f against %.2[5]f for %[4]s", whence(o, c.lang), name, sureness(o.Option), whence(b, c.lang), sureness(b.Option))
		default:
			c.add(0, "%s 取自 %s，而不是 %s", "takes %[2]s for %[1]s instead of %[3]s", name, whence(o, c.lang), whence(b, c.lang))
		}
	}
	for _, b := range best.Choices {
		if cost := solver.ToPrice(b.Cost); !inOther[b.Need] && b.Source() == 2 {
			c.add(-cost, "不必为 %[2]s 向用户询问 %[1]s", "need not ask the user for %s of %s", words.Short(b.Field.Name, maxExplainedName), b.Taker.Name)
		} else if !inOther[b.Need] && cost > 0 {
			c.add(-cost, "不必确定 %s 就是 %s.%s", "need not be sure that %s is %s.%s", whence(b, c.lang), b.Taker.Name, words.Short(b.Field.Name, maxExplainedName))
		}
	}
}

// whence names where the value comes from.
func whence(c solver.Choice, lang string) string {
	switch {
	case c.Known != nil:
		return words.Say(lang, "已知的（%s）", "what is known (%s)", c.Known.Why)
	case c.Provider != nil && c.Edge.Field == nil:
		return words.Say(lang, "%s 的回答", "what %s answers", c.Provider.Name)
	case c.Provider != nil:
		return c.Provider.Name + "." + words.Short(c.Edge.Path, maxExplainedName)
	}
	return words.Say(lang, "用户的回答", "what the user answers")
}

// without are the entries of a that are not in b, in their order.
func without(a, b []*cards.Entry) []*cards.Entry {
	return slices.DeleteFunc(slices.Clone(a), func(e *cards.Entry) bool { return slices.Contains(b, e) })
}

func blind(es []*cards.Entry, tolls map[*cards.Entry]toll) []*cards.Entry {
	return slices.DeleteFunc(slices.Clone(es), func(e *cards.Entry) bool { return tolls[e].blind == 0 })
}

func approved(es []*cards.Entry) []*cards.Entry {
	return slices.DeleteFunc(slices.Clone(es), func(e *cards.Entry) bool { return !e.NeedsApproval() })
}

func listed(lang string, es []*cards.Entry) string {
	var out []string
	for _, e := range es {
		out = append(out, e.Name)
	}
	return strings.Join(out, words.Say(lang, "、", ", "))
}

// brief is a number of seconds as people say it.
func brief(seconds float64) string {
	if seconds < 10 {
		return fmt.Sprintf("%.1f", seconds)
	}
	return fmt.Sprintf("%.0f", seconds)
}
