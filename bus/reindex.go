package bus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The index of open tasks is derived from the log, so an embedded server need not write it to disk before it acknowledges a mark: that saves three of the
// twelve syncs of a task. What a kill takes from the end of the index, some milliseconds, is found again in the log at the next start, and only its end has to
// be read: everything behind a place of the log whose marks have long been written. A power cut may take more, so then all of the log is read.
const (
	// NoteWithin bounds the time from a task's first record to its mark in the index; who has not marked it by then gives it back.
	NoteWithin = 2 * time.Minute
	// indexedAfter is when what was in the log is in the index and written: that, and the time between two notes.
	indexedAfter = NoteWithin + 2*noteEvery*watchEvery
)

// boot tells one run of the machine from another; "" where the system does not say.
func boot() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// horizon finds how far the index that was written surely follows the log. The zero horizon knows nothing.
type horizon struct {
	sure  uint64 // up to this sequence of the log
	torn  bool   // the index may have lost marks since: sure stays until it is held against the log
	stood []stood
}

// stood is where the log ended at a time.
type stood struct {
	last uint64
	at   time.Time // monotonic, so that no clock that jumps shortens it
}

// note takes in that the log ends at last now.
func (h *horizon) note(last uint64, now time.Time) {
	if h.torn {
		return
	}
	h.stood = append(h.stood, stood{last, now})
	for len(h.stood) > 0 && now.Sub(h.stood[0].at) >= indexedAfter {
		h.sure = max(h.sure, h.stood[0].last)
		h.stood = h.stood[1:]
	}
}

// makeOpen makes the bucket of open tasks on an embedded server, which may write it later than it acknowledges. (A [jetstream.KeyValueConfig] cannot say so.)
// One that is there stays as it is: the server does not let that be changed.
func (b *Bus) makeOpen(ctx context.Context, want jetstream.KeyValueConfig) error {
	_, err := b.js.CreateStream(ctx, jetstream.StreamConfig{
		Name: openStream, Description: want.Description, Subjects: []string{"$KV." + want.Bucket + ".>"}, Replicas: want.Replicas,
		MaxMsgsPerSubject: 1, MaxMsgs: -1, MaxBytes: -1, MaxMsgSize: -1, MaxConsumers: -1, Discard: jetstream.DiscardNew, Duplicates: dedup,
		AllowRollup: true, DenyDelete: true, AllowDirect: true, AllowMsgTTL: true, PersistMode: jetstream.AsyncPersistMode,
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return nil
	}
	return err
}

// reindex holds the index of open tasks against the log behind after, 0 for all of it, for all tenants: it puts in the tasks that have not ended and are
// not there, and lets go on those that have records newer than the mark which says that they wait for a person. Which of them do wait is found out by
// whoever takes them over.
func (b *Bus) reindex(ctx context.Context, after uint64) error {
	all, _, err := readChains(ctx, b.js, after)
	if err != nil {
		return fmt.Errorf("index of open tasks: %w", err)
	}
	missing := 0
	for subject, s := range all {
		tenant, w, ok := place(subject)
		if s.ended || !ok || w.Call != w.Task {
			continue
		}
		found, err := b.reopen(ctx, subject, openSubject(tenant+"."+w.Session+"."+w.Task), w)
		if err != nil {
			return fmt.Errorf("index of open tasks: %w", err)
		}
		if found {
			missing++
		}
	}
	if missing > 0 {
		b.log.Warn("bus: the index of open tasks lacked some; found again in the log", "tasks", missing)
	}
	return nil
}

// reopen marks a task as open that has records at subject of the log, unless it is marked; added: it was not.
func (b *Bus) reopen(ctx context.Context, subject, key string, w Where) (added bool, err error) {
	mark, err := b.lastOf(ctx, openStream, key)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	there := err == nil
	if there {
		if was, ok := parseOpen(mark.Subject, mark.Data); ok && !was.Waiting {
			return false, nil
		}
	}
	m, err := b.lastOf(ctx, LogStream, subject)
	if errors.Is(err, ErrNotFound) { // its session was removed meanwhile
		return false, nil
	}
	if err != nil || there && !m.Time.After(mark.Time) {
		return false, err
	}
	rec, err := parseLog(m.Subject, m.Data)
	if err != nil || rec.Agent == "" || rec.Kind == KindResponse {
		if err != nil || rec.Agent == "" { // no executor of ours wrote that
			b.log.Warn("bus: a task may be open, and nobody can tell whose it is", "session", w.Session, "task", w.Task, "record", m.Sequence)
		}
		return false, nil
	}
	body, err := encode(OpenTask{Session: w.Session, Task: w.Task, Agent: rec.Agent, Node: rec.Node, Since: rec.Time})
	if err != nil {
		return false, err
	}
	revision := uint64(0)
	if there {
		revision = mark.Sequence
	}
	if _, err = b.swap(ctx, key, body, revision); errors.Is(err, ErrFenced) { // a node over the network has seen to it meanwhile
		return false, nil
	}
	return err == nil, err
}

func (b *Bus) putOpen(ctx context.Context, key string, body []byte) error {
	m := nats.NewMsg(key)
	m.Data = body
	_, err := b.publish(ctx, m, nil)
	return err
}
