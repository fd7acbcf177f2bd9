package mask

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// hit is a value that was found, by its place in bytes.
type hit struct {
	from, to int
	kind     Kind
}

// find is what is to be masked in a text, in order, without overlaps: e-mail addresses first, then what is listed, then numbers.
func (r *Rules) find(text string) []hit {
	var hits []hit
	if r.email {
		for at := strings.IndexByte(text, '@'); at >= 0; {
			h, ok := emailAt(text, at)
			if ok && (len(hits) == 0 || hits[len(hits)-1].to <= h.from) {
				hits = append(hits, h)
			}
			next := strings.IndexByte(text[at+1:], '@')
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	emails := len(hits)
	var n run
	inEmail := 0 // the first that has not ended before the place that is looked at
	for i := 0; i < len(text); {
		for inEmail < emails && hits[inEmail].to <= i {
			inEmail++
		}
		if inEmail < emails && i >= hits[inEmail].from {
			i = hits[inEmail].to
			continue
		}
		end := len(text)
		if inEmail < emails {
			end = hits[inEmail].from
		}
		if l := r.listedAt(text[:end], i); l != nil {
			hits = append(hits, hit{i, i + len(l.text), l.kind})
			i += len(l.text)
			continue
		}
		c := text[i]
		if (c == '+' || c >= '0' && c <= '9' || c == fullWidth) && (r.mobile || r.idCard || r.bankCard) {
			if n.read(text[:end], i) {
				hits = append(hits, r.numbers(&n)...)
				i = n.to
				continue
			}
		}
		i++
	}
	if emails > 0 && len(hits) > emails {
		slices.SortFunc(hits, func(a, b hit) int { return a.from - b.from })
	}
	return hits
}

// listedAt is the longest listed text that stands at a place.
func (r *Rules) listedAt(text string, i int) *listed {
	for k := range r.listed[text[i]] {
		l := &r.listed[text[i]][k]
		if strings.HasPrefix(text[i:], l.text) && bounded(text, i, i+len(l.text)) {
			return l
		}
	}
	return nil
}

// bounded reports whether a listed text ends and begins with words where letters of Latin are around it: Ann is not in Annual.
func bounded(text string, from, to int) bool {
	if from > 0 && letter(text[from-1]) && letter(text[from]) {
		return false
	}
	return to == len(text) || !letter(text[to]) || !letter(text[to-1])
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

// The bounds of RFC 5321 for the two parts of an address.
const (
	maxLocal  = 64
	maxDomain = 255
)

// emailAt is the address around an @.
func emailAt(text string, at int) (hit, bool) {
	from, to := at, at+1
	for from > 0 && at-from < maxLocal && (alnum(text[from-1]) || strings.IndexByte("._%+-", text[from-1]) >= 0) {
		from--
	}
	for to < len(text) && to-at <= maxDomain && (alnum(text[to]) || text[to] == '.' || text[to] == '-') {
		to++
	}
	if escaped(text, from) { // \n before it, in JSON
		from++
	}
	for from < at && text[from] == '.' {
		from++
	}
	for to > at+1 && (text[to-1] == '.' || text[to-1] == '-') {
		to--
	}
	dot := strings.LastIndexByte(text[at:to], '.')
	if from == at || dot < 2 || to-(at+dot+1) < 2 {
		return hit{}, false
	}
	for _, c := range []byte(text[at+dot+1 : to]) {
		if !letter(c) {
			return hit{}, false
		}
	}
	return hit{from, to, Email}, true
}

// escaped reports whether a letter is the second sign of an escape of JSON.
func escaped(text string, i int) bool {
	return i > 0 && i < len(text) && text[i-1] == '\\' && strings.IndexByte("bfnrt", text[i]) >= 0
}

func alnum(c byte) bool { return letter(c) || digit(c) }

// fullWidth is the first byte of the digits ０ to ９ in UTF-8.
const fullWidth = 0xEF

// digitAt is the digit at a place, half or full width, and its length in bytes; 0: there is none.
func digitAt(text string, i int) (d byte, n int) {
	if i >= len(text) {
		return 0, 0
	}
	if c := text[i]; digit(c) {
		return c, 1
	} else if c != fullWidth {
		return 0, 0
	}
	if r, n := utf8.DecodeRuneInString(text[i:]); r >= '０' && r <= '９' {
		return byte('0' + r - '０'), n
	}
	return 0, 0
}
