package bus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// MaxQueued is how many agents [Bus.Queued] tells of at most: a stranger may fill the queue with as many names as it has places.
const MaxQueued = 1000

// Queued tells how many submissions of the tenant lie in the queue, by the agent that they are for; those are counted that are being begun. Of more than
// 1,000 agents it tells of the first by name.
func (b *Bus) Queued(ctx context.Context) (map[string]int, error) {
	queued := map[string]int{}
	s, err := b.js.Stream(ctx, TaskStream)
	if err == nil {
		var i *jetstream.StreamInfo
		if i, err = s.Info(ctx, jetstream.WithSubjectFilter(TaskSubject(b.o.Tenant, "*"))); err == nil {
			for _, subject := range slices.Sorted(maps.Keys(i.State.Subjects)) {
				if queued[strings.TrimPrefix(subject, TaskSubject(b.o.Tenant, ""))] = int(i.State.Subjects[subject]); len(queued) == MaxQueued {
					break
				}
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("queued submissions: %w", err)
	}
	return queued, nil
}
