package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
)

type serveCmd struct {
	Listen string `help:"Where to serve the web page and the HTTP interface. Default: 127.0.0.1:8080." placeholder:"HOST:PORT"`
}

// Help has examples, and tells what listens.
func (*serveCmd) Help() string {
	return `Stop it with Ctrl-C; tasks that are under way go on after the next start.

  hmap serve
  hmap serve --listen 127.0.0.1:9000
  OPENAI_API_KEY=… DEFAULT_MODEL=… hmap serve

Without a model key hmap plans by rules. It can look things up, count and forecast, but cannot chat or write long texts.

Two ports are opened on this machine: 8080 for the page, and 4222 for NATS, over which the other commands and your own agents talk to it. If a
default port is taken, a free one is used and printed. Change the NATS port in the settings (nats.listen):

  echo 'nats: {listen: "127.0.0.1:4333"}' > my.yaml
  hmap --config my.yaml serve`
}

// Run serves until it is told to stop.
func (s *serveCmd) Run(a *app) error {
	begun := time.Now()
	told, hurried, stop := a.signals()
	defer stop()
	joins := *a
	joins.ctx = told // whoever ends it need not wait until it has waited for NATS
	h, err := joins.connect(a.flags.NATS == "")
	if err != nil {
		return err
	}
	defer h.close()
	l, err := listen(s.Listen, h.config.Listen)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := h.populate(told, fillProgress()); err != nil {
		return err
	}
	h.retain()
	h.banner(l.Addr().String(), time.Since(begun))
	go h.probe(told)
	err = h.gate(told, l)
	fmt.Println("stopping …")
	if h.server == nil { // others go on with the bus
		h.drain(hurried)
	} else {
		if n := h.team.Running(); n > 0 {
			fmt.Printf("%d calls are under way; they are taken up after the next start\n", n)
		}
		if h.hurry != nil {
			context.AfterFunc(hurried, h.hurry)
		}
	}
	return err
}

// listen opens the address that was asked for, or the configured one; if that is taken, any free port of it, and says so.
func listen(asked, at string) (net.Listener, error) {
	if asked != "" {
		at = asked
	}
	l, err := net.Listen("tcp", at)
	if errors.Is(err, syscall.EADDRINUSE) && asked == "" {
		host, _, splitErr := net.SplitHostPort(at)
		if splitErr != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "%s is taken by another program; the page is on another port\n", at)
		l, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with --listen", err)
	}
	return l, nil
}

// probe warns when a model does not answer, since every task that needs it would fail, or be left to the planner.
func (h *house) probe(ctx context.Context) {
	then := "tasks will fail"
	if m := h.config.Mind; m.Fallback && m.Planner != configs.PlannerOff {
		then = "the planner stands in for it"
	}
	for _, name := range slices.Sorted(mapKeys(h.models)) {
		try, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := h.models[name].Probe(try)
		cancel()
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "the model %q does not answer; %s until it does: %v\n", name, then, err)
		}
	}
}

func (h *house) banner(addr string, took time.Duration) {
	fmt.Printf("hmap %s, ready in %d ms\n\n", version, took.Milliseconds())
	fmt.Printf("  page   http://%s\n", addr)
	if h.server != nil && h.server.URL() != "" {
		fmt.Printf("  NATS   %s   (the token is in %s)\n", bus.Redact(h.server.URL()), filepath.Join(h.config.Data, "token"))
		fmt.Printf("         XDG_CONFIG_HOME=%s nats --context hmap req hmap.%s.ask '你好'\n", h.config.Data, h.bus.Tenant())
	} else {
		fmt.Printf("  NATS   %s\n", bus.Redact(h.config.NATS.URL))
	}
	fmt.Printf("  data   %s\n", h.config.Data)
	if len(h.models) == 0 {
		m := h.config.Models["default"]
		fmt.Printf("  mind   no model key found (%s): the planner thinks alone. Looking things up, counting, forecasting,\n", m.KeyEnv)
		fmt.Printf("         rules, follow-up questions and changes with approval work; free talk and long writing need a model.\n")
	} else {
		for _, name := range slices.Sorted(mapKeys(h.models)) {
			fmt.Printf("  mind   %s: %s, %s\n", name, h.models[name].Model(), part(h.config.Mind, name))
		}
	}
	if try := "ask '我有多少订单是王萍萍买的?'"; h.config.Shop != configs.NoShop {
		fmt.Printf("\nTry:  %s %s      Stop with Ctrl-C; nothing is lost.\n", h.called, try)
	} else {
		fmt.Printf("\nWho is there:  %s agents      Stop with Ctrl-C; nothing is lost.\n", h.called)
	}
}

// part says what a model does in this house, and what the planner has to do with it.
func part(m configs.Mind, name string) string {
	if name != "default" && slices.Contains([]string{m.Steps.Goal, m.Steps.Arguments, m.Steps.Answer, m.Steps.Shorten}, name) {
		return "for small steps"
	}
	said := map[string]string{
		configs.PlannerFirst:  "asked where the planner is not sure",
		configs.PlannerAdvise: "with the planner's advice",
		configs.PlannerOff:    "alone (mind.planner: off)",
	}[m.Planner]
	if m.Fallback && m.Planner != configs.PlannerOff {
		said += "; the planner stands in when it fails"
	}
	return said
}

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// fillProgress shows how far the shop is filled, on a terminal as one line that grows, else once.
func fillProgress() func(done, total int) {
	live, said := terminal.Lively(os.Stderr), false
	return func(done, total int) {
		switch {
		case live && done < total:
			fmt.Fprintf(os.Stderr, "\rfilling the demo shop … %d %%", 100*done/max(total, 1))
		case live:
			fmt.Fprint(os.Stderr, "\r\x1b[K")
		case !said:
			fmt.Fprintln(os.Stderr, "filling the demo shop, once …")
		}
		said = true
	}
}
