package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/mcp"
)

// bringServers begins with the MCP servers of the configuration, and waits a moment for their tools.
func (h *house) bringServers(ctx context.Context, engine *actor.Engine, hands *tools.Host) error {
	c := h.config.MCP
	if len(c.Servers) == 0 {
		return nil
	}
	sample, err := h.sampler()
	if err != nil {
		return err
	}
	all := mcp.New(h.bus, engine, hands, mcp.Options{Refresh: c.Refresh, Penalty: c.Penalty, Version: version, Log: h.log, Sample: sample})
	h.closes = append(h.closes, h.quietly("the MCP servers", all.Stop))
	for _, name := range slices.Sorted(maps.Keys(c.Servers)) {
		s := c.Servers[name]
		one := mcp.Server{
			Name: name, Command: s.Command, Args: s.Args, URL: s.URL, SSE: s.Transport == "sse", Header: s.Headers, Agents: s.Agents, Tags: s.Tags,
			Timeout: s.Timeout, AtOnce: s.AtOnce, Approval: s.Approval, Effects: map[string]bus.Effect{}, Only: s.Only, Except: s.Except,
			Sampling: s.Sampling, OnRequest: s.OnRequest,
		}
		for k, v := range s.Env {
			one.Env = append(one.Env, k+"="+v)
		}
		for tool, effect := range s.Effects {
			one.Effects[tool] = bus.Effect(effect)
		}
		if err := all.Add(one); err != nil {
			return err
		}
	}
	soon, cancel := context.WithTimeout(ctx, c.Wait)
	defer cancel()
	all.Settled(soon)
	for _, s := range all.States() {
		h.posts += s.Tools
	}
	return context.Cause(ctx)
}

// sampler asks a model for an MCP server: that of the agent whose call is under way. nil: there is no model here.
func (h *house) sampler() (func(context.Context, bus.Request, mcp.Prompt) (mcp.Sample, error), error) {
	clients, err := models(h.config)
	if err != nil || len(clients) == 0 {
		return nil, err
	}
	team, err := configs.Team(h.config.Agents)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, call bus.Request, p mcp.Prompt) (mcp.Sample, error) {
		name := "default"
		if i := slices.IndexFunc(team, func(a configs.Agent) bool { return a.Name == call.Caller }); i >= 0 {
			name = team[i].Model
		}
		client := clients[name]
		if client == nil {
			return mcp.Sample{}, fmt.Errorf("there is no model %s here", name)
		}
		asked := model.Prompt{System: p.System}
		for _, m := range p.Messages {
			asked.Messages = append(asked.Messages, model.Message{Role: m.Role, Text: m.Text})
		}
		r, err := client.Ask(ctx, asked)
		if err != nil {
			return mcp.Sample{}, err
		}
		return mcp.Sample{Text: r.Answer, Model: r.Model, Usage: r.Usage}, nil
	}, nil
}
