package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hmap-project/hmap/drill"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type drillCmd struct {
	Seed    uint64  `help:"Seed of what goes wrong and when, to repeat a drill. Default: a random one, which is printed." placeholder:"N"`
	Minutes float64 `default:"1" help:"How long things go wrong, in minutes (default 1)." placeholder:"N"`
	Tasks   int     `help:"How many tasks to submit while things go wrong, besides those of floods, 12 before, and a sixth as many more to the hmap serve. Default: 120 a minute." placeholder:"N"`
	Kills   int     `help:"How many processes to kill with kill -9. Default: 50 a minute." placeholder:"N"`
	Keep    bool    `help:"Keep logs and data even if all is well."`
	Lie     bool    `hidden:"" help:"Let the tools break their word, to see that it is noticed."`
}

// Help tells what is done and what the exit status means.
func (*drillCmd) Help() string {
	return `Starts three NATS servers, two nodes, two gateways, tools, a scripted model and an hmap serve, all on this machine and in a temporary folder. Kills
and pauses them while tasks run. Then prints, for each promise of hmap, whether it was kept, broken or not put to the test.

  hmap drill
  hmap drill --minutes 10 --kills 500

Exit status: 0 no promise was broken, 1 one was broken (the table says where the evidence is) or the drill could not be run.`
}

// Validate refuses a drill that is shorter than its first kill or longer than a day.
func (d *drillCmd) Validate() error {
	if !(d.Minutes >= 0.1 && d.Minutes <= 1440) { // NaN, too
		return errors.New("--minutes must be between 0.1 and 1440")
	}
	return nil
}

// Run makes a drill. Ctrl-C ends it, with everything that it started.
func (d *drillCmd) Run(a *app) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	o := drill.Options{
		Seed: d.Seed, Length: time.Duration(d.Minutes * float64(time.Minute)), Tasks: d.Tasks, Kills: d.Kills, Keep: d.Keep, Lie: d.Lie,
		Out: os.Stdout, Live: terminal.Lively(os.Stdout), Exe: exe,
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64N(1_000_000) + 1
	}
	if o.Tasks <= 0 {
		o.Tasks = int(120 * o.Length.Minutes())
	}
	if o.Kills <= 0 {
		o.Kills = int(50 * o.Length.Minutes())
	}
	ctx, stop := signal.NotifyContext(a.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err = drill.Run(ctx, o)
	if ctx.Err() != nil {
		return errors.Join(context.Canceled, err)
	}
	return err
}
