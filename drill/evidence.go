package drill

import (
	"fmt"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Evidence is everything the audit judges by: what the log, the ledger and the clients say, and what is left over. Nothing in it comes
// from a node's own memory.
type Evidence struct {
	// Log is the whole log with the inputs, in its order, also what was in sessions that the drill had removed.
	Log     []bus.Record
	Removed map[uint64]bool      // which of them are not in the log any more, by place
	Stored  map[uint64]time.Time // when the server had each of them, by its place
	Ledger  []Effect
	Tasks   []Told
	Views   []View
	// Approved and Refused are when a person first answered so, by the id of the ask.
	Approved, Refused map[string]time.Time
	Dead              []bus.Dead     // those that died as poison with their whole bodies
	Hostile           [][]byte       // bodies that were sent to the queue to do harm
	Crashes           []string       // ends of children that the drill did not bring about, races and panics
	Before, After     Residue        // when nothing had begun; when all had ended
	Counts            map[string]int // what was done, by name
	Planned           map[string]int // what the schedule wanted besides kills, by the same names
	Floods            []Flood
	Removals          []Removal
	Sessions          []string // keys of the list of sessions: an id, or an id and .removal
	Missing           []string // files of the removals that are not there any more
	Wanted            Options  // what was asked for
	Deaths            []Death
	Files             []Kept
	Warm              int      // how many of the tasks came before the trouble
	Diary             []string // what the drill did, with times
}

// Death is the end of a node's life, or a freeze beyond its lease.
type Death struct {
	Node string
	At   time.Time
}

// Kept is one file that a record names, and how many bytes came when it was got.
type Kept struct {
	Ref         string
	Bytes, Came int64
	Err         string // why it could not be got; "" for none
}

// Residue is what a cluster holds at one moment.
type Residue struct {
	Open      []string       // tasks in the index of open tasks
	Queued    int            // submissions in the queue, given out or not
	Consumers map[string]int // by stream, those that are not durable
	Durable   []string       // stream and name
	Pending   int            // inputs that nobody has seen to
	// Entries are those of our buckets without marks of deletion, by bucket; of the index of open tasks the marks count, too, for they end by themselves.
	Entries       map[string]int
	Cache         map[string]int // entries of the cache by the first part of their keys
	Connections   map[string]int // by the kind of who is connected
	Subscriptions map[string]int
	Goroutines    map[string]int // by child
	Stacks        map[string]string
	Files         []string // temporary files
}

// Check is one promise and how it is judged.
type Check struct {
	Name    string // short and stable: bus/doc.go names it
	Promise string
	Judge   func(*Evidence) []string // what breaks the promise, one line each
	Of      func(*Evidence) int      // how many things there were to judge; 0: the promise was not put to the test
}

// Finding is how a check came out.
type Finding struct {
	Check
	Breaches []string
	Judged   int // what [Check.Of] says
}

// word is how the table tells it. A check that had nothing to judge has shown nothing.
func (f Finding) word() string {
	switch {
	case len(f.Breaches) > 0:
		return fmt.Sprintf("BREACH %d", len(f.Breaches))
	case f.Judged == 0:
		return "NOT TRIED"
	}
	return "OK"
}

// Audit judges the evidence by every check.
func Audit(e *Evidence) []Finding {
	var all []Finding
	for _, c := range Checks {
		all = append(all, Finding{c, c.Judge(e), c.Of(e)})
	}
	return all
}

// Checks are all of them, in the order of the table.
var Checks = []Check{
	{"accepted-kept", "what was accepted is in the log, or a dead letter", acceptedKept, tasksAccepted},
	{"one-end", "every task ends exactly once, and nothing of a call comes after its end", oneEnd, records},
	{"one-writer", "a call is written by the node of its newest claim alone, and claims are counted up", oneWriter, records},
	{"intent-first", "no effect before its intent is in the log", intentFirst, effectsOf(toolPut, toolFire, toolSign)},
	{"unsafe-once", "an unsafe effect happens at most once, and once more for each leave to repeat it", unsafeOnce, effectsOf(toolFire, toolSign)},
	{"leave-first", "what a person refused, never allowed, or has not yet, does not happen", leaveFirst, effectsOf(toolSign)},
	{"ok-is-done", "a result that says ok has had its effect", okIsDone, resultsThat(func(r bus.Record) bool { return r.Status == bus.OK })},
	{"no-is-no", "a result that says nothing was begun has had no effect", noIsNo, resultsThat(saysNo)},
	{"answer-true", "an answer that says done has its effects, and is the one in the log wherever it comes", answerTrue, func(e *Evidence) int { return len(e.ends()) }},
	{"files-whole", "a file that the log names can be got, whole", filesWhole, func(e *Evidence) int { return len(e.Files) }},
	{"view-exact", "each client saw all of its session to the end of its tasks, in order, each record once and unchanged", viewExact, func(e *Evidence) int { return len(e.Views) }},
	{"removed-whole", "a session is removed whole or stays whole, and the list names exactly those that are there", removedWhole, func(e *Evidence) int { return len(e.Removals) }},
	{"busy-told", "a full queue is told", busyTold, func(e *Evidence) int { return len(e.Floods) }},
	{"dead-explained", "each dead letter is a body that was sent to do harm, or a task that nobody could work on", deadExplained, func(e *Evidence) int { return len(e.Dead) }},
	{"nothing-left", "no open task, submission, input, lease, entry, consumer, connection, subscription, goroutine or file is left over", nothingLeft, func(e *Evidence) int { return len(e.After.Durable) }},
	{"no-crash", "no process ends by itself, and none " + alarmed, noCrash, records},
	{"trouble-made", "the drill did what it was asked to do", troubleMade, func(e *Evidence) int { return e.Counts[killed] }},
}

func records(e *Evidence) int { return len(e.Log) }

func tasksAccepted(e *Evidence) (n int) {
	for _, t := range e.Tasks {
		if !t.Accepted.IsZero() {
			n++
		}
	}
	return n
}

// effectsOf counts what these tools did.
func effectsOf(tools ...string) func(*Evidence) int {
	return func(e *Evidence) (n int) {
		for _, x := range e.Ledger {
			if slices.Contains(tools, x.Tool) {
				n++
			}
		}
		return n
	}
}

// resultsThat counts the results of the drill's tools that are so.
func resultsThat(are func(bus.Record) bool) func(*Evidence) int {
	return func(e *Evidence) (n int) {
		for _, r := range e.Log {
			if r.Kind == bus.KindResult && ours(r.ToolName) && are(r) {
				n++
			}
		}
		return n
	}
}

// ends are the responses of the root calls, by task.
func (e *Evidence) ends() map[string]bus.Record {
	all := map[string]bus.Record{}
	for _, r := range e.Log {
		if r.Kind == bus.KindResponse && r.Call == r.Task {
			all[where(r)] = r
		}
	}
	return all
}

// dead are the tasks that dead letters name: accepted, and never begun. Whether they may be is dead-explained's.
func (e *Evidence) dead() map[string]bool {
	all := map[string]bool{}
	for _, d := range e.Dead {
		if s, err := bus.ParseSubmission(d.Body); err == nil && s.Task != "" {
			all[s.Session+"."+s.Task] = true
		}
	}
	return all
}

func where(r bus.Record) string { return r.Session + "." + r.Task }

func callOf(r bus.Record) string { return r.Session + "." + r.Task + "." + r.Call }

// childOf is the call that an intent or result speaks of.
func childOf(r bus.Record) string { return r.Session + "." + r.Task + "." + r.Child }

// effects counts the ledger by call.
func (e *Evidence) effects() map[string]int {
	all := map[string]int{}
	for _, x := range e.Ledger {
		all[x.key()]++
	}
	return all
}

// Took are how long things took, shortest first.
type Took []time.Duration

// At is the duration below which a part of all lie, 0–1; 0 when there are none.
func (t Took) At(part float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	return t[min(int(part*float64(len(t))), len(t)-1)]
}

// Latencies are how long accepted tasks took that asked nothing and were not cancelled, as their clients saw it.
func (e *Evidence) Latencies() Took {
	var all Took
	for _, t := range e.Tasks {
		if !t.Accepted.IsZero() && t.Ended.After(t.Accepted) && !t.Cancel && t.Replied == "" {
			all = append(all, t.Ended.Sub(t.Accepted))
		}
	}
	slices.Sort(all)
	return all
}

// Takeovers are how long after a node's death another one claimed each of the tasks that it worked on. A task that waited for a person
// does not count: nobody had to take it over.
func (e *Evidence) Takeovers() Took {
	var all Took
	owner := map[string]string{}
	asked := map[string]bool{}
	for _, r := range e.Log {
		if r.Call != r.Task {
			continue
		}
		key := callOf(r)
		was := owner[key]
		switch r.Kind {
		case bus.KindAsk, bus.KindInput:
			asked[key] = true
			continue
		case bus.KindRequest, bus.KindClaim:
			owner[key] = r.Node
		default:
			continue
		}
		if was == "" || was == r.Node || asked[key] {
			continue
		}
		var last time.Time
		for _, d := range e.Deaths {
			if d.Node == was && d.At.Before(r.Time) && d.At.After(last) {
				last = d.At
			}
		}
		if !last.IsZero() {
			all = append(all, r.Time.Sub(last))
		}
	}
	slices.Sort(all)
	return all
}

func say(format string, args ...any) string { return fmt.Sprintf(format, args...) }
