package tools

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
)

// Options of a [Host]; the zero value works.
type Options struct {
	AtOnce    int           // calls that one tool works on at a time; default 8
	Waiting   int           // calls that may wait beyond these before the tool says busy; default 64, negative: none
	MaxResult int           // bytes of an observation before it is shortened and kept whole in Files; default 32 KiB
	Grace     time.Duration // how long Remove and Stop let running calls finish before they are cancelled; default 5 s
	// Streams say how text that tools write is told while it is written, by tool, and under "" for the others, where a request does not say
	// it itself; nil: in one piece, at the end.
	Streams map[string]bus.StreamMode
	Log     *slog.Logger // nil: slog.Default()
}

// ErrStopped is returned by Add after Stop.
var ErrStopped = errors.New("the host of the tools is stopped")

// Host puts tools on the bus, each behind an actor of its own. Safe from many goroutines.
type Host struct {
	bus     *bus.Bus
	engine  *actor.Engine
	options Options

	mu      sync.Mutex
	tools   map[string]*post
	stopped bool
	hurried chan struct{} // closed: nobody has a grace any more
	hurry   sync.Once
}

// post is a tool at work.
type post struct {
	service *bus.Service
	pid     *actor.PID
	end     context.CancelCauseFunc // of every call of the tool
	work    *sync.WaitGroup
}

// NewHost makes a host without tools. The caller keeps bus and engine, and closes them after Stop.
func NewHost(b *bus.Bus, e *actor.Engine, o Options) *Host {
	if o.AtOnce <= 0 {
		o.AtOnce = 8
	}
	if o.Waiting == 0 {
		o.Waiting = 64
	}
	if o.MaxResult <= 0 {
		o.MaxResult = 32 << 10
	}
	if o.Grace <= 0 {
		o.Grace = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Host{bus: b, engine: e, options: o, tools: map[string]*post{}, hurried: make(chan struct{})}
}

// Add puts a tool on the bus; from now on it is in the directory and can be asked. A card that is wrong is an error that says
// what to correct, and nothing is added: bad name, missing description or function, schema that does not compile, unknown
// effect or approval, name already taken here.
func (h *Host) Add(t Tool) error {
	w, err := h.worker(t)
	if err != nil {
		return fmt.Errorf("tool %.80q: %w", t.Card.Name, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	name := w.tool.Card.Name
	switch {
	case h.stopped:
		return fmt.Errorf("tool %q: %w", name, ErrStopped)
	case h.tools[name] != nil:
		return fmt.Errorf("tool %q: a tool of that name is already here; remove it first or choose another name", name)
	}

	life, end := context.WithCancelCause(context.Background())
	p := &post{end: end, work: new(sync.WaitGroup)}
	front := &toolActor{worker: w, options: h.options, engine: h.engine, life: life, work: p.work, open: map[string]*visit{}}
	p.pid = mailbox.Spawn(h.engine, func() actor.Receiver { return front }, "tool", name, func(reason any, stack []byte) {
		h.options.Log.Error("tool actor: panic", slog.String("tool", name), slog.Any("panic", reason), slog.String("stack", string(stack)))
	})
	p.service, err = h.bus.Serve(w.tool.Card, func(in *bus.Incoming) { h.engine.Send(p.pid, in) })
	if err != nil {
		end(err)
		h.retire(p)
		return fmt.Errorf("tool %q: %w", name, err)
	}
	h.tools[name] = p
	return nil
}

// worker compiles the schemas of a card and checks what [bus.Bus.Serve], which checks the rest, cannot know.
func (h *Host) worker(t Tool) (*worker, error) {
	c := &t.Card
	switch {
	case c.Name == "ask_user" || c.Name == "finish":
		return nil, errors.New("the name is reserved by H-MAP")
	case c.Kind != "" && c.Kind != "tool":
		return nil, fmt.Errorf("kind %.80q; it must be \"tool\" or empty", c.Kind)
	case t.Run == nil:
		return nil, errors.New("it has no function Run")
	}
	c.Kind = "tool"
	if c.Effect == "" {
		c.Effect = bus.Unsafe
	}
	w := &worker{tool: t, timeout: c.Timeout, maxResult: max(h.options.MaxResult, minResult), files: h.bus.Files(), wanted: h.bus.CheckIntent, log: h.options.Log}
	if own, ok := h.options.Streams[c.Name]; ok {
		w.stream = own
	} else {
		w.stream = h.options.Streams[""]
	}
	if w.timeout == 0 {
		w.timeout = time.Minute
	}
	var err error
	if w.parameters, err = compile("parameters", c.Parameters); err != nil {
		return nil, err
	}
	w.returns, err = compile("returns", c.Returns)
	return w, err
}

// Remove takes a tool off the bus: no new calls, those that wait are refused, those that run have the grace to finish and are
// cancelled then. It blocks until all are answered. An unknown name is no error; calls that do not end even when cancelled
// are, and are left behind.
func (h *Host) Remove(name string) error {
	h.mu.Lock()
	p := h.tools[name]
	delete(h.tools, name)
	h.mu.Unlock()
	if p == nil {
		return nil
	}
	if err := h.close(p); err != nil {
		return fmt.Errorf("tool %q: %w", name, err)
	}
	return nil
}

// Stop removes all tools, side by side, and lets no new ones in. Errors as in Remove.
func (h *Host) Stop() error {
	h.mu.Lock()
	h.stopped = true
	var names []string
	for name := range h.tools {
		names = append(names, name)
	}
	h.mu.Unlock()
	errs := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { errs[i] = h.Remove(name) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Hurry ends the grace of every Remove and Stop, now and later: calls that run then are cancelled. Twice is harmless.
func (h *Host) Hurry() { h.hurry.Do(func() { close(h.hurried) }) }

// close ends a tool in order: the door, the calls, the goroutines, the actor.
func (h *Host) close(p *post) error {
	p.service.Stop()
	drained := make(chan struct{})
	h.engine.Send(p.pid, drain{drained})
	grace := time.NewTimer(h.options.Grace)
	defer grace.Stop()
	select {
	case <-drained:
	case <-grace.C:
	case <-h.hurried:
	}
	p.end(errStopping)
	within(2*unwind, drained) // the actor answers for those that do not come back
	returned := make(chan struct{})
	go func() { // ends with the last call; nobody can end it sooner
		p.work.Wait()
		close(returned)
	}()
	ok := within(unwind, returned)
	h.retire(p)
	if !ok {
		return errors.New("a call goes on although it was cancelled; its function does not obey its context")
	}
	return nil
}

// retire ends the actor. Its inbox holds nothing that anybody waits for.
func (h *Host) retire(p *post) {
	within(unwind, h.engine.Poison(p.pid).Done())
}

// within waits for a channel to close, at most d.
func within(d time.Duration, done <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
