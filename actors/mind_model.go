package actors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
)

// thinker is the mind that asks a language model. The planner's index keeps what it is shown short: only the tools that fit.
type thinker struct {
	model   *model.Client
	prompts *prompts.Set
	limits  configs.Limits

	mu    sync.Mutex
	notes map[string]note // by session
}

// note is what is left of the turns of a session that no longer fit: a text about all up to that of a task.
type note struct{ task, text string }

const (
	thoughtLimit = 200 // characters, said in the prompt
	offered      = 12  // how many of the tools that fit best are shown
	maxNotes     = 512 // sessions whose notes are kept
)

// Think asks the model for the next round.
func (t *thinker) Think(ctx context.Context, v *View) (Thought, error) {
	p, used, err := t.prompt(ctx, v)
	if err != nil {
		return Thought{}, err
	}
	var out Thought
	for try := 0; ; try++ {
		r, err := t.model.Ask(ctx, p)
		used = used.Add(r.Usage)
		if err != nil {
			return Thought{Usage: used}, err
		}
		out.Thought, out.Critique, out.Answer, out.Model = r.Thought, r.Critique, r.Answer, r.Model
		if r.Plan != nil {
			out.Plan = r.Plan
		}
		var planned []model.Called
		out.Actions, planned = t.split(r.Actions, &out)
		if len(out.Actions) > 0 || out.Answer != "" || len(planned) == 0 || try == 2 {
			break
		}
		// It made a plan and stopped there: take it down, and let it begin.
		p.Messages = append(p.Messages, model.Message{Role: "assistant", Text: r.Thought, Actions: planned})
		for _, c := range planned {
			p.Messages = append(p.Messages, model.Message{Role: "tool", CallID: c.ID, Name: c.ToolName, Text: "ok"})
		}
	}
	if len(out.Actions) == 0 && out.Answer == "" {
		if out.Thought == "" {
			return Thought{Usage: used}, &bus.Error{Code: bus.CodeModel, Message: "the model made plans and never began; try another model or mode react"}
		}
		out.Answer = out.Thought
	}
	if v.Mode == bus.Plan {
		assign(out.Actions, v.Plan, out.Plan)
	}
	out.Usage = used
	return out, nil
}

// assign gives actions that do not say which step they carry out the steps that can start, in order: an agent's only argument is
// its job, so a model has no place to say it.
func assign(actions []bus.Action, old, made *bus.PlanBody) {
	p := made
	if p == nil {
		p = old
	}
	if p == nil {
		return
	}
	stands := map[string]bus.StepStatus{}
	if old != nil {
		for _, s := range old.Steps {
			stands[s.ID] = s.Status
		}
	}
	var ready []string
	for _, s := range p.Steps {
		waits := slices.ContainsFunc(s.After, func(id string) bool { return stands[id] != bus.StepCompleted })
		taken := slices.ContainsFunc(actions, func(a bus.Action) bool { return a.Step == s.ID })
		if now := stands[s.ID]; !waits && !taken && (now == "" || now == bus.NotStarted || now == bus.StepFailed) {
			ready = append(ready, s.ID)
		}
	}
	for i := range actions {
		a := &actions[i]
		if a.Step == "" && a.ToolName != round.AskUser && a.ToolName != round.Finish && len(ready) > 0 {
			a.Step, ready = ready[0], ready[1:]
		}
	}
}

// split takes the reserved tool plan out of the actions, and the step that an action belongs to out of its arguments.
func (t *thinker) split(actions []bus.Action, out *Thought) (rest []bus.Action, planned []model.Called) {
	for i, a := range actions {
		if a.ToolName == planTool {
			planned = append(planned, model.Called{ID: fmt.Sprintf("plan-%d", i), ToolName: planTool, Arguments: a.Parameter})
			if p, err := planOf(a.Parameter); err == nil {
				out.Plan = p
			}
			continue
		}
		a.Parameter, a.Step = takeStep(a.Parameter, a.Step)
		rest = append(rest, a)
	}
	return rest, planned
}

