package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/mcp/oauth"
)

// errSlow is why a call is given up whose server has had its time.
var errSlow = errors.New("the server did not answer in time")

// deed is what a call does at its server.
type deed func(ctx context.Context, c *conn, arguments json.RawMessage, meta *mcp.Meta) (*mcp.CallToolResult, error)

// calling is the deed of one of the server's own tools.
func calling(name string) deed {
	return func(ctx context.Context, c *conn, arguments json.RawMessage, meta *mcp.Meta) (*mcp.CallToolResult, error) {
		var r mcp.CallToolRequest
		r.Params.Name, r.Params.RawArguments, r.Params.Meta = name, arguments, meta // an object: the host has seen to it
		return c.client.CallTool(ctx, r)
	}
}

// runs is the function behind a tool's card.
func (s *server) runs(do deed, effect bus.Effect) func(context.Context, *tools.Call) (any, error) {
	return func(ctx context.Context, call *tools.Call) (any, error) {
		if err := s.allowed(ctx, call.Request); err != nil {
			return nil, err
		}
		f, err := s.resume(call, effect)
		if err != nil {
			return nil, err
		}
		if f == nil {
			if f, err = s.launch(ctx, call, do); err != nil {
				return nil, err
			}
		}
		value, err := s.await(ctx, call, f)
		// A server that died in the middle is there again in a moment, and what may be done twice is done again, once.
		if errors.Is(err, errLost) && effect != bus.Unsafe && f.first {
			if f, err = s.launch(ctx, call, do); err != nil {
				return nil, err
			}
			f.first = false
			value, err = s.await(ctx, call, f)
		}
		return s.settle(ctx, call, effect, value, err)
	}
}

// allowed says no to a call that the request rules out, and to one in a session where the server has a penalty. Agents do not offer
// such tools; this is for those that ask all the same.
func (s *server) allowed(ctx context.Context, r bus.Request) error {
	name := s.config.Name
	switch {
	case r.DisableTools:
		return &bus.Error{Code: bus.CodeForbidden, Message: "the request wants no tools"}
	case len(r.MCPServers) > 0 && !named(r.MCPServers, name), len(r.MCPServers) == 0 && s.config.OnRequest:
		return &bus.Error{Code: bus.CodeForbidden, Message: "the request does not name the MCP server " + name}
	}
	s.used.Store(time.Now().UnixNano())
	all, err := s.bus.Penalties(ctx, r.Session)
	if err != nil { // who cannot look lets it pass
		s.o.Log.Debug("mcp: penalties", slog.Any("error", err))
		return nil
	}
	if p, ok := all[name]; ok {
		return &bus.Error{Code: bus.CodeForbidden, Message: fmt.Sprintf("the MCP server %s is left out in this session until %s, because it failed: %s",
			name, p.Until.UTC().Format(time.TimeOnly+"Z"), p.Why)}
	}
	return nil
}

// named reports whether a request names a server.
func named(entries []string, name string) bool {
	return slices.ContainsFunc(entries, func(e string) bool { return bus.ServerName(e) == name })
}

// errLost: the connection ended while the call was under way, or before it could be made.
var errLost = errors.New("the connection to the server was lost")

// errElsewhere: it came to a node that does not run the server any more; whoever asks again finds the one that does.
var errElsewhere = &bus.Error{Code: bus.CodeUnavailable, Retryable: true, Message: "another node runs the MCP server; nothing was begun"}

// ready waits for the connection while the server starts, or starts again after a moment's trouble; not when it has been down for longer.
func (s *server) ready(ctx context.Context) (*conn, error) {
	for {
		f := s.face.Load()
		switch {
		case f.conn != nil && f.conn.ctx.Err() == nil:
			return f.conn, nil
		case f.State.State == "elsewhere":
			return nil, errElsewhere
		case f.State.State == "login":
			return nil, oauth.ErrLogin
		case f.State.State == "stopped", f.Tools == 0 && f.State.State == "down":
			return nil, fmt.Errorf("%w: it is %s: %s", errLost, f.State.State, f.Trouble)
		}
		select {
		case <-f.changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %s", errLost, f.Trouble)
		}
	}
}

// launch sends a call to the server. The call's life is its own: it may outlast the request that began it, while a person is asked.
func (s *server) launch(ctx context.Context, call *tools.Call, do deed) (*flight, error) {
	wait, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-wait.Done():
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &bus.Error{Code: bus.CodeBusy, Retryable: true, Message: "the MCP server " + s.config.Name + " has too much to do; nothing was begun"}
	}
	c, err := s.ready(wait)
	if err != nil {
		<-s.slots
		return nil, s.failedBefore(ctx, call, err)
	}
	f := newFlight(c, call)
	go func() { // ends with the call or the connection; await and resume end it
		defer func() { <-s.slots }()
		f.result, f.err = c.call(f, do)
		close(f.done)
	}()
	return f, nil
}

// failedBefore answers for a call of which nothing has reached the server.
func (s *server) failedBefore(ctx context.Context, call *tools.Call, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case errors.Is(err, errElsewhere):
		return err
	case errors.Is(err, oauth.ErrLogin):
		return s.wantsLogin()
	}
	s.penalize(ctx, call.Request, err)
	return &bus.Error{Code: bus.CodeForbidden, Message: fmt.Sprintf("the MCP server %s cannot be used, and is left out in this session for %v: %v",
		s.config.Name, s.o.Penalty, err)}
}

