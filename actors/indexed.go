package actors

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/vectors"
	"github.com/hmap-project/hmap/bus"
)

// Indexed is the index of an agent's cards with the vectors of an embedding model, as the agent has it, for somebody who waits for them. Make one
// with [Index].
type Indexed struct {
	*plan.Index
	store *vectors.Store

	mu  sync.Mutex
	why error // the model did not help; nil: it did
}

// Index reads the cards of the agent of a name, whose vectors it asks e for where the cache of the bus has none. It waits for these, and later for that
// of each request, as long as within says; without them the planner finds tools by its own means, and [Indexed.Failed] tells. The caller stops it.
func Index(ctx context.Context, b *bus.Bus, e *model.Client, within time.Duration, agent string, cards []bus.Card, o plan.Options) *Indexed {
	x := &Indexed{}
	ready, enough := context.WithTimeoutCause(ctx, within, fmt.Errorf("no answer within %v", within))
	defer enough()
	ready, broken := context.WithCancelCause(ready)
	defer broken(nil)
	x.store = vectors.Start(ctx, b, vectors.Options{Space: e.Space(), Wait: within, Ask: func(ctx context.Context, texts []string) ([][]float32, error) {
		v, err := e.Embed(ctx, texts)
		if err != nil && ctx.Err() == nil {
			x.fail(err)
			broken(err)
		}
		return v, err
	}})
	for {
		changed := x.store.Changed()
		e := embedder{from: x.store, deck: x.store.Deck(agent)}
		o.Embed = e.embed
		x.Index = plan.NewIndex(cards, o)
		e.made = true
		switch {
		case e.length > 0:
			return x
		case !e.missing:
			x.fail(errors.New("it gives no vectors for these cards"))
			return x
		}
		select {
		case <-changed:
		case <-ready.Done():
			x.fail(context.Cause(ready))
			return x
		}
	}
}

func (x *Indexed) fail(why error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.why = cmp.Or(x.why, why)
}

// Failed is why the model did not help, or not with each request so far; nil: it did.
func (x *Indexed) Failed() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.why
}

// Stop ends what is asked for. The index works on, without the vectors of requests.
func (x *Indexed) Stop() { x.store.Stop() }
