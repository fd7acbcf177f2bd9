package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Who knows the tools of the house names the one to be used: 用 my_search_order_code 查唐娟的订单. That one is meant, whatever another one's card says, and where it is
// not there none takes its place unsaid.

// toolLike is a name that only a tool has, of words with signs between them, and inTables what such a name may be of where there is a table.
var (
	toolLike = words.MustCompile(`[A-Za-z][A-Za-z0-9]*(?:_{1,2}[A-Za-z0-9]+)+`)
	inTables = words.MustCompile(`(?i)[列表库码]|字段|变量|函数|\b(?:columns?|fields?|tables?|sheets?|functions?|variables?|code|database|encoding)\b`)
)

// callByName settles which of the cards, no saved one, a request says that shall be used, or shall not; false when it says that of none. To change something with, it must
// be wished for: what it would do may be asked.
func (x *Index) callByName(g *goal, all []*cards.Entry) bool {
	for _, name := range usedByName(g.text) {
		for _, e := range all {
			_, own, _ := strings.Cut(e.Name, "__") // behind that of a server
			if e.IsAgent() || e.IsSaved() || e.Name != name && own != name {
				continue
			}
			if !bearsName(wishes.OwnWish(g.text), name) {
				g.spurned = e.Name
				return true
			}
			whole := wishes.Clause{Text: g.text, End: len(g.text)}
			whole.Classify(g.text)
			if e.Reads() || mayChange(whole, e) || asksOtherwise(whole, e) {
				g.called = e.Name
				return true
			}
		}
	}
	return false
}

// usedByName are the names of tools of which a text says that they shall be used.
func usedByName(text string) (out []string) {
	for _, m := range toolLike.FindAllStringIndex(text, 8) {
		if useOf.MatchString(text[:m[0]]) && bearsName(text, text[m[0]:m[1]]) && !strings.HasPrefix(text[m[1]:], ".") && !strings.HasPrefix(text[m[1]:], "(") {
			out = append(out, text[m[0]:m[1]])
		}
	}
	return out
}

// notOnOffer tells that a tool which a request says shall be used is none that anybody here may call; "" for any other request. A job is judged by who hands it on.
func (x *Index) notOnOffer(g *goal, in Input) string {
	if in.Job || g.called != "" || g.spurned != "" || len(in.Files) > 0 || g.filed || g.fresh > 0 || inTables.MatchString(g.text) || madeATool.MatchString(g.text) {
		return ""
	}
	for _, name := range usedByName(g.text) {
		if _, behind := x.Behind(name); x.byName[name] == nil && behind == nil && !x.hasField(name) && !usedAs.MatchString(g.text[strings.Index(g.text, name)+len(name):]) {
			return words.Say(g.lang, "没有执行：这里没有智能体可以用叫「%s」的工具。已经接入的话，要在它的 tags 里写上一个智能体的名字（比如 toolbox），或者在那个智能体的配置里列出它。不一定要用它的话，直接说要做什么就行。",
				"Not done: no agent here may use a tool called “%s”. If it is connected, its tags must name an agent (such as toolbox), or the configuration of an agent must list it. If it need not be that one, just say what you want.", name)
		}
	}
	return ""
}

// usedAs stands behind what is used as something, or has its value behind it: no tool is.
var usedAs = words.MustCompile(`(?i)^[\s「“"]*(?:[做作]为?|当[做成作]?|为|as\b|[=:：]|[\d“"「])`)

// hasField reports whether a name is that of a parameter, or of something that is told, of any card.
func (x *Index) hasField(name string) bool {
	entries := x.entries
	if x.behind != nil {
		entries = slices.Concat(entries, x.behind.index.entries)
	}
	return slices.ContainsFunc(entries, func(e *cards.Entry) bool {
		return e.Param(name) != nil || slices.ContainsFunc(e.Gives, func(f fields.Field) bool { return f.Name == name })
	})
}
