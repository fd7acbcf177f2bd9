package actors

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// unfounded names an id or link that neither the conversation nor a result holds, among the arguments of a call that may change
// something or in the job of an agent.
func unfounded(card *bus.Card, a bus.Action, k func() *known) string {
	if card.IsAgent() {
		for _, id := range append(idsIn(a.JobDesc), linksIn(a.JobDesc)...) {
			if !k().holds(id) {
				return whence(id)
			}
		}
		return ""
	}
	if round.EffectOf(card) == bus.Read {
		return ""
	}
	var schema struct {
		Properties map[string]struct {
			Needs       any `json:"x-needs"`
			Description string
		} `json:"properties"`
	}
	_ = json.Unmarshal(card.Parameters, &schema) // without it there are no typed ids
	arguments, _ := decoded(a.Parameter).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		p, sort := schema.Properties[name], anything
		switch {
		case p.Needs != nil:
			sort = anID
		case idName.MatchString(name), idWords.MatchString(p.Description):
			sort = numbered
		case creates.MatchString(card.Name) && newName.MatchString(name):
			sort = chosen
		}
		for _, id := range ids(arguments[name], sort) {
			if at, _ := word(plainly(string(card.Parameters)), plainly(id), 0); at < 0 && !k().holds(id) {
				return fmt.Sprintf("%s: %s", name, whence(id))
			}
		}
	}
	return ""
}

func whence(id string) string {
	return fmt.Sprintf("where does %.80q come from? Nobody named it and no result holds it. Look it up, or ask for it with %s", id, round.AskUser)
}

// sort is what a parameter takes, as far as its card tells.
type sort int

const (
	anything sort = iota
	anID          // the schema says so
	numbered      // its name or description says that it takes the number or id of something that is there
	chosen        // the name of something that is being made: whoever makes it may choose
)

var (
	idName  = regexp.MustCompile(`(?i)(?:^|[_-])(?:ids?|no|number|sn|phone|mobile)$|[a-z](?-i:Ids?|IDs?|No|Number)$`)
	idWords = regexp.MustCompile(`(?i)\b(?:ids?|identifier|numbers? of (?:the|an?)|(?:order|tracking|parcel|waybill|account|phone|card|ticket|invoice|member|customer|serial|reference|booking|contract|case) (?:numbers?|no))\b|编号|单号|订单号|号码`)
	creates = regexp.MustCompile(`(?i)^(?:create|add|new|make|generate|register|issue|open)(?:[_-]|$)`)
	newName = regexp.MustCompile(`(?i)(?:^|[_-])(?:code|name|title|label|alias|slug)$`)
)

// ids are the ids and links in an argument.
func ids(v any, of sort) []string {
	var out []string
	switch v := v.(type) {
	case string:
		whole := groups.ReplaceAllString(plainly(v), "$1")
		short := of == numbered && len(strings.Fields(whole)) <= 2 && strings.ContainsFunc(whole, unicode.IsDigit) && !moment.MatchString(whole)
		switch {
		case reference.MatchString(v):
		case of == anID && whole != "" && !strings.ContainsFunc(whole, func(r rune) bool { return r > '~' || r <= ' ' }), of != chosen && identifier(whole):
			out = append(out, v)
		case short:
			for _, part := range strings.Fields(whole) {
				if strings.ContainsFunc(part, unicode.IsDigit) {
					out = append(out, strings.Trim(part, "#.,:;()"))
				}
			}
		default:
			out = append(idsIn(whole), linksIn(v)...)
		}
	case json.Number:
		// A short number may as well count something, whatever the description seems to say.
		if n := v.String(); of == anID || of == numbered && len(n) >= 4 || identifier(n) && len(n) >= 9 {
			out = append(out, n)
		}
	case []any:
		for _, e := range v {
			out = append(out, ids(e, of)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, ids(v[name], of)...)
		}
	}
	return out
}
