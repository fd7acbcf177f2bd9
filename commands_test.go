package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// started is a command that runs, and what it says.
type started struct {
	*exec.Cmd
	lines chan string
	ended chan error
}

func start(t *testing.T, dir string, args ...string) *started {
	t.Helper()
	s := &started{Cmd: command(t.Context(), dir, args...), lines: make(chan string, 1000), ended: make(chan error, 1)}
	r, err := s.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.Stdout = s.Stderr
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for in := bufio.NewScanner(r); in.Scan(); {
			s.lines <- in.Text()
		}
		close(s.lines)
		s.ended <- s.Wait()
	}()
	return s
}

// says waits for a line.
func (s *started) says(t *testing.T, text string) {
	t.Helper()
	late := time.After(30 * time.Second)
	for {
		select {
		case line, more := <-s.lines:
			if !more {
				t.Fatalf("ended without saying %q", text)
			}
			if strings.Contains(line, text) {
				return
			}
		case <-late:
			t.Fatalf("does not say %q", text)
		}
	}
}

func (s *started) status(t *testing.T, within time.Duration) int {
	t.Helper()
	select {
	case <-s.ended:
		return s.ProcessState.ExitCode()
	case <-time.After(within):
		t.Fatalf("has not ended after %v", within)
		return 0
	}
}

