package round

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// act says what a released action that has not ended needs next: a record, or its call.
func (s *State) act(n *Round, a *Act, t Terms) (*bus.Record, *Call) {
	say := t.words()
	if a.fault != "" {
		return s.fail(n, a, bus.CodeInvalidParameter, a.fault), nil
	}
	if key := a.key(); t.Running != nil && t.Running(key) { // what speaks against it was asked before it began
		return nil, &Call{Key: key}
	}
	f := n.filled(a)
	parameter, job, fault := f.parameter, f.job, f.fault
	switch {
	case fault != nil:
		return s.fail(n, a, fault.Code, fault.Message), nil
	case a.ToolName == AskUser:
		return s.askUser(n, a, parameter, t), nil
	case a.ToolName == Finish:
		return s.finish(n, a, parameter), nil
	case a.intentSeq != 0:
		return s.goOn(n, a, parameter, job, t)
	case s.times(a, f) >= maxRepeats:
		return s.fail(n, a, bus.CodeRepeated, say.repeated(a.ToolName, maxRepeats)), nil
	}
	card := t.Card(a.ToolName)
	if card == nil {
		return s.fail(n, a, bus.CodeUnknownTool, say.unknown(a.ToolName, t.Names())), nil
	}
	if card.IsAgent() {
		fault = s.mayAsk(n, a, say)
	} else if t.Check != nil {
		fault = t.Check(card, parameter)
	}
	if fault != nil {
		return s.fail(n, a, fault.Code, fault.Message), nil
	}
	if card.NeedsApproval() {
		said, answered := a.said[a.Child]
		if !answered {
			return s.mayWe(n, a, card, t), nil
		}
		if said.Kind != bus.Approve {
			return s.fail(n, a, refusal(said), say.refused(said)), nil
		}
	}
	if effect := EffectOf(card); effect != bus.Read {
		return s.intent(n, a, effect, parameter, job), nil
	}
	return nil, s.call(n, a, card, parameter, job, t)
}

// mayAsk says what is against asking another agent.
func (s *State) mayAsk(n *Round, a *Act, say words) *bus.Error {
	path := append(slices.Clone(s.Request.Path), s.Agent)
	depth := s.budget().Depth
	switch {
	case slices.Contains(path, a.ToolName):
		return &bus.Error{Code: bus.CodeForbidden, Message: say.cycle(strings.Join(append(path, a.ToolName), " → "))}
	case depth > 0 && len(path)+1 > depth:
		return &bus.Error{Code: bus.CodeBudget, Message: say.depth(depth)}
	case strings.TrimSpace(a.JobDesc) == "":
		return &bus.Error{Code: bus.CodeInvalidParameter, Message: say.noJob(a.ToolName)}
	case s.starved(n):
		return &bus.Error{Code: bus.CodeBudget, Message: say.noShare()}
	}
	return nil
}

// goOn says what an action needs for which an intent stands in the log. What was asked for once is followed to its end whatever
// has become of the card: the call under the same id, or, when nobody knows whether an unsafe effect happened, a person's word.
func (s *State) goOn(n *Round, a *Act, parameter json.RawMessage, job string, t Terms) (*bus.Record, *Call) {
	card := s.card(a, t)
	if a.effect == bus.Unsafe && (a.intentSeq < s.claimed || a.doubted == a.intentSeq) {
		said, answered := a.said[doubtID(a.Child, a.intentSeq)]
		switch {
		case !answered:
			return s.doubt(n, a, card, parameter, job, t), nil
		case said.Kind == bus.Approve:
			return s.intent(n, a, a.effect, parameter, job), nil
		}
		return s.fail(n, a, bus.CodeInDoubt, t.words().inDoubt(said)), nil
	}
	return nil, s.call(n, a, card, parameter, job, t)
}

// card is the card of what an action calls, or what is known of it when it has gone.
func (s *State) card(a *Act, t Terms) *bus.Card {
	if card := t.Card(a.ToolName); card != nil {
		return card
	}
	return &bus.Card{Name: a.ToolName, Kind: "tool", Effect: a.effect}
}

// doubt is the question whether to run an unsafe call again that may have had its effect.
func (s *State) doubt(n *Round, a *Act, card *bus.Card, parameter json.RawMessage, job string, t Terms) *bus.Record {
	return s.ask(n, a, bus.Ask{
		ID: doubtID(a.Child, a.intentSeq), Kind: bus.Approval, Question: t.words().clearly(a.unclear) + t.words().doubt(card, parameter, job), ToolName: a.ToolName, Arguments: parameter,
	}, t)
}

