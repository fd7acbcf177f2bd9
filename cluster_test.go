package main

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// The shop's tools are served from one copy: by all nodes of this machine that share the file, and by no other.
func TestOneCopyOfTheShop(t *testing.T) {
	t.Parallel()
	dir, other := dataDir(t), dataDir(t)
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	node := func(dir string, args ...string) *child {
		return spawn(t, dir, ", ready in ", append([]string{"--nats", s.URL(), "node"}, args...)...)
	}
	first := node(dir, "--agents", "none")
	if line := first.is(t); !strings.Contains(line, ": 0 agents, ") || strings.Contains(line, " 0 tools") || strings.Contains(line, "@") {
		t.Errorf("its line: %s", line)
	}
	if _, errs, code := hmap(t, other, "--nats", s.URL(), "node"); code != exitFailed || !strings.Contains(errs, "another copy of the shop") {
		t.Errorf("a second copy: %d %s", code, errs)
	}
	same := node(dir)
	same.is(t)
	agents := node(other, "--tools", "none", "--agents", "master,orders")
	if line := agents.is(t); !strings.Contains(line, ": 2 agents (planner alone), 0 tools") {
		t.Errorf("its line: %s", line)
	}
	// What is changed through one node is seen through the others: three out of four approvals are looked up elsewhere.
	order := pending(t, dir)
	if out, errs, code := hmap(t, other, "--nats", s.URL(), "ask", "取消订单 "+order); code != exitWaiting {
		t.Fatalf("%d\n%s%s", code, out, errs)
	} else if m := goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	} else if out, errs, code := hmap(t, other, "--nats", s.URL(), "answer", m[2], "--approve"); code != 0 {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	for range 4 {
		if out, errs, code := hmap(t, other, "--nats", s.URL(), "ask", "订单 "+order+" 的状态"); code != 0 || !strings.Contains(out, "已取消") {
			t.Errorf("%d\n%s%s", code, out, errs)
		}
	}
	for _, c := range []*child{agents, same, first} {
		c.end(t)
	}
}

// A node waits for NATS and says so, as a question does, ends when it is told to meanwhile, and answers those who watch over it.
func TestNodeWaitsForNATS(t *testing.T) {
	t.Parallel()
	plainHmap(t) // made before anything waits for it
	dir, at, health := dataDir(t), freePort(t), freePort(t)
	for _, command := range [][]string{{"node"}, {"serve", "--listen", "127.0.0.1:0"}} {
		early := spawn(t, dir, "waiting for NATS", append([]string{"--nats", "nats://" + at}, command...)...)
		early.is(t)
		told := time.Now()
		if err := early.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case <-early.ended:
		case <-time.After(patience):
			t.Fatalf("%v that waits does not end:\n%s", command, early.said)
		}
		if took := time.Since(told); took > natsWithin*2/3 { // a command gives up after natsWithin, told or not
			t.Errorf("%v that waits has ended after %v", command, took)
		}
	}
	early := spawn(t, dir, ", ready in ", "--nats", "nats://"+at, "node", "--health", health)
	asked := start(t, t.TempDir(), "--nats", "nats://"+at, "ask", "你好") // a command waits as well, though not for ever
	asked.says(t, "waiting for NATS: no server of "+at+" listens")
	_, port, _ := net.SplitHostPort(at)
	nats := spawn(t, dir, "Server is ready", "nats", "-js", "-sd", t.TempDir(), "-a", "127.0.0.1", "-p", port)
	nats.is(t)
	early.is(t)
	if status := asked.status(t); status != 0 {
		t.Errorf("the question that came before NATS: exit status %d", status)
	}
	ask := func(path string, want int) {
		t.Helper()
		r, err := http.Get("http://" + health + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: %s", path, r.Status)
		}
	}
	ask("/healthz", http.StatusOK)
	ask("/readyz", http.StatusOK)
	nats.end(t)
	ask("/healthz", http.StatusOK)
	ask("/readyz", http.StatusServiceUnavailable)
	early.end(t) // also without NATS
}
