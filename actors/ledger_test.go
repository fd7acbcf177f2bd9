package actors

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// ledger is the world outside: what tools have really done.
type ledger struct {
	mu   sync.Mutex
	done []string
}

func (l *ledger) add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, s)
}

// Write takes a line of a log.
func (l *ledger) Write(line []byte) (int, error) {
	l.add(string(line))
	return len(line), nil
}

func (l *ledger) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.done...)
}

func (l *ledger) wait(t testing.TB, what string) {
	t.Helper()
	eventually(t, what+" is in the ledger", func() bool { return slices.Contains(l.all(), what) })
}

// longest is how long anything may take that a test waits for, on a busy machine.
const longest = 40 * time.Second

// eventually waits until something is so that tells nobody when it becomes so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(longest); !so(); <-look.C {
		if time.Now().After(end) {
			t.Fatal("still not so: " + what)
		}
	}
}

// gate holds up those who come to it until it is open.
type gate struct {
	once sync.Once
	ch   chan struct{}
}

func newGate() *gate { return &gate{ch: make(chan struct{})} }

func (g *gate) wait() { <-g.ch }

func (g *gate) open() { g.once.Do(func() { close(g.ch) }) }
