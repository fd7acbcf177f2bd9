package round

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// deed is what a card says that a call does, in a line (x-deed of its parameters, PROTOCOL.md): what it does at all, and the thing it is done to, with what. The second has
// the names of parameters in braces; {a|b} is the first of them that is known.
type deed struct{ does, what string }

// hole is a place for a value in a deed.
var hole = regexp.MustCompile(`\{([\w|]{1,200})\}`)

// maxDeed is how many bytes a deed has, with its holes.
const maxDeed = 600

// deed is that of a card in the language; false when the card says none.
func (zh words) deed(card *bus.Card) (deed, bool) {
	var schema struct {
		Deed json.RawMessage `json:"x-deed"`
	}
	var said map[string]string
	if json.Unmarshal(card.Parameters, &schema) != nil || json.Unmarshal(schema.Deed, &said) != nil { // a card may say anything
		return deed{}, false
	}
	text := said[zh.pick("zh", "en")]
	sign := zh.pick("：", ": ")
	does, what, ok := strings.Cut(text, sign)
	if !ok || strings.TrimSpace(does) == "" || len(text) > maxDeed || !hole.MatchString(what) || hole.MatchString(does) {
		return deed{}, false
	}
	return deed{does, what}, true
}

// of fills the holes with what a call is made with, behind it what it replaces, and with what was seen of its thing. used are the names of the values, of the call or of the thing.
// ok is false when a hole stays empty.
func (d deed) of(s sight, given map[string]json.RawMessage) (text string, used map[string]string, ok bool) {
	used, ok = map[string]string{}, true
	text = hole.ReplaceAllStringFunc(d.what, func(h string) string {
		for name := range strings.SplitSeq(strings.Trim(h, "{}"), "|") {
			if v, is := given[name]; is {
				value := short(Text(v), maxValue)
				used[name] = value
				if was := s.now[name]; was != "" && was != value {
					value = short(was, maxCell*2) + " → " + value
				}
				return value
			}
			for _, c := range s.row {
				if called, is := decoded(c.value).(string); c.name == name && is && called != "" {
					used[name] = called
					return short(called, maxCell)
				}
			}
		}
		ok = false
		return ""
	})
	return text, used, ok
}

// done is a call in the words of its card: the line, and the arguments that it does not say. false when the card has none, or not all of it is known.
func (zh words) done(card *bus.Card, c *filled, s sight, common map[string]bool) (d deed, line string, used map[string]string, ok bool) {
	var given map[string]json.RawMessage
	if d, ok = zh.deed(card); !ok || c.job != "" || json.Unmarshal(c.parameter, &given) != nil {
		return d, "", nil, false
	}
	line, used, ok = d.of(s, given)
	rest := map[string]json.RawMessage{}
	for name, v := range given {
		if _, said := used[name]; !said && !common[name] {
			rest[name] = v
		} else if said && common[name] { // it is said for all of them at once
			return d, "", nil, false
		}
	}
	if left := zh.arguments(card, encode(rest), s.now); len(left) > 0 {
		line += zh.pick("（", " (") + strings.Join(left, zh.pick("，", ", ")) + zh.pick("）", ")")
	}
	return d, line, used, ok
}
