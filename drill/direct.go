package drill

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/bus"
)

// The ways in which a NATS client submits.
const (
	byWindow = "websocket"
	bySubmit = "submit"    // asks for the ids
	byAsk    = "ask"       // asks for the response
	byPub    = "publish"   // publishes, with reply_to, and hears whether it is stored
	byPlain  = "plain pub" // publishes, with reply_to, and hears nothing
)

// direct is a client that speaks NATS, through proxies of its own.
type direct struct {
	bus  *bus.Bus
	js   jetstream.JetStream
	book *book
	r    *rand.Rand

	session string
	after   uint64
	view    *View
}

// askPatience is how long a client waits for the response on the ask subject before it asks again: the node that has its request may
// have been killed.
const askPatience = 20 * time.Second

// receipt is the answer on submit, ask and reply_to.
type receipt struct {
	Session string `json:"session"`
	Task    string `json:"task"`
	bus.Response
}

// run works on tasks until there are no more, a few in each session.
func (d *direct) run(ctx context.Context, tasks <-chan *Told) {
	n := 0
	for t := range tasks {
		if n == 0 {
			d.book.leave(d.session)
			d.session, d.after = "n"+nuid.Next(), 0
			d.view = &View{Client: "NATS", Session: d.session}
			d.book.view(d.view)
			n = 1 + d.r.IntN(3)
		}
		n--
		d.task(ctx, t)
		if ctx.Err() != nil {
			return
		}
	}
	d.book.leave(d.session)
}

func (d *direct) task(ctx context.Context, t *Told) {
	d.book.begin(t)
	s := bus.Submission{Query: t.Script.Query(), Session: d.session, Task: "t" + nuid.Next()}
	if d.r.IntN(3) == 0 {
		s.Mode = bus.Plan
	}
	d.book.change(t, func(t *Told) { t.Session, t.Task = s.Session, s.Task })
	life, end := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer end()
	id := nuid.Next()
	switch t.Client {
	case bySubmit:
		beside.Go(func() { d.request(life, t, bus.SubmitSubject(d.bus.Tenant()), s, id, 5*time.Second) })
	case byAsk:
		beside.Go(func() { d.request(life, t, bus.AskSubject(d.bus.Tenant()), s, id, askPatience) })
	case byPub, byPlain:
		s.ReplyTo = d.bus.Conn().NewInbox()
		sub, err := d.bus.Conn().Subscribe(s.ReplyTo, func(m *nats.Msg) { d.hear(t, m.Data) })
		if err == nil {
			defer func() { _ = sub.Unsubscribe() }() // fails only on a closed connection
		}
		beside.Go(func() { d.publish(life, t, s, id) })
	}
	if t.Cancel {
		after := time.Duration(d.r.IntN(2000)) * time.Millisecond
		beside.Go(func() {
			if wait(life, after) == nil {
				_, _ = d.bus.Tell(life, t.Session, t.Task, bus.Input{Kind: bus.Cancel, Text: "the drill does not want it"}, nuid.Next()) // ends with life
			}
		})
	}
	for life.Err() == nil {
		if d.follow(life, &beside, t) {
			d.book.finish(t)
			return
		}
	}
}

// follow reads the session from the last record that the client has. Now and then it stops and comes back. true: the task has ended.
func (d *direct) follow(ctx context.Context, beside *sync.WaitGroup, t *Told) bool {
	most := 1 + d.r.IntN(30)
	for e, err := range d.bus.Follow(ctx, bus.Where{Session: d.session}, d.after) {
		if err != nil {
			d.book.count("follow refused: "+err.Error(), 1)
			return false
		}
		if e.CaughtUp {
			continue
		}
		r := e.Record
		d.after = r.Seq
		d.view.Seen = append(d.view.Seen, glimpse(r))
		if r.Task == t.Task && r.Call == r.Task {
			switch r.Kind {
			case bus.KindResponse:
				return true
			case bus.KindAsk:
				in := d.book.reply(t, *r.Ask)
				beside.Go(func() { _, _ = d.bus.Tell(ctx, r.Session, r.Task, in, in.Ask) }) // goes on until it is stored, or the task has ended
			}
		}
		if most--; most == 0 {
			return false
		}
	}
	return false
}

// request asks until there is an answer, always under the same id.
func (d *direct) request(ctx context.Context, t *Told, subject string, s bus.Submission, id string, patience time.Duration) {
	body, err := json.Marshal(s)
	if err != nil {
		return // our own structs always encode
	}
	m := nats.NewMsg(subject)
	m.Data = body
	m.Header.Set(nats.MsgIdHdr, id)
	for ctx.Err() == nil {
		try, cancel := context.WithTimeout(ctx, patience)
		answer, err := d.bus.Conn().RequestMsgWithContext(try, m)
		cancel()
		if err == nil {
			if again := d.hear(t, answer.Data); !again {
				return
			}
		}
		_ = wait(ctx, 300*time.Millisecond)
	}
}

// hear takes a receipt; true: it has to be asked for again.
func (d *direct) hear(t *Told, body []byte) (again bool) {
	var r receipt
	if json.Unmarshal(body, &r) != nil {
		d.book.count("unreadable receipts", 1)
		return true
	}
	d.book.mu.Lock()
	defer d.book.mu.Unlock()
	if r.Task != "" && t.Accepted.IsZero() {
		t.Accepted = time.Now()
	}
	switch {
	case r.Error != nil && r.Error.Code == bus.CodeBusy:
		d.book.counts["busy told"]++
		return true
	case r.Status == "" && r.Error != nil:
		d.book.counts["refused submissions: "+r.Error.Code]++
		return r.Error.Retryable
	case r.Status == bus.InputRequired:
		return true
	case r.Error != nil && r.Error.Code == bus.CodeUnavailable && r.Error.Retryable && t.Client == byAsk:
		return true
	case r.Status != "":
		t.Answer = &r.Response
	}
	return false
}

// publish puts a submission into the queue itself, as any NATS client can.
func (d *direct) publish(ctx context.Context, t *Told, s bus.Submission, id string) {
	body, err := json.Marshal(s)
	if err != nil {
		return // our own structs always encode
	}
	subject := bus.TaskSubject(d.bus.Tenant(), master)
	for ctx.Err() == nil {
		if t.Client == byPlain {
			_ = d.bus.Conn().Publish(subject, body) // nothing is promised; it is said again
			_ = wait(ctx, 10*time.Second)
			continue
		}
		try, cancel := context.WithTimeout(ctx, 3*time.Second)
		_, err := d.js.Publish(try, subject, body, jetstream.WithMsgID(id))
		cancel()
		if err == nil {
			d.book.change(t, func(t *Told) {
				if t.Accepted.IsZero() {
					t.Accepted = time.Now()
				}
			})
			return
		}
		_ = wait(ctx, 300*time.Millisecond)
	}
}
