package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Session is a conversation as a list shows it.
type Session struct {
	ID      string    `json:"session"`
	Title   string    `json:"title"` // first line of the first request, at most 80 characters
	First   time.Time `json:"first"` // when its first task began
	Last    time.Time `json:"last"`  // when something last happened in it, as far as the snapshot knows
	Tasks   int       `json:"tasks"` // how many tasks it has had
	Running int       `json:"running,omitempty"`
	Waiting int       `json:"waiting,omitempty"` // tasks that wait for a person
}

// Snapshot is a session folded up to a place in the log, so that a list, the next task and the retention need not read the session. It is a
// cache: the log is the truth, and whoever finds a snapshot missing, damaged or behind reads on from Seq and keeps a better one.
type Snapshot struct {
	Session
	// Format is filled in by [Bus.KeepSnapshot].
	Format int `json:"format"`
	// Seq: every record of the session up to here is in it. 0: none is in Memory, and only the head above can be used.
	Seq uint64 `json:"seq"`
	// Memory is what agents remember of the session; whoever folds it knows its form.
	Memory json.RawMessage `json:"memory,omitempty"`
	// Revision is the place of the snapshot itself, or of what says that it was removed, to be given back to [Bus.KeepSnapshot]; 0: there is neither.
	Revision uint64 `json:"-"`
}

// snapshotFormat is the format of the entries. One of another format is taken for a missing one, and replaced.
const snapshotFormat = 1

const (
	sessionsStream = "KV_" + SessionsBucket
	titleLength    = 80 // characters
)

// Keys of the bucket: <tenant>.<session> for snapshots, <tenant>.<session>.removal while a session is being removed, and <tenant> for
// what the sweeper knows.
func (b *Bus) sessionSubject(session string) string {
	return "$KV." + SessionsBucket + "." + b.o.Tenant + "." + session
}

// Snapshot gives what is kept of a session. None, or a damaged one: an empty one and no error. Of a session that is being removed Seq is
// the place up to which its records do not count any more. It may come from a replica that lags; KeepSnapshot finds that out.
func (b *Bus) Snapshot(ctx context.Context, session string) (Snapshot, error) {
	if err := required("session", session); err != nil {
		return Snapshot{}, fmt.Errorf("snapshot: %w", err)
	}
	got, err := b.snapshot(ctx, session)
	if err != nil {
		return Snapshot{}, fmt.Errorf("snapshot of %s: %w", session, err)
	}
	return got, nil
}

func (b *Bus) snapshot(ctx context.Context, session string) (Snapshot, error) {
	m, revision, err := b.directMsg(ctx, sessionsStream, b.sessionSubject(session))
	if errors.Is(err, ErrNotFound) || err == nil && len(m.Data) == 0 { // there is none, or something that says so
		none := Snapshot{Session: Session{ID: session}, Revision: revision}
		if err == nil { // the mark of the removal goes before this does, and a replica of the log may still have what it removed
			none.Seq, _ = strconv.ParseUint(m.Header.Get(HeaderRemoved), 10, 64)
		}
		removed, _, err := b.removal(ctx, session)
		none.Seq = max(none.Seq, removed.Seq)
		return none, err
	}
	if err != nil {
		return Snapshot{}, err
	}
	got, ok := parseSnapshot(m.Data)
	if !ok {
		b.log.Warn("bus: the snapshot of a session cannot be read; its log is", "session", session)
		got = Snapshot{}
	}
	got.ID, got.Revision = session, revision
	return got, nil
}

func parseSnapshot(body []byte) (Snapshot, bool) {
	var s Snapshot
	if object(body, &s) != nil || s.Format != snapshotFormat || s.Tasks < 0 {
		return Snapshot{}, false
	}
	s.Running, s.Waiting = 0, 0 // the index of open tasks says that
	return s, true
}

