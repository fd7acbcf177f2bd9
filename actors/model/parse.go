package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Parsed is what a model wrote in the H-MAP form.
type Parsed struct {
	Thought  string
	Critique string
	Answer   string
	// Actions is the action_code, at most [MaxActions] long. Parameters are JSON objects or nil; names are as written.
	Actions []bus.Action
	// Plan is nil if there is none; its steps are all not started, since how a step stands is never a model's to say.
	Plan *bus.PlanBody
	// Cut: the text ended inside a value, so the last value may be incomplete. Do not act on it.
	Cut bool
}

// MaxActions is how many actions one action_code may have.
const MaxActions = 64

// ParseActionCode reads the H-MAP form out of what a model wrote: an object with thought, action_code or answer. It copes
// with prose and fences around it, <think> blocks, broken JSON (repaired), and the forms of the H-MAP article and its
// relatives: action_code as a single object or as a string, api_name or function_name for tool_name, arguments for parameter,
// or the arguments beside the name. Of several objects the first with actions or an answer counts, since what follows it was
// written without having seen an observation; objects before it may give the thought.
//
// It is a pure function. The error is worded for the model: what is wrong with the text and what to write instead.
func ParseActionCode(text string) (Parsed, error) {
	_, text = splitThink(text)
	found := pieces(text)
	if len(found) == 0 {
		return Parsed{}, errors.New("there is no JSON object in it")
	}
	var out Parsed
	reason := error(nil)
	for _, p := range found {
		raw, err := repair(p.text)
		if err == nil {
			err = out.read(raw)
		}
		if err != nil {
			if reason == nil {
				reason = err
			}
			continue
		}
		out.Cut = p.cut
		if len(out.Actions) > 0 || out.Answer != "" || out.Plan != nil {
			return out, nil
		}
	}
	if reason != nil {
		return Parsed{}, reason
	}
	return Parsed{}, errors.New(`it has neither "action_code" with an action in it nor "answer"`)
}

// read adds what one JSON value says. A value that has nothing of the form is no error, it is just not meant.
func (p *Parsed) read(raw json.RawMessage) error {
	if raw[0] == '[' {
		return p.readActions(raw)
	}
	o := fields(raw)
	if o == nil {
		return nil
	}
	for key, to := range map[string]*string{"thought": &p.Thought, "critique": &p.Critique} {
		if v := o[key]; v != nil && *to == "" {
			*to = textOf(v)
		}
	}
	if v := first(o, "answer", "finalanswer", "response"); v != nil {
		p.Answer = textOf(v)
	}
	if v := o["plan"]; v != nil {
		p.Plan = planOf(v)
	}
	if v := first(o, "actioncode", "actioncodes", "actions", "toolcalls"); v != nil {
		return p.readActions(v)
	}
	if p.Answer == "" && hasName(o) {
		return p.readActions(raw)
	}
	return nil
}

// readActions reads an action_code: a list, one object, or a string that holds either.
func (p *Parsed) readActions(raw json.RawMessage) error {
	if raw[0] == '"' {
		said := strings.TrimSpace(textOf(raw))
		if said == "" {
			return nil
		}
		inner, err := repair(said)
		if err != nil || inner[0] != '[' && inner[0] != '{' {
			return errors.New(`"action_code" is a string: write a list of objects`)
		}
		raw = inner
	}
	var list []json.RawMessage
	switch raw[0] {
	case '[':
		if err := json.Unmarshal(raw, &list); err != nil {
			return fmt.Errorf(`"action_code": %w`, err)
		}
	case '{':
		list = []json.RawMessage{raw}
	default: // null, false, a number: the model's way to say none
		return nil
	}
	if len(list) > MaxActions {
		return fmt.Errorf(`"action_code" has %d actions, at most %d are allowed`, len(list), MaxActions)
	}
	var actions []bus.Action
	for i, raw := range list {
		o := fields(raw)
		if o == nil {
			return fmt.Errorf(`action %d of "action_code" is not an object`, i+1)
		}
		if len(o) == 0 {
			continue // "{}" says none
		}
		a, err := action(raw, o)
		if err != nil {
			return fmt.Errorf(`action %d of "action_code": %w`, i+1, err)
		}
		actions = append(actions, a)
	}
	p.Actions = actions
	return nil
}

// fields gives the members of a JSON object by canonical key; nil if raw is not an object. null members are left out.
func fields(raw json.RawMessage) map[string]json.RawMessage {
	var o map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &o) != nil {
		return nil
	}
	out := make(map[string]json.RawMessage, len(o))
	for k, v := range o {
		if v = bytes.TrimSpace(v); len(v) > 0 && string(v) != "null" {
			out[canonical(k)] = v
		}
	}
	return out
}

// canonical makes "action_code", "actionCode" and "Action Code" one key.
func canonical(key string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, key))
}

