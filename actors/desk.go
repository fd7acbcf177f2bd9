package actors

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"sync"
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

	mu      sync.Mutex
	version uint64         // of the directory that roster was made from
	learned *plan.Evidence // that roster goes by
	roster  *roster
	made    vectors.Version // when roster's index was made
}

// roster is who an agent may call, at one moment. It does not change once made.
type roster struct {
	cards []bus.Card
	tools []bus.Card // that stand behind the agents among them
	by    map[string]*bus.Card
	names []string
	index *plan.Index
	whole bool // the index has vectors of all cards
}

// now is the roster for the directory as it is. While the node drains it stays: the others may be ending as well, and a task shall not
// hear that they never were. An index of all cards is made only when a card that this agent may call has come, gone or changed.
func (d *desk) now() *roster {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.roster != nil && d.taking.Err() != nil {
		return d.roster
	}
	var space vectors.Version
	if d.vectors != nil {
		space = d.vectors.Version() // before the index is made, so that nothing is missed
	}
	stale := d.roster == nil || space.Space != d.made.Space || space.Complete != d.made.Complete && !d.roster.whole
	if v := d.dir.Version(); stale || v != d.version {
		d.version = v
		if cards, tools := d.list(); stale || !slices.EqualFunc(cards, d.roster.cards, sameCard) || !slices.EqualFunc(tools, d.roster.tools, sameCard) {
			d.roster, d.learned = d.newRoster(cards, tools), nil
		}
		d.made = space
	}
	if e := d.evidence(); e != d.learned {
		r := *d.roster
		r.index = r.index.Knowing(e)
		d.roster, d.learned = &r, e
	}
	return d.roster
}

// sameCard is cheap when both come from the same instance: their schemas are the same slices.
func sameCard(a, b bus.Card) bool { return reflect.DeepEqual(a, b) }

// list gives the cards of the directory, as it is, that the agent may call, and those of the tools that are tagged with the name of
// such an agent.
func (d *desk) list() (cards, tools []bus.Card) {
	all := d.dir.Cards()
	for _, c := range all {
		if d.mayCall(c) {
			cards = append(cards, skilled(c, all))
		}
	}
	for _, c := range all {
		if !c.IsAgent() && slices.ContainsFunc(cards, func(a bus.Card) bool { return a.IsAgent() && slices.Contains(c.Tags, a.Name) }) {
			tools = append(tools, c)
		}
	}
	return cards, tools
}

func (d *desk) newRoster(cards, tools []bus.Card) *roster {
	r := &roster{cards: cards, tools: tools, by: map[string]*bus.Card{}}
	for i := range cards {
		r.by[cards[i].Name], r.names = &cards[i], append(r.names, cards[i].Name)
	}
	o := plan.Options{Tools: tools}
	if d.vectors != nil {
		e := &embedder{from: d.vectors}
		o.Embed = e.embed
		defer func() { r.whole, e.made = !e.missing, true }()
	}
	r.index = plan.NewIndex(cards, o)
	return r
}

// embedder is asked by one index: for its cards while it is made, which never waits, then for what requests say.
type embedder struct {
	from    *vectors.Store
	made    bool
	missing bool // some cards have no vectors yet
	length  int  // of the cards' vectors; 0: the index has none
}

func (e *embedder) embed(texts []string) [][]float32 {
	if !e.made {
		out := e.from.Cards(texts)
		e.missing = e.missing || out == nil
		for _, v := range out {
			e.length = max(e.length, len(v))
		}
		return out
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if v := e.from.Text(text); len(v) == e.length {
			out[i] = v
		}
	}
	return out
}

// skilled is an agent's card with what the tools that are tagged with its name add to it, so that whoever plans finds the agent by
// the words of a tool that was not there when the agent was written.
func skilled(agent bus.Card, all []bus.Card) bus.Card {
	if !agent.IsAgent() {
		return agent
	}
	for _, c := range all {
		if !c.IsAgent() && slices.Contains(c.Tags, agent.Name) {
			agent.Skills = append(slices.Clone(agent.Skills), c.Description)
			for _, tag := range c.Tags {
				if tag != agent.Name {
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
	if c.Name == d.agent.Name {
		return false
	}
	if c.IsAgent() {
		return !slices.Contains(d.entries, c.Name) && (slices.Contains(d.agent.Agents, c.Name) || slices.Contains(d.agent.Agents, "*"))
	}
	return slices.Contains(d.agent.Tools, c.Name) || slices.Contains(d.agent.Tools, "*") || slices.Contains(c.Tags, d.agent.Name)
}

// check says what is wrong with a tool's arguments, worded for the mind.
func (r *roster) check(card *bus.Card, parameter json.RawMessage) *bus.Error {
	for _, p := range r.index.Check([]bus.Action{{ToolName: card.Name, Parameter: parameter}}) {
		return &bus.Error{Code: p.Code, Message: p.Message}
	}
	return nil
}

// request is a submission as the request that the root call begins with. The agent's budget fills in what the user left open,
// and bounds what they asked for.
func (d *desk) request(s bus.Submission) bus.Request {
	return bus.Request{
		HMAP: bus.Version, Session: s.Session, Task: s.Task, Call: s.Task, Caller: "user", ToolName: d.agent.Name, JobDesc: s.Query,
		Mode: s.Mode, Output: s.Output, Files: s.Files, DisableTools: s.DisableTools, MCPServers: s.MCPServers, ReplyTo: s.ReplyTo,
		Budget: d.budget(s.Budget),
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
