package terminal

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// What was typed before a question was shown is no answer to it; what is typed after is.
func TestTypedAhead(t *testing.T) {
	s := play(t, request())
	s.out.shows(t, "tidy up", 1)
	s.types("y\n")
	s.append(approval("a"))
	s.errs.shows(t, "approve?", 1)
	if in := s.inputs(); len(in) != 0 {
		t.Fatalf("agreed to what was not shown yet: %+v", in)
	}
	s.types("y\n")
	if in := s.hears(1); in[0].Kind != bus.Approve || in[0].Ask != "a" {
		t.Errorf("%+v", in)
	}
	s.append(response(bus.OK))
	s.ends(nil)
}

// What is typed while the task runs is a wish for it; an empty line makes room for one. What could be a yes is told to nobody.
func TestSteer(t *testing.T) {
	s := play(t, request())
	s.out.shows(t, "tidy up", 1)
	s.types("only November\n")
	if in := s.hears(1); in[0].Kind != bus.Steer || in[0].Text != "only November" || in[0].Ask != "" {
		t.Errorf("%+v", in)
	}
	s.types("\n")
	s.errs.shows(t, "add to the task: ", 1)
	s.types("同意\n")
	s.errs.shows(t, "Nothing is asked", 1)
	s.types("and the returns\n")
	if in := s.hears(2); in[1].Kind != bus.Steer || in[1].Text != "and the returns" {
		t.Errorf("%+v", in)
	}
	s.append(response(bus.OK))
	s.ends(nil)
}

// Lines that come to the loop late, because it was held up, count by when they were entered.
func TestLateLine(t *testing.T) {
	now := time.Now()
	f := &follower{asks: bus.Asks{{Ask: bus.Ask{ID: "a", Kind: bus.Approval}}}, prompted: now, told: make(chan told, 1)}
	f.line(typed{"y", now.Add(-time.Millisecond)})
	if f.answering != "" || !f.prompted.IsZero() {
		t.Error("a line from before the question answered it")
	}
}

// Two asks are open: the first one is the one that is answered, and stands last on the screen; then the second.
func TestTwoAsks(t *testing.T) {
	s := play(t, request(), approval("one"))
	s.errs.shows(t, "approve?", 1)
	s.append(approval("two"))
	s.errs.shows(t, "approve?", 2)
	if text, _ := s.errs.now(); !strings.HasSuffix(text, "? really one?\n"+hint(*approval("one").Ask)) {
		t.Errorf("not the first question stands last:\n%s", text)
	}
	s.types("y\n")
	s.hears(1)
	s.errs.shows(t, "? really two?", 1)
	s.errs.shows(t, "approve?", 3)
	s.types("too dear\n")
	in := s.hears(2)
	if in[0].Ask != "one" || in[0].Kind != bus.Approve || in[1].Ask != "two" || in[1].Kind != bus.Answer || in[1].Text != "too dear" {
		t.Errorf("%+v", in)
	}
}

// An ask that was answered elsewhere takes no line: the next line is for the next ask.
func TestAnsweredElsewhere(t *testing.T) {
	s := play(t, request(), approval("one"))
	s.errs.shows(t, "approve?", 1)
	if _, err := s.bus.Tell(t.Context(), where.Session, where.Task, bus.Input{Kind: bus.Refuse, Ask: "one", By: "page"}, ""); err != nil {
		t.Fatal(err)
	}
	s.out.shows(t, "refuse", 1)
	s.append(approval("two"))
	s.errs.shows(t, "approve?", 2)
	s.types("y\n")
	if in := s.hears(2); in[1].Ask != "two" || in[1].Kind != bus.Approve {
		t.Errorf("%+v", in)
	}
}