var (
	nameKeys      = []string{"toolname", "apiname", "functionname", "agentname", "tool", "api"}
	jobKeys       = []string{"jobdesc", "job", "jobdescription"}
	parameterKeys = []string{"parameter", "parameters", "arguments", "args", "actioninput", "toolinput", "input"}
)

func first(o map[string]json.RawMessage, keys ...string) json.RawMessage {
	for _, k := range keys {
		if v := o[k]; v != nil {
			return v
		}
	}
	return nil
}

// hasName reports whether an object is an action by itself. "name" alone is not enough: every second object has one.
func hasName(o map[string]json.RawMessage) bool {
	return first(o, nameKeys...) != nil || fields(o["function"])["name"] != nil || o["name"] != nil && first(o, parameterKeys...) != nil
}

// action reads one action; o are the canonical fields of raw.
func action(raw json.RawMessage, o map[string]json.RawMessage) (bus.Action, error) {
	if f := fields(o["function"]); f != nil { // the form of function calls
		for _, k := range []string{"name", "arguments"} {
			if f[k] != nil && o[k] == nil {
				o[k] = f[k]
			}
		}
	}
	a := bus.Action{
		ID:       textOf(o["id"]),
		ToolName: strings.TrimSpace(textOf(first(o, append(nameKeys, "name")...))),
		JobDesc:  textOf(first(o, jobKeys...)),
		Step:     textOf(o["step"]),
		After:    textsOf(first(o, "after", "dependson", "dependencies")),
	}
	if a.ToolName == "" {
		return a, errors.New(`it has no "tool_name"`)
	}
	if t := strings.Trim(string(o["trustmode"]), `" `); t == "1" || t == "1.0" || t == "true" {
		a.TrustMode = 1
	}
	given := first(o, parameterKeys...)
	if given == nil {
		a.Parameter = besides(raw, o)
		return a, nil
	}
	var err error
	if a.Parameter, err = arguments(given); err != nil {
		return a, fmt.Errorf(`"parameter" of %s: %w`, a.ToolName, err)
	}
	return a, nil
}

// besides gives the arguments that stand beside the name, as in {"function_name":"deep_search","query":"x"}.
func besides(raw json.RawMessage, o map[string]json.RawMessage) json.RawMessage {
	var rest map[string]json.RawMessage
	if o["functionname"] == nil || json.Unmarshal(raw, &rest) != nil {
		return nil
	}
	for k := range rest {
		switch canonical(k) {
		case "functionname", "id", "after", "trustmode", "jobdesc", "step", "thought", "critique", "type":
			delete(rest, k)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return encode(rest)
}

// arguments gives a JSON object of what a model wrote as arguments: the object itself, a string that holds it (also
// broken), a list of just it; nil for nothing ("", null, []).
func arguments(raw json.RawMessage) (json.RawMessage, error) {
	for range 3 { // a string in a string is seen, more is not
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 || string(raw) == "null" || string(raw) == "[]" || string(raw) == `""` {
			return nil, nil
		}
		switch raw[0] {
		case '{':
			return raw, nil
		case '[':
			var list []json.RawMessage
			if json.Unmarshal(raw, &list) != nil || len(list) != 1 {
				return nil, errors.New("it is a list: write one object")
			}
			raw = list[0]
		case '"':
			inner, err := repair(textOf(raw))
			if err != nil {
				return nil, err
			}
			raw = inner
		default:
			return nil, errors.New("it is not an object")
		}
	}
	return nil, errors.New("it is not an object")
}

// textOf gives a string's text, and the JSON text of anything else; "" for nothing.
func textOf(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func textsOf(raw json.RawMessage) []string {
	if len(raw) == 0 {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var out []string
	for _, v := range list {
		if s := textOf(v); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// planOf reads {"title","steps":[{"id","title","after"}]}, a bare list of steps, and steps that are just their titles.
func planOf(raw json.RawMessage) *bus.PlanBody {
	o := fields(raw)
	p := &bus.PlanBody{Title: textOf(o["title"])}
	steps := o["steps"]
	if raw[0] == '[' {
		steps = raw
	}
	var list []json.RawMessage
	if json.Unmarshal(steps, &list) != nil {
		return nil
	}
	for i, raw := range list {
		s := bus.Step{ID: strconv.Itoa(i + 1), Title: textOf(raw), Status: bus.NotStarted}
		if o := fields(raw); o != nil {
			s.Title = textOf(first(o, "title", "name", "description"))
			s.After = textsOf(first(o, "after", "dependson", "dependencies"))
			if id := textOf(o["id"]); id != "" {
				s.ID = id
			}
		}
		if s.Title != "" {
			p.Steps = append(p.Steps, s)
		}
	}
	if len(p.Steps) == 0 {
		return nil
	}
	return p
}

// encode is json.Marshal without the escaping for HTML; v is made of valid parts, so it cannot fail.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}
