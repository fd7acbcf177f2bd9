package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = 20 * time.Second

// world is a host on a bus of its own.
type world struct {
	*Host
	t testing.TB
}

func newWorld(t testing.TB, o Options) world {
	t.Helper()
	server, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	b, err := bus.Connect(t.Context(), bus.Options{Server: server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
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

func TestCall(t *testing.T) {
	w := newWorld(t, Options{})
	type order struct {
		ID    string `json:"id"`
		Count int    `json:"count"`
	}
	tool := New(bus.Card{
		Name: "order", Description: "an order", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"count":{"type":"integer"}},"required":["id"]}`),
		Returns:    json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"count":{"type":"integer"}},"required":["id"]}`),
	}, func(_ context.Context, call *Call, asked order) (order, error) {
		call.Attach(bus.File{Ref: "obj:x", Name: "x"})
		return asked, nil
	})
	if err := w.Add(tool); err != nil {
		t.Fatal(err)
	}
	answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "order", Parameter: json.RawMessage(`{"id":["王"],"count":"5"}`)})
	if want := `{"id":"王","count":5}`; answer.Status != bus.OK || string(answer.Observation) != want {
		t.Errorf("got %s %s %v, want %s", answer.Status, answer.Observation, answer.Error, want)
	}
	if len(answer.Files) != 1 || answer.Files[0].Ref != "obj:x" {
		t.Errorf("files %+v", answer.Files)
	}

	answer = w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "order", Parameter: json.RawMessage(`{"count":"many"}`)})
	wantCode(t, answer, bus.Failed, bus.CodeInvalidParameter)
	for _, want := range []string{"order", "id: missing", `count: given "many", wanted integer`} {
		if !strings.Contains(answer.Error.Message, want) {
			t.Errorf("%q does not say %q", answer.Error.Message, want)
		}
	}
}

func TestFailuresAreFacts(t *testing.T) {
	w := newWorld(t, Options{})
	card := func(name string) bus.Card { return bus.Card{Name: name, Effect: bus.Read} }
	w.add(card("panics"), func(context.Context, *Call) (any, error) { panic("ouch") })
	w.add(card("breaks"), func(context.Context, *Call) (any, error) { return "half", errors.New("disk on fire") })
	w.add(card("refuses"), func(context.Context, *Call) (any, error) {
		return nil, fmt.Errorf("order: %w", &bus.Error{Code: bus.CodeForbidden, Message: "shipped already", Retryable: true})
	})
	w.add(card("babbles"), func(context.Context, *Call) (any, error) { return make(chan int), nil })
	w.add(card("marshals"), func(context.Context, *Call) (any, error) { return explosive{}, nil })
	lies := card("lies")
	lies.Returns = json.RawMessage(`{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"]}`)
	w.add(lies, func(context.Context, *Call) (any, error) { return map[string]any{"total": "three"}, nil })

	for name, want := range map[string]struct{ code, text string }{
		"panics":   {bus.CodeInternal, "ouch"},
		"breaks":   {bus.CodeInternal, "disk on fire"},
		"refuses":  {bus.CodeForbidden, "shipped already"},
		"babbles":  {bus.CodeInternal, "not JSON"},
		"marshals": {bus.CodeInternal, "boom"},
		"lies":     {bus.CodeInternal, `total: given "three", wanted integer`},
	} {
		for i := range 5 { // more often than an actor may restart
			answer := w.ask(t.Context(), bus.Request{Call: fmt.Sprintf("c%d", i), ToolName: name})
			wantCode(t, answer, bus.Failed, want.code)
			if !strings.Contains(answer.Error.Message, want.text) {
				t.Errorf("%s: %q does not say %q", name, answer.Error.Message, want.text)
			}
			if name == "refuses" && !answer.Error.Retryable {
				t.Error("retryable got lost")
			}
		}
	}
}

type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("boom") }

