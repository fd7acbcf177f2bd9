package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
)

// Bury keeps a task that was already accepted with the dead letters: one that nobody could finish. It can be looked at, edited and
// sent again like a submission that was never accepted; then it is a new task of its session. Doing it twice for the same task and the same
// number of tries has the effect of once. seq is the letter's number, as in [Dead].
func (b *Bus) Bury(ctx context.Context, agent string, s Submission, tries int, cause error) (seq uint64, err error) {
	again := s
	again.Task = "" // this one has ended in the log
	body, err := encode(again)
	if err != nil {
		return 0, fmt.Errorf("bury task %s: %w", s.Task, err)
	}
	for n := 0; ; n++ {
		m := message(DeadSubject(b.o.Tenant, agent), b.hash("bury", s.Session, s.Task, strconv.Itoa(tries), strconv.Itoa(n)), body)
		m.Header.Set(HeaderCause, headerText(cause.Error()))
		m.Header.Set(HeaderCode, headerText(asError(cause).Code))
		m.Header.Set(HeaderTries, strconv.Itoa(tries))
		if seq, err = b.publish(ctx, m, nil); err == nil {
			_, err = b.deadMessage(ctx, seq)
		}
		if errors.Is(err, ErrNotFound) && n < maxBuried { // a repeat of one that was taken away since
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("bury task %s: %w", s.Task, err)
		}
		return seq, nil
	}
}

// maxBuried is how often a letter may have been taken away in the two minutes in which the server knows a repeat.
const maxBuried = 10

// Unbury takes a dead letter away. One that is not there any more is no error.
func (b *Bus) Unbury(ctx context.Context, seq uint64) error {
	if err := b.erase(ctx, DeadStream, seq); err != nil {
		return fmt.Errorf("unbury dead letter %d: %w", seq, err)
	}
	return nil
}
