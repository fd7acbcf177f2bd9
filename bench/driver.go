package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

type compareCmd struct {
	Only    []string      `help:"Contenders, in the order of the table: ${enum}." enum:"loop,eino,hmap,hmap-synced" default:"loop,eino,hmap,hmap-synced"`
	Kind    []string      `help:"How the model answers: ${enum}." enum:"stream,whole" default:"stream"`
	Tasks   int           `short:"n" help:"Tasks in each run." default:"4000"`
	At      int           `help:"Tasks at a time." default:"64"`
	Runs    int           `help:"Runs of each contender, interleaved; the table shows medians." default:"3"`
	Delay   time.Duration `help:"What the model waits before the first byte of every answer."`
	Hold    time.Duration `help:"What the model waits before the first answer of every task, instead."`
	Flush   bool          `help:"The model writes every event by itself."`
	Profile string        `help:"Folder for a CPU profile of each contender's last run: go tool pprof FILE." type:"path"`
}

// contender is one line of the table: a process to be measured.
type contender struct {
	name, kind string
}

// figures are what one run of a contender gave.
type figures struct {
	cpu      time.Duration // a task
	rate     float64       // tasks a second
	p50, p99 time.Duration
	peak     float64 // KiB a task, over what was resident before the run
}

// Run measures.
func (c *compareCmd) Run() error {
	m, err := start("model", "--delay", c.Delay.String(), "--hold", c.Hold.String(), fmt.Sprintf("--flush=%t", c.Flush))
	if err != nil {
		return err
	}
	defer func() { _ = m.stop() }()
	for _, kind := range c.Kind {
		runs := map[string][]figures{}
		for range c.Runs {
			for _, name := range c.Only {
				f, err := c.run(contender{name, kind}, m.ready)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", name, kind, err)
				}
				runs[name] = append(runs[name], f)
				fmt.Fprintf(os.Stderr, "%-12s %-6s %7.0f µs %6.0f tasks/s\n", name, kind, micros(f.cpu), f.rate)
			}
		}
		c.table(kind, runs)
	}
	return nil
}

// settle is how long a contender has, after the last answer, to finish what it does behind; that counts as well.
const settle = 200 * time.Millisecond

// run starts a contender, lets it warm up with a tenth of the tasks, and measures it.
func (c *compareCmd) run(x contender, url string) (f figures, err error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "hmap-bench-")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(dir)
	name, sync := x.name, "interval"
	if name == "hmap-synced" {
		name, sync = "hmap", "always"
	}
	p, err := start("contend", name, "--url", url, fmt.Sprintf("--whole=%t", x.kind == "whole"), fmt.Sprintf("--at=%d", c.At), "--dir", filepath.Join(dir, "data"), "--sync", sync)
	if err != nil {
		return f, err
	}
	stopped := false
	defer func() {
		if !stopped {
			_ = p.stop()
		}
	}()
	work := func(n int) ([]time.Duration, error) { return p.do(order{Tasks: n, At: c.At}) }
	if p.ready != "" {
		v, err := visit(ctx, p.ready)
		if err != nil {
			return f, err
		}
		defer v.bus.Close()
		work = func(n int) ([]time.Duration, error) { return pump(ctx, n, c.At, v.task) }
	}
	if _, err := work(max(c.Tasks/10, 1)); err != nil {
		return f, err
	}
	if c.Profile != "" {
		if err := os.MkdirAll(c.Profile, 0o755); err != nil {
			return f, err
		}
		if _, err := p.do(order{Profile: filepath.Join(c.Profile, x.name+"-"+x.kind+".pprof")}); err != nil {
			return f, err
		}
	}
	if _, err := p.do(order{Collect: true}); err != nil {
		return f, err
	}
	if f, err = measure(p.cmd.Process.Pid, func() ([]time.Duration, error) { return work(c.Tasks) }); err != nil {
		return f, err
	}
	stopped = true
	return f, p.stop()
}

// measure watches a process from outside while tasks are carried out.
func measure(pid int, work func() ([]time.Duration, error)) (f figures, err error) {
	before, _, err := memory(pid)
	if err != nil {
		return f, err
	}
	if err := forget(pid); err != nil {
		return f, err
	}
	cpuBefore, err := cpu(pid)
	if err != nil {
		return f, err
	}
	begun := time.Now()
	took, err := work()
	if err != nil {
		return f, err
	}
	wall := time.Since(begun)
	time.Sleep(settle)
	cpuAfter, err := cpu(pid)
	if err != nil {
		return f, err
	}
	_, peak, err := memory(pid)
	if err != nil {
		return f, err
	}
	n := len(took)
	slices.Sort(took)
	return figures{
		cpu: (cpuAfter - cpuBefore) / time.Duration(n), rate: float64(n) / wall.Seconds(),
		p50: took[n/2], p99: took[n*99/100], peak: float64(peak-before) / float64(n),
	}, nil
}

// table prints the medians, with ratios to the first contender.
func (c *compareCmd) table(kind string, runs map[string][]figures) {
	fmt.Printf("\n%s: %d tasks, %d at a time, medians of %d runs\n\n", kind, c.Tasks, c.At, c.Runs)
	fmt.Println("| contender | CPU a task | × " + c.Only[0] + " | tasks/s | p50 | p99 | peak a task |")
	fmt.Println("|" + strings.Repeat("---|", 7))
	base := median(runs[c.Only[0]], func(f figures) float64 { return micros(f.cpu) })
	for _, name := range c.Only {
		m := func(of func(figures) float64) float64 { return median(runs[name], of) }
		used := m(func(f figures) float64 { return micros(f.cpu) })
		fmt.Printf("| %s | %.0f µs | %.2f | %.0f | %.1f ms | %.1f ms | %.1f KiB |\n", name, used, used/base,
			m(func(f figures) float64 { return f.rate }), m(func(f figures) float64 { return micros(f.p50) / 1000 }),
			m(func(f figures) float64 { return micros(f.p99) / 1000 }), m(func(f figures) float64 { return f.peak }))
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func median(runs []figures, of func(figures) float64) float64 {
	var v []float64
	for _, f := range runs {
		v = append(v, of(f))
	}
	slices.Sort(v)
	return v[len(v)/2]
}
