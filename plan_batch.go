package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/hmap-project/hmap/actors/eval"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/gateway/terminal"
)

// batch plans a file of requests. Ctrl-C ends the process as it does everywhere; each line that was written is whole.
func (c *planCmd) batch(a *app, o plan.Options, now time.Time) error {
	in := os.Stdin
	if c.Batch != "-" {
		f, err := os.Open(c.Batch)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	var house stock
	defer func() {
		if house.end != nil {
			house.end()
		}
	}()
	b := eval.Batch{House: func() (_ *plan.Index, err error) {
		house, err = c.stock(a, o)
		return house.index, err
	}, Options: o, Now: now}
	if c.Tools != "" { // wrong cards are told before the first request
		s, err := c.stock(a, o)
		if err != nil {
			return err
		}
		b.House = func() (*plan.Index, error) { return s.index, nil }
	}
	told := 0
	b.Rejected = func(line int, r plan.Reject) {
		if told++; told <= maxRejectsTold {
			tellReject(fmt.Sprintf("line %d: ", line), r)
		}
	}
	var shown time.Time
	if terminal.Lively(os.Stderr) && !term.IsTerminal(int(os.Stdout.Fd())) {
		b.Wrote = func(planned, failed int) {
			if time.Since(shown) > 100*time.Millisecond {
				shown = time.Now()
				fmt.Fprintf(os.Stderr, "\r%d planned, %d failed ", planned, failed)
			}
		}
	}
	planned, failed, err := b.Run(a.ctx, in, os.Stdout)
	if !shown.IsZero() {
		fmt.Fprintf(os.Stderr, "\r%d planned, %d failed\n", planned, failed)
	}
	if told > maxRejectsTold {
		fmt.Fprintf(os.Stderr, "… and %d more cards left out\n", told-maxRejectsTold)
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d requests could not be planned; their lines say why", failed, planned+failed)
	}
	return err
}
