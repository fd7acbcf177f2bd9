package actors

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/prompts"
)

const (
	thoughtLimit = 200 // characters, said in the prompt
	maxNotes     = 512 // sessions whose notes are kept
)

// prompt is what the agent's model is asked for the next round. advice is what the planner would do; may be empty. notes are what is
// left of the turns that no longer fit.
func (t *thinker) prompt(v *View, turns []memory.Turn, notes, advice string) (model.Prompt, error) {
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
	if err == nil && advice != "" { // behind all that stays the same, which some endpoints then need not read again
		var text string
		text, err = t.prompts.Text(v.Language, "advice", prompts.Vars{Text: advice})
		system += "\n\n" + text
	}
	if err != nil {
		return model.Prompt{}, &bus.Error{Code: bus.CodeInternal, Message: err.Error()}
	}
	p := model.Prompt{System: system, Language: v.Language, OnDelta: v.Live, Tools: offer(v)}
	for _, turn := range turns {
		p.Messages = append(p.Messages, model.Message{Role: "user", Text: turn.Request})
		if turn.Answer != "" {
			p.Messages = append(p.Messages, model.Message{Role: "assistant", Text: turn.Answer})
		}
	}
	p.Messages = append(p.Messages, model.Message{Role: "user", Text: v.Request.JobDesc})
	p.Messages = append(p.Messages, transcript(v, t.limits.Observe)...)
	return p, nil
}

// transcript is the rounds so far as messages: each call beside its result, equal results once, long ones shortened.
func transcript(v *View, observe int) []model.Message {
	var messages []model.Message
	seen := map[string]string{}
	for i, r := range v.Rounds {
		m := model.Message{Role: "assistant", Text: r.Thought}
		var results []model.Message
		for _, a := range r.Acts {
			called := model.Called{ID: a.Child, ToolName: a.ToolName, Arguments: a.Parameter}
			if a.JobDesc != "" {
				called.Arguments = jobArguments(a.JobDesc)
			}
			if i < len(v.Rounds)-wholeRounds {
				called.Arguments = abridged(called.Arguments)
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
	return memory.Shorten(fewerRows(text), observe)
}

func jobArguments(job string) json.RawMessage {
	raw, err := json.Marshal(map[string]string{"job_desc": job})
	if err != nil {
		return nil // strings always encode
	}
	return raw
}

// notebook keeps the notes of sessions. The zero value is empty. Safe for concurrent use.
type notebook struct {
	mu sync.Mutex
	of map[string]note // by session
}

// note is what is left of the turns of a session that no longer fit: a text about all up to that of a task.
type note struct{ task, text string }

func (b *notebook) get(session string) note {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.of[session]
}

func (b *notebook) put(session string, n note) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil || len(b.of) >= maxNotes {
		b.of = map[string]note{}
	}
	b.of[session] = n
}

// remember is the turns that fit, and a note about those before them: written by a model once and kept as long as it holds.
func (t *thinker) remember(ctx context.Context, v *View) ([]memory.Turn, string, bus.Usage) {
	older, recent := memory.Fit(v.Turns, t.limits.History, model.CountTokens)
	if len(older) == 0 {
		return recent, "", bus.Usage{}
	}
	n := t.notes.get(v.Request.Session)
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
	asked := t.model
	if t.small.shorten != nil {
		asked = t.small.shorten
	}
	r, err := asked.Ask(ctx, model.Prompt{Language: v.Language, Messages: []model.Message{{Role: "user", Text: prompt}}})
	if err != nil { // without it the oldest turns are simply forgotten
		return recent, "", r.Usage
	}
	t.notes.put(v.Request.Session, note{last, r.Answer})
	return recent, r.Answer, r.Usage
}
