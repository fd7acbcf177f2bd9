package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ErrOpenTask: the session has a task that has not ended. Wait for it, or cancel it.
var ErrOpenTask = errors.New("a task of the session has not ended")

// Retention says how long sessions are kept. The zero value: for ever.
type Retention struct {
	Age   time.Duration // after a session's last record it is removed; 0: whatever the age
	Bytes int64         // of the log, of all tenants together; what is oldest goes until it has no more. 0: whatever the size
}

// retainEvery is how often sessions are looked at that may be too old.
const retainEvery = 10 * time.Minute

// Retain keeps the sessions of the tenant within r until ctx or the bus ends: now and every ten minutes one of the nodes that run it sweeps. It
// also lists the sessions of an earlier version, once, and ends removals that were cut off. Trouble is logged, and tried again at the next sweep.
func (b *Bus) Retain(ctx context.Context, r Retention) {
	ctx, cancel := b.scope(ctx)
	defer cancel()
	tick := time.NewTicker(retainEvery)
	defer tick.Stop()
	for {
		turn, err := b.takeTurn(ctx)
		removed := 0
		if turn && err == nil {
			removed, err = b.Sweep(ctx, r)
		}
		if err != nil && ctx.Err() == nil {
			b.log.Warn("bus: the sweep of old sessions did not come to its end", "err", err)
		}
		if removed > 0 {
			b.log.Info("bus: removed old sessions", "sessions", removed)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// swept is what is kept about the sweeps of a tenant.
type swept struct {
	Node    string    `json:"node"`    // who swept last
	At      time.Time `json:"at"`      // and when it began
	Indexed bool      `json:"indexed"` // every session that the log had at some time has a snapshot
	Said    uint64    `json:"said"`    // what people said up to here in the log is said to tasks that were there when it was looked at, or gone
}

func (b *Bus) retentionSubject() string { return "$KV." + SessionsBucket + "." + b.o.Tenant }

func (b *Bus) swept(ctx context.Context) (s swept, revision uint64, err error) {
	body, revision, err := b.directLast(ctx, sessionsStream, b.retentionSubject())
	if err == nil && object(body, &s) != nil {
		s = swept{} // damaged: as if it had never been
	}
	if errors.Is(err, ErrNotFound) {
		err = nil
	}
	return s, revision, err
}

// takeTurn lets one node sweep in each interval. Clocks that differ only shift the turns.
func (b *Bus) takeTurn(ctx context.Context) (bool, error) {
	s, revision, err := b.swept(ctx)
	if err != nil {
		return false, err
	}
	if ago := time.Since(s.At); s.Node != b.o.Node && ago >= 0 && ago < retainEvery*9/10 && b.Alive(s.Node) {
		return false, nil
	}
	s.Node, s.At = b.o.Node, time.Now().UTC()
	err = b.swapJSON(ctx, b.retentionSubject(), s, revision)
	if errors.Is(err, ErrFenced) {
		return false, nil
	}
	return err == nil, err
}

func (b *Bus) swapJSON(ctx context.Context, subject string, v any, revision uint64) error {
	body, err := json.Marshal(v)
	if err == nil {
		_, err = b.swap(ctx, subject, body, revision)
	}
	return err
}

// Sweep removes what r does not keep, and files that were brought a day ago and are in no request, now, and reports how many sessions that were. Oldest first, by when their snapshots were written; sessions with a
// task that has not ended stay. A session that cannot be judged or removed is logged and passed over, and the error names it. Two sweeps at the same
// time do no harm.
func (b *Bus) Sweep(ctx context.Context, r Retention) (removed int, err error) {
	_, unnamed := b.dropUnnamed(ctx, time.Now().Add(-broughtFor))
	errs := []error{b.IndexSessions(ctx), b.endRemovals(ctx), unnamed, b.dropUnheard(ctx, time.Now().Add(-saidFor))}
	var kept time.Time // what happened since stays, however old the rest
	if r.Age > 0 {
		kept = time.Now().Add(-r.Age)
	}
	for from := uint64(1); r != (Retention{}) && from > 0 && ctx.Err() == nil; {
		old, next, err := b.oldest(ctx, from, kept, r.Bytes)
		if err != nil {
			errs = append(errs, err)
			break
		}
		for _, s := range old {
			gone, err := b.due(ctx, s, kept, r.Bytes)
			if err != nil {
				err = fmt.Errorf("session %s: %w", s.ID, err)
				b.log.Warn("bus: a session is passed over by the sweep", "err", err)
				errs = append(errs, err)
			}
			if ctx.Err() != nil {
				break
			}
			if gone {
				removed++
			}
		}
		from = next
	}
	if over, err := b.over(ctx, r.Bytes); err == nil && over {
		b.log.Warn("bus: the log is over its bound, and what is in it has not ended", "bytes", r.Bytes)
	}
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return removed, fmt.Errorf("sweep: %w", err)
	}
	return removed, nil
}

// due removes a session that is too old, or, while the log is over its bound, any that has ended.
func (b *Bus) due(ctx context.Context, s Snapshot, kept time.Time, bound int64) (removed bool, err error) {
	until := kept
	if over, err := b.over(ctx, bound); err != nil {
		return false, err
	} else if over {
		until = time.Time{}
	} else if !s.Last.Before(kept) {
		return false, nil
	}
	err = b.remove(ctx, s.ID, until)
	if errors.Is(err, ErrOpenTask) || errors.Is(err, errYoung) {
		return false, nil
	}
	return err == nil, err
}

// sweepBatch is how many snapshots are looked at at a time, and how many in a row that may stay end a sweep by age: snapshots lie in the order in
// which they were written, which is nearly that of the sessions' last records.
const sweepBatch = 512

// oldest gives the next snapshots to look at, and where to go on; 0: there are no more that could be due.
func (b *Bus) oldest(ctx context.Context, from uint64, kept time.Time, bound int64) (batch []Snapshot, next uint64, err error) {
	over, err := b.over(ctx, bound)
	if err != nil {
		return nil, 0, err
	}
	due := over
	for m, err := range b.tail(ctx, sessionsStream, []string{b.sessionSubject("*")}, from-1) {
		if err != nil {
			return nil, 0, err
		}
		if m.caughtUp {
			return batch, 0, nil
		}
		if s, ok := parseSnapshot(m.msg.Data()); ok {
			s.ID, s.Memory = m.msg.Subject()[len(b.sessionSubject("")):], nil
			batch = append(batch, s)
			due = due || s.Last.Before(kept)
		}
		if len(batch) == sweepBatch {
			if next = m.seq + 1; !due {
				next = 0
			}
			return batch, next, nil
		}
	}
	return nil, 0, errors.Join(b.ended(ctx), errors.New("the list ended early"))
}

// over reports whether the log has more than bound bytes; 0 is no bound.
func (b *Bus) over(ctx context.Context, bound int64) (bool, error) {
	if bound <= 0 {
		return false, nil
	}
	s, err := b.js.Stream(ctx, LogStream)
	if err != nil {
		return false, err
	}
	return s.CachedInfo().State.Bytes > uint64(bound), nil
}

// Remove removes a session whole: its records, what people said to its tasks, its snapshot, what the index of open tasks still says about it, and the
// artifacts that its calls made; artifacts that were given to it with a request stay, since others may know them, and so do submissions that wait in
// the queue, with what was said to them. [ErrOpenTask] when a task has not ended; [ErrNotFound] when there is no such session; [ErrDamaged] when it cannot be known.
//
// Cut off in the middle, it is ended by the next sweep. A task that begins in the session meanwhile is never touched: it finds the
// conversation whole or gone, and the session goes on with it. A task that was removed is not begun again by its own submission.
func (b *Bus) Remove(ctx context.Context, session string) error {
	if err := required("session", session); err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	if err := b.remove(ctx, session, time.Time{}); err != nil {
		return fmt.Errorf("remove %s: %w", session, err)
	}
	return nil
}

// errYoung: something has happened in the session of which its snapshot does not know.
var errYoung = errors.New("the session is in use")

// remove removes a session if nothing has happened in it since until; the zero time: whatever has.
func (b *Bus) remove(ctx context.Context, session string, until time.Time) error {
	before, revision, err := b.removal(ctx, session)
	if err == nil && !before.Done { // cut off: what is left of it proves nothing
		err = b.endRemoval(ctx, session, before)
		if err == nil {
			before, revision, err = b.removal(ctx, session)
		}
	}
	if err != nil {
		return err
	}
	records, err := b.readWhole(ctx, session, before.Seq)
	if err != nil {
		return err
	}
	snapshot, at, err := b.directLast(ctx, sessionsStream, b.sessionSubject(session))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if len(records) == 0 {
		strays, err := b.dropStrays(ctx, session, before.Seq)
		if err != nil {
			return err
		}
		if len(snapshot) > 0 {
			return b.dropSnapshot(ctx, session, before.Seq, at)
		}
		if strays == 0 {
			return ErrNotFound
		}
		return nil
	}
	last := records[len(records)-1]
	if !until.IsZero() && !last.Time.Before(until) {
		return errYoung
	}
	if task := unended(records); task != "" {
		return fmt.Errorf("%w: %s", ErrOpenTask, task)
	}
	if err := b.settled(ctx, session); err != nil {
		return err
	}
	queue, err := b.queued(ctx)
	if err != nil {
		return err
	}
	mark := removal{Seq: last.Seq, Queue: queue.LastSeq, Tasks: before.with(records)}
	if err := b.swapJSON(ctx, b.removalSubject(session), mark, revision); err != nil {
		return err
	}
	return b.endRemoval(ctx, session, mark)
}

// readWhole is [Bus.Read] of a session, with all that the leader of the log has when it is called: a replica that lags might show a session
// without its newest task, or none at all.
func (b *Bus) readWhole(ctx context.Context, session string, after uint64) ([]Record, error) {
	newest := uint64(0)
	last, err := b.lastOf(ctx, LogStream, LogSubject(b.o.Tenant, session, "*", "*"))
	if err == nil {
		newest = last.Sequence
	} else if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	for n := 0; ; n++ {
		records, err := b.Read(ctx, Where{Session: session}, after)
		if err != nil || newest <= after || len(records) > 0 && records[len(records)-1].Seq >= newest {
			return records, err
		}
		if n == fetchTries || !b.again(ctx, n) {
			return nil, errors.Join(b.ended(ctx), errors.New("the log has more of it than a replica gives; try again"))
		}
	}
}

// unended is a task of the records that has no response yet, or "".
func unended(records []Record) string {
	open := map[string]bool{}
	for _, r := range records {
		switch {
		case r.Call != r.Task:
		case r.Kind == KindRequest:
			open[r.Task] = true
		case r.Kind == KindResponse:
			delete(open, r.Task)
		}
	}
	for task := range open {
		return task
	}
	return ""
}

// settled clears the index of open tasks of a session whose tasks have all ended. [ErrOpenTask] when a node that is alive is still about to do so:
// before that it keeps a snapshot, which must not come after the removal.
func (b *Bus) settled(ctx context.Context, session string) error {
	for {
		m, err := b.lastOf(ctx, openStream, openSubject(b.openKey(session, "*")))
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		t, ok := parseOpen(m.Subject, m.Data)
		if ok && b.Alive(t.Node) {
			return fmt.Errorf("%w quite: %s", ErrOpenTask, t.Task)
		}
		if err := b.purge(ctx, openStream, m.Subject, m.Sequence); err != nil {
			return err
		}
	}
}
