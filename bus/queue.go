package bus

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// MaxTries is how often a job may be taken without being accepted; then it is a dead letter, unless the log has its task.
const MaxTries = 10

// decideWithin is how long the taker of a job has to accept, put back, reject or hold it before another gets it: about as long as a lease, since who dies with a
// job in hand leaves it in no log and no index, where those who take over would find it.
const decideWithin = 3 * time.Second

// Receipt says under which ids a submission runs.
type Receipt struct{ Session, Task string }

// Submit puts s into the queue of an agent and returns once it is stored. Missing ids are given out. msgID, when not empty, makes
// a repeat harmless: the same msgID yields the same receipt, and within two minutes nothing new in the queue (later, the log of the
// task refuses the second start). [ErrBusy]: the queue is full, try later. [ErrBadName], [ErrTooLarge], [ErrVersion]: the submission
// is wrong. Any other trouble is tried again until ctx ends.
func (b *Bus) Submit(ctx context.Context, agent string, s Submission, msgID string) (Receipt, error) {
	if err := required("agent", agent); err != nil {
		return Receipt{}, fmt.Errorf("submit: %w", err)
	}
	id := nuid.Next()
	if msgID != "" {
		id = b.hash("submit", agent, msgID)
	}
	fresh := s.Session == ""
	s.Session, s.Task = orElse(s.Session, "s"+id), orElse(s.Task, "t"+id)
	s.HMAP = orElse(s.HMAP, Version)
	if err := s.check(); err != nil {
		return Receipt{}, fmt.Errorf("submit: %w", err)
	}
	body, err := encode(s)
	if err != nil {
		return Receipt{}, fmt.Errorf("submit: %w", err)
	}
	if err = b.Files().named(ctx, s.Files); err == nil {
		err = b.enqueue(ctx, agent, id, body, fresh)
	}
	if err != nil {
		return Receipt{}, fmt.Errorf("submit: %w", err)
	}
	return Receipt{s.Session, s.Task}, nil
}

func (b *Bus) enqueue(ctx context.Context, agent, id string, body []byte, fresh bool) error {
	if most := b.maxBody() - recordRoom; len(body) > most { // what is taken can be begun
		return tooLarge(len(body), most)
	}
	m := message(TaskSubject(b.o.Tenant, agent), id, body)
	if fresh {
		m.Header.Set(HeaderFresh, "1")
	}
	_, err := b.publish(ctx, m, func(err error) (uint64, error) {
		var api *jetstream.APIError
		if errors.As(err, &api) && api.ErrorCode == codeStoreFailed && strings.Contains(api.Description, "maximum messages") {
			return 0, ErrBusy
		}
		return 0, err
	})
	return err
}

// recordRoom is the most that a request record has besides what its submission says: ids, names, and a budget.
const recordRoom = 2 << 10

// codeStoreFailed carries the reason as text only.
const codeStoreFailed = jetstream.ErrorCode(10077)

// hash is a token that depends on the tenant and the parts alone.
func (b *Bus) hash(parts ...string) string {
	sum := sha256.Sum256([]byte(b.o.Tenant + "\x00" + strings.Join(parts, "\x00")))
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:15]))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// Work takes jobs for an agent from the queue that all nodes share: into slots it sends one value for each job it asks for, so at
// most cap(slots) jobs are in hand and none waits here for a slot; whoever ends a job receives one value from slots. Each loop needs
// slots of its own, for it holds one while the queue is empty.
//
// A job comes at least once: again when nobody decided within 3 s. What cannot be a submission, or was taken more than [MaxTries]
// times, goes to the dead letters by itself. It ends when ctx ends, the bus is closed, or the loop breaks; an error is the last
// thing it yields.
func (b *Bus) Work(ctx context.Context, agent string, slots chan struct{}) iter.Seq2[*Job, error] {
	return func(yield func(*Job, error) bool) {
		if err := required("agent", agent); err != nil {
			yield(nil, fmt.Errorf("work: %w", err))
			return
		}
		ctx, cancel := b.scope(ctx)
		defer cancel()
		w := worker{bus: b, agent: agent, slots: slots, yield: yield}
		for n := 0; ctx.Err() == nil; n++ {
			taken := w.taken
			err := w.take(ctx)
			if w.stopped || ctx.Err() != nil {
				return
			}
			if w.taken > taken {
				n = 0
			}
			b.log.Log(ctx, loudness(n), "bus: asking the queue anew", "agent", agent, "err", err)
			if !pause(ctx, n) {
				return
			}
		}
	}
}

// loudTries is how many attempts to read in a row bring nothing before that is no matter of a moment.
const loudTries = 4

