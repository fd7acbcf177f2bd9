package drill

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// progress is the line that is shown while a drill runs: on a terminal one that changes, else one now and then.
type progress struct {
	out  io.Writer
	live bool
	said time.Time
}

const sayEvery = 10 * time.Second // where it is no terminal

func (p *progress) show(line string) {
	switch {
	case p.live:
		fmt.Fprintf(p.out, "\r\x1b[K%s", line)
	case time.Since(p.said) >= sayEvery:
		p.said = time.Now()
		fmt.Fprintln(p.out, line)
	}
}

func (p *progress) clear() {
	if p.live {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (d *drill) stage(name string) {
	d.book.mu.Lock()
	defer d.book.mu.Unlock()
	d.phase = name
}

// watch shows the progress until stop.
func (d *drill) watch(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for wait(ctx, watchInterval) == nil {
			d.book.mu.Lock()
			line := fmt.Sprintf("%4.0f s  %s: %d tasks, %d ended; %d kills, %d hostile bodies", time.Since(d.begun).Seconds(), d.phase,
				d.book.begun, d.book.ended, d.book.counts[killed], d.book.counts["hostile bodies"])
			d.book.mu.Unlock()
			d.line.show(line)
		}
	})
	return func() { cancel(); done.Wait() }
}

// examples is how many breaches of one check are shown.
const examples = 3

// table prints what was done and what came of it.
func table(out io.Writer, e, house *Evidence, findings []Finding, b *book) {
	fmt.Fprintf(out, "\nDrill: seed %d, %v of trouble\n\n", e.Wanted.Seed, e.Wanted.Length)
	for _, name := range slices.Sorted(maps.Keys(e.Counts)) {
		fmt.Fprintf(out, "  %-44s %6d\n", name, e.Counts[name])
	}
	ends, dead := e.ends(), e.dead()
	kinds := map[string]map[string]int{}
	for _, t := range e.Tasks {
		how := "no end"
		if end, ok := ends[t.Session+"."+t.Task]; ok {
			how = string(end.Status)
			if end.Error != nil && end.Status != bus.Cancelled {
				how += " " + end.Error.Code
			}
		} else if dead[t.Session+"."+t.Task] {
			how = "dead letter"
		} else if t.Accepted.IsZero() {
			how = "never accepted"
		}
		if kinds[t.Client] == nil {
			kinds[t.Client] = map[string]int{}
		}
		kinds[t.Client][how]++
	}
	fmt.Fprintf(out, "\n  %-16s %6s  outcomes\n", "tasks by client", "")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		n, parts := 0, []string{}
		for _, how := range slices.Sorted(maps.Keys(kinds[kind])) {
			n += kinds[kind][how]
			parts = append(parts, fmt.Sprintf("%s %d", how, kinds[kind][how]))
		}
		fmt.Fprintf(out, "  %-16s %6d  %s\n", kind, n, strings.Join(parts, ", "))
	}
	b.mu.Lock()
	restarts := Took(slices.Sorted(slices.Values(b.restarts)))
	b.mu.Unlock()
	fmt.Fprintf(out, "\n  %-26s %8s %8s %8s %6s\n", "under trouble", "p50", "p99", "max", "of")
	for _, row := range []struct {
		name string
		took Took
	}{{"task, accepted to ended", e.Latencies()}, {"takeover after a death", e.Takeovers()}, {"restart of a child", restarts}} {
		fmt.Fprintf(out, "  %-26s %8s %8s %8s %6d\n", row.name, seconds(row.took.At(0.5)), seconds(row.took.At(0.99)), seconds(row.took.At(1)), len(row.took))
	}
	calls := 0
	for _, r := range e.Log {
		if r.Kind == bus.KindRequest {
			calls++
		}
	}
	fmt.Fprintf(out, "\n  %d records of %d calls in the log, %d effects in the ledger, %d views, %d dead letters, %d sessions removed\n", len(e.Log), calls, len(e.Ledger), len(e.Views), len(e.Dead), len(e.Removals))
	fmt.Fprintf(out, "  beside it %s, killed %d times: %d tasks, %d records, %d effects, %d sessions removed\n\n", kindHouse, house.Counts[killed], len(house.Tasks), len(house.Log), len(house.Ledger), len(house.Removals))
	for _, f := range findings {
		fmt.Fprintf(out, "  %-15s %-10s %s\n", f.Name, f.word(), f.Promise)
		for _, breach := range f.Breaches[:min(examples, len(f.Breaches))] {
			fmt.Fprintf(out, "      %s\n", breach)
		}
	}
	fmt.Fprintln(out)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
