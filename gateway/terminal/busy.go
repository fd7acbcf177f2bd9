package terminal

import (
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

const (
	// rarely is for how long nothing else was shown before news of a step that runs is a line of its own, where no line can be written over.
	rarely = 30 * time.Second
	// newsWidth is how many columns news may take, so that its line does not wrap: what wraps cannot be written over.
	newsWidth = 50
	// newsKept is how many pieces of news wait for the screen; what comes meanwhile is dropped, for the next tells more.
	newsKept = 16
)

// saw says what is waited for after a record. What a step told of itself is gone when it ends.
func (f *follower) saw(r bus.Record) {
	switch r.Kind {
	case bus.KindResult:
		f.over[r.Child] = true
	case bus.KindResponse:
		f.over[r.Call] = true
	}
	if f.over[f.live.Call] || f.live.Call == f.where.Task {
		f.live = bus.Live{}
	}
	switch r.Kind {
	case bus.KindRequest, bus.KindResult, bus.KindInput:
		f.busy, f.since = Line(r.Agent)+" is thinking", time.Now()
	case bus.KindRound:
		names := make([]string, 0, len(r.ActionCode))
		for _, a := range r.ActionCode {
			names = append(names, Line(f.tree.who(r.Call, a.ToolName)))
		}
		if len(names) > 0 {
			f.busy, f.since = "waiting for "+strings.Join(names, ", "), time.Now()
		}
	case bus.KindAsk:
		f.busy = ""
	}
}

// news follows what the steps of the task tell of how far they are, in a goroutine of its own. A stream of records has none of it: nil for JSON.
func (f *follower) news() <-chan bus.Live {
	if f.JSON {
		return nil
	}
	news := make(chan bus.Live)
	f.tasks.Go(func() {
		for l := range f.bus.Hear(f.ctx, f.where.Session, newsKept) {
			if l.Task != f.where.Task || l.Channel != "progress" {
				continue
			}
			select {
			case news <- l:
			case <-f.ctx.Done():
				return
			}
		}
	})
	return news
}

// hear takes in news of a step: on a terminal it stands in the ticker's line, elsewhere it is a line when nothing else was shown for a while.
func (f *follower) hear(l bus.Live, now time.Time) {
	if !f.caughtUp || f.over[l.Call] {
		return
	}
	f.live = l
	switch {
	case f.Ticker:
		f.tick()
	case now.Sub(f.shown) >= rarely:
		f.shown = now
		f.say("… %s: %s\n", Line(l.Agent), Line(l.Text))
	}
}

// tick shows on one line what is waited for, how far it is, and for how long.
func (f *follower) tick() {
	if f.Ticker && !f.JSON && f.busy != "" && f.prompted.IsZero() {
		what, how := f.busy, ""
		if f.live.Text != "" {
			what = Line(f.live.Agent) + ": " + clip(Line(f.live.Text), newsWidth)
		}
		if f.lines != nil {
			how = "  (Enter: add something)"
		}
		fmt.Fprintf(f.Err, "\r\x1b[K… %s %ds%s", what, int(time.Since(f.since).Seconds()), how)
		f.ticking = true
	}
}

// clip cuts a line at a number of columns, of which signs beyond the Latin ones take two.
func clip(line string, columns int) string {
	for at, r := range line {
		if columns--; r >= 0x1100 {
			columns--
		}
		if columns < 0 {
			return line[:at] + "…"
		}
	}
	return line
}
