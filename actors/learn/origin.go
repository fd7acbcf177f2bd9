package learn

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// origins is where the values of one call's parameters may have come from.
type origins struct {
	told   string            // to the agent
	good   map[string]string // the tools of results that were good, by their child
	unread []bus.Record      // of these, whose observations nobody has looked into; oldest first
	places map[string]place  // by the value that stands there
	read   int               // observations that were looked into
	left   int               // bytes that may still be looked at; less than 0: nothing more is learned from values
}

// place is a field of an observation.
type place struct {
	tool, field string
	in          int // which observation
}

// add takes a result that was good.
func (o *origins) add(r *bus.Record) {
	o.good[r.Child] = r.ToolName
	if len(r.Observation) <= maxSeen {
		o.unread = append(o.unread, *r)
	}
}

// spend takes from what may be looked at, and reports whether it was there.
func (o *origins) spend(bytes int) bool {
	o.left -= bytes
	return o.left >= 0
}

// parameters are the arguments of a call by name; nil when they are no object.
func (o *origins) parameters(raw json.RawMessage) map[string]json.RawMessage {
	var p map[string]json.RawMessage
	if len(raw) == 0 || len(raw) > maxSeen || !o.spend(len(raw)) || json.Unmarshal(raw, &p) != nil {
		return nil
	}
	return p
}

// find says in which observation the value of a parameter stood, the newest that has it, and at which field; not ok when it stands in what the agent
// was told, too, or is so short that it may be there by chance.
func (o *origins) find(raw json.RawMessage) (tool, field string, ok bool) {
	value, ok := telling(raw)
	if !ok {
		return "", "", false
	}
	for ; len(o.unread) > 0; o.unread = o.unread[1:] { // not before somebody asks: most calls never do
		o.look(&o.unread[0])
	}
	p, ok := o.places[value]
	if !ok || !o.spend(len(o.told)) || strings.Contains(o.told, value) {
		return "", "", false
	}
	return p.tool, p.field, true
}

// telling is a value as text, when it is one that says by itself where it came from: not a short one, a word that is there twice, or a whole object.
func telling(raw json.RawMessage) (string, bool) {
	var s string
	switch {
	case len(raw) == 0 || len(raw) > maxValue:
		return "", false
	case raw[0] == '"':
		if json.Unmarshal(raw, &s) != nil {
			return "", false
		}
	case raw[0] >= '0' && raw[0] <= '9':
		s = string(raw)
	default:
		return "", false
	}
	return s, tells(s)
}

func tells(s string) bool {
	return len(s) <= maxValue && utf8.RuneCountInString(s) >= leastValue && !strings.ContainsAny(s, "\\\"\n")
}

// note keeps that a value stands in a field of the newest observation; of several fields the first counts.
func (o *origins) note(value, tool, field string) {
	old, there := o.places[value]
	if field == "" || !tells(value) || there && old.in == o.read || !there && !o.spend(perValue) {
		return
	}
	o.places[value] = place{tool, field, o.read}
}

// look notes the values of an observation as far as it is JSON.
func (o *origins) look(r *bus.Record) {
	if o.read++; !o.spend(len(r.Observation)) {
		return
	}
	type level struct {
		list  bool
		named bool   // the next token is a value
		path  string // with dots, of the list, or of the field that is next
		base  string // of the object
	}
	d := json.NewDecoder(bytes.NewReader(r.Observation))
	d.UseNumber()
	at := []level{{list: true}}
	for o.left >= 0 {
		token, err := d.Token()
		if err != nil {
			return
		}
		in := &at[len(at)-1]
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				at = append(at, level{list: v == '[', base: in.path, path: in.path})
				continue
			}
			at = at[:len(at)-1]
			in = &at[len(at)-1]
		case string:
			if !in.list && !in.named {
				in.path, in.named = under(in.base, v), true
				continue
			}
			o.note(v, r.ToolName, in.path)
		case json.Number:
			o.note(v.String(), r.ToolName, in.path)
		}
		if in.named = false; len(at) == 1 { // one value is all that an observation is
			return
		}
	}
}

// under is the path of a field. A longer one than counts is cut where that can still be seen, so that deep objects cost no more than flat ones.
func under(base, name string) string {
	if base != "" {
		name = base + "." + name
	}
	return name[:min(len(name), maxPath+1)]
}
