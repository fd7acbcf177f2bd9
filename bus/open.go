package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// OpenTask is a task that a node works on, in the small index which is all that a takeover has to read. The log is the truth; the index
// only says where to look.
type OpenTask struct {
	Session string    `json:"session"`
	Task    string    `json:"task"`
	Agent   string    `json:"agent"`
	Node    string    `json:"node"`
	Waiting bool      `json:"waiting,omitempty"` // for a person; nobody works on it
	Expires time.Time `json:"expires,omitzero"`  // when it stops waiting
	Heard   uint64    `json:"heard,omitempty"`   // while it waits: the sequence of the newest input that its node had read when it noted so; 0: none
	Since   time.Time `json:"since"`
}

const openStream = "KV_" + OpenBucket

func (b *Bus) openKey(session, task string) string { return b.o.Tenant + "." + session + "." + task }

func openSubject(key string) string { return "$KV." + OpenBucket + "." + key }

// MarkOpen puts a task into the index or replaces what it says; Node and Since are filled in when empty. It does not ask whether
// somebody else marked it: the log decides who owns a task.
func (b *Bus) MarkOpen(ctx context.Context, t OpenTask) error {
	if err := errors.Join(required("session", t.Session), required("task", t.Task), optional("agent", t.Agent)); err != nil {
		return fmt.Errorf("mark open: %w", err)
	}
	t.Node = orElse(t.Node, b.o.Node)
	if t.Since.IsZero() {
		t.Since = time.Now().UTC()
	}
	body, err := encode(t)
	if err != nil {
		return fmt.Errorf("mark open: %w", err)
	}
	m := message(openSubject(b.openKey(t.Session, t.Task)), nuid.Next(), body) // a copy that is late must not take the place of what was marked since
	if _, err := b.publish(ctx, m, nil); err != nil {
		return fmt.Errorf("mark open %s: %w", t.Task, err)
	}
	return nil
}

// MarkWaiting marks a task as one that waits for a person, if the newest record of its root call is still the one at last: nobody works on what waits, so a
// node that was frozen must not say so of a task that another goes on with. [ErrFenced]: the log has gone on, whoever the mark names.
func (b *Bus) MarkWaiting(ctx context.Context, t OpenTask, last uint64) error {
	if err := errors.Join(required("session", t.Session), required("task", t.Task), optional("agent", t.Agent)); err != nil {
		return fmt.Errorf("mark waiting: %w", err)
	}
	t.Node, t.Waiting = b.o.Node, true
	body, err := encode(t)
	if err != nil {
		return fmt.Errorf("mark waiting: %w", err)
	}
	subject, call := openSubject(b.openKey(t.Session, t.Task)), LogSubject(b.o.Tenant, t.Session, t.Task, t.Task)
	for n := 0; ; n++ {
		mark, err := b.lastOf(ctx, openStream, subject) // before the log is asked, so that who takes over behind that is met by the swap
		revision := uint64(0)
		if err == nil {
			if revision = mark.Sequence; bytes.Equal(mark.Data, body) { // stored, and only the acknowledgement was lost
				return nil
			}
		} else if errors.Is(err, ErrNotFound) {
			err = nil
		}
		if err == nil {
			var m *jetstream.RawStreamMsg
			if m, err = b.lastOf(ctx, LogStream, call); errors.Is(err, ErrNotFound) || err == nil && m.Sequence != last {
				return fmt.Errorf("mark waiting %s: its log has gone on behind %d: %w", t.Task, last, ErrFenced)
			}
		}
		if err == nil {
			_, err = b.swap(ctx, subject, body, revision)
		}
		if err == nil {
			return nil
		}
		if hopeless(err) || !b.again(ctx, n) { // fenced too: the mark has changed since it was read
			return fmt.Errorf("mark waiting %s: %w", t.Task, err)
		}
	}
}

