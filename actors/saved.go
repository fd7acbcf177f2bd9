package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// A saved tool runs as a call of an agent does, with a mind that knows its one plan: its steps are a round in a log of its own, so that effects,
// leave, cancel and takeover are what they are for any call.

// saved is the saved tools that this node serves.
type saved struct {
	slots chan struct{} // of all of them, also of versions that are served no more
	mu    sync.Mutex
	by    map[string]*savedDesk
}

// savedDesk is the place of one version of a saved tool.
type savedDesk struct {
	*desk
	tool       bus.SavedTool
	parameters *bus.Schema  // nil: none
	service    *bus.Service // nil: the name is somebody else's now, or it could not be served
	refused    string       // why it could not be served, as it was told
}

// keepSaved serves the saved tools as they come, change and go, until ctx ends; ready is closed when those that there were are served.
func (t *Team) keepSaved(ctx context.Context, ready chan<- struct{}) {
	first := sync.OnceFunc(func() { close(ready) })
	defer first()
	for ctx.Err() == nil {
		for tool, err := range t.bus.FollowTools(ctx) {
			switch {
			case err != nil:
				t.log.Warn("the saved tools could not be read; trying again", "error", err)
				first()
			case tool.Name == "":
				first()
			default:
				t.serveSaved(tool)
			}
		}
		pause(ctx, time.Second)
	}
}

// serveSaved serves a saved tool in the place of the version that was served before, or ends that when it is gone.
func (t *Team) serveSaved(tool bus.SavedTool) {
	t.saved.mu.Lock()
	defer t.saved.mu.Unlock()
	old := t.saved.by[tool.Name]
	switch {
	case old != nil && !tool.Gone && old.tool.Version >= tool.Version:
		return
	case old != nil:
		delete(t.saved.by, tool.Name)
		old.withdraw() // calls under way go on
	}
	if tool.Gone || t.taking.Err() != nil {
		return
	}
	d, err := t.deskOf(tool)
	if err != nil {
		t.log.Warn("a saved tool cannot be served", "tool", tool.Name, "version", tool.Version, "error", err)
		return
	}
	t.saved.by[tool.Name] = d
	t.offerSaved(d)
}

// offerSaved puts a saved tool on the bus unless its name is somebody else's; then that is told, and [Team.yieldSaved] tries again.
func (t *Team) offerSaved(d *savedDesk) {
	if t.othersName(d.tool.Name) {
		t.log.Warn("a saved tool waits: its name is taken by another tool; save it under another one", "tool", d.tool.Name)
		return
	}
	service, err := t.bus.Serve(d.tool.Card(), func(in *bus.Incoming) { t.incomingSaved(d, in) })
	if err == nil {
		d.service, d.refused = service, ""
	} else if why := err.Error(); why != d.refused { // it is tried at every change of who is there, and told once
		d.refused = why
		t.log.Warn("a saved tool cannot be served", "tool", d.tool.Name, "version", d.tool.Version, "error", err)
	}
}

// yieldSaved takes saved tools off the bus whose name somebody wants who is no saved tool, and came later; once nobody wants it any more, the
// saved tool is there again.
func (t *Team) yieldSaved() {
	t.saved.mu.Lock()
	defer t.saved.mu.Unlock()
	for name, d := range t.saved.by {
		switch others := t.othersName(name); {
		case d.service != nil && others:
			t.log.Warn("a saved tool gives way to a tool of its name; save it under another one", "tool", name)
			d.withdraw()
		case d.service == nil && !others && t.taking.Err() == nil:
			t.offerSaved(d)
		}
	}
}

// othersName reports whether somebody who is no saved tool has a name, or wants it.
func (t *Team) othersName(name string) bool {
	others := func(c bus.Card) bool { return c.Name == name && !c.IsSaved() }
	return slices.ContainsFunc(t.dir.Cards(), others) || slices.ContainsFunc(t.dir.Rejected(), func(r bus.Rejected) bool { return others(r.Card) })
}

// withdraw takes it off the bus.
func (d *savedDesk) withdraw() {
	if d.service != nil {
		d.service.Stop()
		d.service = nil
	}
}

