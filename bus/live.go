package bus

import (
	"context"
	"iter"

	"github.com/nats-io/nats.go"
)

// Speak publishes text that is being written, to whoever listens now. It never waits and promises nothing: the log has the whole text
// later. What cannot be sent is dropped and logged at debug level.
func (b *Bus) Speak(session string, l Live) {
	err := required("session", session)
	if err == nil {
		err = required("task", l.Task)
	}
	var body []byte
	if err == nil {
		body, err = encode(l)
	}
	if err == nil {
		err = b.checkSize(body)
	}
	if err == nil {
		err = b.nc.Publish(LiveSubject(b.o.Tenant, session, l.Task), body)
	}
	if err != nil {
		b.log.Debug("bus: live text dropped", "session", session, "task", l.Task, "err", err)
	}
}

// Hear gives the live text of all tasks of a session, in the order of each speaker, until ctx ends, the bus is closed, or the loop
// breaks. When more than buffer pieces (at least 1) wait for the loop, new ones are dropped; Live.Offset shows the gap. Listening begins
// when the loop does.
func (b *Bus) Hear(ctx context.Context, session string, buffer int) iter.Seq[Live] {
	return func(yield func(Live) bool) {
		if !ValidToken(session) {
			b.log.Warn("bus: nothing to hear", "session", session, "err", ErrBadName)
			return
		}
		heard := make(chan *nats.Msg, max(buffer, 1))
		sub, err := b.nc.Subscribe(LiveSubject(b.o.Tenant, session, "*"), func(m *nats.Msg) {
			select { // dropping here keeps the library from reporting a slow consumer each time
			case heard <- m:
			default:
			}
		})
		if err != nil {
			b.log.Warn("bus: nothing to hear", "session", session, "err", err)
			return
		}
		defer func() { _ = sub.Unsubscribe() }() // a closed connection has no subscriptions
		for {
			select {
			case m := <-heard:
				var l Live
				if object(m.Data, &l) != nil {
					continue // a foreign publisher's; there is nothing to lose on this subject
				}
				l.Task = m.Subject[len(LiveSubject(b.o.Tenant, session, "")):]
				if !yield(l) {
					return
				}
			case <-ctx.Done():
				return
			case <-b.ctx.Done():
				return
			}
		}
	}
}
