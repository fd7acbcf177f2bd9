package plan

import (
	"regexp"
	"slices"
	"strings"
)

// Who asks how a change is made to a thing that is named ("How do I cancel order N?") wants neither the change nor a look at the thing, but the words
// that have it done here.

var (
	wayHan = regexp.MustCompile(`(?:我|我们)?(?:应该|应当|该|要|想|可以|能)?(?:怎么|如何|怎样)(?:才能|才可以|可以|能|才|去|来|样)?`)
	wayEng = regexp.MustCompile(`(?i)^\s*(?:(?:so|and|well|please)[, ]+)?(?:can you (?:tell|show) me |(?:tell|show) me |what is the way to |what's the way to )?(?:how (?:do|can|should|could|would) (?:i|we|you|one)|how to|the way to)\s+`)
	// whyHan: 怎么取消了, 怎么还没发货 and 怎么退款这么慢 wonder about what has happened.
	whyHan = regexp.MustCompile(`(?:怎么|如何|怎样)(?:还|又|就|都|不|没|会|被|这么|那么|办|回事|突然|已)|了(?:呢|啊|呀)?\s*[?？]?$|的\s*[?？]?$`)
)

// wishOf is the wish of which a clause asks how it is done; "" when it asks no such thing.
func (c clause) wishOf() string {
	if politeAsk.MatchString(c.text) || !howTo.MatchString(c.text) {
		return ""
	}
	wish := wayEng.ReplaceAllString(c.text, "")
	if wish == c.text {
		if whyHan.MatchString(c.text) {
			return ""
		}
		if wish = wayHan.ReplaceAllString(c.text, ""); wish == c.text {
			return ""
		}
	}
	return strings.Trim(wish, " ?？。.呢啊呀，,")
}

// howItIsDone tells the words that have a change made, of a request that asks for nothing but the way; "" for any other.
func (x *Index) howItIsDone(g *goal) string {
	if len(g.clauses) != 1 || !slices.ContainsFunc(g.facts, func(f fact) bool { return f.kind != factDate && f.kind != factNumber && f.kind != factSaid }) {
		return "" // a matter of rules
	}
	wish := g.clauses[0].wishOf()
	if wish == "" || len(changeVerbs(wish)) == 0 {
		return ""
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	alone := goal{text: wish, lang: g.lang, now: g.now, given: map[string]string{}}
	tools.read(&alone)
	if len(alone.clauses) != 1 {
		return ""
	}
	best := tools.top(&alone, alone.clauses[0])
	if best == nil || best.e.reads() {
		return ""
	}
	out := say(g.lang, "这里可以直接办：说「%s」即可。", "It can be done here: just say “%s”.", wish)
	if best.e.NeedsApproval() {
		out += say(g.lang, "执行之前会先给您看清楚要改什么，等您同意。", " Before anything is changed you are shown what it is and asked to agree.")
	}
	var more []string
	for _, f := range best.e.required() {
		if _, ok := best.bound[f.Name]; !ok {
			more = append(more, wanted(g.lang, f))
		}
	}
	if len(more) > 0 {
		out += say(g.lang, "还需要：%s。", " It also needs: %s.", strings.Join(more, say(g.lang, "；", "; ")))
	}
	return out + say(g.lang, "（只是说明，什么都没有改动。）", " (Nothing was changed.)")
}
