package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/actors/learn"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
)

// houseStock is what an agent of the house plans with: the cards that it may call, the tools behind other agents, what the log has taught, and the
// embedding model. With it come the cards that the directory rejects. The house is that which runs, or one of our own. The agent "" is the
// first that users may call; with all, calls are planned to the end, and the cards are all tools of the house, for what agents call is theirs
// to plan.
func (a *app) houseStock(agent string, all bool, o plan.Options) (s stock, left []plan.Reject, err error) {
	h, err := a.connect(false)
	if err != nil {
		return stock{}, nil, err
	}
	s.end = sync.OnceFunc(h.close)
	defer func() {
		if err != nil {
			s.end()
		}
	}()
	if h.server != nil {
		h.passive = true
		if err := h.populate(a.ctx, fillProgress()); err != nil {
			return s, nil, err
		}
	}
	d, err := h.bus.Directory(a.ctx)
	if err != nil {
		return s, nil, err
	}
	if h.team != nil {
		_ = h.bus.Listed(a.ctx) // what another of its name keeps out is told as left out
	}
	settle(d)
	team, err := h.config.Team()
	if err != nil {
		return s, nil, err
	}
	for _, a := range team {
		if agent == "" && a.Entry {
			agent = a.Name
		}
		if agent == a.Name {
			s.parallel = actors.Parallel(h.config.Limits, a)
		}
	}
	for _, r := range d.Rejected() {
		left = append(left, plan.Reject{Name: r.Card.Name, Reason: r.Reason})
	}
	cards, tools, err := actors.Offered(team, agent, d.Cards())
	if err != nil {
		return s, nil, err
	}
	if all {
		cards, tools = slices.DeleteFunc(d.Cards(), func(c bus.Card) bool { return c.IsAgent() }), nil
	}
	o.Tools = tools
	if o.Phrases, err = phrasebook(h.config); err != nil {
		return s, nil, err
	}
	if h.config.Learning == "on" {
		book := learn.Open(h.bus)
		if _, err := book.Refresh(a.ctx); err != nil {
			return s, nil, err
		}
		o.Evidence = book.Lessons().Evidence()
	}
	return s, left, s.make(a.ctx, h, agent, cards, o)
}

// phrasebook compiles the phrases of the configuration.
func phrasebook(c *configs.Config) (*plan.Phrasebook, error) {
	read, err := c.Phrasebook()
	if err != nil {
		return nil, err
	}
	var all []plan.Phrase
	for _, p := range read {
		all = append(all, plan.Phrase(p))
	}
	book, err := plan.NewPhrasebook(all)
	if err != nil {
		return nil, fmt.Errorf("phrases of %q: %w", c.Phrases, err)
	}
	return book, nil
}

// vectorsWithin is how long a command waits for the vectors of the cards, and of what was asked for.
const vectorsWithin = 5 * time.Second

// make makes the index, with the vectors of the embedding model if one is configured.
func (s *stock) make(ctx context.Context, h *house, agent string, cards []bus.Card, o plan.Options) error {
	client, err := embedding(h.config, -1) // a person waits
	if err != nil {
		return err
	}
	if client == nil || o.Without.Embedding {
		s.index = plan.NewIndex(cards, o)
		return nil
	}
	x := actors.Index(ctx, h.bus, client, vectorsWithin, agent, cards, o)
	h.closes = append(h.closes, x.Stop)
	s.index, s.model, s.failed = x.Index, client.Model(), x.Failed
	return nil
}

// vectors says whether an embedding model helped, once the plan is made; nothing when none is configured.
func (l *planLook) vectors(s stock) {
	if s.model == "" {
		return
	}
	text := fmt.Sprintf(l.say("%s 参与了找工具（models.embedding）。", "%s helped to find tools (models.embedding)."), s.model)
	if why := s.failed(); why != nil {
		text = fmt.Sprintf(l.say("%s 没有参与，规划器用自己的办法找工具：%v", "%s did not help, and the planner found tools by its own means: %v"), s.model, why)
	}
	l.head("向量", "Vectors")
	l.WriteString("  " + terminal.Line(text) + "\n")
}
