package round

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// reference is "$id" or "$id.field.0.field" as a whole string. A string that begins with "$$" stands for itself less one "$".
var reference = regexp.MustCompile(`^\$([A-Za-z0-9_-]{1,64})((?:\.[^.\[\]]{1,200}|\[\d{1,6}\])*)$`)

// inText is a reference inside a job description, or with "$$" none. A field ends where Chinese text goes on after a Latin name.
var inText = regexp.MustCompile(`\$?\$([A-Za-z0-9_-]{1,64})((?:\.(?:[A-Za-z0-9_]{1,200}|\p{Han}{1,200})|\[\d{1,6}\])*)`)

// maxFilled is how many bytes of observations references may bring into one action; a message could not carry more.
const maxFilled = 1 << 20

// references lists the ids that an action refers to, among those known.
func references(a bus.Action, known map[string]int) []string {
	var ids []string
	add := func(id string) {
		if _, ok := known[id]; ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var v any
	if bytes.IndexByte(a.Parameter, '$') >= 0 && json.Unmarshal(a.Parameter, &v) == nil {
		_, _ = walk(v, func(s string) (any, error) { // it only looks, and never fails
			if m := reference.FindStringSubmatch(s); m != nil {
				add(m[1])
			}
			return s, nil
		})
	}
	if strings.IndexByte(a.JobDesc, '$') < 0 {
		return ids
	}
	for _, m := range inText.FindAllStringSubmatch(a.JobDesc, -1) {
		if !strings.HasPrefix(m[0], "$$") {
			add(m[1])
		}
	}
	return ids
}

// filled is what an action asks for, with references replaced by what they refer to.
type filled struct {
	parameter json.RawMessage
	job       string
	fault     *bus.Error
	arguments string // both as one string, equal for equal ones; "" with a fault
}

// filled gives what the action asks for. Once it is released nothing that it refers to changes, and it is kept.
func (n *Round) filled(a *Act) *filled {
	if a.filled != nil {
		return a.filled
	}
	f := &filled{}
	if f.parameter, f.job, f.fault = n.fill(a); f.fault == nil {
		f.arguments = canonical(f.parameter) + f.job
	}
	return f
}

// fill gives the action's arguments and job description with references replaced by what they refer to. The error is worded for
// the mind that wrote the reference.
func (n *Round) fill(a *Act) (parameter json.RawMessage, job string, fault *bus.Error) {
	if bytes.IndexByte(a.Parameter, '$') < 0 && strings.IndexByte(a.JobDesc, '$') < 0 {
		return a.Parameter, a.JobDesc, nil
	}
	byID := map[string]*Act{}
	for _, other := range n.Acts {
		if other.ID != "" && other != a && byID[other.ID] == nil {
			byID[other.ID] = other
		}
	}
	size := 0
	look := func(id, path string) (any, error) {
		other := byID[id]
		if other == nil || other.Result == nil {
			return nil, fmt.Errorf("$%s has no observation yet", id)
		}
		v, err := dig(other.Result.Observation, id, path)
		if size += len(encode(v)); err == nil && size > maxFilled {
			err = fmt.Errorf("$%s and the references before it bring in more than %d bytes; refer to single fields", id, maxFilled)
		}
		return v, err
	}
	parameter = a.Parameter
	if bytes.IndexByte(a.Parameter, '$') >= 0 {
		var v any
		d := json.NewDecoder(bytes.NewReader(a.Parameter))
		d.UseNumber()
		if err := d.Decode(&v); err == nil {
			v, err = walk(v, func(s string) (any, error) {
				if strings.HasPrefix(s, "$$") {
					return s[1:], nil
				}
				m := reference.FindStringSubmatch(s)
				if m == nil || byID[m[1]] == nil {
					return s, nil
				}
				return look(m[1], m[2])
			})
			if err != nil {
				return nil, "", &bus.Error{Code: bus.CodeInvalidParameter, Message: err.Error()}
			}
			parameter = encode(v)
		}
	}
	var err error
	job = inText.ReplaceAllStringFunc(a.JobDesc, func(s string) string {
		m := inText.FindStringSubmatch(s)
		if byID[m[1]] == nil || err != nil {
			return s
		}
		if strings.HasPrefix(s, "$$") {
			return s[1:]
		}
		var v any
		if v, err = look(m[1], m[2]); err != nil {
			return s
		}
		return Text(encode(v))
	})
	if err != nil {
		return nil, "", &bus.Error{Code: bus.CodeInvalidParameter, Message: err.Error()}
	}
	return parameter, job, nil
}

// walk replaces every string in a JSON value, in a fixed order, so that of two faults the same one is always told.
func walk(v any, f func(string) (any, error)) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			if v[i], err = walk(v[i], f); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if v[k], err = walk(v[k], f); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// dig takes a path like ".orders.0.order_id" or ".orders[0].order_id" into an observation.
func dig(raw json.RawMessage, id, path string) (any, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the observation of %s is no JSON", id)
	}
	path = strings.ReplaceAll(strings.ReplaceAll(path, "[", "."), "]", "")
	at := "$" + id
	for _, key := range strings.Split(strings.TrimPrefix(path, "."), ".") {
		if key == "" {
			continue
		}
		switch in := v.(type) {
		case map[string]any:
			next, ok := in[key]
			if !ok {
				return nil, fmt.Errorf("%s has no field %q; it has: %s", at, key, strings.Join(slices.Sorted(maps.Keys(in)), ", "))
			}
			v = next
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(in) {
				return nil, fmt.Errorf("%s is a list of %d, and has no %q", at, len(in), key)
			}
			v = in[i]
		default:
			return nil, fmt.Errorf("%s is no object or list, and has no %q", at, key)
		}
		at += "." + key
	}
	return v, nil
}
