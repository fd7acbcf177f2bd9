package actors

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// Two nodes: the one that works on a task is killed; the other takes over each of its calls once, and an unsafe effect that may have
// happened is not repeated without a word.
func TestTakeover(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "post")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "post", Arguments: `{"to":"slow"}`}), {Text: "posted it"}},
	}))
	l := &ledger{}
	first := open(t, setup{server: server, ledger: l, model: m, node: "first"})
	w := first.submit(bus.Submission{Query: "post it"})
	l.wait(t, "post slow")
	second := open(t, setup{server: server, ledger: l, model: m, node: "second"})
	first.kill()
	a := second.ask(w)
	if a.Kind != bus.Approval || !strings.Contains(a.Question, "may or may not") {
		t.Fatalf("%+v", a)
	}
	second.idle() // parked
	if got := second.claims(w); len(got) != 2 || got[w.Task] != 1 || got[w.Task+"-1-0"] != 1 {
		t.Errorf("claims by call: %v\n%s", got, second.log(w))
	}
	second.tell(w, bus.Input{Kind: bus.Refuse, Ask: a.ID})
	if r := second.response(w); r.Status != bus.OK {
		t.Fatal(brief(r))
	}
	if n := len(l.all()); n != 1 {
		t.Errorf("the unsafe tool ran %d times: %v", n, l.all())
	}
	if got := second.claims(w); got[w.Task] != 2 || got[w.Task+"-1-0"] != 1 { // waking takes the task up once more
		t.Errorf("claims by call: %v\n%s", got, second.log(w))
	}
}

// What a clerk did when its node was killed is not done again without asking, even if the Master would gladly begin anew.
func TestUnsafeEffectIsNotRepeatedAfterTheClerksNodeCameBack(t *testing.T) {
	t.Parallel()
	server, l := bustest.Server(t), &ledger{}
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "post")), scripted.React(func(r scripted.Request) scripted.Step {
			if strings.Contains(r.Last("tool"), bus.CodeUnavailable) {
				return scripted.Calls(handOver("clerk", "post it, please"))
			}
			return scripted.Text("end")
		}), {Text: "end"}},
		"clerk": {scripted.Calls(scripted.Call{Name: "post", Arguments: `{"to":"slow"}`}), {Text: "posted it"}},
	}))
	masters := open(t, setup{server: server, ledger: l, model: m, node: "masters", agents: testAgents[:1], toolless: true})
	clerks := setup{server: server, ledger: l, model: m, node: "clerks", agents: testAgents[1:2]}
	dying := open(t, clerks)
	w := masters.submit(bus.Submission{Query: "post it"})
	l.wait(t, "post slow")
	dying.kill()
	open(t, clerks) // waits until the old lease has lapsed
	a := masters.ask(w)
	if a.Kind != bus.Approval || !strings.Contains(a.Question, "may or may not") {
		t.Fatalf("%+v\n%s", a, masters.log(w))
	}
	masters.tell(w, bus.Input{Kind: bus.Refuse, Ask: a.ID})
	if r := masters.response(w); r.Status != bus.OK || len(l.all()) != 1 {
		t.Errorf("%s; done: %v\n%s", brief(r), l.all(), masters.log(w))
	}
}

// A call that had asked for leave while something else of it was still on its way comes back in a process that has its node's name: the answer
// to the ask is no word about what was on its way.
func TestLeaveAfterADeathIsNotForWhatWasOnItsWay(t *testing.T) {
	t.Parallel()
	server, l := bustest.Server(t), &ledger{}
	m := scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "post it, and send hi to ann")), {Text: "end"}},
		"clerk":  {scripted.Calls(scripted.Call{Name: "post", Arguments: `{"to":"slow"}`}, scripted.Call{Name: "send", Arguments: `{"to":"ann","text":"hi"}`}), {Text: "posted it"}},
	}))
	masters := open(t, setup{server: server, ledger: l, model: m, node: "masters", agents: testAgents[:1], toolless: true})
	clerks := setup{server: server, ledger: l, model: m, node: "clerks", agents: testAgents[1:2]}
	dying := open(t, clerks)
	w := masters.submit(bus.Submission{Query: "post it, and send hi to ann"})
	l.wait(t, "post slow")
	dying.until(w, "ask for leave", func(r bus.Record) bool { return r.Kind == bus.KindAsk })
	dying.kill()
	open(t, clerks)
	leave := masters.ask(w)
	if leave.ToolName != "send" {
		t.Fatalf("%+v", leave)
	}
	masters.tell(w, bus.Input{Kind: bus.Approve, Ask: leave.ID})
	masters.until(w, "ask about what was on its way", func(r bus.Record) bool {
		return r.Kind == bus.KindAsk && r.Agent == "master" && r.Ask.ID != leave.ID && strings.Contains(r.Ask.Question, "may or may not")
	})
	masters.tell(w, bus.Input{Kind: bus.Refuse})
	r := masters.response(w)
	posts := 0
	for _, done := range l.all() {
		if done == "post slow" {
			posts++
		}
	}
	if r.Status != bus.OK || posts != 1 {
		t.Errorf("%s; done: %v\n%s", brief(r), l.all(), masters.log(w))
	}
}

