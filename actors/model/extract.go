package model

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/kaptinlin/jsonrepair"
)

// Bounds of what is worth parsing. Repair takes the square of the length at worst: 0.3 s for 64 KiB (TestParseEndsSoon).
const (
	maxRepair     = 64 << 10 // bytes
	maxNesting    = 100      // objects and lists inside each other; without it 64 KiB of "[{" took 41 s
	maxCandidates = 16       // pieces of a text that look like JSON
)

var errNotJSON = errors.New("it is not JSON, not even after repair")

// splitThink takes the <think> blocks of reasoning models out of a text. A block that never ends takes the rest; an end
// without a beginning (the template wrote the opening tag) takes what is before it. Tags inside the JSON that follows stay.
func splitThink(text string) (thinking, rest string) {
	const open, end = "<think>", "</think>"
	if !strings.Contains(text, "think>") {
		return "", strings.TrimSpace(text)
	}
	var thought, out strings.Builder
	first := strings.IndexByte(text, '{')
	if i := strings.Index(text, end); i >= 0 && !strings.Contains(text[:i], open) && (first < 0 || i < first || !json.Valid([]byte(strings.TrimSpace(text[first:])))) {
		thought.WriteString(text[:i])
		text = text[i+len(end):]
	}
	for {
		i := strings.Index(text, open)
		if j := strings.IndexByte(text, '{'); i < 0 || j >= 0 && j < i {
			break
		}
		out.WriteString(text[:i])
		text = text[i+len(open):]
		j := strings.Index(text, end)
		if j < 0 {
			thought.WriteString(text)
			text = ""
			break
		}
		thought.WriteString(text[:j])
		text = text[j+len(end):]
	}
	out.WriteString(text)
	return strings.TrimSpace(thought.String()), strings.TrimSpace(out.String())
}

// piece is a part of a text that looks like a JSON object or list.
type piece struct {
	text string
	// cut: it ended inside a string, a number or before a value, so its last value may be incomplete. A piece that lacks
	// only closing brackets is not cut.
	cut bool
}

// pieces finds the outermost objects and lists of objects in a text, in order. Prose, fences and tags between them are
// passed over.
func pieces(text string) []piece {
	var out []piece
	for i := 0; i < len(text) && len(out) < maxCandidates; {
		if !opens(text[i:]) {
			i++
			continue
		}
		n, closed := balanced(text[i:], python(text[i:]))
		if closed {
			out = append(out, piece{text: text[i : i+n]})
			i += n
			continue
		}
		rest := strings.TrimRight(strings.TrimSpace(text[i:]), "`")
		out = append(out, piece{rest, endsInside(rest)})
		break
	}
	return out
}

// opens reports whether s begins an object, or a list of objects.
func opens(s string) bool {
	if s[0] == '{' {
		return true
	}
	return s[0] == '[' && strings.HasPrefix(strings.TrimLeft(s[1:min(len(s), 64)], " \t\r\n"), "{")
}

// python reports whether the object that s begins with has its keys in single quotes, as Python prints it. Brackets and
// double quotes may stand in those; elsewhere a single quote is just an apostrophe.
func python(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(s, "[{ \t\r\n"), "'")
}

// balanced gives the length of the bracketed text that s begins with, and whether it is closed. Brackets in strings do not
// count; single tells that 'these' are strings as well.
func balanced(s string, single bool) (int, bool) {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"', single && c == '\'':
			quote = c
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			if depth--; depth == 0 {
				return i + 1, true
			}
		}
	}
	return len(s), false
}

// endsInside reports whether an unclosed text ends anywhere but right after a complete string, object or list.
func endsInside(s string) bool {
	open := false
	for i := 0; i < len(s); i++ {
		switch {
		case open && s[i] == '\\':
			i++
		case s[i] == '"':
			open = !open
		}
	}
	s = strings.TrimSpace(s)
	return open || s == "" || !strings.ContainsRune(`"}]`, rune(s[len(s)-1]))
}

// nesting is how deep brackets stand in each other, counting those in strings too: an upper bound is enough.
func nesting(s string) int {
	deepest, now := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}

// repair gives text as valid JSON: as it is if it is valid, mended (quotes, commas, brackets, literals of Python, comments)
// if that is possible within the bounds above.
func repair(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if json.Valid([]byte(text)) {
		return json.RawMessage(text), nil
	}
	if text == "" || len(text) > maxRepair || nesting(text) > maxNesting {
		return nil, errNotJSON
	}
	// NUL ends the input for the repairer, wherever it stands.
	mended, err := jsonrepair.Repair(strings.ReplaceAll(text, "\x00", ""))
	if err != nil || !json.Valid([]byte(mended)) {
		return nil, errNotJSON
	}
	return json.RawMessage(mended), nil
}

// firstObject gives the first object of a text that can be read as JSON, for answers of a wanted schema.
func firstObject(text string) (object json.RawMessage, cut bool, err error) {
	_, text = splitThink(text)
	err = errors.New("there is no JSON object in it")
	for _, p := range pieces(text) {
		raw, e := repair(p.text)
		if e == nil && raw[0] == '{' {
			return raw, p.cut, nil
		}
		err = errNotJSON
	}
	return nil, false, err
}
