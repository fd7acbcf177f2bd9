package mcp

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/hmap-project/hmap/bus"
)

// listedBy is a server of one tool that calls before whenever it is asked for its tools. It never says that they change.
func listedBy(t testing.TB, before func(r *http.Request)) (*mcpserver.MCPServer, string) {
	t.Helper()
	s := mcpserver.NewMCPServer("ours", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("first", mcp.WithDescription("the first")), nothing)
	inner := mcpserver.NewStreamableHTTPServer(s)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if bytes.Contains(body, []byte(`"tools/list"`)) {
			before(r)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return s, web.URL + "/mcp"
}

func nothing(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultText("nothing"), nil
}

// The lists of all servers are loaded at the same time: none of these answers before all of them are asked.
func TestListsAreLoadedSideBySide(t *testing.T) {
	t.Parallel()
	names := []string{"one", "two", "three"}
	asked, all := make(chan struct{}, 100), make(chan struct{})
	go func() { // ends when each was asked once, or with the test
		for range names {
			select {
			case <-asked:
			case <-t.Context().Done():
				return
			}
		}
		close(all)
	}()
	var servers []Server
	for _, name := range names {
		var once sync.Once
		_, address := listedBy(t, func(r *http.Request) {
			once.Do(func() { asked <- struct{}{} })
			select {
			case <-all:
			case <-r.Context().Done():
			}
		})
		servers = append(servers, Server{Name: name, URL: address})
	}
	w := newWorld(t, Options{}, servers...)
	for _, name := range names {
		w.until(name, func(s State) bool { return s.State == "up" && s.Tools == 1 })
	}
}

// A list that has grown old is read anew, also of a server that says nothing of changes.
func TestListsGrowOld(t *testing.T) {
	t.Parallel()
	s, address := listedBy(t, func(*http.Request) {})
	w := newWorld(t, Options{Refresh: 20 * time.Millisecond}, Server{Name: "ours", URL: address})
	s.AddTool(mcp.NewTool("second", mcp.WithDescription("the second")), nothing)
	w.until("ours", func(s State) bool { return s.Tools == 2 })
	s.DeleteTools("first")
	w.until("ours", func(s State) bool { return s.Tools == 1 })
}

// A server that dies again and again is started after twice as long each time.
func TestRestartsBackOff(t *testing.T) {
	t.Parallel()
	pauses := pausesOf{make(chan time.Duration, 100)}
	newWorld(t, Options{Log: slog.New(pauses)}, hostileServer("dies"))
	for want := restartFirst; want <= restartFirst<<3; want *= 2 {
		select {
		case got := <-pauses.heard:
			if got != want {
				t.Errorf("it is started again after %v, want %v", got, want)
			}
		case <-time.After(patience):
			t.Fatal("it is not started again")
		}
	}
}

// pausesOf hears from the log after how long servers are started again.
type pausesOf struct{ heard chan time.Duration }

func (pausesOf) Enabled(context.Context, slog.Level) bool { return true }

func (p pausesOf) WithAttrs([]slog.Attr) slog.Handler { return p }

func (p pausesOf) WithGroup(string) slog.Handler { return p }

func (p pausesOf) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "again_in" {
			p.heard <- a.Value.Duration()
		}
		return true
	})
	return nil
}

// A penalty ends by itself.
func TestPenaltyEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{Penalty: 300 * time.Millisecond}, hostileServer("hangs"))
	w.failing(bus.CodeTimeout, "hangs__run", `{}`)
	for late := time.After(patience); ; {
		answer := w.ask(request("hangs__run", `{}`))
		if answer.Error != nil && answer.Error.Code == bus.CodeTimeout { // it was let in again
			return
		}
		if answer.Error == nil || answer.Error.Code != bus.CodeForbidden || !strings.Contains(answer.Error.Message, "left out in this session until") {
			t.Fatalf("%s %v", answer.Status, answer.Error)
		}
		select {
		case <-late:
			t.Fatal("it is left out for ever")
		default:
		}
	}
}

// What is left out of a configuration is as the page of the tools says.
func TestDefaults(t *testing.T) {
	s := Server{Name: "a", Command: "x"}
	if err := s.check(); err != nil || s.Timeout != 10*time.Second || s.AtOnce != 8 {
		t.Errorf("%+v %v", s, err)
	}
	if o := (Options{}).filled(); o.Refresh != 5*time.Minute || o.Penalty != 5*time.Minute || o.MaxTools != 256 {
		t.Errorf("%+v", o)
	}
}
