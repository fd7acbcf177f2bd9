package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// house is everything one process runs. close ends it in the order in which it must end.
type house struct {
	config *configs.Config
	log    *slog.Logger
	called string // how a command reaches the same hmap; see flags.called
	server *bus.Server
	bus    *bus.Bus
	// passive agents are there to be seen, and take no tasks.
	passive bool
	// agents and tools are the names of those that live here, or "all" or "none"; nil is all.
	agents, tools []string

	team         *actors.Team
	minds, posts int // agents and tools that are here
	models       map[string]*model.Client
	closes       []func()
	hurry        func() // ends the grace that tools have when they are closed; nil: there are none
}

// clock is a moment as people read it: in the zone of the configuration, whose days the house's answers speak of.
func (h *house) clock(t time.Time) string { return t.In(h.config.Location()).Format(time.DateTime) }

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
	h := &house{config: c, log: a.log(), called: a.flags.called()}
	o := h.options()
	if o.URL == "" {
		so := bus.ServerOptions{Dir: c.Data, NoSync: c.NATS.Sync == "interval", AcceptDamage: a.flags.Accept, Log: h.log}
		if own {
			so.Listen = c.NATS.Listen
		}
		if o.URL, h.server, err = joinOrStart(a.ctx, so); err != nil {
			return nil, err
		}
		if own && h.server == nil {
			return nil, fmt.Errorf("data directory %s is already in use by another hmap; stop that one, or give another directory with --data", c.Data)
		}
		if h.server != nil {
			h.closes = append(h.closes, h.server.Stop)
			o.Server = h.server
		} else {
			o.Replicas = 1
		}
	}
	if c.NATS.URL != "" { // a cluster may choose its leader just now, or be started
		o.Waits = say(5 * time.Second)
	}
	ctx, cancel := context.WithTimeout(a.ctx, natsWithin)
	defer cancel()
	return h, h.enter(ctx, o)
}

// natsWithin is how long a command waits for NATS, saying so, before it gives up.
const natsWithin = 30 * time.Second

// options are what the configuration says about the bus.
func (h *house) options() bus.Options {
	c := h.config
	return bus.Options{
		Tenant: c.Tenant, URL: c.NATS.URL, Creds: c.NATS.Creds, CA: c.NATS.CA, Cert: c.NATS.Cert, Key: c.NATS.Key, Replicas: c.NATS.Replicas,
		MaxQueue: c.Limits.Queue, LeaseTTL: c.Limits.Lease, Log: h.log,
	}
}

// enter goes to the bus; after an error the house is closed.
func (h *house) enter(ctx context.Context, o bus.Options) error {
	var err error
	if h.bus, err = bus.Connect(ctx, o); err != nil {
		h.close()
		return err
	}
	h.closes = append(h.closes, h.bus.Close)
	return nil
}

// lies says where the log is that is asked: in which folder, or on which servers.
func (h *house) lies() string {
	if url := h.config.NATS.URL; url != "" {
		return "on " + bus.Redact(url)
	}
	return "in " + h.config.Data
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
		s, err = startServer(o)
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

// startServer listens where it was told, or on another port of the same address when that port is taken: who wants to talk to us reads the port from
// the data folder. Behind a kill it is the one of before, if it is free: who was connected then looks for us there.
func startServer(o bus.ServerOptions) (*bus.Server, error) {
	s, err := bus.StartServer(o)
	if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
		return s, err
	}
	host, _, splitErr := net.SplitHostPort(o.Listen)
	if splitErr != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "%s is taken by another program; NATS is on another port\n", o.Listen)
	ports := []string{"0"}
	if url, err := bus.ReadContext(o.Dir); err == nil { // an orderly stop leaves none
		if _, port, err := net.SplitHostPort(strings.TrimPrefix(bus.Redact(url), "nats://")); err == nil {
			ports = []string{port, "0"}
		}
	}
	for _, port := range ports {
		o.Listen = net.JoinHostPort(host, port)
		if s, err = bus.StartServer(o); !errors.Is(err, syscall.EADDRINUSE) {
			break
		}
	}
	return s, err
}
