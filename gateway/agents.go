package gateway

import (
	"context"
	"net/http"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// offer is what GET /v1/agents answers: who is there now.
type offer struct {
	Cards     []bus.Card `json:"cards"`     // on offer, one for each name
	Instances []instance `json:"instances"` // what runs behind them
	Rejected  []rejected `json:"rejected"`  // what is there but not offered, and why
}

type instance struct {
	Name  string    `json:"name"`
	ID    string    `json:"id"`
	Node  string    `json:"node,omitempty"`
	Since time.Time `json:"since"`
}

type rejected struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

func (g *Gateway) getAgents(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	d, err := g.bus.Directory(ctx)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, unavailable("the directory cannot be read", err))
		return
	}
	o := offer{Cards: append([]bus.Card{}, d.Cards()...), Instances: []instance{}, Rejected: []rejected{}}
	for _, p := range d.Entries() {
		o.Instances = append(o.Instances, instance{p.Card.Name, p.ID, p.Node, p.Since})
	}
	for _, p := range d.Rejected() {
		o.Rejected = append(o.Rejected, rejected{p.Card.Name, p.ID, p.Reason})
	}
	answer(w, http.StatusOK, o)
}
