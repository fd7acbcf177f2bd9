package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"golang.org/x/term"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type deadCmd struct {
	List   deadListCmd   `cmd:"" default:"1" help:"List the requests that were given up."`
	Show   deadShowCmd   `cmd:"" help:"Print a request that was given up."`
	Resend deadResendCmd `cmd:"" help:"Send a request again, unchanged or corrected."`
}

type deadListCmd struct{}

// Help tells what they are.
func (*deadListCmd) Help() string {
	return `A request is given up, and kept here, when several tries to work on it crashed or it could not be read.

  hmap dead list
  hmap dead show 7`
}

// Run lists the dead letters.
func (deadListCmd) Run(a *app) error {
	return a.withDead(func(h *house) error {
		letters, err := h.bus.DeadLetters(a.ctx)
		if err != nil {
			return err
		}
		if len(letters) == 0 {
			fmt.Println("no dead letters")
			return nil
		}
		t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(t, "NUMBER\tTIME\tAGENT\tTRIES\tBYTES\tCAUSE")
		for _, d := range letters {
			row(t, fmt.Sprint(d.Seq), h.clock(d.Time), d.Agent, fmt.Sprint(d.Tries), fmt.Sprint(d.Bytes), d.Cause)
		}
		return t.Flush()
	})
}

type deadShowCmd struct {
	Number uint64 `arg:"" help:"Number of the request, from hmap dead list."`
}

// Help has an example.
func (*deadShowCmd) Help() string { return "For example:\n\n  hmap dead show 7 > request.json" }

// Run prints one.
func (c *deadShowCmd) Run(a *app) error {
	return a.withDead(func(h *house) error {
		d, err := h.bus.DeadLetter(a.ctx, c.Number)
		if err != nil {
			return h.noLetter(c.Number, err)
		}
		fmt.Fprintf(os.Stderr, "for %s, %d tries, cause: %s\n", terminal.Line(d.Agent), d.Tries, terminal.Line(d.Cause))
		body := append(bytes.TrimRight(d.Body, "\n"), '\n')
		if term.IsTerminal(int(os.Stdout.Fd())) {
			body = []byte(terminal.Clean(string(body)))
		}
		_, err = os.Stdout.Write(body)
		return err
	})
}

type deadResendCmd struct {
	Number uint64 `arg:"" help:"Number of the request, from hmap dead list."`
	Body   string `help:"Send what is in this file (JSON) instead of the original." type:"existingfile" placeholder:"FILE"`
}

// Help has examples.
func (*deadResendCmd) Help() string {
	return `For example:

  hmap dead resend 7
  hmap dead resend 7 --body request.json`
}

// Run submits one again.
func (c *deadResendCmd) Run(a *app) error {
	var body []byte
	if c.Body != "" {
		var err error
		if body, err = os.ReadFile(c.Body); err != nil {
			return err
		}
	}
	return a.withDead(func(h *house) error {
		if err := h.bus.Resend(a.ctx, c.Number, body); err != nil {
			return h.noLetter(c.Number, err)
		}
		fmt.Printf("dead letter %d is in the queue again\n", c.Number)
		return nil
	})
}

// noLetter is the error about a dead letter, in plainer words where there is none of that number.
func (h *house) noLetter(number uint64, err error) error {
	if errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("there is no dead letter %d; %s dead lists them", number, h.called)
	}
	return err
}

func (a *app) withDead(do func(*house) error) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	return do(h)
}
