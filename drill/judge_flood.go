package drill

import (
	"time"

	"github.com/hmap-project/hmap/bus"
)

const (
	// unseen is how many submissions may have left the queue by a way that nobody sees: those of tasks that were begun long before and whose word of
	// acceptance was lost with a server or its leader. They come again some seconds later, and go when somebody finds them in the log. How many come together is a
	// guess on the safe side: a refusal by a queue that is a quarter empty or more is found, one by a queue with fewer free places is not.
	unseen = queueBound / 4
	// leaving is how long after its task was begun a submission may still be in the queue.
	leaving = time.Second
	// firstWord is the time in which only the first attempt to submit can have been answered: of a later one, an earlier one may still arrive.
	firstWord = time.Second
)

// busyTold holds each flood against what the queue can have held: no more than its bound was taken, who was refused met a full queue, and what was
// refused is not worked on.
func busyTold(e *Evidence) (bad []string) {
	var begun, died []time.Time
	known := map[string]string{}
	for _, r := range e.Log {
		if r.Kind == bus.KindRequest && r.Call == r.Task {
			begun = append(begun, e.Stored[r.Seq])
			known[where(r)] = say("record %d begins it", r.Seq)
		}
	}
	for _, d := range e.Dead {
		died = append(died, d.Time)
		if s, err := bus.ParseSubmission(d.Body); err == nil && s.Task != "" {
			known[s.Session+"."+s.Task] = say("dead letter %d has it", d.Seq)
		}
	}
	left := func(from, to time.Time) int { // with a task that begins, and with a letter that dies
		return before(to, begun) - before(from.Add(-leaving), begun) + before(to, died) - before(from.Add(-leaving), died)
	}
	busy := 0
	for _, f := range e.Floods {
		busy += len(f.Busy)
		if n := left(f.Begun, f.Ended); f.Accepted > queueBound+n+unseen {
			bad = append(bad, say("the flood at %s: %d submissions were taken, the queue may hold %d, and %d tasks were begun or rejected meanwhile", clock(f.Begun), f.Accepted, queueBound, n))
		}
		for _, r := range f.Busy {
			if what := known[r.Session+"."+r.Task]; what != "" && r.Told.Sub(r.Asked) < firstWord {
				bad = append(bad, say("task %s was refused at %s because the queue is full, and %s", r.Task, clock(r.Told), what))
			}
			switch n := left(r.Asked, r.Looked); {
			case r.Held < 0:
			case r.Held > queueBound:
				bad = append(bad, say("at %s the queue held %d submissions, and may hold %d", clock(r.Looked), r.Held, queueBound))
			case r.Held+n+unseen < queueBound:
				bad = append(bad, say("task %s was refused at %s because the queue is full; it held %d of %d, and %d tasks were begun or rejected meanwhile", r.Task, clock(r.Told), r.Held, queueBound, n))
			}
		}
	}
	if len(e.Floods) > 0 && busy == 0 {
		bad = append(bad, say("%d times more was submitted than the queue holds, and nobody was told busy", len(e.Floods)))
	}
	return bad
}
