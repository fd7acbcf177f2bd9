package drill

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

func acceptedKept(e *Evidence) (bad []string) {
	begun := map[string]bool{}
	for _, r := range e.Log {
		if r.Kind == bus.KindRequest && r.Call == r.Task {
			begun[where(r)] = true
		}
	}
	for _, t := range e.Tasks {
		if !t.Accepted.IsZero() && !begun[t.Session+"."+t.Task] {
			bad = append(bad, say("task %s of session %s (%s) was accepted at %s, and the log does not know it", t.Task, t.Session, t.Client, t.Accepted.UTC().Format("15:04:05.000")))
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

func intentFirst(e *Evidence) (bad []string) {
	intents := map[string]bus.Record{}
	for _, r := range e.Log {
		if r.Kind == bus.KindIntent {
			if _, ok := intents[childOf(r)]; !ok {
				intents[childOf(r)] = r
			}
		}
	}
	for _, x := range e.Ledger {
		if _, ok := intents[x.key()]; !ok && x.Effect != bus.Read {
			bad = append(bad, say("%s %s of call %s has no intent in the log", x.Tool, x.Label, x.key()))
		}
	}
	return bad
}

func unsafeOnce(e *Evidence) (bad []string) {
	intents := map[string]int{}
	for _, r := range e.Log {
		if r.Kind == bus.KindIntent {
			intents[childOf(r)]++
		}
	}
	count := map[string]int{}
	for _, x := range e.Ledger {
		if x.Effect != bus.Unsafe {
			continue
		}
		key := x.key()
		count[key]++
		leave := 1
		for ask := range e.Approved {
			if strings.HasPrefix(ask, again(x.Call)) {
				leave++
			}
		}
		if count[key] > leave || count[key] > intents[key] && intents[key] > 0 {
			bad = append(bad, say("%s %s of call %s happened %d times, with %d intents and %d leaves to repeat it", x.Tool, x.Label, key, count[key], intents[key], leave-1))
		}
	}
	return bad
}

// again is what the id of an ask begins with that wants leave to repeat a call (PROTOCOL.md, the effect ledger).
func again(call string) string { return bus.ShortID(call, len("-again-")+20) + "-again-" }

func leaveFirst(e *Evidence) (bad []string) {
	for _, x := range e.Ledger {
		if x.Tool == toolSign && !e.Approved[x.Call] {
			bad = append(bad, say("%s %s of call %s happened without leave (refused: %v)", x.Tool, x.Label, x.key(), e.Refused[x.Call]))
		}
	}
	return bad
}

func okIsDone(e *Evidence) (bad []string) {
	did := e.effects()
	for _, r := range e.Log {
		if r.Kind == bus.KindResult && r.Status == bus.OK && ours(r.ToolName) && did[childOf(r)] == 0 {
			bad = append(bad, say("record %d: call %s of %s is ok, and nothing happened", r.Seq, childOf(r), r.ToolName))
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
		if r.Kind != bus.KindResult || r.Error == nil || !ours(r.ToolName) || r.ToolName == toolLook || did[childOf(r)] == 0 {
			continue
		}
		no := false
		switch r.Error.Code {
		case bus.CodeUnknownTool, bus.CodeInvalidParameter, bus.CodeInvalidRequest, bus.CodeBusy, bus.CodeForbidden, bus.CodeRepeated:
			no = true
		case bus.CodeUnavailable: // of an idempotent one it may be half-way
			no = r.Error.Retryable && r.ToolName != toolPut
		}
		if no {
			bad = append(bad, say("record %d: call %s of %s says %s, and it happened", r.Seq, childOf(r), r.ToolName, r.Error.Code))
		}
	}
	return bad
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

// same compares JSON values as text.
func same(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func viewExact(e *Evidence) (bad []string) {
	sessions := map[string][]Glimpse{}
	for _, r := range e.Log {
		sessions[r.Session] = append(sessions[r.Session], glimpse(r))
	}
	for _, v := range e.Views {
		if why := compare(sessions[v.Session], v); why != "" {
			bad = append(bad, say("session %s, %s: %s", v.Session, v.Client, why))
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
