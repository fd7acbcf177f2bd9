package mcp

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/hmap-project/hmap/bus"
)

// listening is a real server on a port of this machine.
type listening struct {
	t    testing.TB
	kind string
	port int
	cmd  *exec.Cmd
}

func listen(t testing.TB, kind string) *listening {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &listening{t: t, kind: kind, port: l.Addr().(*net.TCPAddr).Port}
	_ = l.Close()
	s.start()
	t.Cleanup(s.kill)
	return s
}

// start waits until it listens.
func (s *listening) start() {
	s.t.Helper()
	s.cmd = exec.Command(npm(s.t, "everything"), s.kind)
	s.cmd.Env = append(os.Environ(), "PORT="+strconv.Itoa(s.port))
	grouped(s.cmd)
	errs, err := s.cmd.StderrPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() { // ends with the process
		said := bufio.NewScanner(errs)
		for open := true; said.Scan(); {
			if open && strings.Contains(strings.ToLower(said.Text()), "on port") {
				open = false
				close(ready)
			}
		}
	}()
	select {
	case <-ready:
	case <-time.After(patience):
		s.t.Fatal("the server does not listen")
	}
}

func (s *listening) kill() {
	kill(s.cmd)
	_ = s.cmd.Wait() // it was killed
}

func (s *listening) server(path string) Server {
	return Server{Name: "every", URL: fmt.Sprintf("http://127.0.0.1:%d/%s", s.port, path), SSE: path == "sse", Approval: "never"}
}

// Over HTTP, in both ways; killed and there again, also in the middle of a call.
func TestOverHTTP(t *testing.T) {
	t.Parallel()
	for path, kind := range map[string]string{"mcp": "streamableHttp", "sse": "sse"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := listen(t, kind)
			config := s.server(path)
			config.Timeout = time.Minute
			config.Effects = map[string]bus.Effect{"trigger-long-running-operation": bus.Read}
			w := newWorld(t, Options{}, config)
			if state := w.until("every", func(State) bool { return true }); state.State != "up" || state.Tools < 8 {
				t.Fatalf("%+v", state)
			}
			if got := w.ok("every__echo", `{"message":"hello"}`); !strings.Contains(got, "hello") {
				t.Error(got)
			}
			if got := w.ok("every__get-structured-content", `{"location":"New York"}`); !strings.Contains(got, `"temperature"`) {
				t.Error(got)
			}
			s.kill()
			s.start()
			if got := w.ok("every__echo", `{"message":"again"}`); !strings.Contains(got, "again") { // the first try finds the old session gone
				t.Error(got)
			}
			killed := false
			answer := w.heard(request("every__trigger-long-running-operation", `{"duration":1,"steps":4}`), func(p bus.Response) {
				if p.Progress != "" && !killed {
					killed = true
					s.kill()
					s.start()
				}
			})
			if !killed || answer.Status != bus.OK {
				t.Errorf("killed %v: %s %s %v", killed, answer.Status, answer.Observation, answer.Error)
			}
		})
	}
}

// A server of the newest protocol, and one of the older: what they tell of changes is heard, over HTTP too.
func TestToolsThatChange(t *testing.T) {
	t.Parallel()
	s := mcpserver.NewMCPServer("ours", "1", mcpserver.WithToolCapabilities(true))
	run := func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("ran " + r.Params.Name), nil
	}
	s.AddTool(mcp.NewTool("first", mcp.WithDescription("the first")), run)
	web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(s))
	t.Cleanup(web.Close)
	w := newWorld(t, Options{}, Server{Name: "ours", URL: web.URL + "/mcp"})
	w.until("ours", func(s State) bool { return s.Tools == 1 })
	s.AddTool(mcp.NewTool("second", mcp.WithDescription("the second")), run)
	w.until("ours", func(s State) bool { return s.Tools == 2 })
	s.DeleteTools("first")
	w.until("ours", func(s State) bool { return s.Tools == 1 })
	d, err := w.bus.Directory(t.Context())
	if err == nil {
		err = d.Await(t.Context(), "ours__second")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Stop(); err != nil { // it listens to us, and would hold up its own end
		t.Error(err)
	}
}

// Keys are for the server that they were given for.
func TestHeadersStayAtHome(t *testing.T) {
	t.Parallel()
	stolen := make(chan string, 10)
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { stolen <- r.Header.Get("Authorization") }))
	t.Cleanup(thief.Close)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, thief.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(front.Close)
	w := newWorld(t, Options{}, Server{Name: "front", URL: front.URL, Header: map[string]string{"Authorization": "Bearer key"}})
	if s := w.until("front", func(s State) bool { return s.State == "down" }); !strings.Contains(s.Trouble, "another host") {
		t.Errorf("%+v", s)
	}
	select {
	case key := <-stolen:
		t.Errorf("the other host was asked, with %q", key)
	default:
	}
}

// An answer without end is cut off.
func TestFloodOverHTTP(t *testing.T) {
	t.Parallel()
	flood := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"x":"`)
		for r.Context().Err() == nil {
			if _, err := w.Write(bytes.Repeat([]byte("y"), 1<<20)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(flood.Close)
	w := newWorld(t, Options{}, Server{Name: "flood", URL: flood.URL})
	if s := w.until("flood", func(s State) bool { return s.State == "down" }); !strings.Contains(s.Trouble, "16 MiB") {
		t.Errorf("%+v", s)
	}
}
