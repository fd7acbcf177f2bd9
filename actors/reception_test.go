package actors

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// Anything that speaks NATS submits and is answered.
func TestReception(t *testing.T) {
	t.Parallel()
	m := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step { return scripted.Text("you said " + r.Last("user")) }))
	h := open(t, setup{model: m})
	nc := h.bus.Conn()
	reply, err := nc.Request(bus.AskSubject("main"), []byte("hello there, what is this?"), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var got receipt
	if err := json.Unmarshal(reply.Data, &got); err != nil || got.Task == "" || got.Response == nil || round.Text(got.Observation) != "you said hello there, what is this?" {
		t.Fatalf("%s %v", reply.Data, err)
	}
	inbox, err := nc.SubscribeSync("answers.here")
	if err != nil {
		t.Fatal(err)
	}
	reply, err = nc.Request(bus.SubmitSubject("main"), []byte(`{"query":"again please","reply_to":"answers.here"}`), 10*time.Second)
	if err != nil || !strings.Contains(string(reply.Data), `"task":"`) {
		t.Fatalf("%s %v", reply.Data, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	answer, err := inbox.NextMsgWithContext(ctx)
	if err != nil || !strings.Contains(string(answer.Data), "you said again please") {
		t.Fatalf("%v %v", answer, err)
	}
	for _, bad := range []string{``, `{"query":`, `{"query":7}`, `{"query":"x","session":"a.b"}`, `{"query":"x","task":">"}`, `{"hmap":"9","query":"x"}`, `{"query":"x","reply_to":"hmap.main.task.master"}`, `{"query":"  "}`, `{"query":"x","mode":"magic"}`} {
		reply, err := nc.Request(bus.SubmitSubject("main"), []byte(bad), 10*time.Second)
		if err != nil || !strings.Contains(string(reply.Data), `"error":{"code":`) {
			t.Errorf("%s: %s %v", bad, reply.Data, err)
		}
	}
}

// Who may ask, and nothing else, borrows none of our rights by the subject that he wants to be answered on: the log could be purged, or forged.
func TestReceptionChoosesWhereToAnswer(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("done") }))})
	w := h.submit(bus.Submission{Query: "hello"})
	last := h.response(w).Seq
	nc := h.bus.Conn()
	for _, subject := range []string{bus.SubmitSubject("main"), bus.AskSubject("main")} {
		for _, reply := range []string{"$JS.API.STREAM.PURGE." + bus.LogStream, bus.LogSubject("main", w.Session, w.Task, w.Task), bus.TaskSubject("main", "master")} {
			if err := nc.PublishRequest(subject, reply, []byte("who goes there")); err != nil {
				t.Fatal(err)
			}
		}
		if reply, err := nc.Request(subject, []byte("x"), 10*time.Second); err != nil || !strings.Contains(string(reply.Data), `"task":"`) {
			t.Fatalf("%s %v", reply.Data, err)
		}
	}
	if r, err := h.bus.Last(t.Context(), bus.Where{Session: w.Session, Task: w.Task, Call: w.Task}); err != nil || r.Seq != last {
		t.Errorf("the log ends with %s, %v", brief(r), err)
	}
	eventually(t, "the tasks of those who can be answered, and no others", func() bool {
		list, _, err := h.bus.Sessions(t.Context(), 0, 20)
		return err == nil && len(list) == 3
	})
}

// A call is no task: who may call an agent, and nothing else, starts none by giving a call the id of its task, and has nothing published by its reply_to.
func TestCallIsNoTask(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("done") }))})
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	for _, call := range []string{"t", "t-1-0"} {
		req := clerkCall()
		req.Call, req.ReplyTo = call, bus.LogSubject("main", "s", "t", "forged")
		r, err := h.bus.Call(ctx, req, nil)
		for err == nil && r.Status == bus.Failed && r.Error.Code == bus.CodeUnavailable { // on a busy machine its beats come too late
			r, err = h.bus.Call(ctx, req, nil)
		}
		if err != nil || (r.Status == bus.OK) != (call == "t-1-0") {
			t.Errorf("%s: %+v %v", call, r, err)
		}
	}
	h.idle()
	if r, err := h.bus.Last(ctx, bus.Where{Session: "s", Task: "t", Call: "forged"}); !errors.Is(err, bus.ErrNotFound) {
		t.Errorf("forged: %s, %v", brief(r), err)
	}
	if r, err := h.bus.Last(ctx, bus.Where{Session: "s", Task: "t", Call: "t"}); !errors.Is(err, bus.ErrNotFound) {
		t.Errorf("a task was begun: %s, %v", brief(r), err)
	}
}
