package terminal

import (
	"context"
	"fmt"
	"time"

	"github.com/hmap-project/hmap/bus"
)

const (
	// longSilent is how long nobody may answer for the log before it is more than an election.
	longSilent = 10 * time.Second
	// sayAgain is how often a person is told what is still waited for.
	sayAgain = 30 * time.Second
	// doubtEvery is how often [Screen.Trouble] is asked.
	doubtEvery = 5 * time.Second
)

// Waits tells on Err what is waited for while the bus is away, and when it is back, until stop is called; for the time of a verb that
// waits it out by itself. Follow does so of its own. stop returns when nothing more is printed.
func (s Screen) Waits(ctx context.Context, b *bus.Bus) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var o outage
		for n := range s.outages(ctx, b) {
			fmt.Fprint(s.Err, Clean(o.news(n, time.Now())))
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// standing is how the bus stands.
type standing struct {
	reach   bus.Reach
	trouble error // why nothing can be stored, as far as Screen.Trouble knows
}

// outages gives how the bus stands, at each change and each second, until ctx ends; then the channel is closed.
func (s Screen) outages(ctx context.Context, b *bus.Bus) <-chan standing {
	out := make(chan standing)
	reach := make(chan bus.Reach)
	go func() {
		defer close(reach)
		for r := range b.Reach(ctx) {
			select {
			case reach <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		defer close(out)
		defer func() {
			for range reach { // until it has ended too
			}
		}()
		second, doubt := time.NewTicker(time.Second), time.NewTicker(doubtEvery)
		defer second.Stop()
		defer doubt.Stop()
		now := standing{reach: bus.Reached}
		for {
			select {
			case r, more := <-reach:
				if !more {
					return
				}
				now.reach = r
			case <-second.C:
			case <-doubt.C:
				if s.Trouble != nil {
					now.trouble = s.Trouble()
				}
			}
			select {
			case out <- now:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// outage is what a person was told of the bus. The zero value: nothing, all is well.
type outage struct {
	told   string
	again  time.Time // when the same is told again
	silent time.Time // since when nobody answers for the log; zero: somebody does
}

// news is what to tell now. Empty: nothing.
func (o *outage) news(s standing, now time.Time) string {
	why := o.why(s, now)
	if why == o.told && (why == "" || now.Before(o.again)) {
		return ""
	}
	o.told, o.again = why, now.Add(sayAgain)
	if why == "" {
		return "the bus is back\n"
	}
	return why
}

func (o *outage) why(s standing, now time.Time) string {
	if s.reach != bus.Silent {
		o.silent = time.Time{}
	} else if o.silent.IsZero() {
		o.silent = now
	}
	switch {
	case s.trouble != nil:
		return fmt.Sprintf("waiting: %v\n", s.trouble)
	case s.reach == bus.Lost:
		return "waiting for the bus (connection lost) …\n"
	case s.reach == bus.Unwritable:
		return "waiting for the bus (it cannot write its disk) …\n"
	case s.reach == bus.Silent && now.Sub(o.silent) >= longSilent:
		return "no majority of the NATS servers answers, or their disk is full; waiting …\n"
	case s.reach == bus.Silent:
		return "waiting for the bus (nobody answers for the log; a cluster elects a leader) …\n"
	}
	return ""
}
