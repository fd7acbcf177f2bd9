package bus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
	// Unwritable: the embedded server of this process cannot write its folder; [Bus.Trouble] says why.
	Unwritable Reach = "unwritable"
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
	err := b.led(ctx, LogStream)
	switch {
	case b.Trouble() != nil:
		return Unwritable
	case err == nil, code(err) == jetstream.JSErrCodeStreamNotFound: // that is an answer; who reads will be told
		return Reached
	case !b.nc.IsConnected():
		return Lost
	}
	return Silent
}

// Ready is nil when a task would be taken now: the leaders of the log and of the queue answer, and the embedded server of this process, if
// it is the one, can write. Of other servers it does not learn that their disk is full. It ends with ctx.
func (b *Bus) Ready(ctx context.Context) error {
	if err := b.Trouble(); err != nil {
		return err
	}
	for _, stream := range []string{LogStream, TaskStream} {
		if err := b.led(ctx, stream); err != nil {
			return fmt.Errorf("%s: %w", stream, err)
		}
	}
	return nil
}

// led is nil when a stream has a leader. Only it answers a read that is not direct; what the stream is like, any server tells that is
// left of a cluster without a majority.
func (b *Bus) led(ctx context.Context, stream string) error {
	_, err := b.lastOf(ctx, stream, "hmap") // on which nothing is stored
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// Trouble is that of the embedded server of this process; nil when all is well, and when the server is another's.
func (b *Bus) Trouble() error {
	if b.o.Server == nil {
		return nil
	}
	return b.o.Server.Trouble()
}

// Writable says why nothing can be stored in the folder of an embedded server, which may be another process's: its disk is full, say. It
// writes 1 MiB and takes it away again.
func Writable(dir string) error {
	if err := probe(dir); err != nil {
		if p := new(fs.PathError); errors.As(err, &p) {
			err = p.Err // without the name of the probe, which is another one each time
		}
		return fmt.Errorf("%s cannot be written (%w); free space on its disk: it goes on by itself, and nothing that was acknowledged is lost", dir, err)
	}
	return nil
}
