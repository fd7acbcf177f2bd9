package terminal

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// speaks tells news of a step until it is shown: who listens too late has missed it.
func (s *scene) speaks(l bus.Live) {
	s.t.Helper()
	for late := time.After(patience); ; {
		have, more := s.errs.now()
		if strings.Contains(have, l.Text) {
			return
		}
		s.bus.Speak(where.Session, l)
		select {
		case <-more: // the ticker's next beat
		case <-late:
			s.t.Fatalf("%q is not shown:\n%s", l.Text, have)
		}
	}
}

// How far a long step is stands in the ticker's line, of this task only, and is gone when the step ends.
func TestNewsOfAStep(t *testing.T) {
	t.Parallel()
	s := playOn(t, Screen{Ticker: true}, request())
	s.append(bus.Record{Kind: bus.KindRound, Round: 1, ActionCode: []bus.Action{{ToolName: "code_interpreter"}}})
	s.errs.shows(t, "waiting for code_interpreter", 1)
	s.bus.Speak(where.Session, bus.Live{Task: "another", Call: "x", Agent: "x", Channel: "progress", Text: "elsewhere"})
	s.bus.Speak(where.Session, bus.Live{Task: "t", Call: "c1", Agent: "code_interpreter", Channel: "thought", Text: "musing"})
	s.speaks(bus.Live{Task: "t", Call: "c1", Agent: "code_interpreter", Channel: "progress", Text: "仍在运行，已 20 秒，最多 60 秒"})
	s.errs.shows(t, "\r\x1b[K… code_interpreter: 仍在运行，已 20 秒，最多 60 秒 ", 1)
	s.append(bus.Record{Kind: bus.KindResult, Child: "c1", ToolName: "code_interpreter", Status: bus.OK, Observation: []byte(`"1024"`)})
	s.errs.shows(t, "master is thinking", 1)
	text, _ := s.errs.now()
	if _, after, _ := strings.Cut(text, "master is thinking"); strings.Contains(after, "仍在运行") || strings.Contains(text, "elsewhere") || strings.Contains(text, "musing") {
		t.Errorf("%q", text)
	}
	s.append(response(bus.OK))
	s.ends(nil)
	if text, _ := s.errs.now(); !strings.HasSuffix(text, "\r\x1b[K") {
		t.Errorf("the line is left on the screen: %q", text)
	}
	if text, _ := s.out.now(); strings.Contains(text, "仍在运行") {
		t.Errorf("news in what is told: %s", text)
	}
}

// Where no line can be written over, news is a line of its own, and only when nothing else was shown for a while; a stream of records has none.
func TestNewsWithoutATerminal(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		after time.Duration
		want  string
	}{{rarely - time.Second, ""}, {rarely, "… deep_search: 12 pages\n"}} {
		errs := newPaper()
		f := &follower{Screen: Screen{Err: errs}, caughtUp: true, shown: now}
		f.hear(bus.Live{Agent: "deep_search", Text: "12 pages"}, now.Add(c.after))
		f.hear(bus.Live{Agent: "deep_search", Text: "13 pages"}, now.Add(c.after))
		if got, _ := errs.now(); got != c.want {
			t.Errorf("after %v: %q", c.after, got)
		}
	}
	if f := (&follower{Screen: Screen{JSON: true}}); f.news() != nil {
		t.Error("news beside a stream of records")
	}
}

// News that would wrap is cut: what wraps cannot be written over.
func TestNewsIsCut(t *testing.T) {
	for line, want := range map[string]string{"short": "short", "abcdefgh": "abcdef…", "仍在运行": "仍在运…"} {
		if got := clip(line, 6); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}
