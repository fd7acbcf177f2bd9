package search

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"testing"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/web"
)

// base is the shipped rules, read once for all tests.
var base = sync.OnceValues(func() (*knowledge.Base, error) {
	return knowledge.Open(knowledge.Rules(), knowledge.Options{Recheck: -1})
})

// tests closes what all of them share, before goleak looks.
type tests struct{ *testing.M }

func (m tests) Run() int {
	code := m.M.Run()
	if b, err := base(); err == nil && b.Close() != nil {
		return 1
	}
	return code
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(tests{m}, goleak.IgnoreCurrent()) // bleve starts its analysers at import
}

// loopback are the networks that the tests' own servers are in.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// world is a bus with deep_search on it.
type world struct {
	*bus.Bus
	t *testing.T
	n int

	mu    sync.Mutex
	lines []string // of progress
}

func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	if o.Log == nil {
		o.Log = quiet
	}
	w := &world{Bus: bustest.New(t), t: t}
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	host := tools.NewHost(w.Bus, engine, tools.Options{Log: quiet})
	t.Cleanup(func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := host.Add(New(o).Tool()); err != nil {
		t.Fatal(err)
	}
	return w
}

// ask makes a call and waits for its answer.
func (w *world) ask(ctx context.Context, q Question) bus.Response {
	w.t.Helper()
	p := map[string]any{"query": q.Query}
	if q.Rounds > 0 {
		p["rounds"] = q.Rounds
	}
	parameter, err := json.Marshal(p)
	if err != nil {
		w.t.Fatal(err)
	}
	w.n++
	answer, err := w.Call(ctx, bus.Request{Session: "s", Task: "t", Call: "t-1-" + string(rune('0'+w.n)), ToolName: "deep_search", Caller: "researcher", Parameter: parameter},
		func(p bus.Response) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.lines = append(w.lines, p.Progress)
		})
	if err != nil && ctx.Err() == nil {
		w.t.Fatal(err)
	}
	return answer
}

// search is ask for an answer that is one.
func (w *world) search(query string) (Result, bus.Response) {
	w.t.Helper()
	answer := w.ask(w.t.Context(), Question{Query: query})
	if answer.Status != bus.OK {
		w.t.Fatalf("%s: %s %v", query, answer.Status, answer.Error)
	}
	var out Result
	if err := json.Unmarshal(answer.Observation, &out); err != nil {
		w.t.Fatal(err)
	}
	return out, answer
}

func rules(t *testing.T) *knowledge.Base {
	t.Helper()
	b, err := base()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func fetcher(t *testing.T, o web.Options) *web.Fetcher {
	t.Helper()
	if o.Allow == nil {
		o.Allow = loopback
	}
	f := web.New(o)
	t.Cleanup(f.Close)
	return f
}
