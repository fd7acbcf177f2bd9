package actors

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/vectors"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// desk is the place of one agent on this node: what it is, whom it may call, how much it takes on at once.
type desk struct {
	agent   configs.Agent
	entries []string // agents that only users may call
	mind    Mind
	slots   chan struct{} // holds one token for each call that runs
	dir     *bus.Directory
	taking  context.Context // ended: the node drains
	// evidence is what the log has taught by now; another pointer when it has taught more.
	evidence func() *plan.Evidence
	vectors  *vectors.Store // nil: there is no embedding model
	reader   *plan.Reader   // of all desks of this node
	phrases  *plan.Phrasebook
	rote     bool // of a saved tool: it calls no other saved tool

	making sync.Mutex // held while a roster is made
	roster atomic.Pointer[roster]
}

// skilled is an agent's card with what the tools that are tagged with its name add to it, so that whoever plans finds the agent by
// the words of a tool that was not there when the agent was written.
func skilled(agent bus.Card, all []bus.Card) bus.Card {
	if !agent.IsAgent() {
		return agent
	}
	agent.Tags = slices.DeleteFunc(slices.Clone(agent.Tags), func(tag string) bool { return tag == idleTag }) // no word of what it does
	for _, c := range all {
		if !c.IsAgent() && slices.Contains(c.Tags, agent.Name) {
			agent.Skills = append(slices.Clone(agent.Skills), c.Description)
			for _, tag := range c.Tags {
				if tag != agent.Name && tag != bus.ServerTag(c.Server()) && !slices.Contains(agent.Tags, tag) {
					agent.Tags = append(slices.Clone(agent.Tags), tag)
				}
			}
		}
	}
	return agent
}

// mayCall: agents by name or "*", tools by name or "*", and any tool that carries the agent's name as a tag, so that a team can
// give an agent a tool without touching the agent.
func (d *desk) mayCall(c bus.Card) bool {
	if c.Name == d.agent.Name || d.rote && (c.IsAgent() || c.IsSaved()) {
		return false
	}
	if c.IsAgent() {
		return !slices.Contains(d.entries, c.Name) && (slices.Contains(d.agent.Agents, c.Name) || slices.Contains(d.agent.Agents, "*"))
	}
	return slices.Contains(d.agent.Tools, c.Name) || slices.Contains(d.agent.Tools, "*") || slices.Contains(c.Tags, d.agent.Name)
}

// request is a submission as the request that the root call begins with. The agent's budget fills in what the user left open,
// and bounds what they asked for.
func (d *desk) request(s bus.Submission) bus.Request {
	return bus.Request{
		HMAP: bus.Version, Session: s.Session, Task: s.Task, Call: s.Task, Caller: "user", ToolName: d.agent.Name, JobDesc: s.Query,
		Mode: s.Mode, Output: s.Output, Files: s.Files, DisableTools: s.DisableTools, MCPServers: s.MCPServers, ReplyTo: s.ReplyTo,
		StreamMode: s.StreamMode,
		Budget:     d.budget(s.Budget),
	}
}

func (d *desk) budget(b *bus.Budget) *bus.Budget {
	own := d.agent.Budget
	full := bus.Budget{Rounds: own.Rounds, Tokens: own.Tokens, Seconds: own.Seconds, Money: own.Money, Depth: own.Depth}
	if b != nil {
		full.Rounds = tighter(full.Rounds, b.Rounds)
		full.Tokens = tighter(full.Tokens, b.Tokens)
		full.Seconds = tighter(full.Seconds, b.Seconds)
		full.Money = tighter(full.Money, b.Money)
		full.Depth = tighter(full.Depth, b.Depth)
	}
	return &full
}

// tighter is the smaller of two bounds, where 0 or less is no bound.
func tighter[T int | float64](a, b T) T {
	switch {
	case a <= 0:
		return max(b, 0)
	case b <= 0:
		return a
	}
	return min(a, b)
}

// record is the request as the first record of its call.
func (d *desk) record(r bus.Request) *bus.Record {
	return &bus.Record{
		Kind: bus.KindRequest, Session: r.Session, Task: r.Task, Call: r.Call, Parent: r.Parent, Agent: d.agent.Name,
		Time: time.Now().UTC(), Attempt: 1, Request: &r,
	}
}

// mode settles auto by the kind of request.
func (d *desk) mode(r bus.Request) bus.Mode {
	m := r.Mode
	if m == "" || m == bus.Auto {
		m = bus.Mode(d.agent.Mode)
	}
	if m == "" || m == bus.Auto {
		m = plan.Classify(r.JobDesc)
	}
	return m
}