// KeepSnapshot stores s if what is kept is still of s.Revision, and fills in the new revision; [ErrFenced] when it is not: take the
// snapshot anew and read on from there. [ErrTooLarge]: nothing was sent.
func (b *Bus) KeepSnapshot(ctx context.Context, s *Snapshot) error {
	if err := required("session", s.ID); err != nil {
		return fmt.Errorf("keep snapshot: %w", err)
	}
	kept := *s
	kept.Format, kept.Title, kept.Running, kept.Waiting = snapshotFormat, title(s.Title), 0, 0
	body, err := encode(kept)
	if err == nil {
		err = b.checkSize(body)
	}
	if err == nil {
		var at uint64
		if at, err = b.swap(ctx, b.sessionSubject(s.ID), body, s.Revision); err == nil {
			s.Revision = at
		}
	}
	if err != nil {
		return fmt.Errorf("keep snapshot of %s: %w", s.ID, err)
	}
	return nil
}

// swap puts a value into a bucket if the key is still at revision (0: not there). A repeat after a lost acknowledgement may be told
// [ErrFenced] although it was stored, so what is swapped must be good to be written twice.
func (b *Bus) swap(ctx context.Context, subject string, body []byte, revision uint64) (uint64, error) {
	m := message(subject, "", body)
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10))
	return b.swapMsg(ctx, m)
}

func (b *Bus) swapMsg(ctx context.Context, m *nats.Msg) (uint64, error) {
	m.Header.Del(jetstream.MsgIDHeader)
	return b.publish(ctx, m, func(err error) (uint64, error) {
		if c := code(err); c == jetstream.JSErrCodeStreamWrongLastSequence || c == jetstream.JSErrCodeStreamWrongLastSequenceConstant {
			return 0, ErrFenced
		}
		return 0, err
	})
}

// directLast reads the last message of a subject from any replica, in one request. ErrNotFound when there is none.
func (b *Bus) directLast(ctx context.Context, stream, subject string) (body []byte, seq uint64, err error) {
	m, seq, err := b.directMsg(ctx, stream, subject)
	if err != nil {
		return nil, 0, err
	}
	return m.Data, seq, nil
}

// directMsg is [Bus.directLast] with the headers.
func (b *Bus) directMsg(ctx context.Context, stream, subject string) (m *nats.Msg, seq uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, apiTimeout)
	defer cancel()
	m, err = b.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+stream+"."+subject, nil)
	if err != nil {
		return nil, 0, err
	}
	switch status := m.Header.Get("Status"); status {
	case "":
	case "404":
		return nil, 0, ErrNotFound
	default:
		return nil, 0, fmt.Errorf("get from %s: %s %s", stream, status, m.Header.Get("Description"))
	}
	if seq, err = strconv.ParseUint(m.Header.Get(jetstream.SequenceHeader), 10, 64); err != nil {
		return nil, 0, fmt.Errorf("get from %s: the answer has no sequence", stream)
	}
	return m, seq, nil
}

// title is the first line of a request, cut.
func title(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text); len(r) > titleLength {
		return string(r[:titleLength-1]) + "…"
	}
	return text
}

// MaxSessions is the most sessions that one [Bus.Sessions] gives.
const MaxSessions = 1000

// Sessions lists the tenant's sessions, at most limit (1 to [MaxSessions]): first those with a task that has not ended, then the others, newest first. before
// is 0 for the beginning of the list, or the next that the page before gave; next is 0 after the last page. It reads the index of open tasks and
// snapshots, never the log, and about as many snapshots as it gives; a session changed between two pages may be in both or in neither.
func (b *Bus) Sessions(ctx context.Context, before uint64, limit int) (list []Session, next uint64, err error) {
	list, next, err = b.sessions(ctx, before, min(max(limit, 1), MaxSessions))
	if err != nil {
		return nil, 0, fmt.Errorf("sessions: %w", err)
	}
	return list, next, nil
}

// openPage and above are the places in a list that lie among the sessions with open tasks: the mark of the last one given, on top of this. Below it
// are revisions of snapshots. A browser counts to 1<<53.
const openPage = uint64(1) << 52

