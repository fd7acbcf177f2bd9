package drill

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

func acceptedKept(e *Evidence) (bad []string) {
	begun := map[string]bool{}
	for _, r := range e.Log {
		if r.Kind == bus.KindRequest && r.Call == r.Task {
			begun[where(r)] = true
		}
	}
	dead := e.dead()
	for _, t := range e.Tasks {
		if at := t.Session + "." + t.Task; !t.Accepted.IsZero() && !begun[at] && !dead[at] {
			bad = append(bad, say("task %s of session %s (%s) was accepted at %s, and neither the log nor a dead letter knows it", t.Task, t.Session, t.Client, clock(t.Accepted)))
		}
	}
	return bad
}

func oneEnd(e *Evidence) (bad []string) {
	ended := map[string]uint64{}
	roots := map[string]bool{}
	for _, r := range e.Log {
		if r.Kind == bus.KindInput && r.Node == "" || r.Kind == bus.KindScore {
			continue // said by people and judges, at any time
		}
		key := callOf(r)
		if r.Call == r.Task && r.Kind == bus.KindRequest {
			roots[key] = true
		}
		if at, over := ended[key]; over {
			bad = append(bad, say("record %d (%s) of call %s comes after its end, record %d", r.Seq, r.Kind, key, at))
		}
		if r.Kind == bus.KindResponse {
			ended[key] = r.Seq
		}
	}
	for key := range roots {
		if ended[key] == 0 {
			bad = append(bad, say("task %s has no end", key))
		}
	}
	return bad
}

func oneWriter(e *Evidence) (bad []string) {
	type claim struct {
		node    string
		attempt int
	}
	claims := map[string]claim{}
	for _, r := range e.Log {
		if r.Node == "" || r.Kind == bus.KindScore {
			continue
		}
		key := callOf(r)
		now, begun := claims[key]
		switch {
		case r.Kind == bus.KindRequest && begun:
			bad = append(bad, say("record %d begins call %s a second time", r.Seq, key))
		case r.Kind == bus.KindRequest:
			claims[key] = claim{r.Node, 1}
		case !begun:
			bad = append(bad, say("record %d (%s) of call %s comes before its request", r.Seq, r.Kind, key))
		case r.Kind == bus.KindClaim:
			if r.Attempt != now.attempt+1 {
				bad = append(bad, say("record %d claims call %s for the %d. time after the %d.", r.Seq, key, r.Attempt, now.attempt))
			}
			claims[key] = claim{r.Node, r.Attempt}
		case r.Node != now.node && (r.Error == nil || r.Error.Code != bus.CodePoison): // which is ended by who would claim it next
			bad = append(bad, say("record %d (%s) of call %s is by %s; the call was claimed by %s", r.Seq, r.Kind, key, r.Node, now.node))
		}
	}
	return bad
}

// intents are when the log had the intents of each call, earliest first.
func (e *Evidence) intents() map[string][]time.Time {
	all := map[string][]time.Time{}
	for _, r := range e.Log {
		if r.Kind == bus.KindIntent {
			all[childOf(r)] = append(all[childOf(r)], e.Stored[r.Seq])
		}
	}
	return all
}

// before counts the times that come before t. Nothing is allowed for: all processes of a drill read one clock, in nanoseconds; the
// server dates a record before it confirms it, and a tool dates an effect when it is about to have it.
func before(t time.Time, all []time.Time) (n int) {
	for _, at := range all {
		if at.Before(t) {
			n++
		}
	}
	return n
}

func intentFirst(e *Evidence) (bad []string) {
	intents := e.intents()
	for _, x := range e.Ledger {
		if at := intents[x.key()]; x.Effect != bus.Read && before(x.Time, at) == 0 {
			if len(at) == 0 {
				bad = append(bad, say("%s %s of call %s has no intent in the log", x.Tool, x.Label, x.key()))
				continue
			}
			bad = append(bad, say("%s %s of call %s happened %v before its intent was in the log", x.Tool, x.Label, x.key(), at[0].Sub(x.Time)))
		}
	}
	return bad
}

