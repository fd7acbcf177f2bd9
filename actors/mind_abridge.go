package actors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// What a model has said itself comes back to it in every round: a report of forty chapters, written a chapter a call, would fill its window with its
// own words and be paid for forty times. So of calls that are some rounds old only the ends of long texts are shown; the log has them whole.
const (
	wholeRounds = 2     // the newest, shown as they were
	longText    = 2_000 // bytes of a text that is shortened
	shownEnds   = 500   // bytes of it at either end
	shownRows   = 40    // of a table in an observation; what a tool says of it shows the first of them as well, and documents have all
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

// fewerRows is an observation with the first rows of the tables in it, lists of lists, and how many more there are. A sales table of 300 days is 4,600 tokens
// in every round that follows, and 1,000 so; who wants other rows asks the tool for these. What has no such table is the same, byte for byte.
func fewerRows(observation string) string {
	if len(observation) <= longText || observation[0] != '{' {
		return observation
	}
	var v any
	d := json.NewDecoder(strings.NewReader(observation))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() {
		return observation
	}
	if !firstRows(v) {
		return observation
	}
	out, err := json.Marshal(v)
	if err != nil {
		return observation // what was read can be written
	}
	return string(out)
}

func firstRows(v any) (changed bool) {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for name, v := range object {
		rows, ok := v.([]any)
		if ok = ok && len(rows) > shownRows; ok {
			_, ok = rows[0].([]any)
		}
		if ok {
			object[name] = append(rows[:shownRows:shownRows], fmt.Sprintf("… %d more rows; ask for those that matter", len(rows)-shownRows))
		}
		changed = firstRows(v) || ok || changed
	}
	return changed
}
