package plan

import "strings"

// Asks reports whether a text asks for the change that a tool makes: it names the tool's verb, in either language, and neither only asks
// about it nor looks for what was changed. False too for a tool that changes nothing, and for one that is not there.
func (x *Index) Asks(text, tool string) bool {
	e := x.byName[tool]
	if e == nil {
		return false
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
	return false
}