// EffectOf is what a card promises. A tool that is silent promises nothing; an agent of the house answers a repeated call from
// its log, so only one that says so is unsafe.
func EffectOf(c *bus.Card) bus.Effect {
	switch {
	case c.IsAgent() && c.Effect != bus.Unsafe:
		return bus.Read
	case c.Effect == bus.Read, c.Effect == bus.Idempotent:
		return c.Effect
	}
	return bus.Unsafe
}

// The ids of asks: an action's own is its child id; these follow the child id in the others.
const (
	againInfix = "-again-" // in doubt; then the sequence of the intent
	asksInfix  = "-asks-"  // the callee's, when it gave no id that can only be its own; then a number
)

func doubtID(child string, intent uint64) string {
	return own(child) + againInfix + strconv.FormatUint(intent, 10)
}

// own is the child id as the beginning of the ids of its asks, which are tokens too.
func own(child string) string {
	return bus.ShortID(child, len(againInfix)+20) // a sequence has at most 20 digits
}

// times counts the calls of the same tool with the same arguments that stand before a, which asks for f.
func (s *State) times(a *Act, f *filled) int {
	count := 0
	for _, n := range s.Rounds {
		for _, other := range n.Acts {
			if other == a {
				return count
			}
			aside := !other.released && n.closed
			if other.ToolName != a.ToolName || other.fault != "" || aside {
				continue
			}
			if n.filled(other).arguments == f.arguments {
				count++
			}
		}
	}
	return count
}

func (s *State) call(n *Round, a *Act, card *bus.Card, parameter json.RawMessage, job string, t Terms) *Call {
	r := bus.Request{
		HMAP: bus.Version, Session: s.Session, Task: s.Task, Call: a.Child, Parent: s.Call, Caller: s.Agent,
		ToolName: a.ToolName, JobDesc: job, Parameter: parameter, TrustMode: a.TrustMode, Deadline: s.deadline(t.Now),
		Path: append(slices.Clone(s.Request.Path), s.Agent), Input: a.forward, Intent: a.intentSeq, Present: a.present,
		Language: t.Language, Files: s.files(), DisableTools: s.Request.DisableTools, MCPServers: s.Request.MCPServers,
		StreamMode: s.Request.StreamMode,
	}
	if card.IsAgent() {
		if t.Context != nil {
			r.Context = t.Context()
		}
		grant := n.Grant
		r.Budget = &grant
		if !r.Deadline.IsZero() {
			r.Budget.Seconds = max(r.Deadline.Sub(t.Now).Seconds(), 0.001)
		}
	}
	timeout := card.Timeout
	if timeout == 0 && !card.IsAgent() {
		timeout = time.Minute
	}
	if d := t.Now.Add(timeout); timeout > 0 && (r.Deadline.IsZero() || d.Before(r.Deadline)) {
		r.Deadline = d
	}
	return &Call{Key: a.key(), Request: r, Card: card}
}

// key tells the calls of an action apart: after an answer of the person, and after a new intent, it is another one.
func (a *Act) key() string {
	key := a.Child
	if a.forward != nil {
		key += "+" + strconv.FormatUint(a.heard, 10)
	}
	if a.intentSeq != 0 {
		key += "@" + strconv.FormatUint(a.intentSeq, 10)
	}
	return key
}

// refusal is the error code for an ask that was not answered with yes.
func refusal(in bus.Input) string {
	if in.Kind == bus.Expire {
		return bus.CodeExpired
	}
	return bus.CodeForbidden
}

// askUser carries out the reserved tool of that name.
func (s *State) askUser(n *Round, a *Act, parameter json.RawMessage, t Terms) *bus.Record {
	said, answered := a.said[a.Child]
	if answered {
		switch said.Kind {
		case bus.Answer, bus.Approve:
			text := said.Text
			if text == "" {
				text = string(said.Kind)
			}
			return s.ended(n, a, bus.OK, JSONText(text), nil)
		}
		return s.fail(n, a, refusal(said), t.words().refused(said))
	}
	var p struct {
		Question  string   `json:"question"`
		Options   []string `json:"options"`
		Parameter string   `json:"parameter"`
		ToolName  string   `json:"tool_name"`
	}
	if err := json.Unmarshal(parameter, &p); err != nil || strings.TrimSpace(p.Question) == "" {
		return s.fail(n, a, bus.CodeInvalidParameter, t.words().noQuestion())
	}
	return s.ask(n, a, bus.Ask{ID: a.Child, Kind: bus.Question, Question: p.Question, Options: p.Options, Parameter: p.Parameter, ToolName: p.ToolName}, t)
}

