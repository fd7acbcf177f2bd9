package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/consent"
)

// hint is what stands before the person's answer.
func hint(a bus.Ask) string {
	switch {
	case a.Kind == bus.Approval:
		return "approve? [y/N, or say why not] "
	case len(a.Options) > 0:
		return "answer [" + Line(strings.Join(a.Options, " / ")) + "]: "
	}
	return "answer: "
}

// reply is a line of a person as the input that answers an ask. ok is false when the line answers nothing.
func reply(a bus.Ask, line string) (in bus.Input, ok bool) {
	in = bus.Input{Kind: bus.Answer, Ask: a.ID, Text: strings.TrimSpace(line), By: "terminal"}
	if a.Kind != bus.Approval {
		return in, in.Text != ""
	}
	switch low := strings.ToLower(in.Text); {
	case consent.To(a, in) == consent.Yes:
		in.Kind, in.Text = bus.Approve, ""
	case low == "", low == "n", low == "no", low == "不", low == "否":
		in.Kind, in.Text = bus.Refuse, ""
	} // other words go as they are: the house takes a clear yes for one, and tells the rest to the mind
	return in, true
}

// howToAnswer tells who is not here to answer how to do it later.
func (s Screen) howToAnswer(w bus.Where, a bus.Ask) string {
	how := fmt.Sprintf("%s answer %s '…'", s.hmap(), w.Task)
	if a.Kind == bus.Approval {
		how = fmt.Sprintf("%s answer %s --ask %s --approve   (or --refuse)", s.hmap(), w.Task, a.ID) // this one, and not whatever is asked by then
	}
	return "The task waits for an answer:\n  " + how + "\n"
}

// typed is a line of the person and when it was entered.
type typed struct {
	text string
	at   time.Time
}

// read gives the person's lines and closes the channel at their end; nil when nobody is there. It reads ahead, so that a line gets the
// time at which it was entered, also while the loop is held up: an answer counts only if it is younger than its question.
//
// A read of standard input cannot be interrupted: the goroutine may stay until the process ends.
func read(ctx context.Context, in io.Reader) <-chan typed {
	if in == nil {
		return nil
	}
	lines := make(chan typed, 64)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			select {
			case lines <- typed{s.Text(), time.Now()}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}
