package bus

import (
	"context"
	"errors"
	"fmt"
	"iter"
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

// Read gives the records of w with a sequence above after that are stored now, in the order of the log. For a session or a task the
// inputs on its subject are among them, as records of kind input whose Call is the task and whose Node is empty; for a call only
// what its executor appended, so the last one's Seq is what [Bus.Append] wants. None: nil and no error.
//
// Bodies that are no records, which only a foreign publisher can bring there, are skipped and logged. [ErrDamaged]: the log lacks records of a
// call that has not ended.
func (b *Bus) Read(ctx context.Context, w Where, after uint64) ([]Record, error) {
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	recs, _, err := b.read(ctx, w.filter(b.o.Tenant), w.filters(b.o.Tenant), after)
	return recs, err
}

// Said gives what people have said to a task, as [Bus.Read] does, and nothing else of it. Unlike Read it sees all that was stored
// anywhere before it was called, so that who finds nothing may go to sleep. While a cluster chooses a leader, or the replicas that answer
// lag, it waits until ctx ends.
func (b *Bus) Said(ctx context.Context, session, task string, after uint64) ([]Record, error) {
	if err := errors.Join(required("session", session), required("task", task)); err != nil {
		return nil, fmt.Errorf("said: %w", err)
	}
	filter := InputSubject(b.o.Tenant, session, task)
	for n := 0; ; n++ {
		newest := uint64(0)
		if b.nc.ConnectedClusterName() != "" { // a read may be answered by a replica that lags; the leader knows
			var err error
			if newest, err = b.newest(ctx, filter); err != nil {
				return nil, fmt.Errorf("said: %w", err)
			}
			if newest <= after {
				return nil, nil
			}
		}
		// Asked anew each time, since what was there can have been removed meanwhile.
		switch recs, to, err := b.read(ctx, filter, []string{filter}, after); {
		case err != nil:
			return nil, fmt.Errorf("said: %w", err)
		case to >= newest:
			return recs, nil
		}
		if !b.again(ctx, n) {
			return nil, fmt.Errorf("said: %w", b.ended(ctx))
		}
	}
}

// newest is the place of the last message on a subject of the log by its leader's word, 0 for none. It is asked for until there is a leader,
// or ctx ends.
func (b *Bus) newest(ctx context.Context, subject string) (uint64, error) {
	for n := 0; ; n++ {
		try, done := context.WithTimeout(ctx, b.attemptWithin(n)) // a request sent while there is no leader is answered by nobody
		m, err := b.lastOf(try, LogStream, subject)
		done()
		switch {
		case err == nil:
			return m.Sequence, nil
		case errors.Is(err, ErrNotFound):
			return 0, nil
		case hopeless(err):
			return 0, err
		}
		if !b.again(ctx, n) {
			return 0, fmt.Errorf("%w (the last attempt: %w)", b.ended(ctx), err)
		}
	}
}

// read gets what is stored on the one filter, or, when that is "" or does not do, on the filters, and how far it has read.
func (b *Bus) read(ctx context.Context, filter string, filters []string, after uint64) (recs []Record, to uint64, err error) {
	links, from := chains{}, after
	if filter != "" {
		err := b.fetch(ctx, LogStream, filter, after, func(f fetched) {
			after = f.seq
			links.add(f.subject, f.msg.Header, f.seq, from)
			if rec, ok := b.entry(f.subject, f.msg.Data, f.seq, f.time); ok {
				recs = append(recs, rec)
			}
		})
		if err == nil {
			err = links.broken()
		}
		if err == nil {
			return recs, after, nil
		}
		if !errors.Is(err, errOdd) {
			return nil, 0, fmt.Errorf("read: %w", err)
		}
	}
	for e, err := range b.follow(ctx, filters, after) {
		if err != nil {
			return nil, 0, fmt.Errorf("read: %w", err)
		}
		if e.CaughtUp {
			if err := links.broken(); err != nil {
				return nil, 0, fmt.Errorf("read: %w", err)
			}
			return recs, e.Record.Seq, nil
		}
		links.add(e.subject, e.header, e.Record.Seq, from)
		recs = append(recs, e.Record)
	}
	return nil, 0, fmt.Errorf("read: %w", b.ended(ctx))
}

// Last gives the last record of one call; all three parts of w are needed. [ErrNotFound] when the call has none. Unlike [Bus.Read]
// it asks the stream's leader, so it sees every append that was acknowledged anywhere.
func (b *Bus) Last(ctx context.Context, w Where) (Record, error) {
	if err := w.Check(); err != nil {
		return Record{}, fmt.Errorf("last: %w", err)
	}
	if w.Call == "" {
		return Record{}, fmt.Errorf("last: no call given: %w", ErrBadName)
	}
	subject := LogSubject(b.o.Tenant, w.Session, w.Task, w.Call)
	m, err := b.lastOf(ctx, LogStream, subject)
	if err != nil {
		return Record{}, fmt.Errorf("last of %s: %w", subject, err)
	}
	rec, err := parseLog(m.Subject, m.Data)
	if err != nil {
		return Record{}, fmt.Errorf("last of %s: record %d: %w", subject, m.Sequence, err)
	}
	rec.Seq = m.Sequence
	return rec, nil
}

// Entry is one step of [Bus.Follow]: a record, or once the marker between history and live.
type Entry struct {
	Record Record
	// CaughtUp marks that all before was history. The entry has no record; Record.Seq is the position, good as a later "after".
	CaughtUp bool

	subject string
	header  nats.Header
}

// Follow gives what [Bus.Read] gives, then one marker, then each record as it is stored, without gap or repeat, also across lost
// connections and restarts of the server. It ends when ctx ends, the bus is closed or the loop breaks; an error is the last thing
// it yields and means that w is wrong or the server refuses, not that it is away. A slow loop holds up nobody, and at most 512
// records or 16 MiB wait for it in memory.
func (b *Bus) Follow(ctx context.Context, w Where, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if err := w.Check(); err != nil {
			yield(Entry{}, fmt.Errorf("follow: %w", err))
			return
		}
		for e, err := range b.follow(ctx, w.filters(b.o.Tenant), after) {
			if err != nil {
				err = fmt.Errorf("follow: %w", err)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (b *Bus) follow(ctx context.Context, filters []string, after uint64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for m, err := range b.tail(ctx, LogStream, filters, after) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			e := Entry{CaughtUp: m.caughtUp}
			if !m.caughtUp {
				var ok bool
				if e.Record, ok = b.entry(m.msg.Subject(), m.msg.Data(), m.seq, m.time); !ok {
					continue
				}
				e.subject, e.header = m.msg.Subject(), m.msg.Headers()
			}
			e.Record.Seq = m.seq
			if !yield(e, nil) {
				return
			}
		}
	}
}

// entry makes a record of a message of the log; false: it is none.
func (b *Bus) entry(subject string, body []byte, seq uint64, at time.Time) (Record, bool) {
	rec, err := parseLog(subject, body)
	if err != nil {
		b.log.Warn("bus: skipped a body in the log", "subject", subject, "seq", seq, "err", err)
		return rec, false
	}
	if rec.Time.IsZero() {
		rec.Time = at
	}
	rec.Seq = seq
	return rec, true
}

// filter is the one subject that takes in all of w; "" when none does, and it takes the two of [Where.filters].
func (w Where) filter(tenant string) string {
	switch {
	case w.Call != "":
		return LogSubject(tenant, w.Session, w.Task, w.Call)
	case w.Task != "":
		return ""
	}
	return "hmap." + tenant + ".*." + w.Session + ".>" // records and inputs; the stream holds nothing else
}

// filters are the subjects of the log stream that make up w.
func (w Where) filters(tenant string) []string {
	switch {
	case w.Call != "":
		return []string{LogSubject(tenant, w.Session, w.Task, w.Call)}
	case w.Task != "":
		return []string{LogSubject(tenant, w.Session, w.Task, "*"), InputSubject(tenant, w.Session, w.Task)}
	}
	return []string{LogSubject(tenant, w.Session, "*", "*"), InputSubject(tenant, w.Session, "*")}
}
