package mask

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// hit is a value that was found, by its place in bytes.
type hit struct {
	from, to int
	kind     Kind
	plain    string // the value without escapes; "": as it stands
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
		if h, ok := r.listedAt(text[:end], i); ok {
			hits = append(hits, h)
			i = h.to
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

// listedAt is the longest listed text that stands at a place, also with signs escaped as JSON may have them.
func (r *Rules) listedAt(text string, i int) (hit, bool) {
	if len(r.listed) == 0 {
		return hit{}, false
	}
	first, n := signAt(text, i)
	second, _ := signAt(text, i+n)
	for _, l := range r.listed[[2]rune{first, second}] {
		to, same := i, true
		for _, want := range l.text {
			is, n := signAt(text, to)
			if same = is == want && n > 0; !same {
				break
			}
			to += n
		}
		if same && bounded(text, i, to, l.text) {
			return hit{i, to, l.kind, l.text}, true
		}
	}
	return hit{}, false
}

// signAt is the sign at a place, and how many bytes it has there: as \u738b six. 0: the text ends.
func signAt(text string, i int) (rune, int) {
	if escapedSign(text, i) {
		if n, err := strconv.ParseUint(text[i+2:i+6], 16, 16); err == nil {
			return rune(n), 6
		}
	}
	if i >= len(text) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(text[i:])
}

// escapedSign reports whether a sign escaped in JSON, such as \u738b, stands at a place.
func escapedSign(text string, i int) bool {
	return i >= 0 && i+6 <= len(text) && text[i] == '\\' && text[i+1] == 'u'
}

// bounded reports whether a listed text ends and begins with words where letters of Latin are around it: Ann is not in Annual. Letters of an
// escape before it are no word.
func bounded(text string, from, to int, listed string) bool {
	if from > 0 && letter(text[from-1]) && letter(listed[0]) && !escaped(text, from-1) && !escapedSign(text, from-6) {
		return false
	}
	return to == len(text) || !letter(text[to]) || !letter(listed[len(listed)-1])
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
	return hit{from, to, Email, ""}, true
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
