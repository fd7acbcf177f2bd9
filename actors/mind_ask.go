package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/prompts"
)

const (
	// corrections is how often what a model wants goes back to it in one round, with the reason; once only when the round has cost as much as
	// correctionTokens by then, and not at all in a call in which it did not help before. Each time the whole prompt is sent again.
	corrections      = 2
	correctionTokens = 12_000
)

// dialogue is one round as it is asked of a model, until what it wants may run.
type dialogue struct {
	t     *thinker
	v     *View
	p     model.Prompt
	known func() *known // gathered when it is first wanted
	out   Thought
	// refused is what went back and why; unasked are the changes of which the model was told that nobody asked for them.
	refused []string
	unasked map[string]bool
	sent    int  // how often something went back
	doubted bool // its answer went back
	last    bool // what it says now does not go back
}

// ask asks the agent's model. Nothing of what it wants runs before all of it is found right.
func (t *thinker) ask(ctx context.Context, v *View, advice string) (Thought, error) {
	turns, notes, used := t.remember(ctx, v)
	p, err := t.prompt(v, turns, notes, advice)
	if err != nil {
		return Thought{Usage: used}, err
	}
	q := &dialogue{t: t, v: v, p: p, known: sync.OnceValue(func() *known { return knownTo(v, notes) }), unasked: map[string]bool{}}
	heard := &listener{to: v.Live}
	q.p.OnDelta = heard.say
	for try := 0; ; try++ {
		r, err := t.model.Ask(ctx, q.p)
		if used = used.Add(r.Usage); err != nil {
			return Thought{Usage: used}, err
		}
		q.last = try == corrections || try > 0 && used.InputTokens+used.OutputTokens >= correctionTokens || t.helps.get(v.Request.Call).inVain
		settled, err := q.take(r, try)
		q.out.Usage = used
		switch {
		case err != nil:
			return Thought{Usage: used}, err
		case settled:
			q.finish()
			return q.out, nil
		}
		heard.void()
	}
}

// take takes a reply. Settled: it may be acted on; else the prompt says what is wrong with it.
func (q *dialogue) take(r model.Reply, try int) (settled bool, err error) {
	out := &q.out
	out.Thought, out.Critique, out.Answer, out.Model = r.Thought, r.Critique, r.Answer, r.Model
	if len(q.v.Rounds) == 0 {
		out.Critique = "" // there is nothing yet to judge
	}
	if r.Plan != nil {
		out.Plan = r.Plan
	}
	var planned []model.Called
	out.Actions, planned = split(r.Actions, out)
	switch {
	case len(out.Actions) > 0:
		return q.actions(try)
	case out.Answer != "":
		return q.answer()
	case len(planned) > 0 && !q.last:
		// It made a plan and stopped there: take it down, and let it begin.
		q.say(model.Message{Role: "assistant", Text: r.Thought, Actions: planned})
		for _, c := range planned {
			q.say(model.Message{Role: "tool", CallID: c.ID, Name: c.ToolName, Text: "ok"})
		}
		return false, nil
	case out.Thought != "":
		out.Answer = out.Thought
		return q.answer()
	}
	return false, &bus.Error{Code: bus.CodeModel, Message: "the model made plans and never began; try another model or mode react"}
}

// actions checks what the model wants to do, and sends it back when something is wrong with it.
func (q *dialogue) actions(try int) (settled bool, err error) {
	faults := audit(q.v, q.out.Actions, q.known)
	if len(faults) == 0 {
		q.out.checked = q.v.Index
		return true, nil
	}
	insists := true // on nothing but changes of which it was told already
	for _, f := range faults {
		insists = insists && f.unasked && q.unasked[q.out.Actions[f.action].ToolName]
	}
	q.refused = append(q.refused, memory.Shorten(faults[0].why, 160))
	if insists {
		q.consent(faults)
		return true, nil
	}
	if q.last {
		return q.instead(faults[0].why)
	}
	for _, f := range faults {
		if f.unasked {
			q.unasked[q.out.Actions[f.action].ToolName] = true
		}
	}
	q.back(try, faults)
	return false, nil
}

const (
	echoed     = 4   // how many of its own calls a model is shown again, beside what is wrong with them
	echoedText = 300 // characters of its thought and of each text in them
	toldWhy    = 600 // characters of a reason
)

