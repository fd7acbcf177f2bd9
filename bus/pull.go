package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// pull takes messages from a durable consumer, each asked for when there is somebody to take it. The library's iterator is
// not used: asked for one message at a time it may leave out a request when the answer to the one before was faster than its own
// bookkeeping (nats.go v1.55.0), and then stands still until its alarm, 10 s later.
type pull struct {
	bus   *Bus
	next  string // where is asked
	inbox string // below it each request has its own subject, so that what is said to an old one does not count for the new
	sub   *nats.Subscription
	heard chan *nats.Msg
	asked int
}

const (
	pullFor = 30 * time.Second // how long one request stands
	// pullBeat is how often the server says that the request still stands; when it does not, it may have forgotten it.
	pullBeat   = time.Second
	pullSilent = 5 * pullBeat / 2
	// pullBurst is how many messages are asked for at once when they wait already: on a busy node a request takes some 10 ms, for it goes
	// from goroutine to goroutine, and each has its turn.
	pullBurst = 64
)

// askForOne asks for the next message.
var askForOne = fmt.Appendf(nil, `{"batch":1,"expires":%d,"idle_heartbeat":%d}`, pullFor, pullBeat)

// pulls makes the consumer if it is not there, and a pull from it; end gives back what was on its way.
func (b *Bus) pulls(ctx context.Context, stream string, c jetstream.ConsumerConfig) (*pull, error) {
	made, err := b.js.CreateOrUpdateConsumer(ctx, stream, c)
	if err != nil {
		return nil, err
	}
	p := &pull{bus: b, next: "$JS.API.CONSUMER.MSG.NEXT." + stream + "." + made.CachedInfo().Name, inbox: b.nc.NewInbox() + ".", heard: make(chan *nats.Msg, 2*pullBurst)}
	p.sub, err = b.nc.ChanSubscribe(p.inbox+"*", p.heard)
	return p, err
}

// take waits for the next message, which must be acknowledged on its reply subject. An error other than ctx's means that a new pull is
// wanted.
func (p *pull) take(ctx context.Context) (*nats.Msg, error) {
	for {
		mine, err := p.ask(askForOne)
		if err != nil {
			return nil, err
		}
		if m, err := p.hear(ctx, mine); m != nil || err != nil {
			return m, err
		}
	}
}

// takeWaiting takes up to n messages that are there already, at most [pullBurst], and gives each to got, until that says no. It returns how
// many there were.
func (p *pull) takeWaiting(ctx context.Context, n int, got func(*nats.Msg) bool) (taken int, err error) {
	mine, err := p.ask(fmt.Appendf(nil, `{"batch":%d,"no_wait":true}`, n))
	for err == nil && taken < n {
		var m *nats.Msg
		if m, err = p.hear(ctx, mine); m == nil {
			break // none is left, or it broke
		}
		taken++
		if !got(m) {
			break
		}
	}
	return taken, err
}

// ask sends a request, and says under which subject it is answered.
func (p *pull) ask(what []byte) (mine string, err error) {
	p.asked++
	mine = p.inbox + strconv.Itoa(p.asked)
	return mine, p.bus.nc.PublishRequest(p.next, mine, what)
}

// hear waits for a message; nil without an error: the request mine has ended.
func (p *pull) hear(ctx context.Context, mine string) (*nats.Msg, error) {
	silence := time.NewTimer(pullSilent)
	defer silence.Stop()
	for {
		select {
		case m := <-p.heard:
			if strings.HasPrefix(m.Reply, "$JS.ACK.") { // whichever request brought it
				if ctx.Err() == nil {
					return m, nil
				}
				return nil, errors.Join(ctx.Err(), delivery{p.bus, m}.nak(0))
			}
			silence.Reset(pullSilent)
			switch status := m.Header.Get("Status"); {
			case m.Subject != mine, status == "100":
			case status == "404", status == "408": // nothing came while the request stood, or nothing more is there
				return nil, nil
			default:
				return nil, fmt.Errorf("the request for the next message ended: %s %s", status, m.Header.Get("Description"))
			}
		case <-silence.C:
			return nil, errors.New("nothing is heard of the request for the next message")
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// end stops the pull so that a message which was on its way goes to somebody else now, not after [decideWithin]. One that the server has
// counted as sent and not yet written comes again by itself.
func (p *pull) end() {
	// Drained, since one that is only unsubscribed drops what comes between that and the server's hearing of it.
	if p.bus.nc.IsConnected() && p.sub.Drain() == nil {
		_ = p.bus.nc.FlushTimeout(time.Second) // then the server sends no more; if it cannot say so, the message comes again by itself
	}
	// What is drained while the connection is lost is subscribed anew on the next one, and then forgotten by the client alone (nats.go v1.55.0).
	_ = p.sub.Unsubscribe() // it may have been drained, which is the same
	for len(p.heard) > 0 {
		if m := <-p.heard; strings.HasPrefix(m.Reply, "$JS.ACK.") {
			_ = (delivery{p.bus, m}).nak(0)
		}
	}
}

// delivery is how a message pulled from a consumer is decided on. Each is sent and not confirmed: one that is lost means that the message
// comes again.
type delivery struct {
	bus *Bus
	msg *nats.Msg
}

func (d delivery) say(what string) error { return d.bus.nc.Publish(d.msg.Reply, []byte(what)) }

func (d delivery) ack() error { return d.say("+ACK") }

func (d delivery) term() error { return d.say("+TERM") }

func (d delivery) nak(delay time.Duration) error {
	if delay <= 0 {
		return d.say("-NAK") // at once; with a delay of 0 the server puts it behind the others
	}
	return d.say(fmt.Sprintf(`-NAK {"delay":%d}`, delay.Nanoseconds()))
}

// acked is ack, confirmed by the server; it is tried again until ctx ends.
func (d delivery) acked(ctx context.Context) error {
	for n := 0; ; n++ {
		_, err := d.bus.request(ctx, d.msg.Reply, nil, []byte("+ACK"))
		if err == nil || hopeless(err) {
			return err
		}
		if !d.bus.again(ctx, n) {
			return fmt.Errorf("%w (the last attempt: %w)", d.bus.ended(ctx), err)
		}
	}
}
