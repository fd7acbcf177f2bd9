package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/mcp/oauth"
)

const (
	// A server that dies is started again after restartFirst, then after twice as long each time, up to restartMost. One that has lived for
	// steady begins anew with the first.
	restartFirst = 200 * time.Millisecond
	restartMost  = time.Minute
	steady       = time.Minute
	// patient is how long its tools stay on offer meanwhile: a restart of a moment is nobody's business.
	patient = 10 * time.Second
	// settle is how long after a word that the tools have changed they are listed: such words come in bursts.
	settle = 200 * time.Millisecond
	// look is how often a server that nobody may use yet is looked at for whether somebody has signed in.
	look = time.Second
	// calm is the least time between two listings that such words lead to.
	calm = 2 * time.Second
)

// server is the actor of one MCP server: it keeps it connected and its tools on the bus. It never waits: slow work runs beside it. All
// fields but face belong to the goroutine of Receive.
type server struct {
	config *Server
	o      *Options
	bus    *bus.Bus
	host   *tools.Host
	engine *actor.Engine
	slots  chan struct{} // one for each call that the server works on
	lot    lot
	opened bool                 // for a request; guarded by Servers.mu
	dialed atomic.Pointer[conn] // the newest; its word may come too late for an actor that is ending
	used   atomic.Int64         // when it was asked for last, in nanoseconds of the clock
	face   atomic.Pointer[face]

	self    *actor.PID
	beside  *mailbox.Beside
	conn    *conn
	since   time.Time // of conn, or when it was lost
	tries   int       // in a row that failed
	tried   time.Time // last
	mark    string    // of who was signed in then
	offers  map[string]bus.Card
	listed  *listing    // newest
	taken   *listing    // of which offers was made, or is being made
	busy    bool        // offers are being made
	listing bool        // a list is being asked for
	again   bool        // and has to be, once more
	timer   *time.Timer // for the next start, or the next listing
	waiting []chan<- error
	trying  bool            // to connect
	late    int             // of waiting, the last ones: they came while a try was under way, which may not know yet of who has signed in since
	stopped chan<- struct{} // not nil: ending
	away    bool            // a single server that another node runs
}

// What the actor is sent.
type (
	begun struct { // a try to connect has ended
		conn *conn
		list *listing
		err  error
	}
	lost     struct{ conn *conn }
	changed  struct{ conn *conn }
	relist   struct{ conn *conn }
	relisted struct {
		conn *conn
		list *listing
		err  error
	}
	offered struct {
		cards   map[string]bus.Card
		refused []string
	}
	restart struct{}
	refresh struct{ done chan<- error }
	stop    struct{ done chan<- struct{} }
)

// Receive handles one message; it does not block.
func (s *server) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case actor.Started:
		s.self, s.beside = c.PID(), mailbox.NewBeside(context.Background(), s.engine, c.PID())
		s.offers = map[string]bus.Card{}
		if s.away = s.config.Single; s.away {
			s.share()
			return
		}
		s.connect()
	case actor.Stopped:
		s.beside.Stop()
		if c := s.dialed.Load(); c != nil {
			c.close()
		}
	case *begun:
		s.begin(m)
	case lost:
		if m.conn == s.conn && m.conn != nil {
			s.drop(gone(m.conn))
		}
	case changed:
		if m.conn == s.conn && m.conn != nil {
			s.after(max(settle, calm-time.Since(s.face.Load().Listed)), relist(m))
		}
	case relist:
		if m.conn == s.conn && m.conn != nil {
			m.conn.told.Store(false)
			s.list()
		}
	case *relisted:
		s.relisted(m)
	case *offered:
		s.offered(m)
	case restart:
		if s.barred() {
			s.after(look, restart{})
			return
		}
		s.connect()
	case mine:
		s.here()
	case gave:
		s.yield(m.to)
	case refresh:
		s.refresh(m)
	case stop:
		s.stop(m.done)
	case mailbox.Panicked:
		s.o.Log.Error("mcp: panic", slog.String("server", s.config.Name), slog.Any("panic", m.Value), slog.String("stack", string(m.Stack)))
		s.listing, s.busy, s.trying = false, false, false
		if s.conn == nil {
			s.failed(fmt.Errorf("panic: %v", m.Value))
		}
	}
}

func (s *server) after(d time.Duration, message any) {
	if s.timer != nil {
		s.timer.Stop()
	}
	engine, self := s.engine, s.self
	s.timer = time.AfterFunc(d, func() { engine.Send(self, message) })
}