func unsafeOnce(e *Evidence) (bad []string) {
	intents := e.intents()
	count := map[string]int{}
	for _, x := range slices.SortedStableFunc(slices.Values(e.Ledger), func(a, b Effect) int { return a.Time.Compare(b.Time) }) {
		if x.Effect != bus.Unsafe {
			continue
		}
		key := x.key()
		count[key]++
		var leaves []time.Time
		for ask, given := range e.Approved {
			if strings.HasPrefix(ask, again(x.Call)) {
				leaves = append(leaves, given)
			}
		}
		// One that comes before all intents is intent-first's.
		begun, leave := before(x.Time, intents[key]), before(x.Time, leaves)
		if count[key] > 1+leave || count[key] > begun && begun > 0 {
			bad = append(bad, say("%s %s of call %s happened %d times by %s, with %d intents and %d leaves to repeat it until then", x.Tool, x.Label, key, count[key], clock(x.Time), begun, leave))
		}
	}
	return bad
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05.000") }

// again is what the id of an ask begins with that wants leave to repeat a call (PROTOCOL.md, the effect ledger).
func again(call string) string { return bus.ShortID(call, len("-again-")+20) + "-again-" }

func leaveFirst(e *Evidence) (bad []string) {
	for _, x := range e.Ledger {
		if x.Tool != toolSign {
			continue
		}
		switch given, ok := e.Approved[x.Call]; {
		case !ok:
			bad = append(bad, say("%s %s of call %s happened without leave (refused: %v)", x.Tool, x.Label, x.key(), e.Refused[x.Call]))
		case !given.Before(x.Time):
			bad = append(bad, say("%s %s of call %s happened %v before there was leave", x.Tool, x.Label, x.key(), given.Sub(x.Time)))
		}
	}
	return bad
}

func okIsDone(e *Evidence) (bad []string) {
	did := map[string][]time.Time{}
	for _, x := range e.Ledger {
		did[x.key()] = append(did[x.key()], x.Time)
	}
	for _, r := range e.Log {
		if r.Kind != bus.KindResult || r.Status != bus.OK || !ours(r.ToolName) {
			continue
		}
		switch at := did[childOf(r)]; {
		case len(at) == 0:
			bad = append(bad, say("record %d: call %s of %s is ok, and nothing happened", r.Seq, childOf(r), r.ToolName))
		case before(e.Stored[r.Seq], at) == 0:
			bad = append(bad, say("record %d: call %s of %s was said to be ok %v before it happened", r.Seq, childOf(r), r.ToolName, slices.MinFunc(at, time.Time.Compare).Sub(e.Stored[r.Seq])))
		}
	}
	return bad
}

func ours(tool string) bool {
	return tool == toolLook || tool == toolPut || tool == toolFire || tool == toolSign
}

func noIsNo(e *Evidence) (bad []string) {
	did := e.effects()
	for _, r := range e.Log {
		if r.Kind == bus.KindResult && ours(r.ToolName) && saysNo(r) && did[childOf(r)] > 0 {
			bad = append(bad, say("record %d: call %s of %s says %s, and it happened", r.Seq, childOf(r), r.ToolName, r.Error.Code))
		}
	}
	return bad
}

// saysNo reports whether a result says that nothing was begun.
func saysNo(r bus.Record) bool {
	if r.Error == nil || r.ToolName == toolLook {
		return false
	}
	switch r.Error.Code {
	case bus.CodeUnknownTool, bus.CodeInvalidParameter, bus.CodeInvalidRequest, bus.CodeBusy, bus.CodeForbidden, bus.CodeRepeated:
		return true
	case bus.CodeUnavailable: // of an idempotent one it may be half-way
		return r.Error.Retryable && r.ToolName != toolPut
	}
	return false
}

func answerTrue(e *Evidence) (bad []string) {
	ends := e.ends()
	labels := map[string]bool{}
	for _, x := range e.Ledger {
		labels[x.Label] = true
	}
	for _, t := range e.Tasks {
		end, ok := ends[t.Session+"."+t.Task]
		if t.Task == "" || !ok {
			continue // one-end says so
		}
		if t.Answer != nil && (t.Answer.Status != end.Status || !same(t.Answer.Observation, end.Observation)) {
			bad = append(bad, say("task %s (%s) was answered %s %.80s; the log says %s %.80s", t.Task, t.Client, t.Answer.Status, t.Answer.Observation, end.Status, end.Observation))
		}
		if end.Status != bus.OK {
			continue
		}
		d, ok := parseDone(end.Observation)
		if !ok {
			continue // the model was troubled, and said something else
		}
		for _, label := range d.Done {
			if !labels[label] {
				bad = append(bad, say("task %s says that %s is done, and it is not", t.Task, label))
			}
		}
		if d.Answer != "" && d.Answer != t.Replied {
			bad = append(bad, say("task %s heard %q; the person said %q", t.Task, d.Answer, t.Replied))
		}
	}
	return bad
}

// same compares JSON values, however they are written.
func same(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func viewExact(e *Evidence) (bad []string) {
	sessions, late, shown := map[string][]Glimpse{}, map[string][]Glimpse{}, map[string]map[Glimpse]bool{}
	for _, r := range e.Log {
		g := glimpse(r)
		if sessions[r.Session] = append(sessions[r.Session], g); !e.Removed[r.Seq] {
			late[r.Session] = append(late[r.Session], g)
		}
	}
	for _, v := range e.Views {
		there := sessions
		if v.Whole { // somebody came at the very end, when all removals were over
			there = late
		}
		if why := compare(there[v.Session], v); why != "" {
			bad = append(bad, say("session %s, %s: %s", v.Session, v.Client, why))
		}
		if v.Whole {
			continue // that was not the client
		}
		if shown[v.Session] == nil {
			shown[v.Session] = map[Glimpse]bool{}
		}
		for _, g := range v.Seen {
			shown[v.Session][g] = true
		}
	}
	ends := e.ends()
	for _, t := range e.Tasks {
		end, ok := ends[t.Session+"."+t.Task]
		switch {
		case !ok || t.Accepted.IsZero() || t.Client == flooding: // accepted-kept and one-end say so; nothing was promised; nobody looks
		case t.Ended.IsZero():
			bad = append(bad, say("task %s of session %s ended with record %d, and its client (%s) never saw it", t.Task, t.Session, end.Seq, t.Client))
		case !shown[t.Session][glimpse(end)]:
			bad = append(bad, say("task %s of session %s ended with record %d, and its client (%s) took something else for its end", t.Task, t.Session, end.Seq, t.Client))
		}
	}
	return bad
}

// compare says how a view differs from the log, as far as the view goes.
func compare(log []Glimpse, v View) string {
	for i, g := range v.Seen {
		switch {
		case i > 0 && g.Seq == v.Seen[i-1].Seq:
			return say("record %d came twice", g.Seq)
		case i > 0 && g.Seq < v.Seen[i-1].Seq:
			return say("record %d came after record %d", g.Seq, v.Seen[i-1].Seq)
		case i >= len(log):
			return say("record %d is not in the log", g.Seq)
		case g.Seq > log[i].Seq:
			return say("record %d is missing (%d came instead)", log[i].Seq, g.Seq)
		case g.Seq < log[i].Seq:
			return say("record %d is not in the log", g.Seq)
		case g.Sum != log[i].Sum:
			return say("record %d has been changed", g.Seq)
		}
	}
	if v.Whole && len(v.Seen) < len(log) {
		return say("record %d and %d more are missing at the end", log[len(v.Seen)].Seq, len(log)-len(v.Seen)-1)
	}
	return ""
}
