package pdf

import (
	"bytes"
	"strconv"
)

// An object is one of: nil, bool, float64, name, text, array, dict, ref, operator, *stream.
type (
	object   any
	name     string
	text     string // bytes of a string, as they stand
	array    []object
	dict     map[name]object
	ref      int    // number of an object; its generation says nothing that is needed
	operator string // of a page's content, or a keyword
	stream   struct {
		dict dict
		raw  []byte
	}
)

// maxNesting is how deeply arrays and dictionaries may stand in each other.
const maxNesting = 40

// lexer reads objects from bytes. It never fails: what is no object is skipped.
type lexer struct {
	b  []byte
	at int
}

func white(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// skip goes over white space and comments.
func (l *lexer) skip() {
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case white(c):
			l.at++
		case c == '%':
			if n := bytes.IndexAny(l.b[l.at:], "\r\n"); n >= 0 {
				l.at += n
			} else {
				l.at = len(l.b)
			}
		default:
			return
		}
	}
}

// next is the next object; false at the end, or at the end of an array or dictionary, which is not read over.
func (l *lexer) next(depth int) (object, bool) {
	for {
		l.skip()
		if l.at >= len(l.b) {
			return nil, false
		}
		switch c := l.b[l.at]; c {
		case '/':
			l.at++
			return l.name(), true
		case '(':
			return l.literal(), true
		case '[':
			l.at++
			if depth >= maxNesting {
				continue
			}
			a := array{}
			for {
				o, ok := l.next(depth + 1)
				if !ok {
					break
				}
				if a = l.append(a, o); len(a) > 1<<16 {
					break
				}
			}
			l.close("]")
			return a, true
		case '<':
			if l.at+1 < len(l.b) && l.b[l.at+1] == '<' {
				l.at += 2
				if depth >= maxNesting {
					continue
				}
				return l.dict(depth), true
			}
			return l.hex(), true
		case ']', '>':
			if depth > 0 {
				return nil, false
			}
			l.at++
		case ')', '{', '}':
			l.at++
		default:
			return l.word(), true
		}
	}
}

// append adds an object to a list; "7 0 R" becomes a reference.
func (l *lexer) append(a array, o object) array {
	if o != operator("R") || len(a) < 2 {
		return append(a, o)
	}
	n, ok := a[len(a)-2].(float64)
	if _, generation := a[len(a)-1].(float64); !ok || !generation || n < 0 || n > 1<<30 {
		return append(a, o)
	}
	return append(a[:len(a)-2], ref(n))
}

func (l *lexer) close(mark string) {
	l.skip()
	if bytes.HasPrefix(l.b[l.at:], []byte(mark)) {
		l.at += len(mark)
	}
}

func (l *lexer) dict(depth int) dict {
	var all array
	for {
		o, ok := l.next(depth + 1)
		if !ok {
			break
		}
		if all = l.append(all, o); len(all) > 1<<16 {
			break
		}
	}
	l.close(">>")
	d := dict{}
	for i := 0; i+1 < len(all); i += 2 {
		key, ok := all[i].(name)
		if !ok {
			i-- // out of step: find the next name
			continue
		}
		d[key] = all[i+1]
	}
	return d
}

func (l *lexer) name() name {
	var out []byte
	for l.at < len(l.b) && !white(l.b[l.at]) && !delimiter(l.b[l.at]) && len(out) < 256 {
		c := l.b[l.at]
		l.at++
		if c == '#' && l.at+1 < len(l.b) {
			if v, err := strconv.ParseUint(string(l.b[l.at:l.at+2]), 16, 8); err == nil {
				c = byte(v)
				l.at += 2
			}
		}
		out = append(out, c)
	}
	return name(out)
}

func (l *lexer) literal() text {
	l.at++
	var out []byte
	for depth := 1; l.at < len(l.b); l.at++ {
		c := l.b[l.at]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.at++
				return text(out)
			}
		case '\\':
			if l.at++; l.at >= len(l.b) {
				return text(out)
			}
			switch c = l.b[l.at]; c {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'f':
				c = '\f'
			case '\r', '\n':
				if c == '\r' && l.at+1 < len(l.b) && l.b[l.at+1] == '\n' {
					l.at++
				}
				continue
			default:
				if c < '0' || c > '7' {
					break
				}
				v := 0
				n := 0
				for ; n < 3 && l.at+n < len(l.b) && l.b[l.at+n] >= '0' && l.b[l.at+n] <= '7'; n++ {
					v = v*8 + int(l.b[l.at+n]-'0')
				}
				l.at += n - 1
				c = byte(v)
			}
		}
		out = append(out, c)
	}
	return text(out)
}

func (l *lexer) hex() text {
	l.at++
	var out []byte
	high, half := byte(0), false
	for l.at < len(l.b) {
		c := l.b[l.at]
		l.at++
		var v byte
		switch {
		case c == '>':
			if half {
				out = append(out, high<<4)
			}
			return text(out)
		case c >= '0' && c <= '9':
			v = c - '0'
		case c >= 'a' && c <= 'f':
			v = c - 'a' + 10
		case c >= 'A' && c <= 'F':
			v = c - 'A' + 10
		default:
			continue
		}
		if half {
			out = append(out, high<<4|v)
		}
		high, half = v, !half
	}
	return text(out)
}

// word is a number, a constant, or an operator.
func (l *lexer) word() object {
	from := l.at
	for l.at < len(l.b) && !white(l.b[l.at]) && !delimiter(l.b[l.at]) {
		l.at++
	}
	w := string(l.b[from:l.at])
	switch w {
	case "true", "false":
		return w == "true"
	case "null":
		return nil
	}
	if c := w[0]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		if f, err := strconv.ParseFloat(w, 64); err == nil && f > -1e12 && f < 1e12 {
			return f
		}
		return 0.0
	}
	if len(w) > 32 {
		w = w[:32]
	}
	return operator(w)
}
