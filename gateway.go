package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"time"

	"github.com/hmap-project/hmap/actors"
	"github.com/hmap-project/hmap/gateway"
)

type gatewayCmd struct {
	Listen string `help:"Where to serve the web page and the HTTP interface. Default: 127.0.0.1:8080." placeholder:"HOST:PORT"`
}

// Help has an example.
func (*gatewayCmd) Help() string {
	return `Needs --nats, or nats.url in the settings. Start as many as you like; all show the same. There is no sign-in: whoever reaches the address can ask
and read everything.

  hmap gateway --nats nats://10.0.0.5:4222 --listen 127.0.0.1:8080`
}

// Run opens the window on the bus until it is told to stop.
func (g *gatewayCmd) Run(a *app) error {
	begun := time.Now()
	told, _, stop := a.signals()
	defer stop()
	h, err := a.join(told, "")
	if err != nil {
		return err
	}
	defer h.close()
	l, err := listen(g.Listen, h.config.Listen)
	if err != nil {
		return err
	}
	defer l.Close()
	fmt.Printf("hmap %s gateway, ready in %d ms  page http://%s\n", version, time.Since(begun).Milliseconds(), l.Addr())
	return h.gate(told, l)
}

// gate opens the window.
func (h *house) gate(ctx context.Context, l net.Listener) error {
	c := h.config
	g := gateway.New(h.bus, gateway.Options{
		AllowedOrigins: c.Origins, MaxConnections: c.Gateway.Connections, MaxPerAddress: cmp.Or(c.Gateway.PerAddress, -1), MaxSessions: c.Gateway.Sessions,
		MaxFile: c.Gateway.Upload,
		Log:     h.log, Version: version, Apart: actors.Apart,
	})
	return g.Serve(ctx, l)
}
