package tools

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = 20 * time.Second

// world is a host on a bus of its own.
type world struct {
	*Host
	t testing.TB
}

func newWorld(t testing.TB, o Options) world {
	t.Helper()
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	o.Log = slog.New(slog.DiscardHandler)
	h := NewHost(b, engine, o)
	t.Cleanup(func() {
		if err := h.Stop(); err != nil {
			t.Error(err)
		}
	})
	return world{h, t}
}

// add serves a function under a name.
func (w world) add(card bus.Card, run func(ctx context.Context, call *Call) (any, error)) {
	w.t.Helper()
	if card.Description == "" {
		card.Description = "a tool of the tests"
	}
	if err := w.Add(Tool{Card: card, Run: run}); err != nil {
		w.t.Fatal(err)
	}
}

// ask calls a tool and waits for its answer.
func (w world) ask(ctx context.Context, r bus.Request) bus.Response {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r.Session, r.Task, r.Caller = "s1", "t1", "tester"
	answer, err := w.bus.Call(ctx, r, nil)
	if err != nil {
		w.t.Errorf("call %s of %s: %v", r.Call, r.ToolName, err)
	}
	return answer
}

// later asks in the background.
func (w world) later(ctx context.Context, r bus.Request) <-chan bus.Response {
	answer := make(chan bus.Response, 1)
	go func() { answer <- w.ask(ctx, r) }()
	return answer
}

// told asks as ask does, but hears the tool itself out instead of giving up at the deadline: what the tool has answered, it has also
// taken out of its line.
func (w world) told(r bus.Request) bus.Response {
	w.t.Helper()
	r.HMAP, r.Session, r.Task, r.Caller = bus.Version, "s1", "t1", "tester"
	body, err := json.Marshal(r)
	if err != nil {
		w.t.Fatal(err)
	}
	inbox := w.bus.Conn().NewRespInbox()
	replies, err := w.bus.Conn().SubscribeSync(inbox)
	if err != nil {
		w.t.Fatal(err)
	}
	defer replies.Unsubscribe()
	if err := w.bus.Conn().PublishRequest(bus.CallSubject("main", r.ToolName), inbox, body); err != nil {
		w.t.Fatal(err)
	}
	for {
		m, err := replies.NextMsg(patience)
		if err != nil {
			w.t.Fatal(err)
		}
		var answer bus.Response
		if err := json.Unmarshal(m.Data, &answer); err != nil {
			w.t.Fatal(err)
		}
		if answer.Status != bus.Working {
			return answer
		}
	}
}

func await[T any](t testing.TB, what string, from <-chan T) (got T) {
	t.Helper()
	select {
	case got = <-from:
	case <-time.After(patience):
		t.Fatalf("no %s within %v", what, patience)
	}
	return got
}

func wantCode(t testing.TB, answer bus.Response, status bus.Status, code string) {
	t.Helper()
	if answer.Status != status || answer.Error == nil || answer.Error.Code != code {
		t.Fatalf("got %s %s %v, want %s %s", answer.Status, answer.Observation, answer.Error, status, code)
	}
	if len(answer.Observation) > 0 {
		t.Errorf("a failure hands on an observation: %.200s", answer.Observation)
	}
}

// content reads the one file of an answer.
func (w world) content(answer bus.Response) []byte {
	w.t.Helper()
	if len(answer.Files) != 1 {
		w.t.Fatalf("files %+v, want one", answer.Files)
	}
	r, f, err := w.bus.Files().Get(w.t.Context(), answer.Files[0].Ref)
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil || int64(len(text)) != f.Bytes {
		w.t.Fatalf("%d bytes of %d, %v", len(text), f.Bytes, err)
	}
	return text
}

// talk works until it is released or its context ends, and says so all the while.
func talk(ctx context.Context, call *Call, release <-chan struct{}) error {
	beat := time.NewTicker(progressPause)
	defer beat.Stop()
	for {
		select {
		case <-beat.C:
			call.Progress("still here")
		case <-ctx.Done():
			return ctx.Err()
		case <-release:
			return nil
		}
	}
}

// hear asks in the background; each progress line comes on the first channel.
func (w world) hear(ctx context.Context, r bus.Request) (<-chan string, <-chan bus.Response) {
	lines, answer := make(chan string, 1000), make(chan bus.Response, 1)
	r.Session, r.Task = "s1", "t1"
	go func() {
		got, err := w.bus.Call(ctx, r, func(p bus.Response) { lines <- p.Progress })
		if err != nil {
			w.t.Error(err)
		}
		answer <- got
	}()
	return lines, answer
}
