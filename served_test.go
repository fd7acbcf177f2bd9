package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// served is an hmap that serves, as a child process.
type served struct {
	cmd  *exec.Cmd
	dir  string
	page string
	bus  *bus.Bus
	out  *buffer
}

// buffer may be written and read at the same time.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// serve starts it, with these lines of configuration or, without any, a short lease.
func serve(t *testing.T, dir string, more ...string) *served {
	t.Helper()
	return serveAs(t, os.Args[0], dir, more...)
}

// serveAs starts this program.
func serveAs(t *testing.T, exe, dir string, more ...string) *served {
	t.Helper()
	s := &served{dir: dir, out: &buffer{}}
	if more == nil {
		more = []string{"limits: {lease: 1s}"}
	}
	config := filepath.Join(dir, "test.yaml")
	if err := os.WriteFile(config, []byte(strings.Join(append([]string{"nats: {listen: '127.0.0.1:0'}"}, more...), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.cmd = program(context.Background(), exe, dir, "--config", config, "serve", "--listen", "127.0.0.1:0")
	r, w := io.Pipe()
	s.cmd.Stdout, s.cmd.Stderr = w, s.out
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill(); w.Close(); unraced(t, s.out.String()) })
	ready := make(chan string, 1)
	go func() {
		seen := ""
		buf := make([]byte, 4096)
		for {
			n, err := r.Read(buf)
			if seen += string(buf[:n]); strings.Contains(seen, "Ctrl-C") {
				ready <- seen
				io.Copy(io.Discard, r)
				return
			}
			if err != nil {
				ready <- seen
				return
			}
		}
	}()
	select {
	case banner := <-ready:
		m := regexp.MustCompile(`page +(http://\S+)`).FindStringSubmatch(banner)
		if m == nil {
			t.Fatalf("no banner: %s %s", banner, s.out)
		}
		s.page = m[1]
	case <-time.After(patience):
		t.Fatalf("not ready: %s", s.out)
	}
	url, err := bus.ReadContext(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if s.bus, err = bus.Connect(ctx, bus.Options{URL: url, Replicas: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.bus.Close)
	return s
}

// kill is kill -9.
func (s *served) kill() {
	if s.cmd.ProcessState == nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// end is kill, and nothing of it is left here.
func (s *served) end() {
	s.kill()
	s.bus.Close()
}

func (s *served) response(t *testing.T, w bus.Where) bus.Record {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for e, err := range s.bus.Follow(ctx, w, 0) {
		if err != nil {
			break
		}
		if e.Record.Kind == bus.KindResponse && e.Record.Call == w.Task {
			return e.Record
		}
	}
	t.Fatalf("no response of %s; %s", w.Task, s.out)
	return bus.Record{}
}
