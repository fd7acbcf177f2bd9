package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hmap-project/hmap/bus"
)

// Problem is what is wrong with an action, worded for the one who planned it.
type Problem struct {
	// Action is its place in the list, from 0; -1 for the list as a whole.
	Action int
	// Code is a code of H-MAP: unknown_tool, invalid_parameter or invalid_request.
	Code    string
	Message string
}

// Reserved names that are no cards: the agent serves them itself.
const (
	AskUser = "ask_user"
	Finish  = "finish"
)

// MaxActions is how many actions one action_code may hold.
const MaxActions = 32

// refInText finds references such as "$t1.order_id" or "$0.field".
var refInText = regexp.MustCompile(`^\$([A-Za-z0-9_-]{1,64})(?:\.([\w.\-]+))?$`)

// Check says what is wrong with an action_code; nil when it may run. Every action must name a card, its arguments must hold
// the card's schema (references count as values of any type), ids must be unique, after and references must name actions of
// the list, and nothing may wait for itself.
func (x *Index) Check(actions []bus.Action) []Problem {
	var out []Problem
	bad := func(i int, code, format string, args ...any) {
		out = append(out, Problem{i, code, fmt.Sprintf(format, args...)})
	}
	if len(actions) > MaxActions {
		bad(-1, bus.CodeInvalidRequest, "%d actions are too many; plan at most %d at a time", len(actions), MaxActions)
		return out
	}
	ids := map[string]int{}
	for i, a := range actions {
		if a.ID == "" {
			continue
		}
		if !bus.ValidToken(a.ID) {
			bad(i, bus.CodeInvalidRequest, "the id %.80q must be 1 to 64 of A-Z a-z 0-9 _ -", a.ID)
		}
		if j, ok := ids[a.ID]; ok {
			bad(i, bus.CodeInvalidRequest, "the id %q is already used by action %d; give each action an id of its own", a.ID, j)
			continue
		}
		ids[a.ID] = i
	}
	waits := make([][]int, len(actions))
	for i, a := range actions {
		for _, id := range a.After {
			if j, ok := ids[id]; ok {
				waits[i] = append(waits[i], j)
			} else {
				bad(i, bus.CodeInvalidRequest, "after names %.80q, but no action of the list has that id; the ids are: %s", id, known(ids))
			}
		}
		refs, err := references(a.Parameter)
		if err != nil {
			bad(i, bus.CodeInvalidParameter, "the parameter of %s is not a JSON object: %v", short(a.ToolName, 64), err)
			continue
		}
		for _, id := range refs {
			if j, ok := ids[id]; ok {
				waits[i] = append(waits[i], j)
			} else {
				bad(i, bus.CodeInvalidParameter, "the reference \"$%s\" names no action of the list; the ids are: %s", id, known(ids))
			}
		}
		x.checkOne(i, a, len(refs) > 0, bad)
	}
	if c := cycle(waits); c != nil {
		var names []string
		for _, i := range c {
			names = append(names, fmt.Sprintf("%d (%s)", i, short(actions[i].ToolName, 64)))
		}
		bad(-1, bus.CodeInvalidRequest, "these actions wait for each other: %s; remove one after or reference", strings.Join(names, " → "))
	}
	return out
}

func (x *Index) checkOne(i int, a bus.Action, refs bool, bad func(int, string, string, ...any)) {
	if a.ToolName == AskUser || a.ToolName == Finish {
		return
	}
	e := x.byName[a.ToolName]
	if e == nil {
		bad(i, bus.CodeUnknownTool, "there is no tool or agent %.80q; the nearest are: %s", a.ToolName, strings.Join(x.nearest(a.ToolName), ", "))
		return
	}
	if a.TrustMode != 0 && a.TrustMode != 1 {
		bad(i, bus.CodeInvalidRequest, "trust_mode of %s is %d; it must be 0 or 1", a.ToolName, a.TrustMode)
	}
	if e.IsAgent() {
		if strings.TrimSpace(a.JobDesc) == "" {
			bad(i, bus.CodeInvalidParameter, "%s is an agent and needs a job_desc: say in plain language what it shall do", a.ToolName)
		}
		return
	}
	if msg := e.invalid(a.Parameter, refs); msg != "" {
		bad(i, bus.CodeInvalidParameter, "%s: %s", a.ToolName, msg)
	}
}

