// Hmap runs a team of agents on a message bus. This file wires the rooms and is the command line; `hmap --help` tells the rest.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/anthdm/hollywood/actor"
	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/prompts"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/shop"
)

// version is set by the build.
var version = "0.1.0"

// Exit statuses besides 0. The help of ask lists them.
const (
	exitFailed    = 1
	exitUsage     = 2 // a wrong command line
	exitWaiting   = 3
	exitCancelled = 130
)

type flags struct {
	Config  string           `help:"Configuration file (YAML), laid over the defaults; see 'hmap config'." type:"existingfile" placeholder:"FILE"`
	Data    string           `help:"Folder for the log, files and shop. Default: $XDG_STATE_HOME/hmap or ~/.local/state/hmap." placeholder:"DIR"`
	NATS    string           `name:"nats" help:"Join this NATS (with JetStream) instead of starting one; several with commas." placeholder:"URL"`
	Creds   string           `help:"Credentials file for --nats." placeholder:"FILE"`
	Verbose bool             `short:"v" help:"Log what happens, on standard error."`
	Version kong.VersionFlag `help:"Print the version."`

	Serve  serveCmd  `cmd:"" default:"withargs" help:"Run everything: bus, agents, tools, page (the default)."`
	Ask    askCmd    `cmd:"" help:"Ask a question and watch it being worked out. Uses the running server, or starts one for the question."`
	Answer answerCmd `cmd:"" help:"Answer a task that waits, or steer one that runs."`
	Cancel cancelCmd `cmd:"" help:"Cancel a task."`
	Agents agentsCmd `cmd:"" help:"List the agents and tools that are there."`
	Log    logCmd    `cmd:"" help:"Print the records of a task as JSON lines."`
	Replay replayCmd `cmd:"" help:"Show a task again, from the log."`
	Dead   deadCmd   `cmd:"" help:"Dead letters: submissions that could not be worked on."`
	Show   configCmd `cmd:"" name:"config" help:"Print the default configuration, with comments."`
}

func main() {
	var f flags
	k := kong.Parse(&f, kong.Name("hmap"), kong.Description("A team of agents on a message bus. Start it with 'hmap', open the page it names, or ask here: hmap ask '我有多少订单是王萍萍买的?'"),
		kong.Vars{"version": version}, kong.UsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(status int) {
			if status != 0 { // it has a number of its own for a wrong command line
				status = exitUsage
			}
			os.Exit(status)
		}))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	err := k.Run(&app{ctx: ctx, stop: stop, flags: &f})
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "hmap:", terminal.Clean(err.Error()))
	switch {
	case errors.Is(err, terminal.ErrWaiting):
		os.Exit(exitWaiting)
	case errors.Is(err, terminal.ErrCancelled), errors.Is(err, terminal.ErrInterrupted), errors.Is(err, context.Canceled):
		os.Exit(exitCancelled)
	}
	os.Exit(exitFailed)
}

// app is what every command needs.
type app struct {
	ctx   context.Context
	stop  context.CancelFunc
	flags *flags
}

func (a *app) config() (*configs.Config, error) {
	c, err := configs.Load(a.flags.Config)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if a.flags.Data != "" {
		c.Data = a.flags.Data
	}
	if a.flags.NATS != "" {
		c.NATS.URL = a.flags.NATS
	}
	if a.flags.Creds != "" {
		c.NATS.Creds = a.flags.Creds
	}
	if c.Data, err = filepath.Abs(c.Data); err != nil {
		return nil, err
	}
	return c, os.MkdirAll(c.Data, 0o700)
}

func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.flags.Verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
}

// house is everything one process runs. close ends it in the order in which it must end.
type house struct {
	config *configs.Config
	log    *slog.Logger
	server *bus.Server
	bus    *bus.Bus
	// passive agents are there to be seen, and take no tasks.
	passive bool
	team    *actors.Team
	models  map[string]*model.Client
	closes  []func()
}

func (h *house) close() {
	for i := len(h.closes) - 1; i >= 0; i-- {
		h.closes[i]()
	}
	h.closes = nil
}

// connect joins the bus: the NATS that is configured, or the hmap that runs on this data folder, or an embedded server of our own.
// own: only an embedded server of our own will do.
func (a *app) connect(own bool) (*house, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	h := &house{config: c, log: a.log()}
	o := bus.Options{Tenant: c.Tenant, URL: c.NATS.URL, Creds: c.NATS.Creds, Log: h.log, MaxQueue: c.Limits.Queue, LeaseTTL: c.Limits.Lease}
	if o.URL == "" {
		so := bus.ServerOptions{Dir: c.Data, NoSync: c.NATS.Sync == "interval", Log: h.log}
		if own {
			so.Listen = c.NATS.Listen
			h.server, err = startServer(so)
		} else {
			o.URL, h.server, err = joinOrStart(a.ctx, so)
		}
		if err != nil {
			return nil, err
		}
		if h.server != nil {
			h.closes = append(h.closes, h.server.Stop)
			o.Server = h.server
		} else {
			o.Replicas = 1
		}
	}
	ctx, cancel := context.WithTimeout(a.ctx, 30*time.Second)
	defer cancel()
	if h.bus, err = bus.Connect(ctx, o); err != nil {
		h.close()
		return nil, err
	}
	h.closes = append(h.closes, h.bus.Close)
	return h, nil
}

