package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Dead is a submission that could not be worked on.
type Dead struct {
	Seq   uint64 // its name among the dead letters
	Agent string
	Cause string // one line, at most 1,000 bytes
	Tries int    // deliveries, the last included
	Time  time.Time
	Bytes int    // of the whole body
	Body  []byte // as it was published; [Bus.DeadLetters] gives only its first 4 KiB
}

// deadExcerpt is how much of each body a list holds: thousands of letters of 1 MiB are more than a list is worth.
const deadExcerpt = 4 << 10

// DeadLetters gives the tenant's dead letters, oldest first. The stream keeps the newest 256 MiB over all tenants.
func (b *Bus) DeadLetters(ctx context.Context) ([]Dead, error) {
	var all []Dead
	for m, err := range b.tail(ctx, DeadStream, []string{DeadSubject(b.o.Tenant, "*")}, 0) {
		if err != nil {
			return nil, fmt.Errorf("dead letters: %w", err)
		}
		if m.caughtUp {
			return all, nil
		}
		d := dead(m.msg.Subject(), m.msg.Headers(), m.msg.Data(), m.seq, m.time)
		d.Body = append([]byte(nil), d.Body[:min(len(d.Body), deadExcerpt)]...)
		all = append(all, d)
	}
	return nil, fmt.Errorf("dead letters: %w", b.ended(ctx))
}

// DeadLetter gives one dead letter whole; [ErrNotFound] when the tenant has none of that number.
func (b *Bus) DeadLetter(ctx context.Context, seq uint64) (Dead, error) {
	m, err := b.deadMessage(ctx, seq)
	if err != nil {
		return Dead{}, fmt.Errorf("dead letter %d: %w", seq, err)
	}
	return dead(m.Subject, m.Header, m.Data, m.Sequence, m.Time), nil
}

// OnDead tells of every submission to an agent that becomes a dead letter from now on, until stop: under which ids it would have run, as far as it was
// given any, and why it does not. Unlike the letters themselves that is no record: who is not connected misses it.
func (b *Bus) OnDead(agent string, each func(Receipt, *Error)) (stop func() error, err error) {
	sub, err := b.nc.Subscribe(DeadSubject(b.o.Tenant, agent), func(m *nats.Msg) {
		var s Submission
		if json.Unmarshal(m.Data, &s) == nil && ValidToken(s.Session) && ValidToken(s.Task) {
			code := m.Header.Get(HeaderCode)
			each(Receipt{s.Session, s.Task}, &Error{Code: orElse(code, CodeInternal), Message: strings.TrimPrefix(m.Header.Get(HeaderCause), code+": ")})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("dead letters of %s: %w", agent, err)
	}
	return sub.Unsubscribe, nil
}

func (b *Bus) deadMessage(ctx context.Context, seq uint64) (*jetstream.RawStreamMsg, error) {
	if seq == 0 {
		return nil, ErrNotFound
	}
	m, err := b.getRaw(ctx, DeadStream, map[string]any{"seq": seq})
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(m.Subject, DeadSubject(b.o.Tenant, "")) {
		return nil, ErrNotFound
	}
	return m, nil
}

// Resend puts a dead letter into the queue of its agent again, with body if that is not nil, and takes it from the dead letters.
// A repeat after a failure in between does not submit the same body twice; another body is another submission. [ErrBusy] as in [Bus.Submit]; [ErrNotFound].
func (b *Bus) Resend(ctx context.Context, seq uint64, body []byte) error {
	m, err := b.deadMessage(ctx, seq)
	if err != nil {
		return fmt.Errorf("resend dead letter %d: %w", seq, err)
	}
	if body == nil {
		body = m.Data
	}
	agent := strings.TrimPrefix(m.Subject, DeadSubject(b.o.Tenant, ""))
	if err := b.resend(ctx, agent, m, body); err != nil {
		return fmt.Errorf("resend dead letter %d: %w", seq, err)
	}
	if err := b.Unbury(ctx, seq); err != nil {
		return fmt.Errorf("dead letter %d was sent again, but is still there: %w", seq, err)
	}
	return nil
}

// resend puts the body of a dead letter, or another one for it, into the queue of an agent, the same one once.
func (b *Bus) resend(ctx context.Context, agent string, m *jetstream.RawStreamMsg, body []byte) error {
	return b.enqueue(ctx, agent, b.hash("resend", strconv.FormatUint(m.Sequence, 10), m.Time.Format(time.RFC3339Nano), string(body)), body, false)
}

func dead(subject string, h nats.Header, body []byte, seq uint64, at time.Time) Dead {
	tries, _ := strconv.Atoi(h.Get(HeaderTries)) // 0: a foreign publisher did not say
	return Dead{Seq: seq, Agent: subject[strings.LastIndexByte(subject, '.')+1:], Cause: h.Get(HeaderCause), Tries: tries, Time: at, Bytes: len(body), Body: body}
}
