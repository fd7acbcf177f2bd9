package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
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

// CheckFilled says what is wrong with one call whose references are filled in; nil when it may run. A text of it is what it says, also "$id".
func (x *Index) CheckFilled(toolName string, parameter []byte) *Problem {
	var first *Problem
	bad := func(_ int, code, format string, args ...any) {
		if first == nil {
			first = &Problem{0, code, fmt.Sprintf(format, args...)}
		}
	}
	given, err := cards.ReadArguments(parameter)
	if err != nil {
		bad(0, bus.CodeInvalidParameter, unreadable, words.Short(toolName, 64), err)
		return first
	}
	x.checkOne(0, bus.Action{ToolName: toolName}, given, false, bad)
	return first
}

// unreadable is said of a parameter that is none.
const unreadable = "the parameter of %s is not a JSON object: %v"

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
		given, err := cards.ReadArguments(a.Parameter)
		if err != nil {
			bad(i, bus.CodeInvalidParameter, unreadable, words.Short(a.ToolName, 64), err)
			continue
		}
		refs := cards.References(given)
		for _, id := range refs {
			if j, ok := ids[id]; ok {
				waits[i] = append(waits[i], j)
			} else {
				bad(i, bus.CodeInvalidParameter, "the reference \"$%s\" names no action of the list; the ids are: %s", id, known(ids))
			}
		}
		x.checkOne(i, a, given, len(refs) > 0, bad)
	}
	if c := cycle(waits); c != nil {
		var names []string
		for _, i := range c {
			names = append(names, fmt.Sprintf("%d (%s)", i, words.Short(actions[i].ToolName, 64)))
		}
		bad(-1, bus.CodeInvalidRequest, "these actions wait for each other: %s; remove one after or reference", strings.Join(names, " → "))
	}
	return out
}

func (x *Index) checkOne(i int, a bus.Action, given map[string]any, refs bool, bad func(int, string, string, ...any)) {
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
	if msg := e.Invalid(given, refs); msg != "" {
		bad(i, bus.CodeInvalidParameter, "%s: %s", a.ToolName, msg)
	}
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
