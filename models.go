package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// asker asks a model for a tool: that of the agent whose call is under way.
type asker func(context.Context, bus.Request, model.Prompt) (model.Reply, error)

// asker makes the one of this house; nil: there is no model here.
func (h *house) asker() (asker, error) {
	clients, err := models(h.config)
	if err != nil || len(clients) == 0 {
		return nil, err
	}
	team, err := h.config.Team()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, call bus.Request, p model.Prompt) (model.Reply, error) {
		name := "default"
		if i := slices.IndexFunc(team, func(a configs.Agent) bool { return a.Name == call.Caller }); i >= 0 {
			name = team[i].Model
		}
		client := clients[name]
		if client == nil {
			return model.Reply{}, fmt.Errorf("there is no model %s here", name)
		}
		return client.Ask(ctx, p)
	}, nil
}
