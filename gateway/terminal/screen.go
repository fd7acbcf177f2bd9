package terminal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	// Trouble says why nothing can be stored, as a sentence for the person; nil: nobody knows. It is asked every five seconds.
	Trouble func() error
	// Hmap is how a command begins that reaches the same bus, with its flags, for hints; empty: hmap.
	Hmap string
	// Grace is how long a task may take to end after an interrupt; at least, and by default, 7 s.
	Grace time.Duration
}

func (s Screen) hmap() string { return cmp.Or(s.Hmap, "hmap") }

// How a task that was followed ended, for the exit status.
var (
	// ErrFailed: the task ended with status error.
	ErrFailed = errors.New("the task failed")
	// ErrCancelled: the task was cancelled.
	ErrCancelled = errors.New("the task was cancelled")
	// ErrInterrupted: the person left before the task had ended. It ends cancelled if the cancel has reached the log, else it goes on.
	ErrInterrupted = errors.New("left before the task had ended")
	// ErrWaiting: the task waits for a person, and nobody is here to answer.
	ErrWaiting = errors.New("the task waits for an answer")
)

// ended is the error for the response of a task.
func ended(r bus.Record) error {
	switch r.Status {
	case bus.OK:
		return nil
	case bus.Cancelled:
		return ErrCancelled
	}
	if r.Error != nil {
		return fmt.Errorf("%w: %s", ErrFailed, Clean(r.Error.Error()))
	}
	return ErrFailed
}

// written is an Out whose first error is kept: a task goes on whether or not it can be shown, and at the end that is told.
type written struct {
	io.Writer
	err error
}

func (w *written) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// Replay prints what the log has of a task, ended or not. Errors are of the bus and of Out.
func (s Screen) Replay(ctx context.Context, b *bus.Bus, w bus.Where) error {
	records, err := b.Read(ctx, w, 0)
	if err != nil {
		return err
	}
	out := &written{Writer: s.Out}
	s.Out = out
	tree := NewTree(s.Out, s.Color, s.Full)
	for _, r := range records {
		s.show(tree, r)
	}
	return out.err
}

// show prints a record, and after the tree of a task that ended its answer.
func (s Screen) show(tree *Tree, r bus.Record) {
	if s.JSON {
		s.json(r)
		return
	}
	tree.Show(r)
	if r.Kind == bus.KindResponse && r.Call == r.Task {
		fmt.Fprint(s.Out, answer(r))
	}
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
	fmt.Fprintf(s.Out, "%s\n", JSON(line))
}
