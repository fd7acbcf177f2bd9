package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Append adds rec to the log of its call, if the last record of that call is the one with sequence last (0: there is none yet),
// and returns its own sequence. HMAP, and Node and Time when empty, are filled in; rec.Seq is set.
//
// It repeats by itself what may have been lost, until ctx ends; the record is stored once however often it was sent. An error that
// wraps ctx's leaves open whether it was stored. [ErrFenced]: somebody else appended, so fold the log again or let go.
// [ErrBadName], [ErrTooLarge], [ErrVersion]: nothing was sent.
func (b *Bus) Append(ctx context.Context, rec *Record, last uint64) (uint64, error) {
	m, err := b.logged(rec, last)
	if err != nil {
		return 0, err
	}
	seq, err := b.insist(ctx, m, last)
	rec.Seq = seq
	return seq, err
}

// Attempt is what came of one attempt to append a record.
type Attempt struct {
	Seq uint64 // of the record; 0: it is not known whether it is stored, and [Attempt.Insist] is to be called

	bus  *Bus
	msg  *nats.Msg
	last uint64
}

// Insist goes on from the attempt as [Bus.Append] does. The record is stored once however often it was sent.
func (a Attempt) Insist(ctx context.Context) (uint64, error) { return a.bus.insist(ctx, a.msg, a.last) }

// TryAppend is [Bus.Append] for those who may not block: it sends rec once and calls then, once, when the server has answered or is known
// not to. then runs on a goroutine of the bus and must not block either. With an error nothing was sent and then is not called.
func (b *Bus) TryAppend(rec *Record, last uint64, then func(Attempt)) error {
	m, err := b.logged(rec, last)
	if err != nil {
		return err
	}
	a := Attempt{bus: b, msg: m, last: last}
	b.requestThen(m, func(reply *nats.Msg, err error) {
		if err == nil {
			if seq, err := parseAck(reply.Data); err == nil {
				a.Seq = seq
			}
		}
		then(a)
	})
	return nil
}

// logged fills rec in and makes the message of it.
func (b *Bus) logged(rec *Record, last uint64) (*nats.Msg, error) {
	if rec.HMAP == "" {
		rec.HMAP = Version
	}
	if rec.Node == "" {
		rec.Node = b.o.Node
	}
	if rec.Time.IsZero() {
		rec.Time = time.Now().UTC()
	}
	if err := rec.check(); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	body, err := encode(rec)
	if err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	if err := b.checkSize(body); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	m := message(LogSubject(b.o.Tenant, rec.Session, rec.Task, rec.Call), "", body)
	m.Header[HeaderID] = []string{nuid.Next()}
	m.Header[HeaderKind] = []string{string(rec.Kind)}
	m.Header[jetstream.ExpectedLastSubjSeqHeader] = []string{strconv.FormatUint(last, 10)}
	return m, nil
}

func (b *Bus) insist(ctx context.Context, m *nats.Msg, last uint64) (uint64, error) {
	seq, err := b.publish(ctx, m, func(err error) (uint64, error) { return b.settle(ctx, m, last, err) })
	if err != nil {
		return 0, fmt.Errorf("append to %s: %w", m.Subject, err)
	}
	return seq, nil
}

// settle decides what a refusal by sequence means. A repeat whose first copy was stored is refused like a stranger's; the last record of
// the call tells which it was.
func (b *Bus) settle(ctx context.Context, m *nats.Msg, last uint64, err error) (uint64, error) {
	if c := code(err); c != jetstream.JSErrCodeStreamWrongLastSequence && c != jetstream.JSErrCodeStreamWrongLastSequenceConstant {
		return 0, err
	}
	got, readErr := b.lastOf(ctx, LogStream, m.Subject)
	switch {
	case errors.Is(readErr, ErrNotFound):
		if last == 0 {
			return 0, errUndecided
		}
		return 0, fmt.Errorf("record %d is no longer there: %w", last, ErrFenced)
	case readErr != nil:
		return 0, errors.Join(errUndecided, readErr)
	case got.Header.Get(HeaderID) == m.Header.Get(HeaderID):
		return got.Sequence, nil
	case got.Sequence == last:
		return 0, errUndecided // something of the same call is still under way between replicas
	}
	return 0, fmt.Errorf("the last record is %d, not %d: %w", got.Sequence, last, ErrFenced)
}
