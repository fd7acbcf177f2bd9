package bus

import (
	"context"
	"errors"
	"strings"
	"time"
)

const (
	// saidFor is how long is kept what somebody said to a task that there is not: it may be submitted yet.
	saidFor = time.Hour
	// saidBatch is how many inputs are looked at at a time.
	saidBatch = 4096
)

// dropUnheard removes what was said before a time to tasks of which the log has nothing: they never were, or were removed before. It is in no session, so
// that nothing else would take it away ever, and a flood of it would have whole sessions go in its place. It goes on where the sweep before has come to, and
// leaves for another what was said since the oldest submission of the queue came.
func (b *Bus) dropUnheard(ctx context.Context, before time.Time) error {
	queue, err := b.queued(ctx)
	if err != nil {
		return err
	}
	if queue.Msgs > 0 && queue.FirstTime.Before(before) {
		before = queue.FirstTime
	}
	for more := true; more; {
		s, revision, err := b.swept(ctx)
		if err != nil {
			return err
		}
		var some words
		from := s.Said
		if some, s.Said, more, err = b.saidBefore(ctx, before, from); err != nil || s.Said == from {
			return err
		}
		if err := b.dropOf(ctx, some); err != nil {
			return err
		}
		if err := b.swapJSON(ctx, b.retentionSubject(), s, revision); errors.Is(err, ErrFenced) {
			return nil // somebody else sweeps
		} else if err != nil {
			return err
		}
	}
	return nil
}

// words are a part of what people said.
type words struct {
	newest map[Where]uint64 // the place of the newest word, by session and task
	odd    []uint64         // the places of words on subjects of no task that could be
}

// saidBefore reads on in what people said, up to to; more: there may be more.
func (b *Bus) saidBefore(ctx context.Context, before time.Time, after uint64) (s words, to uint64, more bool, err error) {
	s.newest, to = map[Where]uint64{}, after
	n := 0
	for m, err := range b.tail(ctx, LogStream, []string{"hmap." + b.o.Tenant + ".input.>"}, after) {
		if err != nil || m.caughtUp || !m.time.Before(before) {
			return s, to, false, err
		}
		if t := strings.Split(m.msg.Subject(), "."); len(t) == 5 && ValidToken(t[3]) && ValidToken(t[4]) {
			s.newest[Where{Session: t[3], Task: t[4]}] = m.seq
		} else {
			s.odd = append(s.odd, m.seq)
		}
		to = m.seq
		if n++; n == saidBatch {
			return s, to, true, nil
		}
	}
	return words{}, after, false, errors.Join(b.ended(ctx), errors.New("the log ended early"))
}

// dropOf removes what of s was said to tasks of which the log has nothing.
func (b *Bus) dropOf(ctx context.Context, s words) error {
	for w, seq := range s.newest {
		_, err := b.lastOf(ctx, LogStream, LogSubject(b.o.Tenant, w.Session, w.Task, "*"))
		if errors.Is(err, ErrNotFound) {
			err = b.purge(ctx, LogStream, InputSubject(b.o.Tenant, w.Session, w.Task), seq)
		}
		if err != nil {
			return err
		}
	}
	for _, seq := range s.odd { // one by one, for such a subject may have a "*" in it, and to purge it would purge what it stands for
		if err := b.erase(ctx, LogStream, seq); err != nil {
			return err
		}
	}
	return nil
}

// erase takes one message out of a stream. One that is not there any more is no error.
func (b *Bus) erase(ctx context.Context, stream string, seq uint64) error {
	s, err := b.js.Stream(ctx, stream)
	if err == nil {
		err = s.DeleteMsg(ctx, seq)
	}
	if err != nil {
		if _, there := b.getRaw(ctx, stream, map[string]any{"seq": seq}); errors.Is(there, ErrNotFound) {
			return nil
		}
	}
	return err
}
