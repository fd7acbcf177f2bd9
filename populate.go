package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/actors/mask"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/shop"
)

// populate brings the tools and agents that live here into the house.
func (h *house) populate(ctx context.Context, progress func(done, total int)) error {
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return err
	}
	if !none(h.tools) {
		if err := h.bringTools(ctx, engine, progress); err != nil {
			return err
		}
	}
	if !none(h.agents) {
		return h.bringAgents(ctx, engine)
	}
	return nil
}

func (h *house) bringTools(ctx context.Context, engine *actor.Engine, progress func(done, total int)) error {
	c := h.config
	all, err := h.shopTools(ctx, progress)
	if err != nil {
		return err
	}
	base, err := h.knowledge()
	if err != nil {
		return err
	}
	if base != nil {
		all = append(all, knowledge.Tool(base))
	}
	grace := max(c.Limits.Drain, time.Millisecond)
	if h.server != nil { // the bus ends with us, so nobody needs us to go on for long
		grace = min(grace, 5*time.Second)
	}
	segments, err := streams(c)
	if err != nil {
		return err
	}
	hands := tools.NewHost(h.bus, engine, tools.Options{
		AtOnce: c.Limits.ToolCalls, Waiting: cmp.Or(c.Limits.ToolWaiting, -1), Grace: grace, Streams: segments, Log: h.log, MaxResult: actors.MaxWhole,
	})
	h.closes = append(h.closes, h.quietly("the tools", hands.Stop))
	h.hurry = hands.Hurry
	all = append(all, document.Tool(h.bus, h.config.Location()))
	all = append(all, h.handTools()...)
	research, err := h.researchTools(base)
	if err != nil {
		return err
	}
	all = append(all, research...)
	tables, err := h.tableTools()
	if err != nil {
		return err
	}
	all = append(all, tables...)
	here, err := chosen("tools", h.tools, all, func(t tools.Tool) string { return t.Card.Name })
	if err != nil {
		return err
	}
	if err := h.oneCopy(ctx, here); err != nil {
		return err
	}
	for _, t := range here {
		if err := hands.Add(t); err != nil {
			return err
		}
	}
	h.posts = len(here)
	if err := h.bringServers(ctx, engine, hands); err != nil {
		return err
	}
	if err := h.oneCopy(ctx, here); err != nil { // two nodes may have come at once
		return err
	}
	if err := h.bus.Listed(ctx); err != nil && ctx.Err() == nil { // so that the first task finds them
		h.log.Warn("not all tools of this node are on offer; what needs them cannot be done yet", "error", err)
	}
	return context.Cause(ctx)
}

// shopTools are those of the shop, which is filled first if it is not there; none where the configuration wants no shop.
func (h *house) shopTools(ctx context.Context, progress func(done, total int)) ([]tools.Tool, error) {
	file := cmp.Or(h.config.Shop, filepath.Join(h.config.Data, "shop.db"))
	if file == configs.NoShop {
		return nil, nil
	}
	goods, err := shop.Open(ctx, file, progress)
	if err != nil {
		return nil, fmt.Errorf("the shop: %w", err)
	}
	h.closes = append(h.closes, h.quietly("the shop", goods.Close))
	all := goods.Tools()
	for i := range all {
		all[i].Card.Version = "1.0.0+" + copyID(file)
	}
	return all, nil
}

// knowledge are the rules of the shop: the texts of the configuration, or those that are built in. nil: there is no shop.
func (h *house) knowledge() (*knowledge.Base, error) {
	if h.config.Shop == configs.NoShop {
		return nil, nil
	}
	folder := knowledge.Rules()
	if own := h.config.Knowledge; own != "" {
		folder = os.DirFS(own)
		if _, err := fs.Stat(folder, "."); err != nil {
			return nil, fmt.Errorf("knowledge: %w", err)
		}
	}
	base, err := knowledge.Open(folder, knowledge.Options{Log: h.log})
	if err != nil {
		return nil, fmt.Errorf("knowledge: %w", err)
	}
	h.closes = append(h.closes, h.quietly("knowledge", base.Close))
	return base, nil
}

// oneCopy is an error when another node serves one of the tools from another copy of its data. A call goes to any node that serves the
// tool, so what was changed through one node would not be seen through the other.
func (h *house) oneCopy(ctx context.Context, here []tools.Tool) error {
	if h.server != nil {
		return nil // nobody else is on this bus
	}
	d, err := h.bus.Directory(ctx)
	if err != nil {
		return err
	}
	var others []bus.Card
	for _, p := range d.Entries() {
		others = append(others, p.Card)
	}
	for _, r := range d.Rejected() { // for being different
		others = append(others, r.Card)
	}
	for _, t := range here {
		for _, o := range others {
			_, mine, bound := strings.Cut(t.Card.Version, "+")
			if _, theirs, _ := strings.Cut(o.Version, "+"); bound && o.Name == t.Card.Name && theirs != mine {
				return fmt.Errorf("%s is served by another node already, from another copy of the shop; what one of the two changed the other would not show. "+
					"Start this node with --tools none, or on that node's machine with the same file (configuration: shop, or the same --data)", t.Card.Name)
			}
		}
	}
	return nil
}

