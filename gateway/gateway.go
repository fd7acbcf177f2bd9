package gateway

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hmap-project/hmap/bus"
)

// Options say how a gateway behaves. The zero value works.
type Options struct {
	// Agent gets what users ask; default "master". Users have no other door (H-MAP: the Master's caller is the user).
	Agent string
	// AllowedOrigins are further origins ("https://shop.example.com") whose pages may talk to us, beside our own. Their
	// hosts are also accepted as Host when we listen on loopback, which a reverse proxy on this machine needs.
	AllowedOrigins []string
	// MaxConnections is how many WebSockets may be open; default 4096. More are refused with 503. [Gateway.Serve] takes a quarter more
	// connections of any kind. Each needs a file descriptor.
	MaxConnections int
	// MaxPerAddress is how many connections [Gateway.Serve] takes from one address (IPv6: one /64); default 512, below 0 no bound.
	// Loopback is not counted, since a proxy on this machine brings everybody; for one on another machine switch it off.
	MaxPerAddress int
	// MaxSessions is how many sessions may be followed at a time, by all connections together; default 10,000. Each is a reader of the
	// log. Who wants to follow one more is closed with [CloseFull].
	MaxSessions int
	// MaxFile is how many bytes a file may have that is brought; default and most [bus.MaxFile]. Larger ones are refused with 413.
	MaxFile int64
	// MaxFollows is how many sessions one connection may follow at a time; default 16.
	MaxFollows int
	// QueueBytes and QueueFrames bound what waits for one connection; default 1 MiB and 1024. Live text and history fill at
	// most half, so that records have room when both run high; a connection whose queue is full is closed with [CloseSlow].
	QueueBytes  int
	QueueFrames int
	// PingEvery is the time between pings; default 10 s. A peer that answers none for two and a half of them is gone.
	PingEvery time.Duration
	// Log gets what an operator should know; default slog.Default().
	Log *slog.Logger
	// Apart reports whether words said while an ask is open are no answer to it but a request of their own; nil: they never are. A client that
	// lets people type marks such an answer with "apart", and it becomes a task then, while the ask stays open. Called from many goroutines.
	Apart func(text string, ask bus.Ask) bool
	// Version is what /healthz tells; empty: nothing.
	Version string
}

func (o Options) withDefaults() Options {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	if o.Agent == "" {
		o.Agent = "master"
	}
	set(&o.MaxConnections, 4096)
	set(&o.MaxSessions, 10_000)
	if o.MaxPerAddress == 0 {
		o.MaxPerAddress = 512
	}
	if o.MaxFile <= 0 || o.MaxFile > bus.MaxFile {
		o.MaxFile = bus.MaxFile
	}
	set(&o.MaxFollows, 16)
	set(&o.QueueBytes, 1<<20)
	set(&o.QueueFrames, 1024)
	if o.PingEvery <= 0 {
		o.PingEvery = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

// Gateway serves the bus over HTTP and WebSocket. Make one with [New]; it is safe from many goroutines.
type Gateway struct {
	bus      *bus.Bus
	opt      Options
	hub      *hub
	upgrader websocket.Upgrader
	lists    chan struct{} // holds a token for each list of sessions that is being read
	uploads  chan struct{} // and for each file that is being taken in

	// ctx ends with Close and is the life of every connection and topic.
	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup // connections, and the watch

	watching sync.Once

	mu    sync.Mutex
	taken int                // places, of conns and of those who are still shaking hands
	conns map[*conn]struct{} // who is told when the bus is away
	away  bus.Reach          // why it is; "" while it is not
}

// New makes a gateway on b, which must outlive it. Nothing runs until a request comes; end it with [Gateway.Close].
func New(b *bus.Bus, o Options) *Gateway {
	ctx, stop := context.WithCancel(context.Background())
	g := &Gateway{bus: b, opt: o.withDefaults(), ctx: ctx, stop: stop, lists: make(chan struct{}, lists), uploads: make(chan struct{}, uploads), conns: map[*conn]struct{}{}}
	g.hub = newHub(ctx, b, g.opt.Log, g.opt.MaxSessions)
	g.upgrader = websocket.Upgrader{
		ReadBufferSize:  1 << 10,
		WriteBufferPool: &sync.Pool{},                             // for the handshake and the library's own close frames; all else is written by conn
		CheckOrigin:     func(*http.Request) bool { return true }, // guard has looked at it already, for every route
	}
	return g
}

// Close ends every connection with [CloseAway] and returns when all is quiet. Requests that come later get 503.
func (g *Gateway) Close() {
	g.mu.Lock()
	g.stop()
	g.mu.Unlock()
	g.wg.Wait()
	g.hub.close()
}

// enter takes a place for a connection; false when there is none or the gateway is closing.
func (g *Gateway) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.taken >= g.opt.MaxConnections || g.ctx.Err() != nil {
		return false
	}
	g.taken++
	g.wg.Add(1)
	g.watching.Do(func() { g.wg.Go(g.watch) })
	return true
}

// seat makes c one of those who are told about the bus, beginning with how it is.
func (g *Gateway) seat(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.conns[c] = struct{}{}
	if g.away != "" {
		c.out.put(statusFrame(g.away))
	}
}

// leave gives the place back. c is nil when it never sat.
func (g *Gateway) leave(c *conn) {
	g.mu.Lock()
	g.taken--
	delete(g.conns, c)
	g.mu.Unlock()
	g.wg.Done()
}

// Serve answers on l, for a bounded number of connections, until ctx ends, then lets requests under way finish for up to five seconds, closes every WebSocket
// with [CloseAway] and returns nil. It owns l, and closes the gateway. Any other return is a failure of l.
func (g *Gateway) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{
		Handler:           g.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          log.New(serverLog{g.opt.Log}, "", 0),
	}
	l = newDoor(l, g.opt.MaxConnections+g.opt.MaxConnections/4+16, g.opt.MaxPerAddress)
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		g.Close()
		return err
	case <-ctx.Done():
	}
	g.Close() // WebSockets are out of the server's hands, so Shutdown does not wait for them
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	err := srv.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = srv.Close()
	}
	<-failed //nolint:errcheck // http.ErrServerClosed by now
	return err
}
