package gateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hmap-project/hmap/bus"
)

const (
	writeWait  = 10 * time.Second // for one chunk; a peer whose buffers stay full so long is gone
	drainWait  = 5 * time.Second  // for all that is queued when a connection ends; then it is cut
	submitWait = 5 * time.Second  // for the bus to take a task or an input
	maxBad     = 10               // frames that could not be understood, before CloseBad

	// A chunk is what one write to the socket carries.
	chunkFrames = 64
	chunkBytes  = 64 << 10
	// sendBytes and heardBytes are the kernel's buffers. Left to themselves they grow to 4 MiB for somebody who never reads, and to 6 MiB for
	// one that sends faster than it is read.
	sendBytes  = 128 << 10
	heardBytes = maxFrame
)

// conn is one WebSocket. While it is idle, it is one goroutine that reads. Another one writes when there is something to write, and one
// for each session whose history is being read; serve ends after all of them.
type conn struct {
	g      *Gateway
	ws     *websocket.Conn // reads; what is written goes to below, many frames at a time
	paced  *paced
	below  net.Conn
	out    *queue
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	follows map[string]func() // the reader's; what ends each and waits for it
	bad     int               // the reader's

	mu sync.Mutex
	by time.Time // until when what is queued may still be written; zero before end
}

func (g *Gateway) serveWS(w http.ResponseWriter, r *http.Request) {
	if !g.enter() {
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusServiceUnavailable, &bus.Error{Code: bus.CodeBusy, Message: "no more connections are taken now; try again later", Retryable: true})
		return
	}
	hijack := &pacedHijack{ResponseWriter: w}
	ws, err := g.upgrader.Upgrade(hijack, r, nil)
	if err != nil { // Upgrade has answered
		g.leave(nil)
		return
	}
	c := &conn{g: g, ws: ws, paced: hijack.conn, below: bare(hijack.conn.Conn), follows: map[string]func(){}}
	c.out = newQueue(g.opt.QueueFrames, g.opt.QueueBytes, func() { c.wg.Go(c.write) })
	c.ctx, c.cancel = context.WithCancel(context.Background())
	if tcp, ok := c.below.(*net.TCPConn); ok {
		_, _ = tcp.SetWriteBuffer(sendBytes), tcp.SetReadBuffer(heardBytes) // bounds on memory; without them nothing else goes wrong
	}
	go func() { // the handler's goroutine goes, and with it the buffers and the request of net/http: 20 KiB a connection
		defer g.leave(c)
		g.seat(c)
		c.serve()
	}()
}

// serve returns when the connection is closed and nothing of it runs any more.
func (c *conn) serve() {
	away := context.AfterFunc(c.g.ctx, func() { c.end(CloseAway, "the gateway shuts down", nil) })
	defer away()
	ping := c.pings()
	defer ping.Stop()
	c.read()
	if !c.ended() {
		c.ws.Close()
	}
	c.cancel()
	c.out.shutWith()
	for _, stop := range c.follows {
		stop()
	}
	c.wg.Wait()
	c.ws.Close()
}

// pings sends one as often as agreed, until the connection ends. When the queue is full it is left out, and whoever does not read is
// gone soon.
func (c *conn) pings() *time.Timer {
	var t *time.Timer
	ready := make(chan struct{})
	t = time.AfterFunc(c.g.opt.PingEvery, func() {
		<-ready
		if c.ctx.Err() == nil {
			c.out.put(pingFrame)
			t.Reset(c.g.opt.PingEvery)
		}
	})
	close(ready)
	return t
}

func (c *conn) read() {
	patience := c.g.opt.PingEvery * 5 / 2
	alive := func() {
		if !c.ended() { // else the writer has set the last deadline
			c.ws.SetReadDeadline(time.Now().Add(patience))
		}
	}
	c.ws.SetReadLimit(maxFrame)
	alive()
	c.ws.SetPingHandler(func(text string) error {
		c.paced.spend(frameCost)
		c.out.offer(wrap(websocket.PongMessage, []byte(text)))
		return nil
	})
	c.ws.SetPongHandler(func(string) error {
		c.paced.spend(frameCost)
		alive()
		return nil
	})
	c.ws.SetCloseHandler(func(code int, _ string) error {
		c.end(code, "", nil)
		return nil
	})
	for {
		kind, data, err := c.ws.ReadMessage()
		if err != nil { // too large a frame is answered with 1009 by the library
			return
		}
		c.paced.message()
		if c.ended() {
			continue
		}
		if kind != websocket.TextMessage {
			data = nil
		}
		c.handle(data)
		alive() // its pong may lie behind what we are slow to read, and its frame have waited for the bus
	}
}

// write writes what is queued until there is nothing. Live text and history go in at half a queue at most, records until it is full.
func (c *conn) write() {
	var used [][]byte
	for {
		frames, last := c.out.take(used)
		if len(frames) == 0 {
			if last {
				// Time to answer the close: a socket closed with unread bytes takes back what it has sent.
				c.ws.SetReadDeadline(time.Now().Add(time.Second))
			}
			return
		}
		for rest := frames; len(rest) > 0; {
			n, size := 1, len(rest[0])
			for n < len(rest) && n < chunkFrames && size+len(rest[n]) <= chunkBytes {
				size += len(rest[n])
				n++
			}
			c.allow()
			chunk := net.Buffers(rest[:n:n])
			if _, err := chunk.WriteTo(c.below); err != nil {
				c.ws.Close() // the reader ends, and with it the connection
				return
			}
			rest = rest[n:]
		}
		clear(frames)
		used = frames
	}
}

