package bus

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// A caller whose clock is an hour behind, or ahead, is given the time that it meant.
func TestClocksNeedNotAgree(t *testing.T) {
	b := newBus(t)
	came := make(chan *Incoming, 1)
	s := must(b.Serve(Card{Name: "tool", Kind: "tool", Description: "d"}, func(in *Incoming) { came <- in }))
	defer s.Stop()
	for _, off := range []time.Duration{-time.Hour, time.Hour} {
		req := request("tool")
		req.HMAP, req.Deadline = Version, time.Now().Add(off+20*time.Second).UTC()
		body := must(encode(req))
		m := &nats.Msg{Subject: CallSubject("main", "tool"), Reply: b.nc.NewInbox(), Data: body, Header: nats.Header{HeaderLeft: {"20000"}}}
		if err := b.nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
		in := <-came
		if d := time.Until(in.Request.Deadline); d < 0 || d > 20*time.Second {
			t.Errorf("a clock off by %v leaves %v of 20 s", off, d)
		}
		if err := in.Respond(Response{Status: OK}); err != nil {
			t.Error(err)
		}
	}
	deadline := time.Now().Add(time.Minute).UTC()
	for header, want := range map[string]time.Duration{"": time.Minute, "x": time.Minute, "-1": time.Minute, "99999999999999999999": time.Minute, "99999999999999": time.Minute, "1000": time.Second} {
		if d := time.Until(deadlineOf(deadline, nats.Header{HeaderLeft: {header}})); d > want || d < want-10*time.Second {
			t.Errorf("header %q: %v left, want %v", header, d, want)
		}
	}
}

// The caller says how long it waits, whoever's clock it is.
func TestCallSaysWhatIsLeft(t *testing.T) {
	b := newBus(t)
	heard := make(chan string, 1)
	liar(t, b, "tool", func(m *nats.Msg) { heard <- m.Header.Get(HeaderLeft) })
	req := request("tool")
	req.Deadline = time.Now().Add(time.Minute)
	go func() { _, _ = b.Call(t.Context(), req, nil) }()
	if left := <-heard; len(left) != len("60000") {
		t.Errorf("left %q of a minute", left)
	}
}
