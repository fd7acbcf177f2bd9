package drill

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// Removal is a session that was to be removed once its clients had left it.
type Removal struct {
	Session string
	// Whole is what the log had of it before. Every call in it had ended, so nothing but what people say could still come.
	Whole []bus.Record
	// Said: somebody was told that it is gone.
	Said bool
	// Refused: the last thing that was said is that it stays. Neither: the removal was cut off, and both may be.
	Refused bool

	stored map[uint64]time.Time
}

// The ways in which a session is removed.
const (
	byVerb       = "verb"
	byCutVerb    = "verb, cut off"
	byCommand    = "command"
	byCutCommand = "command, killed"
)

var removalWays = []string{byVerb, byCutVerb, byCommand, byCutCommand}

// remove has one of the sessions removed that their clients have left.
func (t *trouble) remove(ctx context.Context, e event) {
	ctx, cancel := context.WithTimeout(ctx, 40*time.Second)
	defer cancel()
	session, ok := t.book.takeLeft(e.pick)
	if !ok {
		return
	}
	js, err := jetstream.New(t.eyes.Conn())
	if err != nil {
		return // never of a connection
	}
	log, err := readLog(ctx, js, session)
	if err != nil || !settled(log) {
		t.book.leave(session) // another time
		return
	}
	r := t.book.removal(session, log)
	t.book.count("removals: "+e.way, 1)
	for n := 0; n < 5 && ctx.Err() == nil; n++ { // a node may be about to keep a snapshot
		said, refused := t.removeOnce(ctx, session, e)
		t.book.mu.Lock()
		r.Said, r.Refused = said, refused
		t.book.mu.Unlock()
		t.book.note("removed %s by %s: said %v, refused %v", session, e.way, said, refused)
		if said || e.way == byCutVerb || e.way == byCutCommand || wait(ctx, time.Second) != nil {
			return
		}
	}
}

// settled reports whether every call that was begun has ended, so that no node writes to the session any more.
func settled(log []logged) bool {
	open, begun := map[string]bool{}, false
	for _, r := range log {
		switch r.Kind {
		case bus.KindRequest:
			open[callOf(r.Record)], begun = true, true
		case bus.KindResponse:
			delete(open, callOf(r.Record))
		}
	}
	return begun && len(open) == 0
}

// removeOnce removes a session in the way of the event, or begins to.
func (t *trouble) removeOnce(ctx context.Context, session string, e event) (said, refused bool) {
	if e.way == byCutVerb || e.way == byCutCommand {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.d)
		defer cancel()
	}
	if e.way == byVerb || e.way == byCutVerb {
		err := t.hand.Remove(ctx, session)
		return err == nil, errors.Is(err, bus.ErrOpenTask)
	}
	c := t.c.command(ctx, "sessions", "--delete", session)
	text, err := c.CombinedOutput() // when ctx ends it is killed
	return err == nil, strings.Contains(string(text), bus.ErrOpenTask.Error())
}

// command is a command of hmap on the cluster, through proxies of its own, as somebody gives it on a terminal.
func (c *cluster) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.o.Exe, slices.Concat([]string{"--config", c.config, "--data", filepath.Join(c.dir, "hand"), "--nats", c.hand}, args)...)
	cmd.Env = c.env()
	together(cmd)
	return cmd
}

// env is what the children find in their environment.
func (c *cluster) env() []string {
	env := append(os.Environ(), "TMPDIR="+filepath.Join(c.dir, "tmp"), "HMAP_DRILL_KEY=key", "OPENAI_BASE_URL=", "DEFAULT_MODEL=", "OPENAI_API_KEY=")
	return append(env, c.o.Env...)
}

// leave notes that no client goes on in a session.
func (b *book) leave(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if session != "" {
		b.left = append(b.left, session)
	}
}

// takeLeft takes one of the sessions that were left; ok: there was one.
func (b *book) takeLeft(pick int) (session string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.left) == 0 {
		return "", false
	}
	i := pick % len(b.left)
	session = b.left[i]
	b.left = slices.Delete(b.left, i, i+1)
	return session, true
}

// removal writes down what a session was before it is removed.
func (b *book) removal(session string, log []logged) *Removal {
	r := &Removal{Session: session, stored: map[uint64]time.Time{}}
	for _, l := range log {
		r.Whole, r.stored[l.Seq] = append(r.Whole, l.Record), l.stored
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.removals = append(b.removals, r)
	return r
}

// removals are the events that remove sessions, spread over the length. One is in the middle, however short the drill is.
func removals(r *rand.Rand, length time.Duration) []event {
	all := []event{{at: length / 2, what: doRemove, way: byVerb}}
	const mean = time.Second
	for at := upTo(r, mean); at < length; at += mean/2 + upTo(r, mean) {
		e := event{at: at, what: doRemove, pick: r.IntN(1000), way: removalWays[r.IntN(len(removalWays))], d: upTo(r, 60*time.Millisecond)}
		if e.way == byCutCommand {
			e.d = 50*time.Millisecond + upTo(r, 600*time.Millisecond) // it has to start, too
		}
		all = append(all, e)
	}
	return all
}
