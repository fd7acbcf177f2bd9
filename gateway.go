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
	Listen string `help:"Address of the page and the HTTP interface (default 127.0.0.1:8080)." placeholder:"HOST:PORT"`
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
