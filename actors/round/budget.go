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
	return end.Add(s.waited(now))
}

// span is a time in which a person was waited for; to is zero while one still is.
type span struct{ from, to time.Time }

// waits notes that the person is asked, unless that is known.
func (a *Act) waits(at time.Time) {
	if n := len(a.waited); n == 0 || !a.waited[n-1].to.IsZero() {
		a.waited = append(a.waited, span{from: at})
	}
}

// waitedUntil notes that the person is waited for no more. What was said before a result ended the wait counts also when it is heard
// after it, so that the order of hearing makes no difference.
func (a *Act) waitedUntil(at time.Time) {
	if n := len(a.waited); n > 0 && (a.waited[n-1].to.IsZero() || at.Before(a.waited[n-1].to)) {
		a.waited[n-1].to = at
	}
}

// waited is how long persons have been waited for; for how many at a time makes no difference.
func (s *State) waited(now time.Time) (sum time.Duration) {
	var spans []span
	for _, n := range s.Rounds {
		for _, a := range n.Acts {
			spans = append(spans, a.waited...)
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from.Compare(b.from) })
	var covered time.Time
	for _, w := range spans {
		if w.to.IsZero() {
			w.to = now
		}
		if w.from.Before(covered) {
			w.from = covered
		}
		if w.to.After(w.from) {
			sum += w.to.Sub(w.from)
			covered = w.to
		}
	}
	return sum
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
