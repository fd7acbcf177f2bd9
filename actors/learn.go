package actors

import (
	"context"
	"time"

	"github.com/hmap-project/hmap/actors/learn"
)

const (
	// LearnEvery is how often a node learns at most. Ten seconds of tasks are read at once: 11 µs of processor for one of three rounds, which costs 700
	// beside its mind (go test -run xxx -bench Learn ./actors/learn; -bench Task ./actors).
	LearnEvery = 10 * time.Second
	// learnAnyway is how often it looks what other nodes have learned.
	learnAnyway = time.Minute
)

// taught says that a task has ended. It never waits.
func (t *Team) taught() {
	select {
	case t.ended <- struct{}{}:
	default:
	}
}

// learn keeps what the log teaches up to date until ctx ends, behind the tasks. Of several nodes the one whose turn comes first learns, the
// others take over what it kept.
func (t *Team) learn(ctx context.Context) {
	book := learn.Open(t.bus)
	book.Gently = true
	anyway := time.NewTicker(learnAnyway)
	defer anyway.Stop()
	for {
		changed, err := book.Refresh(ctx)
		own := false
		if err == nil && !(changed && t.evidence.Load() != nil) {
			own, err = book.Learn(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil: // the log keeps it
			t.log.Info("nothing could be learned from the log for now", "error", err)
		}
		if changed || own {
			t.evidence.Store(book.Lessons().Evidence())
		}
		if !pause(ctx, t.o.Learn) {
			return
		}
		select {
		case <-t.ended:
		case <-anyway.C:
		case <-ctx.Done():
			return
		}
	}
}
