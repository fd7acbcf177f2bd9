package terminal

import (
	"context"
	"fmt"

	"github.com/hmap-project/hmap/bus"
)

// Waits tells on Err what is waited for while the bus is away, and when it is back, until stop is called; for the time of a verb that
// waits it out by itself. Follow does so of its own. stop returns when nothing more is printed.
func (s Screen) Waits(ctx context.Context, b *bus.Bus) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		away := false
		for r := range b.Reach(ctx) {
			fmt.Fprint(s.Err, news(r, away))
			away = r != bus.Reached
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// news is what a person is told of the bus, who was told that it is away, or not. Empty: nothing.
func news(r bus.Reach, away bool) string {
	switch {
	case r == bus.Lost:
		return "waiting for the bus (connection lost) …\n"
	case r == bus.Silent:
		return "waiting for the bus (nobody answers for the log; a cluster elects a leader) …\n"
	case away:
		return "the bus is back\n"
	}
	return ""
}