func (s *server) connect() {
	if s.conn != nil || s.stopped != nil || s.away || s.trying {
		return
	}
	s.trying, s.late = true, 0
	s.tried, s.mark = time.Now(), s.signed()
	config, o, engine, self := s.config, s.o, s.engine, s.self
	e := events{
		changed: func(c *conn) {
			if c.told.CompareAndSwap(false, true) { // an inbox has no bound, and a server may say it without end
				engine.Send(self, changed{c})
			}
		},
		lost: func(c *conn) { engine.Send(self, lost{c}) },
	}
	s.beside.Go(func(ctx context.Context) any {
		c, err := dial(ctx, config, o, e)
		if err != nil {
			return &begun{err: err}
		}
		within, cancel := context.WithTimeoutCause(ctx, dialWithin, errors.New("it did not tell its tools in time"))
		defer cancel()
		list, err := c.list(within, config.offers, o.MaxTools)
		if err != nil {
			c.close()
			return &begun{err: err}
		}
		s.dialed.Store(c)
		return &begun{conn: c, list: list}
	})
}

func (s *server) begin(m *begun) {
	s.trying = false
	switch {
	case s.stopped != nil, s.away, s.conn != nil: // it was given up, and perhaps taken again, meanwhile
		if m.conn != nil {
			s.close(m.conn)
		}
		return
	case m.err != nil:
		s.failed(m.err)
		return
	}
	s.conn, s.since = m.conn, time.Now()
	s.show(func(f *face) {
		f.conn, f.State.State, f.Trouble, f.Is = m.conn, "up", "", m.conn.title
	})
	s.o.Log.Info("mcp: server is up", slog.String("server", s.config.Name), slog.String("is", m.conn.title))
	s.take(m.list)
	if m.conn.listens { // what changed before it listened was not told
		s.after(calm, relist{m.conn})
	}
	select { // it may have died before we knew it
	case <-m.conn.dead():
		s.drop(errors.New(m.conn.process.why()))
	default:
	}
}

// drop gives a connection up, and tries for another.
func (s *server) drop(why error) {
	s.close(s.conn)
	s.conn = nil
	if time.Since(s.since) > steady {
		s.tries = 0
	}
	s.since = time.Now()
	s.show(func(f *face) { f.conn, f.Restarts = nil, f.Restarts+1 })
	s.failed(why)
}

// failed waits longer each time. The tools stay on offer for the first tries.
func (s *server) failed(why error) {
	if s.stopped != nil || s.away {
		return
	}
	s.tries++
	pause := min(restartFirst<<min(s.tries-1, 20), restartMost)
	state, text := "down", clip(plain(why.Error()), 500)
	barred := errors.Is(why, oauth.ErrLogin)
	if barred && s.late > 0 { // not what the late ones asked: somebody may have signed in just now
		asked := s.waiting[len(s.waiting)-s.late:]
		s.waiting = s.waiting[:len(s.waiting)-s.late]
		s.answer(errors.New(s.config.signIn()))
		s.waiting = slices.Clone(asked)
		s.connect()
		return
	}
	if barred {
		state, text, pause = "login", s.config.signIn(), look
		why = errors.New(text)
	}
	if !barred || s.face.Load().State.State != state {
		s.o.Log.Warn("mcp: server is down", slog.String("server", s.config.Name), slog.String("why", text), slog.Duration("again_in", pause))
	}
	s.show(func(f *face) {
		f.State.State, f.Trouble = state, text
		f.settled = f.settled || f.Restarts == 0
	})
	s.answer(why)
	if barred || time.Since(s.since) >= patient {
		s.take(&listing{})
	}
	s.after(pause, restart{})
}

func (s *server) close(c *conn) {
	s.beside.Go(func(context.Context) any { c.close(); return nil })
}

// refresh lists now, whatever the age of the list. Of a server that is down it tries a start at once.
func (s *server) refresh(m refresh) {
	switch {
	case s.stopped != nil:
		m.done <- errors.New("it is being stopped")
		return
	case s.away:
		m.done <- errors.New(s.face.Load().Trouble)
		return
	case len(s.waiting) >= 16:
		m.done <- errors.New("others wait for that already")
		return
	}
	s.waiting = append(s.waiting, m.done)
	if s.conn != nil {
		s.list()
	} else if s.trying {
		s.late++
	} else if state := s.face.Load().State.State; state == "down" || state == "login" {
		s.tried = time.Time{}
		s.after(0, restart{})
	}
}

func (s *server) answer(err error) {
	for _, w := range s.waiting {
		w <- err
	}
	s.waiting, s.late = nil, 0
}

// stop takes the tools off the bus, then closes the connection: what runs may end meanwhile.
func (s *server) stop(done chan<- struct{}) {
	if s.stopped != nil {
		close(done)
		return
	}
	s.stopped = done
	if s.timer != nil {
		s.timer.Stop()
	}
	s.answer(errors.New("it is being stopped"))
	s.listed = &listing{away: true}
	s.offer()
}

// end is the last step of a stop, once nothing is on offer any more.
func (s *server) end() {
	if s.listed != s.taken {
		s.offer()
		return
	}
	c, done := s.conn, s.stopped
	s.conn = nil
	s.show(func(f *face) { f.conn, f.State.State = nil, "stopped" })
	if c == nil {
		close(done)
		return
	}
	s.beside.Go(func(context.Context) any { c.close(); close(done); return nil })
}
