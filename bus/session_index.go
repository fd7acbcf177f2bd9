package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

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
	var found []Snapshot
	for session, n := range tasks {
		kept, err := b.snapshot(ctx, session) // before the log is read, so that a removal meanwhile is noticed
		if err != nil {
			return err
		}
		if kept.Tasks > 0 {
			continue
		}
		head, err := b.head(ctx, session, kept.Seq+1)
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
		found = append(found, Snapshot{Session: head, Revision: kept.Revision})
	}
	slices.SortFunc(found, func(x, y Snapshot) int { return x.Last.Compare(y.Last) })
	for _, s := range found {
		if err := b.KeepSnapshot(ctx, &s); err != nil && !errors.Is(err, ErrFenced) {
			return err
		}
	}
	return nil
}
