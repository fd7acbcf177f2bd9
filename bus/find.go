package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Find is the place of a task in the log, given the task alone: the newest session that has a task of that name. [ErrNotFound] when
// none has.
func (b *Bus) Find(ctx context.Context, task string) (Where, error) {
	if !ValidToken(task) {
		return Where{}, fmt.Errorf("task %.80q: %w", task, ErrBadName)
	}
	stream, err := b.js.Stream(ctx, LogStream)
	if err != nil {
		return Where{}, fmt.Errorf("find task %s: %w", task, err)
	}
	m, err := stream.GetLastMsgForSubject(ctx, LogSubject(b.o.Tenant, "*", task, task))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Where{}, fmt.Errorf("task %s: %w", task, ErrNotFound)
	}
	if err != nil {
		return Where{}, fmt.Errorf("find task %s: %w", task, err)
	}
	_, w, _ := place(m.Subject) // whatever its body is
	return Where{Session: w.Session, Task: task}, nil
}
