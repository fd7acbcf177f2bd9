package bus

import (
	"context"
	"errors"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// stray is an entry of the index of open tasks, or a snapshot of a session, whose task or session has no record in the log: it was lost. A
// task has its first record before its first entry, so one that begins is never taken for it.
type stray struct {
	subject  string // of the entry
	revision uint64
	log      string // the filter on the log that finds nothing
	where    Where  // a snapshot has no Task
}

// strayAt gives the entry at a subject of one of the two buckets as a stray; not ok: the subject is of something else.
func strayAt(subject string, revision uint64) (s stray, tenant string, ok bool) {
	t := strings.Split(subject, ".") // $KV, the bucket, the tenant, the session and, in the index, the task
	switch {
	case len(t) == 5 && t[1] == OpenBucket:
		return stray{subject, revision, LogSubject(t[2], t[3], t[4], "*"), Where{Session: t[3], Task: t[4]}}, t[2], true
	case len(t) == 4 && t[1] == SessionsBucket:
		return stray{subject, revision, LogSubject(t[2], t[3], "*", "*"), Where{Session: t[3]}}, t[2], true
	}
	return stray{}, "", false
}

// readStrays gives the strays of all tenants, those of the index first; calls is the whole log. A session that is being removed has none: the
// removal takes its snapshot.
func readStrays(ctx context.Context, js jetstream.JetStream, calls chains) (all []stray, err error) {
	has := map[string]bool{} // filters on the log that find something
	for subject := range calls {
		if tenant, w, ok := place(subject); ok {
			has[LogSubject(tenant, w.Session, "*", "*")], has[LogSubject(tenant, w.Session, w.Task, "*")] = true, true
		}
	}
	marks, err := readRemovals(ctx, js)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{openStream, sessionsStream} {
		stream, err := js.Stream(ctx, name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		err = scan(ctx, stream, 0, jetstream.ConsumerConfig{HeadersOnly: true}, func(m jetstream.Msg, seq uint64) {
			s, tenant, ok := strayAt(m.Subject(), seq)
			if !ok || has[s.log] || m.Headers().Get(kvOperation) != "" { // or a mark of deletion
				return
			}
			if mark, ok := marks[tenant+"."+s.where.Session]; !ok || mark.Done {
				all = append(all, s)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// dropStray takes a stray out, unless the log has a record of it behind after by now, or the entry is a newer one.
func (b *Bus) dropStray(ctx context.Context, s stray, after uint64) (dropped bool, err error) {
	switch m, err := b.lastOf(ctx, LogStream, s.log); {
	case err == nil && m.Sequence > after:
		return false, nil
	case err != nil && !errors.Is(err, ErrNotFound):
		return false, err
	}
	return true, b.dropEntry(ctx, s.subject, s.revision)
}

// dropStrays takes the strays of a session out of the index of open tasks; after as in [Bus.dropStray]. [ErrOpenTask]: one of them has begun.
func (b *Bus) dropStrays(ctx context.Context, session string, after uint64) (dropped int, err error) {
	for m, err := range b.tail(ctx, openStream, []string{openSubject(b.openKey(session, "*"))}, 0) {
		if err != nil {
			return dropped, err
		}
		if m.caughtUp {
			return dropped, nil
		}
		s, _, ok := strayAt(m.msg.Subject(), m.seq)
		if !ok || len(m.msg.Data()) == 0 { // a mark of deletion
			continue
		}
		if gone, err := b.dropStray(ctx, s, after); err != nil {
			return dropped, err
		} else if !gone {
			return dropped, ErrOpenTask
		}
		dropped++
	}
	return dropped, errors.Join(b.ended(ctx), errors.New("the index of open tasks ended early"))
}
