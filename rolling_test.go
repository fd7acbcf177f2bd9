package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Nodes are ended and started one after the other while tasks come in through a gateway and over NATS: every task has one good end, and
// none waits for a lease to lapse.
func TestRollingRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("eight processes for half a minute")
	}
	t.Parallel()
	dir, url := dataDir(t), servers(t)
	// A lease so long that a task which depended on its lapse would not end while anybody waits for it.
	config := filepath.Join(dir, "test.yaml")
	if err := os.WriteFile(config, []byte("nats: {url: '"+url+"'}\nlimits: {lease: 10m}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := func(name string) *child {
		return spawn(t, dir, ", ready in ", "--config", config, "node", "--name", name)
	}
	var nodes []*child
	for i := range 3 {
		nodes = append(nodes, begin(fmt.Sprint("node", i)))
	}
	gateway := spawn(t, dir, ", ready in ", "--config", config, "gateway", "--listen", "127.0.0.1:0")
	for i, n := range nodes {
		if line := n.is(t); !strings.Contains(line, fmt.Sprintf("hmap %s node node%d, ready in ", version, i)) {
			t.Errorf("a node's line: %s", line)
		}
	}
	page := regexp.MustCompile(`^hmap \S+ gateway, ready in \d+ ms  page (http://\S+)$`).FindStringSubmatch(gateway.is(t))
	if page == nil {
		t.Fatalf("the gateway's line: %s", gateway.said)
	}
	b, err := bus.Connect(t.Context(), bus.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)

	l := &load{t: t, bus: b, page: page[1]}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range nodes {
			nodes[i].end(t)
			nodes[i] = begin(fmt.Sprint("node", i))
			nodes[i].is(t)
		}
	}()
	for more := true; more; {
		l.run(4)
		select {
		case <-done:
			more = false
		default:
		}
	}
	l.audit()
	t.Logf("%d tasks", l.given)
	gateway.end(t)
	for _, n := range nodes {
		n.end(t)
	}
}

// load gives tasks to a cluster and counts them.
type load struct {
	t    *testing.T
	bus  *bus.Bus
	page string

	given int
}

// where is the nth task, from 1.
func where(n int) bus.Where { return bus.Where{Session: fmt.Sprint("s", n), Task: fmt.Sprint("ts", n)} }

// run gives n tasks, one every 200 ms, and waits for all. Most are small talk: what is tried is the house, not the shop.
func (l *load) run(n int) {
	l.t.Helper()
	pace := time.NewTicker(200 * time.Millisecond)
	defer pace.Stop()
	var all sync.WaitGroup
	for i := range n {
		l.given++
		w := where(l.given)
		l.submit(i, w)
		all.Go(func() {
			ctx, cancel := context.WithTimeout(l.t.Context(), patience)
			defer cancel()
			for e, err := range l.bus.Follow(ctx, w, 0) {
				if err != nil {
					l.t.Errorf("%s has not ended: %v", w.Task, err)
					return
				}
				if e.Record.Kind == bus.KindResponse && e.Record.Call == w.Task {
					return
				}
			}
		})
		<-pace.C
	}
	all.Wait()
}

func (l *load) submit(i int, w bus.Where) {
	l.t.Helper()
	s := bus.Submission{Query: "你好", Session: w.Session, Task: w.Task}
	if i%4 == 0 {
		s.Query = "我有多少订单是王萍萍买的?"
	}
	if i%2 == 0 {
		if _, err := l.bus.Submit(l.t.Context(), "master", s, ""); err != nil {
			l.t.Fatal(err)
		}
		return
	}
	body, err := json.Marshal(s)
	if err != nil {
		l.t.Fatal(err)
	}
	r, err := http.Post(l.page+"/v1/tasks", "application/json", bytes.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusAccepted {
		text, _ := io.ReadAll(r.Body)
		l.t.Fatalf("%s: %s", r.Status, text)
	}
}

// audit reads each task's log: every call has ended once, and the task well.
func (l *load) audit() {
	l.t.Helper()
	for n := range l.given {
		w := where(n + 1)
		records, err := l.bus.Read(l.t.Context(), w, 0)
		if err != nil {
			l.t.Fatal(err)
		}
		ends, good := map[string]int{}, false
		for _, r := range records {
			switch {
			case r.Kind == bus.KindRequest:
				ends[r.Call] += 0
			case r.Kind == bus.KindResponse:
				ends[r.Call]++
				good = good || r.Call == w.Task && r.Status == bus.OK
			case r.Kind == bus.KindResult && r.Status != bus.OK:
				l.t.Errorf("%s: a call failed: %v", w.Task, r.Error)
			}
		}
		for call, n := range ends {
			if n != 1 {
				l.t.Errorf("%s: call %s ended %d times", w.Task, call, n)
			}
		}
		if !good {
			l.t.Errorf("%s did not end well: %d records", w.Task, len(records))
		}
	}
}
