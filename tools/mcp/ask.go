package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// parkedFor is how long a server may be kept waiting for a person's answer.
const parkedFor = 10 * time.Minute

// maxFields bounds the questions of one form that a server wants filled in.
const maxFields = 8

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

// inFlight is the key of a context under which its call is found.
type inFlight struct{}

// desk knows the calls under way on a connection, and answers what the server asks meanwhile.
type desk struct {
	mu    sync.Mutex
	calls map[*flight]struct{}
}

func (d *desk) enter(f *flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.calls == nil {
		d.calls = map[*flight]struct{}{}
	}
	d.calls[f] = struct{}{}
}

func (d *desk) leave(f *flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.calls, f)
}

// whose finds the call that a server's request is made for: the newest protocol tells it; else it is the only one under way. nil: it
// cannot be known, and a question meant for one person must not reach another.
func (d *desk) whose(ctx context.Context) *flight {
	if f, ok := ctx.Value(inFlight{}).(*flight); ok {
		return f
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.calls) != 1 {
		return nil
	}
	for f := range d.calls {
		return f
	}
	return nil
}

// Elicit asks the person, field by field, on behalf of a server. It runs in a goroutine of its own.
func (d *desk) Elicit(ctx context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	answer := func(action mcp.ElicitationResponseAction, content map[string]any) *mcp.ElicitationResult {
		out := &mcp.ElicitationResult{}
		out.Action = action
		if content != nil {
			out.Content = content
		}
		return out
	}
	f := d.whose(ctx)
	if f == nil || r.Params.Mode == "url" {
		return answer(mcp.ElicitationResponseActionDecline, nil), nil
	}
	fields, err := form(r.Params.RequestedSchema)
	if err != nil {
		return nil, err
	}
	message := clip(plain(r.Params.Message), 1000)
	if len(fields) == 0 {
		in, err := f.ask(bus.Ask{Question: message, Options: []string{"accept", "decline"}})
		switch {
		case err != nil || in.Kind == bus.Cancel || in.Kind == bus.Expire:
			return answer(mcp.ElicitationResponseActionCancel, nil), nil
		case in.Kind == bus.Refuse || strings.EqualFold(strings.TrimSpace(in.Text), "decline"):
			return answer(mcp.ElicitationResponseActionDecline, nil), nil
		}
		return answer(mcp.ElicitationResponseActionAccept, map[string]any{}), nil
	}
	content := map[string]any{}
	for _, field := range fields {
		text := message
		if len(fields) > 1 || !strings.Contains(message, field.title) {
			text += "\n" + field.title
		}
		for try := 0; ; try++ {
			in, err := f.ask(bus.Ask{Question: text, Options: field.options, Parameter: field.name})
			switch {
			case err != nil || in.Kind == bus.Cancel || in.Kind == bus.Expire:
				return answer(mcp.ElicitationResponseActionCancel, nil), nil
			case in.Kind == bus.Refuse:
				return answer(mcp.ElicitationResponseActionDecline, nil), nil
			}
			value, err := field.read(in.Text)
			if err == nil {
				content[field.name] = value
				break
			}
			if try == 2 {
				return answer(mcp.ElicitationResponseActionCancel, nil), nil
			}
			text = fmt.Sprintf("%s\n%s (%v)", message, field.title, err)
		}
	}
	return answer(mcp.ElicitationResponseActionAccept, content), nil
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

// field is one field of a form: a text, number or yes-or-no, as the specification allows.
type field struct {
	name, title string
	kind        string
	options     []string
	values      []string // what the options stand for
}

// form reads what a server wants to know; required fields first, then in the order of their names.
func form(schema any) ([]field, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var f struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type        string   `json:"type"`
			Title       string   `json:"title"`
			Description string   `json:"description"`
			Enum        []string `json:"enum"`
			Names       []string `json:"enumNames"`
			OneOf       []struct {
				Const string `json:"const"`
				Title string `json:"title"`
			} `json:"oneOf"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("a form that is none: %w", err)
	}
	var fields []field
	for name, p := range f.Properties {
		if len(f.Required) > 0 && !slices.Contains(f.Required, name) {
			continue // nobody is asked for what may be left out
		}
		out := field{name: name, kind: p.Type, title: clip(plain(strings.TrimSpace(p.Title+" "+p.Description)), 300)}
		if out.title == "" {
			out.title = clip(plain(name), 100)
		}
		for i, v := range p.Enum {
			shown := v
			if i < len(p.Names) {
				shown = p.Names[i]
			}
			out.options, out.values = append(out.options, clip(plain(shown), 100)), append(out.values, v)
		}
		for _, o := range p.OneOf {
			shown := o.Title
			if shown == "" {
				shown = o.Const
			}
			out.options, out.values = append(out.options, clip(plain(shown), 100)), append(out.values, o.Const)
		}
		if p.Type == "boolean" {
			out.options = []string{"yes", "no"}
		}
		fields = append(fields, out)
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.name, b.name) })
	if len(fields) > maxFields {
		return nil, fmt.Errorf("a form of %d fields; a person is asked for at most %d", len(fields), maxFields)
	}
	return fields, nil
}

// read understands an answer.
func (f *field) read(text string) (any, error) {
	text = strings.TrimSpace(text)
	switch f.kind {
	case "boolean":
		switch strings.ToLower(text) {
		case "yes", "y", "true", "是", "好", "对", "1":
			return true, nil
		case "no", "n", "false", "否", "不", "0":
			return false, nil
		}
		return nil, errors.New("yes or no")
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, errors.New("a whole number")
		}
		return n, nil
	case "number":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, errors.New("a number")
		}
		return n, nil
	}
	for i, shown := range f.options {
		if text == shown || text == f.values[i] {
			return f.values[i], nil
		}
	}
	if len(f.options) > 0 {
		return nil, errors.New("one of: " + strings.Join(f.options, ", "))
	}
	return text, nil
}
