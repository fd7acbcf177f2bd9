package terminal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
)

const (
	// taken is how long the first record of a task may be missing before the person is told.
	taken = 5 * time.Second
	// cancelWithin is how long a cancel may take to reach the log before the person is told that it did not.
	cancelWithin = 5 * time.Second
	// leastGrace is the least that [Screen.Grace] can be: the person is told of the cancel before.
	leastGrace = cancelWithin + 2*time.Second
)

// Follow shows a task until it ends. Its asks are put to the person one at a time, and a line that was entered before its question was
// shown answers nothing; one that is entered while nothing is asked is a wish for the task. At the first interrupt the task is cancelled and its end waited for; at the second, or when that takes
// longer than Grace, Follow returns.
//
// nil: the task ended well. [ErrFailed], [ErrCancelled]: it did not. [ErrWaiting]: it waits for an answer, and nobody is here or the
// input has ended. [ErrInterrupted]: it has not ended after an interrupt. Other errors are of ctx and the bus,
// and, beside any of these, of Out, of which some is missing then.
func (s Screen) Follow(ctx context.Context, b *bus.Bus, w bus.Where, interrupt <-chan os.Signal) (err error) {
	ctx, stop := context.WithCancel(ctx)
	out := &written{Writer: s.Out}
	s.Out = out
	defer func() { err = errors.Join(err, out.err) }()
	f := &follower{
		Screen: s, ctx: ctx, bus: b, where: w, tree: NewTree(s.Out, s.Color, s.Full), lines: read(ctx, s.In), told: make(chan told), over: map[string]bool{},
		nobody: time.NewTimer(taken), second: time.NewTicker(time.Second),
	}
	defer f.tasks.Wait()
	outages := s.outages(ctx, b)
	defer func() {
		for range outages { // until it has ended
		}
	}()
	defer stop()
	defer f.nobody.Stop()
	defer f.second.Stop()
	defer f.room()
	return f.run(outages, interrupt)
}

// follower is one Follow. Everything that happens comes to its loop, which alone writes to the screen and knows what is asked.
type follower struct {
	Screen
	ctx    context.Context
	bus    *bus.Bus
	where  bus.Where
	tree   *Tree
	tasks  sync.WaitGroup
	lines  <-chan typed // nil: nobody is there to answer
	told   chan told
	nobody *time.Timer
	second *time.Ticker

	outage     outage
	late       <-chan time.Time // the grace of the cancelled task is over
	asks       bus.Asks
	answering  string // the id of the ask to which our person's answer is on its way to the log
	caughtUp   bool
	cancelling bool
	lastAsk    string    // the id of the ask whose question stands last in the tree
	prompted   time.Time // when the prompt, now the last thing on the screen, was shown; zero: it is not there

	busy    string // what is waited for; empty: nothing to tell
	since   time.Time
	ticking bool            // the line that tells it is on the screen
	live    bus.Live        // what a step that runs told last of how far it is; the zero value: nothing, or it has ended
	over    map[string]bool // the calls that have ended: news of one may come late
	shown   time.Time       // when the last record or news was shown
}

// step is one step of [bus.Bus.Follow].
type step struct {
	bus.Entry
	err error
}

// told is how telling the task something went.
type told struct {
	in  bus.Input
	err error
}

func (f *follower) run(outages <-chan standing, interrupt <-chan os.Signal) error {
	steps, news := f.steps(), f.news()
	for {
		lines := f.lines
		if !f.caughtUp {
			lines = nil // what is asked is not known yet
		}
		select {
		case s, more := <-steps:
			switch {
			case !more:
				if err := context.Cause(f.ctx); err != nil {
					return err
				}
				return errors.New("the connection was closed before the task had ended")
			case s.err != nil:
				return s.err
			case s.CaughtUp:
				f.caughtUp = true
			case f.record(s.Record):
				return ended(s.Record)
			}
		case l, more := <-lines:
			if more {
				f.line(l)
				break
			}
			f.lines = nil
			f.room()
		case l := <-news:
			f.hear(l, time.Now())
		case t := <-f.told:
			f.failed(t)
		case <-interrupt:
			if f.cancelling {
				return ErrInterrupted
			}
			f.cancel()
		case <-f.nobody.C:
			f.say("Nobody has taken the task yet. It waits in the queue; is an hmap running that serves the agent? See: %s agents\n", f.hmap())
		case <-f.late:
			f.say("The task has not ended within %v. It is left as it is: whoever serves its agent goes on with it, at the latest after the next start.\n", f.grace())
			return ErrInterrupted
		case s, more := <-outages:
			if !more {
				outages = nil
				break
			}
			if text := f.outage.news(s, time.Now()); text != "" {
				f.say("%s", text)
			}
		case <-f.second.C:
			f.tick()
		case <-f.ctx.Done():
			return context.Cause(f.ctx)
		}
		if err := f.prompt(); err != nil {
			return err
		}
	}
}