// back tells the model what is wrong with its actions, as the results of the first of them, or of the list: it is told the reason, not all of
// its own words once more.
func (q *dialogue) back(try int, faults []fault) {
	q.sent++
	m := model.Message{Role: "assistant", Text: memory.Shorten(q.out.Thought, echoedText)}
	var results []model.Message
	for i, a := range q.out.Actions {
		at := slices.IndexFunc(faults, func(f fault) bool { return f.action == i || f.action < 0 && i == 0 })
		if at < 0 && len(m.Actions) >= echoed-1 || len(m.Actions) == echoed {
			continue
		}
		// Worded as the results of calls are, so that the model has one form of failure to learn.
		text := "(put aside: not carried out, since this answer was refused; call it again if it is still wanted)"
		if at >= 0 {
			text = "error " + faults[at].code + ": refused, nothing was run: " + memory.Shorten(faults[at].why, toldWhy)
		}
		c := model.Called{ID: fmt.Sprintf("again-%d-%d", try, i), ToolName: spelt(a.ToolName), Arguments: echo(a.Parameter)}
		if a.JobDesc != "" {
			c.Arguments = jobArguments(memory.Shorten(a.JobDesc, echoedText))
		}
		m.Actions = append(m.Actions, c)
		results = append(results, model.Message{Role: "tool", CallID: c.ID, Name: c.ToolName, Text: text})
	}
	if n := len(q.out.Actions) - len(m.Actions); n > 0 {
		results[len(results)-1].Text += fmt.Sprintf("\n(%d more calls of this answer were put aside, too)", n)
	}
	q.say(append([]model.Message{m}, results...)...)
}

// spelt is a name as servers take it in a call that they are told of: some refuse the whole request for a space in it.
func spelt(name string) string {
	if bus.ValidToken(name) {
		return name
	}
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r < utf8.RuneSelf && alnum(byte(unicode.ToLower(r))) {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), bus.MaxToken)]
}

// echo is arguments as they are shown again: long texts in them are cut, and what is then still long is left out.
func echo(arguments json.RawMessage) json.RawMessage {
	if len(arguments) <= echoedText {
		return arguments
	}
	given, _ := decoded(arguments).(map[string]any)
	for name, v := range given {
		if text, ok := v.(string); ok {
			given[name] = memory.Shorten(text, echoedText)
		}
	}
	short, err := json.Marshal(given)
	if err != nil || len(short) > 4*echoedText {
		return nil
	}
	return short
}

// consent deals with changes that nobody asked for and on which the model insists: those that need leave are asked for anyway, with a word on whose wish it is; in
// the place of any other the user is asked first.
func (q *dialogue) consent(faults []fault) {
	w := sayer(q.v.Language)
	for _, f := range faults {
		a := q.out.Actions[f.action]
		i := slices.IndexFunc(q.v.Cards, func(c bus.Card) bool { return c.Name == a.ToolName })
		if q.v.Cards[i].NeedsApproval() {
			q.out.Actions[f.action].Note = w("注意：您没有直接要求这一步，是模型提出来的。", "Note: you did not ask for this in so many words; the model proposes it.")
			continue
		}
		q.out.Actions = []bus.Action{askUser(bus.Ask{
			Question: leave(q.v, a),
			Options:  []string{w("是", "yes"), w("否", "no")}, ToolName: a.ToolName,
		})}
		return
	}
}

// instead takes what the planner would do, or answer, in the place of what the model does not get right. The planner's plan is held to what
// its plans are held to in a house without a model, and not to what a model's are.
func (q *dialogue) instead(why string) (settled bool, err error) {
	w := sayer(q.v.Language)
	h := q.t.helps.get(q.v.Request.Call)
	h.inVain = true
	q.t.helps.put(q.v.Request.Call, h)
	neither := ""
	if q.t.planner() {
		own := thoughtOf(q.v.Index.Think(inputOf(q.v)))
		if len(own.Actions) > 0 && len(q.v.Index.Check(own.Actions)) == 0 || len(own.Actions) == 0 && own.Answer != "" {
			own.Model = q.out.Model
			own.Critique = remarks(own.Critique, w("模型的计划不能执行，改用规划器的计划", "the model's plan cannot run; the planner's is taken"))
			q.out = own
			return true, nil
		}
		neither = ", and the planner has no plan of its own"
	}
	return false, &bus.Error{Code: bus.CodeModel, Message: fmt.Sprintf("the model wanted what cannot be done, %d× in a row%s: %s", len(q.refused), neither, why)}
}

