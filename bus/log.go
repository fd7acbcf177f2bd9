package bus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"
)

// Read gives the records of w with a sequence above after that are stored now, in the order of the log. For a session or a task the
// inputs on its subject are among them, as records of kind input whose Call is the task and whose Node is empty; for a call only
// what its executor appended. None: nil and no error.
//
// Bodies that are no records, which only a foreign publisher can bring there, are skipped and logged. [ErrDamaged]: the log lacks records of a
// call that has not ended.
func (b *Bus) Read(ctx context.Context, w Where, after uint64) ([]Record, error) {
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	recs, _, _, err := b.read(ctx, w.filter(b.o.Tenant), w.filters(b.o.Tenant), after)
	return recs, err
}

// ReadCall is [Bus.Read] of one call from its beginning, of a root call with the inputs of its task; all three parts of w are needed. last is what
// [Bus.Append] wants: the place of the newest message on the call's own subject, also of one that is no record, for it moves the fence. 0: there is none.
// [ErrDamaged] also when calls below a root call lack records.
func (b *Bus) ReadCall(ctx context.Context, w Where) (recs []Record, last uint64, err error) {
	if err := errors.Join(w.Check(), required("call", w.Call)); err != nil {
		return nil, 0, fmt.Errorf("read: %w", err)
	}
	all := w
	if w.Call == w.Task {
		all.Call = ""
	}
	recs, links, _, err := b.read(ctx, all.filter(b.o.Tenant), all.filters(b.o.Tenant), 0)
	recs = slices.DeleteFunc(recs, func(r Record) bool { return r.Call != w.Call })
	return recs, links[LogSubject(b.o.Tenant, w.Session, w.Task, w.Call)].last, err
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
		switch recs, _, to, err := b.read(ctx, filter, []string{filter}, after); {
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

// read gets what is stored on the one filter, or, when that is "" or does not do, on the filters: the records, what stands on their subjects, and
// how far it has read.
func (b *Bus) read(ctx context.Context, filter string, filters []string, after uint64) (recs []Record, links chains, to uint64, err error) {
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
			return recs, links, after, nil
		}
		if !errors.Is(err, errOdd) {
			return nil, nil, 0, fmt.Errorf("read: %w", err)
		}
	}
	for m, err := range b.tail(ctx, LogStream, filters, after) {
		if err == nil && m.caughtUp {
			if err = links.broken(); err == nil {
				return recs, links, m.seq, nil
			}
		}
		if err != nil {
			return nil, nil, 0, fmt.Errorf("read: %w", err)
		}
		links.add(m.msg.Subject(), m.msg.Headers(), m.seq, from)
		if rec, ok := b.entry(m.msg.Subject(), m.msg.Data(), m.seq, m.time); ok {
			recs = append(recs, rec)
		}
	}
	return nil, nil, 0, fmt.Errorf("read: %w", b.ended(ctx))
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
