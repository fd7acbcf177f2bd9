package bus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Tell stores what a person says to a task and returns its sequence in the log. It does not know whether there is such a task. msgID,
// when not empty, makes a repeat within two minutes harmless. Errors as [Bus.Submit] has them, but never ErrBusy.
func (b *Bus) Tell(ctx context.Context, session, task string, in Input, msgID string) (uint64, error) {
	if err := errors.Join(required("session", session), required("task", task), in.check()); err != nil {
		return 0, fmt.Errorf("tell: %w", err)
	}
	in.HMAP = orElse(in.HMAP, Version)
	body, err := encode(in)
	if err != nil {
		return 0, fmt.Errorf("tell: %w", err)
	}
	if err := b.checkSize(body); err != nil {
		return 0, fmt.Errorf("tell: %w", err)
	}
	id := nuid.Next()
	if msgID != "" {
		id = b.hash("tell", session, task, msgID)
	}
	m := message(InputSubject(b.o.Tenant, session, task), id, body)
	m.Header.Set(HeaderKind, string(KindInput))
	seq, err := b.publish(ctx, m, nil)
	if err != nil {
		return 0, fmt.Errorf("tell: %w", err)
	}
	return seq, nil
}

// InputJob is an input that wants somebody to see to it: Done when the task has it (or nobody ever will), Later to be given it again.
// Without either it comes again after 3 s.
type InputJob struct {
	Session, Task string
	Input         Input
	Seq           uint64 // its place in the log
	Tries         int    // how often it was given to somebody, this time included

	msg delivery
}

// Done ends the job. An acknowledgement that is lost means that the input comes once more.
func (j *InputJob) Done() error { return j.msg.ack() }

// Later offers it again, to any node, after delay; or ends it, if more was said to the task since: whoever sees to that reads all. So however much is said
// to a task that nobody sees to, little of it stands in the way of others.
func (j *InputJob) Later(ctx context.Context, delay time.Duration) error {
	b := j.msg.bus
	m, err := b.lastOf(ctx, LogStream, InputSubject(b.o.Tenant, j.Session, j.Task))
	if err == nil && m.Sequence > j.Seq {
		if _, err = parseLog(m.Subject, m.Data); err == nil { // what is no input is given to nobody
			return j.Done()
		}
	}
	return j.msg.nak(delay)
}

// Inputs gives every input of the tenant to one of the nodes that ask, at least once, so that a task which waits for a person is
// woken although no node holds it. Bodies that are no inputs are skipped and logged. It ends when ctx ends, the bus is closed, or the
// loop breaks; an error is the last thing it yields.
func (b *Bus) Inputs(ctx context.Context) iter.Seq2[*InputJob, error] {
	return func(yield func(*InputJob, error) bool) {
		ctx, cancel := b.scope(ctx)
		defer cancel()
		stopped := false
		for n := 0; !stopped && ctx.Err() == nil; n++ {
			err := b.takeInputs(ctx, func(j *InputJob) bool {
				n = 0
				stopped = !yield(j, nil)
				return !stopped
			})
			if stopped || !pause(ctx, n) {
				return
			}
			b.log.Log(ctx, loudness(n), "bus: asking for inputs anew", "err", err)
		}
	}
}

func (b *Bus) takeInputs(ctx context.Context, yield func(*InputJob) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(b.up.wait(), cancel)()
	p, err := b.pulls(ctx, LogStream, jetstream.ConsumerConfig{
		Durable: "inputs=" + b.o.Tenant, FilterSubject: InputSubject(b.o.Tenant, "*", "*"),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: decideWithin, MaxDeliver: -1, MaxAckPending: 10_000,
	})
	if err != nil {
		return err
	}
	defer p.end()
	for {
		m, err := p.take(ctx)
		if err != nil {
			return err
		}
		rec, err := parseLog(m.Subject, m.Data)
		if err != nil {
			b.log.Warn("bus: skipped a body that is no input", "subject", m.Subject, "err", err)
			_ = (delivery{b, m}).term() // lost: it is skipped again
			continue
		}
		j := &InputJob{Session: rec.Session, Task: rec.Task, Input: *rec.Input, msg: delivery{b, m}}
		if meta, err := m.Metadata(); err == nil {
			j.Seq, j.Tries = meta.Sequence.Stream, int(meta.NumDelivered)
		}
		if !yield(j) {
			return nil
		}
	}
}

// HearInputs calls fn soon after an input was stored, on every node that asks; by then it can be read. It is a hint to look, not a
// delivery: fn("", "") means that hints may have been missed, so look at everything that matters. fn is called from one goroutine and
// must not block for long. For a server that does not answer it waits until ctx ends, which ends nothing once it listens. stop returns when
// fn will not be called any more; do not call it from fn.
func (b *Bus) HearInputs(ctx context.Context, fn func(session, task string)) (stop func(), err error) {
	var s jetstream.Stream
	for n := 0; ; n++ {
		if s, err = b.js.Stream(ctx, LogStream); err == nil {
			break
		}
		if hopeless(err) || !b.again(ctx, n) {
			return nil, fmt.Errorf("hear inputs: %w", err)
		}
	}
	ctx, cancel := context.WithCancel(b.ctx)
	ended := make(chan struct{})
	// Following the stream rather than the subject: a subscriber would hear of an input before it is stored.
	after := s.CachedInfo().State.LastSeq
	b.done.Go(func() {
		defer close(ended)
		for n := 0; ctx.Err() == nil; n++ {
			for m, err := range b.tail(ctx, LogStream, []string{InputSubject(b.o.Tenant, "*", "*")}, after) {
				if err != nil {
					b.log.Warn("bus: hearing of inputs fails", "err", err)
					break
				}
				after = m.seq
				if t := strings.Split(subjectOf(m), "."); len(t) == 5 {
					fn(t[3], t[4])
				}
			}
			if pause(ctx, n) {
				fn("", "")
			}
		}
	})
	return func() { cancel(); <-ended }, nil
}

func subjectOf(m tailed) string {
	if m.msg == nil {
		return ""
	}
	return m.msg.Subject()
}
