package gateway

import (
	"context"

	"github.com/hmap-project/hmap/bus"
)

// History is read in pages, so that nobody who reads slowly holds a reader, and by few at a time, so that a storm of reconnects does
// not take the log from those who follow it.
const (
	pageFrames = 256
	pageBytes  = 256 << 10 // and one record more
	readers    = 4         // pages that are read at the same time
)

// pageKey names a page: the records of a session that follow one sequence.
type pageKey struct {
	session string
	after   uint64
	any     bool // after need not be the sequence of a record of the session
}

// page is a stretch of a session's log as frames. Whoever wants the same one meanwhile shares it.
type page struct {
	wanted int // under hub.mu; at 0 it is given up
	stop   context.CancelFunc
	done   chan struct{} // closed when the rest is there

	records []sent
	unknown bool // the log has no record of this session with the sequence it begins after
	end     bool // there were no more when it was read
	err     error
}

// page gives the page with that key as soon as it has been read, waiting its turn. The error is ctx's, or says that the log cannot be
// read.
func (h *hub) page(ctx context.Context, key pageKey) (*page, error) {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil, errBroken
	}
	p := h.pages[key]
	if p == nil {
		p = &page{done: make(chan struct{})}
		var life context.Context
		life, p.stop = context.WithCancel(h.ctx)
		h.pages[key] = p
		h.wg.Go(func() {
			p.err = h.turn(life, key, p)
			h.forget(key, p)
			close(p.done)
		})
	}
	p.wanted++
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if p.wanted--; p.wanted == 0 {
			p.stop()
			h.forgetLocked(key, p) // whoever comes now begins anew
		}
	}()
	select {
	case <-p.done:
		return p, p.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (h *hub) forget(key pageKey, p *page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forgetLocked(key, p)
}

func (h *hub) forgetLocked(key pageKey, p *page) {
	if h.pages[key] == p {
		delete(h.pages, key)
	}
}

// turn waits for a reader and reads the page.
func (h *hub) turn(ctx context.Context, key pageKey, p *page) error {
	select {
	case h.readers <- struct{}{}:
		defer func() { <-h.readers }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return p.read(ctx, h.bus, key)
}

// read begins one record early: when that is not there, the log was replaced or has forgotten so far, and whoever had it cannot tell
// what it is missing.
func (p *page) read(ctx context.Context, b *bus.Bus, key pageKey) error {
	known, from, size := key.after == 0 || key.any, key.after, 0
	if !known {
		from--
	}
	for e, err := range b.Follow(ctx, bus.Where{Session: key.session}, from) {
		switch {
		case err != nil:
			return err
		case !known && (e.CaughtUp || e.Record.Seq != key.after):
			p.unknown = true
			return nil
		case !known:
			known = true
		case e.CaughtUp:
			p.end = true
			return nil
		default:
			frame := recordFrame(&e.Record)
			p.records, size = append(p.records, sent{e.Record.Seq, frame}), size+len(frame)
			if len(p.records) >= pageFrames || size >= pageBytes {
				return nil
			}
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return errBroken
}
