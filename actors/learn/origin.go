package learn

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// found says in which observation the value of a parameter stood, the newest that has it, and at which field; not ok when it stands in what the agent was
// told, too, or is so short that it may be there by chance.
func found(raw json.RawMessage, before []bus.Record, told string) (from, field string, ok bool) {
	value, ok := telling(raw)
	if !ok || strings.Contains(told, value) {
		return "", "", false
	}
	for _, b := range slices.Backward(before) {
		if len(b.Observation) > maxSeen || !bytes.Contains(b.Observation, []byte(value)) {
			continue
		}
		if field := fieldOf(b.Observation, value); field != "" {
			return b.ToolName, field, true
		}
	}
	return "", "", false
}

// telling is a value as text, when it is one that says by itself where it came from: not a short one, a word that is there twice, or a whole object.
func telling(raw json.RawMessage) (string, bool) {
	var s string
	switch {
	case len(raw) == 0 || len(raw) > maxValue:
		return "", false
	case raw[0] == '"':
		if json.Unmarshal(raw, &s) != nil || strings.ContainsAny(s, "\\\"\n") {
			return "", false
		}
	case raw[0] >= '0' && raw[0] <= '9':
		s = string(raw)
	default:
		return "", false
	}
	return s, utf8.RuneCountInString(s) >= leastValue
}

// fieldOf is the path of the first field of an observation whose value it is; "" when there is none.
func fieldOf(raw json.RawMessage, value string) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	type level struct {
		list  bool
		named bool // the next token is a value
		name  string
	}
	var at []level
	path := func() string {
		var p []string
		for _, l := range at {
			if !l.list {
				p = append(p, l.name)
			}
		}
		return strings.Join(p, ".")
	}
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		var in *level
		if len(at) > 0 {
			in = &at[len(at)-1]
		}
		switch v := token.(type) {
		case json.Delim:
			switch v {
			case '{', '[':
				at = append(at, level{list: v == '['})
				continue
			}
			at = at[:len(at)-1]
			if len(at) == 0 {
				return ""
			}
			at[len(at)-1].named = false
		case string:
			if in != nil && !in.list && !in.named {
				in.name, in.named = v, true
				continue
			}
			if v == value {
				return path()
			}
			if in != nil {
				in.named = false
			}
		case json.Number:
			if v.String() == value {
				return path()
			}
			if in != nil {
				in.named = false
			}
		default:
			if in != nil {
				in.named = false
			}
		}
		if len(at) == 0 {
			return ""
		}
	}
}
