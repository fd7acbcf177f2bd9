package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func request(name string) Request {
	return Request{Session: "s", Task: "t", Call: "t-1-0", Caller: "master", ToolName: name}
}

func toolCard(name string) Card {
	return Card{Name: name, Kind: "tool", Description: "a tool for tests", Effect: Read,
		Parameters: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`)}
}

func serve(t *testing.T, b *Bus, card Card, handle func(*Incoming)) *Service {
	t.Helper()
	s, err := b.Serve(card, handle)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// echo answers with the parameter it was given.
func echo(in *Incoming) {
	_ = in.Respond(Response{Status: OK, Observation: in.Request.Parameter})
}

func TestCallAndServe(t *testing.T) {
	b := newBus(t)
	serve(t, beside(t, b), toolCard("echo"), func(in *Incoming) {
		in.Progress("half way\nthere")
		go echo(in)
	})
	req := request("echo")
	req.Parameter = json.RawMessage(`{"q":"王萍萍"}`)
	var progress []string
	r, err := b.Call(within(t), req, func(r Response) { progress = append(progress, r.Progress) })
	if err != nil || r.Status != OK || string(r.Observation) != string(req.Parameter) || r.Call != req.Call || r.Node == "" {
		t.Errorf("%+v, %v", r, err)
	}
	if len(progress) != 1 || progress[0] != "half way there" {
		t.Errorf("progress %q", progress)
	}
}

func TestCallNobodyThere(t *testing.T) {
	b := newBus(t)
	r, err := b.Call(within(t), request("nobody"), nil)
	if err != nil || r.Status != Failed || r.Error.Code != CodeUnavailable || !r.Error.Retryable {
		t.Errorf("%+v, %v", r, err)
	}
	s := serve(t, b, toolCard("echo"), echo)
	s.Stop()
	s.Stop()
	if r, err := b.Call(within(t), request("echo"), nil); err != nil || r.Error == nil || r.Error.Code != CodeUnavailable {
		t.Errorf("after Stop: %+v, %v", r, err)
	}
}

func TestCallRefusesItsOwnMistakes(t *testing.T) {
	b := newBus(t)
	for _, c := range []struct {
		change func(*Request)
		want   error
	}{
		{func(r *Request) { r.ToolName = "*" }, ErrBadName},
		{func(r *Request) { r.Call = "" }, ErrBadName},
		{func(r *Request) { r.Session = "a.b" }, ErrBadName},
		{func(r *Request) { r.JobDesc = strings.Repeat("x", 2<<20) }, ErrTooLarge},
	} {
		req := request("echo")
		c.change(&req)
		if _, err := b.Call(within(t), req, nil); !errors.Is(err, c.want) {
			t.Errorf("%.80v: %v, want %v", req, err, c.want)
		}
	}
}

// A callee of another make, on a bare connection, that says whatever it likes.
func liar(t *testing.T, b *Bus, name string, say func(m *nats.Msg)) {
	t.Helper()
	sub, err := b.nc.Subscribe(CallSubject("main", name), say)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sub.Unsubscribe() })
}

func TestCallLyingReplies(t *testing.T) {
	b := newBus(t)
	for i, c := range []struct {
		reply string
		want  string
	}{
		{"", "understood"},
		{"text", "understood"},
		{`{"hmap":"1"`, "understood"},
		{`{"hmap":"1","call":"other","status":"ok"}`, "other"},
		{`{"hmap":"2","call":"t-1-0","status":"ok"}`, "unsupported"},
		{`{"hmap":"1","call":"t-1-0","status":"splendid"}`, "splendid"},
		{`{"hmap":"1","call":"t-1-0","status":"input_required"}`, "ask"},
		{`{"hmap":"1","call":"t-1-0","status":7}`, "understood"},
		{strings.Repeat("x", 1<<20), "understood"},
	} {
		name := fmt.Sprint("liar", i)
		liar(t, b, name, func(m *nats.Msg) { _ = b.nc.Publish(m.Reply, []byte(c.reply)) })
		r, err := b.Call(within(t), request(name), nil)
		if err != nil || r.Status != Failed || r.Error.Code != CodeUnavailable || r.Error.Retryable || !strings.Contains(r.Error.Message, c.want) {
			t.Errorf("%.60q: %+v %v, %v", c.reply, r, r.Error, err)
		}
	}
	// A service error of the NATS micro protocol, and a failure that says nothing more.
	liar(t, b, "micro", func(m *nats.Msg) {
		_ = b.nc.PublishMsg(&nats.Msg{Subject: m.Reply, Header: nats.Header{"Nats-Service-Error-Code": {"500"}, "Nats-Service-Error": {"out of ink"}}})
	})
	if r, err := b.Call(within(t), request("micro"), nil); err != nil || !strings.Contains(r.Error.Message, "out of ink") {
		t.Errorf("%+v, %v", r, err)
	}
	liar(t, b, "curt", func(m *nats.Msg) { _ = b.nc.Publish(m.Reply, []byte(`{"call":"t-1-0","status":"error"}`)) })
	if r, err := b.Call(within(t), request("curt"), nil); err != nil || r.Error == nil || r.Error.Code != CodeInternal {
		t.Errorf("%+v, %v", r, err)
	}
}

// A caller that is slow to look at progress still gets the answer behind it.
func TestCallFloodOfProgress(t *testing.T) {
	b := newBus(t)
	sent := make(chan struct{})
	liar(t, b, "flood", func(m *nats.Msg) {
		for range 10 * repliesKept {
			_ = b.nc.Publish(m.Reply, []byte(`{"call":"t-1-0","status":"working"}`))
		}
		_ = b.nc.Publish(m.Reply, []byte(`{"call":"t-1-0","status":"ok","observation":"done"}`))
		_ = b.nc.Flush()
		close(sent)
	})
	once := sync.OnceFunc(func() { <-sent })
	r, err := b.Call(within(t), request("flood"), func(Response) { once() })
	if err != nil || r.Status != OK || string(r.Observation) != `"done"` {
		t.Errorf("%+v, %v", r, err)
	}
}

// A callee whose every word is followed by more, faster than the caller takes them, holds nobody beyond the deadline, nor beyond the caller's own end.
func TestCallFloodWithoutEnd(t *testing.T) {
	for name, c := range map[string]struct {
		within time.Duration
		want   string
	}{"deadline": {20 * time.Millisecond, CodeTimeout}, "cancelled": {0, CodeCancelled}} {
		t.Run(name, func(t *testing.T) {
			b := newBus(t)
			var reply atomic.Pointer[string]
			say := func() { // as much as is kept, so that there is always something to take
				for range repliesKept {
					_ = b.nc.Publish(*reply.Load(), []byte(`{"call":"t-1-0","status":"working"}`))
				}
				_ = b.nc.Flush()
			}
			liar(t, b, "flood", func(m *nats.Msg) { reply.Store(&m.Reply); say() })
			req := request("flood")
			if c.within > 0 {
				req.Deadline = time.Now().Add(c.within)
			}
			ctx, cancel := context.WithCancel(within(t))
			defer cancel()
			heard := 0
			r, err := b.Call(ctx, req, func(Response) {
				if heard++; c.within == 0 && heard == 10 {
					cancel()
				}
				if heard < 1000 { // or it would never end
					say()
				}
			})
			if err != nil || r.Error == nil || r.Error.Code != c.want || heard >= 1000 {
				t.Errorf("after %d words: %+v, %v", heard, r, err)
			}
		})
	}
}

func TestCallSilence(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true})
	b := connect(t, Options{Server: s, Silence: 200 * time.Millisecond})
	liar(t, b, "mute", func(*nats.Msg) {})
	begin := time.Now()
	r, err := b.Call(within(t), request("mute"), nil)
	if err != nil || r.Error == nil || r.Error.Code != CodeUnavailable || r.Error.Retryable {
		t.Errorf("%+v, %v", r, err)
	}
	if d := time.Since(begin); d < 200*time.Millisecond {
		t.Errorf("given up after %v", d)
	}
	// One that works longer than that is heard of by itself.
	const silence = 3 * time.Second // that a busy machine may stand still for
	b = connect(t, Options{Server: s, Silence: silence})
	serve(t, b, toolCard("slow"), func(in *Incoming) {
		time.AfterFunc(silence+silence/3, func() { echo(in) })
	})
	if r, err := b.Call(within(t), request("slow"), nil); err != nil || r.Status != OK {
		t.Errorf("slow but alive: %+v, %v", r, err)
	}
}

func TestCallDeadlineAndCancelReachTheCallee(t *testing.T) {
	b := newBus(t)
	other := beside(t, b)
	told := make(chan string, 2)
	taken := make(chan struct{}, 2)
	serve(t, other, toolCard("slow"), func(in *Incoming) {
		in.OnCancel(func() { told <- in.Request.JobDesc })
		taken <- struct{}{}
	})
	req := request("slow")
	req.JobDesc = "deadline"
	req.Deadline = time.Now().Add(100 * time.Millisecond)
	if r, err := b.Call(within(t), req, nil); err != nil || r.Error == nil || r.Error.Code != CodeTimeout {
		t.Errorf("%+v, %v", r, err)
	}
	if got := <-told; got != "deadline" {
		t.Errorf("told %q", got)
	}
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	<-taken // of the first
	go func() { <-taken; cancel() }()
	req = request("slow")
	req.JobDesc = "cancel"
	if r, err := b.Call(ctx, req, nil); err != nil || r.Status != Cancelled || r.Error.Code != CodeCancelled {
		t.Errorf("%+v, %v", r, err)
	}
	if got := <-told; got != "cancel" {
		t.Errorf("told %q", got)
	}
}

// A cancellation means one attempt, not the next one of the same call.
func TestCancelMeansOneAttempt(t *testing.T) {
	b := newBus(t)
	got := make(chan *Incoming, 4)
	serve(t, b, toolCard("slow"), func(in *Incoming) { got <- in })
	ask := func(ctx context.Context) <-chan Response {
		out := make(chan Response, 1)
		go func() { out <- must(b.Call(ctx, request("slow"), nil)) }()
		return out
	}
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	first := ask(ctx)
	in1 := <-got
	second := ask(within(t))
	in2 := <-got
	cancelled := make(chan struct{})
	in1.OnCancel(func() { close(cancelled) })
	in2.OnCancel(func() { t.Error("the second attempt was cancelled with the first") })
	cancel()
	<-cancelled
	if r := <-first; r.Status != Cancelled {
		t.Errorf("first: %+v", r)
	}
	late := make(chan struct{})
	in1.OnCancel(func() { close(late) }) // asked late, told at once
	<-late
	if err := in2.Respond(Response{Status: OK}); err != nil {
		t.Error(err)
	}
	if r := <-second; r.Status != OK {
		t.Errorf("second: %+v", r)
	}
	if err := in1.Respond(Response{Status: Cancelled}); err != nil {
		t.Error(err)
	}
}

// The cancellation may overtake its request, which comes on another subscription.
func TestCancelOvertakesItsRequest(t *testing.T) {
	b := newBus(t)
	b.cancels.open = map[string][]*Incoming{}
	b.cancels.hear(&nats.Msg{Subject: CancelSubject("main", "c"), Data: []byte(`{"hmap":"1","reply":"_INBOX.1"}`)})
	for reply, want := range map[string]bool{"_INBOX.1": true, "_INBOX.2": false} {
		in := &Incoming{Request: Request{Call: "c"}, bus: b, reply: reply}
		b.cancels.add(in)
		told := false
		in.OnCancel(func() { told = true })
		if told != want {
			t.Errorf("%s: told %v, want %v", reply, told, want)
		}
	}
}

func TestCallConnectionLost(t *testing.T) {
	s := startServer(t, ServerOptions{NoSync: true, Listen: "127.0.0.1:0"})
	b := connect(t, Options{URL: s.URL()})
	taken := make(chan struct{})
	liar(t, b, "mute", func(*nats.Msg) { close(taken) })
	go func() { <-taken; s.Stop() }()
	r, err := b.Call(within(t), request("mute"), nil)
	if err != nil || r.Error == nil || r.Error.Code != CodeUnavailable || r.Error.Retryable {
		t.Errorf("somebody took it: %+v, %v", r, err)
	}
	if r, err := b.Call(within(t), request("mute"), nil); err != nil || r.Error == nil || r.Error.Code != CodeUnavailable || !r.Error.Retryable {
		t.Errorf("without a connection: %+v, %v", r, err)
	}
}

// A node that said it works on a call and then lets its lease lapse is noticed long before the silence.
func TestCallNodeGone(t *testing.T) {
	b := newBus(t)
	other := beside(t, b)
	lease, err := other.Lease(within(t))
	if err != nil {
		t.Fatal(err)
	}
	serve(t, other, toolCard("slow"), func(in *Incoming) { in.Working() })
	for b.goneNode(other.Node()) == nil {
		if !pause(within(t), 0) {
			t.Fatal("the lease is not seen")
		}
	}
	begin := time.Now()
	r, err := b.Call(within(t), request("slow"), func(Response) { go lease.Close() })
	if err != nil || r.Error == nil || r.Error.Code != CodeUnavailable || r.Error.Retryable || !strings.Contains(r.Error.Message, other.Node()) {
		t.Errorf("%+v, %v", r, err)
	}
	if d := time.Since(begin); d >= b.o.Silence {
		t.Errorf("noticed after %v", d)
	}
}

// A call whose deadline has passed is not sent, and its caller learns that nobody has begun.
func TestCallAfterItsDeadline(t *testing.T) {
	b := newBus(t)
	must(b.Serve(toolCard("tool"), func(in *Incoming) { t.Errorf("asked with %v left", time.Until(in.Request.Deadline)) }))
	req := request("tool")
	req.Deadline = time.Now().Add(-time.Millisecond)
	r := must(b.Call(within(t), req, nil))
	if e := r.Error; r.Status != Failed || e == nil || e.Code != CodeUnavailable || !e.Retryable {
		t.Errorf("%+v %v", r, r.Error)
	}
}
