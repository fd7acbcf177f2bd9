package drill

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Of two who would kill a child at once one does, so that one starts it again.
func TestOneKillsAChild(t *testing.T) {
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c := &child{name: "c", kind: kindNode, exe: "/bin/sh", log: log, args: func(int) []string { return []string{"-c", "echo ready; exec sleep 100"} }, crash: func(s string) { t.Error(s) }}
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	defer c.end()
	if err := c.awaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	trouble := &trouble{book: newBook()}
	struck := make(chan bool)
	trouble.book.mu.Lock() // whoever strikes has to write that down first
	for range 2 {
		go func() { struck <- trouble.strike(c, c.kind) }()
	}
	var first bool
	select {
	case first = <-struck:
		trouble.book.mu.Unlock()
	case <-time.After(5 * time.Second): // both are at it
		trouble.book.mu.Unlock()
		first = <-struck
	}
	if second := <-struck; first == second {
		t.Errorf("killed by the first: %v, by the second: %v", first, second)
	}
}
