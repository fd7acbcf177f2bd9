package round

import (
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
	switch a.ToolName {
	case AskUser:
		return s.askUser(n, a, t), nil
	case Finish:
		return s.finish(n, a), nil
	}
	card, ok := t.Card(a.ToolName)
	if !ok {
		return s.fail(n, a, bus.CodeUnknownTool, say.unknown(a.ToolName, t.Names())), nil
	}
	if card.IsAgent() {
		if slices.Contains(s.Request.Path, a.ToolName) || a.ToolName == s.Agent {
			return s.fail(n, a, bus.CodeForbidden, say.cycle(strings.Join(append(slices.Clone(s.Request.Path), s.Agent, a.ToolName), " → "))), nil
		}
		if depth := s.budget().Depth; depth > 0 && len(s.Request.Path)+2 > depth {
			return s.fail(n, a, bus.CodeBudget, say.depth(depth)), nil
		}
	}
	parameter, job, fault := n.fill(a)
	if fault == nil && !card.IsAgent() && t.Check != nil {
		fault = t.Check(card, parameter)
	}
	if fault != nil {
		return s.fail(n, a, fault.Code, fault.Message), nil
	}
	args := canonical(parameter) + job
	if a.intentSeq == 0 && s.times(a, args) >= maxRepeats {
		return s.fail(n, a, bus.CodeRepeated, say.repeated(a.ToolName, maxRepeats)), nil
	}
	if card.NeedsApproval() {
		said, answered := a.said[a.Child]
		if !answered {
			return s.ask(n, a, bus.Ask{ID: a.Child, Kind: bus.Approval, Question: say.mayI(card, parameter), ToolName: a.ToolName, Arguments: parameter}, t), nil
		}
		if yes := agreed(said); !yes {
			return s.fail(n, a, refusal(said), say.refused(said)), nil
		}
	}
	if effect := effectOf(card); effect != bus.Read {
		switch {
		case a.intentSeq == 0:
			return s.intent(n, a, card, parameter, job), nil
		case effect == bus.Unsafe && (a.intentSeq < s.claimed || a.doubted == a.intentSeq):
			id := doubtID(a.Child, a.intentSeq)
			said, answered := a.said[id]
			switch {
			case !answered:
				return s.ask(n, a, bus.Ask{ID: id, Kind: bus.Approval, Question: say.doubt(card, parameter), ToolName: a.ToolName, Arguments: parameter}, t), nil
			case agreed(said):
				return s.intent(n, a, card, parameter, job), nil
			}
			return s.fail(n, a, bus.CodeInDoubt, say.inDoubt(said)), nil
		}
	}
	return nil, s.call(n, a, card, parameter, job, t)
}

// effectOf is what a card promises. A tool that is silent promises nothing; an agent of the house answers a repeated call from
// its log, so only one that says so is unsafe.
func effectOf(c bus.Card) bus.Effect {
	switch {
	case c.IsAgent() && c.Effect != bus.Unsafe:
		return bus.Read
	case c.Effect == bus.Read, c.Effect == bus.Idempotent:
		return c.Effect
	}
	return bus.Unsafe
}

func doubtID(child string, intent uint64) string {
	return child + "-again-" + strconv.FormatUint(intent, 10)
}

// times counts the ended calls of the same tool with the same arguments.
func (s *State) times(a *Act, args string) int {
	count := 0
	for _, n := range s.Rounds {
		for _, other := range n.Acts {
			if other != a && other.ToolName == a.ToolName && other.Result != nil && canonical(other.Result.Parameter)+other.Result.JobDesc == args {
				count++
			}
		}
	}
	return count
}

func (s *State) call(n *Round, a *Act, card bus.Card, parameter json.RawMessage, job string, t Terms) *Call {
	r := bus.Request{
		HMAP: bus.Version, Session: s.Session, Task: s.Task, Call: a.Child, Parent: s.Call, Caller: s.Agent,
		ToolName: a.ToolName, JobDesc: job, Parameter: parameter, TrustMode: a.TrustMode, Deadline: s.deadline(),
		Path: append(slices.Clone(s.Request.Path), s.Agent), Input: a.forward,
		Files: s.files(), DisableTools: s.Request.DisableTools, MCPServers: s.Request.MCPServers,
	}
	if card.IsAgent() {
		r.Context = t.Context
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
	key := a.Child
	if a.forward != nil {
		key += "+" + a.forward.Ask
	}
	if a.intentSeq != 0 {
		key += "@" + strconv.FormatUint(a.intentSeq, 10)
	}
	return &Call{Key: key, Request: r, Card: card}
}

// askUser carries out the reserved tool of that name.
func (s *State) askUser(n *Round, a *Act, t Terms) *bus.Record {
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
	if err := json.Unmarshal(a.Parameter, &p); err != nil || strings.TrimSpace(p.Question) == "" {
		return s.fail(n, a, bus.CodeInvalidParameter, t.words().noQuestion())
	}
	return s.ask(n, a, bus.Ask{ID: a.Child, Kind: bus.Question, Question: p.Question, Options: p.Options, Parameter: p.Parameter, ToolName: p.ToolName}, t)
}

// finish carries out the reserved tool of that name, once everything before it has ended.
func (s *State) finish(n *Round, a *Act) *bus.Record {
	for _, other := range n.Acts {
		if other != a && other.released && other.Result == nil {
			return nil
		}
	}
	if n.closed {
		return s.ended(n, a, bus.Cancelled, nil, nil)
	}
	parameter, _, fault := n.fill(a)
	if fault != nil {
		return s.fail(n, a, fault.Code, fault.Message)
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
// or may not have happened, the question what to do.
func (s *State) Settle(child string, r bus.Response, took time.Duration, t Terms) *bus.Record {
	n, a := s.owner(child)
	if a == nil || a.Result != nil {
		return nil
	}
	card, _ := t.Card(a.ToolName)
	if r.Status == bus.InputRequired {
		ask := bus.Ask{Kind: bus.Question, Question: Text(r.Observation)}
		if r.Ask != nil {
			ask = *r.Ask
		}
		if ask.ID == "" || ask.ID == child {
			ask.ID = child + "-asks-" + strconv.Itoa(len(a.said))
		}
		return s.ask(n, a, ask, t)
	}
	parameter, job, _ := n.fill(a)
	if r.Status != bus.OK && r.Error != nil && effectOf(card) == bus.Unsafe && doubtful(r.Error.Code) {
		return s.ask(n, a, bus.Ask{ID: doubtID(child, a.intentSeq), Kind: bus.Approval, Question: t.words().doubt(card, parameter), ToolName: a.ToolName, Arguments: parameter}, t)
	}
	rec := s.ended(n, a, r.Status, r.Observation, r.Error)
	rec.Parameter, rec.JobDesc, rec.Files, rec.Usage, rec.Millis = parameter, job, r.Files, r.Usage, took.Milliseconds()
	if rec.Status != bus.OK && rec.Status != bus.Cancelled {
		rec.Status = bus.Failed
		if rec.Error == nil {
			rec.Error = &bus.Error{Code: bus.CodeInternal, Message: "failed without saying why"}
		}
	}
	return rec
}

// doubtful reports whether a failure leaves open whether the call had its effect.
func doubtful(code string) bool {
	switch code {
	case bus.CodeTimeout, bus.CodeInternal, bus.CodeInDoubt, bus.CodeCancelled:
		return true
	}
	return false
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
