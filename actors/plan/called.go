package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A saved tool was made of a request, and given a name, to be used again: 用 forecast_and_price 看电饭煲 wants that one and no other, and so does
// the request it was made of with other values in it, whose words are its description.

const (
	calling  = 10  // what it is worth to be called: more than all else together
	recalled = 0.8 // share of the informative words that a request and a description must have of each other
	telltale = 2   // and how many at least
)

// marked are the places of values in the description of a saved tool; what stands behind it is no request.
var (
	marked      = words.MustCompile(`「[^」]*」|<[^<>]*>`)
	behindSaved = words.MustCompile(`(?s)(?:Saved steps:|保存的步骤：).*$`)
)

// saved gives a saved tool on offer, or behind an agent on offer, by its name; nil: there is none.
func (x *Index) saved(name string) *cards.Entry {
	e := x.byName[name]
	if e == nil && x.behind != nil {
		e = x.behind.index.byName[name]
	}
	if e == nil || !e.IsSaved() {
		return nil
	}
	return e
}

// call settles which saved tool a request calls, by its name or by the words that it was made of. In the second case the request is one wish, however many it was
// made of.
func (x *Index) call(g *goal) {
	entries := x.entries
	if x.behind != nil {
		entries = slices.Concat(entries, x.behind.index.entries)
	}
	if x.callByName(g, entries) {
		return
	}
	var said map[string]bool
	for _, e := range entries {
		if !e.IsSaved() {
			continue
		}
		if g.christens(e.Name) || g.christens(e.SavedTitle()) {
			continue
		}
		if bears(g.text, e) { // 不要用 forecast_and_price
			if g.called, g.spurned = e.Name, ""; !bears(wishes.OwnWish(g.text), e) {
				g.called, g.spurned = "", e.Name
			}
			return
		}
		if g.fresh > 0 || g.called != "" {
			continue
		}
		if said == nil {
			said = x.wordsOf(g.text, g.facts)
		}
		text := marked.ReplaceAllString(behindSaved.ReplaceAllString(e.Description, ""), " ")
		whole := wishes.Clause{Text: g.text, End: len(g.text)}
		if likes(said, x.wordsOf(text, x.facts(text, g.now))) && !x.exceeds(g, whole, e, x.bind(e, g, whole)) {
			g.called = e.Name
			g.clauses = []wishes.Clause{whole}
			g.clauses[0].Classify(g.text)
		}
	}
}

// exceeds reports whether a clause says what a saved tool has no place for: code of its own, a name, a number. What is no parameter of a saved tool is fixed in it, so
// that is another request, however alike its words. A tool without any parameter does one thing, and must know nearly all the words.
func (x *Index) exceeds(g *goal, c wishes.Clause, e *cards.Entry, bound map[string]fields.Binding) bool {
	if len(e.Params) == 0 && x.fitWith(facts.Without(g.text, c.Start, c.End, g.facts), e, bound) < recalled {
		return true
	}
	fixed := strings.ToLower(behindSaved.ReplaceAllString(e.Description, ""))
	for i, f := range g.facts {
		if f.From == "" && f.Start >= c.Start && f.End <= c.End && !takes(e, bound, i, f, g) && !strings.Contains(fixed, strings.ToLower(f.Text)) {
			return true
		}
	}
	return false
}

// madeATool: what stands behind it is the name of the tool that shall be made.
var madeATool = words.MustCompile(`(?i)(?:[存做变转成装](?:成|为|作)|新建|创建|保存)[^。；;\n]{0,12}?工具|\b(?:save|keep|store|turn|convert|make|create|build)\b[^.;\n]{0,80}?\btool\b`)

// christens reports whether a name stands in the request only as that of the tool which it wants made: once it is made, it is there, and was not called.
func (g *goal) christens(name string) bool {
	m := madeATool.FindStringIndex(g.text)
	return m != nil && name != "" && strings.Count(g.text, name) == 1 && bearsName(g.text[m[1]:], name)
}

// toolNamed is the name that a wish for a new tool gives it, in the words of who wishes it.
var toolNamed = words.MustCompile(`(?i)(?:名字|名称|取名|起名|命名|[，,]\s*就?叫)[叫为是做：:]*\s*["“「'‘]?([^\s"“”「」'’，,。.!！?？]{2,40})|\b(?:called|named|name it|call it|with the name)\s+["“'‘]?([\w][\w -]{1,39})`)

// unkept tells that a tool which a request uses by name was wished for in the session and is not there: it was not agreed to, or could not be saved. "" for any other
// request.
func (x *Index) unkept(g *goal, request string, history []Turn) string {
	if g.called != "" || g.spurned != "" || madeATool.MatchString(request) {
		return ""
	}
	for _, t := range slices.Backward(history) {
		m := toolNamed.FindStringSubmatch(t.Request)
		if m == nil || !madeATool.MatchString(t.Request) {
			continue
		}
		name := strings.TrimSpace(m[1] + m[2])
		at := strings.Index(strings.ToLower(request), strings.ToLower(name))
		if at < 0 || !useOf.MatchString(request[:at]) {
			continue
		}
		return words.Say(g.lang, "没有叫「%[1]s」的工具：前面要存的那次没有存成，所以什么也没有做。要存的话，在做完那件事之后说「把刚才的步骤存成工具，叫%[1]s」，并在问到时同意；也可以直接说要查什么。",
			"There is no tool called “%[1]s”: it was not saved when that was asked for, so nothing was done. To save it, say “save these steps as a tool called %[1]s” behind what it shall do, and agree when you are asked; or say what you want to know.", name)
	}
	return ""
}

// useOf stands before the name of what is to be used.
var useOf = words.MustCompile(`(?i)(?:用|使用|运行|调用|执行|跑)(?:一下)?(?:工具|我的|那个|这个|存的)*\s*["“「'‘]?$|\b(?:use|run|call|try|with|using)\s+(?:my |the |that )?(?:tool )?["“'‘]?$`)

// wordsOf are the informative words of a text beside its facts.
func (x *Index) wordsOf(text string, found []facts.Fact) map[string]bool {
	out := map[string]bool{}
	for _, w := range words.Content(facts.Without(text, 0, len(text), found)) {
		out[w] = true
	}
	return out
}

// likes reports whether two sets of words are nearly the same.
func likes(a, b map[string]bool) bool {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return both >= telltale && float64(both) >= recalled*float64(max(len(a), len(b)))
}

// bears reports whether a text names a saved tool, by its name or by what people call it.
func bears(text string, e *cards.Entry) bool {
	title := e.SavedTitle()
	return bearsName(text, e.Name) || title != "" && bearsName(strings.ToLower(text), strings.ToLower(title))
}

// bearsName reports whether a text names a tool by a whole word.
func bearsName(text, name string) bool {
	part := func(b byte) bool { return b == '_' || b == '-' || b < 0x80 && words.IsWord(b) }
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(name)
		if (begin == 0 || !part(text[begin-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		at = end
	}
}

// calls reports whether a clause of the goal calls a card.
func (g *goal) calls(c wishes.Clause, e *cards.Entry) bool {
	return g.called == e.Name && (bears(c.Text, e) || len(g.clauses) == 1 && !bears(g.text, e))
}
