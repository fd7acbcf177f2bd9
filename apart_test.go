package main

import (
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hmap-project/hmap/bus"
)

// While a task asks which one of several is meant, words that choose none and want something else are answered as a request of their own,
// and the choice stays open, over the gateway as on the page.
func TestRequestBesideAChoice(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	link, _, err := websocket.DefaultDialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.page, "http")+"/v1/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close()
	link.SetReadDeadline(time.Now().Add(patience))
	type frame struct {
		Type, Task, Waits, Code, Message string
		Record                           bus.Record
	}
	next := func(what string, is func(frame) bool) frame {
		t.Helper()
		for {
			var f frame
			if err := link.ReadJSON(&f); err != nil || f.Type == "error" {
				t.Fatalf("waiting for %s: %v %s %s", what, err, f.Code, f.Message)
			}
			if is(f) {
				return f
			}
		}
	}
	send := func(v map[string]any) {
		t.Helper()
		v["session"] = "beside"
		if err := link.WriteJSON(v); err != nil {
			t.Fatal(err)
		}
	}
	accepted := func(f frame) bool { return f.Type == "accepted" }
	root := func(task string, kind bus.Kind) func(frame) bool {
		return func(f frame) bool { return f.Record.Kind == kind && f.Record.Call == task }
	}

	send(map[string]any{"type": "follow"})
	send(map[string]any{"type": "task", "query": "把空气炸锅的价格降10%"})
	first := next("the first task", accepted).Task
	ask := next("the choice", root(first, bus.KindAsk)).Record.Ask
	if len(ask.Options) < 2 {
		t.Fatalf("nothing to choose from: %+v", ask)
	}
	say := func(text string) frame {
		t.Helper()
		send(map[string]any{"type": "input", "task": first, "kind": "answer", "ask": ask.ID, "text": text, "apart": true})
		return next(text, accepted)
	}
	beside := say("看看王萍萍的订单")
	if beside.Task == first || beside.Waits != first {
		t.Fatalf("the request became no task of its own: %+v", beside)
	}
	if r := next("its answer", root(beside.Task, bus.KindResponse)).Record; r.Status != bus.OK || !strings.Contains(string(r.Observation), "王萍萍共有") {
		t.Errorf("%s: %s", r.Status, r.Observation)
	}
	if chosen := say("第二个"); chosen.Task != first || chosen.Waits != "" {
		t.Fatalf("a choice became a request: %+v", chosen)
	}
	if a := next("leave for the change", root(first, bus.KindAsk)).Record.Ask; a.Kind != bus.Approval {
		t.Errorf("%+v", a)
	}
}
