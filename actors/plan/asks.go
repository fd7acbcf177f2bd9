package plan

import (
	"regexp"
	"slices"
	"strings"
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
	text = ownWish(clip(text, MaxText)) // before it is cut at commas: a refusal may reach over one
	parts := splitter{verbs: x.verbs}.clauses(text)
	// A wish may hide behind another one that only looks: 先查一下订单，把它取消.
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",，;；。\n", r) }) {
		c := clause{end: len(part)}
		c.classify(part)
		parts = append(parts, c)
	}
	for _, c := range parts {
		if c.mayChange(e) {
			return true
		}
	}
	return slices.ContainsFunc(parts, func(c clause) bool { return c.asksOtherwise(e) })
}

// getDone: "I would like order 17 cancelled" wishes for what "cancel order 17" does.
var getDone = regexp.MustCompile(`(?i)\b(?:get|have|want|like|need)\s+(?:(?:it|this|that|these|those|them|the|my|all|both|to|be|orders?|number|no|and|[\w-]*\d[\w-]*)[\s.,#]+){1,6}(\w+ed)\b`)

// asksOtherwise reports whether a clause asks for what a tool does in words that no verb of change begins: by its result, or by the tool's
// name.
func (c clause) asksOtherwise(e *entry) bool {
	if e.reads() || c.question && !politeAsk.MatchString(c.text) {
		return false
	}
	if m := getDone.FindStringSubmatch(c.text); m != nil {
		verb := strings.TrimSuffix(m[1], "ed")
		if n := len(verb); n > 2 && verb[n-1] == verb[n-2] { // cancelled, shipped
			verb = verb[:n-1]
		}
		if e.verbs[first(changeVerbs(verb+" "+m[1]))] {
			return true
		}
	}
	return strings.Contains(e.Name, "_") && strings.Contains(strings.ToLower(c.text), strings.ToLower(e.Name))
}