// Survivors with fewer slots than a dead node had tasks share them out, and take none from each other.
func TestNoTaskIsTakenFromALivingNode(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	const tasks = 6
	thinks := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Hang() }))
	early, late := newGate(), newGate()
	answers := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		if r.N < 4 {
			early.wait()
		} else {
			late.wait()
		}
		return scripted.Text("done")
	}))
	t.Cleanup(late.open)
	t.Cleanup(early.open)
	first := open(t, setup{server: server, model: thinks, timeout: time.Minute})
	var all []bus.Where
	for i := range tasks {
		all = append(all, first.submit(bus.Submission{Query: fmt.Sprint("question ", i)}))
	}
	if err := thinks.Wait(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	second := open(t, setup{server: server, model: answers, node: "second", limits: slots(2), timeout: time.Minute})
	third := open(t, setup{server: server, model: answers, node: "third", limits: slots(2), timeout: time.Minute})
	first.kill()
	if err := answers.Wait(t.Context(), 4); err != nil { // both are full, and two tasks wait for a slot on either node
		t.Fatal(err)
	}
	early.open()
	if err := answers.Wait(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	waiting := func(h *house) (adopting, running int) {
		h.team.mu.Lock()
		defer h.team.mu.Unlock()
		return len(h.team.adopting), len(h.team.running)
	}
	for _, h := range []*house{second, third} { // where a task that is worked on elsewhere had waited for a slot, it is let be
		eventually(t, "nothing waits to be taken over but for a slot", func() bool {
			adopting, running := waiting(h)
			return adopting == 0 || running == 2 // one that took both of the last tasks has no slot to look at the others with
		})
	}
	late.open()
	for _, h := range []*house{second, third} {
		eventually(t, "nothing waits to be taken over", func() bool { n, _ := waiting(h); return n == 0 })
	}
	for _, w := range all {
		if r := second.response(w); r.Status != bus.OK || second.claims(w)[w.Task] != 1 {
			t.Errorf("%s\n%s", brief(r), second.log(w))
		}
	}
}

// A task that was begun by a node that did not live to note it in the index is not lost.
func TestTaskThatWasBegunButNotNotedIsDone(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	stopping := connect(t, server, "stopping")
	lease, err := stopping.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	begun := &bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Attempt: 1,
		Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t", Caller: "user", ToolName: "master", JobDesc: "x"}}
	if _, err := stopping.Append(t.Context(), begun, 0); err != nil {
		t.Fatal(err)
	}
	h := open(t, setup{server: server, model: scripted.New(t, scripted.Text("done"))})
	if _, err := stopping.Submit(t.Context(), "master", bus.Submission{Query: "x", Session: "s", Task: "t"}, ""); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the submission was put back", func() bool { return strings.Contains(strings.Join(h.said.all(), ""), "goes back to the queue") })
	lease.Close()
	if r := h.response(bus.Where{Session: "s", Task: "t"}); r.Status != bus.OK {
		t.Error(brief(r))
	}
}

// A reply_to hears of its task even if the node died between the response and the reply.
func TestReplyToIsSentByWhoeverFindsTheTaskEnded(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	dead := connect(t, server, "dead")
	inbox, err := dead.Conn().SubscribeSync("my.answer")
	if err != nil {
		t.Fatal(err)
	}
	r := &bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Attempt: 1,
		Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t", Caller: "user", ToolName: "master", JobDesc: "x", ReplyTo: "my.answer"}}
	seq, err := dead.Append(t.Context(), r, 0)
	if err == nil {
		err = dead.MarkOpen(t.Context(), bus.OpenTask{Session: "s", Task: "t", Agent: "master"})
	}
	if err == nil {
		_, err = dead.Append(t.Context(), &bus.Record{Kind: bus.KindResponse, Session: "s", Task: "t", Call: "t", Agent: "master", Status: bus.OK, Observation: json.RawMessage(`"the answer"`)}, seq)
	}
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, setup{server: server})
	if m, err := inbox.NextMsg(20 * time.Second); err != nil || !strings.Contains(string(m.Data), "the answer") {
		t.Errorf("%v %v", m, err)
	}
	h.closed(bus.Where{Session: "s", Task: "t"})
}

