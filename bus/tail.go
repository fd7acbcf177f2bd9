package bus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// tailed is one stored message, or once the marker that history has ended.
type tailed struct {
	msg      jetstream.Msg // nil: the marker
	seq      uint64        // of msg; at the marker the last one read, or where reading began
	time     time.Time     // when it was stored
	caughtUp bool
}

// tail reads the messages of a stream on the filters with a sequence above after: what is there, then the marker, then what comes,
// in order, each once, across reconnects and restarts of the server. It ends without an error when ctx or the bus does, and with
// one when the server refuses, or has lost a part of the log that is history ([ErrDamaged]).
//
// It stands on ephemeral consumers, each read until anything is odd (a gap in its numbering, a missed heartbeat, a reconnect); then
// the next one begins after the last message yielded. The library's ordered consumer does the same, but does not say how much was
// pending when it began, and that is the marker.
func (b *Bus) tail(ctx context.Context, stream string, filters []string, after uint64) iter.Seq2[tailed, error] {
	return func(yield func(tailed, error) bool) {
		ctx, cancel := b.scope(ctx)
		defer cancel()
		t := tailer{bus: b, stream: stream, filters: filters, after: after, yield: yield}
		for n := 0; ctx.Err() == nil && !t.stopped; n++ {
			from := t.after
			err := t.consume(ctx, n)
			if t.stopped || ctx.Err() != nil {
				return
			}
			if err != nil && hopeless(err) && !errors.Is(err, jetstream.ErrConsumerDeleted) && code(err) != jetstream.JSErrCodeConsumerNotFound {
				yield(tailed{}, err)
				return
			}
			if t.after == from && (errors.Is(err, errGap) || n > 0) && b.nc.IsConnected() {
				t.stepOver(ctx)
			}
			if t.after == from && n >= tailTries && errors.Is(err, errStall) && t.lost(ctx) {
				yield(tailed{}, fmt.Errorf("%s behind message %d: %w; stop hmap, make a copy of its data, then start it with --accept-damage",
					strings.Join(filters, ", "), t.after, ErrDamaged))
				return
			}
			b.log.Debug("bus: reading on with a new consumer", "stream", stream, "after", t.after, "err", err)
			if t.after > from {
				n = 0
			}
			if !pause(ctx, n) {
				return
			}
		}
	}
}

type tailer struct {
	bus      *Bus
	stream   string
	filters  []string
	after    uint64
	caughtUp bool
	stopped  bool
	yield    func(tailed, error) bool
}

const (
	// Two pulls of 256 may be under way, so a reader holds at most 512 messages, or twice tailBytes.
	tailMessages = 256
	tailBytes    = 8 << 20
	// tailIdle is how long the server keeps the consumer of a reader that vanished.
	tailIdle = 30 * time.Second
	// tailPatience is how long history may stall before its rest is counted anew: messages can be deleted before they are read.
	tailPatience = time.Second
	// tailTries is how often it stalls before it is asked whether the rest is lost. Once may be a message that was removed in between.
	tailTries = 2
)

// consume is attempt n to read, without progress since attempt 0.
func (t *tailer) consume(ctx context.Context, n int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// Asked for before the consumer is made, so that no reconnect falls between.
	defer context.AfterFunc(t.bus.up.wait(), cancel)()

	// Bounded, since a request sent while a cluster has no leader is answered by nobody, and the caller's deadline may be far away.
	try, done := context.WithTimeout(ctx, t.bus.attemptWithin(n))
	c, err := t.bus.js.CreateConsumer(try, t.stream, jetstream.ConsumerConfig{
		FilterSubjects: t.filters, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: t.after + 1,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: tailIdle,
	})
	done()
	if err != nil {
		return err
	}
	info := c.CachedInfo()
	// Not waited for: the server forgets it anyway, this only makes it sooner.
	defer func() { _ = t.bus.nc.Publish("$JS.API.CONSUMER.DELETE."+t.stream+"."+info.Name, nil) }()
	if info.NumPending == 0 && !t.mark() {
		return nil
	}
	if err := t.reach(ctx, info.Name); err != nil {
		return err
	}
	msgs, err := c.Messages(jetstream.PullMaxMessagesWithBytesLimit(tailMessages, max(tailBytes, 2*int(t.bus.nc.MaxPayload()))),
		jetstream.PullExpiry(30*time.Second), jetstream.PullHeartbeat(5*time.Second))
	if err != nil {
		return err
	}
	defer msgs.Stop()
	for want := uint64(1); ; want++ {
		m, err := t.next(ctx, msgs)
		if err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if meta.Sequence.Consumer != want {
			return errGap
		}
		t.after = meta.Sequence.Stream
		if !t.yield(tailed{msg: m, seq: t.after, time: meta.Timestamp}, nil) {
			t.stopped = true
			return nil
		}
		if (want >= info.NumPending || meta.NumPending == 0) && !t.mark() {
			return nil
		}
	}
}

