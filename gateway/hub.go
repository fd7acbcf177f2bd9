package gateway

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
)

var (
	// errBroken: the log of a topic could not be read on. Its followers are sent away to resume.
	errBroken = errors.New("the log could not be read")
	// errReplaced: the log no longer has what the followers of a topic have seen.
	errReplaced = errors.New("the log is another one, or the session was removed")
	// errFull: no more sessions are followed on this gateway.
	errFull = errors.New("too many sessions are followed here")
)

// hub lets all followers of a session share one reading of its log: records are read and encoded once, however many look.
type hub struct {
	ctx     context.Context // the life of the gateway
	bus     *bus.Bus
	log     *slog.Logger
	wg      sync.WaitGroup // the two goroutines of each topic, and the readers of pages
	most    int            // topics
	readers chan struct{}  // holds a token for each page that is being read

	mu     sync.Mutex
	topics map[string]*topic // by session; only those that are held
	pages  map[pageKey]*page // only those that are wanted
	closed bool              // no reader begins any more

	endCheck context.CancelFunc // ends the check that runs, under mu
}

func newHub(ctx context.Context, b *bus.Bus, log *slog.Logger, most int) *hub {
	return &hub{ctx: ctx, bus: b, log: log, most: most, readers: make(chan struct{}, readers), topics: map[string]*topic{}, pages: map[pageKey]*page{}, endCheck: func() {}}
}

// close returns when every topic and every reader has ended, which they do after the hub's context has. Nobody may follow any more.
func (h *hub) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.wg.Wait()
}

// follow gives f the session's records after f.pos: first its history, as fast as the follower takes it, from what the topic remembers
// or else from the log; then a caught_up frame. It returns when f has joined the topic, from which it then gets what comes, until
// [hub.leave], which must be called once in any case. Nothing is left out or repeated where history and live meet.
//
// errFull: nothing was begun. Other errors say that the log could not be read. nil when ctx has ended.
func (h *hub) follow(ctx context.Context, session string, f *follower) error {
	if f.topic = h.hold(session); f.topic == nil {
		return errFull
	}
	select {
	case f.out.turn <- struct{}{}:
		defer func() { <-f.out.turn }()
	case <-ctx.Done():
		return nil
	}
	for ctx.Err() == nil {
		joined, records, err := f.topic.meet(f)
		if joined || err != nil {
			return err
		}
		if len(records) == 0 {
			if records, err = h.read(ctx, f); err != nil {
				return unlessDone(ctx, err)
			}
		}
		f.known = f.known || len(records) > 0
		for _, s := range records {
			if !f.out.wait(s.frame, ctx.Done()) {
				return nil
			}
			f.pos = s.seq
		}
	}
	return nil
}

// read gives the next page of the log for f. When it is the last one, the topic goes on after it.
func (h *hub) read(ctx context.Context, f *follower) ([]sent, error) {
	t := f.topic
	p, err := h.page(ctx, pageKey{session: t.session, after: f.pos})
	switch {
	case err != nil:
		return nil, err
	case p.unknown && f.known:
		return nil, errBroken // the log was replaced while it was read; whoever resumes finds out
	case p.unknown:
		from := uint64(0)
		f.out.wait(resyncFrame(t.session, from), ctx.Done())
		f.pos, f.known = from, true
		return nil, nil
	}
	f.known = true
	if p.end && t.start(f.pos, p.records) {
		pos := f.pos
		if n := len(p.records); n > 0 {
			pos = p.records[n-1].seq
		}
		h.wg.Go(func() { h.tail(t, pos) })
		h.wg.Go(func() { h.hear(t) })
	}
	return p.records, nil
}

// leave ends what follow began, after it has returned.
func (h *hub) leave(f *follower) {
	if f.topic != nil {
		f.topic.part(f)
		h.release(f.topic)
	}
}

// tail hands the log to the members from pos on, until the topic ends. When the log cannot be read, all are sent to resume:
// one way out of any trouble, the same as for a slow reader.
func (h *hub) tail(t *topic, pos uint64) {
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
	h.giveUp(t, errBroken)
}

// giveUp sends the followers of t to resume, where a new topic begins.
func (h *hub) giveUp(t *topic, why error) {
	h.mu.Lock()
	if h.topics[t.session] == t {
		delete(h.topics, t.session)
	}
	h.mu.Unlock()
	t.breakUp(why)
}

// mark notes how far each topic has come. It is called when the bus goes away: when it is back, it may be with another log, or with one that
// has lost its end, of which the reading of a topic would not notice anything but that nothing comes, or that something is missing.
func (h *hub) mark() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, t := range h.topics {
		t.mark()
	}
}

// check looks, one after the other, whether the log still has what was marked. Whoever follows where it has not begins afresh. What cannot be
// looked up is looked up again, until the next check, which sees to all of it.
func (h *hub) check() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	h.endCheck()
	var ctx context.Context
	ctx, h.endCheck = context.WithCancel(h.ctx)
	marked := map[*topic]uint64{}
	for _, t := range h.topics {
		if t.marked > 0 {
			marked[t] = t.marked
		}
	}
	h.wg.Go(func() {
		for warned := false; len(marked) > 0; {
			for t, seq := range marked {
				p, err := h.page(ctx, pageKey{session: t.session, after: seq})
				switch {
				case ctx.Err() != nil:
					return
				case t.ctx.Err() != nil: // nobody follows it any more
				case err != nil:
					if !warned {
						h.log.Warn("whether a session's log was replaced could not be looked up; trying again", "session", t.session, "error", err)
						warned = true
					}
					continue
				case p.unknown:
					h.log.Warn("what was followed of a session is no longer in the log; its readers begin afresh", "session", t.session, "seq", seq)
					h.giveUp(t, errReplaced)
				}
				delete(marked, t)
			}
			if len(marked) > 0 && !pause(ctx, time.Second) {
				return
			}
		}
	})
}

// pause waits; false: the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// hear hands live text to the members that have room for it.
func (h *hub) hear(t *topic) {
	for live := range h.bus.Hear(t.ctx, t.session, recentFrames) {
		t.speak(live)
	}
}

// hold gives the topic of a session, held once more; nil when there are too many.
func (h *hub) hold(session string) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.topics[session]
	if t == nil {
		if len(h.topics) >= h.most {
			return nil
		}
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
