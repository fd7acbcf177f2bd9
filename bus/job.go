package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Job is a submission taken from the queue. Its taker decides within 3 s by one of Accept, Retry and Reject, or says Hold; else another gets it.
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
	asked  time.Time // before the server sent it, by ours
}

// held is how long ago the job can have been sent here at most: not before the queue had it, nor before somebody asked.
func (j *Job) held() time.Duration {
	now := time.Now()
	held := max(now.Sub(j.asked), now.Round(0).Sub(j.asked.Round(0))) // a clock that stands still while a machine is paused, and one that may be set
	if age := now.Sub(j.stored); age > -time.Second {
		held = min(held, age)
	}
	return held
}

func (j *Job) named() error {
	ctx, cancel := context.WithTimeout(j.bus.ctx, decideWithin)
	defer cancel()
	defer time.AfterFunc(decideWithin/2, func() { _ = j.Hold() }).Stop()
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
// the task is stored, at begun, and nothing is done yet: from then on a removal leaves the task alone. An error: it is not known, or somebody else has
// gone on with the task meanwhile ([ErrFenced]), and the job is to be put back.
func (j *Job) Removed(ctx context.Context, begun uint64) (bool, error) {
	// Nobody else can have had a job that is taken for the first time, and for less than the time to decide, even if this node stood still meanwhile.
	if j.Tries < 2 && j.held() < decideWithin/3 {
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
		err = j.takeBack(ctx, begun)
	}
	if err != nil {
		return false, fmt.Errorf("was task %s removed: %w", j.Submission.Task, err)
	}
	return removed, nil
}

// takeBack takes the task's one record out of the log, and the job out of the queue. Whoever slept while it began may find that others have claimed the
// task since and taken the job out: then the log is theirs.
func (j *Job) takeBack(ctx context.Context, begun uint64) error {
	s := j.Submission
	subject := LogSubject(j.bus.o.Tenant, s.Session, s.Task, s.Task)
	last, err := j.bus.lastOf(ctx, LogStream, subject)
	switch {
	case errors.Is(err, ErrNotFound): // removed again
	case err != nil:
		return err
	case last.Sequence != begun:
		return fmt.Errorf("its last record is %d, not %d: %w", last.Sequence, begun, ErrFenced)
	default:
		if err := j.bus.purge(ctx, LogStream, subject, begun); err != nil {
			return err
		}
	}
	return j.Accept()
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

// Hold asks for another 3 s to decide. It may be said again and again; if the word is lost the job comes to somebody else too.
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
	m.Header.Set(HeaderCode, headerText(asError(cause).Code))
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