// folderWithin is how long a command waits for another one that uses its data folder.
const folderWithin = 30 * time.Second

// joinOrStart gives the URL of the hmap that runs on a data folder, or a server of our own on it. A command like ours may use the
// folder, and its server cannot be joined because it ends with the command: we wait for our turn.
func joinOrStart(ctx context.Context, o bus.ServerOptions) (url string, s *bus.Server, err error) {
	late := time.After(folderWithin)
	for said := false; ; said = true {
		if url = running(o.Dir); url != "" {
			return url, nil, nil
		}
		s, err = bus.StartServer(o)
		if err == nil || !strings.Contains(err.Error(), "in use by another hmap") {
			return "", s, err
		}
		if !said {
			fmt.Fprintf(os.Stderr, "another hmap works in %s; waiting up to %v for it to end …\n", o.Dir, folderWithin)
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-late:
			return "", nil, err
		case <-ctx.Done():
			return "", nil, context.Cause(ctx)
		}
	}
}

// running is the URL of the hmap that runs on a data folder, or "". After a kill the folder may name one that is gone.
func running(dir string) string {
	url, err := bus.ReadContext(dir)
	if err != nil {
		return ""
	}
	nc, err := nats.Connect(url, nats.Timeout(2*time.Second))
	if err != nil {
		return ""
	}
	nc.Close()
	return url
}

// startServer listens where it was told, or on any free port of the same address when that port is taken: who wants to talk to
// us reads the port from the data folder.
func startServer(o bus.ServerOptions) (*bus.Server, error) {
	s, err := bus.StartServer(o)
	if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
		return s, err
	}
	host, _, splitErr := net.SplitHostPort(o.Listen)
	if splitErr != nil {
		return nil, err
	}
	o.Listen = net.JoinHostPort(host, "0")
	return bus.StartServer(o)
}

// populate brings tools and agents into the house.
func (h *house) populate(ctx context.Context, progress func(done, total int)) error {
	c := h.config
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		return err
	}
	team, err := configs.Team(c.Agents)
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
	file := c.Shop
	if file == "" {
		file = filepath.Join(c.Data, "shop.db")
	}
	goods, err := shop.Open(ctx, file, progress)
	if err != nil {
		return fmt.Errorf("the shop: %w", err)
	}
	h.closes = append(h.closes, h.quietly("the shop", goods.Close))
	folder := knowledge.Rules()
	if c.Knowledge != "" {
		folder = os.DirFS(c.Knowledge)
		if _, err := fs.Stat(folder, "."); err != nil {
			return fmt.Errorf("knowledge: %w", err)
		}
	}
	base, err := knowledge.Open(folder, knowledge.Options{Log: h.log})
	if err != nil {
		return fmt.Errorf("knowledge: %w", err)
	}
	h.closes = append(h.closes, h.quietly("knowledge", base.Close))
	hands := tools.NewHost(h.bus, engine, tools.Options{Log: h.log})
	h.closes = append(h.closes, h.quietly("the tools", hands.Stop))
	for _, t := range append(goods.Tools(), knowledge.Tool(base)) {
		if err := hands.Add(t); err != nil {
			return err
		}
	}
	h.team, err = actors.Start(ctx, h.bus, engine, actors.Options{Agents: team, Prompts: texts, Models: h.models, Limits: c.Limits, Passive: h.passive, Log: h.log})
	if err != nil {
		return err
	}
	h.closes = append(h.closes, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		h.team.Stop(ctx)
	})
	return nil
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
		if key == "" && m.BaseURL == configs.VendorURL {
			continue
		}
		client, err := model.New(model.Options{
			BaseURL: m.BaseURL, Key: key, KeyName: m.KeyEnv, Model: m.Name, Fallbacks: m.Fallbacks, Strategy: model.Strategy(m.Strategy),
			Temperature: m.Temperature, MaxTokens: m.MaxTokens, Timeout: m.Timeout, PriceIn: m.PriceIn, PriceOut: m.PriceOut, Extra: m.Extra,
		})
		if err != nil {
			return nil, fmt.Errorf("models.%s: %w", name, err)
		}
		clients[name] = client
	}
	return clients, nil
}

// gate opens the window.
func (h *house) gate(ctx context.Context, l net.Listener) error {
	g := gateway.New(h.bus, gateway.Options{AllowedOrigins: h.config.Origins, Log: h.log, Version: version})
	return g.Serve(ctx, l)
}
