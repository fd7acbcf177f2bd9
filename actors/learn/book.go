package learn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hmap-project/hmap/bus"
)

const (
	key = "lessons" // in the cache of the bus
	// backlog is how many records before its end a log is learned from when nothing is kept; what is older would count little.
	backlog = 100_000
	// piece is how many records are read at once.
	piece = 1000
	// stretch is how long a gentle book works without a rest.
	stretch = 10 * time.Millisecond
)

// Book is the lessons of a tenant as one node sees them, kept in the cache of the bus for all. One goroutine uses it.
type Book struct {
	// Gently has [Book.Learn] rest thrice as long as it worked, every 10 ms or after one call that took longer, so that a long log takes a quarter of a
	// processor at most.
	Gently bool

	bus      *bus.Bus
	lessons  *Lessons
	revision uint64
	read     bool // lessons are more than the beginning
}

// Open is a book that has not been read yet: [Book.Refresh] and [Book.Learn] do.
func Open(b *bus.Bus) *Book { return &Book{bus: b, lessons: &Lessons{}} }

// Lessons is what the book says, not to be changed; never nil.
func (k *Book) Lessons() *Lessons { return k.lessons }

// Refresh reads what is kept, and reports whether it is newer than what this book has read or kept last. When it is gone, damaged, or of another
// format, what this book has learned itself still counts.
func (k *Book) Refresh(ctx context.Context) (news bool, err error) { return k.refresh(ctx, false) }

// refresh: whatever takes an older revision too, which is that of a cache that was lost, or what a replica that lags has.
func (k *Book) refresh(ctx context.Context, whatever bool) (news bool, err error) {
	body, revision, err := k.bus.Cached(ctx, key)
	if err != nil && !errors.Is(err, bus.ErrNotFound) {
		return false, fmt.Errorf("lessons: %w", err)
	}
	kept := Parse(body)
	switch {
	case k.read && revision > 0 && revision <= k.revision && !whatever:
		return false, nil
	case k.read && kept == nil:
		k.revision = revision
		return false, nil
	}
	end, err := k.bus.LogEnd(ctx)
	if err != nil {
		return false, fmt.Errorf("lessons: %w", err)
	}
	if kept == nil {
		kept = &Lessons{Seq: max(end, backlog) - backlog}
	}
	kept.Seq, kept.Forgot = min(kept.Seq, end), min(kept.Forgot, end) // of a log that is gone
	k.lessons, k.revision, k.read = kept, revision, true
	return true, nil
}

// Learn folds what has ended since into the lessons, and keeps them unless another node was faster; then its lessons count, and what is missing in them
// is learned the next time. It reports whether the lessons changed. After an error they are as they were.
func (k *Book) Learn(ctx context.Context) (changed bool, err error) {
	if changed, err = k.Refresh(ctx); err != nil {
		return false, err
	}
	next, folded := k.lessons.Clone(), 0
	begun := time.Now()
	for {
		to, err := k.bus.EndedCalls(ctx, next.Seq, piece, func(records []bus.Record) {
			next.Fold(records)
			folded++
			k.ease(ctx, &begun)
		})
		if err != nil {
			return changed, fmt.Errorf("learn: %w", err)
		}
		read := to - next.Seq
		if next.Seq = to; read < piece {
			break
		}
		if k.ease(ctx, &begun); ctx.Err() != nil {
			return changed, ctx.Err()
		}
	}
	if folded == 0 {
		k.lessons.Seq = next.Seq
		return changed, nil
	}
	if err := k.keep(ctx, next); !errors.Is(err, bus.ErrFenced) {
		return true, err
	}
	if _, err := k.refresh(ctx, true); err != nil {
		return changed, err
	}
	return true, nil
}

// keep stores lessons, and takes them for the book's own unless they are fenced off.
func (k *Book) keep(ctx context.Context, next *Lessons) error {
	body, err := next.Encode()
	if err != nil {
		return fmt.Errorf("keep lessons: %w", err)
	}
	revision, err := k.bus.Recache(ctx, key, body, k.revision)
	if errors.Is(err, bus.ErrFenced) {
		return err
	}
	k.lessons = next // without being kept they are still what this node has learned
	if err != nil {
		return fmt.Errorf("keep lessons: %w", err)
	}
	k.revision = revision
	return nil
}

// Forget lets all that was learned go: only results that are written from now on count. Nodes that run hear of it within a minute. Should the
// cache itself be lost, the log teaches all of it again.
func Forget(ctx context.Context, b *bus.Bus) error {
	end, err := b.LogEnd(ctx)
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	body, err := (&Lessons{Seq: end, Forgot: end, Since: time.Now().UTC()}).Encode()
	if err == nil {
		_, err = b.Cache(ctx, key, body)
	}
	if err != nil {
		return fmt.Errorf("forget: %w", err)
	}
	return nil
}

// ease has a gentle book rest when it has worked for a while since begun, until ctx ends.
func (k *Book) ease(ctx context.Context, begun *time.Time) {
	worked := time.Since(*begun)
	if !k.Gently || worked < stretch {
		return
	}
	select {
	case <-time.After(3 * worked):
	case <-ctx.Done():
	}
	*begun = time.Now()
}
