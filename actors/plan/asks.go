package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Asks reports whether a text asks for the change that a tool makes: it names the tool's verb, in either language, and neither only asks
// about it nor looks for what was changed. False too for a tool that changes nothing, and for one that is neither on offer nor behind an
// agent on offer. A text is read as it is written: whoever wrote a slip is asked once more.
func (x *Index) Asks(text, tool string) bool {
	e := x.byName[tool]
	if e == nil {
		_, behind := x.Behind(tool)
		return behind != nil && x.behind.index.Asks(text, tool)
	}
	text = wishes.OwnWish(words.Clip(text, words.MaxText)) // before it is cut at commas: a refusal may reach over one
	parts := wishes.Splitter{Verbs: x.verbs}.Clauses(text)
	// A wish may hide behind another one that only looks: 先查一下订单，把它取消.
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",，;；。\n", r) }) {
		c := wishes.Clause{End: len(part)}
		c.Classify(part)
		parts = append(parts, c)
	}
	for _, c := range parts {
		if mayChange(c, e) {
			return true
		}
	}
	return slices.ContainsFunc(parts, func(c wishes.Clause) bool { return asksOtherwise(c, e) })
}

// getDone: "I would like order 17 cancelled" wishes for what "cancel order 17" does.
var getDone = words.MustCompile(`(?i)\b(?:get|have|want|like|need)\s+(?:(?:it|this|that|these|those|them|the|my|all|both|to|be|orders?|number|no|and|[\w-]*\d[\w-]*)[\s.,#]+){1,6}(\w+ed)\b`)

// asksOtherwise reports whether a clause asks for what a tool does in words that no verb of change begins: by its result, or by the tool's
// name.
func asksOtherwise(c wishes.Clause, e *cards.Entry) bool {
	if e.Reads() || c.Question && !wishes.PoliteAsk.MatchString(c.Text) {
		return false
	}
	if m := getDone.FindStringSubmatch(c.Text); m != nil {
		verb := strings.TrimSuffix(m[1], "ed")
		if n := len(verb); n > 2 && verb[n-1] == verb[n-2] { // cancelled, shipped
			verb = verb[:n-1]
		}
		if e.Verbs[wishes.FirstVerb(wishes.ChangeVerbs(verb+" "+m[1]))] {
			return true
		}
	}
	return strings.Contains(e.Name, "_") && strings.Contains(strings.ToLower(c.Text), strings.ToLower(e.Name))
}

// mayChange reports whether the clause asks for the change that the tool makes.
func mayChange(c wishes.Clause, e *cards.Entry) bool {
	return e.HasVerb(c.Change) || saysVerb(c, e)
}

// saysVerb reports whether the clause has the verb of a tool that has none of [wishes.ChangeGroups]: the first word of its name, behind that of a
// server, or what a tag says of a thing that is a tag too (移动文件, 文件); or the whole of such a tag (加一行, 一行).
func saysVerb(c wishes.Clause, e *cards.Entry) bool {
	if e.Reads() || e.IsAgent() || c.Policy || c.Question && !wishes.PoliteAsk.MatchString(c.Text) {
		return false
	}
	return e.SaidIn(c.Text) && !wishes.ReadVerb.MatchString(c.Text) && e.SaidIn(wishes.OwnWish(c.Text)) || // the cheap ones first: it is asked of each card
		e.WishedIn(c.Text) && e.WishedIn(wishes.OwnWish(c.Text))
}

// begun reports whether a clause in Chinese that asks nothing has the verb of a stranger's tool.
func begun(c wishes.Clause, e *cards.Entry) bool {
	return !c.Question && !c.Policy && !e.IsAgent() && !slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Title != "" }) && !wishes.ReadVerb.MatchString(c.Text) && e.BegunIn(wishes.OwnWish(c.Text))
}
