package round

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// TestAnyCall drives calls as the agent does, with action codes, answers, inputs, crashes, repeats and pauses as they may come, and
// holds every state on the way against check; then it lets everything end well and sees that the call ends.
func TestAnyCall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &agent{world: newWorld(), t: t, running: map[string]uint64{}, sent: map[string]int{}}
		for i, effect := range []bus.Effect{bus.Read, bus.Idempotent, bus.Unsafe} {
			for _, approval := range []string{"never", "ask"} {
				name := fmt.Sprintf("%s%d", approval, i)
				a.cards[name] = bus.Card{Name: name, Kind: "tool", Effect: effect, Approval: approval}
			}
		}
		a.cards["master"] = bus.Card{Name: "master", Kind: "agent"}
		a.cards["orders"] = bus.Card{Name: "orders", Kind: "agent"}
		a.cards["robot"] = bus.Card{Name: "robot", Kind: "agent", Effect: bus.Unsafe}
		a.begin()
		for range 8 * dice(t, "steps", 9) {
			a.follow()
			if a.state.Ended() {
				break
			}
			a.step()
		}
		a.end()
		a.checkLedger()
		if a.state.Response.Status == bus.OK && a.followed < len(a.state.Steering) {
			t.Fatalf("the newest round had %d wishes before it, and there are %d", a.followed, len(a.state.Steering))
		}
	})
}

// agent is whoever runs the call: it has thoughts and calls under way, and loses them when it crashes.
type agent struct {
	*world
	t        *rapid.T
	thinking string            // key of the thought under way
	known    Known             // to that thought
	wishes   int               // how many of the person's wishes that thought has before it
	followed int               // and how many the newest round had
	running  map[string]uint64 // calls under way: key to the intent they were made under
	sent     map[string]int    // how often an unsafe call was made, by its child and intent
	held     []uint64          // places in the log of inputs that were said but not heard yet
	crashes  int
}

func (a *agent) begin() {
	q := bus.Request{Session: "s1", Task: "t1", Call: "t1", ToolName: "master", JobDesc: "x"}
	b := bus.Budget{
		Rounds: pick(a.t, "rounds", []int{0, 1, 3, 8, 20}), Tokens: pick(a.t, "tokens", []int{0, 50, 1000}),
		Seconds: pick(a.t, "seconds", []float64{0, 0, 7200}), Depth: pick(a.t, "depth", []int{0, 1, 2}),
	}
	q.Budget = &b
	a.fold(a.t, bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Agent: "master", Request: &q}, 0)
	if rapid.Bool().Draw(a.t, "plan") {
		p := bus.PlanBody{Title: "p", Steps: []bus.Step{{ID: "s1", Title: "one"}, {ID: "s2", Title: "two", After: []string{"s1"}}, {ID: "s3", Title: "three"}}}
		a.fold(a.t, *a.state.Planned(&p), 0)
	}
}

// follow starts what is due and stops what is not any more.
func (a *agent) follow() Due {
	due := a.check(a.t)
	if due.Think == nil {
		a.thinking = ""
	} else if a.thinking != due.Think.Key {
		a.thinking, a.known, a.wishes = due.Think.Key, a.state.Known(), len(a.state.Steering)
	}
	want := map[string]bool{}
	for _, c := range due.Calls {
		want[c.Key] = true
		if _, runs := a.running[c.Key]; runs {
			continue
		}
		act := a.state.Find(c.Request.Call)
		a.running[c.Key] = act.intentSeq
		if EffectOf(c.Card) == bus.Unsafe {
			under := fmt.Sprintf("%s@%d", act.Child, act.intentSeq)
			if a.sent[under]++; a.sent[under] > 1 {
				a.t.Fatalf("%s was called twice under one intent", under)
			}
			if act.intentSeq == 0 || c.Request.Intent != act.intentSeq {
				a.t.Fatalf("%s was called with intent %d, the log has %d", act.Child, c.Request.Intent, act.intentSeq)
			}
		}
	}
	for key := range a.running {
		if !want[key] {
			delete(a.running, key)
		}
	}
	return due
}

