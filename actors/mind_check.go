package actors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// fault is why an action that a model wants must not run, worded for the model.
type fault struct {
	action  int // its place in the list; -1: the list as a whole
	code    string
	why     string
	unasked bool // only that nobody asked for the change in so many words
}

// audit says what is wrong with what a model wants to do; nil: all of it may run. It knows more than the planner's own plans need: beside
// names, schemas, order and references ([plan.Index.Check]) it looks for arguments that the tool does not have, fields that the callee
// does not return, ids that nobody named, and changes that nobody asked for.
func audit(v *View, actions []bus.Action, k func() *known) []fault {
	var out []fault
	for _, p := range v.Index.Check(actions) {
		out = append(out, fault{action: p.Action, code: p.Code, why: p.Message})
	}
	cards := map[string]*bus.Card{}
	for i := range v.Cards {
		cards[v.Cards[i].Name] = &v.Cards[i]
	}
	for i, a := range actions {
		card := cards[a.ToolName]
		bad := func(why string) {
			if why != "" && !slices.ContainsFunc(out, func(f fault) bool { return f.action == i }) { // one reason is enough
				out = append(out, fault{action: i, code: bus.CodeInvalidParameter, why: a.ToolName + ": " + why})
			}
		}
		bad(pointless(a, actions, cards))
		if card == nil {
			if a.ToolName == round.AskUser {
				bad(speechless(a))
			}
			continue
		}
		bad(surplus(v.parameters.of(card), a.Parameter))
		bad(unfounded(card, a, k))
		if changes(card) && !slices.ContainsFunc(out, func(f fault) bool { return f.action == i }) && !asked(v, card, a) {
			out = append(out, fault{action: i, code: bus.CodeForbidden, unasked: true, why: "nobody asked for " + a.ToolName +
				", which changes something. If the user's words do ask for it, call it again; else do only what was asked for"})
		}
	}
	return out
}

// changes reports whether a card says that calling it changes something. A card that says nothing does not say so, either.
func changes(card *bus.Card) bool { return card.Effect == bus.Idempotent || card.Effect == bus.Unsafe }

// speechless says that a question has no words.
func speechless(a bus.Action) string {
	var p struct{ Question string }
	if json.Unmarshal(a.Parameter, &p) != nil || strings.TrimSpace(p.Question) == "" {
		return `it wants the parameter {"question": "…"}`
	}
	return ""
}

// surplus names arguments that a tool does not have: it would do something else than was meant, and say nothing.
func surplus(names []string, parameter json.RawMessage) string {
	var given map[string]json.RawMessage
	if names == nil || json.Unmarshal(parameter, &given) != nil {
		return ""
	}
	maps.DeleteFunc(given, func(name string, _ json.RawMessage) bool { return slices.Contains(names, name) })
	if len(given) == 0 {
		return ""
	}
	return fmt.Sprintf("it has no parameter %.80q; it has: %s", slices.Min(slices.Collect(maps.Keys(given))), strings.Join(names, ", "))
}

// taken are the names of all parameters that a tool has, sorted; nil when its schema leaves open whether there are more.
func taken(card *bus.Card) []string {
	var schema struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
		PatternProperties    json.RawMessage            `json:"patternProperties"`
		Ref                  string                     `json:"$ref"`
		AllOf                json.RawMessage            `json:"allOf"`
		AnyOf                json.RawMessage            `json:"anyOf"`
		OneOf                json.RawMessage            `json:"oneOf"`
	}
	if json.Unmarshal(card.Parameters, &schema) != nil {
		return nil
	}
	more := string(slices.Concat(schema.AllOf, schema.AnyOf, schema.OneOf))
	open := len(schema.AdditionalProperties) > 0 && string(schema.AdditionalProperties) != "false" || len(schema.PatternProperties) > 0
	if open || len(schema.Properties) == 0 || schema.Ref != "" || strings.Contains(more, `"properties"`) {
		return nil
	}
	return slices.Sorted(maps.Keys(schema.Properties))
}

// parameters keeps what [taken] says of the cards of one roster, each read when it is first asked for: it is asked for each action. nil keeps
// nothing. Safe for concurrent use.
type parameters struct {
	mu sync.Mutex
	by map[string][]string // by the name of the card
}

func (p *parameters) of(card *bus.Card) []string {
	if p == nil {
		return taken(card)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	names, known := p.by[card.Name]
	if !known {
		names = taken(card)
		p.by[card.Name] = names
	}
	return names
}

// reference is "$id.field.0" as a whole text, as actions/round fills it in.
var reference = regexp.MustCompile(`^\$([A-Za-z0-9_-]{1,64})((?:\.[^.\[\]]{1,200}|\[\d{1,6}\])*)$`)

// pointless says that a reference points at a field that the callee does not return.
func pointless(a bus.Action, actions []bus.Action, cards map[string]*bus.Card) string {
	if !bytes.Contains(a.Parameter, []byte("$")) && !bytes.Contains(a.Parameter, []byte(`\u0024`)) { // as nearly always
		return ""
	}
	for _, s := range plan.Scalars(decoded(a.Parameter)) {
		m := reference.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		i := slices.IndexFunc(actions, func(b bus.Action) bool { return b.ID == m[1] })
		if i < 0 || cards[actions[i].ToolName] == nil {
			continue
		}
		if why := missing(cards[actions[i].ToolName], m[2]); why != "" {
			return fmt.Sprintf("%q leads nowhere: %s", s, why)
		}
	}
	return ""
}

// missing says where a path leaves what a card says that it returns; "" when it does not, or nobody can tell.
func missing(card *bus.Card, path string) string {
	steps := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	if card.IsAgent() {
		if len(steps) > 0 {
			return card.Name + " is an agent, and its result a text without fields"
		}
		return ""
	}
	var at map[string]any
	if json.Unmarshal(card.Returns, &at) != nil {
		return ""
	}
	for _, step := range steps {
		if at["type"] == "array" || at["items"] != nil {
			if strings.Trim(step, "0123456789") != "" {
				return fmt.Sprintf("the result of %s is a list there; write the place of an element, from 0, before %q", card.Name, step)
			}
			at, _ = at["items"].(map[string]any)
			continue
		}
		fields, _ := at["properties"].(map[string]any)
		if len(fields) == 0 || at["additionalProperties"] != nil && at["additionalProperties"] != false {
			return ""
		}
		next, there := fields[step]
		if !there {
			return fmt.Sprintf("the result of %s has no %q there; it has: %s", card.Name, step, strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		}
		at, _ = next.(map[string]any)
	}
	return ""
}
