package plan

// Asks reports whether a text asks for the change that a tool makes: it names the tool's verb, in either language, and neither only asks
// about it nor looks for what was changed. False too for a tool that changes nothing, and for one that is not there.
func (x *Index) Asks(text, tool string) bool {
	e := x.byName[tool]
	if e == nil {
		return false
	}
	for _, c := range (splitter{verbs: x.verbs}).clauses(clip(text, MaxText)) {
		if c.mayChange(e) {
			return true
		}
	}
	return false
}
