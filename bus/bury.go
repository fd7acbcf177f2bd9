package bus

import (
	"context"
	"fmt"
	"strconv"
)

// Bury keeps a task that was already accepted with the dead letters: one that nobody could finish. It can be looked at, edited and
// sent again like a submission that was never accepted; then it is a new task of its session. Doing it twice for the same task has the
// effect of once.
func (b *Bus) Bury(ctx context.Context, agent string, s Submission, tries int, cause error) error {
	again := s
	again.Task = "" // this one has ended in the log
	body, err := encode(again)
	if err != nil {
		return fmt.Errorf("bury task %s: %w", s.Task, err)
	}
	m := message(DeadSubject(b.o.Tenant, agent), b.hash("bury", s.Session, s.Task), body)
	m.Header.Set(HeaderCause, headerText(cause.Error()))
	m.Header.Set(HeaderTries, strconv.Itoa(tries))
	if _, err := b.publish(ctx, m, nil); err != nil {
		return fmt.Errorf("bury task %s: %w", s.Task, err)
	}
	return nil
}
