package actors

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// What a model has said itself comes back to it in every round: a report of forty chapters, written a chapter a call, would fill its window with its
// own words and be paid for forty times. So of calls that are some rounds old only the ends of long texts are shown; the log has them whole.
const (
	wholeRounds = 2     // the newest, shown as they were
	longText    = 2_000 // bytes of a text that is shortened
	shownEnds   = 500   // bytes of it at either end
)

// abridged is a JSON object with the long texts in it shortened; what has none is the same, byte for byte.
func abridged(arguments json.RawMessage) json.RawMessage {
	var v any
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.UseNumber() // an id may be longer than a float holds
	if len(arguments) <= longText || d.Decode(&v) != nil {
		return arguments
	}
	v, changed := shortTexts(v)
	if !changed {
		return arguments
	}
	out, err := json.Marshal(v)
	if err != nil {
		return arguments // what was read can be written
	}
	return out
}

func shortTexts(v any) (any, bool) {
	changed := false
	switch v := v.(type) {
	case string:
		if len(v) <= longText {
			return v, false
		}
		head, tail := shownEnds, len(v)-shownEnds
		for !utf8.RuneStart(v[head]) {
			head--
		}
		for !utf8.RuneStart(v[tail]) {
			tail++
		}
		return v[:head] + " … (shortened here; it was given whole) … " + v[tail:], true
	case []any:
		for i := range v {
			short, did := shortTexts(v[i])
			v[i], changed = short, changed || did
		}
	case map[string]any:
		for name := range v {
			short, did := shortTexts(v[name])
			v[name], changed = short, changed || did
		}
	}
	return v, changed
}
