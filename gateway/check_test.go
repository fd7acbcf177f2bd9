package gateway

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// lines are those of a log.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), what)
}

// A log that cannot be looked into when the bus is back is looked into later, so that who follows what was replaced is told after all.
func TestCheckIsTriedAgain(t *testing.T) {
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	b, err := bus.Connect(t.Context(), bus.Options{Server: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	js, err := jetstream.New(b.Conn())
	if err != nil {
		t.Fatal(err)
	}
	log, err := js.Stream(t.Context(), bus.LogStream)
	if err != nil {
		t.Fatal(err)
	}
	if err := js.DeleteStream(t.Context(), bus.LogStream); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	said := &lines{}
	h := newHub(ctx, b, slog.New(slog.NewTextHandler(said, nil)), 10)
	t.Cleanup(func() { cancel(); h.close() })
	lost := make(chan uint64, 2)
	stays, left := h.hold("stays"), h.hold("left")
	for _, topic := range []*topic{stays, left} {
		topic.start(7, nil)
		f := newFollowerAt(7, 10)
		f.lost = func(pos uint64, _ string) { lost <- pos }
		if joined, _, err := topic.meet(f); !joined || err != nil {
			t.Fatal(joined, err)
		}
	}
	asked, err := b.Conn().SubscribeSync("$JS.API.CONSUMER.CREATE." + bus.LogStream + ".>")
	if err != nil {
		t.Fatal(err)
	}
	h.mark()
	h.check()
	for range 3 { // one of them in vain a second time
		if _, err := asked.NextMsg(40 * time.Second); err != nil {
			t.Fatal("it is not tried again: ", err)
		}
	}
	h.release(left) // the other one goes on
	if _, err := js.CreateStream(t.Context(), log.CachedInfo().Config); err != nil {
		t.Fatal(err)
	}
	select {
	case pos := <-lost:
		if pos != 0 {
			t.Errorf("sent to resume after %d", pos)
		}
	case <-time.After(40 * time.Second):
		t.Fatal("whoever follows a log that was replaced stands still")
	}
	h.wg.Wait() // all is decided, so the check is over
	if len(lost) != 0 {
		t.Error("a topic that nobody holds was given up")
	}
	if n := said.count("could not be looked up"); n != 1 {
		t.Errorf("said %d times", n)
	}
}
