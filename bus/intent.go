package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// CheckIntent tells whether what r asks for is still wanted: the log of the call that asks, r.Parent, has gone on since the intent behind which r was
// sent when another node has claimed the call, a person is asked about the action, it has ended or is begun again, or the call has its response. Then the error is [ErrFenced], as for a
// record that such a node would append. It asks the log's leader, until it is answered or ctx ends. A request without an intent passes: nothing is known of it.
//
// A node may be frozen between its intent and its request, or the request in a network that stands still; whoever took over has asked a person meanwhile
// what became of the action. A tool with an unsafe effect that checks first does not act behind their backs. What [tools.Host] runs is checked.
func (b *Bus) CheckIntent(ctx context.Context, r Request) error {
	if r.Intent == 0 {
		return nil
	}
	w := Where{Session: r.Session, Task: r.Task, Call: r.Parent}
	if err := errors.Join(w.Check(), required("parent", r.Parent)); err != nil {
		return fmt.Errorf("check intent: %w", err)
	}
	subject := LogSubject(b.o.Tenant, w.Session, w.Task, w.Call)
	for at, met := r.Intent, false; ; met = true {
		m, err := b.nextOf(ctx, subject, at)
		switch {
		case met && errors.Is(err, ErrNotFound):
			return nil
		case errors.Is(err, ErrNotFound):
			return fmt.Errorf("check intent: the log of %s has no record %d: %w", r.Parent, r.Intent, ErrFenced)
		case err != nil:
			return fmt.Errorf("check intent of %s: %w", r.Call, err)
		}
		rec, err := parseLog(m.Subject, m.Data)
		ours := err == nil && rec.Child == r.Call
		switch {
		case err != nil && !met, !met && (m.Sequence != r.Intent || rec.Kind != KindIntent || !ours):
			return fmt.Errorf("check intent: record %d of %s is not the intent of %s: %w", r.Intent, r.Parent, r.Call, ErrFenced)
		case err != nil: // no executor of ours goes by it
		case met && (rec.Kind == KindClaim || rec.Kind == KindResponse || ours && (rec.Kind == KindIntent || rec.Kind == KindAsk || rec.Kind == KindResult)):
			return fmt.Errorf("check intent: %s has gone on without %s (record %d, %s): %w", r.Parent, r.Call, m.Sequence, rec.Kind, ErrFenced)
		}
		at = m.Sequence + 1
	}
}

// nextOf is the first message of the log on subject that does not lie before from, by its leader's word. [ErrNotFound]: there is none.
func (b *Bus) nextOf(ctx context.Context, subject string, from uint64) (*jetstream.RawStreamMsg, error) {
	for n := 0; ; n++ {
		try, done := context.WithTimeout(ctx, b.attemptWithin(n))
		m, err := b.getRaw(try, LogStream, map[string]any{"seq": from, "next_by_subj": subject})
		done()
		if err == nil || errors.Is(err, ErrNotFound) || hopeless(err) {
			return m, err
		}
		if !b.again(ctx, n) {
			return nil, fmt.Errorf("%w (the last attempt: %w)", b.ended(ctx), err)
		}
	}
}
