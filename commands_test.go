package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// ontoFullDisk is a command whose standard output cannot be written.
func ontoFullDisk(t *testing.T, dir string, args ...string) (stderr string, code int) {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return "no space left on a system without such a device", exitFailed
	}
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var errs bytes.Buffer
	c := command(t.Context(), dir, args...)
	c.Stdout, c.Stderr = full, &errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return errs.String(), c.ProcessState.ExitCode()
}

// The commands of the command line, against a server that runs.
func TestCommands(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	var out, errs, missing string
	var code int
	for end := time.Now().Add(patience); ; { // a server that is busy with its own start may answer late
		out, errs, code = raced(t, dir, "agents")
		missing = ""
		for _, name := range []string{"master", "orders", "rules", "search_order_code", "check_shop_qualifications", "search_rules"} {
			if !strings.Contains(out, name) {
				missing = name
			}
		}
		if missing == "" || time.Now().After(end) {
			break
		}
	}
	if missing != "" {
		t.Errorf("agents does not list %s: %d\n%s%s", missing, code, out, errs)
	}
	out, errs, code = raced(t, dir, "ask", "--json", "我有多少订单是王萍萍买的?")
	if code != 0 {
		t.Fatal(out, errs)
	}
	var task, last string
	for line := range strings.Lines(out) {
		var r struct {
			Seq        uint64
			Kind, Task string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Seq == 0 {
			t.Fatalf("%s: %v", line, err)
		}
		task, last = r.Task, r.Kind
	}
	if last != "response" {
		t.Errorf("the last record is a %s", last)
	}
	if logged, _, code := raced(t, dir, "log", task); code != 0 || logged != out {
		t.Errorf("log differs from what was seen:\n%s\n%s", logged, out)
	}
	for _, args := range [][]string{{"ask", "我有多少订单是王萍萍买的?"}, {"ask", "--json", "我有多少订单是王萍萍买的?"}, {"replay", task}, {"log", task}} {
		if errs, code := ontoFullDisk(t, dir, args...); code != exitFailed || !strings.Contains(errs, "no space left") {
			t.Errorf("%v onto a full disk: %d %s", args, code, errs)
		}
	}
	c := command(t.Context(), dir, "ask", "-")
	c.Stdin = strings.NewReader("我有多少订单\n是王萍萍买的?\n")
	if piped, err := c.Output(); err != nil || !strings.Contains(string(piped), "search_order_code") {
		t.Errorf("a question from the standard input: %v\n%s", err, piped)
	}
	if replay, _, code := raced(t, dir, "replay", task); code != 0 || !strings.Contains(replay, "search_order_code") {
		t.Errorf("%d\n%s", code, replay)
	}
	if _, errs, code := raced(t, dir, "log", "nosuch"); code != exitFailed || !strings.Contains(errs, "no task") {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, code := raced(t, dir, "log", "a.b>"); code != exitFailed || errs == "" {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, _ = raced(t, dir, "ask", "开店要什么资质"); goOn.FindStringSubmatch(errs) == nil {
		t.Fatal(errs)
	}
	waiting := goOn.FindStringSubmatch(errs)[2]
	if out, errs, code := raced(t, dir, "cancel", waiting, "不要了"); code != 0 || !strings.Contains(out, "cancelled") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if out, _, code := raced(t, dir, "cancel", waiting); code != 0 || !strings.Contains(out, "ended already") {
		t.Errorf("%d %s", code, out)
	}
	if _, errs, code := raced(t, dir, "serve", "--listen", "127.0.0.1:0"); code != exitFailed || !strings.Contains(errs, "already in use") {
		t.Errorf("a second server on the same folder: %d %s", code, errs)
	}
	for _, path := range []string{"/healthz", "/readyz", "/"} {
		resp, err := http.Get(s.page + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	// A supervisor's signal ends it orderly.
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("after SIGTERM: %v; %s", err, s.out)
		}
	case <-time.After(patience):
		t.Errorf("still there after SIGTERM; %s", s.out)
	}
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
	if status := c.status(t); status != exitCancelled {
		t.Errorf("exit status %d", status)
	}
}

// Two questions at once, without a server: the second one waits for the folder.
func TestAskTwiceAtOnce(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	one, two := start(t, dir, "ask", "你好"), start(t, dir, "ask", "你好")
	if a, b := one.status(t), two.status(t); a != 0 || b != 0 {
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
	if status := server.status(t); status != 0 {
		t.Errorf("exit status of the server %d", status)
	}
	if status := c.status(t); status != 0 {
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
	if _, err := b.Submit(t.Context(), "mater", bus.Submission{Query: "你好"}, ""); err != nil {
		t.Fatal(err)
	}
	b.Close()
	s.Stop()
	for range 5 { // it ends soon, so that one time might be too short to begin anything
		if out, errs, code := hmap(t, dir, "agents"); code != 0 || !strings.Contains(out, "master") || !regexp.MustCompile(`awaited +mater +not there; tasks that wait for it: 1`).MatchString(out) {
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
		{[]string{"ask", "--session", "nosuch", "x"}, exitFailed, `no session "nosuch"`},
		{[]string{"ask", "--help"}, 0, "130"},
		{[]string{"--version"}, 0, version},
		{[]string{"ask", " \n"}, exitUsage, "empty"},
		{[]string{"answer", "t"}, exitUsage, "--approve"},
		{[]string{"--data", os.DevNull, "sessions"}, exitFailed, "give another one with --data"},
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
