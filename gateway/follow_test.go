package gateway_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/websocket"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

func jetstreamOf(b *bus.Bus) (jetstream.JetStream, error) { return jetstream.New(b.Conn()) }

func TestFollowGivesHistoryThenLive(t *testing.T) {
	h := open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	first := w.append(bus.Record{Kind: bus.KindRequest, Request: &bus.Request{JobDesc: "多少订单"}})
	c := h.dial()
	c.send(`{"type":"follow","session":"s1"}`)
	got := c.want("record")
	if got.Seq != first || !strings.Contains(string(got.Record), `"job_desc":"多少订单"`) {
		t.Fatalf("history: %+v", got)
	}
	if got := c.want("caught_up"); got.Seq != first || got.Session != "s1" {
		t.Fatalf("caught_up: %+v", got)
	}
	second := w.append(bus.Record{Thought: "look it up"})
	if got := c.want("record"); got.Seq != second || !strings.Contains(string(got.Record), "look it up") {
		t.Fatalf("live: %+v", got)
	}
	if _, err := h.bus.Tell(t.Context(), "s1", "t1", bus.Input{Kind: bus.Steer, Text: "faster"}, ""); err != nil {
		t.Fatal(err)
	}
	if got := c.want("record"); !strings.Contains(string(got.Record), "faster") {
		t.Fatalf("an input is part of the log: %+v", got)
	}
}

// Readers cut their connection at random points while four calls are being written, and miss and repeat nothing.
func TestReconnectHasNoGapAndNoRepeat(t *testing.T) {
	const calls, each, readers = 4, 150, 4
	h := open(t, gateway.Options{})
	var writers, readersDone sync.WaitGroup
	for i := range calls {
		writers.Go(func() {
			w := &call{house: h, session: "s1", task: "t1", call: fmt.Sprintf("t1-1-%d", i)}
			for range each {
				w.append(bus.Record{Thought: strings.Repeat("x", rand.IntN(2000))})
			}
		})
	}
	got := make([][]uint64, readers)
	for i := range readers {
		readersDone.Go(func() {
			for len(got[i]) < calls*each {
				c, err := h.tryDial()
				if err != nil {
					t.Error(err)
					return
				}
				var after uint64
				if n := len(got[i]); n > 0 {
					after = got[i][n-1]
				}
				c.send(fmt.Sprintf(`{"type":"follow","session":"s1","after":%d}`, after))
				for range rand.IntN(120) {
					f, err := c.next()
					if err != nil {
						t.Error(err)
						return
					}
					if f.Type == "resync" {
						t.Errorf("resync after %d", after)
					}
					if f.Type == "record" {
						got[i] = append(got[i], f.Seq)
					}
					if len(got[i]) >= calls*each {
						break
					}
				}
				c.Close()
			}
		})
	}
	writers.Wait()
	readersDone.Wait()
	want := h.seqs("s1", 0)
	if len(want) != calls*each {
		t.Fatalf("%d records in the log", len(want))
	}
	for i := range readers {
		if d := cmp.Diff(want, got[i]); d != "" {
			t.Errorf("reader %d: %s", i, d)
		}
	}
}

// Many join one session while it is written, each at another moment: the place where history and live text meet.
func TestJoinersMeetTheLiveLogExactly(t *testing.T) {
	h := open(t, gateway.Options{})
	const total, joiners = 400, 25
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	var all sync.WaitGroup
	got := make([][]uint64, joiners)
	for i := range total {
		w.append(bus.Record{Round: i})
		if i%(total/joiners) != 0 {
			continue
		}
		n := i / (total / joiners)
		all.Go(func() {
			c, err := h.tryDial()
			if err != nil {
				t.Error(err)
				return
			}
			c.send(`{"type":"follow","session":"s1"}`)
			for len(got[n]) < total {
				f, err := c.next()
				if err != nil {
					t.Error(err)
					return
				}
				if f.Type == "record" {
					got[n] = append(got[n], f.Seq)
				}
			}
		})
	}
	all.Wait()
	want := h.seqs("s1", 0)
	for i := range joiners {
		if d := cmp.Diff(want, got[i]); d != "" {
			t.Errorf("joiner %d: %s", i, d)
		}
	}
}

