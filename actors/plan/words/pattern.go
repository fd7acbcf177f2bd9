package words

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that knows words one of which stands in whatever it matches. It looks for those first: tens of times
// cheaper than to run it, and hardly any text holds them. They are read from the expression itself, so no answer differs from that of the
// expression. A method that is not here is that of the expression.
type Pattern struct {
	*regexp.Regexp
	needs func() *need // worked out when first wanted; nil: there are no such words
}

// MustCompile is [regexp.MustCompile] with the words that a match needs. It panics when expr is no regular expression.
func MustCompile(expr string) *Pattern {
	return &Pattern{regexp.MustCompile(expr), sync.OnceValue(func() *need { return needsOf(expr) })}
}

// bits tell which bytes stand in a text and which of them next to each other, capitals as small letters. Some pairs share a bit.
type bits [(4096 + 256) / 64]uint64

func pair(a, b byte) uint16 { return (uint16(a)<<6 | uint16(b)&63) & 4095 }
func single(b byte) uint16  { return 4096 + uint16(b) }

func (b *bits) set(n uint16)       { b[n/64] |= 1 << (n % 64) }
func (b *bits) hold(n uint16) bool { return b[n/64]&(1<<(n%64)) != 0 }

// small is an ASCII capital as a small letter, and any other byte as it is.
func small(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + ('a' - 'A')
	}
	return b
}

// May reports whether the expression could match: cheap, and never wrong where it says no.
func (p *Pattern) May(s string) bool {
	needs := p.needs()
	if needs == nil {
		return true
	}
	var has bits
	last := byte(0)
	for i := range len(s) {
		b := small(s[i])
		if odd(last, b) {
			return true
		}
		has.set(pair(last, b))
		has.set(single(b))
		last = b
	}
	return needs.met(&has)
}

// odd reports whether two bytes begin ſ or the sign of kelvin, which a pattern that cares for no capitals takes for s and K.
func odd(a, b byte) bool { return a == 0xC5 && b == 0xBF || a == 0xE2 && b == 0x84 }

// MatchString is that of the expression.
func (p *Pattern) MatchString(s string) bool { return p.May(s) && p.Regexp.MatchString(s) }

// ReplaceAllString is that of the expression.
func (p *Pattern) ReplaceAllString(s, by string) string {
	if !p.May(s) {
		return s
	}
	return p.Regexp.ReplaceAllString(s, by)
}

// ReplaceAllStringFunc is that of the expression.
func (p *Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	if !p.May(s) {
		return s
	}
	return p.Regexp.ReplaceAllStringFunc(s, by)
}

// FindString is that of the expression.
func (p *Pattern) FindString(s string) string {
	if !p.May(s) {
		return ""
	}
	return p.Regexp.FindString(s)
}

// FindStringIndex is that of the expression.
func (p *Pattern) FindStringIndex(s string) []int {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindStringIndex(s)
}

// FindStringSubmatch is that of the expression.
func (p *Pattern) FindStringSubmatch(s string) []string {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

// FindStringSubmatchIndex is that of the expression.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatchIndex(s)
}

// FindAllString is that of the expression.
func (p *Pattern) FindAllString(s string, n int) []string {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindAllString(s, n)
}

// FindAllStringIndex is that of the expression.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is that of the expression.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is that of the expression.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.May(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatchIndex(s, n)
}
