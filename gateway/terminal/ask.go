package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// asked is a question or an approval that a task waits for.
type asked struct {
	bus.Ask
	child string // the call that waits
	said  bool   // our person's answer is on its way to the log
}

// asks are what a task waits for, oldest first. The first one is the one that is put to the person.
type asks []*asked

// fold takes the next record of the task into account. Only the root call asks people.
func (a *asks) fold(r bus.Record) {
	if r.Call != r.Task {
		return
	}
	switch r.Kind {
	case bus.KindAsk:
		if r.Ask != nil {
			a.drop(func(o *asked) bool { return o.ID == r.Ask.ID || r.Child != "" && o.child == r.Child })
			*a = append(*a, &asked{Ask: *r.Ask, child: r.Child})
		}
	case bus.KindResult:
		a.drop(func(o *asked) bool { return r.Child != "" && o.child == r.Child })
	case bus.KindInput:
		if r.Input != nil {
			a.hear(*r.Input)
		}
	case bus.KindResponse:
		*a = nil
	}
}

// Open are the asks that a task waits for, oldest first, by its records in the order of the log, with what people said.
func Open(records []bus.Record) (open []bus.Ask) {
	var a asks
	for _, r := range records {
		a.fold(r)
	}
	for _, o := range a {
		open = append(open, o.Ask)
	}
	return open
}

// hear closes what an input answers: the ask it names, or the oldest.
func (a *asks) hear(in bus.Input) {
	switch {
	case in.Kind == bus.Cancel:
		*a = nil
	case in.Kind == bus.Steer || len(*a) == 0:
	case in.Ask == "":
		*a = (*a)[1:]
	default:
		a.drop(func(o *asked) bool { return o.ID == in.Ask })
	}
}

func (a *asks) drop(which func(*asked) bool) { *a = slices.DeleteFunc(*a, which) }

// current is the ask that is put to the person, or nil.
func (a asks) current() *asked {
	if len(a) == 0 {
		return nil
	}
	return a[0]
}

// find is the open ask with that id, or nil.
func (a asks) find(id string) *asked {
	for _, o := range a {
		if o.ID == id {
			return o
		}
	}
	return nil
}

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
	switch strings.ToLower(in.Text) {
	case "y", "yes", "是", "同意", "好", "可以":
		in.Kind, in.Text = bus.Approve, ""
	case "", "n", "no", "不", "否":
		in.Kind, in.Text = bus.Refuse, ""
	} // other words go as they are: the house takes a clear yes for one, and tells the rest to the mind
	return in, true
}

// howToAnswer tells who is not here to answer how to do it later.
func (s Screen) howToAnswer(w bus.Where, a bus.Ask) string {
	how := fmt.Sprintf("%s answer %s \"…\"", s.hmap(), w.Task)
	if a.Kind == bus.Approval {
		how = fmt.Sprintf("%s answer %s --approve   (or --refuse)", s.hmap(), w.Task)
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
