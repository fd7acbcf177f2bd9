package terminal

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Screen is where a task is shown and where its person answers.
type Screen struct {
	Out, Err io.Writer
	// In answers asks; nil: nobody is there to answer.
	In io.Reader
	// JSON prints each record as a line instead of the tree.
	JSON bool
	// Full shows thoughts and observations uncut.
	Full, Color bool
	// Ticker shows on Err, a terminal, what is waited for.
	Ticker bool
}

// How a task that was followed ended, for the exit status.
var (
	// ErrFailed: the task ended with status error.
	ErrFailed = errors.New("the task failed")
	// ErrCancelled: the task was cancelled.
	ErrCancelled = errors.New("the task was cancelled")
	// ErrWaiting: the task waits for a person, and nobody is here to answer.
	ErrWaiting = errors.New("the task waits for an answer")
)

// Follow shows a task until it ends, taking answers to its asks from the screen. When interrupt fires the task is cancelled, and
// its end waited for. nil: it ended well.
func (s Screen) Follow(ctx context.Context, b *bus.Bus, w bus.Where, interrupt <-chan os.Signal) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-interrupt:
			fmt.Fprintln(s.Err, "\ncancelling the task …")
			if _, err := b.Tell(ctx, w.Session, w.Task, bus.Input{Kind: bus.Cancel, By: "terminal"}, ""); err != nil {
				fmt.Fprintln(s.Err, "hmap:", err)
			}
		case <-ctx.Done():
		}
		select {
		case <-interrupt: // the second one does not wait
			stop()
		case <-ctx.Done():
		}
	}()
	lines := s.lines(ctx)
	tick := s.ticker(ctx)
	defer tick.stop()
	tree := NewTree(s.Out, s.Color, s.Full)
	var open []bus.Ask // what is asked and not answered; what was answered long ago is not asked again
	caughtUp := false
	for e, err := range b.Follow(ctx, w, 0) {
		if err != nil {
			return err
		}
		if e.CaughtUp {
			caughtUp = true
			for _, a := range open {
				if err := s.question(ctx, b, w, a, lines); err != nil {
					return err
				}
			}
			continue
		}
		r := e.Record
		tick.clear()
		if s.JSON {
			s.json(r)
		} else {
			tree.Show(r)
		}
		tick.saw(r)
		switch r.Kind {
		case bus.KindAsk:
			if r.Call != r.Task || r.Ask == nil {
				continue
			}
			open = append(open, *r.Ask)
			if caughtUp {
				if err := s.question(ctx, b, w, *r.Ask, lines); err != nil {
					return err
				}
			}
		case bus.KindInput:
			if r.Input != nil && r.Call == r.Task && r.Input.Kind != bus.Steer {
				i := slices.IndexFunc(open, func(a bus.Ask) bool { return r.Input.Ask == "" || a.ID == r.Input.Ask })
				if i >= 0 {
					open = slices.Delete(open, i, i+1)
				}
			}
		case bus.KindResponse:
			if r.Call != r.Task {
				continue
			}
			if !s.JSON {
				fmt.Fprintf(s.Out, "\n%s\n", clean(Text(r.Observation)))
				for _, f := range r.Files {
					fmt.Fprintf(s.Out, "  %s  %s (%d B)\n", clean(f.Ref), clean(f.Name), f.Bytes)
				}
			}
			return ended(r)
		}
	}
	return context.Cause(ctx)
}

// question puts an ask to the person, or says how to answer when nobody is there.
func (s Screen) question(ctx context.Context, b *bus.Bus, w bus.Where, a bus.Ask, lines <-chan string) error {
	if lines == nil {
		s.howToAnswer(w, a)
		return ErrWaiting
	}
	go s.answer(ctx, b, w, a, lines)
	return nil
}

func ended(r bus.Record) error {
	switch r.Status {
	case bus.OK:
		return nil
	case bus.Cancelled:
		return ErrCancelled
	}
	if r.Error != nil {
		return fmt.Errorf("%w: %s", ErrFailed, clean(r.Error.Error()))
	}
	return ErrFailed
}