func (t *thinker) prompt(ctx context.Context, v *View) (model.Prompt, bus.Usage, error) {
	turns, notes, used := t.remember(ctx, v)
	known := []string{}
	for _, s := range []string{v.Request.Context, notes} {
		if s != "" {
			known = append(known, s)
		}
	}
	if v.Plan != nil {
		known = append(known, planText(*v.Plan))
	}
	system, err := t.prompts.Text(v.Language, v.Agent.Prompt, prompts.Vars{
		Name: v.Agent.Name, Title: v.Agent.Title[v.Language], Description: strings.TrimSpace(v.Agent.Description),
		Date: v.Now.Format("2006-01-02 Monday"), Task: v.Request.JobDesc, Context: strings.Join(known, "\n\n"),
		Files: memory.Files([]memory.Turn{{Files: v.Request.Files}}), Mode: string(v.Mode), ThoughtLimit: thoughtLimit,
	})
	if err != nil {
		return model.Prompt{}, used, &bus.Error{Code: bus.CodeInternal, Message: err.Error()}
	}
	p := model.Prompt{System: system, Language: v.Language, OnDelta: v.Live, Tools: t.offer(v)}
	for _, turn := range turns {
		p.Messages = append(p.Messages, model.Message{Role: "user", Text: turn.Request})
		if turn.Answer != "" {
			p.Messages = append(p.Messages, model.Message{Role: "assistant", Text: turn.Answer})
		}
	}
	p.Messages = append(p.Messages, model.Message{Role: "user", Text: v.Request.JobDesc})
	p.Messages = append(p.Messages, transcript(v, t.limits.Observe)...)
	return p, used, nil
}

// offer is the tools that are shown: few enough to be read, those that fit the request best, and those used already.
func (t *thinker) offer(v *View) []bus.Card {
	if len(v.Rounds) == 0 && len(v.Turns) == 0 && plan.SmallTalk(v.Request.JobDesc) {
		return nil
	}
	cards := v.Cards
	if len(cards) > 2*offered {
		names := map[string]bool{}
		for _, s := range v.Index.Find(v.Request.JobDesc+"\n"+v.Request.Context, offered) {
			names[s.Card.Name] = true
		}
		for _, r := range v.Rounds {
			for _, a := range r.Acts {
				names[a.ToolName] = true
			}
		}
		cards = slices.DeleteFunc(slices.Clone(cards), func(c bus.Card) bool { return !names[c.Name] })
	}
	if v.Mode == bus.Plan && len(cards) > 0 {
		cards = append(withSteps(cards), planCard)
	}
	return cards
}

// transcript is the rounds so far as messages: each call beside its result, equal results once, long ones shortened.
func transcript(v *View, observe int) []model.Message {
	var messages []model.Message
	seen := map[string]string{}
	for _, r := range v.Rounds {
		m := model.Message{Role: "assistant", Text: r.Thought}
		var results []model.Message
		for _, a := range r.Acts {
			called := model.Called{ID: a.Child, ToolName: a.ToolName, Arguments: a.Parameter}
			if a.JobDesc != "" {
				called.Arguments = jobArguments(a.JobDesc)
			}
			m.Actions = append(m.Actions, called)
			results = append(results, model.Message{Role: "tool", CallID: a.Child, Name: a.ToolName, Text: observation(a, observe, seen)})
		}
		if len(r.Acts) == 0 && r.Answer != "" {
			m.Text = r.Answer
		}
		messages = append(append(messages, m), results...)
	}
	for _, wish := range v.Steering {
		messages = append(messages, model.Message{Role: "user", Text: wish})
	}
	return messages
}

func observation(a Acted, observe int, seen map[string]string) string {
	switch {
	case a.Running:
		return "(still running; its result comes later, do not call it again)"
	case a.Result == nil:
		return "(put aside: not carried out)"
	case a.Result.Status != bus.OK && a.Result.Error != nil:
		return "error " + a.Result.Error.Code + ": " + memory.Shorten(a.Result.Error.Message, observe)
	}
	text := round.Text(a.Result.Observation)
	if text == "" {
		text = "(" + string(a.Result.Status) + ", no observation)"
	}
	if len(text) > 200 {
		if first, again := seen[text]; again {
			return "(the same as the result of " + first + ")"
		}
		seen[text] = a.Child
	}
	return memory.Shorten(text, observe)
}

