// Bench compares hmap with a bare agent loop over go-openai and with the ReAct agent of eino, side by side in one run. README.md beside
// it says how fairness is kept. It is a module of its own, so that what it compares with is not among the dependencies of hmap.
package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/alecthomas/kong"
)

type flags struct {
	Compare compareCmd `cmd:"" default:"withargs" help:"Measure the contenders side by side, and print a table (the default)."`
	Model   modelCmd   `cmd:"" hidden:"" help:"The scripted model; started by compare."`
	Contend contendCmd `cmd:"" hidden:"" help:"A contender; started by compare."`
}

func main() {
	var f flags
	k := kong.Parse(&f, kong.Name("bench"), kong.Description("Compares hmap with a bare loop over go-openai and with eino, in one run."), kong.UsageOnError())
	k.FatalIfErrorf(k.Run())
}

type modelCmd struct {
	Delay time.Duration
	Hold  time.Duration
	Flush bool
}

// Run serves the model.
func (m *modelCmd) Run() error {
	return serveModel(script{delay: m.Delay, hold: m.Hold, flush: m.Flush})
}

type contendCmd struct {
	Name  string `arg:""`
	URL   string
	Whole bool
	At    int
	Dir   string
	Sync  string
}

// Run is the process of one contender.
func (c *contendCmd) Run() error {
	reuse(c.At)
	if c.Name == "hmap" {
		ctx := context.Background()
		address, end, err := house(ctx, c.URL, c.Dir, c.Sync, !c.Whole, c.At)
		if err != nil {
			return err
		}
		defer end()
		return obey(address, nil)
	}
	system, err := systemPrompt()
	if err != nil {
		return err
	}
	switch c.Name {
	case "loop":
		return obey("", newLoop(c.URL, system, !c.Whole).task)
	case "wire":
		w, err := newWire(c.URL, !c.Whole)
		if err != nil {
			return err
		}
		return obey("", w.task)
	case "eino":
		g, err := newGraph(context.Background(), c.URL, system, !c.Whole)
		if err != nil {
			return err
		}
		return obey("", g.task)
	}
	return fmt.Errorf("there is no contender %q", c.Name)
}

// reuse lets all contenders keep as many connections to the model as there are tasks at a time. net/http keeps 2 a host, so that all
// would measure the making of connections most of all.
func reuse(at int) {
	t := http.DefaultTransport.(*http.Transport)
	t.MaxIdleConns, t.MaxIdleConnsPerHost = at, at
}
