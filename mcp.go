package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/anthdm/hollywood/actor"
	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/mcp"
)

// bringServers begins with the MCP servers of the configuration, and waits a moment for their tools.
func (h *house) bringServers(ctx context.Context, engine *actor.Engine, hands *tools.Host) error {
	c := h.config.MCP
	if len(c.Servers)+len(c.Open) == 0 {
		return nil
	}
	sample, err := h.sampler()
	if err != nil {
		return err
	}
	all := mcp.New(h.bus, engine, hands, mcp.Options{Refresh: c.Refresh, Penalty: c.Penalty, Version: version, Log: h.log, Sample: sample,
		Open: c.Open, OpenFor: []string{"toolbox"}, Logins: logins(h.config)})
	if err := all.Begin(); err != nil {
		return err
	}
	h.closes = append(h.closes, h.quietly("the MCP servers", all.Stop))
	for _, name := range slices.Sorted(maps.Keys(c.Servers)) {
		if err := all.Add(configuredServer(name, c.Servers[name])); err != nil {
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

// configuredServer is a server as it is configured.
func configuredServer(name string, s configs.MCPServer) mcp.Server {
	out := mcp.Server{
		Name: name, Command: s.Command, Args: s.Args, URL: s.URL, SSE: s.Transport == "sse", Header: s.Headers, Agents: s.Agents, Tags: s.Tags,
		Timeout: s.Timeout, AtOnce: s.AtOnce, Approval: s.Approval, Effects: map[string]bus.Effect{}, Only: s.Only, Except: s.Except,
		Sampling: s.Sampling, OnRequest: s.OnRequest, Roots: s.Roots, Single: s.Single,
	}
	if o := s.OAuth; o != nil {
		out.OAuth = &mcp.OAuth{Login: o.Login, TokenURL: o.TokenURL, ClientID: o.ClientID, ClientSecret: o.ClientSecret, RefreshToken: o.RefreshToken, Scopes: o.Scopes}
	}
	for k, v := range s.Env {
		out.Env = append(out.Env, k+"="+v)
	}
	for tool, effect := range s.Effects {
		out.Effects[tool] = bus.Effect(effect)
	}
	return out
}

// sampler asks a model for an MCP server. nil: there is no model here.
func (h *house) sampler() (func(context.Context, bus.Request, mcp.Prompt) (mcp.Sample, error), error) {
	ask, err := h.asker()
	if err != nil || ask == nil {
		return nil, err
	}
	return func(ctx context.Context, call bus.Request, p mcp.Prompt) (mcp.Sample, error) {
		asked := model.Prompt{System: p.System}
		for _, m := range p.Messages {
			asked.Messages = append(asked.Messages, model.Message{Role: m.Role, Text: m.Text})
		}
		r, err := ask(ctx, call, asked)
		return mcp.Sample{Text: r.Answer, Model: r.Model, Usage: r.Usage}, err
	}, nil
}

// standing is how an MCP server stands, as the node that runs it says; why says that it did not.
type standing struct {
	mcp.Control
	why string
}

// knowServers is an error when a request names an MCP server that is not there, or an address that it may not use, or where no server can be
// reached: the house goes on without those, and nobody would see why. It names the servers there are.
func (h *house) knowServers(ctx context.Context, named []string) error {
	if len(named) == 0 {
		return nil
	}
	d, err := h.bus.Directory(ctx)
	if err != nil {
		return err
	}
	for settled := false; ; settled = true {
		there, opens := map[string]bool{}, false
		for _, c := range d.Cards() {
			if name := c.Server(); name != "" {
				there[name] = true
			}
			opens = opens || c.Name == bus.OpenTool
		}
		missing := slices.IndexFunc(named, func(entry string) bool {
			if bus.ValidToken(entry) {
				return !there[entry]
			}
			return !opens
		})
		switch {
		case missing < 0:
			return h.openServers(ctx, named)
		case !settled: // it may only not have been heard of yet
			settle(d)
		case !bus.ValidToken(named[missing]):
			return fmt.Errorf("requests may name no addresses here, as %s; the configuration says which they may (mcp.open)", terminal.Line(named[missing]))
		case len(there) == 0:
			return fmt.Errorf("there is no MCP server %s, nor any other; name some in the configuration (mcp.servers)", named[missing])
		default:
			return fmt.Errorf("there is no MCP server %s; there are %s", named[missing], strings.Join(slices.Sorted(maps.Keys(there)), ", "))
		}
	}
}

// openServers has the servers opened at the addresses that a request names.
func (h *house) openServers(ctx context.Context, named []string) error {
	for _, address := range named {
		if bus.ValidToken(address) {
			continue
		}
		var s mcp.State
		if err := h.order(ctx, bus.OpenTool, map[string]string{"url": address}, &s); err != nil {
			return err
		}
		if s.Tools == 0 {
			return fmt.Errorf("the MCP server at %s has no tools to offer: %s: %s", terminal.Line(address), s.State, terminal.Line(s.Trouble))
		}
	}
	return nil
}

// servers asks all MCP servers how they stand, by the names of the tools that tell it.
func (h *house) servers(ctx context.Context, cards []bus.Card) map[string]standing {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var mu sync.Mutex
	var all sync.WaitGroup
	out := map[string]standing{}
	for _, c := range cards {
		name := c.Server()
		if name == "" || c.Name != mcp.ControlName(name) {
			continue
		}
		all.Go(func() {
			s := standing{Control: mcp.Control{State: mcp.State{Server: name, State: "unknown"}}}
			err := h.control(ctx, name, "state", &s.Control)
			if err != nil {
				s.why = err.Error()
			}
			mu.Lock()
			defer mu.Unlock()
			out[c.Name] = s
		})
	}
	all.Wait()
	return out
}

// control asks a server's own tool for an action.
func (h *house) control(ctx context.Context, server, action string, into *mcp.Control) error {
	return h.order(ctx, mcp.ControlName(server), map[string]string{"action": action}, into)
}

// order calls a tool for a command, outside any task.
func (h *house) order(ctx context.Context, tool string, arguments map[string]string, into any) error {
	id := nuid.Next()
	parameter, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	r, err := h.bus.Call(ctx, bus.Request{Session: id, Task: id, Call: id, Caller: "user", ToolName: tool, Parameter: parameter}, nil)
	switch {
	case err != nil:
		return err
	case r.Error != nil:
		return errors.New(r.Error.Message)
	}
	return json.Unmarshal(r.Observation, into)
}

// rows prints how a server stands. What is wrong with it is told to its end, where the reason is.
func (s standing) rows(t *tabwriter.Writer) {
	var text string
	switch {
	case s.why != "":
		text = s.why
	case s.State.State == "down", s.State.State == "login":
		text = s.Trouble
	default:
		text = fmt.Sprintf("%d tools, %s, %s", s.Tools, s.Kind, s.Is)
		if s.More {
			text += "; it has more"
		}
	}
	say := func(what, state, text string) {
		fmt.Fprintf(t, "%s\t%s\t%s\t\t%s\n", what, headline(s.Server), headline(state), terminal.Line(text))
	}
	say("server", s.State.State, text)
	for _, r := range s.Refused {
		say("rejected", "", r)
	}
	for _, session := range slices.Sorted(maps.Keys(s.LeftOut)) {
		p := s.LeftOut[session]
		say("left out", "", fmt.Sprintf("until %s in %s: %s", p.Until.Local().Format(time.TimeOnly), session, p.Why))
	}
}

type mcpCmd struct {
	Serve   mcpServeCmd   `cmd:"" default:"withargs" help:"Offer the agents of hmap to other programs, as an MCP server. hmap mcp alone does this."`
	List    mcpListCmd    `cmd:"" help:"List the MCP servers in the settings, their state, and what they need."`
	Refresh mcpRefreshCmd `cmd:"" help:"Ask MCP servers again which tools they have."`
	Login   mcpLoginCmd   `cmd:"" help:"Sign in to an MCP server with a browser."`
	Logout  mcpLogoutCmd  `cmd:"" help:"Sign out of an MCP server."`
}

type mcpRefreshCmd struct {
	Servers []string `arg:"" optional:"" help:"Names of the servers. Default: all."`
}

// Help has examples.
func (*mcpRefreshCmd) Help() string {
	return `hmap does this by itself every 5 minutes, and when a server says that its tools have changed.

  hmap mcp refresh
  hmap mcp refresh files tracker`
}

// Run refreshes side by side and prints how the servers stand then.
func (c *mcpRefreshCmd) Run(a *app) error {
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	if h.server != nil {
		return errors.New("no hmap is running here, so there is nothing to refresh; a start reads all lists")
	}
	d, err := h.bus.Directory(a.ctx)
	if err != nil {
		return err
	}
	settle(d)
	var there []string
	for _, s := range h.servers(a.ctx, d.Cards()) {
		there = append(there, s.Server)
	}
	slices.Sort(there)
	if len(there) == 0 {
		return errors.New("there are no MCP servers; name some in the configuration (mcp.servers)")
	}
	names := slices.Compact(slices.Sorted(slices.Values(c.Servers)))
	for _, name := range names {
		if !slices.Contains(there, name) {
			return fmt.Errorf("there is no MCP server %s; there are %s", terminal.Line(name), strings.Join(there, ", "))
		}
	}
	if len(names) == 0 {
		names = there
	}
	errs := make([]error, len(names))
	found := make([]standing, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			if err := h.control(a.ctx, name, "refresh", &found[i].Control); err != nil {
				errs[i] = fmt.Errorf("%s: %w", name, err)
			}
		})
	}
	all.Wait()
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for i := range found {
		if errs[i] == nil {
			found[i].rows(t)
		}
	}
	return errors.Join(append(errs, t.Flush())...)
}