func jobArguments(job string) json.RawMessage {
	raw, err := json.Marshal(map[string]string{"job_desc": job})
	if err != nil {
		return nil // strings always encode
	}
	return raw
}

// remember is the turns that fit, and a note about those before them: written by the model once and kept as long as it holds.
func (t *thinker) remember(ctx context.Context, v *View) ([]memory.Turn, string, bus.Usage) {
	older, recent := memory.Fit(v.Turns, t.limits.History, model.CountTokens)
	if len(older) == 0 {
		return recent, "", bus.Usage{}
	}
	t.mu.Lock()
	n := t.notes[v.Request.Session]
	t.mu.Unlock()
	last := older[len(older)-1].Task
	if n.task == last {
		return recent, n.text, bus.Usage{}
	}
	// What the note tells of is not told again; turns that it knows and the conversation has lost are only in the note.
	known := slices.IndexFunc(older, func(turn memory.Turn) bool { return turn.Task == n.task })
	text := strings.TrimSpace(n.text + "\n" + memory.Digest(older[known+1:], 4*t.limits.History))
	prompt, err := t.prompts.Text(v.Language, "shorten", prompts.Vars{Text: text})
	if err != nil {
		return recent, "", bus.Usage{}
	}
	r, err := t.model.Ask(ctx, model.Prompt{Language: v.Language, Messages: []model.Message{{Role: "user", Text: prompt}}})
	if err != nil { // without it the oldest turns are simply forgotten
		return recent, "", r.Usage
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notes == nil || len(t.notes) >= maxNotes {
		t.notes = map[string]note{}
	}
	t.notes[v.Request.Session] = note{last, r.Answer}
	return recent, r.Answer, r.Usage
}

// The reserved tool plan, for models that call functions in mode plan.
const planTool = "plan"

var planCard = bus.Card{
	Name: planTool, Kind: "tool", Effect: bus.Read,
	Description: "Write down or change the plan: all steps with what they depend on. Call it together with the first steps that can start; give their step ids as plan_step.",
	Parameters: json.RawMessage(`{"type":"object","required":["title","steps"],"properties":{"title":{"type":"string"},"steps":{"type":"array","items":{"type":"object","required":["id","title"],"properties":{
		"id":{"type":"string"},"title":{"type":"string"},"after":{"type":"array","items":{"type":"string"}},"note":{"type":"string"}}}}}}`),
}

func planOf(raw json.RawMessage) (*bus.PlanBody, error) {
	var p bus.PlanBody
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, err
	}
	if len(p.Steps) == 0 {
		return nil, errors.New("no steps")
	}
	return &p, nil
}

func planText(p bus.PlanBody) string {
	var b strings.Builder
	b.WriteString(p.Title)
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "\n- [%s] %s %s", s.Status, s.ID, s.Title)
	}
	return b.String()
}

// withSteps adds the argument plan_step to tools, so that a model can say which step a call belongs to.
func withSteps(cards []bus.Card) []bus.Card {
	out := slices.Clone(cards)
	for i := range out {
		if out[i].IsAgent() {
			continue
		}
		var schema map[string]json.RawMessage
		var properties map[string]json.RawMessage
		if json.Unmarshal(out[i].Parameters, &schema) != nil || json.Unmarshal(schema["properties"], &properties) != nil || properties == nil {
			continue
		}
		properties["plan_step"] = json.RawMessage(`{"type":"string","description":"id of the plan's step that this call carries out"}`)
		var err error
		if schema["properties"], err = json.Marshal(properties); err != nil {
			continue
		}
		if raw, err := json.Marshal(schema); err == nil {
			out[i].Parameters = raw
		}
	}
	return out
}

func takeStep(parameter json.RawMessage, step string) (json.RawMessage, string) {
	var m map[string]json.RawMessage
	if !strings.Contains(string(parameter), "plan_step") || json.Unmarshal(parameter, &m) != nil {
		return parameter, step
	}
	raw, ok := m["plan_step"]
	if !ok {
		return parameter, step
	}
	delete(m, "plan_step")
	if step == "" {
		step = round.Text(raw)
	}
	rest, err := json.Marshal(m)
	if err != nil {
		return parameter, step
	}
	return rest, step
}
