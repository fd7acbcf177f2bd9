package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
	"github.com/hmap-project/hmap/tools/mcp"
)

// logins is the folder with the tokens of people who signed in to MCP servers.
func logins(c *configs.Config) string { return filepath.Join(c.Data, "mcp") }

// visit is the hmap that runs on the data folder, or that of --nats; nil: none runs here. Nothing is started.
func (a *app) visit(c *configs.Config) (*house, error) {
	if c.NATS.URL == "" && running(c.Data) == "" {
		return nil, nil
	}
	return a.connect(false)
}

// server is the configured MCP server of a name.
func (a *app) server(name string) (mcp.Server, *configs.Config, error) {
	c, err := a.config()
	if err != nil {
		return mcp.Server{}, nil, err
	}
	s, ok := c.MCP.Servers[name]
	switch {
	case ok:
		return configuredServer(name, s), c, nil
	case len(c.MCP.Servers) == 0:
		return mcp.Server{}, nil, errors.New("there are no MCP servers; name some in the configuration (mcp.servers, --config)")
	}
	return mcp.Server{}, nil, fmt.Errorf("there is no MCP server %s; there are %s", name, strings.Join(slices.Sorted(maps.Keys(c.MCP.Servers)), ", "))
}

type mcpListCmd struct{}

// Help tells how a server is added, and has an example.
func (*mcpListCmd) Help() string {
	return `For example:

  hmap mcp list
  hmap --config my.yaml mcp list

To add a server, name it in the settings. The agent toolbox uses its tools:

  mcp:
    servers:
      files: {command: npx, args: [-y, "@modelcontextprotocol/server-filesystem", /tmp/x]}`
}

// Run lists the servers that are configured here and those that run elsewhere on the bus.
func (*mcpListCmd) Run(a *app) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	all := map[string]standing{}
	for name := range c.MCP.Servers {
		all[name] = standing{Control: mcp.Control{State: mcp.State{Server: name, State: "unknown"}}, why: "no hmap runs it; start one with this configuration"}
	}
	h, err := a.visit(c)
	if err != nil {
		return err
	}
	if h != nil {
		defer h.close()
		d, err := h.bus.Directory(a.ctx)
		if err != nil {
			return err
		}
		named := make([]string, 0, len(all))
		for name := range all {
			named = append(named, mcp.ControlName(name))
		}
		a.await(d, named...) // or a busy house that is slow to name them would look like one without
		settle(d)
		for _, s := range h.servers(a.ctx, d.Cards()) {
			all[s.Server] = s
		}
	}
	if len(all) == 0 {
		return errors.New("there are no MCP servers; name some in the configuration (mcp.servers)")
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		all[name].rows(t)
	}
	return t.Flush()
}

type mcpLoginCmd struct {
	Server string `arg:"" help:"Name of the server, from hmap mcp list."`
	Port   int    `help:"Port on 127.0.0.1 that the browser returns to; needed if the client was registered with a fixed one. Default: any free port." placeholder:"PORT"`
}

// Help tells what happens, and where.
func (*mcpLoginCmd) Help() string {
	return `Prints an address. Open it in a browser and sign in; hmap waits 5 minutes for the browser to return. If the browser runs on another machine, it
ends at a page that cannot be loaded: copy the address of that page and paste it here.

  hmap mcp login tracker

The tokens are stored in the data folder, where only you can read them, and are renewed by themselves. A running hmap has the tools at once. Other
machines have data folders of their own: sign in there, too.`
}

// Run signs in, and tells the hmap that runs here.
func (c *mcpLoginCmd) Run(a *app) error {
	told, _, stop := a.signals()
	defer stop()
	s, config, err := a.server(c.Server)
	if err != nil {
		return err
	}
	pasted := make(chan string)
	go func() { // ends with the process: nobody can take reading the keyboard back
		defer close(pasted)
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			select {
			case pasted <- in.Text():
			case <-told.Done():
				return
			}
		}
	}()
	err = s.Login(told, logins(config), mcp.SignIn{Port: c.Port, Pasted: pasted, Show: func(address string) {
		fmt.Printf("Open this address in a browser, and sign in:\n\n%s\n\nWaiting for it to come back. If it ends at a page that cannot be shown, paste that page's address here.\n", terminal.Clean(address))
	}})
	if err != nil {
		return fmt.Errorf("sign in to %s: %w", c.Server, err)
	}
	fmt.Printf("Signed in to %s.\n", c.Server)
	return a.tell(config, c.Server)
}

type mcpLogoutCmd struct {
	Server string `arg:"" help:"Name of the server, from hmap mcp list."`
}

// Help has an example.
func (*mcpLogoutCmd) Help() string {
	return `Deletes the tokens, and has the server revoke them where it can.

  hmap mcp logout tracker`
}

// Run signs out, and tells the hmap that runs here.
func (c *mcpLogoutCmd) Run(a *app) error {
	s, config, err := a.server(c.Server)
	if err != nil {
		return err
	}
	there, err := s.Logout(a.ctx, logins(config))
	if err == nil && !there {
		return fmt.Errorf("nobody was signed in to %s", c.Server)
	}
	if err == nil {
		fmt.Printf("Signed out of %s.\n", c.Server)
	}
	return errors.Join(err, a.tell(config, c.Server))
}

// tell has the hmap that runs here look at a server again, and prints how it stands then; nothing when none runs.
func (a *app) tell(c *configs.Config, server string) error {
	h, err := a.visit(c)
	if h == nil || err != nil {
		return err
	}
	defer h.close()
	d, err := h.bus.Directory(a.ctx)
	if err != nil {
		return err
	}
	a.await(d, mcp.ControlName(server))
	if _, there := d.Get(mcp.ControlName(server)); !there {
		fmt.Printf("No hmap that runs here has the server %s; the next start with this configuration will.\n", server)
		return nil
	}
	now := standing{Control: mcp.Control{State: mcp.State{Server: server, State: "unknown"}}}
	// That it wants somebody again is what a refresh after a logout says; how it stands then is asked apart.
	if again := h.control(a.ctx, server, "refresh", &now.Control); again != nil {
		if err := h.control(a.ctx, server, "state", &now.Control); err != nil {
			now.why = again.Error()
		}
	}
	t := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	now.rows(t)
	return t.Flush()
}
