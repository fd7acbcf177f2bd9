package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/bus"
)

// A server with a state of its own must not be started by each node that has it configured: calls would find now this state, now that. So one
// node holds a lease on it, as an entry of the cache that it renews; the others look on, and the first that sees it unchanged for too
// long takes it over. Each measures by its own clock, and the holder counts from before it wrote, so it lets go before anybody takes over.

const singleFor = 3 * time.Second // a lease that is not renewed for so long is free

// tenure is the lease of one server as one node sees it. It belongs to the goroutine of hold.
type tenure struct {
	bus  *bus.Bus
	key  string
	me   tenant
	lose time.Duration // 0: singleFor

	rev   uint64    // of the entry
	seen  tenant    // who held it then
	since time.Time // that it has been so
}

// tenant is who holds a server.
type tenant struct {
	Holder string `json:"holder"` // one life of a node; "": nobody
	Node   string `json:"node"`
}

// What the actor is sent by hold.
type (
	mine struct{}
	gave struct{ to string } // the node that holds it
)

func newTenure(b *bus.Bus, server string) *tenure {
	return &tenure{bus: b, key: "mcp_single." + server, me: tenant{nuid.Next(), b.Node()}, lose: singleFor}
}

// hold takes the lease whenever it is free, and tells each change, until ctx ends; then it gives it up.
func (t *tenure) hold(ctx context.Context, log *slog.Logger, tell func(any)) {
	held, told := false, ""
	var until time.Time // when ours ends unless it is renewed
	tick := time.NewTicker(t.lose / 3)
	defer tick.Stop()
	for {
		asked := time.Now()
		try, cancel := context.WithTimeout(ctx, t.lose/3)
		ours, err := t.look(try, held)
		cancel()
		switch {
		case ctx.Err() != nil:
		case err == nil && ours:
			until = asked.Add(t.lose)
			if !held {
				held, told = true, ""
				tell(mine{})
			}
		case held && (err == nil || time.Now().After(until.Add(-t.lose/3))): // it is another's, or may soon be
			held, told = false, t.seen.Node
			tell(gave{told})
		case !held && err == nil && told != t.seen.Node:
			told = t.seen.Node
			tell(gave{told})
		}
		if err != nil {
			log.Debug("mcp: the lease of a server", slog.String("key", t.key), slog.Any("error", err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.giveUp()
			return
		}
	}
}

// look renews the lease, or takes one that is free, and reports whether it is ours now.
func (t *tenure) look(ctx context.Context, held bool) (ours bool, err error) {
	body, err := json.Marshal(t.me)
	if err != nil {
		return false, err
	}
	if !held {
		err = t.read(ctx)
	}
	for range 2 {
		if err != nil || !t.free() {
			return false, err
		}
		var rev uint64
		rev, err = t.bus.Recache(ctx, t.key, body, t.rev)
		if err == nil {
			t.rev, t.seen, t.since = rev, t.me, time.Now()
			return true, nil
		}
		if errors.Is(err, bus.ErrFenced) { // another's; or ours, and we were not told that it was written
			err = t.read(ctx)
		}
	}
	return false, err
}

// free reports whether it may be written: it is ours, or nobody's, or of one that has not renewed it.
func (t *tenure) free() bool {
	return t.seen.Holder == "" || t.seen.Holder == t.me.Holder || time.Since(t.since) > t.lose
}

// read looks who has it.
func (t *tenure) read(ctx context.Context) error {
	body, rev, err := t.bus.Cached(ctx, t.key)
	if errors.Is(err, bus.ErrNotFound) {
		t.rev, t.seen, t.since = rev, tenant{}, time.Now()
		return nil
	}
	if err != nil {
		return err
	}
	if rev != t.rev || t.since.IsZero() {
		t.rev, t.since = rev, time.Now()
		t.seen = tenant{}
		_ = json.Unmarshal(body, &t.seen) // what is no lease is nobody's
	}
	return nil
}

// giveUp lets the others have it at once.
func (t *tenure) giveUp() {
	if t.seen.Holder != t.me.Holder {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // ours has ended
	defer cancel()
	_, _ = t.bus.Recache(ctx, t.key, []byte(`{}`), t.rev) // else it lapses
}

// share looks after the lease of a single server.
func (s *server) share() {
	t, engine, self, log := newTenure(s.bus, s.config.Name), s.engine, s.self, s.o.Log
	s.beside.Go(func(ctx context.Context) any {
		t.hold(ctx, log, func(m any) { engine.Send(self, m) })
		return nil
	})
}

// here begins with a single server: it is ours now.
func (s *server) here() {
	if s.stopped != nil {
		return
	}
	s.away = false
	s.o.Log.Info("mcp: this node runs the server", slog.String("server", s.config.Name))
	s.show(func(f *face) { f.State.State, f.Trouble = "starting", "" })
	s.take(&listing{begins: true})
	s.connect()
}

// yield leaves a single server to another node.
func (s *server) yield(to string) {
	if s.stopped != nil {
		return
	}
	s.away = true
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.conn != nil {
		s.close(s.conn)
		s.conn = nil
	}
	where := "no node runs it"
	if to != "" {
		where = "node " + clip(plain(to), 100) + " runs it"
	}
	s.answer(errors.New(where))
	s.show(func(f *face) { f.conn, f.State.State, f.Trouble, f.settled = nil, "elsewhere", where, true })
	s.take(&listing{away: true})
}