// A reader that does not read is sent away to resume, loses nothing by it, and holds up nobody.
func TestSlowReaderIsSentToResume(t *testing.T) {
	h := open(t, gateway.Options{QueueBytes: 256 << 10, QueueFrames: 64})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	slow, fast := h.dial(), h.dial()
	for _, c := range []*client{slow, fast} {
		c.send(`{"type":"follow","session":"s1"}`)
		c.want("caught_up")
	}
	big := strings.Repeat("思", 60<<10)
	var want []uint64
	for range 16 { // 2.9 MB: more than the kernel's buffers and the queue take
		want = append(want, w.append(bus.Record{Thought: big}))
		if f := fast.want("record"); f.Seq != want[len(want)-1] {
			t.Fatalf("the fast reader got %d, not %d", f.Seq, want[len(want)-1])
		}
	}
	var got []uint64
	var resync *frame
	var code int
	for code == 0 {
		f, err := slow.next()
		if e, ok := err.(*websocket.CloseError); ok {
			code = e.Code
		} else if err != nil {
			t.Fatal(err)
		}
		switch f.Type {
		case "record":
			got = append(got, f.Seq)
		case "resync":
			resync = &f
		}
	}
	if code != gateway.CloseSlow || resync == nil || resync.From == nil || *resync.From != got[len(got)-1] {
		t.Fatalf("closed with %d, resync %+v, last record %d", code, resync, got[len(got)-1])
	}
	again := h.dial()
	again.send(fmt.Sprintf(`{"type":"follow","session":"s1","after":%d}`, *resync.From))
	for len(got) < len(want) {
		got = append(got, again.want("record").Seq)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// Whoever comes with the sequence of another log (a wiped disk, say) starts afresh instead of missing something.
func TestUnknownPositionStartsAfresh(t *testing.T) {
	h := open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	other := &call{house: h, session: "s2", task: "t2", call: "t2"}
	w.append(bus.Record{})
	foreign := other.append(bus.Record{})
	w.append(bus.Record{})
	for _, after := range []uint64{foreign, 999, 1<<64 - 1} {
		c := h.dial()
		c.send(fmt.Sprintf(`{"type":"follow","session":"s1","after":%d}`, after))
		if f := c.want("resync"); f.From == nil || *f.From != 0 {
			t.Fatalf("after %d: %+v", after, f)
		}
		want := h.seqs("s1", 0)
		if got := []uint64{c.want("record").Seq, c.want("record").Seq}; !slices.Equal(got, want) {
			t.Fatalf("after %d: got %v, want %v", after, got, want)
		}
	}
}

// Whoever follows while the log is replaced by another one (a data folder was restored, a server has lost its last records) is sent away and
// begins afresh; the reading of its session would else wait in silence for sequences that are far away.
func TestReplacedLogIsNoticed(t *testing.T) {
	h, other := open(t, gateway.Options{}), open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	for range 20 {
		w.append(bus.Record{Thought: "of the old log"})
	}
	(&call{house: other, session: "s1", task: "t1", call: "t1"}).append(bus.Record{Thought: "of the new log"})
	want := other.seqs("s1", 0)
	other.stopBus()
	c := h.dial()
	c.send(`{"type":"follow","session":"s1"}`)
	last := c.want("caught_up").Seq
	h.stopBus()
	if f := c.want("status"); f.Bus != "away" {
		t.Fatalf("%+v", f)
	}
	token, err := os.ReadFile(filepath.Join(h.dir, "token"))
	if err == nil {
		err = os.WriteFile(filepath.Join(other.dir, "token"), token, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.dir = other.dir
	h.mendBus()
	if f := c.want("resync"); f.From == nil || *f.From != 0 {
		t.Fatalf("%+v", f)
	}
	if code := c.closed(); code != gateway.CloseSlow {
		t.Fatalf("closed with %d", code)
	}
	for _, after := range []uint64{0, last} { // one that heeded the resync, and one that did not hear it
		c = h.dial()
		c.send(fmt.Sprintf(`{"type":"follow","session":"s1","after":%d}`, after))
		if f := c.want("record"); f.Seq != want[0] || !strings.Contains(string(f.Record), "of the new log") {
			t.Fatalf("after %d: %+v", after, f)
		}
		c.want("caught_up")
	}
}

// Whoever comes back to a session that was removed, and perhaps made anew, begins afresh.
func TestRemovedSessionStartsAfresh(t *testing.T) {
	h := open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	w.append(bus.Record{Kind: bus.KindRequest, Request: &bus.Request{JobDesc: "多少订单"}})
	after := w.append(bus.Record{Kind: bus.KindResponse, Status: bus.OK})
	if err := h.bus.Remove(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	follow := fmt.Sprintf(`{"type":"follow","session":"s1","after":%d}`, after)
	gone := h.dial()
	gone.send(follow)
	if f := gone.want("resync"); f.From == nil || *f.From != 0 {
		t.Fatalf("removed: %+v", f)
	}
	if f := gone.want("caught_up"); f.Seq != 0 {
		t.Fatalf("removed: %+v", f)
	}
	w.last = 0
	anew := w.append(bus.Record{Thought: "made anew"})
	if f := gone.want("record"); f.Seq != anew {
		t.Fatalf("%+v", f)
	}
	again := h.dial() // beside one that is there already
	again.send(follow)
	if f := again.want("resync"); f.From == nil || *f.From != 0 {
		t.Fatalf("made anew: %+v", f)
	}
	if f := again.want("record"); f.Seq != anew {
		t.Fatalf("made anew: %+v", f)
	}
}

func TestLiveTextTravelsBesideTheLog(t *testing.T) {
	h := open(t, gateway.Options{})
	c := h.dial()
	c.send(`{"type":"follow","session":"s1"}`)
	c.want("caught_up")
	// The subscription for live text starts beside the reading of the log, and what was said before it is lost: so say it
	// until it is heard.
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			h.say("s1", bus.Live{Task: "t1", Call: "t1", Round: 2, Channel: "thought", Offset: 3, Text: "想一想"})
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	})
	f := c.want("live")
	close(done)
	wg.Wait()
	if f.Session != "s1" || f.Task != "t1" || f.Text != "想一想" {
		t.Fatalf("%+v", f)
	}
}

func TestUnfollowStops(t *testing.T) {
	h := open(t, gateway.Options{MaxFollows: 1})
	a := &call{house: h, session: "s1", task: "t1", call: "t1"}
	b := &call{house: h, session: "s2", task: "t2", call: "t2"}
	c := h.dial()
	c.send(`{"type":"follow","session":"s1"}`)
	c.want("caught_up")
	c.send(`{"type":"follow","session":"s1"}`)
	if f := c.want("error"); !strings.Contains(f.Message, "already") {
		t.Fatalf("%+v", f)
	}
	c.send(`{"type":"follow","session":"s2"}`)
	if f := c.want("error"); !strings.Contains(f.Message, "unfollow one first") {
		t.Fatalf("%+v", f)
	}
	c.send(`{"type":"unfollow","session":"s1"}`)
	c.send(`{"type":"follow","session":"s2"}`)
	c.want("caught_up")
	a.append(bus.Record{})
	want := b.append(bus.Record{})
	if f := c.want("record"); f.Seq != want {
		t.Fatalf("got %d of %s, want %d", f.Seq, f.Session, want)
	}
}
