package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// The process is killed at each record of a task that asks, changes and answers: after a restart it goes on, ends exactly once, and
// what it changed is changed once. A race that it found in itself a process that is killed could not tell: it looks for none.
func TestKilledAtEachRecord(t *testing.T) {
	t.Parallel()
	s := serveAs(t, plainHmap(t), dataDir(t))
	w := s.cancelOrder(t)
	s.agree(t, w)
	records, err := s.bus.Read(t.Context(), w, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.end()
	if len(records) < leastRecords {
		t.Fatalf("the task had only %d records", len(records))
	}
	for n := range records {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) {
			t.Parallel()
			killedAt(t, n+1)
		})
	}
}

// leastRecords has any task that asks, changes and answers.
const leastRecords = 12

func killedAt(t *testing.T, n int) {
	dir := dataDir(t)
	order := pending(t, dir)
	s := serveAs(t, plainHmap(t), dir)
	w := s.cancelOrder(t)
	kind, killed := s.killAt(t, w, n)
	if !killed {
		if n <= leastRecords { // beyond, it depends on what comes first
			t.Fatalf("the task has ended before its record %d", n)
		}
		s.kill()
	}
	s.bus.Close()
	s = serveAs(t, plainHmap(t), dir)
	defer s.end()
	s.agree(t, w)
	r := s.response(t, w)
	if r.Status != bus.OK || state(t, dir, order) != "已取消" {
		t.Errorf("killed at a %s: %s %s", kind, r.Status, r.Observation)
	}
	records, err := s.bus.Read(t.Context(), w, 0)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for _, r := range records {
		if r.Kind == bus.KindResponse {
			ends[r.Call]++
		}
	}
	for call, n := range ends {
		if n != 1 {
			t.Errorf("killed at a %s: call %s ended %d times", kind, call, n)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var changes int
	if err := db.QueryRow(`SELECT count(*) FROM ledger`).Scan(&changes); err != nil {
		t.Fatal(err)
	}
	if changes != 1 {
		t.Errorf("killed at a %s: %d changes in the shop's ledger", kind, changes)
	}
}

// cancelOrder submits a task that asks, changes and answers.
func (s *served) cancelOrder(t *testing.T) bus.Where {
	t.Helper()
	w := bus.Where{Session: "s1", Task: "t1"}
	q := "取消订单 " + pending(t, s.dir)
	if _, err := s.bus.Submit(t.Context(), "master", bus.Submission{Query: q, Session: w.Session, Task: w.Task}, ""); err != nil {
		t.Fatal(err)
	}
	return w
}

// killAt kills the process when the nth record of the task is there, agreeing to asks on the way. It reports false when the task
// ended before.
func (s *served) killAt(t *testing.T, w bus.Where, n int) (bus.Kind, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	seen := 0
	for e, err := range s.bus.Follow(ctx, w, 0) {
		if err != nil {
			t.Fatal(err)
		}
		r := e.Record
		if e.CaughtUp {
			continue
		}
		if seen++; seen == n {
			s.kill()
			return r.Kind, true
		}
		if r.Kind == bus.KindAsk && r.Call == r.Task {
			if _, err := s.bus.Tell(ctx, w.Session, w.Task, bus.Input{Kind: bus.Approve, Ask: r.Ask.ID}, ""); err != nil {
				t.Fatal(err)
			}
		}
		if r.Kind == bus.KindResponse && r.Call == r.Task {
			return "", false
		}
	}
	t.Fatalf("%d records, and no more; %s", seen, s.out)
	return "", false
}

// agree approves whatever the task asks, until it has ended.
func (s *served) agree(t *testing.T, w bus.Where) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for e, err := range s.bus.Follow(ctx, w, 0) {
		if err != nil {
			t.Fatalf("%v; %s", err, s.out)
		}
		r := e.Record
		switch {
		case r.Kind == bus.KindAsk && r.Call == r.Task:
			if _, err := s.bus.Tell(ctx, w.Session, w.Task, bus.Input{Kind: bus.Approve, Ask: r.Ask.ID}, ""); err != nil {
				t.Fatal(err)
			}
		case r.Kind == bus.KindResponse && r.Call == r.Task:
			return
		}
	}
	t.Fatalf("the task did not end; %s", s.out)
}