// step lets one thing happen.
func (a *agent) step() {
	due := a.check(a.t)
	switch dice(a.t, "what", 20) {
	default:
		switch {
		case due.Write != nil:
			a.fold(a.t, *due.Write, 0)
		case a.thinking != "":
			a.think(*due.Think)
		case len(due.Calls) > 0:
			a.answer(pick(a.t, "call", due.Calls))
		default:
			a.say()
		}
	case 0, 1, 2:
		if a.thinking != "" {
			a.think(*due.Think)
		}
	case 3, 4, 5, 6:
		if len(due.Calls) > 0 {
			a.answer(pick(a.t, "call", due.Calls))
		}
	case 7, 8:
		a.say()
	case 9: // it is said now and heard later
		a.seq++
		a.held = append(a.held, a.seq)
	case 10:
		if len(a.held) > 0 {
			a.hear()
		}
	case 11: // a crash: what was under way is lost
		a.crashes++
		a.thinking, a.running = "", map[string]uint64{}
		a.fold(a.t, bus.Record{Kind: bus.KindClaim, Session: "s1", Task: "t1", Call: "t1", Node: "n" + strconv.Itoa(a.crashes)}, 0)
		a.heardAll()
	case 12:
		a.now = a.now.Add(time.Duration(1+dice(a.t, "minutes", 50)) * time.Minute)
	case 13: // the newest comes twice
		a.state.Fold(&a.log[len(a.log)-1])
	case 14:
		if a.sendsLate() {
			return
		}
	}
}

// hear folds the first of the inputs that were said but not heard.
func (a *agent) hear() {
	seq := a.held[0]
	a.held = a.held[1:]
	a.input(seq, pick(a.t, "kind", []bus.InputKind{bus.Approve, bus.Refuse, bus.Answer, bus.Steer}), "")
}

// heardAll: a new executor reads the log from the start, so nothing said before is heard after.
func (a *agent) heardAll() { a.held = nil }

// sendsLate lets an answer come that nobody asked for any more.
func (a *agent) sendsLate() bool {
	for _, n := range a.state.Rounds {
		for _, act := range n.Acts {
			if act.Result != nil {
				if r := a.state.Settle(act.Child, bus.Response{Status: bus.OK}, 0, a.terms()); r != nil {
					a.t.Fatalf("a second answer of %s is taken: %s", act.Child, shown(a.t, r))
				}
				return true
			}
		}
	}
	return false
}

func (a *agent) think(due Think) {
	known := a.known
	if dice(a.t, "stale", 6) == 0 { // something came between the thought and its record
		known.Seen, known.Heard = uint64(dice(a.t, "seen", int(known.Seen)+1)), uint64(dice(a.t, "heard", int(known.Heard)+1))
	}
	r := a.state.Thought(due.Round, known)
	a.thinking = ""
	r.Thought = "thought"
	r.Usage = &bus.Usage{OutputTokens: dice(a.t, "tokens", 31)}
	count := dice(a.t, "actions", 5)
	graph := rapid.Bool().Draw(a.t, "graph")
	for i := range count {
		r.ActionCode = append(r.ActionCode, a.action(i, graph))
	}
	a.thought(r)
}

// thought folds a round, as one record with the response that it comes to if there is one.
func (a *agent) thought(r *bus.Record) {
	a.followed = a.wishes
	if end := a.concluded(a.t, *r); end != nil {
		r = end
	}
	a.fold(a.t, *r, 0)
}

func (a *agent) action(i int, graph bool) bus.Action {
	tools := []string{"never0", "never0", "never0", "never1", "never2", "ask0", "ask1", "ask2", "orders", "robot", "nobody", "master", AskUser, Finish}
	c := bus.Action{
		ToolName: pick(a.t, "tool", tools), TrustMode: dice(a.t, "trust", 2),
		Step: pick(a.t, "step", []string{"", "s1", "s2", "s3"}),
	}
	args := map[string]any{"n": dice(a.t, "n", 2), "question": "which?", "answer": "done"}
	if graph {
		c.ID = pick(a.t, "id", []string{"a" + strconv.Itoa(i), "a" + strconv.Itoa(i), "a" + strconv.Itoa(i), "a0", ""})
		others := []string{"a0", "a1", "a2", "a3", "a9"}
		for range dice(a.t, "afters", 3) {
			if i > 0 {
				c.After = append(c.After, pick(a.t, "after", others[:i]))
			}
		}
		if dice(a.t, "hostile", 10) == 0 {
			c.After = append(c.After, pick(a.t, "any", others))
		}
		if rapid.Bool().Draw(a.t, "refer") {
			args["of"] = "$" + pick(a.t, "to", others[:max(i, 1)]) + pick(a.t, "path", []string{"", ".v", ".list[0]", ".none"})
		}
	}
	switch c.ToolName {
	case "orders", "robot", "master":
		c.JobDesc = "job " + strconv.Itoa(args["n"].(int))
	default:
		c.Parameter = encode(args)
	}
	return c
}

