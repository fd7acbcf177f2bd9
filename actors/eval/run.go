package eval

import (
	"context"
	"slices"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
)

// Now is the moment at which all sets are planned, so that "tomorrow" is the same day in every run.
var Now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// recalled is how many of the tools found count for recall.
const recalled = 10

// Watch is what is told of a run beside its score. The zero value is nothing.
type Watch struct {
	// Misses is how many rows that went wrong are kept.
	Misses int
	// Done is told, after each row and from the goroutine of Run, how many of all rows are done; nil: nobody is.
	Done func(done, all int)
}

// Run plans every request of a set and compares. It plans one request at a time, so that the times are those of one. It returns early with
// the error of ctx only.
func (s Set) Run(ctx context.Context, o plan.Options, w Watch) (Score, error) {
	score := Score{Set: s.Name}
	names := !slices.ContainsFunc(s.Cases, func(c Case) bool { // is all that is wanted
		return slices.ContainsFunc(c.Wanted, func(c plan.Call) bool { return len(c.Parameter) > 0 })
	})
	var shared *plan.Index
	if len(s.Cards) > 0 {
		took := watch()
		shared = plan.NewIndex(s.Cards, o)
		score.Index, score.Cards, score.Rejected = took(), shared.Len(), len(shared.Rejects)
	}
	var times []Time
	for i, c := range s.Cases {
		if err := ctx.Err(); err != nil {
			return score, err
		}
		x := shared
		if c.Cards != nil {
			x = plan.NewIndex(c.Cards, o)
		}
		wanted := Take(c.Wanted)
		var said []plan.Call
		for _, request := range c.Requests {
			took := watch()
			calls := x.PlanAll(plan.Input{Request: request, Context: c.Context, Now: Now})
			times = append(times, took())
			if !s.First {
				said = calls
			} else if len(calls) > 0 && !slices.ContainsFunc(said, func(c plan.Call) bool { return c.ToolName == calls[0].ToolName }) {
				said = append(said, plan.Call{ToolName: calls[0].ToolName})
			}
		}
		parts := Take(said)
		if names {
			parts = Parts{Tools: parts.Tools}
		}
		if !score.add(parts, wanted) && len(score.Misses) < w.Misses {
			score.Misses = append(score.Misses, Miss{c.ID, c.Requests, parts, wanted})
		}
		if shared != nil && !s.First {
			var found []string
			for _, f := range x.Find(c.Requests[0], recalled) {
				found = append(found, f.Card.Name)
			}
			score.Recall.Add(found, wanted.Tools)
		}
		if w.Done != nil {
			w.Done(i+1, len(s.Cases))
		}
	}
	score.P50, score.P99 = quantile(times, 0.5), quantile(times, 0.99)
	return score, nil
}
