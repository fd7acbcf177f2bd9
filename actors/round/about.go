package round

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Who is asked for leave must be able to judge: a number alone tells nobody which order it is. So each call is shown with what this call has seen of the
// thing that it names, who bought it, what it is, what was paid.

// The bounds of what is told of a thing: properties, characters of each and of a sentence, and how deep in a result it is looked for.
const (
	maxTold = 6
	maxCell = 40
	maxSaid = 200
	maxDeep = 6
)

// sight is what a call has seen that bears on leave for another one: the values that this would replace, by name, and the row of the thing that it names, by
// whose card, and with which id. The zero value has seen nothing.
type sight struct {
	now  map[string]string
	row  []cell
	card *bus.Card
	id   string
}

// sight looks for the thing that arguments name by an id, as it was shown last; nothing of one that was changed since.
func (s *State) sight(card *bus.Card, parameter json.RawMessage, t Terms) sight {
	out := sight{now: s.present(card, parameter)}
	_, naming := roles(card, parameter)
	for _, name := range slices.Sorted(maps.Keys(naming)) {
		if look, row := s.thing(name, naming[name], t); row != nil {
			out.card, out.row, out.id = look, row, naming[name]
			return out
		}
	}
	return out
}

// about tells a person of the thing that was seen: the sentence in which a tool sums it up, else the first properties of its row, named
// as the tool's card does, but for what the call itself says. "" when nothing was.
func (zh words) about(s sight, said map[string]string) string {
	if s.row == nil {
		return ""
	}
	return zh.row(s.card, s.row, s.id, said, s.now)
}

// thing is the row of the thing whose property has an id as its value, as it was seen last, and who showed it.
func (s *State) thing(property, id string, t Terms) (*bus.Card, []cell) {
	for _, n := range slices.Backward(s.Rounds) {
		for _, a := range slices.Backward(n.Acts) {
			if a.Result == nil || a.Result.Status != bus.OK {
				continue
			}
			card := t.Card(a.ToolName)
			if card == nil || card.IsAgent() {
				continue
			}
			if card.Effect != bus.Read {
				if with, _ := decoded(a.Result.Parameter).(map[string]any); with[property] == id {
					return nil, nil
				}
				continue
			}
			if row := rowOf(a.Result.Observation, property, id, maxDeep); row != nil {
				return card, row
			}
		}
	}
	return nil, nil
}

// cell is a property of an object, in the order in which it is written.
type cell struct {
	name  string
	value json.RawMessage
}

// rowOf is the outermost object in a value that has a text as that property, at most so many levels deep; nil when none has.
func rowOf(raw json.RawMessage, property, text string, deep int) []cell {
	if deep == 0 {
		return nil
	}
	var within []json.RawMessage
	switch raw = bytes.TrimSpace(raw); {
	case len(raw) > 0 && raw[0] == '[':
		if json.Unmarshal(raw, &within) != nil {
			return nil
		}
	case len(raw) > 0 && raw[0] == '{':
		var cells []cell
		d := json.NewDecoder(bytes.NewReader(raw))
		_, _ = d.Token()
		for d.More() {
			name, _ := d.Token()
			var c cell
			if c.name, _ = name.(string); d.Decode(&c.value) != nil {
				return nil
			}
			cells = append(cells, c)
			within = append(within, c.value)
		}
		if slices.ContainsFunc(cells, func(c cell) bool { return c.name == property && Text(c.value) == text }) {
			return cells
		}
	}
	for _, v := range within {
		if row := rowOf(v, property, text, deep-1); row != nil {
			return row
		}
	}
	return nil
}

// row tells a person of a thing: by the sentence that sums it up if there is one, else by what its first properties hold beside what the call itself names.
func (zh words) row(card *bus.Card, row []cell, id string, given, now map[string]string) string {
	for _, name := range []string{zh.pick("summary", "summary_en"), zh.pick("summary_en", "summary")} {
		for _, c := range row {
			if said := Text(c.value); c.name == name && strings.Contains(said, id) {
				return short(said, maxSaid)
			}
		}
	}
	var parts []string
	for _, c := range row {
		value := decoded(c.value)
		_, changes := now[c.name]
		same := given[c.name]
		if label := zh.titleIn(card.Returns, c.name); label != "" && len(parts) < maxTold && !changes && (same == "" || same != Text(c.value)) {
			switch value.(type) {
			case string, json.Number, bool:
				if text := Text(c.value); text != "" {
					parts = append(parts, label+zh.pick("：", ": ")+short(text, maxCell))
				}
			}
		}
	}
	return strings.Join(parts, zh.pick("，", ", "))
}

// titleIn is what a schema calls a property in the language, the outermost of that name; "" when it has no title for it.
func (zh words) titleIn(schema json.RawMessage, name string) string {
	type node struct {
		Title      string                     `json:"title"`
		English    string                     `json:"x-title-en"`
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
	}
	level := []json.RawMessage{schema}
	for deep := 0; deep < maxDeep && len(level) > 0; deep++ {
		var below []json.RawMessage
		for _, raw := range level {
			var n node
			if json.Unmarshal(raw, &n) != nil {
				continue
			}
			if p, ok := n.Properties[name]; ok {
				var is node
				if json.Unmarshal(p, &is) == nil && zh.pick(is.Title, is.English) != "" {
					return zh.pick(is.Title, is.English)
				}
			}
			for _, k := range slices.Sorted(maps.Keys(n.Properties)) {
				below = append(below, n.Properties[k])
			}
			if len(n.Items) > 0 {
				below = append(below, n.Items)
			}
		}
		level = below
	}
	return ""
}
