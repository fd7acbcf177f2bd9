package bus

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// damage is what a data folder lacks of what it had.
type damage struct {
	dir     string
	missing []string // sentences about streams
	lost    []string // sentences about what is lost and no damage
	calls   chains   // of the log as it is; nil when it was not read
	strays  []stray  // what else tells of that the log has lost whole; read with calls
	gaps    []uint64 // of all calls, those that were accepted before among them
	gap     uint64   // the last sequence that the log should have and has not
	touched bool     // a server has opened the files
}

func (d *damage) found() bool {
	if len(d.missing) > 0 {
		return true
	}
	for _, s := range d.calls {
		if len(s.gaps) > 0 {
			return true
		}
	}
	return false
}

// hurt are the subjects of the calls that lack records, or may lack their last ones, in order.
func (d *damage) hurt() []string {
	var all []string
	for _, subject := range slices.Sorted(maps.Keys(d.calls)) {
		if s := d.calls[subject]; len(s.gaps) > 0 || !s.ended && s.last < d.gap {
			all = append(all, subject)
		}
	}
	return all
}

// shown is how many sessions are named at most.
const shown = 20

// Error says what is damaged and what the way out is.
func (d *damage) Error() string {
	what := slices.Clone(d.missing)
	if sessions := d.sessions(); len(sessions) > 0 {
		what = append(what, "records are missing, or may be, in "+strings.Join(sessions, ", "))
	}
	nothing := "nothing was changed, and so it is not known yet which sessions lack records"
	if d.touched {
		nothing = "what is left of it can still be read"
	}
	return fmt.Sprintf("the data in %s is damaged: %s; %s. Make a copy of the folder first (cp -a), and put a backup in its place if there is one. "+
		"To go on with what is left, start with --accept-damage: tasks that lack records end with an error, all others go on",
		d.dir, strings.Join(what, "; "), nothing)
}

// Unwrap makes it an [ErrDamaged].
func (d *damage) Unwrap() error { return ErrDamaged }

// sessions are the damaged ones with their tasks, at most shown, and then how many more there are.
func (d *damage) sessions() []string {
	tasks := map[string][]string{}
	for _, subject := range d.hurt() {
		if _, w, ok := place(subject); ok && !slices.Contains(tasks[w.Session], w.Task) {
			tasks[w.Session] = append(tasks[w.Session], w.Task)
		}
	}
	for _, s := range d.strays {
		switch {
		case s.where.Task == "":
			tasks[s.where.Session] = []string{"all of it"}
		case !slices.Contains(tasks[s.where.Session], s.where.Task):
			tasks[s.where.Session] = append(tasks[s.where.Session], s.where.Task)
		}
	}
	var all []string
	for _, session := range slices.Sorted(maps.Keys(tasks)) {
		all = append(all, fmt.Sprintf("session %s (%s)", session, strings.Join(tasks[session], ", ")))
	}
	if n := len(all); n > shown {
		all = append(all[:shown], fmt.Sprintf("and %d more", n-shown))
	}
	return all
}

func notAsLeft(streams []string) []string {
	var all []string
	for _, stream := range streams {
		all = append(all, "files of "+stream+" are gone or not as hmap left them")
	}
	return all
}

