package mcp

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/bus/bustest/leaks"
	"github.com/hmap-project/hmap/tools"
)

func TestMain(m *testing.M) {
	if os.Getenv(hostileEnv) != "" { // we are the child of a test
		hostile(os.Getenv(hostileEnv))
		return
	}
	goleak.VerifyTestMain(m, leaks.OfLibraries()...)
}

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = 60 * time.Second

// world is a bus with a host and MCP servers.
type world struct {
	*Servers
	t testing.TB
}

func newWorld(t testing.TB, o Options, servers ...Server) world {
	t.Helper()
	return newWorldOn(t, bustest.New(t), o, servers...)
}

func newWorldOn(t testing.TB, b *bus.Bus, o Options, servers ...Server) world {
	t.Helper()
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	host := tools.NewHost(b, engine, tools.Options{Log: o.Log, Grace: time.Second})
	t.Cleanup(func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	})
	w := world{New(b, engine, host, o), t}
	t.Cleanup(func() {
		if err := w.Stop(); err != nil {
			t.Error(err)
		}
	})
	for _, s := range servers {
		if err := w.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	w.settle()
	return w
}

func (w world) settle() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.Settled(ctx)
	if ctx.Err() != nil {
		w.t.Fatalf("the servers are not settled: %+v", w.States())
	}
}

// until waits until the state of a server is as it should be.
func (w world) until(server string, ok func(State) bool) State {
	w.t.Helper()
	w.mu.Lock()
	s := w.all[server]
	w.mu.Unlock()
	late := time.After(patience)
	for {
		f := s.face.Load()
		if ok(f.State) {
			return f.State
		}
		select {
		case <-f.changed:
		case <-late:
			w.t.Fatalf("%s is still %+v", server, f.State)
		}
	}
}

var calls atomic.Int64

// request is a call of a tool, with an id of its own unless it has one.
func request(tool, parameter string) bus.Request {

	return bus.Request{Session: "s1", Task: "t1", Call: bus.ChildID("t1", 1, int(calls.Add(1))), Caller: "tester", ToolName: tool, Parameter: json.RawMessage(parameter)}
}

func (w world) ask(r bus.Request) bus.Response {
	w.t.Helper()
	return w.heard(r, nil)
}

func (w world) heard(r bus.Request, progress func(bus.Response)) bus.Response {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := w.bus.Call(ctx, r, progress)
	if err != nil {
		w.t.Errorf("call %s of %s: %v", r.Call, r.ToolName, err)
	}
	return answer
}

// ok is the observation of a call that must go well.
func (w world) ok(tool, parameter string) string {
	w.t.Helper()
	r := w.ask(request(tool, parameter))
	if r.Status != bus.OK {
		w.t.Fatalf("%s %s: %s %v", tool, parameter, r.Status, r.Error)
	}
	return string(r.Observation)
}

// failing is the error of a call that must fail with a code.
func (w world) failing(code, tool, parameter string) string {
	w.t.Helper()
	r := w.ask(request(tool, parameter))
	if r.Status != bus.Failed || r.Error.Code != code {
		w.t.Fatalf("%s %s: %s %s %v; want %s", tool, parameter, r.Status, r.Observation, r.Error, code)
	}
	return r.Error.Message
}

// npm is the command of a real server; `make servers` installs them.
func npm(t testing.TB, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "servers", "node_modules", ".bin", "mcp-server-"+name))
	if err == nil {
		_, err = exec.LookPath(path)
	}
	if err != nil {
		t.Fatalf("the MCP servers of the tests are not installed; run `make servers`: %v", err)
	}
	return path
}
