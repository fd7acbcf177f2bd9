package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type compareCmd struct {
	Scenes  []string       `arg:"" optional:"" help:"What is measured: ${enum}." enum:"speed,alone,crowd,hold,idle" default:"speed"`
	Only    []string       `help:"Contenders; the first is what the others are compared with: ${enum}." enum:"wire,loop,eino,hmap,hmap-synced" placeholder:"NAME,…"`
	Kinds   []string       `help:"How the model answers: ${enum}." enum:"stream,whole" placeholder:"KIND,…"`
	Tasks   int            `short:"n" help:"Tasks in each run." placeholder:"N"`
	At      int            `help:"Tasks at a time." placeholder:"N"`
	Runs    int            `help:"Runs of each contender, interleaved; the tables show medians." placeholder:"N"`
	Delay   *time.Duration `help:"What the model waits before the first byte of every answer." placeholder:"TIME"`
	Hold    *time.Duration `help:"What the model waits before the first answer of every task, instead." placeholder:"TIME"`
	Flush   bool           `help:"The model writes every event by itself, not an answer at once."`
	Profile string         `help:"Folder for CPU and heap profiles of each contender's last run, for go tool pprof." type:"path" placeholder:"DIR"`
}

// Run measures scene after scene. The error tells of all contenders that failed.
func (c *compareCmd) Run() error {
	var errs []error
	for _, name := range c.Scenes {
		s := scenes[name]
		c.change(&s)
		if err := c.play(name, s); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(errs...)
}

// change lays the flags over a scene.
func (c *compareCmd) change(s *scene) {
	if c.Only != nil {
		s.only = c.Only
	}
	if c.Kinds != nil {
		s.kinds = c.Kinds
	}
	for _, number := range []struct {
		from int
		to   *int
	}{{c.Tasks, &s.tasks}, {c.At, &s.at}, {c.Runs, &s.runs}} {
		if number.from > 0 {
			*number.to = number.from
		}
	}
	if c.Delay != nil {
		s.delay = *c.Delay
	}
	if c.Hold != nil {
		s.hold = *c.Hold
	}
}

// play measures all contenders in turn, as often as there are runs, against one model. One that failed once is not run again, and has no
// figures.
func (c *compareCmd) play(name string, s scene) error {
	m, err := start("model", "--delay", s.delay.String(), "--hold", s.hold.String(), fmt.Sprintf("--flush=%t", c.Flush))
	if err != nil {
		return err
	}
	defer func() { _ = m.stop() }()
	var errs []error
	for _, kind := range s.kinds {
		runs, failed := map[string][]figures{}, map[string]error{}
		for range s.runs {
			for _, who := range s.only {
				if failed[who] != nil {
					continue
				}
				f, err := c.run(s, who, kind, m.ready)
				if err != nil {
					failed[who] = fmt.Errorf("%s, %s: %w", who, kind, err)
					errs = append(errs, failed[who])
					continue
				}
				runs[who] = append(runs[who], f)
				fmt.Fprintf(os.Stderr, "%-5s %-6s %-11s %6.0f µs %6.0f tasks/s %8.1f ms %8.1f ms %6.1f KiB\n", name, kind, who, f.cpu, f.rate, f.p50/1e3, f.p99/1e3, f.peak)
			}
		}
		s.print(kind, runs, failed)
	}
	return errors.Join(errs...)
}

// run starts a contender, lets it warm up with a tenth of the tasks, and measures it.
func (c *compareCmd) run(s scene, who, kind, url string) (f figures, err error) {
	dir, err := os.MkdirTemp("", "hmap-bench-")
	if err != nil {
		return f, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	name, synced := strings.CutSuffix(who, "-synced")
	sync := "interval"
	if synced {
		sync = "always"
	}
	p, err := start("contend", name, "--url", url, fmt.Sprintf("--whole=%t", kind == "whole"), fmt.Sprintf("--at=%d", s.at), "--dir", filepath.Join(dir, "data"), "--sync", sync)
	if err != nil {
		return f, err
	}
	defer func() {
		if stopErr := p.stop(); err == nil {
			err = stopErr
		}
	}()
	work := func(n int) ([]time.Duration, error) { return p.do(order{Tasks: n, At: s.at}) }
	if p.ready != "" {
		ctx := context.Background()
		v, err := visit(ctx, p.ready)
		if err != nil {
			return f, err
		}
		defer v.bus.Close()
		work = func(n int) ([]time.Duration, error) { return pump(ctx, n, s.at, v.task) }
	}
	if _, err := work(max(s.tasks/10, 1)); err != nil {
		return f, err
	}
	if c.Profile != "" {
		if err := os.MkdirAll(c.Profile, 0o755); err != nil {
			return f, err
		}
		if _, err := p.do(order{Profile: filepath.Join(c.Profile, who+"-"+kind)}); err != nil {
			return f, err
		}
	}
	return s.measure(p, func() ([]time.Duration, error) { return work(s.tasks) })
}

// print writes the table of one kind, of medians.
func (s *scene) print(kind string, runs map[string][]figures, failed map[string]error) {
	how := fmt.Sprintf("%d tasks, %d at a time", s.tasks, s.at)
	if s.delay > 0 {
		how += fmt.Sprintf(", %v before every answer", s.delay)
	}
	if s.hold > 0 {
		how += fmt.Sprintf(", %v before the first answer", s.hold)
	}
	fmt.Printf("\n**%s** (%s; %s; medians of %d runs)\n\n| contender |", s.title, kind, how, s.runs)
	for _, c := range s.columns {
		fmt.Printf(" %s |", c.head)
	}
	fmt.Println("\n|---|" + strings.Repeat("---|", len(s.columns)))
	for _, who := range s.only {
		fmt.Printf("| %s |", who)
		for _, c := range s.columns {
			if failed[who] != nil || failed[s.only[0]] != nil {
				fmt.Print(" failed |")
				continue
			}
			fmt.Printf(" %s |", c.text(median(runs[who]), median(runs[s.only[0]])))
		}
		fmt.Println()
	}
	fmt.Println()
}

// median is the median of each figure by itself.
func median(runs []figures) figures {
	if len(runs) == 0 {
		return figures{}
	}
	of := func(get func(figures) float64) float64 {
		var v []float64
		for _, f := range runs {
			v = append(v, get(f))
		}
		slices.Sort(v)
		return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
	}
	return figures{
		cpu: of(func(f figures) float64 { return f.cpu }), rate: of(func(f figures) float64 { return f.rate }), wall: of(func(f figures) float64 { return f.wall }),
		p50: of(func(f figures) float64 { return f.p50 }), p99: of(func(f figures) float64 { return f.p99 }),
		peak: of(func(f figures) float64 { return f.peak }), held: of(func(f figures) float64 { return f.held }), left: of(func(f figures) float64 { return f.left }),
	}
}
