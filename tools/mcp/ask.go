package mcp

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// parkedFor is how long a server may be kept waiting for a person's answer.
const parkedFor = 10 * time.Minute

// flight is one call on its way through a server. It may be parked: the server wants something of the person, the request that began the
// call has been answered with that question, and the next request with the same call id brings the answer.
type flight struct {
	ctx       context.Context
	end       context.CancelCauseFunc
	request   bus.Request
	first     bool // it may be begun again when the connection is lost
	done      chan struct{}
	result    *mcp.CallToolResult // once done
	err       error
	questions chan question // to whoever awaits the call

	mu      sync.Mutex
	say     func(string) // of the request that waits for it now
	usage   bus.Usage
	samples int
	open    *question // parked with it
	asked   int
}

// question is one thing that a server wants to know of the person.
type question struct {
	ask    bus.Ask
	answer chan<- bus.Input
}

func newFlight(c *conn, call *tools.Call) *flight {
	f := &flight{request: call.Request, say: call.Progress, first: true, done: make(chan struct{}), questions: make(chan question)}
	f.ctx, f.end = context.WithCancelCause(c.ctx)
	return f
}

func (f *flight) spent() bus.Usage {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.usage
}

func (f *flight) progress(line string) {
	f.mu.Lock()
	say := f.say
	f.mu.Unlock()
	say(line)
}

// key tells calls apart.
func key(r bus.Request) string { return r.Session + "." + r.Task + "." + r.Call }

// lot holds the parked calls of a server.
type lot struct {
	mu     sync.Mutex
	parked map[string]*flight
}

// maxParked bounds those of one server.
const maxParked = 64

var errFull = &bus.Error{Code: bus.CodeBusy, Message: "the MCP server asks back in too many calls at once"}

// park keeps a call until its question is answered.
func (s *server) park(f *flight, q question) error {
	s.lot.mu.Lock()
	defer s.lot.mu.Unlock()
	if s.lot.parked == nil {
		s.lot.parked = map[string]*flight{}
	}
	if len(s.lot.parked) >= maxParked {
		f.end(errFull)
		return errFull
	}
	f.open = &q
	k := key(f.request)
	s.lot.parked[k] = f
	time.AfterFunc(parkedFor, func() {
		s.lot.mu.Lock()
		defer s.lot.mu.Unlock()
		if s.lot.parked[k] == f && f.open.ask.ID == q.ask.ID {
			delete(s.lot.parked, k)
			f.end(errors.New("nobody answered the server's question in time"))
		}
	})
	return nil
}

// resume takes a parked call up again with the answer. nil: there is none, and the call begins. What an unsafe call that is gone has
// done nobody knows.
func (s *server) resume(call *tools.Call, effect bus.Effect) (*flight, error) {
	r := call.Request
	s.lot.mu.Lock()
	f := s.lot.parked[key(r)]
	if f != nil && r.Input != nil {
		delete(s.lot.parked, key(r))
	}
	s.lot.mu.Unlock()
	switch {
	case f == nil && r.Input != nil && r.Input.Kind == bus.Cancel:
		return nil, &bus.Error{Code: bus.CodeCancelled, Message: "cancelled"}
	case f == nil && r.Input != nil && effect == bus.Unsafe:
		return nil, &bus.Error{Code: bus.CodeInDoubt, Message: "the MCP server " + s.config.Name + " does not wait for the answer any more; whether the call took effect is not known"}
	case f == nil:
		return nil, nil
	case r.Input == nil: // asked again without an answer: the question stands
		return nil, &tools.Ask{Ask: f.open.ask}
	}
	f.mu.Lock()
	f.say = call.Progress
	f.mu.Unlock()
	f.open.answer <- *r.Input // has room for one
	return f, nil
}

// ask hands a question to whoever awaits the call, and waits for the answer.
func (f *flight) ask(a bus.Ask) (bus.Input, error) {
	f.mu.Lock()
	f.asked++
	tail := "-mcp-" + strconv.Itoa(f.asked)
	f.mu.Unlock()
	a.Kind, a.ID = bus.Question, bus.ShortID(f.request.Call, len(tail))+tail
	answer := make(chan bus.Input, 1)
	select {
	case f.questions <- question{a, answer}:
	case <-f.ctx.Done():
		return bus.Input{}, context.Cause(f.ctx)
	case <-f.done:
		return bus.Input{}, errors.New("the call has ended")
	}
	select {
	case in := <-answer:
		return in, nil
	case <-f.ctx.Done():
		return bus.Input{}, context.Cause(f.ctx)
	case <-f.done:
		return bus.Input{}, errors.New("the call has ended")
	}
}
