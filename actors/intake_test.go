package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/nats-io/nats.go/jetstream"
)

// A submission whose Accept was lost comes again after its task has ended and was removed with its session: it is not carried out twice.
func TestLostAcceptOfARemovedTask(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	gone := connect(t, server, "gone")
	w := bus.Where{Session: "s", Task: "t", Call: "t"}
	if _, err := gone.Submit(t.Context(), "master", bus.Submission{Query: "pay", Session: w.Session, Task: w.Task}, ""); err != nil {
		t.Fatal(err)
	}
	for job, err := range gone.Work(t.Context(), "master", make(chan struct{}, 1)) {
		if err != nil {
			t.Fatal(err)
		}
		begun := &bus.Record{Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "master", Attempt: 1,
			Request: &bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t", Caller: "user", ToolName: "master", JobDesc: "pay"}}
		seq, err := gone.Append(t.Context(), begun, 0)
		if err == nil {
			_, err = gone.Append(t.Context(), &bus.Record{Kind: bus.KindResponse, Session: "s", Task: "t", Call: "t", Agent: "master", Status: bus.OK}, seq)
		}
		if err == nil {
			err = gone.Remove(t.Context(), w.Session)
		}
		if err == nil {
			err = job.Retry(0, nil) // as the server does after a while
		}
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	var thought atomic.Int32
	h := open(t, setup{server: server, model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step {
		thought.Add(1)
		return scripted.Text("paid")
	}))})
	js, err := jetstream.New(gone.Conn())
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the job is out of the queue", func() bool {
		s, err := js.Stream(t.Context(), bus.TaskStream)
		return err == nil && s.CachedInfo().State.Msgs == 0
	})
	h.idle()
	if recs := h.records(bus.Where{Session: w.Session}); len(recs) > 0 || thought.Load() > 0 {
		t.Errorf("it was thought about %d times, and the log has\n%s", thought.Load(), h.log(w))
	}
}

// A submission comes a second time while it begins here, and then its begin fails. Had it been taken out of the queue for running here already, nobody
// would know of it: it is in no index yet.
func TestSubmissionThatComesAgainWhileItBegins(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("done") }))})
	w := bus.Where{Session: "s", Task: "t"}
	seat, mine := h.team.reserve(callKey{"s", "t", "t"}) // the first taker, who waits for the log
	if !mine {
		t.Fatal("it runs already")
	}
	if _, err := h.bus.Submit(t.Context(), "master", bus.Submission{Query: "go", Session: w.Session, Task: w.Task}, ""); err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(h.bus.Conn())
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the submission has been decided on", func() bool {
		s, err := js.Stream(t.Context(), bus.TaskStream)
		if err != nil {
			return false
		}
		decided := s.CachedInfo().State.Msgs == 0
		for c := range s.ListConsumers(t.Context()).Info() {
			decided = decided || c.NumRedelivered > 0 // put back
		}
		return decided
	})
	h.team.release(callKey{"s", "t", "t"}, seat)
	if r := h.response(w); r.Status != bus.OK {
		t.Error(brief(r))
	}
}

// What the queue takes can be begun, to the last byte.
func TestLargestSubmission(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("done") }))})
	id := strings.Repeat("x", bus.MaxToken)
	s := bus.Submission{
		HMAP: bus.Version, Session: id, Task: id, ReplyTo: "answers." + strings.Repeat("y", 200),
		Budget: &bus.Budget{Tokens: 1<<62 - 1, Seconds: 12345.678901234567, Rounds: 1<<62 - 1, Money: 0.12345678901234567, Depth: 1<<62 - 1},
	}
	fits := 0
	for most := int(h.bus.Conn().MaxPayload()); fits == 0; {
		s.Query = strings.Repeat("a", most)
		_, err := h.bus.Submit(t.Context(), "master", s, "")
		var size int
		if _, scan := fmt.Sscanf(fmt.Sprint(err), "submit: %d bytes, at most %d", &size, &most); err == nil {
			fits = len(s.Query)
		} else if scan != nil || !errors.Is(err, bus.ErrTooLarge) {
			t.Fatal(err)
		} else {
			most -= size - len(s.Query) // what is not the query
		}
	}
	if r := h.response(bus.Where{Session: id, Task: id, Call: id}); r.Status != bus.OK {
		t.Errorf("a query of %d bytes: %s %v", fits, r.Status, r.Error)
	}
}

// A submission that was published past the size that leaves room for its record is a dead letter at once, and who waits is told.
func TestSubmissionTooLargeToBegin(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("done") }))})
	nc := h.bus.Conn()
	inbox, err := nc.SubscribeSync("answers.here")
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"reply_to":"answers.here","query":"`)
	body = append(append(body, bytes.Repeat([]byte("a"), int(nc.MaxPayload())-len(body)-300)...), `"}`...)
	if err := nc.Publish(bus.TaskSubject("main", "master"), body); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	m, err := inbox.NextMsgWithContext(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var r bus.Response
	if err := json.Unmarshal(m.Data, &r); err != nil || r.Error == nil || r.Error.Code != bus.CodeInvalidRequest || r.Error.Retryable {
		t.Errorf("%.300s %v", m.Data, err)
	}
	if dead, err := h.bus.DeadLetters(t.Context()); err != nil || len(dead) != 1 || dead[0].Tries != 1 {
		t.Errorf("%v %v", dead, err)
	}
}

// Who asks is told when the task becomes a dead letter without having begun, and holds nothing here any more.
func TestAskThatBecomesADeadLetter(t *testing.T) {
	t.Parallel()
	server := bustest.Server(t)
	limits := testLimits
	limits.Tasks = 1
	h := open(t, setup{server: server, limits: limits, model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Hang() }))})
	for range cap(h.team.desks["master"].slots) { // all that it has room for
		h.until(h.submit(bus.Submission{Query: "hello"}), "begin", func(r bus.Record) bool { return r.Kind == bus.KindRequest })
	}
	away := connect(t, server, "away")
	reply := make(chan string, 1)
	go func() {
		m, err := h.bus.Conn().Request(bus.AskSubject("main"), []byte(`{"query":"hello","task":"t7"}`), 10*time.Second)
		if err != nil {
			reply <- err.Error()
			return
		}
		reply <- string(m.Data)
	}()
	for job, err := range away.Work(t.Context(), "master", make(chan struct{}, 1)) {
		if err == nil {
			eventually(t, "somebody waits", func() bool {
				n := 0
				h.team.asking.Range(func(any, any) bool { n++; return true })
				return n == 1
			})
			err = job.Reject(t.Context(), &bus.Error{Code: bus.CodeForbidden, Message: "not today"})
		}
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	if r := <-reply; !strings.Contains(r, `"error":{"code":"forbidden","message":"not today"}`) || !strings.Contains(r, `"task":"t7"`) {
		t.Error(r)
	}
	eventually(t, "nobody waits", func() bool { return len(h.team.visitors) == 0 })
}