// inspect holds what the server recovered against the seal. was: nil when nothing is known about the folder; then, and when all must be
// known, the log is read.
func (s *Server) inspect(was *seal, changed []string, all bool) (*damage, error) {
	now, err := standing(s.nats)
	if err != nil {
		return nil, err
	}
	d := &damage{dir: s.dir, missing: notAsLeft(changed), touched: true}
	var than differences
	if was != nil {
		than = was.compare(now)
		d.missing, d.lost = append(d.missing, than.missing...), than.lost
		if now[openStream].Last < was.Streams[openStream].Last {
			s.index.sure = 0
		}
	}
	if s.index.sure > now[LogStream].Last { // its sequences are given anew
		s.index.sure = 0
	}
	s.reindex = s.index.sure < now[LogStream].Last
	if was != nil && !all && !than.doubtful {
		return d, nil
	}
	nc, err := nats.Connect("", nats.InProcessServer(s.nats), nats.Token(s.token))
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), readWithin)
	defer cancel()
	var gap uint64
	if d.calls, gap, err = readChains(ctx, js, 0); err != nil {
		return nil, err
	}
	if d.strays, err = readStrays(ctx, js, d.calls); err != nil {
		return nil, err
	}
	lacking := false
	for subject, c := range d.calls {
		d.gaps = append(d.gaps, c.gaps...)
		c.gaps = slices.DeleteFunc(slices.Clone(c.gaps), func(seq uint64) bool { return was != nil && slices.Contains(was.Accepted, seq) })
		lacking = lacking || len(c.gaps) > 0
		d.calls[subject] = c
	}
	slices.Sort(d.gaps)
	// A hole of which nothing else speaks is a session that was removed. Otherwise it may have been the last record of any call that has not ended.
	if was == nil || than.doubtful || lacking || slices.Contains(changed, LogStream) {
		d.gap = gap
		if was != nil && now[LogStream].Last < was.Streams[LogStream].Last {
			d.gap = max(gap, was.Streams[LogStream].Last)
		}
	}
	return d, nil
}

// readWithin bounds the reading of a whole log; it takes 3 s for half a million records.
const readWithin = 10 * time.Minute

// settleDamage ends the calls that lost records, after the user accepted it, so that nothing is done twice because nobody knows any more
// that it was done, and takes out what tells of tasks and sessions of which nothing is left; and makes the index of open tasks whole again.
func (b *Bus) settleDamage(ctx context.Context) error {
	s := b.o.Server
	if s == nil {
		return nil
	}
	s.settling.Lock()
	defer s.settling.Unlock()
	if s.accepted == nil && !s.reindex {
		return nil
	}
	if d := s.accepted; d != nil {
		for _, subject := range d.hurt() {
			if c := d.calls[subject]; !c.ended {
				if err := b.endDamaged(ctx, subject, c.last); err != nil {
					return fmt.Errorf("end %s, which lost records: %w", subject, err)
				}
			}
		}
		for _, stray := range d.strays {
			if _, err := b.dropStray(ctx, stray, 0); err != nil {
				return fmt.Errorf("forget %s, of which the log has nothing: %w", stray.where.Session, err)
			}
		}
	}
	if err := b.reindex(ctx, s.index.sure); err != nil {
		return err
	}
	return s.settled()
}

func (b *Bus) endDamaged(ctx context.Context, subject string, last uint64) error {
	tenant, w, ok := place(subject)
	if !ok {
		return nil
	}
	rec := Record{HMAP: Version, Kind: KindResponse, Session: w.Session, Task: w.Task, Call: w.Call, Node: b.o.Node, Time: time.Now().UTC(), Status: Failed,
		Error: &Error{Code: CodeInDoubt, Message: "records of this call were lost when the data folder was damaged; look up what has been done before asking for it again"}}
	body, err := encode(rec)
	if err != nil {
		return err
	}
	m := message(subject, nuid.Next(), body)
	m.Header.Set(HeaderKind, string(KindResponse))
	m.Header.Set(HeaderCause, "damaged")
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(last, 10))
	if _, err = b.publish(ctx, m, func(err error) (uint64, error) { return b.settle(ctx, m, last, err) }); err != nil || w.Call != w.Task {
		return err
	}
	return b.stopWaiting(ctx, openSubject(tenant+"."+w.Session+"."+w.Task))
}

// stopWaiting lets whoever goes on with a task look at it, although the index says that it waits for a person.
func (b *Bus) stopWaiting(ctx context.Context, subject string) error {
	m, err := b.lastOf(ctx, openStream, subject)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	t, ok := parseOpen(m.Subject, m.Data)
	if !ok || !t.Waiting {
		return nil
	}
	t.Waiting, t.Expires = false, time.Time{}
	body, err := encode(t)
	if err != nil {
		return err
	}
	return b.putOpen(ctx, subject, body)
}
