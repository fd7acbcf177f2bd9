package actors

import (
	"sync/atomic"
	"testing"

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