// lines reads the person's lines; nil when nobody is there.
func (s Screen) lines(ctx context.Context) <-chan string {
	if s.In == nil {
		return nil
	}
	lines := make(chan string)
	go func() { // a read of standard input cannot be interrupted: it ends with the process
		defer close(lines)
		in := bufio.NewScanner(s.In)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (s Screen) answer(ctx context.Context, b *bus.Bus, w bus.Where, a bus.Ask, lines <-chan string) {
	hint := "answer: "
	if a.Kind == bus.Approval {
		hint = "approve? [y/N, or say why not] "
	} else if len(a.Options) > 0 {
		hint = "answer [" + clean(strings.Join(a.Options, " / ")) + "]: "
	}
	fmt.Fprint(s.Err, hint)
	select {
	case line, more := <-lines:
		if !more {
			s.howToAnswer(w, a)
			return
		}
		if _, err := b.Tell(ctx, w.Session, w.Task, reply(a, line), ""); err != nil && ctx.Err() == nil {
			fmt.Fprintln(s.Err, "hmap:", err)
		}
	case <-ctx.Done():
	}
}

// reply is a line of a person as the input that answers an ask.
func reply(a bus.Ask, line string) bus.Input {
	in := bus.Input{Kind: bus.Answer, Ask: a.ID, Text: strings.TrimSpace(line), By: "terminal"}
	if a.Kind != bus.Approval {
		return in
	}
	switch strings.ToLower(in.Text) {
	case "y", "yes", "是", "同意", "好", "可以":
		in.Kind, in.Text = bus.Approve, ""
	case "", "n", "no", "不", "否":
		in.Kind, in.Text = bus.Refuse, ""
	default:
		in.Kind = bus.Refuse
	}
	return in
}

func (s Screen) howToAnswer(w bus.Where, a bus.Ask) {
	how := fmt.Sprintf("hmap answer %s \"…\"", w.Task)
	if a.Kind == bus.Approval {
		how = fmt.Sprintf("hmap answer %s --approve   (or --refuse)", w.Task)
	}
	fmt.Fprintf(s.Err, "The task waits for an answer:\n  %s\n", how)
}

func (s Screen) json(r bus.Record) {
	line, err := json.Marshal(struct {
		Seq uint64 `json:"seq"`
		bus.Record
	}{r.Seq, r})
	if err != nil {
		fmt.Fprintln(s.Err, "hmap:", err)
		return
	}
	fmt.Fprintf(s.Out, "%s\n", line)
}

// Replay prints what the log has of a task, ended or not.
func (s Screen) Replay(ctx context.Context, b *bus.Bus, w bus.Where) error {
	records, err := b.Read(ctx, w, 0)
	if err != nil {
		return err
	}
	tree := NewTree(s.Out, s.Color, s.Full)
	for _, r := range records {
		if s.JSON {
			s.json(r)
			continue
		}
		tree.Show(r)
		if r.Kind == bus.KindResponse && r.Call == r.Task {
			fmt.Fprintf(s.Out, "\n%s\n", clean(Text(r.Observation)))
		}
	}
	return nil
}

// ticker shows on one line what is waited for, and for how long.
type ticker struct {
	s      Screen
	now    chan string
	done   chan struct{}
	cancel context.CancelFunc
}

func (s Screen) ticker(ctx context.Context) *ticker {
	ctx, cancel := context.WithCancel(ctx)
	t := &ticker{s: s, now: make(chan string), done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(t.done)
		every := time.NewTicker(time.Second)
		defer every.Stop()
		what, since, shown := "", time.Now(), false
		for {
			select {
			case <-ctx.Done():
				if shown {
					fmt.Fprint(s.Err, "\r\x1b[K")
				}
				return
			case w := <-t.now:
				if shown {
					fmt.Fprint(s.Err, "\r\x1b[K")
					shown = false
				}
				if w != "" {
					what, since = w, time.Now()
				}
			case <-every.C:
				if s.Ticker && !s.JSON && what != "" && what != "-" {
					fmt.Fprintf(s.Err, "\r\x1b[K… %s %ds", what, int(time.Since(since).Seconds()))
					shown = true
				}
			}
		}
	}()
	return t
}

func (t *ticker) send(what string) {
	select {
	case t.now <- what:
	case <-t.done:
	}
}

func (t *ticker) clear() { t.send("") }

// saw says what is waited for after a record.
func (t *ticker) saw(r bus.Record) {
	switch r.Kind {
	case bus.KindRequest, bus.KindResult, bus.KindInput:
		t.send(clean(r.Agent) + " is thinking")
	case bus.KindRound:
		names := make([]string, 0, len(r.ActionCode))
		for _, a := range r.ActionCode {
			names = append(names, clean(a.ToolName))
		}
		if len(names) > 0 {
			t.send("waiting for " + strings.Join(names, ", "))
		}
	case bus.KindAsk:
		t.send("-")
	}
}

func (t *ticker) stop() {
	t.cancel()
	<-t.done
}
