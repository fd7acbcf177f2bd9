package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/mailbox"
	"github.com/hmap-project/hmap/tools"
)

// stopWithin is how long one server may take to end its calls and itself.
const stopWithin = 15 * time.Second

// Servers are the MCP servers of one process. Safe from many goroutines.
type Servers struct {
	bus    *bus.Bus
	host   *tools.Host
	engine *actor.Engine
	o      Options

	mu      sync.Mutex
	all     map[string]*server
	stopped bool
	closing sync.WaitGroup // of servers that nobody uses any more
}

// New makes a set without servers. Their tools are put on the bus by host, which the caller keeps and stops after [Servers.Stop].
func New(b *bus.Bus, e *actor.Engine, host *tools.Host, o Options) *Servers {
	return &Servers{bus: b, host: host, engine: e, o: o.filled(), all: map[string]*server{}}
}

// Add begins with a server and returns at once: it connects by itself, and again whenever it is lost, until Stop. The error says what is
// wrong with the configuration: a bad name, one that is taken, neither or both of command and url, a bound that is none.
func (s *Servers) Add(config Server) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(config)
}

// add is Add, with mu held.
func (s *Servers) add(config Server) error {
	if err := config.check(); err != nil {
		return err
	}
	switch {
	case s.stopped:
		return fmt.Errorf("MCP server %s: the servers are stopped", config.Name)
	case s.all[config.Name] != nil:
		return fmt.Errorf("MCP server %s: there are two of that name", config.Name)
	}
	config.tokens = config.source(s.o.Logins)
	one := &server{config: &config, o: &s.o, bus: s.bus, host: s.host, engine: s.engine, slots: make(chan struct{}, config.AtOnce)}
	now := face{changed: make(chan struct{})}
	now.State = State{Server: config.Name, Kind: config.kind(), State: "starting", Since: time.Now().UTC()}
	one.face.Store(&now)
	if !config.Single {
		if err := s.host.Add(one.control()); err != nil {
			return fmt.Errorf("MCP server %s: %w", config.Name, err)
		}
	}
	mailbox.Spawn(s.engine, func() actor.Receiver { return one }, "mcp", config.Name, func(reason any, stack []byte) {
		s.o.Log.Error("mcp actor: panic", slog.String("server", config.Name), slog.Any("panic", reason), slog.String("stack", string(stack)))
	})
	s.all[config.Name] = one
	return nil
}

// Settled waits until each server has its tools on the bus or has failed to, once, or ctx ends.
func (s *Servers) Settled(ctx context.Context) {
	for _, one := range s.servers() {
		for f := one.face.Load(); !f.settled; f = one.face.Load() {
			select {
			case <-f.changed:
			case <-ctx.Done():
				return
			}
		}
	}
}

// States are how the servers stand, in no order.
func (s *Servers) States() []State {
	var out []State
	for _, one := range s.servers() {
		out = append(out, one.face.Load().State)
	}
	return out
}

// Stop takes all tools off the bus, lets what runs end, and ends the servers, side by side: 15 s at most. The error names those that did
// not end. Twice is harmless.
func (s *Servers) Stop() error {
	s.mu.Lock()
	again := s.stopped
	s.stopped = true
	s.mu.Unlock()
	if again {
		return nil
	}
	all := s.servers()
	errs := make([]error, len(all))
	var wait sync.WaitGroup
	for i, one := range all {
		wait.Go(func() { errs[i] = s.end(one) })
	}
	wait.Wait()
	s.closing.Wait()
	return errors.Join(errs...)
}

// end stops one server and its actor.
func (s *Servers) end(one *server) (err error) {
	done := make(chan struct{})
	s.engine.Send(one.self, stop{done})
	t := time.NewTimer(stopWithin)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
		err = fmt.Errorf("MCP server %s did not end", one.config.Name)
	}
	gone := s.engine.Poison(one.self)
	t.Reset(mailbox.StopWithin + time.Second)
	select {
	case <-gone.Done():
	case <-t.C:
		err = errors.Join(err, fmt.Errorf("MCP server %s: its actor did not end", one.config.Name))
	}
	return errors.Join(err, s.host.Remove(one.control().Card.Name))
}

func (s *Servers) servers() []*server {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*server
	for _, one := range s.all {
		out = append(out, one)
	}
	return out
}

// ControlName is the name on the bus of the tool that tells of a server and refreshes its list.
func ControlName(server string) string { return "mcp_" + server }

// Control is what that tool answers.
type Control struct {
	State
	// LeftOut are the sessions in which the server has a penalty, with its end and cause.
	LeftOut map[string]bus.Penalty `json:"left_out,omitempty"`
}

// control is a tool beside those of the server, so that its state is known and its list refreshed from anywhere on the bus. It names no
// agent: it is for commands and people.
func (s *server) control() tools.Tool {
	type args struct {
		Action string `json:"action"`
	}
	name := s.config.Name
	return tools.New(bus.Card{
		Name: ControlName(name), Description: fmt.Sprintf("The MCP server %s itself: its state, or its list of tools refreshed. MCP 服务器 %s 的状态，或刷新其工具列表。", name, name),
		Parameters: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string","enum":["state","refresh"],"default":"state"}},"additionalProperties":false}`),
		Effect:     bus.Idempotent, Approval: "never", Timeout: maxTimeout, Tags: []string{bus.ServerTag(name)},
	}, func(ctx context.Context, _ *tools.Call, a args) (Control, error) {
		if a.Action == "refresh" {
			if err := s.refreshed(ctx); err != nil {
				return Control{}, &bus.Error{Code: bus.CodeUnavailable, Message: fmt.Sprintf("the MCP server %s: %v", name, err)}
			}
		}
		out := Control{State: s.face.Load().State}
		sessions, err := s.bus.PenaltiesOfAll(ctx)
		if err != nil {
			return out, err
		}
		for session, all := range sessions {
			if p, ok := all[name]; ok {
				if out.LeftOut == nil {
					out.LeftOut = map[string]bus.Penalty{}
				}
				out.LeftOut[session] = p
			}
		}
		return out, nil
	})
}

// refreshed lists the tools of the server now and waits until they are on the bus.
func (s *server) refreshed(ctx context.Context) error {
	done := make(chan error, 1)
	s.engine.Send(s.self, refresh{done})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
