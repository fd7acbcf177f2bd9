package gateway

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/hmap-project/hmap/bus"
)

const (
	writeWait  = 10 * time.Second // for one frame; a peer whose buffers stay full so long is gone
	drainWait  = 5 * time.Second  // for all that is queued when a connection ends; then it is cut
	submitWait = 5 * time.Second  // for the bus to take a task or an input
	maxBad     = 10               // frames that could not be understood, before CloseBad
)

// conn is one WebSocket. Its reader runs in the HTTP handler's goroutine, one more goroutine writes, and one more follows
// each session; serve ends after all of them.
type conn struct {
	g      *Gateway
	ws     *websocket.Conn
	out    *queue
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	follows map[string]func() // the reader's; what ends each and waits for it
	bad     int               // the reader's

	once   sync.Once
	ending chan struct{} // closed by end
	last   []byte        // the rest is set before ending is closed
	code   int
	reason string
	by     time.Time // until when what is queued may still be written
}

func (g *Gateway) serveWS(w http.ResponseWriter, r *http.Request) {
	if !g.enter() {
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusServiceUnavailable, &bus.Error{Code: bus.CodeBusy, Message: "no more connections are taken now; try again later", Retryable: true})
		return
	}
	defer g.leave()
	ws, err := g.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	c := &conn{
		g: g, ws: ws, out: newQueue(g.opt.QueueFrames, g.opt.QueueBytes),
		follows: map[string]func(){}, ending: make(chan struct{}),
	}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(r.Context()))
	c.serve()
}

// serve returns when the connection is closed and nothing of it runs any more.
func (c *conn) serve() {
	away := context.AfterFunc(c.g.ctx, func() { c.end(CloseAway, "the gateway shuts down", nil) })
	defer away()
	c.wg.Go(c.write)
	c.read()
	c.cancel()
	c.ws.Close()
	c.wg.Wait()
}

func (c *conn) read() {
	patience := c.g.opt.PingEvery * 5 / 2
	c.ws.SetReadLimit(maxFrame)
	c.ws.SetReadDeadline(time.Now().Add(patience))
	c.ws.SetPongHandler(func(string) error {
		select {
		case <-c.ending: // the writer has set the last deadline
		default:
			c.ws.SetReadDeadline(time.Now().Add(patience))
		}
		return nil
	})
	for {
		kind, data, err := c.ws.ReadMessage()
		if err != nil { // too large a frame is answered with 1009 by the library
			return
		}
		select {
		case <-c.ending:
		default:
			if kind != websocket.TextMessage {
				data = nil
			}
			c.handle(data)
		}
	}
}

// write is the only place that writes data. Live text and history go in at half a queue at most, records until it is full.
func (c *conn) write() {
	defer c.ws.Close()
	ping := time.NewTicker(c.g.opt.PingEvery)
	defer ping.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-ping.C:
			if c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait)) != nil {
				return
			}
		case <-c.out.wake:
			if !c.flush() {
				return
			}
		case <-c.ending:
			c.goodbye()
			return
		}
	}
}

// flush writes what is queued: each frame within writeWait, and all of it within drainWait once the connection ends.
func (c *conn) flush() bool {
	for _, frame := range c.out.take() {
		if !c.send(frame) {
			return false
		}
	}
	return true
}

func (c *conn) send(frame []byte) bool {
	by := time.Now().Add(writeWait)
	select {
	case <-c.ending:
		by = c.by
	default:
	}
	c.ws.SetWriteDeadline(by)
	return c.ws.WriteMessage(websocket.TextMessage, frame) == nil
}

// goodbye sends what is queued, the last frame and the close code, and gives the peer a second to answer: a socket closed
// with unread bytes takes back what it has sent.
func (c *conn) goodbye() {
	if !c.flush() || c.last != nil && !c.send(c.last) {
		return
	}
	if c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(c.code, c.reason), c.by) != nil {
		return
	}
	c.ws.SetReadDeadline(time.Now().Add(time.Second))
	<-c.ctx.Done()
}

// end closes the connection with a code after what is queued and one last frame, which may be nil. Only the first call
// counts. It does not block.
func (c *conn) end(code int, reason string, last []byte) {
	c.once.Do(func() {
		c.code, c.reason, c.last, c.by = code, reason, last, time.Now().Add(drainWait)
		close(c.ending)
	})
}

// reply answers a frame of the client.
func (c *conn) reply(frame []byte) {
	if !c.out.put(frame) {
		c.end(CloseSlow, "too slow; resume", nil)
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
	in := bus.Input{HMAP: bus.Version, Kind: f.Kind, Ask: f.Ask, Text: f.Text}
	seq, err := c.g.bus.Tell(ctx, f.Session, f.Task, in, messageID(f.ID, f))
	if err != nil {
		return refusal(err)
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
	gone := make(chan struct{})
	c.follows[session] = func() {
		stop()
		<-gone // or else it could still queue a record after the next follow has begun
	}
	c.wg.Go(func() {
		defer close(gone)
		defer stop()
		f := &follower{out: c.out, pos: after, lost: func(pos uint64, why string) {
			c.end(CloseSlow, why+"; resume", resyncFrame(session, pos))
		}}
		if err := c.g.hub.follow(ctx, session, f); err != nil {
			c.g.opt.Log.Warn("a session could not be followed", "session", session, "error", err)
			c.end(CloseSlow, errBroken.Error()+"; resume", nil)
		}
	})
	return nil
}

// submit gives a task to the agent that users talk to.
func (g *Gateway) submit(ctx context.Context, sub bus.Submission, id string) (bus.Receipt, *bus.Error) {
	got, err := g.bus.Submit(ctx, g.opt.Agent, sub, messageID(id, sub))
	if err != nil {
		return got, refusal(err)
	}
	return got, nil
}

// refusal words a failure of the bus for whoever sent something.
func refusal(err error) *bus.Error {
	switch {
	case errors.Is(err, bus.ErrBusy):
		return &bus.Error{Code: bus.CodeBusy, Message: "too many tasks wait already; try again in a moment", Retryable: true}
	case errors.Is(err, bus.ErrVersion):
		return &bus.Error{Code: bus.CodeUnsupported, Message: err.Error()}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable("not taken in time; send it again with the same id", err)
	default:
		return bad("%v", err) // the bus tries all other trouble again by itself
	}
}
