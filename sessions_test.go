package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest/crash"
)

// The list of sessions, the tasks of one, and its removal, from the command line and without a server.
func TestSessionsCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, errs, code := hmap(t, t.TempDir(), "sessions"); code != 0 || !strings.Contains(out, "no sessions") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	s, b := bare(t, dir, "")
	// A log of an earlier version: records, and no snapshots.
	for i, at := range []struct {
		session, task, query string
		ended                bool
	}{{"s1", "t1", "第一个问题\nand more", true}, {"s2", "t2", "second question", true}, {"s2", "t3", "still \x1b[31mopen", false}, {"s3", "t4", "third", true}} {
		if at.session == "s3" { // behind these marks
			markOpen(t, b)
		}
		r := bus.Record{Kind: bus.KindRequest, Session: at.session, Task: at.task, Call: at.task, Agent: "master"}
		if at.session == "s1" {
			r.Time = time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC)
		}
		r.Request = &bus.Request{Session: at.session, Task: at.task, Call: at.task, ToolName: "master", JobDesc: at.query}
		seq, err := b.Append(t.Context(), &r, 0)
		if err == nil && at.ended {
			_, err = b.Append(t.Context(), &bus.Record{Kind: bus.KindResponse, Session: at.session, Task: at.task, Call: at.task, Status: bus.OK}, seq)
		}
		if err != nil {
			t.Fatal(i, err)
		}
	}
	killed := crash.Copy(t, dir)
	b.Close()
	s.Stop()
	dir = killed

	out, errs, code := hmap(t, dir, "sessions")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 4 || !strings.Contains(out, "1 wait") || !strings.Contains(out, "第一个问题\n") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, _, _ := hmap(t, dir, "sessions", "s1"); !strings.Contains(out, "2026-11-22 02:30:00") { // in the house's zone, which is China's
		t.Errorf("no time of the house's:\n%s", out)
	}
	for i, id := range []string{"s3", "s1", "s2"} { // the newest first, whether it waits or has ended
		if !strings.HasPrefix(lines[min(i+1, len(lines)-1)], id) {
			t.Errorf("line %d is not %s:\n%s", i+1, id, out)
		}
	}
	if _, errs, code := hmap(t, dir, "files"); code != 0 || !strings.Contains(errs, "session s3 (the most recent; ") || !strings.Contains(errs, "lists those of another") {
		t.Errorf("the files of the newest: %d\n%s", code, errs)
	}
	if _, errs, code := hmap(t, dir, "files", "get"); code != exitFailed || !strings.Contains(errs, "the newest session, s3, has no files") {
		t.Errorf("no file named: %d\n%s", code, errs)
	}
	if out, errs, _ := hmap(t, dir, "sessions", "--limit", "1"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "s3") || !strings.Contains(errs, "there are more") {
		t.Errorf("at most one:\n%s%s", out, errs)
	}
	out, errs, code = hmap(t, dir, "sessions", "s2")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != 0 || len(lines) != 3 || !strings.Contains(lines[1], "ok") || !strings.Contains(lines[2], "waiting") || strings.Contains(out, "\x1b") {
		t.Errorf("the tasks of one: %d\n%s%s", code, out, errs)
	}
	out, _, _ = raced(t, dir, "sessions", "s2", "--json")
	var tasks []struct{ Task, Status string }
	if err := json.Unmarshal([]byte(out), &tasks); err != nil || len(tasks) != 2 || tasks[1].Status != "waiting" {
		t.Errorf("%v\n%s", err, out)
	}
	if _, errs, code := hmap(t, dir, "sessions", "--delete", "s2"); code != exitFailed || !strings.Contains(errs, "t3") || !strings.Contains(errs, " cancel TASK") {
		t.Errorf("removing one with an open task: %d\n%s", code, errs)
	}
	if out, errs, code := raced(t, dir, "sessions", "--delete", "s1"); code != 0 || !strings.Contains(out, "gone") {
		t.Errorf("removing: %d\n%s%s", code, out, errs)
	}
	for _, args := range [][]string{{"--delete", "s1"}, {"s1"}} {
		if _, errs, code := hmap(t, dir, append([]string{"sessions"}, args...)...); code != exitFailed || !strings.Contains(errs, `no session "s1"`) {
			t.Errorf("%v of one that is gone: %d\n%s", args, code, errs)
		}
	}
	if out, _, _ := hmap(t, dir, "sessions", "--json"); strings.Contains(out, "s1") || !strings.Contains(out, `"waiting": 1`) {
		t.Errorf("afterwards: %s", out)
	}
	if _, errs, code := hmap(t, dir, "sessions", "--limit", "0"); code == 0 || !strings.Contains(errs, "--limit") {
		t.Errorf("a limit of 0: %d\n%s", code, errs)
	}
}

// markOpen leaves s2 waiting, and s1 as a node leaves it that ended it and was killed before it had cleared it from the index.
func markOpen(t *testing.T, b *bus.Bus) {
	t.Helper()
	err := b.MarkOpen(t.Context(), bus.OpenTask{Session: "s2", Task: "t3", Agent: "master", Waiting: true})
	if err == nil {
		_, err = b.Lease(t.Context())
	}
	if err == nil {
		err = b.MarkOpen(t.Context(), bus.OpenTask{Session: "s1", Task: "t1", Agent: "master"})
	}
	if err != nil {
		t.Fatal(err)
	}
}