// finish carries out the reserved tool of that name, once everything else has ended. It is put aside when there is something that
// the mind did not know of when it wanted to finish.
func (s *State) finish(n *Round, a *Act, parameter json.RawMessage) *bus.Record {
	if s.unseen() || s.steered() {
		return s.ended(n, a, bus.Cancelled, nil, nil)
	}
	if slices.ContainsFunc(s.running(), func(other *Act) bool { return other.ToolName != Finish }) {
		return nil
	}
	var p struct {
		Answer json.RawMessage `json:"answer"`
	}
	if json.Unmarshal(parameter, &p) != nil || len(p.Answer) == 0 {
		p.Answer = JSONText(n.Thought)
	}
	return s.respond(p.Answer)
}

// Settle is the record for what a callee answered: its result, the question it has for the person, or, when an unsafe effect may
// or may not have happened, the question what to do. nil: nobody waits for that any more.
func (s *State) Settle(child string, r bus.Response, took time.Duration, t Terms) *bus.Record {
	n, a := s.owner(child)
	if a == nil || a.Result != nil || s.Ended() {
		return nil
	}
	if r.Status == bus.InputRequired {
		ask := bus.Ask{Kind: bus.Question, Question: Text(r.Observation)}
		if r.Ask != nil {
			ask = *r.Ask
		}
		ask.Own = ""
		// An id that another ask may have would let an answer to one count for the other.
		if !bus.ValidToken(ask.ID) || !strings.HasPrefix(ask.ID, child+"-") || strings.HasPrefix(ask.ID, own(child)+againInfix) || strings.HasPrefix(ask.ID, own(child)+asksInfix) {
			if bus.ValidToken(ask.ID) { // nothing else can be sent back
				ask.Own = ask.ID
			}
			ask.ID = own(child) + asksInfix + strconv.Itoa(len(a.said))
		}
		return s.ask(n, a, ask, t)
	}
	e := r.Error
	if e == nil && r.Status != bus.OK && r.Status != bus.Cancelled {
		e = &bus.Error{Code: bus.CodeInternal, Message: "failed without saying why"}
	}
	// A word about this attempt says nothing about one before it whose outcome nobody heard.
	if r.Status != bus.OK && a.intentSeq != 0 && a.effect == bus.Unsafe && (a.intents > 1 || doubtful(e)) {
		f := n.filled(a)
		return s.doubt(n, a, s.card(a, t), f.parameter, f.job, t)
	}
	rec := s.ended(n, a, r.Status, compact(r.Observation), e)
	rec.Files, rec.Millis = r.Files, took.Milliseconds()
	if rec.Status != bus.OK && rec.Status != bus.Cancelled {
		rec.Status = bus.Failed
	}
	if u := r.Usage; u != nil && min(u.InputTokens, u.OutputTokens, u.Rounds, u.Calls) >= 0 && max(u.InputTokens, u.OutputTokens, u.Rounds, u.Calls) <= maxUsed && u.Money >= 0 && u.Money <= maxUsed { // nobody gives budget back, nor by so much that sums of it overflow
		rec.Usage = u
	}
	return rec
}

// maxUsed is the most of anything that one call can have used: more is a lie, and not counted.
const maxUsed = 1_000_000_000_000

// doubtful reports whether a failure leaves open whether the call had its effect. These codes say that it was not begun, or how it
// came out; an unknown code says nothing. Unavailable is retryable only when nobody took the call.
func doubtful(e *bus.Error) bool {
	switch {
	case e == nil:
		return true
	case e.Code == bus.CodeUnavailable:
		return !e.Retryable
	}
	return !slices.Contains([]string{
		bus.CodeInvalidParameter, bus.CodeInvalidRequest, bus.CodeUnknownTool, bus.CodeForbidden, bus.CodeBusy, bus.CodeUnsupported,
		bus.CodeBudget, bus.CodeRepeated, bus.CodeModel, bus.CodeExpired, bus.CodeFailed, bus.CodeChanged,
	}, e.Code)
}

// compact is an observation as the log keeps it. What is no JSON is kept as text.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) == nil {
		return b.Bytes()
	}
	return JSONText(string(raw))
}

func (s *State) owner(child string) (*Round, *Act) {
	for _, n := range s.Rounds {
		for _, a := range n.Acts {
			if a.Child == child {
				return n, a
			}
		}
	}
	return nil, nil
}
