package actors

import (
	"context"
	"maps"
	"slices"
	"time"
)

// unservedEvery is how often the queue is looked at for submissions that nobody takes; of an agent that somebody could have said wrong nobody else tells
// who published them.
const unservedEvery = time.Minute

// unserved warns of agents that have submissions in the queue and are not there, once until they come or the submissions go.
func (t *Team) unserved(ctx context.Context, every time.Duration) {
	warned := map[string]bool{}
	for pause(ctx, every) {
		queued, err := t.bus.Queued(ctx)
		if err != nil {
			continue // who reads the queue tells of it
		}
		for _, agent := range slices.Sorted(maps.Keys(queued)) {
			if _, there := t.dir.Get(agent); there {
				delete(queued, agent)
			} else if !warned[agent] {
				t.log.Warn("tasks wait for an agent that nobody serves; they begin when one of that name joins", "agent", agent, "tasks", queued[agent])
			}
		}
		clear(warned)
		for agent := range queued {
			warned[agent] = true
		}
	}
}
