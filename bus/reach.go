package bus

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Reach says whether what is stored can be reached. The words are those of the gateway's frames.
type Reach string

const (
	// Reached: the leader of the log answers.
	Reached Reach = "here"
	// Lost: there is no connection; the bus tries again by itself, for ever.
	Lost Reach = "lost"
	// Silent: there is a connection, but nobody answers for the log. A cluster that has lost a server elects a leader then: 4–6 s for a
	// killed one of three, 0.3 s for one that was stopped.
	Silent Reach = "silent"
)

const (
	reachEvery  = time.Second
	reachWithin = 1500 * time.Millisecond // for the answer; a healthy server needs 0.2 ms
)

// Reach gives how things stand now, and then each change, until ctx ends, the bus is closed or the loop breaks. A lost connection is told
// at once, or when a look ends that is under way; silence within 2.5 s. It costs one small request a second. The other verbs wait out all of it by themselves: this is
// for telling people what they wait for.
func (b *Bus) Reach(ctx context.Context) iter.Seq[Reach] {
	return func(yield func(Reach) bool) {
		ctx, cancel := b.scope(ctx)
		defer cancel()
		tick := time.NewTicker(reachEvery)
		defer tick.Stop()
		changed := b.nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING)
		defer b.nc.RemoveStatusListener(changed)
		var told Reach
		for {
			now := b.reach(ctx)
			if ctx.Err() != nil {
				return
			}
			if now != told && !yield(now) {
				return
			}
			told = now
			select {
			case <-tick.C:
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}
}

// reach looks once.
func (b *Bus) reach(ctx context.Context) Reach {
	if !b.nc.IsConnected() {
		return Lost
	}
	ctx, cancel := context.WithTimeout(ctx, reachWithin)
	defer cancel()
	_, err := b.js.Stream(ctx, LogStream)
	switch {
	case err == nil, errors.Is(err, jetstream.ErrStreamNotFound): // that is an answer; who reads will be told
		return Reached
	case !b.nc.IsConnected():
		return Lost
	}
	return Silent
}