// allow sets the deadline for the next chunk.
func (c *conn) allow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	by := time.Now().Add(writeWait)
	if !c.by.IsZero() {
		by = c.by
	}
	_ = c.below.SetWriteDeadline(by)
}

// end closes the connection with a code after what is queued and one last frame, which may be nil. Only the first call counts. It does
// not block.
func (c *conn) end(code int, reason string, last []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.by.IsZero() {
		return
	}
	c.by = time.Now().Add(drainWait)
	_ = c.below.SetWriteDeadline(c.by) // also for a write that is under way
	frames := [][]byte{wrap(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason))}
	if last != nil {
		frames = [][]byte{last, frames[0]}
	}
	c.out.shutWith(frames...)
}

func (c *conn) ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.by.IsZero()
}

// reply answers a frame of the client.
func (c *conn) reply(frame []byte) {
	if !c.out.put(frame) {
		c.end(CloseSlow, tooSlow+"; resume", nil)
	}
}

func (c *conn) handle(data []byte) {
	f, err := parseFrame(data)
	if err == nil {
		err = c.obey(f)
	} else if c.bad++; c.bad > maxBad {
		c.end(CloseBad, "too many frames that could not be understood", errorFrame(f.ID, err))
		return
	}
	if err != nil {
		c.reply(errorFrame(f.ID, err))
	}
}

func (c *conn) obey(f clientFrame) *bus.Error {
	switch f.Type {
	case "follow":
		c.paced.spend(followCost)
		return c.follow(f.Session, f.After)
	case "unfollow":
		if stop := c.follows[f.Session]; stop != nil {
			stop()
			delete(c.follows, f.Session)
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(c.ctx, submitWait)
	defer cancel()
	if f.Type == "task" {
		got, err := c.g.submit(ctx, f.submission, f.ID)
		if err != nil {
			return err
		}
		c.reply(encode(serverFrame{Type: "accepted", ID: f.ID, Session: got.Session, Task: got.Task}))
		return nil
	}
	if f.Kind == bus.Answer && f.Apart && c.g.opt.Apart != nil && strings.TrimSpace(f.Text) != "" {
		if ask := c.g.open(ctx, f); ask != nil && c.g.opt.Apart(f.Text, *ask) {
			got, err := c.g.submit(ctx, bus.Submission{Query: f.Text, Session: f.Session}, f.ID)
			if err != nil {
				return err
			}
			c.reply(encode(serverFrame{Type: "accepted", ID: f.ID, Session: got.Session, Task: got.Task, Waits: f.Task}))
			return nil
		}
	}
	in := bus.Input{HMAP: bus.Version, Kind: f.Kind, Ask: f.Ask, Text: f.Text}
	seq, err := c.g.bus.Tell(ctx, f.Session, f.Task, in, messageID(f.ID, f))
	if err != nil {
		return bus.Refusal(err)
	}
	if by, at := c.g.answered(ctx, f, seq); by != nil {
		c.reply(answeredFrame(f, by, at))
		return nil
	}
	c.reply(encode(serverFrame{Type: "accepted", ID: f.ID, Session: f.Session, Task: f.Task, Seq: seq}))
	return nil
}

func (c *conn) follow(session string, after uint64) *bus.Error {
	switch {
	case c.follows[session] != nil:
		return bad("session %s is followed already; unfollow it first", session)
	case len(c.follows) >= c.g.opt.MaxFollows:
		return bad("%d sessions are followed already; unfollow one first", len(c.follows))
	}
	ctx, stop := context.WithCancel(c.ctx)
	joined := make(chan struct{})
	f := &follower{out: c.out, pos: after, lost: func(pos uint64, why string) {
		c.end(CloseSlow, why+"; resume", resyncFrame(session, pos))
	}}
	c.follows[session] = func() {
		stop()
		<-joined // or else it could still queue a record after the next follow has begun
		c.g.hub.leave(f)
	}
	c.wg.Go(func() {
		defer close(joined)
		switch err := c.g.hub.follow(ctx, session, f); {
		case errors.Is(err, errFull):
			c.end(CloseFull, err.Error()+"; come again later", nil)
		case err != nil:
			c.g.opt.Log.Warn("a session could not be followed", "session", session, "error", err)
			c.end(CloseSlow, errBroken.Error()+"; resume", nil)
		}
	})
	return nil
}

// open is the ask that an answer names, or the oldest, as it stands in the log of its task; nil: it is not open, or the log cannot be read.
func (g *Gateway) open(ctx context.Context, f clientFrame) *bus.Ask {
	records, _, err := g.bus.ReadCall(ctx, bus.Where{Session: f.Session, Task: f.Task, Call: f.Task})
	if err != nil {
		return nil
	}
	return bus.OpenAsks(records).Find(f.Ask)
}

// submit gives a task to the agent that users talk to.
func (g *Gateway) submit(ctx context.Context, sub bus.Submission, id string) (bus.Receipt, *bus.Error) {
	got, err := g.bus.Submit(ctx, g.opt.Agent, sub, messageID(id, sub))
	if err != nil {
		return got, bus.Refusal(err)
	}
	return got, nil
}
