package plan

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// Think decides the next round of a task from all that is known. Called again with the results of its actions in in.Done it
// plans anew, so the plan follows what was observed. It never repeats a call that ended. Its actions hold no references.
func (x *Index) Think(in Input) Outcome {
	in.Running = slices.Clone(in.Running)
	for i := range in.Running {
		in.Running[i].Parameter = cards.Spoken(in.Running[i].Parameter)
	}
	in.Done, in.moved = x.anew(in.Done)
	out := x.thinkAgain(in)
	for i := range out.Actions {
		out.Actions[i].Parameter = cards.Literal(out.Actions[i].Parameter)
	}
	return out
}

// thinkAgain thinks until no action repeats a call.
//
// A call is known again by its exact arguments, and a mind that thought before may have worded the same change otherwise: with a reason, a
// number as a text. So where a change is planned that was made, refused or left in doubt already, that is taken for this call, and thought of
// again: the answer comes from what came of it.
func (x *Index) thinkAgain(in Input) Outcome {
	r, out := x.thinkOnce(in)
	in.Done, in.Running = slices.Clone(in.Done), slices.Clone(in.Running)
	for range len(in.Done) + len(in.Running) { // each time one more is told
		if !x.tell(&in, out.Actions) {
			return out
		}
		r, out = x.thinkOnce(in)
	}
	out.Actions = slices.DeleteFunc(out.Actions, func(a bus.Action) bool { return x.tell(&in, []bus.Action{a}) })
	if len(out.Actions)+len(in.Running) == 0 && out.Ask == nil && out.Answer == "" { // one call stood for two changes of the plan
		out.Answer = r.answer()
	}
	return out
}

// tell gives the first call that an action would repeat this action's arguments. False: none repeats one.
func (x *Index) tell(in *Input, actions []bus.Action) bool {
	for _, a := range actions {
		e := x.byName[a.ToolName]
		if e != nil && e.IsAgent() && x.tellJob(in, a) {
			return true
		}
		if e == nil || e.Reads() {
			continue
		}
		for n, d := range in.Done {
			if key(d.Action) != key(a) && hadEffect(e, d) && sameChange(e, a, d.Action) {
				in.Done[n].Action.Parameter, in.Done[n].Action.JobDesc = a.Parameter, a.JobDesc
				return true
			}
		}
		for n, r := range in.Running {
			if key(r) != key(a) && sameChange(e, a, r) {
				in.Running[n].Parameter, in.Running[n].JobDesc = a.Parameter, a.JobDesc
				return true
			}
		}
	}
	return false
}

// tellJob gives the call of an agent that has a part of the request already the job in which that part is put now: what a person added meanwhile put the request
// otherwise together, and changed nothing of this part of it. False: there is none.
func (x *Index) tellJob(in *Input, a bus.Action) bool {
	if len(in.Steering) == 0 || a.JobDesc == "" {
		return false
	}
	bare := func(part string) string { return strings.TrimRight(part, words.EndMarks) }
	whole, part := askedIn(a)
	asked := in.Request + "\n" + inTwo(in.Request, in.Output)
	same := func(o bus.Action) bool {
		other, _ := askedIn(o)
		was, now := runs(o), runs(a)
		alike := bare(other) == bare(whole) || was != "" && strings.HasPrefix(other, whole) // a part that runs code is worded without it
		return o.ToolName == a.ToolName && o.JobDesc != a.JobDesc && alike && was == now && strings.Contains(asked, bare(part))
	}
	for n, d := range in.Done {
		if d.Status == bus.OK && same(d.Action) {
			in.Done[n].Action.JobDesc = a.JobDesc
			return true
		}
	}
	for n, o := range in.Running {
		if same(o) {
			in.Running[n].JobDesc = a.JobDesc
			return true
		}
	}
	return false
}

// runs is the code that the part of a job runs; "" when it runs none.
func runs(a bus.Action) string {
	part, _ := askedIn(a)
	at := strings.LastIndex(a.JobDesc, part) // as the request has it, which stands behind
	if !ofCode(a.JobDesc, wishes.Clause{Start: at, End: at + len(part)}) {
		return ""
	}
	return facts.SourceText.FindString(a.JobDesc)
}

// hadEffect reports whether a call that ended must not be made once more unless a person says so: it had its effect, or may have had it, or a
// person said no or nothing to it. What was not begun may be tried again, and so may what has no more effect the second time.
func hadEffect(e *cards.Entry, d Done) bool {
	switch {
	case d.Status == bus.OK || d.Error == nil:
		return true
	case d.Error.Code == bus.CodeForbidden, d.Error.Code == bus.CodeExpired:
		return true
	case e.Effect == bus.Idempotent, d.Error.Code == bus.CodeUnavailable && d.Error.Retryable:
		return false
	}
	return !slices.Contains([]string{bus.CodeInvalidParameter, bus.CodeInvalidRequest, bus.CodeUnknownTool, bus.CodeBusy, bus.CodeUnsupported, bus.CodeBudget, bus.CodeChanged}, d.Error.Code)
}

// sameChange reports whether two calls of one tool may be the same change: all that it must be told is equal and so is everything that either
// says of whom or what it is made to (a tool may take one of several ids), or one of them says nothing that the other does not. The jobs of
// an agent cannot be compared, nor what is not known yet.
func sameChange(e *cards.Entry, a, b bus.Action) bool {
	if a.ToolName != b.ToolName || e.IsAgent() {
		return a.ToolName == b.ToolName
	}
	one, two := object(a.Parameter), object(b.Parameter)
	same := func(name string) bool {
		l, r := Scalars(one[name]), Scalars(two[name])
		return slices.EqualFunc(l, r, func(l, r string) bool { return leveled(l) == leveled(r) || pointer.MatchString(l) })
	}
	within := func(in, of map[string]any) bool {
		for name := range in {
			if _, there := of[name]; !there || !same(name) {
				return false
			}
		}
		return true
	}
	must, differs := false, false
	for i := range e.Params {
		if f := &e.Params[i]; f.Required || f.Names() {
			must = must || f.Required
			differs = differs || !same(f.Name)
		}
	}
	return must && !differs || within(one, two) || within(two, one)
}

// pointer is "$id.field" as a whole text: what is not known yet.
var pointer = words.MustCompile(`^\$[A-Za-z0-9_-]{1,64}(?:[.\[]|$)`)

// object is the arguments of a call; nil when they are none.
func object(raw json.RawMessage) map[string]any {
	v, err := fields.Decode(raw)
	if err != nil {
		return nil
	}
	o, _ := v.(map[string]any)
	return o
}

// Scalars are the texts and numbers in a JSON value with numbers as they are written ([json.Number]), with the names in objects, in a
// fixed order.
func Scalars(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case json.Number:
		return []string{v.String()}
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, Scalars(e)...)
		}
		return out
	case map[string]any:
		var out []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(append(out, name), Scalars(v[name])...)
		}
		return out
	}
	return nil
}

// leveled is a text in lower case, with wide letters and digits as narrow ones.
func leveled(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, s))
}
