package words

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is run only on texts in which it matches. Whether it does, an automaton tells first: tens of times
// cheaper than to run the expression, and most texts hold no match of most. No answer differs from that of the expression. A method that
// is not here is that of the expression.
type Pattern struct {
	*regexp.Regexp
	automaton func() *automaton // made when first wanted; nil: there is none
}

// MustCompile is [regexp.MustCompile] with an automaton. It panics when expr is no regular expression.
func MustCompile(expr string) *Pattern {
	return &Pattern{regexp.MustCompile(expr), sync.OnceValue(func() *automaton { return newAutomaton(expr) })}
}

// Compile is [MustCompile] with an error in its stead.
func Compile(expr string) (*Pattern, error) {
	if _, err := regexp.Compile(expr); err != nil {
		return nil, err
	}
	return MustCompile(expr), nil
}

// may reports whether the expression could match: cheap, and never wrong where it says no.
func (p *Pattern) may(s string) bool {
	a := p.automaton()
	return a == nil || a.look(s) != no
}

// MatchString is that of the expression.
func (p *Pattern) MatchString(s string) bool {
	if a := p.automaton(); a != nil {
		if seen := a.look(s); seen != unsure {
			return seen == yes
		}
	}
	return p.Regexp.MatchString(s)
}

// ReplaceAllString is that of the expression.
func (p *Pattern) ReplaceAllString(s, by string) string {
	if !p.may(s) {
		return s
	}
	return p.Regexp.ReplaceAllString(s, by)
}

// ReplaceAllStringFunc is that of the expression.
func (p *Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	if !p.may(s) {
		return s
	}
	return p.Regexp.ReplaceAllStringFunc(s, by)
}

// FindString is that of the expression.
func (p *Pattern) FindString(s string) string {
	if !p.may(s) {
		return ""
	}
	return p.Regexp.FindString(s)
}

// FindStringIndex is that of the expression.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringIndex(s)
}

// FindStringSubmatch is that of the expression.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

// FindStringSubmatchIndex is that of the expression.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatchIndex(s)
}

// FindAllString is that of the expression.
func (p *Pattern) FindAllString(s string, n int) []string {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindAllString(s, n)
}

// FindAllStringIndex is that of the expression.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of the expression.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of the expression.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatchIndex(s, n)
}
