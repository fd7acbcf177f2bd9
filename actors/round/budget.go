package round

import (
	"cmp"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// budget is what the call and everything below it may use; zero fields are without bound. Whoever took the request has
// written the agent's defaults into it, so that the log alone decides.
func (s *State) budget() bus.Budget {
	if s.Request.Budget == nil {
		return bus.Budget{}
	}
	return *s.Request.Budget
}

// deadline is when the call must have ended, as far as is known now; zero: never. The time in which a person was waited for does not
// count.
func (s *State) deadline(now time.Time) time.Time {
	end := s.Request.Deadline
	if sec := s.budget().Seconds; sec > 0 && sec < 1e9 {
		if e := s.Begun.Add(time.Duration(sec * float64(time.Second))); end.IsZero() || e.Before(end) {
			end = e
		}
	}
	if end.IsZero() {
		return end
	}
	end = end.Add(s.waited)
	if !s.waitsSince.IsZero() {
		end = end.Add(max(now.Sub(s.waitsSince), 0))
	}
	return end
}

// clock keeps the time in which a person is waited for, after each record.
func (s *State) clock(at time.Time) {
	switch open := slices.ContainsFunc(s.running(), func(a *Act) bool { return a.Ask != nil }); {
	case open && s.waitsSince.IsZero():
		s.waitsSince = at
	case !open && !s.waitsSince.IsZero():
		s.waited += max(at.Sub(s.waitsSince), 0)
		s.waitsSince = time.Time{}
	}
}

// reserved is what children under way, and those whose turn is still to come, may use.
func (s *State) reserved() bus.Budget {
	var sum bus.Budget
	for _, n := range s.Rounds {
		for _, a := range n.Acts {
			if a.JobDesc != "" && a.Result == nil && (a.released || !n.closed) {
				sum.Tokens += n.Grant.Tokens
				sum.Rounds += n.Grant.Rounds
				sum.Money += n.Grant.Money
			}
		}
	}
	return sum
}

// share is what each agent action of a new round may use: an even part of what is left, so that the tree as a whole keeps to
// the budget however many run at once. The call keeps a part for itself, to think while they run and to conclude, as long as there
// is enough. When nothing is left for an agent, it is not called; see [State.starved].
func (s *State) share(n *Round) bus.Budget {
	b, r := s.budget(), s.reserved()
	agents := 0
	for _, a := range n.Acts {
		if a.JobDesc != "" {
			agents++
		}
	}
	agents = max(agents, 1)
	grant := bus.Budget{Depth: b.Depth}
	if b.Tokens > 0 {
		left := b.Tokens - s.used.InputTokens - s.used.OutputTokens - r.Tokens
		grant.Tokens = cmp.Or(left/(agents+1), left/agents)
	}
	if b.Rounds > 0 {
		left := b.Rounds - s.used.Rounds - r.Rounds
		grant.Rounds = cmp.Or(left/(agents+1), left/agents)
	}
	if b.Money > 0 {
		grant.Money = (b.Money - s.used.Money - r.Money) / float64(agents+1)
	}
	return grant
}

// starved reports whether the share of an agent action is nothing. It must not be handed on: 0 would mean without bound.
func (s *State) starved(n *Round) bool {
	b, g := s.budget(), n.Grant
	return b.Tokens > 0 && g.Tokens <= 0 || b.Rounds > 0 && g.Rounds <= 0 || b.Money > 0 && g.Money <= 0
}

// left is what may still be used, or why nothing may.
func (s *State) left(t Terms) (bus.Budget, string) {
	b, r, u := s.budget(), s.reserved(), s.used
	left := bus.Budget{Depth: b.Depth}
	if b.Rounds > 0 {
		if left.Rounds = b.Rounds - u.Rounds - r.Rounds; left.Rounds <= 0 {
			return left, t.words().spent("rounds", float64(u.Rounds), float64(b.Rounds))
		}
	}
	if b.Tokens > 0 {
		if left.Tokens = b.Tokens - u.InputTokens - u.OutputTokens - r.Tokens; left.Tokens <= 0 {
			return left, t.words().spent("tokens", float64(u.InputTokens+u.OutputTokens), float64(b.Tokens))
		}
	}
	if b.Money > 0 {
		if left.Money = b.Money - u.Money - r.Money; left.Money <= 0 {
			return left, t.words().spent("money", u.Money, b.Money)
		}
	}
	if end := s.deadline(t.Now); !end.IsZero() {
		left.Seconds = end.Sub(t.Now).Seconds()
	}
	return left, ""
}
