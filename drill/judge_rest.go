package drill

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

func filesWhole(e *Evidence) (bad []string) {
	for _, f := range e.Files {
		if f.Err != "" || f.Came != f.Bytes || f.Bytes == 0 {
			bad = append(bad, say("file %s: %d of %d bytes came; %s", f.Ref, f.Came, f.Bytes, f.Err))
		}
	}
	return bad
}

// letterHead is how much of a body the list of dead letters gives ([bus.Bus.DeadLetters]).
const letterHead = 4 << 10

// deadExplained takes each hostile body, and each task that ended as poison, for the explanation of one dead letter. A task that was never begun needs
// none but that it was tried as often as is promised.
func deadExplained(e *Evidence) (bad []string) {
	hostile, begun, poison := map[string]int{}, map[string]bool{}, map[string]int{}
	for _, body := range e.Hostile {
		hostile[string(body[:min(len(body), letterHead)])]++
	}
	requests := map[string]string{}
	for _, r := range e.Log {
		switch {
		case r.Call != r.Task:
		case r.Kind == bus.KindRequest:
			begun[where(r)] = true
			if r.Request != nil {
				requests[where(r)] = r.Request.JobDesc
			}
		case r.Kind == bus.KindResponse && r.Error != nil && r.Error.Code == bus.CodePoison:
			poison[r.Session+" "+requests[where(r)]]++
		}
	}
	for _, d := range e.Dead {
		head, why := string(d.Body[:min(len(d.Body), letterHead)]), ""
		s, err := bus.ParseSubmission(d.Body)
		at, buried := s.Session+"."+s.Task, s.Session+" "+s.Query
		switch honest, poisoned := err == nil && s.Task != "", strings.HasPrefix(d.Cause, bus.CodePoison); {
		case honest && !begun[at] && d.Tries >= bus.MaxTries:
			continue // nobody lived to begin it, or could: it was tried as often as was promised
		case hostile[head] > 0:
			hostile[head]--
			continue
		case honest && begun[at]:
			why = "but the log has its task; "
		case poisoned && !honest && poison[buried] > 0:
			poison[buried]--
			continue
		case poisoned && !honest:
			why = "but no task ended so; "
		}
		bad = append(bad, say("dead letter %d: %s, %safter %d deliveries: %.80q", d.Seq, d.Cause, why, d.Tries, d.Body))
	}
	return bad
}

// spare is how many goroutines more than at the beginning a process may have: pools and timers that end by themselves later.
const spare = 8

func nothingLeft(e *Evidence) (bad []string) {
	a, b := e.After, e.Before
	for _, task := range a.Open {
		bad = append(bad, say("task %s is still in the index of open tasks", task))
	}
	if a.Queued > 0 {
		bad = append(bad, say("%d submissions are still in the queue", a.Queued))
	}
	if a.Pending > 0 {
		bad = append(bad, say("%d inputs are still waiting for somebody to see to them", a.Pending))
	}
	for _, name := range a.Durable {
		if !slices.Contains(b.Durable, name) {
			bad = append(bad, say("durable consumer %s was not there before", name))
		}
	}
	more := func(what string, was, is map[string]int, spare int) {
		for _, k := range slices.Sorted(maps.Keys(is)) {
			if is[k] > was[k]+spare {
				bad = append(bad, say("%s of %s: %d before, %d now", what, k, was[k], is[k]))
			}
		}
	}
	more("entries", b.Entries, a.Entries, 0)
	more("cached entries", b.Cache, a.Cache, 1) // what is learned from the log is one, and comes after a while
	more("consumers", b.Consumers, a.Consumers, 0)
	more("connections", b.Connections, a.Connections, 0)
	more("subscriptions", b.Subscriptions, a.Subscriptions, 0)
	more("goroutines", b.Goroutines, a.Goroutines, spare)
	for _, f := range a.Files {
		bad = append(bad, say("temporary file %s", f))
	}
	return bad
}

func noCrash(e *Evidence) []string { return e.Crashes }

func troubleMade(e *Evidence) (bad []string) {
	if n := e.Counts[killed]; n < e.Wanted.Kills {
		bad = append(bad, say("%d of %d kills were done", n, e.Wanted.Kills))
	}
	if len(e.Removals) == 0 {
		bad = append(bad, "no session was removed")
	}
	for _, name := range slices.Sorted(maps.Keys(e.Planned)) {
		if made, n := e.Counts[name], e.Planned[name]; made < (n+1)/2 { // some find nobody to trouble
			bad = append(bad, say("%s: %d of %d were made", name, made, n))
		}
	}
	n := -e.Warm
	for _, t := range e.Tasks {
		if t.Client != flooding {
			n++
		}
	}
	if n < e.Wanted.Tasks {
		bad = append(bad, say("%d of %d tasks were submitted", n, e.Wanted.Tasks))
	}
	return bad
}