func (b *Bus) sessions(ctx context.Context, before uint64, limit int) (list []Session, next uint64, err error) {
	open, err := b.openSessions(ctx)
	if err != nil {
		return nil, 0, err
	}
	isOpen := map[string]bool{}
	for _, o := range open {
		isOpen[o.ID] = true
	}
	if before == 0 || before > openPage {
		for _, o := range open {
			switch {
			case before > 0 && o.marked >= before-openPage: // it was on a page before
				continue
			case len(list) == limit:
				return list, openPage + next, nil
			}
			if err := b.describe(ctx, &o.Session); err != nil {
				return nil, 0, err
			}
			list, next = append(list, o.Session), o.marked
		}
		s, err := b.js.Stream(ctx, sessionsStream)
		if err != nil {
			return nil, 0, err
		}
		before = s.CachedInfo().State.LastSeq + 1
	}
	// The bucket keeps one entry a session, in the order in which they were written. It can only be read forwards, so it is read
	// in windows that go back, each wider than the one before because replaced entries leave gaps.
	for width := uint64(2 * limit); len(list) < limit && before > 1; width *= 4 {
		from := before - min(width, before-1)
		window, err := b.snapshots(ctx, from, before)
		if err != nil {
			return nil, 0, err
		}
		before = from
		for _, s := range slices.Backward(window) {
			if isOpen[s.ID] {
				continue
			}
			if len(list) == limit {
				before = s.Revision + 1
				break
			}
			list = append(list, s.Session)
		}
	}
	if before <= 1 {
		before = 0
	}
	return list, before, nil
}

// snapshots reads the snapshots with revisions from (at least 1) to below to, without Memory, oldest first.
func (b *Bus) snapshots(ctx context.Context, from, to uint64) ([]Snapshot, error) {
	var all []Snapshot
	for m, err := range b.tail(ctx, sessionsStream, []string{b.sessionSubject("*")}, from-1) {
		if err != nil {
			return nil, err
		}
		if m.caughtUp || m.seq >= to {
			return all, nil
		}
		s, ok := parseSnapshot(m.msg.Data())
		if t := strings.Split(m.msg.Subject(), "."); ok && len(t) == 4 {
			s.ID, s.Revision, s.Memory = t[3], m.seq, nil
			all = append(all, s)
		}
	}
	if err := b.ended(ctx); err != nil {
		return nil, err
	}
	return nil, errors.New("the list ended early")
}

// openSession is a session with tasks that have not ended, and the place of the newest mark of one in the index.
type openSession struct {
	Session
	marked uint64
}

// openSessions gives the sessions with tasks that have not ended, the one marked last first.
func (b *Bus) openSessions(ctx context.Context) ([]openSession, error) {
	tasks, err := b.openTasks(ctx)
	if err != nil {
		return nil, err
	}
	var open []openSession
	at := map[string]int{}
	for _, t := range slices.Backward(tasks) {
		i, seen := at[t.Session]
		if !seen {
			i = len(open)
			at[t.Session], open = i, append(open, openSession{Session{ID: t.Session}, t.marked})
		}
		s := &open[i]
		if t.Waiting {
			s.Waiting++
		} else {
			s.Running++
		}
		if s.Last.Before(t.Since) {
			s.Last = t.Since
		}
	}
	return open, nil
}

// describe fills in what the snapshot of a session says, or the log of its first task when there is none yet.
func (b *Bus) describe(ctx context.Context, s *Session) error {
	got, err := b.snapshot(ctx, s.ID)
	if err != nil {
		return err
	}
	if got.Tasks == 0 {
		if got.Session, err = b.head(ctx, s.ID, got.Seq+1); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		got.Tasks = s.Running + s.Waiting
	}
	s.Title, s.First, s.Tasks = got.Title, got.First, got.Tasks
	if s.Last.Before(got.Last) {
		s.Last = got.Last
	}
	return nil
}

// head is the beginning of a session from sequence from on, by the first record there is. ErrNotFound when there is none.
func (b *Bus) head(ctx context.Context, session string, from uint64) (Session, error) {
	m, err := b.getRaw(ctx, LogStream, map[string]any{"seq": from, "next_by_subj": LogSubject(b.o.Tenant, session, "*", "*")})
	if err != nil {
		return Session{}, err
	}
	s := Session{ID: session, First: m.Time, Last: m.Time}
	if rec, err := parseLog(m.Subject, m.Data); err == nil && rec.Request != nil {
		s.Title, s.First = title(rec.Request.JobDesc), rec.Time
	}
	return s, nil
}