func (a *agent) answer(c Call) {
	codes := []string{bus.CodeTimeout, bus.CodeInternal, bus.CodeInvalidParameter, bus.CodeUnavailable, bus.CodeCancelled, "strange"}
	r := bus.Response{Status: bus.OK, Observation: json.RawMessage(`{"v": 1, "list": [2]}`), Usage: &bus.Usage{Rounds: dice(a.t, "used", 4) - 1}}
	switch dice(a.t, "answer", 14) {
	case 0, 1:
		r = bus.Response{Status: bus.Failed, Error: &bus.Error{Code: pick(a.t, "code", codes), Retryable: rapid.Bool().Draw(a.t, "retryable")}}
	case 2:
		ids := []string{"", c.Request.Call, c.Request.Call + "-1-0", "t1-1-0", "t1-1-1", doubtID(c.Request.Call, a.state.Find(c.Request.Call).intentSeq)}
		r = bus.Response{Status: bus.InputRequired, Ask: &bus.Ask{ID: pick(a.t, "ask", ids), Kind: bus.Question, Question: "?"}}
	case 3:
		r = bus.Response{Status: bus.Cancelled}
	}
	rec := a.state.Settle(c.Request.Call, r, time.Millisecond, a.terms())
	if rec == nil {
		a.t.Fatalf("the answer of %s, which is due, is not taken", c.Key)
	}
	delete(a.running, c.Key)
	a.fold(a.t, *rec, 0)
}

func (a *agent) say() {
	kinds := []bus.InputKind{bus.Answer, bus.Approve, bus.Approve, bus.Refuse, bus.Expire, bus.Steer, "nonsense"}
	if dice(a.t, "stop", 31) == 0 {
		kinds = []bus.InputKind{bus.Cancel}
	}
	id := ""
	if asks := a.state.OpenAsks(); len(asks) > 0 && rapid.Bool().Draw(a.t, "named") {
		id = pick(a.t, "ask", asks).ID
	}
	a.input(0, pick(a.t, "kind", kinds), id)
}

func (a *agent) input(seq uint64, kind bus.InputKind, id string) {
	if seq == 0 { // inputs are heard in their order
		for len(a.held) > 0 {
			a.hear()
		}
	}
	in := bus.Input{Kind: kind, Ask: id, Text: pick(a.t, "text", []string{"", "好的", "no"})}
	a.fold(a.t, bus.Record{Kind: bus.KindInput, Session: "s1", Task: "t1", Call: "t1", Input: &in}, seq)
}

// end lets everything come out well; then the call must come to its end.
func (a *agent) end() {
	for range 200 {
		due := a.follow()
		switch {
		case a.state.Ended():
			return
		case due.Write != nil:
			a.fold(a.t, *due.Write, 0)
		case due.Think != nil && len(due.Calls) == 0:
			r := a.state.Thought(due.Think.Round, a.known)
			r.Answer = "done"
			a.thought(r)
		case len(due.Calls) > 0:
			c := due.Calls[0]
			a.fold(a.t, *a.state.Settle(c.Request.Call, bus.Response{Status: bus.OK}, 0, a.terms()), 0)
		default:
			a.input(0, bus.Refuse, due.Waiting[0].ID)
		}
	}
	a.t.Fatalf("it does not end: %s", shown(a.t, a.state.Due(a.terms())))
}

// checkLedger reads the log: between two intents of one unsafe call there is the callee's own question, or a doubt and then a yes.
func (a *agent) checkLedger() {
	last := map[string]uint64{}
	for i, r := range a.log {
		if r.Kind != bus.KindIntent || r.Effect != bus.Unsafe {
			continue
		}
		before, again := last[r.Child]
		last[r.Child] = r.Seq
		if !again {
			continue
		}
		doubted, free := false, false
		for _, between := range a.log[:i] {
			switch {
			case between.Seq < before:
			case between.Kind == bus.KindAsk && between.Child == r.Child && between.Ask.ID == doubtID(r.Child, before):
				doubted = true
			case between.Kind == bus.KindAsk && between.Child == r.Child && !strings.HasPrefix(between.Ask.ID, r.Child+againInfix):
				free = true
			case doubted && between.Kind == bus.KindInput && consent.To(bus.Ask{}, *between.Input) == consent.Yes && (between.Input.Ask == "" || between.Input.Ask == doubtID(r.Child, before)):
				free = true
			}
		}
		if !free {
			a.t.Fatalf("%s was to be run again without a yes to the doubt", r.Child)
		}
	}
}

// dice is 0 to n-1, all alike: the ranges of rapid prefer small numbers.
func dice(t *rapid.T, label string, n int) int {
	v := 0
	for range 8 {
		v *= 2
		if rapid.Bool().Draw(t, label) {
			v++
		}
	}
	return v % n
}

func pick[T any](t *rapid.T, label string, from []T) T { return from[dice(t, label, len(from))] }
