package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// removal is the mark of a session that is being removed, and, for as long as the queue may know a task of it, of one that has been.
type removal struct {
	Seq   uint64   `json:"seq"`             // its records up to here are gone, or will be
	Queue uint64   `json:"queue,omitempty"` // the end of the task stream then: the submissions of all its tasks lie before
	Tasks []string `json:"tasks,omitempty"` // what was removed, at most markTasks, the last begun at the end
	Done  bool     `json:"done,omitempty"`  // nothing of it is there any more
}

// markTasks bounds a mark to what a message may hold. A submission whose task was followed by so many others was taken out of the queue long ago.
const markTasks = 4096

func parseRemoval(body []byte) (r removal, ok bool) {
	if object(body, &r) != nil || r.Seq == 0 {
		return removal{}, false
	}
	return r, true
}

// covers reports whether a record is of what the mark removes.
func (r removal) covers(task string, seq uint64) bool {
	return seq <= r.Seq || !r.Done && slices.Contains(r.Tasks, task)
}

// with gives the tasks of the mark, and those that the records begin.
func (r removal) with(records []Record) []string {
	known := map[string]bool{}
	for _, task := range r.Tasks {
		known[task] = true
	}
	tasks := slices.Clone(r.Tasks)
	for _, rec := range records {
		if !said(rec) && !known[rec.Task] {
			known[rec.Task] = true
			tasks = append(tasks, rec.Task)
		}
	}
	return tasks[max(0, len(tasks)-markTasks):]
}

// said reports whether a record is what somebody said to a task, on its input subject, and not a record of the task's executor.
func said(r Record) bool { return r.Kind == KindInput && r.Node == "" }

func (b *Bus) removalSubject(session string) string { return b.sessionSubject(session) + ".removal" }

// removal gives the mark of a session, with Done when there is none; revision 0: nothing was ever there, or not lately. One that cannot be read is as none, and is replaced.
func (b *Bus) removal(ctx context.Context, session string) (r removal, revision uint64, err error) {
	body, revision, err := b.directLast(ctx, sessionsStream, b.removalSubject(session))
	if errors.Is(err, ErrNotFound) {
		return removal{Done: true}, 0, nil
	}
	if err != nil {
		return removal{}, 0, err
	}
	r, ok := parseRemoval(body)
	if !ok {
		r.Done = true
		if len(body) > 0 { // what says that it is gone is empty
			b.log.Warn("bus: the mark of a removal cannot be read", "session", session)
		}
	}
	return r, revision, nil
}

