package saved

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nuid"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hmap-project/hmap/bus"
)

// Tried is what a test of a tool found.
type Tried struct {
	Steps []TriedStep
	// Why the tool does not do what it did when it was saved; "": it does, as far as it could be tried.
	Why string
	// Same: what came back is the very value of before.
	Same bool
}

// TriedStep is one step of a test.
type TriedStep struct {
	ID, ToolName string
	Ran          bool // else it was only looked at, for it changes something, or needs what such a step brings
	Changed      bool // the card of its tool is another one than when this was saved
	Why          string
	Took         time.Duration
}

// Words are the outcome in one line.
func (t Tried) Words(lang string) string {
	ran := 0
	for _, s := range t.Steps {
		if s.Ran {
			ran++
		}
	}
	switch {
	case t.Why != "":
		return t.Why
	case ran < len(t.Steps):
		return fmt.Sprintf(say(lang, "%d 步中运行了 %d 步，其余会修改数据，只检查了工具和参数", "of %d steps %d were run; the others change things, and only their tools and arguments were looked at"), len(t.Steps), ran)
	case t.Same:
		return say(lang, "通过，结果与当时相同", "passed, with the same result")
	}
	return say(lang, "通过，结果的形状与当时相同", "passed, with a result of the same shape")
}

// Try runs the test of a tool: its steps for the arguments that the log has, as calls that no task makes. Steps that change something are only looked
// at, and so are those that need what such a step brings. on says for whom, as far as tools ask: session, language, files.
func Try(ctx context.Context, b *bus.Bus, d *bus.Directory, t bus.SavedTool, on bus.Request) (out Tried) {
	test := t.Test
	if test == nil {
		test = &bus.SavedTest{}
	}
	actions, err := t.Bind(test.Parameter)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	brought := map[string]json.RawMessage{}
	for i, a := range actions[:len(t.Steps)] { // what puts results together is no call
		s := TriedStep{ID: a.ID, ToolName: a.ToolName}
		card, there := d.Get(a.ToolName)
		s.Changed = there && t.Steps[i].Card != "" && card.Print() != t.Steps[i].Card
		switch {
		case !there:
			s.Why = say(on.Language, "它的工具没有了，或现在不在", "its tool is gone, or not there now")
		case card.IsAgent() || card.IsSaved():
			s.Why = say(on.Language, "它不是普通的工具", "it is no plain tool")
		case bus.Stronger(card.Effect, t.Effect):
			s.Why = fmt.Sprintf(say(on.Language, "它现在是 %s，而存的时候是 %s", "it is %s now, and the tool was saved as %s"), card.Effect, t.Effect)
		default:
			s.Ran, s.Took, s.Why = step(ctx, b, card, a, brought, on)
		}
		out.Steps = append(out.Steps, s)
		if s.Why != "" {
			out.Why = fmt.Sprintf(say(on.Language, "步骤 %s（%s）：%s", "step %s (%s): %s"), s.ID, s.ToolName, s.Why)
			if s.Changed {
				out.Why += say(on.Language, "；那个工具的说明在存了之后改过", "; the card of that tool has changed since this was saved")
			}
			return out
		}
	}
	result, ok := t.Result(brought)
	if !ok {
		return out // nothing to compare
	}
	out.Same = len(test.Value) > 0 && equal(result, test.Value)
	switch {
	case len(test.Value) > 0 && !out.Same:
		out.Why = fmt.Sprintf(say(on.Language, "现在的结果是 %s，当时是 %s", "it brings %s, and brought %s"), clip(string(result), 200), clip(string(test.Value), 200))
	case len(test.Shape) > 0:
		if out.Why = bus.Unlike(result, test.Shape); out.Why != "" {
			out.Why = say(on.Language, "结果的形状和当时不同：", "") + out.Why
		}
	}
	return out
}

// errUnknown: what a reference names was not run.
var errUnknown = errors.New("not run")

// step runs one step, or looks at it.
func step(ctx context.Context, b *bus.Bus, card bus.Card, a bus.Action, brought map[string]json.RawMessage, on bus.Request) (ran bool, took time.Duration, why string) {
	given, err := bus.FillReferences(a.Parameter, func(id, path string) (any, error) {
		one, ok := brought[id]
		if !ok {
			return nil, errUnknown
		}
		return bus.Dig(one, path)
	})
	switch {
	case errors.Is(err, errUnknown):
		return false, 0, ""
	case err != nil:
		return false, 0, err.Error()
	}
	if why := holds(card, given, on.Language); why != "" {
		return false, 0, why
	}
	if card.Effect != bus.Read || card.NeedsApproval() {
		return false, 0, ""
	}
	begun := time.Now()
	id := nuid.Next()
	r := bus.Request{Session: on.Session, Task: id, Call: id, Caller: ToolName, ToolName: a.ToolName, Parameter: given, Language: on.Language, Files: on.Files}
	if r.Session == "" {
		r.Session = id
	}
	within := card.Timeout
	if within == 0 {
		within = time.Minute
	}
	r.Deadline = begun.Add(within)
	resp, err := b.Call(ctx, r, nil)
	took = time.Since(begun)
	switch {
	case err != nil:
		return true, took, err.Error()
	case resp.Error != nil:
		return true, took, resp.Error.Message
	case resp.Status != bus.OK:
		return true, took, say(on.Language, "它的回答是 ", "it answers ") + string(resp.Status)
	}
	brought[a.ID] = resp.Observation
	return true, took, ""
}

// holds says why arguments do not hold a card's parameters; "": they do.
func holds(card bus.Card, given json.RawMessage, lang string) string {
	if len(bytes.TrimSpace(given)) == 0 {
		given = json.RawMessage("{}")
	}
	if len(card.Parameters) == 0 {
		return ""
	}
	schema, err := bus.CompileSchema(card.Parameters, true)
	if err != nil {
		return say(lang, "它的参数说明读不懂：", "its schema cannot be read: ") + err.Error()
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(given))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		return say(lang, "参数不合它的要求：", "its arguments do not hold its schema: ") + clip(strings.Join(strings.Fields(err.Error()), " "), 400)
	}
	return ""
}

// equal reports whether two JSON values are the same, however they are written.
func equal(a, b json.RawMessage) bool {
	var v, w any
	if bus.DecodeNumbers(a, &v) != nil || bus.DecodeNumbers(b, &w) != nil {
		return false
	}
	x, err := bus.EncodePlain(v)
	y, failed := bus.EncodePlain(w)
	return err == nil && failed == nil && bytes.Equal(x, y)
}

// Refresh brings what a tool says of its steps up to what their cards say now: effect and prints. The error names a step whose tool cannot be one.
func Refresh(t bus.SavedTool, d *bus.Directory) (bus.SavedTool, error) {
	t.Steps, t.Effect = slices.Clone(t.Steps), bus.Read
	for i := range t.Steps {
		s := &t.Steps[i]
		card, there := d.Get(s.ToolName)
		if !there || card.IsAgent() || card.IsSaved() {
			return t, fmt.Errorf("step %s: %.64q is no tool that is there now, or a saved one", s.ID, s.ToolName)
		}
		s.Card = card.Print()
		if bus.Stronger(card.Effect, t.Effect) {
			t.Effect = card.Effect
		}
	}
	return t, nil
}

// Versioned is a tool's name with its version.
func Versioned(t bus.SavedTool) string { return t.Name + " v" + strconv.Itoa(t.Version) }