// At the end of the input the person is told how to answer, whether the question comes before or after.
func TestInputEnds(t *testing.T) {
	t.Run("after the question", func(t *testing.T) {
		s := play(t, request(), approval("a"))
		s.errs.shows(t, "approve?", 1)
		s.keys.Close()
		s.ends(ErrWaiting)
		s.errs.shows(t, "hmap answer t --ask a --approve", 1)
	})
	t.Run("before the question", func(t *testing.T) {
		s := play(t, request())
		s.out.shows(t, "tidy up", 1)
		s.keys.Close()
		s.append(approval("a"))
		s.ends(ErrWaiting)
		s.errs.shows(t, "hmap answer t --ask a --approve", 1)
	})
	t.Run("after the answer", func(t *testing.T) {
		s := play(t, request(), approval("a"))
		s.errs.shows(t, "approve?", 1)
		s.types("y\n")
		s.keys.Close()
		s.hears(1)
		s.append(response(bus.OK))
		s.ends(nil)
	})
}

// A question with no words for an answer is put again.
func TestEmptyAnswer(t *testing.T) {
	s := play(t, request(), bus.Record{Kind: bus.KindAsk, Ask: &bus.Ask{ID: "q", Kind: bus.Question, Question: "which?", Options: []string{"red", "blue"}}})
	s.errs.shows(t, "answer [red / blue]: ", 1)
	s.types("\n")
	s.errs.shows(t, "answer [red / blue]: ", 2)
	s.types(" blue \n")
	if in := s.hears(1); in[0].Kind != bus.Answer || in[0].Text != "blue" {
		t.Errorf("%+v", in)
	}
}

// The first interrupt cancels and waits for the end.
func TestInterrupt(t *testing.T) {
	s := play(t, request(), approval("a"))
	s.errs.shows(t, "approve?", 1)
	s.interrupt <- os.Interrupt
	if in := s.hears(1); in[0].Kind != bus.Cancel {
		t.Errorf("%+v", in)
	}
	s.append(response(bus.Cancelled))
	s.ends(ErrCancelled)
}

// The second interrupt leaves, also when the server is away.
func TestSecondInterrupt(t *testing.T) {
	s := play(t, request())
	s.out.shows(t, "tidy up", 1)
	s.stop()
	s.interrupt <- os.Interrupt
	s.errs.shows(t, "cancelling", 1)
	begun := time.Now()
	s.interrupt <- os.Interrupt
	s.ends(ErrInterrupted)
	if took := time.Since(begun); took > cancelWithin-time.Second {
		t.Errorf("left after %v, as without a second interrupt", took)
	}
}

// While the server is away the person is told what is waited for, and when it is back; nothing of the task is missed.
func TestOutage(t *testing.T) {
	t.Parallel()
	s := play(t, request())
	s.out.shows(t, "tidy up", 1)
	s.stop()
	s.errs.shows(t, "waiting for the bus (connection lost)", 1)
	s.start()
	s.errs.shows(t, "the bus is back", 1)
	s.append(response(bus.OK))
	s.ends(nil)
	s.out.shows(t, "the end", 1)
}

// A verb that waits for the server tells the person so, and stops telling when it is done.
func TestWaits(t *testing.T) {
	t.Parallel()
	s := play(t, request())
	errs := newPaper()
	stop := Screen{Err: errs}.Waits(t.Context(), s.bus)
	s.stop()
	errs.shows(t, "waiting for the bus (connection lost)", 1)
	s.start()
	errs.shows(t, "the bus is back", 1)
	stop()
	if text, _ := errs.now(); strings.Count(text, "the bus is back") != 1 {
		t.Errorf("%s", text)
	}
}

// A cancel that does not reach the log is told to the person.
func TestCancelDoesNotArrive(t *testing.T) {
	t.Parallel()
	s := play(t, request())
	s.out.shows(t, "tidy up", 1)
	s.stop()
	s.interrupt <- os.Interrupt
	s.errs.shows(t, "has not reached the log", 1)
}

// When nobody takes a task, its person is told, and the task is still waited for.
func TestNobody(t *testing.T) {
	t.Parallel()
	s := play(t)
	s.errs.shows(t, "Nobody has taken the task yet", 1)
	s.append(request())
	s.append(response(bus.OK))
	s.ends(nil)
	s.out.shows(t, "the end", 1)
}