// endRemovals ends the removals that were cut off, and takes away the marks that no submission in the queue can need any more.
func (b *Bus) endRemovals(ctx context.Context) error {
	marks := map[string]removal{}
	for m, err := range b.tail(ctx, sessionsStream, []string{b.removalSubject("*")}, 0) {
		if err != nil {
			return err
		}
		if m.caughtUp {
			break
		}
		if r, ok := parseRemoval(m.msg.Data()); ok {
			marks[strings.Split(m.msg.Subject(), ".")[3]] = r
		}
	}
	var errs []error
	for session, r := range marks {
		err := error(nil)
		if r.Done {
			err = b.forget(ctx, session, r)
		} else {
			err = b.endRemoval(ctx, session, r)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("go on removing %s: %w", session, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// endRemoval does what a mark of removal says. Each step can be done twice, and the log, which says what is to be done, goes after all that
// hangs on it.
func (b *Bus) endRemoval(ctx context.Context, session string, mark removal) error {
	if err := b.dropSnapshot(ctx, session, mark.Seq, 0); err != nil {
		return err
	}
	all, err := b.remains(ctx, session)
	if err != nil {
		return err
	}
	n := slices.IndexFunc(all, func(r Record) bool { return r.Seq > mark.Seq })
	if n < 0 {
		n = len(all)
	}
	old, rest := all[:n], all[n:]
	for _, ref := range made(old) {
		if err := b.Files().Delete(ctx, ref); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	removed := map[string]bool{}
	for _, task := range mark.with(old) {
		removed[task] = true
	}
	for _, r := range rest { // begun again, under the same name: what comes after the mark is its own
		if r.Kind == KindRequest && r.Call == r.Task && removed[r.Task] {
			delete(removed, r.Task)
			if err := b.purge(ctx, LogStream, InputSubject(b.o.Tenant, session, r.Task), mark.Seq); err != nil {
				return err
			}
		}
	}
	// What a call of a task that has ended wrote late is of the past too; a call that is still to write is kept out by the log's fence. And
	// what is said to a task is its own: that of one which waits in the queue stays.
	late := map[string]bool{}
	for _, r := range all {
		switch {
		case !removed[r.Task]:
		case said(r):
			late[InputSubject(b.o.Tenant, session, r.Task)] = true
		case r.Seq > mark.Seq:
			late[LogSubject(b.o.Tenant, session, r.Task, "*")] = true
		}
	}
	for subject := range late {
		if err := b.purge(ctx, LogStream, subject, 0); err != nil {
			return err
		}
	}
	if err := b.purge(ctx, LogStream, LogSubject(b.o.Tenant, session, "*", "*"), mark.Seq); err != nil {
		return err
	}
	if len(rest) > 0 { // a task that began meanwhile may have ended before the snapshot went
		if err := b.indexSession(ctx, session); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return b.forget(ctx, session, mark)
}

// remains is what the log has of a session, whether or not its records stand behind each other: a removal that was cut off took any of them.
func (b *Bus) remains(ctx context.Context, session string) (all []Record, err error) {
	for e, err := range b.follow(ctx, Where{Session: session}.filters(b.o.Tenant), 0) {
		if err != nil {
			return nil, err
		}
		if e.CaughtUp {
			return all, nil
		}
		all = append(all, e.Record)
	}
	return nil, errors.Join(b.ended(ctx), errors.New("the log ended early"))
}

// forget takes the mark of a removal away that has come to its end, and what was said to tasks that never were, once all submissions of that time
// have left the queue; until then it keeps the mark as done.
func (b *Bus) forget(ctx context.Context, session string, mark removal) error {
	now, revision, err := b.removal(ctx, session)
	if err != nil || revision == 0 || now.Seq != mark.Seq { // somebody else did, or removes the session anew
		return err
	}
	queue, err := b.queued(ctx)
	if err != nil {
		return err
	}
	if queue.Msgs > 0 && queue.FirstSeq <= mark.Queue {
		if mark.Done {
			return nil
		}
		mark.Done = true
		if err := b.swapJSON(ctx, b.removalSubject(session), mark, revision); !errors.Is(err, ErrFenced) {
			return err
		}
		return nil
	}
	if err := b.forgetSaid(ctx, session, mark.Seq); err != nil {
		return err
	}
	return b.dropEntry(ctx, b.removalSubject(session), revision)
}

// dropEntry takes an entry out of a bucket if it is still at revision; 0: whatever it is at. For an hour something stays that says so:
// by then the server has told its disk that what stood there before is gone, too.
func (b *Bus) dropEntry(ctx context.Context, subject string, revision uint64) error {
	return b.drop(ctx, gone(subject, "1h"), revision)
}

// dropSnapshot is [Bus.dropEntry] for the snapshot of a session whose records up to seq are gone, or will be. What stays says so: to a node that was
// away meanwhile and would keep one that it made before, and to who reads a replica that still has the records.
func (b *Bus) dropSnapshot(ctx context.Context, session string, seq, revision uint64) error {
	m := gone(b.sessionSubject(session), "1h")
	m.Header.Set(HeaderRemoved, strconv.FormatUint(seq, 10))
	return b.drop(ctx, m, revision)
}

func (b *Bus) drop(ctx context.Context, m *nats.Msg, revision uint64) error {
	if revision > 0 {
		m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10))
	}
	if _, err := b.swapMsg(ctx, m); err != nil && !errors.Is(err, ErrFenced) { // fenced: it is somebody else's now
		return err
	}
	return nil
}

// forgetSaid removes what was said up to seq to tasks that never came to be.
func (b *Bus) forgetSaid(ctx context.Context, session string, seq uint64) error {
	if _, err := b.lastOf(ctx, LogStream, InputSubject(b.o.Tenant, session, "*")); errors.Is(err, ErrNotFound) {
		return nil
	}
	all, err := b.remains(ctx, session)
	if err != nil {
		return err
	}
	begun, idle := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		begun[r.Task] = begun[r.Task] || !said(r)
		idle[r.Task] = idle[r.Task] || r.Seq <= seq
	}
	for task := range idle {
		if idle[task] && !begun[task] {
			if err := b.purge(ctx, LogStream, InputSubject(b.o.Tenant, session, task), seq); err != nil {
				return err
			}
		}
	}
	return nil
}

// queued is how the task stream stands: every submission that somebody may still take lies from FirstSeq to LastSeq.
func (b *Bus) queued(ctx context.Context) (jetstream.StreamState, error) {
	s, err := b.js.Stream(ctx, TaskStream)
	if err != nil {
		return jetstream.StreamState{}, err
	}
	return s.CachedInfo().State, nil
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
