package actors

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// unservedEvery is how often the queue is looked at for submissions that nobody takes; of an agent that somebody could have said wrong nobody else tells
// who published them.
const unservedEvery = time.Minute

// maxWarned is of how many such agents it is told: a stranger may make up as many as the queue has places.
const maxWarned = 100

// unserved warns of agents that have submissions in the queue and are not there, once until they come or the submissions go.
func (t *Team) unserved(ctx context.Context, every time.Duration) {
	warned := map[string]bool{}
	for pause(ctx, every) {
		queued, err := t.bus.Queued(ctx)
		if err != nil {
			continue // who reads the queue tells of it
		}
		if len(queued) < bus.MaxQueued { // else those that are not among them may only have been left out
			maps.DeleteFunc(warned, func(agent string, _ bool) bool { return queued[agent] == 0 })
		}
		for _, agent := range slices.Sorted(maps.Keys(queued)) {
			if _, there := t.dir.Get(agent); there {
				delete(warned, agent)
			} else if !warned[agent] && len(warned) < maxWarned {
				warned[agent] = true
				t.log.Warn("tasks wait for an agent that nobody serves; they begin when one of that name joins", "agent", agent, "tasks", queued[agent])
			}
		}
	}
}