// bare is a server with nobody on it.
func bare(t *testing.T, dir, listen string) (*bus.Server, *bus.Bus) {
	t.Helper()
	s, err := bus.StartServer(bus.ServerOptions{Dir: dir, NoSync: true, Listen: listen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	b, err := bus.Connect(t.Context(), bus.Options{Server: s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return s, b
}

// A task that nobody takes: its person is told, and may leave, also when the server is gone.
func TestAskNobody(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, b := bare(t, dir, "127.0.0.1:0")
	c := start(t, dir, "ask", "x")
	c.says(t, "Nobody has taken the task yet")
	b.Close()
	s.Stop()
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	c.says(t, "cancelling the task")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if status := c.status(t, 8*time.Second); status != exitCancelled {
		t.Errorf("exit status %d", status)
	}
}

// Two questions at once, without a server: the second one waits for the folder.
func TestAskTwiceAtOnce(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	one, two := start(t, dir, "ask", "你好"), start(t, dir, "ask", "你好")
	if a, b := one.status(t, 60*time.Second), two.status(t, 60*time.Second); a != 0 || b != 0 {
		t.Errorf("exit statuses %d and %d", a, b)
	}
}

// A command says what it waits for, and goes on when the folder is free; so does the server, which a command may keep out for a moment.
func TestFolderInUse(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, b := bare(t, dir, "")
	c := start(t, dir, "dead")
	c.says(t, "waiting up to")
	server := start(t, dir, "serve", "--listen", "127.0.0.1:0")
	server.says(t, "waiting up to")
	b.Close()
	s.Stop()
	server.says(t, "ready in")
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if status := server.status(t, 30*time.Second); status != 0 {
		t.Errorf("exit status of the server %d", status)
	}
	if status := c.status(t, 30*time.Second); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

// Listing who is there runs no task.
func TestLookingRunsNothing(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s, b := bare(t, dir, "")
	for range 100 {
		if _, err := b.Submit(t.Context(), "master", bus.Submission{Query: "你好", Session: "s1"}, ""); err != nil {
			t.Fatal(err)
		}
	}
	b.Close()
	s.Stop()
	for range 5 { // it ends soon, so that one time might be too short to begin anything
		if out, errs, code := hmap(t, dir, "agents"); code != 0 || !strings.Contains(out, "master") {
			t.Fatalf("%d\n%s%s", code, out, errs)
		}
	}
	s, b = bare(t, dir, "")
	if records, err := b.Read(t.Context(), bus.Where{Session: "s1"}, 0); err != nil || len(records) != 0 {
		t.Errorf("listing the agents ran tasks: %d records, %v", len(records), err)
	}
	b.Close()
	s.Stop()
}

// Cancelling a task whose node has died does not go on with it.
func TestCancelWithoutServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	served := serve(t, dir)
	w := bus.Where{Session: "s1", Task: "t1"}
	if _, err := served.bus.Submit(t.Context(), "master", bus.Submission{Query: "我有多少订单是王萍萍买的?", Session: w.Session, Task: w.Task}, ""); err != nil {
		t.Fatal(err)
	}
	if kind, killed := served.killAt(t, w, 2); !killed || kind == bus.KindResponse { // begun, and known to be open
		t.Fatal(kind, killed)
	}
	served.bus.Close()
	lapse(t, dir)
	// Agents that cannot start make the order visible: the cancel is in the log before there are any.
	config := filepath.Join(dir, "broken.yaml")
	if err := os.WriteFile(config, []byte("knowledge: "+filepath.Join(dir, "nosuch")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := hmap(t, dir, "--config", config, "cancel", w.Task); code != exitFailed || !strings.Contains(errs, "knowledge") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	if out, _, code := hmap(t, dir, "log", w.Task); code != 0 || !strings.Contains(out, `"kind":"cancel"`) {
		t.Errorf("the agents come before the cancel: %d\n%s", code, out)
	}
	if out, errs, code := hmap(t, dir, "cancel", w.Task, "不要了"); code != 0 || !strings.Contains(out, "task t1: cancelled") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	_, b := bare(t, dir, "")
	records, err := b.Read(t.Context(), w, 0)
	if err != nil {
		t.Fatal(err)
	}
	told := false
	for _, r := range records {
		if told && (r.Kind == bus.KindRound || r.Kind == bus.KindIntent) {
			t.Errorf("a %s after the cancel", r.Kind)
		}
		told = told || r.Kind == bus.KindInput && r.Input.Kind == bus.Cancel
	}
	if !told {
		t.Error("the cancel is not in the log")
	}
}

// lapse waits until the node that died on a data folder counts as dead, so that its tasks are free.
func lapse(t *testing.T, dir string) {
	t.Helper()
	s, b := bare(t, dir, "")
	l, err := b.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-l.Lapsed():
	case <-time.After(30 * time.Second):
		t.Fatal("the node that was killed still counts as alive")
	}
	l.Close()
	b.Close()
	s.Stop()
}

// The bounds of the configuration are heeded: of the gateway, of tools, of the lease.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "gateway: {connections: 1}", "limits: {tool_calls: 1, tool_waiting: 0, lease: 7s}")
	var statuses []int
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.page+"/v1/ws", nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "MDEyMzQ1Njc4OTAxMjM0NQ=="} {
			r.Header.Set(k, v)
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close() // of the first, the connection
		statuses = append(statuses, answer.StatusCode)
	}
	if !slices.Equal(statuses, []int{http.StatusSwitchingProtocols, http.StatusServiceUnavailable}) {
		t.Errorf("two WebSockets where one may be open: %v", statuses)
	}

	answers := make(chan bus.Response, 50)
	for i := range cap(answers) { // each takes milliseconds
		go func() {
			call := fmt.Sprintf("t1-1-%d", i)
			r, err := s.bus.Call(t.Context(), bus.Request{Session: "s1", Task: "t1", Call: call, Caller: "orders", ToolName: "search_order_code",
				Parameter: json.RawMessage(`{"consumer_name":"王萍萍","search_keys":"订单"}`)}, nil)
			if err != nil {
				t.Error(err)
			}
			answers <- r
		}()
	}
	said := map[string]int{}
	for range cap(answers) {
		r := <-answers
		if r.Error != nil {
			said[r.Error.Code]++
		} else {
			said[string(r.Status)]++
		}
	}
	if said["ok"] == 0 || said[bus.CodeBusy] == 0 || said["ok"]+said[bus.CodeBusy] != cap(answers) {
		t.Errorf("50 calls of a tool that takes one, and lets none wait: %v", said)
	}

	js, err := jetstream.New(s.bus.Conn())
	if err != nil {
		t.Fatal(err)
	}
	nodes, err := js.KeyValue(t.Context(), bus.NodesBucket)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := nodes.Keys(t.Context())
	if err != nil || len(keys) != 1 {
		t.Fatal(keys, err)
	}
	if lease, err := nodes.Get(t.Context(), keys[0]); err != nil || !strings.Contains(string(lease.Value()), `"ttl_ms":7000`) {
		t.Errorf("the lease: %s, %v", lease.Value(), err)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"ask"}, exitUsage, "question"},
		{[]string{"ask", "--nosuch", "x"}, exitUsage, "nosuch"},
		{[]string{"ask", "--help"}, 0, "130"},
		{[]string{"--version"}, 0, version},
		{[]string{"ask", " \n"}, exitUsage, "empty"},
		{[]string{"answer", "t"}, exitUsage, "--approve"},
		{[]string{"--nats", "nats://SECRET1@127.0.0.1:1,nats://SECRET2@127.0.0.1:port", "dead"}, exitFailed, "127.0.0.1:port"},
	} {
		out, errs, code := hmap(t, dir, c.args...)
		if code != c.code || !strings.Contains(out+errs, c.says) || strings.Contains(out+errs, "SECRET") {
			t.Errorf("%q: exit status %d, want %d\n%s%s", c.args, code, c.code, out, errs)
		}
	}
}

// What is in a table may come from other nodes, and is printed as what it is.
func TestRow(t *testing.T) {
	var b bytes.Buffer
	table := tabwriter.NewWriter(&b, 0, 4, 2, ' ', 0)
	row(table, "tool", "a\tb\nc", "ok \x1b[2J\x1b]0;owned\x07", "\u202ex")
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); s != "tool  a b  ok [2J]0;owned  x\n" {
		t.Errorf("%q", s)
	}
}