// Unmark takes a task out of the index; one that is not there is no error. A mark of deletion stays for a second.
func (b *Bus) Unmark(ctx context.Context, session, task string) error {
	if err := errors.Join(required("session", session), required("task", task)); err != nil {
		return fmt.Errorf("unmark: %w", err)
	}
	if _, err := b.publish(ctx, gone(openSubject(b.openKey(session, task)), "1s"), nil); err != nil {
		return fmt.Errorf("unmark %s: %w", task, err)
	}
	return nil
}

// gone writes over the entry of a bucket that it is no more, and leaves it to the server to sweep that away after ttl, in bulk. To purge one key costs
// 0.3 ms of processor, and four times that when an old entry stands before many that are gone; to delete one message is what a bucket denies. And a
// server that is killed may bring back what stood there before the purged one: that the newest takes its place is on the disk, that it left is not.
func gone(subject, ttl string) *nats.Msg {
	m := message(subject, "", nil)
	m.Header[kvOperation], m.Header[jetstream.MsgTTLHeader] = []string{"PURGE"}, []string{ttl}
	return m
}

// makeForgetful lets messages of a bucket end by themselves, which the bucket alone cannot be told.
func (b *Bus) makeForgetful(ctx context.Context, bucket string) error {
	s, err := b.js.Stream(ctx, "KV_"+bucket)
	if err != nil {
		return err
	}
	c := s.CachedInfo().Config
	if c.AllowMsgTTL {
		return nil
	}
	c.AllowMsgTTL = true
	s, err = b.js.UpdateStream(ctx, c)
	if err == nil && !s.CachedInfo().Config.AllowMsgTTL {
		err = fmt.Errorf("the server is too old, 2.11 or later is wanted; %w", errMisfit)
	}
	return err
}

// OpenTasks gives the tenant's index, in the order of the last marks.
func (b *Bus) OpenTasks(ctx context.Context) ([]OpenTask, error) {
	marks, err := b.openTasks(ctx)
	if err != nil {
		return nil, err
	}
	var all []OpenTask
	for _, m := range marks {
		all = append(all, m.OpenTask)
	}
	return all, nil
}

// openMark is an entry of the index and its place there.
type openMark struct {
	OpenTask
	marked uint64
}

func (b *Bus) openTasks(ctx context.Context) ([]openMark, error) {
	var all []openMark
	for m, err := range b.tail(ctx, openStream, []string{openSubject(b.o.Tenant + ".*.*")}, 0) {
		if err != nil {
			return nil, fmt.Errorf("open tasks: %w", err)
		}
		if m.caughtUp {
			return all, nil
		}
		if t, ok := parseOpen(m.msg.Subject(), m.msg.Data()); ok { // not a mark of deletion
			all = append(all, openMark{t, m.seq})
		}
	}
	if err := b.ended(ctx); err != nil {
		return nil, fmt.Errorf("open tasks: %w", err)
	}
	return nil, errors.New("open tasks: the list ended early")
}

// OpenTask gives one task of the index, and whether it is there.
func (b *Bus) OpenTask(ctx context.Context, session, task string) (OpenTask, bool, error) {
	if err := errors.Join(required("session", session), required("task", task)); err != nil {
		return OpenTask{}, false, fmt.Errorf("open task: %w", err)
	}
	m, err := b.lastOf(ctx, openStream, openSubject(b.openKey(session, task)))
	if errors.Is(err, ErrNotFound) {
		return OpenTask{}, false, nil
	}
	if err != nil {
		return OpenTask{}, false, fmt.Errorf("open task %s: %w", task, err)
	}
	t, ok := parseOpen(m.Subject, m.Data)
	return t, ok, nil
}

// parseOpen reads an entry; which task it is, the key says.
func parseOpen(subject string, body []byte) (OpenTask, bool) {
	var t OpenTask
	tokens := strings.Split(subject, ".")
	if len(tokens) != 5 || object(body, &t) != nil {
		return t, false
	}
	t.Session, t.Task = tokens[3], tokens[4]
	return t, true
}