func TestFlood(t *testing.T) {
	w := newWorld(t, Options{})
	type row struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	var rows []row
	for i := range 60_000 {
		rows = append(rows, row{i, "王萍萍的订单"})
	}
	w.add(bus.Card{Name: "rows", Effect: bus.Read}, func(context.Context, *Call) (any, error) {
		return map[string]any{"total": len(rows), "rows": rows}, nil
	})
	w.add(bus.Card{Name: "text", Effect: bus.Read}, func(context.Context, *Call) (any, error) { return strings.Repeat("规则", 400_000), nil })

	answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "rows"})
	if answer.Status != bus.OK || len(answer.Observation) > 32<<10 || len(answer.Observation) < 30<<10 {
		t.Fatalf("%s, %d bytes, %v", answer.Status, len(answer.Observation), answer.Error)
	}
	var short struct {
		Total int   `json:"total"`
		Rows  []any `json:"rows"`
	}
	if err := json.Unmarshal(answer.Observation, &short); err != nil || short.Total != len(rows) {
		t.Fatalf("total %d, %v", short.Total, err)
	}
	last, _ := short.Rows[len(short.Rows)-1].(string)
	if want := fmt.Sprintf("… [%d of 60000 items shown]", len(short.Rows)-1); last != want {
		t.Errorf("the list ends with %q, want %q", last, want)
	}
	var whole struct {
		Rows []row `json:"rows"`
	}
	if err := json.Unmarshal(w.content(answer), &whole); err != nil || len(whole.Rows) != len(rows) {
		t.Errorf("the kept file has %d rows, %v", len(whole.Rows), err)
	}

	answer = w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "text"})
	if answer.Status != bus.OK || len(answer.Observation) > 32<<10 || !strings.Contains(string(answer.Observation), "[cut, 2400000 bytes in all]") {
		t.Errorf("%s, %d bytes", answer.Status, len(answer.Observation))
	}
	if got := string(w.content(answer)); got != strings.Repeat("规则", 400_000) {
		t.Errorf("the kept text has %d bytes", len(got))
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

func TestDeadline(t *testing.T) {
	w := newWorld(t, Options{})
	obeys := func(ctx context.Context, _ *Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
	w.add(bus.Card{Name: "slow", Effect: bus.Read, Timeout: 20 * time.Millisecond}, obeys)
	w.add(bus.Card{Name: "slow_change", Effect: bus.Unsafe, Timeout: 20 * time.Millisecond}, obeys)
	w.add(bus.Card{Name: "hurried", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		d, _ := ctx.Deadline()
		return d.Equal(call.Request.Deadline), nil
	})

	answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "slow"})
	wantCode(t, answer, bus.Failed, bus.CodeTimeout)
	if !answer.Error.Retryable {
		t.Error("a read may be tried again")
	}
	answer = w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "slow_change"})
	wantCode(t, answer, bus.Failed, bus.CodeTimeout)
	if answer.Error.Retryable {
		t.Error("an unsafe call must not be tried again silently")
	}
	if answer = w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "hurried", Deadline: time.Now().Add(patience / 2)}); string(answer.Observation) != "true" {
		t.Errorf("the request's deadline is not the context's: %+v", answer)
	}
}

// A function that ignores its context is given up on: its caller gets an answer, its slot stays taken.
func TestHang(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 1, Waiting: -1})
	release := make(chan struct{})
	var once sync.Once
	t.Cleanup(func() { once.Do(func() { close(release) }) })
	hangs := func(context.Context, *Call) (any, error) { <-release; return "late", nil }
	w.add(bus.Card{Name: "reads", Effect: bus.Read, Timeout: 10 * time.Millisecond}, hangs)
	w.add(bus.Card{Name: "writes", Effect: bus.Unsafe, Timeout: 10 * time.Millisecond}, hangs)

	read := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "reads"})
	write := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "writes"})
	wantCode(t, await(t, "answer", read), bus.Failed, bus.CodeTimeout)
	doubt := await(t, "answer", write)
	wantCode(t, doubt, bus.Failed, bus.CodeInDoubt)
	if doubt.Error.Retryable {
		t.Error("what is in doubt must not be tried again silently")
	}
	wantCode(t, w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "writes"}), bus.Failed, bus.CodeBusy)
	wantCode(t, w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "writes"}), bus.Failed, bus.CodeInDoubt) // remembered
	once.Do(func() { close(release) })
}

func TestCancel(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 1})
	started, cause := make(chan struct{}), make(chan error, 1)
	w.add(bus.Card{Name: "slow", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		if call.Request.Call == "after" {
			return "done", nil
		}
		close(started)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = w.bus.Call(ctx, bus.Request{Session: "s1", Task: "t1", Call: "c1", ToolName: "slow"}, nil) // its caller has left
	}()
	await(t, "start", started)
	after := w.later(t.Context(), bus.Request{Call: "after", ToolName: "slow"})
	cancel()
	if err := await(t, "end of the context", cause); !errors.Is(err, errCancelled) {
		t.Errorf("the context ended by %v", err)
	}
	await(t, "end of the call", gone)
	if answer := await(t, "answer of the next in line", after); answer.Status != bus.OK {
		t.Errorf("%+v", answer)
	}
}

