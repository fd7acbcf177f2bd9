package actors

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// parallels is a mind that writes down how many calls the planner is told to run at the same time.
type parallels struct {
	mu   sync.Mutex
	told map[string]int // by agent
}

func (p *parallels) Think(_ context.Context, v *View) (Thought, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told[v.Agent.Name] = inputOf(v).Parallel
	if v.Agent.Name == "master" && len(v.Rounds) == 0 {
		return Thought{Actions: []bus.Action{{ToolName: "clerk", JobDesc: "a"}}}, nil
	}
	return Thought{Answer: "done"}, nil
}

// The planner knows the limits of the configuration: those of tools where an agent has tools, those of agents where it has none.
func TestThePlannerKnowsTheLimits(t *testing.T) {
	t.Parallel()
	l := testLimits
	l.Calls, l.ToolCalls = 5, 3
	agents := slices.Clone(testAgents)
	agents[0].Tools = nil
	h := open(t, setup{agents: agents, limits: l})
	m := &parallels{told: map[string]int{}}
	for _, d := range h.team.desks {
		d.mind = m
	}
	h.response(h.submit(bus.Submission{Query: "what is a?"}))
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told["master"] != 5 || m.told["clerk"] != 3 {
		t.Error(m.told)
	}
}