var (
	errGap   = errors.New("gap in delivery")
	errStall = errors.New("history does not go on")
)

// reach waits until requests arrive at a new consumer. In a cluster the news of it may come behind the answer that it is made, by another
// route; then the first request for messages finds nobody (2 to 4 of 100 did, three servers on one machine), and the library, which
// does not heed that, stands still for 10 s. What is asked here is broken JSON, which the server refuses: it brings no message.
func (t *tailer) reach(ctx context.Context, consumer string) error {
	if t.bus.nc.ConnectedClusterName() == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	for n := 0; ; n++ {
		_, err := t.bus.nc.RequestWithContext(ctx, "$JS.API.CONSUMER.MSG.NEXT."+t.stream+"."+consumer, []byte("{"))
		if !errors.Is(err, nats.ErrNoResponders) || !pause(ctx, n) {
			return err
		}
	}
}

// stepOver goes past a message that no consumer of the library ever hands out, for it looks like a word of the server to a pull: no body,
// and a header "Status". No verb publishes such a thing, but a stranger can, and every reader would stand before it for ever.
func (t *tailer) stepOver(ctx context.Context) {
	var first *jetstream.RawStreamMsg
	for _, filter := range t.filters {
		m, err := t.bus.getRaw(ctx, t.stream, map[string]any{"seq": t.after + 1, "next_by_subj": filter})
		if err != nil && !errors.Is(err, ErrNotFound) {
			return // looked at again after the next gap
		}
		if err == nil && (first == nil || m.Sequence < first.Sequence) {
			first = m
		}
	}
	if first != nil && len(first.Data) == 0 && first.Header.Get("Status") != "" {
		t.bus.log.Warn("bus: skipped a message that looks like a word of the server", "subject", first.Subject, "seq", first.Sequence)
		t.after = first.Sequence
	}
}

// lost reports whether the log's leader finds nothing where the server counts messages: their file has gone while the server ran. In other
// streams messages go by themselves.
func (t *tailer) lost(ctx context.Context) bool {
	for _, filter := range t.filters {
		if _, err := t.bus.getRaw(ctx, t.stream, map[string]any{"seq": t.after + 1, "next_by_subj": filter}); !errors.Is(err, ErrNotFound) {
			return false
		}
	}
	return t.stream == LogStream
}

func (t *tailer) next(ctx context.Context, msgs jetstream.MessagesContext) (jetstream.Msg, error) {
	if t.caughtUp {
		return msgs.Next(jetstream.NextContext(ctx))
	}
	patient, cancel := context.WithTimeout(ctx, tailPatience)
	defer cancel()
	m, err := msgs.Next(jetstream.NextContext(patient))
	if err != nil && patient.Err() != nil && ctx.Err() == nil {
		err = errStall
	}
	return m, err
}

// mark yields the marker if it was not yet, and reports whether to go on.
func (t *tailer) mark() bool {
	if !t.caughtUp {
		t.caughtUp = true
		t.stopped = !t.yield(tailed{seq: t.after, caughtUp: true}, nil)
	}
	return !t.stopped
}
