package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// encode makes compact JSON and leaves <, > and & as they are: people and models read it, no browser does.
func encode(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// minResult is the least that a result may be bounded to, in bytes: below it the marks themselves would not fit.
const minResult = 128

// shorten makes a parsed JSON value fit into limit bytes (at least minResult) of JSON: texts lose their end, lists their
// last elements, objects their largest fields get the least; each cut says what is gone. A value that fits is not changed.
func shorten(value any, limit int) any {
	limit = max(limit, minResult)
	short := fit(value, limit, 0)
	if size(short) > limit { // many tiny keys; a cut text always fits
		text, err := encode(value)
		if err != nil {
			return "[cut]"
		}
		return cutText(string(text), limit)
	}
	return short
}

// fit shortens value to about limit bytes.
func fit(value any, limit, depth int) any {
	if size(value) <= limit {
		return value
	}
	if depth > maxDepth || limit < minResult/2 {
		return tiny(value, limit)
	}
	switch v := value.(type) {
	case string:
		return cutText(v, limit)
	case json.Number:
		return cutText(v.String(), limit)
	case []any:
		return cutList(v, limit, depth)
	case map[string]any:
		return cutObject(v, limit, depth)
	}
	return value
}

// tiny stands for a value that gets hardly any room.
func tiny(value any, limit int) any {
	switch v := value.(type) {
	case string:
		return cutText(v, limit)
	case []any:
		return fmt.Sprintf("[%d items cut]", len(v))
	case map[string]any:
		return fmt.Sprintf("[%d fields cut]", len(v))
	}
	return "[cut]"
}

// cutText keeps the beginning of a text and says how much there was.
func cutText(text string, limit int) string {
	mark := fmt.Sprintf("… [cut, %d bytes in all]", len(text))
	room := limit - len(mark) - 2
	if room <= 0 {
		return "…"
	}
	end := 0
	for i, r := range text {
		if room -= runeSize(r); room < 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return text[:end] + mark
}

// cutList keeps the first elements and says how many there were. An element that alone would take the room is shortened.
func cutList(list []any, limit, depth int) any {
	mark := func(kept int) string { return fmt.Sprintf("… [%d of %d items shown]", kept, len(list)) }
	room := limit - size(mark(len(list))) - 3
	out := []any{}
	for _, e := range list {
		need := size(e) + 1
		if need > room {
			if len(out) == 0 && room >= minResult/2 {
				out = append(out, fit(e, room-1, depth+1))
			}
			break
		}
		room -= need
		out = append(out, e)
	}
	if len(out) == len(list) { // its only element was shortened, and says so itself
		return out
	}
	return append(out, mark(len(out)))
}

// cutObject gives every field an equal share of the room; what small fields leave goes to the larger ones.
func cutObject(object map[string]any, limit, depth int) any {
	type field struct {
		name string
		size int
	}
	fields := make([]field, 0, len(object))
	for name, v := range object {
		fields = append(fields, field{name, size(name) + 2 + size(v)})
	}
	slices.SortFunc(fields, func(a, b field) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.name, b.name))
	})
	const note = "…" // the name of the field that says how many are gone
	room := limit - 2 - size(note) - 2 - size(fmt.Sprintf("%d fields cut", len(object)))
	out := make(map[string]any, len(fields))
	for i, f := range fields {
		share := room / (len(fields) - i)
		key := size(f.name) + 2
		if f.size <= share {
			out[f.name] = object[f.name]
			room -= f.size
			continue
		}
		if share-key < len(`"[1000000 fields cut]"`) {
			continue
		}
		short := fit(object[f.name], share-key, depth+1)
		out[f.name] = short
		room -= key + size(short)
	}
	if gone := len(object) - len(out); gone > 0 {
		out[note] = fmt.Sprintf("%d fields cut", gone)
	}
	return out
}

// size is how many bytes encode writes for a parsed JSON value (so all text is valid UTF-8), without writing them.
func size(value any) int {
	switch v := value.(type) {
	case nil:
		return len("null")
	case bool:
		if v {
			return len("true")
		}
		return len("false")
	case json.Number:
		return len(v)
	case string:
		n := 2
		for _, r := range v {
			n += runeSize(r)
		}
		return n
	case []any:
		n := 2 + max(0, len(v)-1)
		for _, e := range v {
			n += size(e)
		}
		return n
	case map[string]any:
		n := 2 + max(0, len(v)-1)
		for name, e := range v {
			n += size(name) + 1 + size(e)
		}
		return n
	}
	return 0
}

// runeSize is what a character takes in a JSON text: quotes and control characters are escaped, and so are the two line
// separators that JavaScript once stumbled over.
func runeSize(r rune) int {
	switch r {
	case '"', '\\', '\n', '\r', '\t', '\b', '\f':
		return 2
	case '\u2028', '\u2029':
		return 6
	}
	if r < ' ' {
		return 6
	}
	return utf8.RuneLen(r)
}