// invalid validates arguments and says what is wrong; "" when nothing is.
func (e *entry) invalid(raw json.RawMessage, refs bool) string {
	if e.validator == nil {
		return ""
	}
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	if err != nil {
		return "the parameter is not JSON: " + err.Error()
	}
	err = e.validator.Validate(doc)
	if err == nil {
		return ""
	}
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return err.Error()
	}
	var lines []string
	for _, leaf := range leaves(v, nil) {
		if refs && isRef(doc, leaf.InstanceLocation) {
			continue // the value behind a reference is only known when it runs
		}
		where := strings.Join(leaf.InstanceLocation, ".")
		msg := leaf.Error()
		if i := strings.LastIndex(msg, ": "); i >= 0 {
			msg = msg[i+2:]
		}
		if where != "" {
			msg = where + " " + msg
		}
		if len(leaf.InstanceLocation) > 0 {
			if f := e.param(leaf.InstanceLocation[0]); f != nil && f.Desc != "" {
				msg += " (" + short(f.Desc, 120) + ")"
			}
		}
		lines = append(lines, msg)
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

func leaves(v *jsonschema.ValidationError, out []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(v.Causes) == 0 {
		return append(out, v)
	}
	for _, c := range v.Causes {
		out = leaves(c, out)
	}
	return out
}

// isRef reports whether the value at a location, or one around it, is a reference.
func isRef(doc any, loc []string) bool {
	for _, key := range loc {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[key]
		case []any:
			var i int
			if _, err := fmt.Sscanf(key, "%d", &i); err != nil || i < 0 || i >= len(d) {
				return false
			}
			doc = d[i]
		}
	}
	s, ok := doc.(string)
	return ok && refInText.MatchString(s)
}

// references lists the action ids that arguments refer to.
func references(raw json.RawMessage) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	var out []string
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > 20 {
			return
		}
		switch v := v.(type) {
		case string:
			if m := refInText.FindStringSubmatch(v); m != nil && !digits(strings.ReplaceAll(v[1:], ".", "")) {
				out = append(out, m[1])
			}
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case map[string]any:
			for _, e := range v {
				visit(e, depth+1)
			}
		}
	}
	visit(doc, 0)
	slices.Sort(out)
	return slices.Compact(out), nil
}

// cycle finds actions that wait for each other; nil when there are none.
func cycle(waits [][]int) []int {
	mark := make([]int, len(waits)) // 0 new, 1 on the path, 2 done
	var path []int
	var visit func(i int) []int
	visit = func(i int) []int {
		mark[i] = 1
		path = append(path, i)
		for _, j := range waits[i] {
			if mark[j] == 1 {
				return append(slices.Clone(path[slices.Index(path, j):]), j)
			}
			if mark[j] == 0 {
				if c := visit(j); c != nil {
					return c
				}
			}
		}
		path = path[:len(path)-1]
		mark[i] = 2
		return nil
	}
	for i := range waits {
		if mark[i] == 0 {
			if c := visit(i); c != nil {
				return c
			}
		}
	}
	return nil
}

func known(ids map[string]int) string {
	if len(ids) == 0 {
		return "none"
	}
	var out []string
	for id := range ids {
		out = append(out, id)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// nearest names the real tools to choose from: those like the wrong name, or all when they are few.
func (x *Index) nearest(name string) []string {
	var out []string
	if len(x.entries) <= 12 {
		for _, e := range x.entries {
			out = append(out, e.Name)
		}
		return out
	}
	for _, s := range x.Find(name, 8) {
		out = append(out, s.Card.Name)
	}
	for i := 0; len(out) < 8; i++ {
		if n := x.entries[i].Name; !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}
