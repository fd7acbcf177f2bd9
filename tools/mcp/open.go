package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

const (
	// maxOpened bounds the servers that requests have had opened; more are refused until some have been idle for long.
	maxOpened = 32
	openedFor = 10 * time.Minute // since its last use
	// openWithin is how long a request waits for one to begin.
	openWithin = 15 * time.Second
)

// Begin puts the tool on the bus that opens servers for requests, when addresses are configured for that.
func (s *Servers) Begin() error {
	if len(s.o.Open) == 0 {
		return nil
	}
	type args struct {
		URL string `json:"url"`
	}
	return s.host.Add(tools.New(bus.Card{
		Name: bus.OpenTool, Description: "Opens the MCP server at an address that a request names. 打开请求指定地址的 MCP 服务器。",
		Parameters: json.RawMessage(`{"type":"object","required":["url"],"properties":{"url":{"type":"string","maxLength":2000}}}`),
		Effect:     bus.Idempotent, Approval: "never", Timeout: openWithin + slack,
	}, func(ctx context.Context, _ *tools.Call, a args) (State, error) {
		state, err := s.Open(ctx, a.URL)
		if err != nil {
			return state, &bus.Error{Code: bus.CodeForbidden, Message: err.Error()}
		}
		return state, nil
	}))
}

// Open gives the server at an address, opened if it is not open yet, and waits until it has begun or failed to, 15 s at most. Its name is
// [bus.ServerName]; only requests that name it may use it. The error says that the address is none, that it may not be opened, or that
// too many are.
func (s *Servers) Open(ctx context.Context, address string) (State, error) {
	name := bus.ServerName(address)
	s.mu.Lock()
	one := s.all[name]
	if one == nil {
		if err := s.mayOpen(address); err != nil {
			s.mu.Unlock()
			return State{}, err
		}
		path, _, _ := strings.Cut(address, "?")
		if err := s.add(Server{Name: name, URL: address, SSE: strings.HasSuffix(path, "/sse"), Agents: s.o.OpenFor, OnRequest: true, stranger: true}); err != nil {
			s.mu.Unlock()
			return State{}, err
		}
		one = s.all[name]
		one.opened = true
		s.watch(one)
	}
	one.used.Store(time.Now().UnixNano())
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	for {
		f := one.face.Load()
		if f.settled {
			return f.State, nil
		}
		select {
		case <-f.changed:
		case <-ctx.Done():
			return f.State, nil
		}
	}
}

// mayOpen holds an address against the configuration.
func (s *Servers) mayOpen(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || strings.Contains(u.Path, "..") {
		return fmt.Errorf("%.200q is no address of an MCP server", address)
	}
	allowed := false
	for _, begin := range s.o.Open {
		b, err := url.Parse(begin)
		if err == nil && b.Scheme == u.Scheme && b.Host == u.Host &&
			(u.Path == b.Path || strings.HasPrefix(u.Path, strings.TrimSuffix(b.Path, "/")+"/")) {
			allowed = true
		}
	}
	opened := 0
	for _, other := range s.all {
		if other.opened {
			opened++
		}
	}
	switch {
	case !allowed:
		return fmt.Errorf("requests may not open %s://%s%s; the configuration says which they may (mcp.open)", u.Scheme, u.Host, u.Path)
	case opened >= maxOpened:
		return errors.New("too many MCP servers are open for requests; try again later")
	}
	return nil
}

// watch closes a server that nobody has used for long.
func (s *Servers) watch(one *server) {
	time.AfterFunc(openedFor, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case s.stopped || s.all[one.config.Name] != one:
		case time.Since(time.Unix(0, one.used.Load())) < openedFor:
			s.watch(one)
		default:
			delete(s.all, one.config.Name)
			s.closing.Go(func() {
				if err := s.end(one); err != nil {
					s.o.Log.Warn("mcp: an idle server", slog.Any("error", err))
				}
			})
		}
	})
}