// wantsLogin answers for a call that the server did not let in. It has done nothing, and it is nobody's fault: there is no penalty.
func (s *server) wantsLogin() error {
	return &bus.Error{Code: bus.CodeForbidden, Message: fmt.Sprintf("the MCP server %s did nothing: %s", s.config.Name, s.config.signIn())}
}

// await waits for a call's end, for a question of its server, or for the time to pass.
func (s *server) await(ctx context.Context, call *tools.Call, f *flight) (any, error) {
	t := time.NewTimer(s.config.Timeout)
	defer t.Stop()
	select {
	case <-f.done:
	case q := <-f.questions:
		if err := s.park(f, q); err != nil {
			return nil, err
		}
		return nil, &tools.Ask{Ask: q.ask}
	case <-t.C:
		f.end(errSlow)
		call.Spend(f.spent()) // what the model has said for it is paid for
		return nil, errSlow
	case <-ctx.Done():
		f.end(context.Cause(ctx))
		call.Spend(f.spent())
		return nil, ctx.Err()
	}
	call.Spend(f.spent())
	if f.err != nil {
		return nil, f.err
	}
	return observe(ctx, call, f.result)
}

// settle words what went wrong, and lets the server pay for it when it was its fault.
func (s *server) settle(ctx context.Context, call *tools.Call, effect bus.Effect, value any, err error) (any, error) {
	name, unsafe := s.config.Name, effect == bus.Unsafe
	switch {
	case err == nil:
		return value, nil
	case errors.Is(err, oauth.ErrLogin):
		return nil, s.wantsLogin()
	case errors.Is(err, errSlow):
		s.penalize(ctx, call.Request, err)
		e := &bus.Error{Code: bus.CodeTimeout, Message: fmt.Sprintf("the MCP server %s did not answer within %v, and is left out in this session for %v", name, s.config.Timeout, s.o.Penalty)}
		if unsafe {
			e.Code = bus.CodeInDoubt
			e.Message += "; whether it took effect is not known"
		}
		return nil, e
	case errors.Is(err, errLost):
		s.penalize(ctx, call.Request, err)
		e := &bus.Error{Code: bus.CodeUnavailable, Message: fmt.Sprintf("the MCP server %s was lost in the middle of the call, and is left out in this session for %v", name, s.o.Penalty)}
		if unsafe {
			e.Code = bus.CodeInDoubt
			e.Message += "; whether it took effect is not known"
		}
		return nil, e
	}
	return nil, err
}

// penalize leaves the server out in the session of a request for a while.
func (s *server) penalize(ctx context.Context, r bus.Request, why error) {
	s.o.Log.Warn("mcp: server left out", slog.String("server", s.config.Name), slog.String("session", r.Session), slog.String("call", r.Call),
		slog.Duration("for", s.o.Penalty), slog.Any("why", why))
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	p := bus.Penalty{Until: time.Now().Add(s.o.Penalty).UTC(), Why: clip(plain(why.Error()), 200)}
	if err := s.bus.Penalize(ctx, r.Session, s.config.Name, p); err != nil {
		s.o.Log.Warn("mcp: the penalty is not kept", slog.String("server", s.config.Name), slog.Any("error", err))
	}
}

// call has the server do something.
func (c *conn) call(f *flight, do deed) (*mcp.CallToolResult, error) {
	token := strconv.FormatInt(c.tokens.Add(1), 10)
	c.progress.Store(token, f.progress)
	defer c.progress.Delete(token)
	c.asking.enter(f)
	defer c.asking.leave(f)
	ctx := context.WithValue(f.ctx, inFlight{}, f)
	result, err := do(ctx, c, f.request.Parameter, &mcp.Meta{ProgressToken: token})
	for range maxVisits { // it has done nothing, and wants the person to go somewhere first
		var first mcp.URLElicitationRequiredError
		if !errors.As(err, &first) || f.ctx.Err() != nil {
			break
		}
		if !f.sent(first) {
			return nil, &bus.Error{Code: bus.CodeForbidden, Message: "the MCP server wants an address visited first, and that was not done"}
		}
		result, err = do(ctx, c, f.request.Parameter, &mcp.Meta{ProgressToken: token})
	}
	if err == nil {
		return result, nil
	}
	var broken *transport.Error
	var told *bus.Error
	switch cause := context.Cause(f.ctx); {
	case errors.Is(err, oauth.ErrLogin):
		c.end(errLost) // others may be in the middle of something
		c.lost()
		return nil, oauth.ErrLogin
	case cause != nil:
		return nil, cause
	case errors.As(err, &told):
		return nil, told
	case errors.As(err, &broken), c.forgotten(f.ctx, err):
		if c.process != nil {
			c.why.Store(c.process.why())
		}
		c.end(errLost) // nobody shall take it for one that works
		c.lost()
		return nil, fmt.Errorf("%w: %v", errLost, err)
	case errors.Is(err, mcp.ErrInvalidParams), errors.Is(err, mcp.ErrResourceNotFound):
		return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: "the MCP server says: " + clip(plain(err.Error()), 2000)}
	}
	return nil, &bus.Error{Code: bus.CodeInternal, Message: "the MCP server says: " + clip(plain(err.Error()), 2000)}
}

// forgotten reports whether an error comes from a server that began anew and does not know us any more. There is no code for it: servers
// say "bad request", so they are asked something that cannot be wrong. Over stdio nobody forgets, and the newest protocol has no sessions.
func (c *conn) forgotten(ctx context.Context, err error) bool {
	if c.process != nil || errors.Is(err, mcp.ErrInvalidParams) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, minTimeout)
	defer cancel()
	return c.client.Ping(ctx) != nil //nolint:staticcheck // deprecated for the newest protocol, where it does nothing
}