// steps follows the log in a goroutine of its own, so that the loop can wait for other things too.
func (f *follower) steps() <-chan step {
	steps := make(chan step)
	f.tasks.Go(func() {
		defer close(steps)
		for e, err := range f.bus.Follow(f.ctx, f.where, 0) {
			select {
			case steps <- step{e, err}:
			case <-f.ctx.Done():
				return
			}
		}
	})
	return steps
}

// record shows a record, and reports whether it ends the task.
func (f *follower) record(r bus.Record) (end bool) {
	f.nobody.Stop()
	f.room()
	f.show(f.tree, r)
	f.lastAsk = ""
	if r.Kind == bus.KindAsk && r.Ask != nil {
		if f.lastAsk = r.Ask.ID; f.answering == f.lastAsk { // it is asked again
			f.answering = ""
		}
	}
	f.asks.Fold(r)
	f.shown = time.Now()
	f.saw(r)
	return r.Kind == bus.KindResponse && r.Call == r.Task
}

// prompt puts the oldest open ask to the person, unless it is there already or being answered.
func (f *follower) prompt() error {
	a := f.asks.Find("")
	if a == nil || a.ID == f.answering || !f.caughtUp || f.cancelling || !f.prompted.IsZero() {
		return nil
	}
	f.room()
	if f.lines == nil {
		fmt.Fprint(f.Err, f.howToAnswer(f.where, *a))
		return ErrWaiting
	}
	if f.lastAsk != a.ID { // something else was shown since
		fmt.Fprintf(f.Err, "? %s\n", Line(a.Question))
		f.lastAsk = a.ID
	}
	fmt.Fprint(f.Err, hint(*a))
	f.prompted = time.Now()
	return nil
}

// line is a line of the person. It answers the question that stood on the screen when it was entered; while nothing is asked it is a wish for the
// task that runs.
func (f *follower) line(l typed) {
	a, shown := f.asks.Find(""), f.prompted
	f.prompted = time.Time{} // entering a line has ended the prompt's
	if a == nil {
		f.steer(strings.TrimSpace(l.text))
		return
	}
	if shown.IsZero() {
		return
	}
	if in, ok := reply(*a, l.text); ok && l.at.After(shown) {
		f.answering = a.ID
		f.tell(in, 0)
	}
}

// steer tells the task that runs a wish. An empty line makes room for one, which the ticker leaves alone. A yes or no is for a question that
// has not been put yet, and may be another one than the person thinks: it is told to nobody.
func (f *follower) steer(text string) {
	if f.cancelling {
		return
	}
	if text == "" {
		f.room()
		fmt.Fprint(f.Err, "add to the task: ")
		f.prompted = time.Now()
		return
	}
	if in, _ := reply(bus.Ask{Kind: bus.Approval}, text); in.Kind != bus.Answer {
		f.say("Nothing is asked at the moment; %q is told to nobody.\n", text)
		return
	}
	f.tell(bus.Input{Kind: bus.Steer, Text: text, By: "terminal"}, 0)
}

// tell sends an input; the loop goes on. within 0: as long as the task is followed.
func (f *follower) tell(in bus.Input, within time.Duration) {
	f.tasks.Go(func() {
		ctx := f.ctx
		if within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, within)
			defer cancel()
		}
		if _, err := f.bus.Tell(ctx, f.where.Session, f.where.Task, in, ""); err != nil {
			select {
			case f.told <- told{in, err}:
			case <-f.ctx.Done():
			}
		}
	})
}

// failed reports what could not be told. An ask that is still open is put again.
func (f *follower) failed(t told) {
	if t.in.Kind == bus.Cancel {
		f.say("The cancel has not reached the log (%v). Ctrl-C again leaves; the task may go on.\n", t.err)
		return
	}
	f.say("hmap: %v\n", t.err)
	if f.answering == t.in.Ask {
		f.answering = ""
	}
}

// cancel is the first interrupt.
func (f *follower) cancel() {
	f.cancelling = true
	f.late = time.After(f.grace())
	f.say("\ncancelling the task … (Ctrl-C again leaves at once)\n")
	f.tell(bus.Input{Kind: bus.Cancel, By: "terminal"}, cancelWithin)
}

func (f *follower) grace() time.Duration { return max(f.Grace, leastGrace) }

// say prints on a line of its own.
func (f *follower) say(format string, v ...any) {
	f.room()
	fmt.Fprint(f.Err, Clean(fmt.Sprintf(format, v...)))
}

// room makes the cursor stand at the beginning of a line: the ticker's is taken away, and the prompt's left.
func (f *follower) room() {
	if f.ticking {
		fmt.Fprint(f.Err, "\r\x1b[K")
	}
	if !f.prompted.IsZero() {
		fmt.Fprintln(f.Err)
	}
	f.ticking, f.prompted = false, time.Time{}
}
