package main

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"
	"time"

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
	late := time.After(patience)
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

func (s *started) status(t *testing.T) int {
	t.Helper()
	select {
	case <-s.ended:
		return s.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("%v has not ended", s.Args[1:])
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
	case <-time.After(patience):
		t.Fatal("the node that was killed still counts as alive")
	}
	l.Close()
	b.Close()
	s.Stop()
}