// answer looks at an answer before anybody hears it. One that is no answer, or names what nobody knows, goes back, once in a round. When the
// model insists, the planner's plan takes the place of an empty promise, and of a refusal where the planner is sure of a way; what nobody knows
// is marked.
func (q *dialogue) answer() (settled bool, err error) {
	again := !q.doubted && !q.last
	switch idle, sure := q.idle(); {
	case idle && again:
		return false, q.doubt("idle", "", sayer(q.v.Language)("回答没有做任何事", "the answer does nothing"))
	case idle && sure && q.t.planner():
		return q.instead(q.out.Answer)
	case again && foreignTo(q.v.Language, q.out.Answer) && !tongues.MatchString(q.v.Request.JobDesc+q.v.Request.Context):
		return false, q.doubt("tongue", "", sayer(q.v.Language)("回答的语言不对", "the answer is in another language"))
	case !q.t.mind.Verify:
		return true, nil
	}
	var strange []string
	for _, id := range append(idsIn(q.out.Answer), linksIn(q.out.Answer)...) {
		if !q.known().holds(id) {
			strange = append(strange, id)
		}
	}
	if len(strange) == 0 {
		return true, nil
	}
	w := sayer(q.v.Language)
	list := strings.Join(strange[:min(len(strange), 5)], ", ")
	why := w("回答里的内容没有来源：", "in the answer, from nowhere: ") + list
	if again {
		return false, q.doubt("unfounded", list, why)
	}
	q.refused = append(q.refused, why)
	q.out.Answer += "\n\n" + fmt.Sprintf(w("（注意：%s 不在对话和任何结果里，请核实。）", "(Note: %s stands neither in the conversation nor in any result; please verify.)"), list)
	return true, nil
}

// idle reports whether an answer only promises what will be done, or declines what the planner knows a way for while nothing has been tried, or
// has done in the model's place. sure: the model shall not have the last word then.
func (q *dialogue) idle() (idle, sure bool) {
	switch {
	case promise(q.out.Answer):
		return len(q.p.Tools) > 0, true
	case !declining(q.out.Answer) || !q.t.planner():
		return false, false
	case q.t.helps.get(q.v.Request.Call).inVain:
		return true, true
	}
	return len(q.v.Rounds) == 0 && len(q.v.Index.Think(inputOf(q.v)).Actions) > 0, proposal(q.v) != ""
}

// doubt sends the answer back with the prompt of a name.
func (q *dialogue) doubt(prompt, text, why string) error {
	q.doubted = true
	q.sent++
	q.refused = append(q.refused, why)
	q.say(model.Message{Role: "assistant", Text: q.out.Answer}, model.Message{Role: "user", Text: q.t.text(q.v, prompt, text)})
	return nil
}

// say goes on with the conversation.
func (q *dialogue) say(messages ...model.Message) { q.p.Messages = append(q.p.Messages, messages...) }

// finish completes a thought that may be acted on.
func (q *dialogue) finish() {
	if q.v.Mode == bus.Plan {
		assign(q.out.Actions, q.v.Plan, q.out.Plan)
	}
	if len(q.refused) == 0 {
		return
	}
	w := sayer(q.v.Language)
	said, why := w("不能执行：", "refused: "), strings.Join(slices.Compact(q.refused), "; ")
	if q.sent > 0 {
		said = fmt.Sprintf(w("退回 %d 次：", "sent back %d×: "), q.sent)
	}
	q.out.Critique = remarks(q.out.Critique, said+why)
}

// text is a prompt about a text, in the language of the request.
func (t *thinker) text(v *View, name, text string) string {
	s, err := t.prompts.Text(v.Language, name, prompts.Vars{Text: text})
	if err != nil { // only when a template of the user's fails on this text
		return text
	}
	return s
}

// listener hands on what is being written, and takes it back when the model is asked anew.
type listener struct {
	to    func(channel, text string)
	begun []string // the channels on which something was said
}

func (l *listener) say(channel, text string) {
	if !slices.Contains(l.begun, channel) {
		l.begun = append(l.begun, channel)
	}
	l.to(channel, text)
}

// void takes back what was said: an empty text means that.
func (l *listener) void() {
	for _, channel := range l.begun {
		l.to(channel, "")
	}
	l.begun = nil
}
