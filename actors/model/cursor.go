package model

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// cursor reads JSON once from front to end. Once it is bad it stays so, and no loop over members goes on.
type cursor struct {
	b     []byte
	i     int
	fresh bool // an object or list was just opened
	bad   bool
}

// refuse makes the cursor bad, or leaves it as it is.
func (s *cursor) refuse(really bool) {
	if really {
		s.bad = true
	}
}

// first refuses a member that came before: which of the two counts is encoding/json's matter.
func (s *cursor) first(seen *int, bit int) {
	s.refuse(*seen&bit != 0)
	*seen |= bit
}

func (s *cursor) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\n' || s.b[s.i] == '\r') {
		s.i++
	}
}

// take steps over c, after space, if it comes next.
func (s *cursor) take(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// open begins an object or a list, whose members or elements [cursor.next] gives.
func (s *cursor) open(c byte) {
	s.fresh = true
	s.refuse(!s.take(c))
}

// next reports whether another member or element follows.
func (s *cursor) next(end byte) bool {
	if s.bad || s.take(end) {
		s.fresh = false
		return false
	}
	if !s.fresh {
		s.refuse(!s.take(','))
	}
	s.fresh = false
	return !s.bad
}

// key reads a member's name with its colon. A name that encoding/json would take for another (it looks over upper case) is
// refused.
func (s *cursor) key() []byte {
	k := s.text()
	for _, c := range k.raw {
		if 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
			s.bad = true
		}
	}
	s.refuse(k.escaped || !s.take(':'))
	return k.raw
}

// itself marks the ASCII that stands for itself in a string.
var itself = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()

// text reads a string.
func (s *cursor) text() (q quoted) {
	if s.bad || !s.take('"') {
		s.bad = true
		return q
	}
	b, i, wide := s.b, s.i, false
	for i < len(b) {
		c := b[i]
		switch {
		case itself[c]:
			i++
		case c == '"':
			q.raw, q.at, q.size, s.i = b[s.i:i], s.i, i-s.i, i+1
			s.refuse(wide && !utf8.Valid(q.raw))
			return q
		case c >= utf8.RuneSelf:
			wide = true
			i++
		case c == '\\' && i+1 < len(b):
			q.escaped = true
			if b[i+1] == 'u' {
				if _, ok := hex4(b[i:]); !ok {
					s.bad = true
					return q
				}
			} else if strings.IndexByte(`"\/bfnrt`, b[i+1]) < 0 {
				s.bad = true
				return q
			}
			i += 2
		default:
			s.bad = true
			return q
		}
	}
	s.bad = true
	return q
}

// words reads a string or null, which is "".
func (s *cursor) words() quoted {
	if s.null() {
		return quoted{}
	}
	return s.text()
}

// null steps over null, if it comes next.
func (s *cursor) null() bool { return s.literal("null") }

func (s *cursor) literal(word string) bool {
	s.space()
	if len(s.b)-s.i < len(word) || string(s.b[s.i:s.i+len(word)]) != word {
		return false
	}
	s.i += len(word)
	return true
}

// digits reads a whole number that is not negative and has at most nine digits.
func (s *cursor) digits() []byte {
	s.space()
	from := s.i
	for s.i < len(s.b) && '0' <= s.b[s.i] && s.b[s.i] <= '9' {
		s.i++
	}
	d := s.b[from:s.i]
	s.refuse(len(d) == 0 || len(d) > 9 || len(d) > 1 && d[0] == '0')
	return d
}

func (s *cursor) count() (n int) {
	for _, d := range s.digits() {
		n = n*10 + int(d-'0')
	}
	return n
}

// skip steps over any value.
func (s *cursor) skip(depth int) {
	s.space()
	if s.bad || s.i >= len(s.b) || depth > 16 {
		s.bad = true
		return
	}
	switch c := s.b[s.i]; c {
	case '"':
		s.text()
	case '{':
		for s.open('{'); s.next('}'); {
			s.text()
			s.refuse(!s.take(':'))
			s.skip(depth + 1)
		}
	case '[':
		for s.open('['); s.next(']'); {
			s.skip(depth + 1)
		}
	case 't', 'f', 'n':
		s.refuse(!s.literal("true") && !s.literal("false") && !s.literal("null"))
	default:
		s.number()
	}
}

// number steps over a number.
func (s *cursor) number() {
	some := func() {
		from := s.i
		for s.i < len(s.b) && '0' <= s.b[s.i] && s.b[s.i] <= '9' {
			s.i++
		}
		s.refuse(s.i == from)
	}
	at := func(c byte) bool { return s.i < len(s.b) && s.b[s.i] == c }
	if at('-') {
		s.i++
	}
	if at('0') {
		s.i++
	} else {
		some()
	}
	if at('.') {
		s.i++
		some()
	}
	if at('e') || at('E') {
		s.i++
		if at('+') || at('-') {
			s.i++
		}
		some()
	}
}

// hex4 reads the four digits of an escape \uXXXX that b begins with.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0, false
		}
		r = r<<4 | hexDigit(c)
	}
	return r, true
}

// quoted is the inside of a JSON string, which is valid.
type quoted struct {
	raw      []byte
	at, size int  // where it stood in the line that was read, and how long it was there
	escaped  bool // it has escape sequences
}

// String is the text that is meant.
func (q quoted) String() string {
	var scratch []byte
	return string(q.plain(&scratch))
}

// plain gives the text that is meant, where it stands or in scratch. Half a surrogate pair becomes U+FFFD, as in encoding/json.
func (q quoted) plain(scratch *[]byte) []byte {
	if !q.escaped {
		return q.raw
	}
	b, out := q.raw, (*scratch)[:0]
	for i := 0; i < len(b); {
		if b[i] != '\\' {
			out = append(out, b[i])
			i++
			continue
		}
		switch c := b[i+1]; c {
		case 'u':
			r, _ := hex4(b[i:])
			i += 4
			if utf16.IsSurrogate(r) {
				second, _ := hex4(b[i+2:])
				if r = utf16.DecodeRune(r, second); r != unicode.ReplacementChar {
					i += 6
				}
			}
			out = utf8.AppendRune(out, r)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		default:
			out = append(out, c)
		}
		i += 2
	}
	*scratch = out
	return out
}
