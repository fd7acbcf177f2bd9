package model

import (
	"encoding/json"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner reads a JSON object while it is being written, and gives out the strings "thought" and "answer" of its first
// level as they grow. It is only for the eye, so it never fails: what it does not understand it passes over.
type scanner struct {
	depth  int
	quoted bool
	key    []byte // of the string being read, or the last one read
	speak  string // the channel of the value being read; "": none
	colon  bool   // a value comes next, not a key
	escape []byte // an escape sequence that is not yet whole
	part   []byte // a character that is not yet whole
	high   rune   // the first half of a surrogate pair
}

func (s *scanner) feed(text string, say func(channel, text string)) {
	var out []byte
	flush := func() {
		out = append(s.part, out...)
		n := len(out)
		for n > 0 && n > len(out)-utf8.UTFMax && !utf8.FullRune(lastRune(out[:n])) {
			n -= len(lastRune(out[:n]))
		}
		s.part = append([]byte(nil), out[n:]...)
		if n > 0 {
			say(s.speak, string(out[:n]))
		}
		out = nil
	}
	for i := range len(text) {
		c := text[i]
		if s.quoted {
			switch {
			case len(s.escape) > 0:
				out = append(out, s.unescape(c)...)
			case c == '\\':
				s.escape = []byte{c}
			case c == '"':
				flush()
				s.quoted, s.speak, s.part, s.high = false, "", nil, 0
			case s.speak != "":
				out = append(out, c)
			case len(s.key) < 16:
				s.key = append(s.key, c)
			}
			if s.speak == "" {
				out = nil
			}
			continue
		}
		switch c {
		case '{', '[':
			s.depth++
			s.colon = false
		case '}', ']':
			s.depth = max(s.depth-1, 0)
		case ',':
			s.colon = false
		case ':':
			s.colon = true
		case '"':
			if s.depth == 0 {
				continue // quotes in prose
			}
			s.quoted = true
			if s.colon && s.depth == 1 && (string(s.key) == "thought" || string(s.key) == "answer") {
				s.speak = string(s.key)
			}
			s.key, s.colon = nil, false
		}
	}
	if s.quoted && s.speak != "" {
		flush()
	}
}

// unescape takes one more byte of an escape sequence and gives what it stands for once it is whole.
func (s *scanner) unescape(c byte) []byte {
	s.escape = append(s.escape, c)
	if s.escape[1] == 'u' && len(s.escape) < 6 {
		return nil
	}
	var one string
	whole := string(s.escape)
	s.escape = nil
	if json.Unmarshal([]byte(`"`+whole+`"`), &one) != nil {
		return nil
	}
	if whole[1] != 'u' {
		return []byte(one)
	}
	var code rune
	for _, h := range []byte(whole[2:]) {
		code = code<<4 | hexDigit(h)
	}
	if s.high != 0 {
		pair := utf16.DecodeRune(s.high, code)
		s.high = 0
		return []byte(string(pair))
	}
	if utf16.IsSurrogate(code) {
		s.high = code
		return nil
	}
	return []byte(one)
}

func hexDigit(h byte) rune {
	switch {
	case h <= '9':
		return rune(h - '0')
	case h >= 'a':
		return rune(h-'a') + 10
	}
	return rune(h-'A') + 10
}

// lastRune is the bytes of the last character of b, whole or not.
func lastRune(b []byte) []byte {
	i := len(b) - 1
	for i > 0 && len(b)-i < utf8.UTFMax && !utf8.RuneStart(b[i]) {
		i--
	}
	return b[i:]
}
