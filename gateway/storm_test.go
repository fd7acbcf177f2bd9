package gateway_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

// readings counts how often somebody began to read the log.
func (h *house) readings() (count func() int) {
	h.Helper()
	sub, err := h.bus.Conn().SubscribeSync("$JS.EVENT.ADVISORY.CONSUMER.CREATED." + bus.LogStream + ".>")
	if err == nil {
		err = sub.SetPendingLimits(-1, -1)
	}
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { sub.Unsubscribe() })
	return func() int {
		// What the server published before a message of ours mostly comes before it.
		mark := nats.NewInbox()
		seen, err := h.bus.Conn().SubscribeSync(mark)
		if err == nil {
			err = h.bus.Conn().Publish(mark, nil)
		}
		if err == nil {
			_, err = seen.NextMsgWithContext(h.Context())
		}
		if err != nil {
			h.Fatal(err)
		}
		n, _, err := sub.Pending()
		if err != nil {
			h.Fatal(err)
		}
		return n
	}
}

// Whoever comes back in a storm is served from one reading of the log if it was long away, and from memory if not.
func TestStormOfReconnectsReadsTheLogOnce(t *testing.T) {
	const clients = 150
	h := open(t, gateway.Options{})
	w := &call{house: h, session: "s1", task: "t1", call: "t1"}
	for i := range 600 {
		w.append(bus.Record{Round: i, Thought: strings.Repeat("x", 100)})
	}
	want := h.seqs("s1", 0)
	storm := func(places int) { // each client has missed up to so many records
		t.Helper()
		come := make(chan struct{})
		var all sync.WaitGroup
		for i := range clients {
			c, from := h.dial(), 0
			if places > 0 {
				from = len(want) - i%places
			}
			after := uint64(0)
			if from > 0 {
				after = want[from-1]
			}
			all.Go(func() {
				<-come
				c.send(fmt.Sprintf(`{"type":"follow","session":"s1","after":%d}`, after))
				var got []uint64
				for {
					f, err := c.next()
					if err != nil {
						t.Error(err)
						return
					}
					if f.Type == "caught_up" {
						break
					}
					if f.Type == "record" {
						got = append(got, f.Seq)
					}
				}
				if !slices.Equal(got, want[from:]) {
					t.Errorf("from place %d on: %d records, not %d, or others", from, len(got), len(want)-from)
				}
			})
		}
		close(come)
		all.Wait()
	}
	readings := h.readings()
	storm(0)
	first := readings()
	t.Logf("%d clients with 3 pages of history each: the log was read %d times", clients, first)
	if first > clients/2 {
		t.Errorf("%d readings of the log for %d clients", first, clients)
	}
	storm(80)
	if n := readings() - first; n > 10 { // the server tells of some of the first only now
		t.Errorf("%d readings of the log for what is in memory", n)
	}
}

// A gateway that follows as many sessions as it takes sends away who wants another one, and nobody else.
func TestSessionsAreCounted(t *testing.T) {
	h := open(t, gateway.Options{MaxSessions: 1})
	a, b, c := h.dial(), h.dial(), h.dial()
	a.send(`{"type":"follow","session":"s1"}`)
	a.want("caught_up")
	b.send(`{"type":"follow","session":"s2"}`)
	if code := b.closed(); code != gateway.CloseFull {
		t.Fatalf("closed with %d", code)
	}
	c.send(`{"type":"follow","session":"s1"}`)
	c.want("caught_up")
	for _, free := range []*client{a, c} {
		free.send(`{"type":"unfollow","session":"s1"}`)
	}
	a.send(`{"type":"follow","session":"s1"}`) // answered after the unfollow: one reads a connection's frames in order
	a.want("caught_up")
}
