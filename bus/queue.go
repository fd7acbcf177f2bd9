package bus

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// MaxTries is how often a job may be taken without being accepted; then it is a dead letter, unless the log has its task.
const MaxTries = 10

// decideWithin is how long the taker of a job has to accept, put back or reject it before another gets it.
const decideWithin = 15 * time.Second

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
	if err := b.checkSize(body); err != nil {
		return err
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

// Job is a submission taken from the queue. Its taker decides within 15 s by one of Accept, Retry and Reject, or another gets it.
type Job struct {
	Submission Submission // with Session and Task always filled
	Agent      string
	Tries      int    // how often it was taken, this time included
	Seq        uint64 // its place in the task stream; not a place in the log
	// Fresh: the session was made for this task, so there is nothing in it before. Whoever submits a task in a session that there
	// is, and says so nonetheless, only has it forget what was before.
	Fresh bool

	bus    *Bus
	msg    delivery
	epoch  string    // of the stream
	stored time.Time // when the queue had it, by the server's clock
}

// Work takes jobs for an agent from the queue that all nodes share: into slots it sends one value before it asks for a job, so at
// most cap(slots) jobs are in hand and none waits here for a slot; whoever ends a job receives one value from slots. Each loop needs
// slots of its own, for it holds one while the queue is empty.
//
// A job comes at least once: again when nobody decided within 15 s. What cannot be a submission, or was taken more than [MaxTries]
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
		m, err := p.take(life)
		if err != nil {
			<-w.slots
			return err
		}
		w.taken++
		job, cause := w.bus.job(m, w.agent, epoch)
		if cause != nil {
			if err := job.Reject(life, cause); err != nil {
				w.bus.log.Warn("bus: a job that cannot be worked on stays in the queue", "agent", w.agent, "seq", job.Seq, "err", err)
			}
			<-w.slots
			continue
		}
		if !w.yield(job, nil) {
			w.stopped = true
			return nil
		}
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

func (j *Job) named() error {
	ctx, cancel := context.WithTimeout(j.bus.ctx, apiTimeout)
	defer cancel()
	return j.bus.Files().named(ctx, j.Submission.Files)
}

// begun reports whether the log has the task, or may have it. Then whoever takes the job decides by the log, however often it came: a
// dead letter would leave a task without an end.
func (j *Job) begun(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	s := j.Submission
	_, err := j.bus.Last(ctx, Where{Session: s.Session, Task: s.Task, Call: s.Task})
	if !errors.Is(err, ErrNotFound) {
		return true
	}
	removed, err := j.removed(ctx)
	return removed || err != nil
}

// Removed reports whether the job's task was carried out before and removed with its session since, which its taker cannot see in the log. Then
// the job is taken out of the queue, and what has been begun of the task is taken back. It is to be asked when the first record of
// the task is stored and nothing is done yet: from then on a removal leaves the task alone. An error: it is not known, and the job is to be put back.
func (j *Job) Removed(ctx context.Context) (bool, error) {
	// Nobody else can have had a job that is taken for the first time and younger than the time to decide, even if this node stood still meanwhile.
	if age := time.Since(j.stored); j.Tries < 2 && age > -time.Second && age < decideWithin/3 {
		return false, nil
	}
	// Who sleeps over his time finds the job gone; whose word of acceptance was lost finds the mark, which stays while the queue has the job.
	_, err := j.bus.getRaw(ctx, TaskStream, map[string]any{"seq": j.Seq})
	removed := errors.Is(err, ErrNotFound)
	if err == nil {
		removed, err = j.removed(ctx)
	} else if removed {
		err = nil
	}
	if err == nil && removed {
		s := j.Submission
		if err = j.bus.purge(ctx, LogStream, LogSubject(j.bus.o.Tenant, s.Session, s.Task, s.Task), 0); err == nil {
			err = j.Accept()
		}
	}
	if err != nil {
		return false, fmt.Errorf("was task %s removed: %w", j.Submission.Task, err)
	}
	return removed, nil
}

// removed asks the leader for the mark of removal, which was there before the log was cleared and stays while the queue has the job.
func (j *Job) removed(ctx context.Context) (bool, error) {
	m, err := j.bus.lastOf(ctx, sessionsStream, j.bus.removalSubject(j.Submission.Session))
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	r, _ := parseRemoval(m.Data)
	return j.Seq <= r.Queue && slices.Contains(r.Tasks, j.Submission.Task), nil
}

// Accept takes the job out of the queue; from here the log owns the task. It does not wait for the server: if the word is lost the job
// comes again, here or elsewhere, and is found in the log.
func (j *Job) Accept() error {
	if err := j.msg.ack(); err != nil {
		return fmt.Errorf("accept job %d: %w", j.Seq, err)
	}
	return nil
}

// Hold asks for another 15 s to decide. It may be said again and again; if the word is lost the job comes to somebody else too.
func (j *Job) Hold() error { return j.msg.say("+WPI") }

// Retry puts the job back, to be offered again after delay. After [MaxTries] it becomes a dead letter instead, with cause, unless the
// log has the task.
func (j *Job) Retry(delay time.Duration, cause error) error {
	if j.Tries >= MaxTries && !j.begun(j.bus.ctx) {
		ctx, cancel := context.WithTimeout(j.bus.ctx, decideWithin)
		defer cancel()
		return j.Reject(ctx, cause)
	}
	if err := j.msg.nak(delay); err != nil {
		return fmt.Errorf("put back job %d: %w", j.Seq, err)
	}
	return nil
}

// Reject moves the job to the dead letters, body unchanged, and tells whoever waits on its reply_to. A cause that is an [*Error] keeps
// its code; any other is told as internal. It returns when both streams have confirmed. After an error (ctx ended) it is repeated
// when the job comes again; it is never in neither stream.
func (j *Job) Reject(ctx context.Context, cause error) error {
	if cause == nil {
		cause = errors.New("no cause given")
	}
	m := message(DeadSubject(j.bus.o.Tenant, j.Agent), j.bus.hash("dead", j.epoch, strconv.FormatUint(j.Seq, 10)), j.msg.msg.Data)
	m.Header.Set(HeaderCause, headerText(cause.Error()))
	m.Header.Set(HeaderTries, strconv.Itoa(j.Tries))
	// A body that filled a message to the brim has no room for our headers. Its end goes, and the cause says so.
	if most := j.bus.maxBody(); len(m.Data) > most {
		m.Header.Set(HeaderCause, headerText(fmt.Sprintf("(%d bytes, cut to %d) %v", len(m.Data), most, cause)))
		m.Data = m.Data[:most]
	}
	if _, err := j.bus.publish(ctx, m, nil); err != nil {
		return fmt.Errorf("reject job %d: %w", j.Seq, err)
	}
	if err := j.msg.acked(ctx); err != nil {
		return fmt.Errorf("reject job %d: %w", j.Seq, err)
	}
	j.bus.log.Info("bus: dead letter", "agent", j.Agent, "seq", j.Seq, "tries", j.Tries, "cause", cause)
	if to := j.Submission.ReplyTo; to != "" {
		return j.bus.answer(to, Response{Call: j.Submission.Task, Status: Failed, Error: asError(cause)})
	}
	return nil
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
