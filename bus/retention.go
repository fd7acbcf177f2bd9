package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
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

// Sweep removes what r does not keep, now, and reports how many sessions that were. Oldest first, by when their snapshots were written; sessions with a
// task that has not ended stay. Two sweeps at the same time do no harm.
func (b *Bus) Sweep(ctx context.Context, r Retention) (removed int, err error) {
	if err := b.IndexSessions(ctx); err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	if err := b.endRemovals(ctx); err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	var kept time.Time // what happened since stays, however old the rest
	if r.Age > 0 {
		kept = time.Now().Add(-r.Age)
	}
	for from := uint64(1); r != (Retention{}); {
		old, next, err := b.oldest(ctx, from, kept, r.Bytes)
		if err != nil {
			return removed, fmt.Errorf("sweep: %w", err)
		}
		for _, s := range old {
			until := kept
			if over, err := b.over(ctx, r.Bytes); err != nil {
				return removed, fmt.Errorf("sweep: %w", err)
			} else if over {
				until = time.Time{}
			} else if !s.Last.Before(kept) {
				continue
			}
			switch err := b.remove(ctx, s.ID, until); {
			case errors.Is(err, ErrOpenTask), errors.Is(err, errYoung):
			case err != nil:
				return removed, fmt.Errorf("sweep: %w", err)
			default:
				removed++
			}
		}
		if from = next; from == 0 {
			break
		}
	}
	if over, err := b.over(ctx, r.Bytes); err == nil && over {
		b.log.Warn("bus: the log is over its bound, and what is in it has not ended", "bytes", r.Bytes)
	}
	return removed, nil
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

// removal is the mark of a session that is being removed: its records up to Seq are gone, or will be.
type removal struct {
	Seq uint64 `json:"seq"`
}

func (b *Bus) removalSubject(session string) string { return b.sessionSubject(session) + ".removal" }

func (b *Bus) removal(ctx context.Context, session string) (r removal, revision uint64, err error) {
	body, revision, err := b.directLast(ctx, sessionsStream, b.removalSubject(session))
	if errors.Is(err, ErrNotFound) {
		return removal{}, 0, nil
	}
	if err == nil {
		err = object(body, &r)
	}
	return r, revision, err
}

// Remove removes a session whole: its records and inputs, its snapshot, what the index of open tasks still says about it, and the artifacts that its
// calls made; artifacts that were given to it with a request stay, since others may know them, and so do submissions that wait in the queue.
// [ErrOpenTask] when a task has not ended; [ErrNotFound] when there is no such session.
//
// Cut off in the middle, it is ended by the next sweep. A task that begins in the session meanwhile is never touched: it finds the
// conversation whole or gone, and the session goes on with it.
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
	records, err := b.Read(ctx, Where{Session: session}, 0)
	if err != nil {
		return err
	}
	snapshot, revision, err := b.directLast(ctx, sessionsStream, b.sessionSubject(session))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if len(records) == 0 {
		if snapshot == nil {
			return ErrNotFound
		}
		return b.purge(ctx, sessionsStream, b.sessionSubject(session), revision)
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
	_, revision, err = b.removal(ctx, session)
	if err == nil {
		err = b.swapJSON(ctx, b.removalSubject(session), removal{last.Seq}, revision)
	}
	if err != nil {
		return err
	}
	return b.endRemoval(ctx, session, last.Seq, records)
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

// endRemovals ends the removals that were cut off.
func (b *Bus) endRemovals(ctx context.Context) error {
	marks := map[string]removal{}
	for m, err := range b.tail(ctx, sessionsStream, []string{b.removalSubject("*")}, 0) {
		if err != nil {
			return err
		}
		if m.caughtUp {
			break
		}
		var r removal
		if t := strings.Split(m.msg.Subject(), "."); len(t) == 5 && object(m.msg.Data(), &r) == nil {
			marks[t[3]] = r
		}
	}
	for session, r := range marks {
		records, err := b.Read(ctx, Where{Session: session}, 0)
		if err == nil {
			old := slices.DeleteFunc(records, func(rec Record) bool { return rec.Seq > r.Seq })
			err = b.endRemoval(ctx, session, r.Seq, old)
		}
		if err != nil {
			return fmt.Errorf("go on removing %s: %w", session, err)
		}
	}
	return ctx.Err()
}

// endRemoval does what a mark of removal says, up to seq; old are the records up to there. Each step can be done twice, and the log, which
// says what is to be done, goes after all that hangs on it.
func (b *Bus) endRemoval(ctx context.Context, session string, seq uint64, old []Record) error {
	if err := b.purge(ctx, sessionsStream, b.sessionSubject(session), 0); err != nil {
		return err
	}
	for _, ref := range made(old) {
		if err := b.Files().Delete(ctx, ref); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	rest, err := b.Read(ctx, Where{Session: session}, seq)
	if err != nil {
		return err
	}
	// What a call of a task that has ended wrote late is of the past too; a call that is still to write is kept out by the log's fence.
	for _, r := range rest {
		if r.Kind != KindInput && slices.ContainsFunc(old, func(o Record) bool { return o.Task == r.Task }) {
			if err := b.purge(ctx, LogStream, LogSubject(b.o.Tenant, session, r.Task, "*"), 0); err != nil {
				return err
			}
		}
	}
	for _, subject := range []string{LogSubject(b.o.Tenant, session, "*", "*"), InputSubject(b.o.Tenant, session, "*")} {
		if err := b.purge(ctx, LogStream, subject, seq); err != nil {
			return err
		}
	}
	if len(rest) > 0 { // a task that began meanwhile may have ended before the snapshot went
		if err := b.indexSession(ctx, session); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return b.purge(ctx, sessionsStream, b.removalSubject(session), 0)
}

// purge removes the messages of a subject up to a sequence; 0: all.
func (b *Bus) purge(ctx context.Context, stream, subject string, upTo uint64) error {
	s, err := b.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	opts := []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject(subject)}
	if upTo > 0 {
		opts = append(opts, jetstream.WithPurgeSequence(upTo+1))
	}
	return s.Purge(ctx, opts...)
}

// made lists the artifacts that calls of the records made. What a request brought with it is somebody else's.
func made(records []Record) []string {
	given, refs := map[string]bool{}, map[string]bool{}
	for _, r := range records {
		if r.Request != nil && r.Call == r.Task {
			for _, f := range r.Request.Files {
				given[f.Ref] = true
			}
		}
		if r.File != nil {
			refs[r.File.Ref] = true
		}
		for _, f := range r.Files {
			refs[f.Ref] = true
		}
	}
	var list []string
	for ref := range refs {
		if !given[ref] && strings.HasPrefix(ref, refPrefix) {
			list = append(list, ref)
		}
	}
	return list
}

// IndexSessions gives every session that has none a snapshot with its head, once for a tenant: for logs of a version that kept none. It reads the
// names of the log's subjects and two records a session, and returns at once when it was done before.
func (b *Bus) IndexSessions(ctx context.Context) error {
	s, revision, err := b.swept(ctx)
	if err != nil || s.Indexed {
		return err
	}
	if err := b.index(ctx, LogSubject(b.o.Tenant, "*", "*", "*")); err != nil {
		return fmt.Errorf("index of sessions: %w", err)
	}
	s.Indexed = true
	err = b.swapJSON(ctx, b.retentionSubject(), s, revision)
	if errors.Is(err, ErrFenced) { // somebody else swept or indexed meanwhile; once more does no harm
		err = nil
	}
	return err
}

func (b *Bus) indexSession(ctx context.Context, session string) error {
	return b.index(ctx, LogSubject(b.o.Tenant, session, "*", "*"))
}

// index gives the sessions of a filter on the log snapshots with their heads, those first that have been quiet for longest.
func (b *Bus) index(ctx context.Context, filter string) error {
	s, err := b.js.Stream(ctx, LogStream)
	if err != nil {
		return err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return err
	}
	tasks := map[string]int{}
	for subject := range info.State.Subjects {
		if t := strings.Split(subject, "."); len(t) == 6 && t[4] == t[5] {
			tasks[t[3]]++
		}
	}
	var found []Session
	for session, n := range tasks {
		head, err := b.head(ctx, session, 1)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		last, err := b.lastOf(ctx, LogStream, LogSubject(b.o.Tenant, session, "*", "*"))
		if err != nil {
			return err
		}
		head.Tasks, head.Last = n, last.Time
		found = append(found, head)
	}
	slices.SortFunc(found, func(x, y Session) int { return x.Last.Compare(y.Last) })
	for _, head := range found {
		if err := b.KeepSnapshot(ctx, &Snapshot{Session: head}); err != nil && !errors.Is(err, ErrFenced) {
			return err
		}
	}
	return nil
}