func TestBoundedAtOnce(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 2, Waiting: 1})
	var now, most atomic.Int32
	started, release := make(chan string, 10), make(chan struct{})
	w.add(bus.Card{Name: "gate", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		n := now.Add(1)
		defer now.Add(-1)
		if n > most.Load() {
			most.Store(n)
		}
		started <- call.Request.Call
		<-release
		return nil, nil
	})
	var answers []<-chan bus.Response
	for i := range 2 {
		answers = append(answers, w.later(t.Context(), bus.Request{Call: fmt.Sprintf("c%d", i), ToolName: "gate"}))
		await(t, "start", started)
	}
	// Of two more, one finds the last place in the line and one none.
	a := w.later(t.Context(), bus.Request{Call: "c2", ToolName: "gate"})
	b := w.later(t.Context(), bus.Request{Call: "c3", ToolName: "gate"})
	var refused bus.Response
	select {
	case refused = <-a:
		answers = append(answers, b)
	case refused = <-b:
		answers = append(answers, a)
	case <-time.After(patience):
		t.Fatal("nobody was refused")
	}
	wantCode(t, refused, bus.Failed, bus.CodeBusy)
	if !refused.Error.Retryable {
		t.Error("busy passes, so it must be retryable")
	}
	close(release)
	for _, answer := range answers {
		if got := await(t, "answer", answer); got.Status != bus.OK || string(got.Observation) != "null" {
			t.Errorf("%+v", got)
		}
	}
	if most.Load() != 2 {
		t.Errorf("%d ran at once, want 2", most.Load())
	}
}

// Who waits in the line is answered when the time is up or the tool stops, although no slot ever came free.
func TestWaitingEnds(t *testing.T) {
	w := newWorld(t, Options{AtOnce: 1, Waiting: 1, Grace: patience})
	started, release := make(chan struct{}), make(chan struct{})
	w.add(bus.Card{Name: "gate", Effect: bus.Unsafe}, func(ctx context.Context, call *Call) (any, error) {
		close(started)
		<-release
		return "done", nil
	})
	running := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "gate"})
	await(t, "start", started)
	wantCode(t, w.told(bus.Request{Call: "c2", ToolName: "gate", Deadline: time.Now().Add(20 * time.Millisecond)}), bus.Failed, bus.CodeBusy)

	// Two ask for the one place in the line: who is not refused has it.
	a := w.later(t.Context(), bus.Request{Call: "c3", ToolName: "gate"})
	b := w.later(t.Context(), bus.Request{Call: "c4", ToolName: "gate"})
	var waiting <-chan bus.Response
	select {
	case answer := <-a:
		wantCode(t, answer, bus.Failed, bus.CodeBusy)
		waiting = b
	case answer := <-b:
		wantCode(t, answer, bus.Failed, bus.CodeBusy)
		waiting = a
	case <-time.After(patience):
		t.Fatal("nobody was refused")
	}
	removed := make(chan error, 1)
	go func() { removed <- w.Remove("gate") }()
	answer := await(t, "answer to who waited", waiting)
	wantCode(t, answer, bus.Failed, bus.CodeUnavailable)
	if !answer.Error.Retryable {
		t.Error("it never began, so it may be asked again, unsafe or not")
	}
	close(release)
	if err := await(t, "end of Remove", removed); err != nil {
		t.Error(err)
	}
	if answer := await(t, "answer", running); answer.Status != bus.OK {
		t.Errorf("%+v", answer)
	}
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