func (h *house) bringAgents(ctx context.Context, engine *actor.Engine) error {
	c := h.config
	all, err := c.Team()
	if err != nil {
		return err
	}
	here, err := chosen("agents", h.agents, all, func(a configs.Agent) string { return a.Name })
	if err != nil {
		return err
	}
	texts, err := prompts.Load(c.Prompts)
	if err != nil {
		return err
	}
	if h.models, err = models(c); err != nil {
		return err
	}
	o := actors.Options{Agents: here, Prompts: texts, Models: h.models, Mind: c.Mind, Limits: c.Limits, Scenes: c.MCP.Scenes, Zone: c.Location(), Passive: h.passive, Log: h.log}
	if o.Phrases, err = phrasebook(c); err != nil {
		return err
	}
	if o.Embedding, err = embedding(c, 0); err != nil {
		return err
	}
	if o.Employees, err = employees(c); err != nil {
		return err
	}
	if c.Learning == "on" {
		o.Learn = actors.LearnEvery
	}
	h.team, err = actors.Start(ctx, h.bus, engine, o)
	if err != nil {
		return err
	}
	h.minds = len(here)
	h.closes = append(h.closes, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		h.team.Stop(ctx)
	})
	return nil
}

func none(asked []string) bool { return slices.Equal(asked, []string{"none"}) }

// chosen are those of all whose names were asked for; "all" or nothing asked for is all. A name that is not there is an error.
func chosen[T any](what string, asked []string, all []T, name func(T) string) ([]T, error) {
	if len(asked) == 0 || slices.Equal(asked, []string{"all"}) {
		return all, nil
	}
	var names []string
	for _, x := range all {
		names = append(names, name(x))
	}
	for _, a := range asked {
		if !slices.Contains(names, a) {
			return nil, fmt.Errorf("--%s: there is no %.80q; want all, none, or some of %s", what, a, strings.Join(names, ","))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return !slices.Contains(asked, name(x)) }), nil
}

func (h *house) quietly(what string, close func() error) func() {
	return func() {
		if err := close(); err != nil {
			h.log.Warn("could not be closed", "what", what, "error", err)
		}
	}
}

// models makes a client for each model that can be reached: one with a key, or one at an address of the user's own, which may
// need none.
func models(c *configs.Config) (map[string]*model.Client, error) {
	clients := map[string]*model.Client{}
	for name, m := range c.Models {
		key := os.Getenv(m.KeyEnv)
		if key == "" && m.BaseURL == configs.VendorURL || name == embeddingModel {
			continue
		}
		client, err := modelClient(c, name, key, m)
		if err != nil {
			return nil, err
		}
		clients[name] = client
	}
	return clients, nil
}

// modelClient makes the client for a model that answers.
func modelClient(c *configs.Config, name, key string, m configs.Model) (*model.Client, error) {
	masked, err := rulesOf(c.Mask)
	if err != nil {
		return nil, err
	}
	client, err := model.New(model.Options{
		BaseURL: m.BaseURL, Key: key, KeyName: m.KeyEnv, Model: m.Name, Fallbacks: m.Fallbacks, Strategy: model.Strategy(m.Strategy),
		Temperature: m.Temperature, MaxTokens: m.MaxTokens, Timeout: m.Timeout, PriceIn: m.PriceIn, PriceOut: m.PriceOut, Extra: m.Extra,
		NoStream: m.Stream != nil && !*m.Stream, Mask: masked,
	})
	if err != nil {
		return nil, fmt.Errorf("models.%s: %w", name, err)
	}
	return client, nil
}

// rulesOf are the rules of what is kept from models; nil: nothing is.
func rulesOf(m configs.Mask) (*mask.Rules, error) {
	o := mask.Options{Names: m.Names, Addresses: m.Addresses}
	for _, k := range m.Kinds {
		o.Kinds = append(o.Kinds, mask.Kind(k))
	}
	return mask.New(o)
}

// employees says how tools get role names: with a model of their own where one is named and can be reached, at temperature 0 whatever it has
// for other work.
func employees(c *configs.Config) (actors.Employees, error) {
	e := actors.Employees{Off: c.Employees.Names == "off"}
	m, named := c.Models[c.Employees.Model]
	key := os.Getenv(m.KeyEnv)
	if !named || e.Off || key == "" && m.BaseURL == configs.VendorURL {
		return e, nil
	}
	m.Temperature = new(float32)
	var err error
	e.Model, err = modelClient(c, c.Employees.Model, key, m)
	return e, err
}

// embeddingModel is the name, among the models, of the one that gives vectors and does not think.
const embeddingModel = "embedding"

// embedding is the model that gives vectors; nil when none is named, or it cannot be reached without a key. retries are those of [model.Options].
func embedding(c *configs.Config, retries int) (*model.Client, error) {
	m := c.Models[embeddingModel]
	key := os.Getenv(m.KeyEnv)
	if m.Name == "" || key == "" && m.BaseURL == configs.VendorURL {
		return nil, nil
	}
	masked, err := rulesOf(c.Mask)
	if err != nil {
		return nil, err
	}
	client, err := model.New(model.Options{BaseURL: m.BaseURL, Key: key, KeyName: m.KeyEnv, Model: m.Name, Timeout: m.Timeout, Retries: retries, Extra: m.Extra, Mask: masked})
	if err != nil {
		return nil, fmt.Errorf("models.%s: %w", embeddingModel, err)
	}
	return client, nil
}
