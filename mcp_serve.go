package main

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/term"

	"github.com/hmap-project/hmap/actors"
	window "github.com/hmap-project/hmap/gateway/mcp"
)

type mcpServeCmd struct {
	HTTP string `name:"http" help:"Serve over HTTP at http://HOST:PORT/mcp. Default: standard input and output." placeholder:"HOST:PORT"`
}

// mcpTokenEnv names the variable with the token that clients over HTTP must bring.
const mcpTokenEnv = "HMAP_MCP_TOKEN"

// Help shows how other programs are told.
func (*mcpServeCmd) Help() string {
	return `Tell the other program, such as an editor or a chat app, to start hmap:

  {"mcpServers": {"hmap": {"command": "hmap", "args": ["mcp"]}}}

Or serve over HTTP:

  hmap mcp serve --http 127.0.0.1:8090
  ` + mcpTokenEnv + `=secret hmap mcp serve --http 0.0.0.0:8090

Without ` + mcpTokenEnv + ` only this machine can connect. With it, clients must send the header "Authorization: Bearer secret".

Uses the hmap that is running, or starts one. The agent that users talk to becomes a tool. Its progress is passed on; its questions go to the user of
the other program if that program can ask, else they are returned as the result. Cancelling a call cancels its task.`
}

// Run serves until the client is gone, or until it is told to stop.
func (c *mcpServeCmd) Run(a *app) error {
	told, hurried, stop := a.signals()
	defer stop()
	var l net.Listener
	if c.HTTP != "" {
		var err error
		if l, err = listenMCP(c.HTTP); err != nil {
			return err
		}
		defer l.Close()
	}
	h, err := a.connect(false)
	if err != nil {
		return err
	}
	defer h.close()
	if h.server != nil {
		if err := h.populate(told, fillProgress()); err != nil {
			return err
		}
	}
	team, err := h.config.Team()
	if err != nil {
		return err
	}
	o := window.Options{Version: version, Token: os.Getenv(mcpTokenEnv), Log: h.log, Apart: actors.Apart}
	for _, agent := range team {
		if agent.Entry {
			o.Agents = append(o.Agents, window.Agent{Name: agent.Name, Description: agent.Description})
		}
	}
	d, err := h.bus.Directory(told)
	if err != nil {
		return err
	}
	settle(d) // the tools say who is there
	s, err := window.New(told, h.bus, o)
	if err != nil {
		return err
	}
	if l == nil {
		if term.IsTerminal(int(os.Stdin.Fd())) {
			fmt.Fprintln(os.Stderr, "This waits for a program that speaks MCP. For the MCP servers whose tools agents use: hmap mcp list")
		}
		err = s.Stdio(told, os.Stdin, os.Stdout)
	} else {
		fmt.Fprintf(os.Stderr, "MCP at http://%s/mcp\n", l.Addr())
		err = s.HTTP(told, l)
	}
	if h.server == nil {
		h.drain(hurried)
	}
	return err
}

// listenMCP opens an address; without a token only one that other machines cannot reach.
func listenMCP(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another address with --http", err)
	}
	if at, ok := l.Addr().(*net.TCPAddr); os.Getenv(mcpTokenEnv) == "" && (!ok || !at.IP.IsLoopback()) {
		_ = l.Close()
		return nil, fmt.Errorf("%s can be reached from other machines: set %s, the token that clients must bring, or listen on 127.0.0.1", addr, mcpTokenEnv)
	}
	return l, nil
}