func TestSameCallTwice(t *testing.T) {
	w := newWorld(t, Options{})
	var runs atomic.Int32
	release := make(chan struct{})
	run := func(ctx context.Context, call *Call) (any, error) {
		n := runs.Add(1)
		return n, talk(ctx, call, release)
	}
	parameters := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"integer"}}}`)
	w.add(bus.Card{Name: "writes", Effect: bus.Unsafe, Parameters: parameters}, run)
	w.add(bus.Card{Name: "reads", Effect: bus.Read, Parameters: parameters}, run)
	same := bus.Request{Call: "c1", ToolName: "writes", Parameter: json.RawMessage(`{"n":1,"m":2}`)}
	spaced := same
	spaced.Parameter = json.RawMessage(`{"m": 2, "n": 1}`)
	other := same
	other.Parameter = json.RawMessage(`{"n":2}`)

	lines, first := w.hear(t.Context(), same)
	await(t, "first asker's progress", lines)
	lines, second := w.hear(t.Context(), spaced)
	await(t, "second asker's progress", lines) // so it has joined
	wantCode(t, w.ask(t.Context(), other), bus.Failed, bus.CodeInvalidRequest)
	close(release)
	one, two := await(t, "first answer", first), await(t, "second answer", second)
	three := w.ask(t.Context(), same)
	for i, answer := range []bus.Response{one, two, three} {
		if answer.Status != bus.OK || string(answer.Observation) != "1" {
			t.Errorf("answer %d: %s %s %v", i, answer.Status, answer.Observation, answer.Error)
		}
	}
	if runs.Load() != 1 {
		t.Errorf("ran %d times, want once", runs.Load())
	}
	wantCode(t, w.ask(t.Context(), other), bus.Failed, bus.CodeInvalidRequest)

	same.ToolName = "reads"
	for _, want := range []string{"2", "3"} { // a read is simply run again
		if answer := w.ask(t.Context(), same); string(answer.Observation) != want {
			t.Errorf("%+v, want %s", answer, want)
		}
	}
}

// One of two askers leaves: the other still gets its answer. When the last one leaves, the call ends.
func TestJoinedAskerLeaves(t *testing.T) {
	w := newWorld(t, Options{})
	release, ended := make(chan struct{}), make(chan error, 2)
	w.add(bus.Card{Name: "writes", Effect: bus.Unsafe}, func(ctx context.Context, call *Call) (any, error) {
		err := talk(ctx, call, release)
		ended <- err
		return "done", err
	})
	for _, firstLeaves := range []bool{true, false} {
		r := bus.Request{Call: fmt.Sprintf("c-%v", firstLeaves), ToolName: "writes"}
		leaving, leave := context.WithCancel(t.Context())
		staying, end := context.WithCancel(t.Context())
		defer end()
		contexts := [2]context.Context{leaving, staying}
		if !firstLeaves {
			contexts = [2]context.Context{staying, leaving}
		}
		var lines [2]<-chan string
		var answers [2]<-chan bus.Response
		for i := range 2 {
			lines[i], answers[i] = w.hear(contexts[i], r)
			await(t, "progress", lines[i])
		}
		stays := 1
		if !firstLeaves {
			stays = 0
		}
		leave()
		if answer := await(t, "leaving", answers[1-stays]); answer.Status != bus.Cancelled {
			t.Errorf("who left got %+v", answer)
		}
		for len(lines[stays]) > 0 {
			<-lines[stays]
		}
		for range 5 { // it goes on, well after the leaving was heard
			await(t, "progress after one has left", lines[stays])
		}
		end()
		if err := await(t, "end", ended); !errors.Is(err, context.Canceled) {
			t.Errorf("after the last asker left: %v", err)
		}
		await(t, "answer", answers[stays])
	}
}

// The deadline is checked here too: not every caller is ours.
func TestDeadlineThatHasPassed(t *testing.T) {
	w := newWorld(t, Options{})
	w.add(bus.Card{Name: "never", Effect: bus.Read}, func(context.Context, *Call) (any, error) {
		t.Error("it ran")
		return nil, nil
	})
	body, err := json.Marshal(bus.Request{HMAP: bus.Version, Session: "s1", Task: "t1", Call: "c1", ToolName: "never", Deadline: time.Now().Add(-time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := w.bus.Conn().Request(bus.CallSubject(w.bus.Tenant(), "never"), body, patience)
	if err != nil {
		t.Fatal(err)
	}
	var answer bus.Response
	if err := json.Unmarshal(reply.Data, &answer); err != nil {
		t.Fatal(err)
	}
	wantCode(t, answer, bus.Failed, bus.CodeTimeout)
}

func TestStop(t *testing.T) {
	for name, c := range map[string]struct {
		grace  time.Duration
		status bus.Status
		hurry  bool
	}{
		"lets running calls finish":   {patience, bus.OK, false},
		"cancels what goes on longer": {time.Millisecond, bus.Failed, false},
		"cancels when hurried":        {time.Hour, bus.Failed, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{Grace: c.grace})
			release := make(chan struct{})
			w.add(bus.Card{Name: "slow", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
				if call.Request.Call != "c1" {
					return "door open", nil
				}
				return "done", talk(ctx, call, release)
			})
			lines, answer := w.hear(t.Context(), bus.Request{Call: "c1", ToolName: "slow"})
			await(t, "progress", lines)
			stopped := make(chan error, 1)
			go func() { stopped <- w.Stop() }()
			if c.hurry {
				w.Hurry()
			}
			if c.status == bus.OK {
				for w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "slow"}).Status == bus.OK { // until the door is closed
				}
				for len(lines) > 0 {
					<-lines
				}
				for range 3 {
					await(t, "progress while stopping", lines)
				}
				close(release)
			}
			if err := await(t, "end of Stop", stopped); err != nil {
				t.Error(err)
			}
			got := await(t, "answer", answer)
			if got.Status != c.status || got.Error != nil && (got.Error.Code != bus.CodeUnavailable || !got.Error.Retryable) {
				t.Errorf("%s %v", got.Status, got.Error)
			}
			if err := w.Add(Tool{Card: bus.Card{Name: "x", Description: "x"}, Run: func(context.Context, *Call) (any, error) { return nil, nil }}); !errors.Is(err, ErrStopped) {
				t.Errorf("Add after Stop: %v", err)
			}
		})
	}
}

func TestStopSaysWhatDoesNotEnd(t *testing.T) {
	w := newWorld(t, Options{Grace: time.Millisecond})
	started, release := make(chan struct{}), make(chan struct{})
	w.add(bus.Card{Name: "deaf", Effect: bus.Read}, func(context.Context, *Call) (any, error) {
		close(started)
		<-release
		return nil, nil
	})
	answer := w.later(t.Context(), bus.Request{Call: "c1", ToolName: "deaf"})
	await(t, "start", started)
	if err := w.Stop(); err == nil || !strings.Contains(err.Error(), "deaf") {
		t.Errorf("Stop said %v", err)
	}
	wantCode(t, await(t, "answer", answer), bus.Failed, bus.CodeUnavailable)
	close(release)
}

func TestRemoveAndAddAgain(t *testing.T) {
	w := newWorld(t, Options{})
	for _, want := range []string{`"one"`, `"two"`} {
		w.add(bus.Card{Name: "it", Effect: bus.Read}, func(context.Context, *Call) (any, error) { return strings.Trim(want, `"`), nil })
		if answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "it"}); string(answer.Observation) != want {
			t.Errorf("%+v, want %s", answer, want)
		}
		if err := w.Remove("it"); err != nil {
			t.Error(err)
		}
	}
	if err := w.Remove("never there"); err != nil {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	w := newWorld(t, Options{})
	heard := make(chan string, 100)
	w.add(bus.Card{Name: "talks", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		for range 10_000 { // a flood costs the caller one line, not ten thousand
			call.Progress("halfway")
		}
		return nil, nil
	})
	_, err := w.bus.Call(t.Context(), bus.Request{Session: "s1", Task: "t1", Call: "c1", ToolName: "talks"}, func(r bus.Response) {
		if r.Progress != "" {
			heard <- r.Progress
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if line := await(t, "progress", heard); line != "halfway" {
		t.Errorf("heard %q", line)
	}
	if n := len(heard); n > 20 {
		t.Errorf("%d lines got through", n)
	}
}

func TestAddRefuses(t *testing.T) {
	w := newWorld(t, Options{})
	run := func(context.Context, *Call) (any, error) { return nil, nil }
	good := bus.Card{Name: "good", Description: "d"}
	w.add(good, run)
	for name, c := range map[string]struct {
		change func(*Tool)
		want   string
	}{
		"taken":          {func(t *Tool) { t.Card.Name = "good" }, "already here"},
		"bad name":       {func(t *Tool) { t.Card.Name = "a.*" }, "A-Z"},
		"reserved":       {func(t *Tool) { t.Card.Name = "ask_user" }, "reserved"},
		"agent":          {func(t *Tool) { t.Card.Kind = "agent" }, "kind"},
		"no description": {func(t *Tool) { t.Card.Description = "" }, "description"},
		"no function":    {func(t *Tool) { t.Run = nil }, "Run"},
		"bad schema":     {func(t *Tool) { t.Card.Parameters = json.RawMessage(`{"type":"objekt"}`) }, "parameters"},
		"not an object":  {func(t *Tool) { t.Card.Parameters = json.RawMessage(`{"type":"string"}`) }, "parameters"},
		"bad returns":    {func(t *Tool) { t.Card.Returns = json.RawMessage(`{`) }, "returns"},
		"bad effect":     {func(t *Tool) { t.Card.Effect = "safe" }, "effect"},
		"bad approval":   {func(t *Tool) { t.Card.Approval = "sometimes" }, "approval"},
		"bad timeout":    {func(t *Tool) { t.Card.Timeout = -1 }, "timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			tool := Tool{Card: good, Run: run}
			tool.Card.Name = "other"
			c.change(&tool)
			if err := w.Add(tool); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
}
