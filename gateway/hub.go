package gateway

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/hmap-project/hmap/bus"
)

// A topic keeps the frames it sent last, so that somebody who joins need not race its writers. More than these and the
// joiner reads on from the log.
const (
	recentFrames = 256
	recentBytes  = 1 << 20
)

// errBroken: the log of a topic could not be read on. Its followers are sent away to resume.
var errBroken = errors.New("the log could not be read")

// hub lets all followers of a session share one reading of its log: records are read and encoded once, however many look.
type hub struct {
	ctx context.Context // the life of the gateway
	bus *bus.Bus
	log *slog.Logger
	wg  sync.WaitGroup // the two goroutines of each topic

	mu     sync.Mutex
	topics map[string]*topic // by session; only those that are held
}

// topic is a session that is being followed.
type topic struct {
	session string
	ctx     context.Context // ends when nobody holds it
	stop    context.CancelFunc
	held    int // under hub.mu

	mu      sync.Mutex
	started bool
	broken  bool
	pos     uint64 // sequence of the last record handed out
	from    uint64 // recent holds every record after this one
	recent  []sent
	bytes   int // of recent
	members map[*follower]struct{}
}

type sent struct {
	seq   uint64
	frame []byte
}

// follower is one connection's place in one topic.
type follower struct {
	out *queue
	pos uint64 // the last record it has; kept by the topic once it has joined
	// lost is called at most once, when a record found no room or the topic broke: the follower must resume after pos. It
	// must not block.
	lost func(pos uint64, why string)
}

func newHub(ctx context.Context, b *bus.Bus, log *slog.Logger) *hub {
	return &hub{ctx: ctx, bus: b, log: log, topics: map[string]*topic{}}
}

// wait returns when every topic has ended, which they do after the hub's context.
func (h *hub) wait() { h.wg.Wait() }

// follow gives f the session's records after f.pos until ctx ends: first its history, read as fast as the follower takes
// it; then a caught_up frame; then, from the topic, what comes. Nothing is left out or repeated where the two meet. It
// blocks; the error says that the log could not be read, and is nil when ctx has ended.
func (h *hub) follow(ctx context.Context, session string, f *follower) error {
	t := h.hold(session)
	defer h.release(t)
	for {
		if err := h.history(ctx, session, f); err != nil || ctx.Err() != nil {
			return unlessDone(ctx, err)
		}
		joined, err := h.join(t, f)
		if err != nil {
			return unlessDone(ctx, err)
		}
		if joined {
			break
		}
	}
	<-ctx.Done()
	t.mu.Lock()
	delete(t.members, f)
	t.mu.Unlock()
	return nil
}

// history gives f what the log holds after f.pos. It begins one record earlier: when the one that f had last is not there,
// the log was replaced or has forgotten so far, and f starts afresh, for it could not tell what it is missing.
func (h *hub) history(ctx context.Context, session string, f *follower) error {
	fresh := f.pos == 0
	from := f.pos
	if !fresh {
		from--
	}
	for e, err := range h.bus.Follow(ctx, bus.Where{Session: session}, from) {
		switch {
		case err != nil:
			return err
		case !fresh && (e.CaughtUp || e.Record.Seq != f.pos):
			f.pos = 0
			if !f.out.wait(resyncFrame(session, 0), ctx.Done()) {
				return nil
			}
			return h.history(ctx, session, f)
		case !fresh:
			fresh = true
		case e.CaughtUp:
			return nil
		default:
			if !f.out.wait(recordFrame(&e.Record), ctx.Done()) {
				return nil
			}
			f.pos = e.Record.Seq
		}
	}
	return errBroken
}

// join makes f a member and tells it that it has caught up; false when the topic has gone on further than its recent
// frames tell, so f must read on first. The first to join starts the topic.
func (h *hub) join(t *topic, f *follower) (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.broken:
		return false, errBroken
	case !t.started:
		start := f.pos // f.pos moves on
		t.started, t.pos, t.from = true, start, start
		h.wg.Go(func() { h.read(t, start) })
		h.wg.Go(func() { h.hear(t) })
	case f.pos < t.from:
		return false, nil
	}
	for _, s := range t.recent {
		if s.seq > f.pos && !f.give(s) {
			return true, nil
		}
	}
	if !f.out.put(encode(serverFrame{Type: "caught_up", Session: t.session, Seq: f.pos})) {
		f.lost(f.pos, "too slow")
		return true, nil
	}
	t.members[f] = struct{}{}
	return true, nil
}

// read hands the log to the members from pos on, until the topic ends. When the log cannot be read, all are sent to resume:
// one way out of any trouble, the same as for a slow reader.
func (h *hub) read(t *topic, pos uint64) {
	err := errBroken
	for e, failed := range h.bus.Follow(t.ctx, bus.Where{Session: t.session}, pos) {
		if failed != nil {
			err = failed
			break
		}
		if !e.CaughtUp {
			t.deliver(&e.Record)
		}
	}
	if t.ctx.Err() != nil {
		return
	}
	h.log.Warn("a session cannot be followed; its readers will resume", "session", t.session, "error", err)
	h.mu.Lock()
	if h.topics[t.session] == t {
		delete(h.topics, t.session)
	}
	h.mu.Unlock()
	t.breakUp()
}

// hear hands live text to the members that have room for it.
func (h *hub) hear(t *topic) {
	for live := range h.bus.Hear(t.ctx, t.session, recentFrames) {
		frame := encode(liveFrame{Type: "live", Session: t.session, Live: live})
		t.mu.Lock()
		for f := range t.members {
			f.out.offer(frame)
		}
		t.mu.Unlock()
	}
}

func (t *topic) deliver(r *bus.Record) {
	s := sent{r.Seq, recordFrame(r)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pos = s.seq
	t.recent = append(t.recent, s)
	t.bytes += len(s.frame)
	for len(t.recent) > recentFrames || t.bytes > recentBytes {
		t.from = t.recent[0].seq
		t.bytes -= len(t.recent[0].frame)
		t.recent[0].frame = nil
		t.recent = t.recent[1:]
	}
	for f := range t.members {
		if s.seq > f.pos && !f.give(s) { // a joiner can be ahead of the topic: it read the log itself
			delete(t.members, f)
		}
	}
}

func (t *topic) breakUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.broken = true
	for f := range t.members {
		f.lost(f.pos, errBroken.Error())
	}
	clear(t.members)
}

// give puts a record into the follower's queue, or loses the follower.
func (f *follower) give(s sent) bool {
	if !f.out.put(s.frame) {
		f.lost(f.pos, "too slow")
		return false
	}
	f.pos = s.seq
	return true
}

func (h *hub) hold(session string) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[session]
	if t == nil {
		t = &topic{session: session, members: map[*follower]struct{}{}}
		t.ctx, t.stop = context.WithCancel(h.ctx)
		h.topics[session] = t
	}
	t.held++
	return t
}

func (h *hub) release(t *topic) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t.held--; t.held == 0 {
		t.stop()
		if h.topics[t.session] == t {
			delete(h.topics, t.session)
		}
	}
}

func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
