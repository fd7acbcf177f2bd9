package drill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/gorilla/websocket"
	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/bus"
)

// window is a client that comes through the gateways by WebSocket. It sends again what was not answered, and after every lost
// connection goes to the other gateway and follows on from the last record that it has.
type window struct {
	doors []*proxy // of the gateways
	book  *book
	r     *rand.Rand
	door  int

	session string
	after   uint64
	view    *View
	link    *websocket.Conn
	frames  chan frame
	unsaid  map[string]map[string]any // frames that were not answered yet, by id
	sent    time.Time                 // when the oldest of them went out
}

// frame is what a gateway sends.
type frame struct {
	Type, ID, Session, Task string
	Seq                     uint64
	From                    *uint64
	Record                  *bus.Record
	Code, Message           string
	Retryable               bool
}

const (
	quiet   = 12 * time.Second       // a gateway pings every 10 s
	patient = 4 * time.Second        // for the answer to a frame
	pausing = 100 * time.Millisecond // before the next attempt
)

// run works on tasks until there are no more, a few in each session.
func (w *window) run(ctx context.Context, tasks <-chan *Told) {
	defer w.leave()
	n := 0
	for t := range tasks {
		if n == 0 {
			w.book.leave(w.session)
			w.fresh()
			n = 1 + w.r.IntN(3)
		}
		n--
		w.task(ctx, t)
		if ctx.Err() != nil {
			return
		}
	}
	w.book.leave(w.session)
}

// fresh begins a new session, named by us or, half of the time, by the gateway.
func (w *window) fresh() {
	w.leave()
	w.session, w.after, w.view = "", 0, nil
	if w.r.IntN(2) == 0 {
		w.named("w" + nuid.Next())
	}
	w.unsaid = map[string]map[string]any{}
}

func (w *window) named(session string) {
	w.session = session
	w.view = &View{Client: "websocket", Session: session}
	w.book.view(w.view)
}

// leave closes the connection; the reader ends with it.
func (w *window) leave() {
	if w.link == nil {
		return
	}
	w.link.Close()
	for range w.frames {
	}
	w.link = nil
}

// come connects to the next gateway, follows, and sends again what was not answered.
func (w *window) come(ctx context.Context) error {
	w.door++
	door := w.doors[w.door%len(w.doors)].addr()
	dial := websocket.Dialer{HandshakeTimeout: 3 * time.Second}
	link, answer, err := dial.DialContext(ctx, "ws://"+door+"/v1/ws", nil)
	if err != nil {
		return err
	}
	if answer.Body != nil {
		_ = answer.Body.Close()
	}
	w.link, w.frames = link, make(chan frame, 64)
	w.sent = time.Now()
	go listen(link, w.frames) // ends when the connection does
	if w.session != "" {
		if err := w.say(map[string]any{"type": "follow", "session": w.session, "after": w.after}); err != nil {
			return err
		}
	}
	for _, f := range w.unsaid {
		if err := w.say(f); err != nil {
			return err
		}
	}
	return nil
}

// listen reads frames until the connection ends or is silent for too long.
func listen(link *websocket.Conn, frames chan<- frame) {
	defer close(frames)
	alive := func() { _ = link.SetReadDeadline(time.Now().Add(quiet)) } // fails only on a connection that has ended
	alive()
	link.SetPingHandler(func(data string) error {
		alive()
		return link.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
	})
	for {
		_, body, err := link.ReadMessage()
		if err != nil {
			return
		}
		alive()
		var f frame
		if err := json.Unmarshal(body, &f); err != nil {
			f = frame{Type: "error", Code: "unreadable", Message: err.Error()}
		}
		frames <- f
	}
}

func (w *window) say(f map[string]any) error {
	body, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if err := w.link.SetWriteDeadline(time.Now().Add(3 * time.Second)); err != nil {
		return err
	}
	return w.link.WriteMessage(websocket.TextMessage, body)
}

// ask sends a frame that wants an answer, now and again until there is one.
func (w *window) ask(f map[string]any) {
	id := nuid.Next()
	f["id"] = id
	if len(w.unsaid) == 0 {
		w.sent = time.Now()
	}
	w.unsaid[id] = f
	if w.link != nil && w.say(f) != nil {
		w.leave()
	}
}

