package round

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// record is a record of this call, without what the bus fills in (version, node, time).
func (s *State) record(kind bus.Kind) *bus.Record {
	return &bus.Record{Kind: kind, Session: s.Session, Task: s.Task, Call: s.Call, Parent: s.Request.Parent, Agent: s.Agent}
}

// Known is what of a call a thought knows: its records to one place in the log, and what was said to it to another. One place would not
// do, for neither waits for the other: a word is heard after records that stand behind it, and a record is known to be written after words
// that stand behind that.
type Known struct {
	Seen  uint64 // sequence of the newest record
	Heard uint64 // sequence of the newest input from the task's input subject; 0: none
}

// Known is what a thought that begins now knows.
func (s *State) Known() Known { return Known{s.Last, s.LastInput} }

// Thought is the record of a round that the mind has thought, and what was known when it began.
func (s *State) Thought(number int, k Known) *bus.Record {
	r := s.record(bus.KindRound)
	r.Round, r.Seen, r.Heard = number, k.Seen, k.Heard
	return r
}

// Planned is the record of a plan that the mind made or changed. What it says of how far steps are is replaced by what the
// results say. nil when nothing has changed.
func (s *State) Planned(p *bus.PlanBody) *bus.Record {
	if p == nil || len(p.Steps) == 0 {
		return nil
	}
	plan := bus.PlanBody{Title: p.Title, Steps: slices.Clone(p.Steps)}
	s.stand(&plan)
	if s.Plan != nil && samePlan(*s.Plan, plan) {
		return nil
	}
	r := s.record(bus.KindPlan)
	r.Plan = &plan
	if n := s.last(); n != nil {
		r.Round = n.N
	}
	return r
}

// Broken is the response of a call whose mind failed for good.
func (s *State) Broken(e *bus.Error, t Terms) *bus.Record {
	r := s.stop(bus.Failed, e.Code, e.Message, t)
	r.Error.Retryable = e.Retryable
	return r
}

func (s *State) respond(observation json.RawMessage) *bus.Record {
	r := s.record(bus.KindResponse)
	used := s.used
	r.Status, r.Observation, r.Usage, r.Files = bus.OK, observation, &used, s.files()
	return r
}

// Concluded is the response that the round r comes to at once, with the round in it, so that both are one record; nil when something else comes
// first. It changes nothing, and comes to what r would and the response that is due behind it.
func (s *State) Concluded(r *bus.Record, t Terms) *bus.Record {
	end := s.deadline(t.Now)
	if len(r.ActionCode) > 0 || s.Cancel != nil || !end.IsZero() && !t.Now.Before(end) || len(s.running()) > 0 || s.progress() != nil || s.newsAfter(Known{r.Seen, r.Heard}) {
		return nil
	}
	last := s.respond(JSONText(cmp.Or(r.Answer, r.Thought)))
	if r.Usage != nil {
		*last.Usage = last.Usage.Add(*r.Usage)
	}
	last.Usage.Rounds++
	last.Round, last.Thought, last.Critique, last.Model, last.Seen, last.Heard, last.Millis = r.Round, r.Thought, r.Critique, r.Model, r.Seen, r.Heard, r.Millis
	return last
}

// newsAfter reports whether a result or a wish has come that is not known.
func (s *State) newsAfter(k Known) bool {
	for _, n := range s.Rounds {
		if slices.ContainsFunc(n.Acts, func(a *Act) bool { return a.Result != nil && a.Result.Seq > k.Seen }) {
			return true
		}
	}
	return slices.ContainsFunc(s.Steering, func(w Said) bool { return w.Seq > k.Heard })
}

// stop ends the call before its goal, with what there is, and why.
func (s *State) stop(status bus.Status, code, why string, t Terms) *bus.Record {
	r := s.respond(nil)
	r.Status, r.Error = status, &bus.Error{Code: code, Message: why}
	var b strings.Builder
	b.WriteString(why)
	for _, a := range s.running() {
		if a.intentSeq != 0 {
			b.WriteString("\n" + t.words().underWay(a.ToolName))
		}
	}
	if found := s.found(); found != "" {
		b.WriteString("\n\n" + t.words().soFar() + "\n" + found)
	}
	r.Observation = JSONText(b.String())
	return r
}

// found is the text of what the actions have brought so far, newest last, shortened.
func (s *State) found() string {
	const each, all = 600, 3000
	var parts []string
	size := 0
	for _, n := range slices.Backward(s.Rounds) {
		for _, a := range slices.Backward(n.Acts) {
			if a.Result == nil || a.Result.Status != bus.OK || len(a.Result.Observation) == 0 {
				continue
			}
			text := []rune(Text(a.Result.Observation))
			if len(text) > each {
				text = append(text[:each], '…')
			}
			if size += len(text); size > all {
				break
			}
			parts = append(parts, "- "+a.ToolName+": "+string(text))
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n")
}

func (s *State) ended(n *Round, a *Act, status bus.Status, observation json.RawMessage, e *bus.Error) *bus.Record {
	r := s.record(bus.KindResult)
	r.Round, r.Child, r.ToolName, r.Parameter, r.JobDesc = n.N, a.Child, a.ToolName, a.Parameter, a.JobDesc
	if f := n.filled(a); f.fault == nil {
		r.Parameter, r.JobDesc = f.parameter, f.job
	}
	r.Status, r.Observation, r.Error = status, observation, e
	return r
}

func (s *State) fail(n *Round, a *Act, code, message string) *bus.Record {
	return s.ended(n, a, bus.Failed, nil, &bus.Error{Code: code, Message: message})
}

// expired is the end of an action whose ask nobody answered in time.
func (s *State) expired(n *Round, a *Act, t Terms) *bus.Record {
	if a.Ask.ID == doubtID(a.Child, a.intentSeq) {
		return s.fail(n, a, bus.CodeInDoubt, t.words().inDoubt(bus.Input{Kind: bus.Expire}))
	}
	return s.fail(n, a, bus.CodeExpired, t.words().expired())
}

func (s *State) intent(n *Round, a *Act, effect bus.Effect, parameter json.RawMessage, job string) *bus.Record {
	r := s.record(bus.KindIntent)
	r.Round, r.Child, r.ToolName, r.Parameter, r.JobDesc, r.Effect = n.N, a.Child, a.ToolName, parameter, job, effect
	return r
}

func (s *State) ask(n *Round, a *Act, ask bus.Ask, t Terms) *bus.Record {
	r := s.record(bus.KindAsk)
	if ask.Expires.IsZero() {
		ttl := t.AskTTL
		if ttl == 0 {
			ttl = 24 * time.Hour
		}
		ask.Expires = t.Now.Add(ttl).UTC().Truncate(time.Second)
	}
	r.Round, r.Child, r.Ask = n.N, a.Child, &ask
	return r
}

// files are the artifacts of the request and of what was done, each once; what was done may tell what one holds that came without a word.
func (s *State) files() []bus.File {
	files := slices.Clone(s.Request.Files)
	for _, n := range s.Rounds {
		for _, a := range n.Acts {
			if a.Result == nil {
				continue
			}
			for _, f := range a.Result.Files {
				at := slices.IndexFunc(files, func(g bus.File) bool { return g.Ref == f.Ref })
				if at < 0 {
					files = append(files, f)
				} else if files[at].Description == "" {
					files[at].Description = f.Description
				}
			}
		}
	}
	return files
}
