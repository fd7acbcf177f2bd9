package gateway_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway"
)

// The page in a real browser: web/e2e/page.mjs drives it and says what a person must see. The gateway and the log are real;
// in place of agents, the script has records appended through a door of this test.
func TestPageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium := os.Getenv("HMAP_CHROMIUM")
	if chromium == "" {
		chromium = "/usr/bin/chromium"
	}
	if _, err := os.Stat(chromium); err != nil {
		t.Fatalf("%v: install it with `make browser`, or name one in HMAP_CHROMIUM", err)
	}
	if _, err := os.Stat(filepath.Join("web", "e2e", "node_modules", "playwright-core")); err != nil {
		t.Fatalf("%v: install it with `make browser`", err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatalf("%v: the browser's script needs Node.js 20 or newer", err)
	}
	if _, err := os.Stat(filepath.Join("web", "e2e", "page.mjs")); err != nil { // looked at so that go test's cache knows of it
		t.Fatal(err)
	}
	h := open(t, gateway.Options{Apart: func(text string, _ bus.Ask) bool { return strings.HasPrefix(text, "看看") }})
	agent, err := h.bus.Serve(bus.Card{Name: "orders", Kind: "agent", Description: "查询和统计订单\nFinds and counts orders", Tags: []string{"订单", "order", "订单专员", "Order clerk"}}, func(*bus.Incoming) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Stop)
	front := &cuttable{Handler: h.gate.Handler()}
	page := httptest.NewUnstartedServer(front)
	page.Config.ConnState = front.track
	page.Start()
	t.Cleanup(page.Close)
	door := httptest.NewServer(scripted(h, front))
	t.Cleanup(door.Close)

	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "page.mjs")
	cmd.Dir = filepath.Join("web", "e2e")
	cmd.Env = append(os.Environ(), "HMAP_CHROMIUM="+chromium, "HMAP_PAGE="+page.URL, "HMAP_DOOR="+door.URL, "HMAP_PROFILE="+t.TempDir())
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		t.Log(lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the browser's script: %v", err)
	}
}

// scripted is the door through which the script plays the agents: it writes records and live text, reads what the person
// said, and cuts and restores the line.
func scripted(h *house, front *cuttable) http.Handler {
	var mu sync.Mutex
	last, titles := map[string]uint64{}, map[string]string{}
	read := func(r *http.Request, into any) {
		if err := json.NewDecoder(r.Body).Decode(into); err != nil {
			h.Error(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /append", func(w http.ResponseWriter, r *http.Request) {
		var rec bus.Record
		read(r, &rec)
		mu.Lock()
		defer mu.Unlock()
		c := &call{house: h, session: rec.Session, task: rec.Task, call: rec.Call, last: last[rec.Call]}
		last[rec.Call] = c.append(rec)
		if rec.Call == rec.Task {
			index(h, titles, rec)
		}
	})
	mux.HandleFunc("POST /live", func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Session string
			Live    bus.Live
		}
		read(r, &body)
		h.say(body.Session, body.Live)
	})
	mux.HandleFunc("GET /inputs/{session}", func(w http.ResponseWriter, r *http.Request) {
		recs, err := h.bus.Read(r.Context(), bus.Where{Session: r.PathValue("session")}, 0)
		if err != nil {
			h.Error(err)
		}
		said := []*bus.Input{}
		for _, rec := range recs {
			if rec.Kind == bus.KindInput && rec.Input != nil {
				said = append(said, rec.Input)
			}
		}
		json.NewEncoder(w).Encode(said)
	})
	mux.HandleFunc("POST /remove/{session}", func(_ http.ResponseWriter, r *http.Request) {
		if err := h.bus.Remove(r.Context(), r.PathValue("session")); err != nil {
			h.Error(err)
		}
	})
	mux.HandleFunc("POST /cut", func(http.ResponseWriter, *http.Request) { front.cut() })
	mux.HandleFunc("POST /mend", func(http.ResponseWriter, *http.Request) { front.mend() })
	mux.HandleFunc("POST /bus/stop", func(http.ResponseWriter, *http.Request) { h.stopBus() })
	mux.HandleFunc("POST /bus/mend", func(http.ResponseWriter, *http.Request) { h.mendBus() })
	return mux
}

// index keeps what lists of sessions are made of, as nodes do beside the log: which tasks are open or wait, and a snapshot once one has ended. titles
// are the first requests, by session.
func index(h *house, titles map[string]string, rec bus.Record) {
	ctx := context.Background()
	var err error
	switch rec.Kind {
	case bus.KindRequest:
		if _, known := titles[rec.Session]; !known {
			titles[rec.Session] = rec.Request.JobDesc
		}
		err = h.bus.MarkOpen(ctx, bus.OpenTask{Session: rec.Session, Task: rec.Task})
	case bus.KindAsk, bus.KindInput:
		err = h.bus.MarkOpen(ctx, bus.OpenTask{Session: rec.Session, Task: rec.Task, Waiting: rec.Kind == bus.KindAsk})
	case bus.KindResponse:
		var s bus.Snapshot
		if s, err = h.bus.Snapshot(ctx, rec.Session); err == nil {
			s.Title, s.Last, s.Tasks = titles[rec.Session], time.Now(), s.Tasks+1
			err = errors.Join(h.bus.KeepSnapshot(ctx, &s), h.bus.Unmark(ctx, rec.Session, rec.Task))
		}
	}
	if err != nil {
		h.Error(err)
	}
}

// cuttable is a handler whose lines can be cut, and kept cut, as by a bad network.
type cuttable struct {
	http.Handler
	mu     sync.Mutex
	broken bool
	lines  map[net.Conn]bool
}

func (c *cuttable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	broken := c.broken
	c.mu.Unlock()
	if broken {
		panic(http.ErrAbortHandler)
	}
	c.Handler.ServeHTTP(w, r)
}

func (c *cuttable) track(line net.Conn, s http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lines == nil {
		c.lines = map[net.Conn]bool{}
	}
	switch s {
	case http.StateHijacked:
		c.lines[line] = true
	case http.StateClosed:
		delete(c.lines, line)
	}
}

func (c *cuttable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = true
	for line := range c.lines {
		line.Close()
	}
	clear(c.lines)
}

func (c *cuttable) mend() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = false
}
