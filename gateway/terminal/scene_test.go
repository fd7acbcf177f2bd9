package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = 10 * time.Second

// paper is what was printed. It may be read while it is written.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed at the next write
}

func newPaper() *paper { return &paper{more: make(chan struct{})} }

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.more)
	p.more = make(chan struct{})
	return p.text.Write(b)
}

func (p *paper) now() (string, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String(), p.more
}

// shows waits until text was printed n times.
func (p *paper) shows(t *testing.T, text string, n int) {
	t.Helper()
	late := time.After(patience)
	for {
		have, more := p.now()
		if strings.Count(have, text) >= n {
			return
		}
		select {
		case <-more:
		case <-late:
			t.Fatalf("%q was not shown %d times:\n%s", text, n, have)
		}
	}
}

// scene is a task that is followed by a person.
type scene struct {
	t         *testing.T
	bus       *bus.Bus
	stop      func() // stops the server
	start     func() // starts it again, with what it had
	out, errs *paper
	keys      *io.PipeWriter
	interrupt chan os.Signal
	ended     chan error
	last      uint64 // of the root call
}

var where = bus.Where{Session: "s", Task: "t"}

// play begins a task, after the records before, and follows it.
func play(t *testing.T, before ...bus.Record) *scene {
	t.Helper()
	return playOn(t, Screen{}, before...)
}

// playOn is play on a screen of which the streams are the scene's.
func playOn(t *testing.T, screen Screen, before ...bus.Record) *scene {
	t.Helper()
	dir, listen := t.TempDir(), "127.0.0.1:0"
	var server *bus.Server
	start := func() {
		var err error
		if server, err = bus.StartServer(bus.ServerOptions{Dir: dir, NoSync: true, Listen: listen}); err != nil {
			t.Fatal(err)
		}
	}
	start()
	u, err := url.Parse(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	listen = u.Host
	t.Cleanup(func() { server.Stop() })
	b, err := bus.Connect(t.Context(), bus.Options{URL: server.URL(), Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	in, keys := io.Pipe()
	s := &scene{t: t, bus: b, stop: func() { server.Stop() }, start: start, out: newPaper(), errs: newPaper(), keys: keys, interrupt: make(chan os.Signal, 2), ended: make(chan error, 1)}
	for _, r := range before {
		s.append(r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		screen.Out, screen.Err, screen.In = s.out, s.errs, in
		s.ended <- screen.Follow(ctx, b, where, s.interrupt)
	}()
	t.Cleanup(func() { keys.Close(); cancel(); <-done })
	return s
}

func (s *scene) append(r bus.Record) {
	s.t.Helper()
	r.Session, r.Task, r.Call, r.Agent = where.Session, where.Task, where.Task, "master"
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	seq, err := s.bus.Append(ctx, &r, s.last)
	if err != nil {
		s.t.Fatal(err)
	}
	s.last = seq
}

func request() bus.Record {
	return bus.Record{Kind: bus.KindRequest, Request: &bus.Request{JobDesc: "tidy up"}}
}

func approval(id string) bus.Record {
	return bus.Record{Kind: bus.KindAsk, Child: id, Ask: &bus.Ask{ID: id, Kind: bus.Approval, Question: "really " + id + "?"}}
}

func response(status bus.Status) bus.Record {
	return bus.Record{Kind: bus.KindResponse, Status: status, Observation: []byte(`"the end"`)}
}

func (s *scene) types(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.keys, line); err != nil { // returns when it was read
		s.t.Fatal(err)
	}
}

// hears waits for the next n inputs of the task.
func (s *scene) hears(n int) []bus.Input {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	var in []bus.Input
	for e, err := range s.bus.Follow(ctx, where, 0) {
		if err != nil {
			s.t.Fatal(err)
		}
		if e.Record.Kind == bus.KindInput {
			if in = append(in, *e.Record.Input); len(in) == n {
				return in
			}
		}
	}
	s.t.Fatalf("%d of %d inputs: %+v", len(in), n, in)
	return nil
}

// inputs are those that are in the log now.
func (s *scene) inputs() []bus.Input {
	s.t.Helper()
	records, err := s.bus.Read(s.t.Context(), where, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	var in []bus.Input
	for _, r := range records {
		if r.Kind == bus.KindInput {
			in = append(in, *r.Input)
		}
	}
	return in
}

func (s *scene) ends(want error) {
	s.t.Helper()
	select {
	case err := <-s.ended:
		if !errors.Is(err, want) {
			s.t.Fatalf("ended with %v, want %v", err, want)
		}
	case <-time.After(patience):
		text, _ := s.errs.now()
		s.t.Fatalf("has not ended; it said:\n%s", text)
	}
}
