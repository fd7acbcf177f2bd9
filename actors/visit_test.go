package actors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/schema"
)

// submit starts a task.
func (h *house) submit(s bus.Submission) bus.Where {
	h.t.Helper()
	r, err := h.bus.Submit(h.t.Context(), "master", s, "")
	if err != nil {
		h.t.Fatal(err)
	}
	return bus.Where{Session: r.Session, Task: r.Task}
}

// until waits for a record of the task.
func (h *house) until(w bus.Where, what string, match func(bus.Record) bool) bus.Record {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), longest)
	defer cancel()
	var seen []string
	for e, err := range h.bus.Follow(ctx, w, 0) {
		if err != nil {
			break
		}
		if e.CaughtUp {
			continue
		}
		seen = append(seen, brief(e.Record))
		if match(e.Record) {
			return e.Record
		}
	}
	h.t.Fatalf("no %s; the log has:\n%s", what, strings.Join(seen, "\n"))
	return bus.Record{}
}

func (h *house) response(w bus.Where) bus.Record {
	h.t.Helper()
	return h.until(w, "response", func(r bus.Record) bool { return r.Kind == bus.KindResponse && r.Call == r.Task })
}

func (h *house) ask(w bus.Where) bus.Ask {
	h.t.Helper()
	return *h.until(w, "ask", func(r bus.Record) bool { return r.Kind == bus.KindAsk && r.Call == r.Task }).Ask
}

func (h *house) tell(w bus.Where, in bus.Input) {
	h.t.Helper()
	if _, err := h.bus.Tell(h.t.Context(), w.Session, w.Task, in, ""); err != nil {
		h.t.Fatal(err)
	}
}

// idle waits until nothing runs here any more.
func (h *house) idle() {
	h.t.Helper()
	eventually(h.t, "nothing runs", func() bool { return h.team.Running() == 0 })
}

// closed waits until the index of open tasks no longer has the task.
func (h *house) closed(w bus.Where) {
	h.t.Helper()
	eventually(h.t, "the task is not open any more", func() bool {
		_, found, err := h.bus.OpenTask(h.t.Context(), w.Session, w.Task)
		if err != nil {
			h.t.Fatal(err)
		}
		return !found
	})
}

// kill ends the node's connection, so that all it says is lost and its lease lapses: that is what the others see of a killed process.
func (h *house) kill() { h.bus.Conn().Close() }

// claims is how often each call of a task was taken up from its log, by call.
func (h *house) claims(w bus.Where) map[string]int {
	h.t.Helper()
	n := map[string]int{}
	for _, r := range h.records(w) {
		if r.Kind == bus.KindClaim {
			n[r.Call]++
		}
	}
	return n
}

// log is what the log of a task has, for a person.
func (h *house) log(w bus.Where) string {
	h.t.Helper()
	var lines []string
	for _, r := range h.records(w) {
		lines = append(lines, r.Node+" "+brief(r))
	}
	return strings.Join(lines, "\n")
}

// clerkCall is a call of the clerk as the Master would make it.
func clerkCall() bus.Request {
	return bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t-1-0", ToolName: "clerk", Caller: "master", Parent: "t", Path: []string{"master"}, JobDesc: "hold"}
}

// asks makes a call beside. under is closed when somebody has it, and answer gets the response.
func (h *house) asks(req bus.Request) (under <-chan struct{}, answer <-chan bus.Response) {
	taken, got := make(chan struct{}), make(chan bus.Response, 1)
	var once sync.Once
	go func() {
		ctx, cancel := context.WithTimeout(h.t.Context(), longest)
		defer cancel()
		r, err := h.bus.Call(ctx, req, func(bus.Response) { once.Do(func() { close(taken) }) })
		if err != nil {
			h.t.Error(err)
		}
		got <- r
	}()
	return taken, got
}

// followed waits until somebody has read the whole log of a call and waits for more of it.
func (h *house) followed(req bus.Request) {
	h.t.Helper()
	js, err := jetstream.New(h.bus.Conn())
	if err != nil {
		h.t.Fatal(err)
	}
	stream, err := js.Stream(h.t.Context(), bus.LogStream)
	if err != nil {
		h.t.Fatal(err)
	}
	subject := bus.LogSubject("main", req.Session, req.Task, req.Call)
	eventually(h.t, "somebody follows the call", func() bool {
		found := false
		for info := range stream.ListConsumers(h.t.Context()).Info() {
			reads := info.Config.FilterSubject == subject || slices.Contains(info.Config.FilterSubjects, subject)
			found = found || reads && info.NumPending == 0 && info.NumWaiting > 0
		}
		return found
	})
}

// busy is how many slots of an agent are held on this node.
func (h *house) busy(agent string) int { return len(h.team.desks[agent].slots) }

// records is the log of a part of it. What agents write holds the specification's schema to the letter.
func (h *house) records(w bus.Where) []bus.Record {
	h.t.Helper()
	records, err := h.bus.Read(h.t.Context(), w, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range records {
		if r.Kind == bus.KindInput && r.Node == "" {
			continue // its body on the input subject is another one
		}
		if err := schema.Strict("record", mustJSON(r)); err != nil {
			h.t.Errorf("%s: %v", brief(r), err)
		}
	}
	return records
}

func brief(r bus.Record) string {
	s := fmt.Sprintf("%d %s %s %s", r.Seq, r.Call, r.Kind, r.Status)
	if r.Error != nil {
		s += " " + r.Error.Error()
	}
	if r.Thought != "" {
		s += " thought=" + r.Thought
	}
	for _, a := range r.ActionCode {
		s += fmt.Sprintf(" %s%s%s", a.ToolName, a.Parameter, a.JobDesc)
	}
	if r.Ask != nil {
		s += " ask=" + r.Ask.ID + " " + r.Ask.Question
	}
	if len(r.Observation) > 0 {
		s += " " + string(r.Observation)
	}
	return s
}