// loudness is how attempt n to read is told of, when it failed: once as a warning, when it goes on and on.
func loudness(n int) slog.Level {
	if n == loudTries {
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

type worker struct {
	bus     *Bus
	agent   string
	slots   chan struct{}
	yield   func(*Job, error) bool
	asked   time.Time // when the request that what comes next answers was made, or before
	taken   int
	stopped bool
}

// take yields jobs from one subscription until it breaks or the connection was lost and is back.
func (w *worker) take(ctx context.Context) error {
	life, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(w.bus.up.wait(), cancel)()

	stream, err := w.bus.js.Stream(life, TaskStream)
	if err != nil {
		return err
	}
	// The stream's birth goes into the ids it gives out, so that a stream made anew does not give the same ones.
	epoch := strconv.FormatInt(stream.CachedInfo().Created.Unix(), 36)
	p, err := w.bus.pulls(life, TaskStream, jetstream.ConsumerConfig{
		Durable:       w.bus.o.Tenant + "=" + w.agent, // "=" is in no token, so no two pairs meet
		FilterSubject: TaskSubject(w.bus.o.Tenant, w.agent),
		AckPolicy:     jetstream.AckExplicitPolicy, AckWait: decideWithin, MaxDeliver: -1, MaxAckPending: 10_000,
	})
	if err != nil {
		return err
	}
	defer p.end()
	for {
		select {
		case w.slots <- struct{}{}:
		case <-life.Done():
			return life.Err()
		}
		w.asked = time.Now()
		m, err := p.take(life)
		if err != nil {
			<-w.slots
			return err
		}
		for waiting := w.hand(life, m, epoch); waiting > 0; {
			if waiting, err = w.burst(life, p, waiting, epoch); err != nil {
				return err
			}
		}
		if w.stopped {
			return nil
		}
	}
}

// hand hands on the job of m, which has a slot. It returns how many wait in the queue behind it, 0 when no more are wanted.
func (w *worker) hand(ctx context.Context, m *nats.Msg, epoch string) (waiting int) {
	w.taken++
	if meta, err := m.Metadata(); err == nil {
		waiting = int(min(meta.NumPending, pullBurst))
	}
	job, cause := w.bus.job(m, w.agent, epoch)
	job.asked = w.asked
	if cause == nil {
		w.stopped = !w.yield(job, nil)
	} else {
		if err := job.Reject(ctx, cause); err != nil {
			w.bus.log.Warn("bus: a job that cannot be worked on stays in the queue", "agent", w.agent, "seq", job.Seq, "err", err)
		}
		<-w.slots
	}
	if w.stopped {
		return 0
	}
	return waiting
}

// burst takes as many of the waiting jobs as there are free slots, and returns how many are left.
func (w *worker) burst(ctx context.Context, p *pull, waiting int, epoch string) (left int, err error) {
	free := 0
	for free < waiting && w.room() {
		free++
	}
	if free == 0 {
		return 0, nil
	}
	w.asked = time.Now()
	taken, err := p.takeWaiting(ctx, free, func(m *nats.Msg) bool {
		left = w.hand(ctx, m, epoch)
		return !w.stopped
	})
	for range free - taken {
		<-w.slots
		left = 0 // others took them
	}
	return left, err
}

// room takes a slot if one is free.
func (w *worker) room() bool {
	select {
	case w.slots <- struct{}{}:
		return true
	default:
		return false
	}
}

// job makes a job of a message; with an error it is one to be rejected.
func (b *Bus) job(m *nats.Msg, agent, epoch string) (*Job, error) {
	job := &Job{Agent: agent, bus: b, msg: delivery{b, m}, epoch: epoch}
	if meta, err := m.Metadata(); err == nil {
		job.Tries, job.Seq, job.stored = int(meta.NumDelivered), meta.Sequence.Stream, meta.Timestamp
	}
	s, err := ParseSubmission(m.Data)
	job.Submission = s
	if err != nil {
		if s.ReplyTo != "" && !ValidReply(s.ReplyTo) {
			job.Submission.ReplyTo = ""
		}
		if errors.Is(err, ErrVersion) {
			return job, &Error{Code: CodeUnsupported, Message: err.Error()}
		}
		return job, &Error{Code: CodeInvalidRequest, Message: err.Error()}
	}
	job.Fresh = s.Session == "" || m.Header.Get(HeaderFresh) != ""
	if err := job.named(); err != nil { // it may not have come by [Bus.Submit]
		b.log.Warn("bus: the files of a request are not marked as in use, and may be removed after a day", "seq", job.Seq, "err", err)
	}
	id := epoch + "-" + strconv.FormatUint(job.Seq, 10)
	job.Submission.Session, job.Submission.Task = orElse(s.Session, "s"+id), orElse(s.Task, "t"+id)
	if job.Tries > MaxTries && !job.begun(b.ctx) {
		return job, &Error{Code: CodePoison, Message: fmt.Sprintf("taken %d times, and nobody lived to decide", job.Tries-1)}
	}
	return job, nil
}

// asError is cause as it goes over the wire.
func asError(cause error) *Error {
	var e *Error
	if errors.As(cause, &e) {
		return e
	}
	return &Error{Code: CodeInternal, Message: cause.Error()}
}

// headerText fits any text into a header: one line of at most 1,000 bytes.
func headerText(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if len(s) > 1000 {
		s = strings.ToValidUTF8(s[:1000], "") + "…"
	}
	return s
}

// answer publishes a response on a subject that somebody else named.
func (b *Bus) answer(subject string, r Response) error {
	r.HMAP, r.Node = Version, b.o.Node
	body, err := encode(r)
	if err != nil {
		return err
	}
	if err := b.checkSize(body); err != nil {
		return err
	}
	return b.nc.PublishMsg(&nats.Msg{Subject: subject, Data: body, Header: nats.Header{HeaderVersion: {Version}}})
}