// task brings one task to its end, as far as this client can see.
func (w *window) task(ctx context.Context, t *Told) {
	w.book.begin(t)
	submit := map[string]any{"type": "task", "query": t.Script.Query()}
	if w.session != "" {
		submit["session"] = w.session
	}
	w.ask(submit)
	var cancel <-chan time.Time
	if t.Cancel {
		timer := time.NewTimer(time.Duration(w.r.IntN(2000)) * time.Millisecond)
		defer timer.Stop()
		cancel = timer.C
	}
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		if w.link == nil {
			if w.come(ctx) != nil {
				w.leave()
				if wait(ctx, pausing) != nil {
					return
				}
				continue
			}
		}
		select {
		case <-ctx.Done():
			return
		case f, ok := <-w.frames:
			switch {
			case !ok:
				w.link = nil
				w.book.count("websocket reconnects", 1)
			case w.hear(t, f):
				w.book.finish(t)
				return
			}
		case <-cancel:
			cancel = nil
			if t.Task == "" { // not before it is known
				cancel = time.After(200 * time.Millisecond)
				continue
			}
			w.ask(map[string]any{"type": "cancel", "session": t.Session, "task": t.Task, "text": "the drill does not want it"})
		case <-look.C:
			if len(w.unsaid) > 0 && time.Since(w.sent) > patient {
				w.leave()
			}
			if w.r.IntN(20) == 0 { // a browser is closed and opened
				w.leave()
			}
		}
	}
}

// hear takes one frame; true: the task has ended.
func (w *window) hear(t *Told, f frame) bool {
	switch f.Type {
	case "accepted":
		said := w.unsaid[f.ID]
		delete(w.unsaid, f.ID)
		w.sent = time.Now()
		if said == nil || said["type"] != "task" || t.Task != "" {
			return false
		}
		w.book.change(t, func(t *Told) { t.Session, t.Task, t.Accepted = f.Session, f.Task, time.Now() })
		if w.session == "" {
			w.named(f.Session)
			if w.say(map[string]any{"type": "follow", "session": w.session, "after": 0}) != nil {
				w.leave()
			}
		}
	case "error":
		if f.Code == bus.CodeBusy {
			w.book.count("busy told", 1)
		}
		if f.ID == "" || w.unsaid[f.ID] == nil {
			return false
		}
		if !f.Retryable {
			w.book.count("refused frames: "+f.Code, 1)
			w.book.note("%s refused a frame: %s: %.300s", t.Name, f.Code, f.Message)
			said := w.unsaid[f.ID]
			delete(w.unsaid, f.ID)
			return said["type"] == "task" // there will be no task
		}
		w.sent = time.Now().Add(500*time.Millisecond - patient) // send it again soon
	case "resync":
		w.book.count("resyncs", 1)
		if f.From != nil && w.view != nil {
			w.after = *f.From
			for n := len(w.view.Seen); n > 0 && w.view.Seen[n-1].Seq > *f.From; n-- {
				w.view.Seen = w.view.Seen[:n-1]
			}
		}
	case "record":
		if f.Record == nil || w.view == nil {
			return false
		}
		f.Record.Seq = f.Seq
		w.view.Seen = append(w.view.Seen, glimpse(*f.Record))
		w.after = f.Seq
		return w.record(t, *f.Record)
	}
	return false
}

// record answers what is asked, and tells whether the task has ended.
func (w *window) record(t *Told, r bus.Record) bool {
	if r.Task != t.Task && t.Task != "" || r.Call != r.Task {
		return false
	}
	switch r.Kind {
	case bus.KindAsk:
		in := w.book.reply(t, *r.Ask)
		w.ask(map[string]any{"type": "input", "session": r.Session, "task": r.Task, "kind": in.Kind, "ask": in.Ask, "text": in.Text})
	case bus.KindResponse:
		if t.Task == "" { // its end came before the word that it was taken
			w.book.change(t, func(t *Told) { t.Session, t.Task = r.Session, r.Task })
		}
		return true
	}
	return false
}

// lateLook reads a whole session through a gateway, as somebody does who comes late.
func lateLook(ctx context.Context, door, session string) (*View, error) {
	link, answer, err := websocket.DefaultDialer.DialContext(ctx, "ws://"+door+"/v1/ws", nil)
	if err != nil {
		return nil, err
	}
	defer link.Close()
	if answer.Body != nil {
		_ = answer.Body.Close()
	}
	if err := link.WriteJSON(map[string]any{"type": "follow", "session": session, "after": 0}); err != nil {
		return nil, err
	}
	v := &View{Client: "late websocket", Session: session, Whole: true}
	for {
		if err := link.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			return nil, err
		}
		var f frame
		if err := link.ReadJSON(&f); err != nil {
			return nil, fmt.Errorf("session %s: %w", session, err)
		}
		switch f.Type {
		case "record":
			f.Record.Seq = f.Seq
			v.Seen = append(v.Seen, glimpse(*f.Record))
		case "caught_up":
			return v, nil
		case "error":
			return nil, errors.New(f.Message)
		}
	}
}
