package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

// at finds a task by its id and hands it on.
func (a *app) at(task string, do func(h *house, w bus.Where) error) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	w, err := h.bus.Find(a.ctx, task)
	if errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("the log %s has no task %q", h.lies(), task)
	}
	if err != nil {
		return err
	}
	return do(h, w)
}

type answerCmd struct {
	Task    string `arg:"" help:"The task; hmap sessions SESSION lists the tasks of a session."`
	Text    string `arg:"" optional:"" help:"Your answer. With --refuse: why not. With --steer: your wish."`
	Approve bool   `xor:"kind" help:"Agree to what the task wants to do."`
	Refuse  bool   `xor:"kind" help:"Do not agree."`
	Steer   bool   `xor:"kind" help:"Add a wish to a task that is running and asks nothing."`
	Ask     string `help:"Which question you answer, if the task asks several." placeholder:"ID"`
	Follow  bool   `default:"true" negatable:"" help:"Watch the task go on; --no-follow returns at once."`
}

// Help has an example of each kind.
func (*answerCmd) Help() string {
	return `For example:

  hmap answer TASK 'the flagship store'
  hmap answer TASK --approve
  hmap answer TASK --refuse 'too expensive'
  hmap answer TASK --steer 'only orders of this year'`
}

// Validate refuses an answer without words.
func (c *answerCmd) Validate() error {
	if strings.TrimSpace(c.Text) == "" && !c.Approve && !c.Refuse {
		return errors.New("give an answer, --approve or --refuse")
	}
	return nil
}

// Run answers a task that waits.
func (c *answerCmd) Run(a *app) error {
	in := bus.Input{Kind: bus.Answer, Ask: c.Ask, Text: c.Text, By: "terminal"}
	switch {
	case c.Approve:
		in.Kind = bus.Approve
	case c.Refuse:
		in.Kind = bus.Refuse
	case c.Steer:
		in.Kind = bus.Steer
	}
	return a.at(c.Task, func(h *house, w bus.Where) error {
		if last, err := h.bus.Last(a.ctx, bus.Where{Session: w.Session, Task: w.Task, Call: w.Task}); err == nil && last.Kind == bus.KindResponse {
			return fmt.Errorf("task %s has ended; see it with: %s replay %s", w.Task, h.called, w.Task)
		}
		if err := c.asked(a.ctx, h, w, &in); err != nil {
			return err
		}
		// Told before our own agents are there, which may take the task up at once.
		if _, err := h.bus.Tell(a.ctx, w.Session, w.Task, in, ""); err != nil || !c.Follow {
			return err
		}
		if h.server != nil {
			if err := h.populate(a.ctx, fillProgress()); err != nil {
				return err
			}
		}
		return h.follow(a.ctx, w, h.lively(screen(false, false)))
	})
}

// asked names the ask that the answer is to, and is an error when the task asks nothing, since nobody would ever read it, or when leave is given without a word of
// which of several is meant. A log that cannot be read refuses no answer.
func (c *answerCmd) asked(ctx context.Context, h *house, w bus.Where, in *bus.Input) error {
	if c.Steer {
		return nil
	}
	records, err := h.bus.Read(ctx, w, 0)
	if err != nil {
		return nil
	}
	open := bus.OpenAsks(records)
	if len(open) == 0 {
		return fmt.Errorf("task %s asks nothing now, so there is nothing to answer; what else you wish of it: %s answer %s --steer '…'", w.Task, h.called, w.Task)
	}
	a := open.Find(c.Ask)
	if a == nil {
		return fmt.Errorf("task %s has no open question %q; open: %s", w.Task, c.Ask, open[0].ID)
	}
	if c.Ask == "" && len(open) > 1 && (c.Approve || c.Refuse) {
		var which []string
		for _, o := range open {
			which = append(which, fmt.Sprintf("  --ask %s   %s", o.ID, terminal.Line(o.Question)))
		}
		return fmt.Errorf("task %s asks %d things; say which is meant:\n%s", w.Task, len(open), strings.Join(which, "\n"))
	}
	in.Ask = a.ID
	return nil
}

// cancelWithin is longer than the 30 s after which the queue gives a task again whose node died as it took it.
const cancelWithin = 45 * time.Second

type cancelCmd struct {
	Task   string `arg:"" help:"The task; hmap sessions SESSION lists the tasks of a session."`
	Reason string `arg:"" optional:"" help:"Why; it is recorded with the task."`
}

// Help has an example.
func (*cancelCmd) Help() string {
	return `Waits until the task has ended. What was done before stays done.

  hmap cancel TASK 'no longer needed'`
}

// Run cancels a task and waits until it has ended.
func (c *cancelCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error {
		root := bus.Where{Session: w.Session, Task: w.Task, Call: w.Task}
		if last, err := h.bus.Last(a.ctx, root); err == nil && last.Kind == bus.KindResponse {
			fmt.Printf("task %s has ended already: %s\n", w.Task, terminal.Line(string(last.Status)))
			return nil
		}
		// Told before our own agents are there, or they would go on with the task.
		if _, err := h.bus.Tell(a.ctx, w.Session, w.Task, bus.Input{Kind: bus.Cancel, Text: c.Reason, By: "terminal"}, ""); err != nil {
			return err
		}
		if h.server != nil {
			if err := h.populate(a.ctx, fillProgress()); err != nil {
				return err
			}
		}
		ctx, cancel := context.WithTimeout(a.ctx, cancelWithin)
		defer cancel()
		for e, err := range h.bus.Follow(ctx, root, 0) {
			if err != nil {
				return err
			}
			if e.Record.Kind == bus.KindResponse {
				fmt.Printf("task %s: %s\n", w.Task, terminal.Line(string(e.Record.Status)))
				return nil
			}
		}
		return fmt.Errorf("task %s: the cancel is in the log, but nobody has acted on it within %v; is an hmap running?", w.Task, cancelWithin)
	})
}
