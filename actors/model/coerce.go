package model

import (
	"encoding/json"
	"slices"
	"strings"
)

// coerce mends the types of arguments where the schema leaves no doubt: "5" for a number, "true" for a boolean, a list of one
// for a scalar, a scalar for a list, an object in a string. Whatever else is wrong stays as it is: the tool says so in
// words the model can learn from. References ("$t1.order_id") are left alone. parameter is a JSON object or nil.
func coerce(parameter, schema json.RawMessage) json.RawMessage {
	var n node
	if json.Unmarshal(schema, &n) != nil {
		return parameter
	}
	return n.coerce(parameter)
}

func (n node) coerce(parameter json.RawMessage) json.RawMessage {
	if s := (cursor{b: parameter}); n.fits(&s, 0) {
		return parameter
	}
	out, changed := n.mend(parameter, 0)
	if !changed {
		return parameter
	}
	return out
}

// maxDepth is how deep coercion goes: each level reads the ones below it again.
const maxDepth = 100

// node is the part of a JSON Schema that coercion reads.
type node struct {
	Type       types           `json:"type"`
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
}

// types is "type": one name or a list of names.
type types []string

func (t *types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = types{one}
		return nil
	}
	var many []string
	if json.Unmarshal(b, &many) == nil {
		*t = many
	}
	return nil // a wrong schema is not found out here
}

func (t types) any(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(t, n) })
}

// UnmarshalJSON lets boolean schemas (true, false) pass as empty ones.
func (n *node) UnmarshalJSON(b []byte) error {
	type plain node
	var p plain
	if json.Unmarshal(b, &p) == nil {
		*n = node(p)
	}
	return nil
}

// fits reports whether a value is certain to need no mending, as most are. It reads only what mend would read, once and without
// taking it apart. Afterwards the cursor is behind the value.
func (n node) fits(s *cursor, depth int) bool {
	s.space()
	if s.bad || s.i == len(s.b) || depth > maxDepth {
		return false
	}
	ok := false
	switch c := s.b[s.i]; {
	case c == '{' && len(n.Properties) > 0:
		for s.open('{'); s.next('}'); {
			name := s.text()
			s.refuse(name.escaped || !s.take(':'))
			if sub, known := n.Properties[string(name.raw)]; !known {
				s.skip(0)
			} else if !sub.fits(s, depth+1) {
				return false
			}
		}
		return !s.bad
	case c == '[' && n.Items != nil:
		if !n.Type.any("array") {
			return false
		}
		for s.open('['); s.next(']'); {
			if !n.Items.fits(s, depth+1) {
				return false
			}
		}
		return !s.bad
	case c == '{', c == 'n':
		ok = true
	case c == '[':
		ok = n.Type.any("array")
	case c == '"':
		ok = len(n.Type) == 0 || n.Type.any("string")
	default:
		ok = len(n.Type) == 0 || n.Type.any(scalar(s.b[s.i:])...)
	}
	s.skip(0)
	return ok && !s.bad
}

func (n node) mend(v json.RawMessage, depth int) (json.RawMessage, bool) {
	if len(v) == 0 || depth > maxDepth {
		return v, false
	}
	switch v[0] {
	case '{':
		return n.mendObject(v, depth)
	case '[':
		return n.mendList(v, depth)
	case '"':
		return n.mendString(v, depth)
	}
	switch {
	case string(v) == "null", len(n.Type) == 0:
		return v, false
	case n.Type.any("array") && !n.Type.any(scalar(v)...):
		return encode([]json.RawMessage{v}), true
	case n.Type.any("string") && !n.Type.any(scalar(v)...):
		return encode(string(v)), true // an order number written without quotes
	}
	return v, false
}

// scalar names the types a number or a boolean holds.
func scalar(v json.RawMessage) []string {
	if v[0] == 't' || v[0] == 'f' {
		return []string{"boolean"}
	}
	return []string{"number", "integer"}
}

func (n node) mendObject(v json.RawMessage, depth int) (json.RawMessage, bool) {
	var o map[string]json.RawMessage
	if len(n.Properties) == 0 || json.Unmarshal(v, &o) != nil {
		return v, false
	}
	changed := false
	for name, sub := range n.Properties {
		if m, did := sub.mend(o[name], depth+1); did {
			o[name], changed = m, true
		}
	}
	if !changed {
		return v, false
	}
	return encode(o), true
}

func (n node) mendList(v json.RawMessage, depth int) (json.RawMessage, bool) {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) != nil {
		return v, false
	}
	if n.Type.any("array") {
		if n.Items == nil {
			return v, false
		}
		changed := false
		for i := range list {
			if m, did := n.Items.mend(list[i], depth+1); did {
				list[i], changed = m, true
			}
		}
		if !changed {
			return v, false
		}
		return encode(list), true
	}
	if len(list) == 1 && n.Type.any("string", "number", "integer", "boolean", "object") {
		m, _ := n.mend(list[0], depth+1)
		return m, true
	}
	return v, false
}

func (n node) mendString(v json.RawMessage, depth int) (json.RawMessage, bool) {
	s := strings.TrimSpace(textOf(v))
	if len(n.Type) == 0 || n.Type.any("string") || strings.HasPrefix(s, "$") {
		return v, false
	}
	inner := json.RawMessage(s)
	if json.Valid(inner) {
		switch c := inner[0]; {
		case n.Type.any("number", "integer") && (c == '-' || '0' <= c && c <= '9'),
			n.Type.any("boolean") && (c == 't' || c == 'f'),
			n.Type.any("null") && c == 'n':
			return inner, true
		case n.Type.any("object") && c == '{', n.Type.any("array") && c == '[':
			m, _ := n.mend(inner, depth+1)
			return m, true
		}
	}
	switch low := strings.ToLower(s); {
	case n.Type.any("boolean") && (low == "true" || low == "false"): // Python writes them with a capital
		return json.RawMessage(low), true
	case n.Type.any("array"):
		m, _ := n.mend(encode([]json.RawMessage{v}), depth+1)
		return m, true
	}
	return v, false
}
