package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// Manners are the ways in which [Set.Renamed] gives tools and their fields other names.
var Manners = []string{"camel", "badge", "numbered"}

// Renamed is the set with other names for tools, parameters and returned fields, in cards and wanted plans alike; requests, values and descriptions
// stay. camel writes getUserInfo for get_user_info; badge puts svc_ before each tool and x_ before each field; numbered says nothing any more: tool_1,
// param_1 and field_1 of each tool. A name that is taken after that is kept as it was. The error is of a schema that is no JSON object.
func (s Set) Renamed(manner string) (Set, error) {
	if !slices.Contains(Manners, manner) {
		return s, fmt.Errorf("names cannot be %.80q; want one of %s", manner, strings.Join(Manners, ","))
	}
	shared := &renaming{manner: manner}
	var err error
	if s.Cards, err = shared.cards(s.Cards); err != nil {
		return s, err
	}
	s.Cases = slices.Clone(s.Cases)
	for i := range s.Cases {
		c, r := &s.Cases[i], shared
		if c.Cards != nil {
			r = &renaming{manner: manner}
			if c.Cards, err = r.cards(c.Cards); err != nil {
				return s, fmt.Errorf("case %s: %w", c.ID, err)
			}
		}
		c.Wanted = r.calls(c.Wanted)
	}
	return s, nil
}

// renaming is the new names of one catalogue.
type renaming struct {
	manner string
	tools  map[string]string
	fields map[[3]string]string // by tool, side and name
}

// cards under new names; they are remembered for the calls.
func (r *renaming) cards(in []bus.Card) ([]bus.Card, error) {
	r.tools, r.fields = map[string]string{}, map[[3]string]string{}
	taken := map[string]bool{}
	for _, c := range in {
		taken[c.Name] = true
	}
	out := slices.Clone(in)
	for i := range out {
		c := &out[i]
		old := c.Name
		c.Name = r.name(old, "svc_", "tool_", i+1, taken)
		r.tools[old] = c.Name
		for side, schema := range map[string]*json.RawMessage{"param_": &c.Parameters, "field_": &c.Returns} {
			if err := r.schema(old, side, schema); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", side, old, err)
			}
		}
	}
	return out, nil
}

// name is the new one, or the old one where that is taken.
func (r *renaming) name(old, badge, thing string, n int, taken map[string]bool) string {
	name := old
	switch r.manner {
	case "camel":
		for i, part := range strings.FieldsFunc(old, func(r rune) bool { return r == '_' || r == '-' }) {
			if i == 0 {
				name = part
				continue
			}
			first, size := utf8.DecodeRuneInString(part)
			name += string(unicode.ToUpper(first)) + part[size:]
		}
	case "badge":
		name = badge + old
	case "numbered":
		name = thing + strconv.Itoa(n)
	}
	if name != old && taken[name] {
		return old
	}
	taken[name] = true
	return name
}

// schema renames the properties of an object, in their order, and what is required of them.
func (r *renaming) schema(tool, side string, raw *json.RawMessage) error {
	var whole struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if len(*raw) == 0 || json.Unmarshal(*raw, &whole) != nil || whole.Properties == nil {
		return nil // nothing to rename
	}
	taken := map[string]bool{}
	properties, err := keys(whole.Properties, func(n int, name string, value json.RawMessage) (string, json.RawMessage, error) {
		as := r.name(name, "x_", side, n, taken)
		r.fields[[3]string{tool, side, name}] = as
		return as, value, nil
	})
	if err != nil {
		return err
	}
	for i, name := range whole.Required {
		whole.Required[i] = r.field(tool, side, name)
	}
	*raw, err = keys(*raw, func(_ int, name string, value json.RawMessage) (string, json.RawMessage, error) {
		switch name {
		case "properties":
			return name, properties, nil
		case "required":
			value, err := json.Marshal(whole.Required)
			return name, value, err
		}
		return name, value, nil
	})
	return err
}

func (r *renaming) field(tool, side, name string) string {
	if as, ok := r.fields[[3]string{tool, side, name}]; ok {
		return as
	}
	return name
}

// calls under the new names; what the cards do not have keeps its own.
func (r *renaming) calls(in []plan.Call) []plan.Call {
	out := slices.Clone(in)
	for i, c := range in {
		if as := r.tools[c.ToolName]; as != "" {
			out[i].ToolName = as
		}
		if c.Parameter == nil {
			continue
		}
		out[i].Parameter = map[string]any{}
		for name, v := range c.Parameter {
			if k, path, ok := reference(v); ok && k < len(in) {
				first, _, _ := strings.Cut(path, ".")
				v = fmt.Sprintf("$%d.%s%s", k, r.field(in[k].ToolName, "field_", first), path[len(first):])
			}
			out[i].Parameter[r.field(c.ToolName, "param_", name)] = v
		}
	}
	return out
}

// keys writes a JSON object anew, key by key and in their order; n counts from 1.
func keys(raw json.RawMessage, change func(n int, key string, value json.RawMessage) (string, json.RawMessage, error)) (json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("no JSON object: %.80s", raw)
	}
	out := []byte{'{'}
	for n := 1; d.More(); n++ {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		key, value, err := change(n, t.(string), value)
		if err != nil {
			return nil, err
		}
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		if n > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}