// deskOf is the place of a saved tool. The error says that its parameters cannot be understood.
func (t *Team) deskOf(tool bus.SavedTool) (*savedDesk, error) {
	var names []string
	for _, s := range tool.Steps {
		names = append(names, s.ToolName)
	}
	d := &savedDesk{tool: tool, desk: &desk{
		agent: configs.Agent{Name: tool.Name, Tools: names, Mode: string(bus.React)}, dir: t.dir, taking: t.taking, mind: rote{tool},
		slots: t.saved.slots, evidence: t.evidence.Load, reader: &t.reader, rote: true,
	}}
	if len(tool.Parameters) > 0 {
		var err error
		if d.parameters, err = bus.CompileSchema(tool.Parameters, true); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// incomingSaved takes a call of a saved tool. Only a call inside a task has a log that somebody lists and removes, so others are refused.
func (t *Team) incomingSaved(d *savedDesk, in *bus.Incoming) {
	if r := in.Request; len(r.Path) == 0 || r.Parent == "" {
		t.deny(in, bus.CodeForbidden, "the saved tool %s takes calls from agents only (path and parent say who calls); from outside, submit a task that asks for it", d.tool.Name)
		return
	}
	if err := d.holds(in.Request.Parameter); err != nil {
		t.deny(in, bus.CodeInvalidParameter, "the arguments of %s do not hold its schema: %v", d.tool.Name, err)
		return
	}
	t.begin(d.desk, in)
}

// holds is an error when arguments do not hold the parameters.
func (d *savedDesk) holds(arguments json.RawMessage) error {
	if len(bytes.TrimSpace(arguments)) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return err
	}
	if d.parameters == nil {
		if fields, ok := v.(map[string]any); !ok || len(fields) > 0 {
			return errors.New("it takes none")
		}
		return nil
	}
	if err := d.parameters.Validate(v); err != nil { // many lines
		return errors.New(clip(strings.Join(strings.Fields(err.Error()), " "), 400))
	}
	return nil
}

// withdrawSaved takes saved tools off the bus: all, or those that another node serves as well.
func (t *Team) withdrawSaved(all bool, elsewhere map[string]bool) {
	t.saved.mu.Lock()
	defer t.saved.mu.Unlock()
	for name, d := range t.saved.by {
		if d.service != nil && (all || elsewhere[name]) {
			d.service.Stop() // again is harmless; it is not offered again
		}
	}
}

// rote is the mind of a saved tool: it wants the steps, all at once, and when they have ended, their result.
type rote struct{ tool bus.SavedTool }

// Think gives the steps in the first round. It is asked again only when one of them did not work out, or a person steered, which changes nothing here.
func (m rote) Think(_ context.Context, v *View) (Thought, error) {
	w := sayer(v.Language)
	if len(v.Rounds) == 0 {
		if err := m.offered(v); err != nil {
			return Thought{}, err
		}
		actions, err := m.tool.Bind(v.Request.Parameter)
		if err != nil {
			return Thought{}, &bus.Error{Code: bus.CodeInvalidParameter, Message: m.tool.Name + ": " + err.Error()}
		}
		return Thought{Actions: actions, Thought: fmt.Sprintf(w("存下的工具 %s（第 %d 版）：%d 步。", "The saved tool %s, version %d: %d steps."), m.tool.Name, m.tool.Version, len(m.tool.Steps))}, nil
	}
	brought := map[string]json.RawMessage{}
	for _, a := range v.Rounds[0].Acts {
		switch {
		case a.Result == nil || a.ToolName == round.Finish:
			continue
		case a.Result.Status == bus.OK:
			brought[a.ID] = a.Result.Observation
			continue
		}
		e := &bus.Error{Code: bus.CodeInternal, Message: string(a.Result.Status)}
		if a.Result.Error != nil {
			*e = *a.Result.Error
		}
		e.Message = fmt.Sprintf(w("存下的工具 %s 的步骤 %s（%s）：", "step %[2]s (%[3]s) of the saved tool %[1]s: "), m.tool.Name, a.ID, a.ToolName) + e.Message
		return Thought{}, e
	}
	result, ok := m.tool.Result(brought)
	if !ok {
		return Thought{}, &bus.Error{Code: bus.CodeInternal, Message: fmt.Sprintf(w("存下的工具 %s 没有做完就被放下了", "%s was put aside before it was done"), m.tool.Name)}
	}
	return Thought{Actions: []bus.Action{{ToolName: round.Finish, Parameter: slices.Concat([]byte(`{"answer":`), result, []byte("}"))}}}, nil
}

// offered is an error when a step must not run: its tool is not there, is left out for this request, or does more now than when this was saved.
func (m rote) offered(v *View) error {
	w := sayer(v.Language)
	for _, s := range m.tool.Steps {
		i := slices.IndexFunc(v.Cards, func(c bus.Card) bool { return c.Name == s.ToolName })
		switch {
		case i < 0:
			return &bus.Error{Code: bus.CodeUnavailable, Message: fmt.Sprintf(w("存下的工具 %[1]s 不能运行：步骤 %[2]s 要用的 %[3]s 没有了，或这次请求不许用；用 hmap tools test %[1]s 查看", "the saved tool %[1]s cannot run: its step %[2]s wants %[3]s, which is gone, or left out of this request; see hmap tools test %[1]s"),
				m.tool.Name, s.ID, s.ToolName)}
		case bus.Stronger(round.EffectOf(&v.Cards[i]), m.tool.Effect):
			return &bus.Error{Code: bus.CodeForbidden, Message: fmt.Sprintf(w("存下的工具 %[1]s 不能运行：存的时候它是 %[2]s，而步骤 %[4]s 的 %[3]s 现在是 %[5]s；请看过后重新存：hmap tools edit %[1]s FILE",
				"the saved tool %[1]s cannot run: it was saved as %[2]s, and %[3]s of its step %[4]s is %[5]s now; look at it and save it again: hmap tools edit %[1]s FILE"),
				m.tool.Name, m.tool.Effect, s.ToolName, s.ID, round.EffectOf(&v.Cards[i]))}
		}
	}
	return nil
}