// A task whose snapshot cannot be kept now stays in the index, so that it is closed again.
func TestTaskStaysOpenUntilItsSnapshotIsKept(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	h, after := open(t, setup{server: server}), connect(t, server, "after")
	s := &round.State{}
	for _, r := range []*bus.Record{
		{Kind: bus.KindRequest, Attempt: 1, Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t", Caller: "user", ToolName: "master", JobDesc: "x"}},
		{Kind: bus.KindResponse, Status: bus.OK, Observation: json.RawMessage(`"done"`)},
	} {
		r.Session, r.Task, r.Call, r.Agent = "s", "t", "t", "master"
		if err := h.team.write(t.Context(), s, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.bus.MarkOpen(t.Context(), bus.OpenTask{Session: "s", Task: "t", Agent: "master"}); err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(h.bus.Conn())
	if err == nil {
		err = js.DeleteKeyValue(t.Context(), bus.SessionsBucket)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.team.close(s)
	h.stop() // waits for it
	if _, found, err := after.OpenTask(t.Context(), "s", "t"); err != nil || !found {
		t.Errorf("taken from the index although nothing was kept: %v", err)
	}
}

// A task that was submitted before the team came is thought about by the whole team.
func TestTheFirstTaskSeesTheWholeTeam(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	if _, err := connect(t, server, "user").Submit(t.Context(), "master", bus.Submission{Query: "please look something up", Session: "s", Task: "t"}, ""); err != nil {
		t.Fatal(err)
	}
	h := open(t, setup{server: server, model: scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		return scripted.Text(fmt.Sprint("clerk: ", r.Offers("clerk"), ", peer: ", r.Offers("peer")))
	}))})
	if r := h.response(bus.Where{Session: "s", Task: "t"}); round.Text(r.Observation) != "clerk: true, peer: true" {
		t.Error(brief(r))
	}
}

// A request whose acknowledgement was late is found in the log when the job comes again: its node goes on with it and claims nothing, so
// that a slow log does not use up what an executor may lose.
func TestBegunHereIsNoClaim(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	d := h.team.desks["master"]
	for _, c := range []struct {
		name   string
		change func(*bus.Record)
		claims int
	}{
		{"ours", func(*bus.Record) {}, 0},
		{"another life of this node", func(r *bus.Record) { r.Time = h.team.begun.Add(-time.Second) }, 1},
		{"another node", func(r *bus.Record) { r.Node = "gone" }, 1},
	} {
		s := bus.Submission{Query: "x", Session: "s", Task: "t" + strings.ReplaceAll(c.name, " ", "-")}
		k := callKey{s.Session, s.Task, s.Task}
		r := d.record(d.request(s))
		r.Node = h.bus.Node()
		c.change(r)
		if _, err := h.bus.Append(t.Context(), r, 0); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, at, err := h.team.own(t.Context(), k, d.record(d.request(s)), nil); err != nil || at != ours {
				t.Fatalf("%s: %v, %v", c.name, at, err)
			}
		}
		if n := len(h.claims(bus.Where{Session: s.Session, Task: s.Task})); n < c.claims || c.claims == 0 && n > 0 {
			t.Errorf("%s: %d claims, want %d or more", c.name, n, c.claims)
		}
	}
}

// An answer to a call that was left in the middle of something is no leave to do that again: a node that was started again under its name claims
// the call as any other would, so that what was under way is in doubt. Where nothing was, the input alone is enough.
func TestInputAfterARestartRepeatsNothing(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	for name, acting := range map[string]bool{"at rest": false, "in the middle": true} {
		k := callKey{"s", "t", "t-1-" + fmt.Sprint(len(name))}
		r := bus.Request{HMAP: bus.Version, Session: k.session, Task: k.task, Call: k.call, Parent: "t", Caller: "master", Path: []string{"master"}, ToolName: "clerk", JobDesc: "x"}
		base := bus.Record{Session: k.session, Task: k.task, Call: k.call, Parent: "t", Agent: "clerk", Node: h.bus.Node()}
		last := uint64(0)
		write := func(rec bus.Record, kind bus.Kind) {
			t.Helper()
			rec.Kind = kind
			seq, err := h.bus.Append(t.Context(), &rec, last)
			if err != nil {
				t.Fatal(err)
			}
			last = seq
		}
		request, round1, asks, intent := base, base, base, base
		request.Request, request.Attempt = &r, 1
		write(request, bus.KindRequest)
		round1.Round, round1.ActionCode = 1, []bus.Action{{ID: "a", ToolName: "post", Parameter: json.RawMessage(`{"to":"bob"}`)}, {ID: "b", ToolName: "send", Parameter: json.RawMessage(`{"to":"ann"}`)}}
		write(round1, bus.KindRound)
		asked := bus.ChildID(k.call, 1, 1)
		asks.Round, asks.Child, asks.Ask = 1, asked, &bus.Ask{ID: asked, Kind: bus.Approval, Question: "may I?"}
		write(asks, bus.KindAsk)
		if acting {
			intent.Round, intent.Child, intent.ToolName, intent.Effect = 1, bus.ChildID(k.call, 1, 0), "post", bus.Unsafe
			write(intent, bus.KindIntent)
		}
		s, at, err := h.team.own(t.Context(), k, nil, &bus.Input{HMAP: bus.Version, Kind: bus.Approve, Ask: asked})
		if err != nil || at != ours {
			t.Fatalf("%s: %v, %v", name, at, err)
		}
		if claimed := s.Attempt == 2; claimed != acting || len(s.OpenAsks()) > 0 {
			t.Errorf("%s: attempt %d, open asks %v", name, s.Attempt, s.OpenAsks())
		}
	}
}
