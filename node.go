package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type nodeCmd struct {
	Name   string   `help:"Name of this node; no other may have it. Default: the host name and a random part." placeholder:"NAME"`
	Agents []string `help:"Agents to run here: names with commas, all or none." default:"all" placeholder:"NAMES"`
	Tools  []string `help:"Tools to run here: names with commas, all or none." default:"all" placeholder:"NAMES"`
	Health string   `help:"Serve /healthz and /readyz here, for a load balancer or Kubernetes." placeholder:"HOST:PORT"`
}

// Help has examples, and where the shop lives.
func (*nodeCmd) Help() string {
	return `Needs --nats, or nats.url in the settings. Start as many nodes as you like: they share the work, and take over from one that dies.

  hmap node --nats nats://10.0.0.5:4222
  hmap node --nats nats://10.0.0.5:4222 --agents none --tools all

The tools of the demo shop read one SQLite file in the data folder. On a second machine leave them out (--tools none), or it would show another shop.`
}

// Run works until it is told to stop, and then until what it works on is done or handed over.
func (n *nodeCmd) Run(a *app) error {
	begun := time.Now()
	told, hurried, stop := a.signals()
	defer stop()
	h, err := a.join(told, n.Name)
	if err != nil {
		return err
	}
	defer h.close()
	h.agents, h.tools = n.Agents, n.Tools
	if err := h.populate(told, fillProgress()); err != nil {
		return err
	}
	h.retain()
	if n.Health != "" {
		end, err := h.health(n.Health)
		if err != nil {
			return err
		}
		defer end()
	}
	fmt.Printf("hmap %s node %s, ready in %d ms: %s\n", version, h.bus.Node(), time.Since(begun).Milliseconds(), h.there())
	go h.probe(told)
	<-told.Done()
	h.drain(hurried)
	return nil
}

// join connects to the NATS that others use too, waiting for it as long as it takes.
func (a *app) join(ctx context.Context, name string) (*house, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	if c.NATS.URL == "" {
		return nil, errors.New("which NATS? Name the one that all nodes and gateways share: --nats nats://HOST:4222, or nats.url in the file " +
			"of --config. There is none yet: `hmap nats -js` starts one, `hmap nats -c FILE` one of a cluster; or run everything in one process: hmap serve")
	}
	h := &house{config: c, log: a.log(), called: a.flags.called()}
	o := h.options()
	o.Node, o.Waits = name, say(5*time.Second)
	return h, h.enter(ctx, o)
}

// say gives a function that tells the person what is waited for, at most once in a while.
func say(every time.Duration) func(error) {
	var last time.Time
	return func(why error) {
		if time.Since(last) > every {
			last = time.Now()
			fmt.Fprintf(os.Stderr, "waiting for NATS: %v\n", terminal.Clean(why.Error()))
		}
	}
}

// there says what this node brings.
func (h *house) there() string {
	mind := ""
	switch {
	case h.minds > 0 && len(h.models) == 0:
		mind = " (planner alone)"
	case h.minds > 0:
		mind = " (with a model)"
	}
	return fmt.Sprintf("%d agents%s, %d tools  NATS %s", h.minds, mind, h.posts, bus.Redact(h.config.NATS.URL))
}

// drain lets what runs here end, for limits.drain at most or until hurried ends; what is left is handed over by close.
func (h *house) drain(hurried context.Context) {
	if h.hurry != nil {
		context.AfterFunc(hurried, h.hurry)
	}
	if h.team == nil {
		return
	}
	ctx, cancel := context.WithTimeout(hurried, h.config.Limits.Drain)
	defer cancel()
	if n := h.team.Running(); n > 0 {
		fmt.Printf("ending: %d calls are under way and have %v; a second signal hands them over at once\n", n, h.config.Limits.Drain)
	}
	if n := h.team.Drain(ctx); n > 0 {
		fmt.Printf("%d calls are handed over to the other nodes\n", n)
	}
}

// signals gives two contexts: told ends at the first signal to end, hurried at the second. A third one kills the process.
func (a *app) signals() (told, hurried context.Context, stop func()) {
	told, first := context.WithCancel(a.ctx)
	hurried, second := context.WithCancel(a.ctx)
	caught := make(chan os.Signal, 2)
	signal.Notify(caught, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for _, end := range []func(){first, second} {
			select {
			case <-caught:
				end()
			case <-done:
				return
			}
		}
		signal.Stop(caught)
	}()
	return told, hurried, func() { close(done); first(); second() }
}

// health answers those who watch over the process: /healthz while it lives, /readyz while the bus takes and keeps records.
func (h *house) health(listen string) (stop func(), err error) {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with --health", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		if err := h.bus.Ready(ctx); err != nil {
			http.Error(w, "the bus takes no task: "+err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			h.log.Warn("the health address is not answered any more", "error", err)
		}
	}()
	return func() { _ = s.Close(); <-ended }, nil
}
