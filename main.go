// Hmap runs a team of agents on a message bus. This file wires the rooms and is the command line; `hmap --help` tells the rest.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/gateway/terminal"
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
	Config  string           `group:"global" help:"Settings file (YAML); what it leaves out keeps its default. hmap config prints every setting." type:"existingfile" placeholder:"FILE"`
	Data    string           `group:"global" help:"Folder where hmap keeps its log, files and demo shop. Default: $XDG_STATE_HOME/hmap, else ~/.local/state/hmap." placeholder:"DIR"`
	NATS    string           `group:"global" name:"nats" help:"Use this NATS server, which needs JetStream, instead of starting one. Separate several with commas; tls:// demands TLS." placeholder:"URL"`
	Creds   string           `group:"global" help:"NATS credentials file for --nats." type:"existingfile" placeholder:"FILE"`
	CA      string           `group:"global" name:"ca" help:"Certificates (PEM) that may sign the one of --nats." type:"existingfile" placeholder:"FILE"`
	Cert    string           `group:"global" help:"Client certificate (PEM) for --nats; needs --key." type:"existingfile" placeholder:"FILE"`
	Key     string           `group:"global" help:"Private key (PEM) of --cert." type:"existingfile" placeholder:"FILE"`
	Accept  bool             `group:"global" name:"accept-damage" help:"Start even if records are missing from the data folder. Copy the folder first: tasks that lost records will end with an error."`
	Verbose bool             `group:"global" short:"v" help:"Log to standard error what happens."`
	Version kong.VersionFlag `group:"global" help:"Print the version and exit."`
	Status  string           `hidden:"" help:"Tell on this address what runs in the process, for the drill." placeholder:"HOST:PORT"`

	Serve    serveCmd    `cmd:"" group:"start" default:"withargs" help:"Start everything in one process: message bus, agents, tools and web page. This is what plain hmap does."`
	Ask      askCmd      `cmd:"" group:"ask" help:"Ask for something and watch how it is worked out."`
	Answer   answerCmd   `cmd:"" group:"ask" help:"Answer a question of a task, approve or refuse what it wants to do, or add a wish while it runs."`
	Cancel   cancelCmd   `cmd:"" group:"ask" help:"Cancel a task."`
	Agents   agentsCmd   `cmd:"" group:"look" help:"List the agents and tools that are running."`
	Sessions sessionsCmd `cmd:"" group:"look" help:"List the sessions (conversations), list the tasks of one, or delete one."`
	Replay   replayCmd   `cmd:"" group:"look" help:"Show again how a task was worked out."`
	Log      logCmd      `cmd:"" group:"look" help:"Print everything that was recorded of a task, as JSON lines."`
	Files    filesCmd    `cmd:"" group:"look" help:"List or fetch the files of a session."`
	Export   exportCmd   `cmd:"" group:"look" help:"Save a session as a web page, slides, Word, PDF, Excel or Markdown file."`
	Tools    toolsCmd    `cmd:"" group:"tools" help:"Manage saved tools: steps that once solved a task and can be used again."`
	MCP      mcpCmd      `cmd:"" group:"tools" name:"mcp" help:"Offer hmap to other programs over MCP, and manage the MCP servers that agents use."`
	Show     configCmd   `cmd:"" group:"more" name:"config" help:"Print all settings with their defaults and explanations."`
	Plan     planCmd     `cmd:"" group:"more" help:"Show which agents or tools would be called for a request, without calling any."`
	Eval     evalCmd     `cmd:"" group:"more" help:"Measure how good plans are."`
	Node     nodeCmd     `cmd:"" group:"cluster" help:"Run agents and tools on a NATS shared with other nodes."`
	Gateway  gatewayCmd  `cmd:"" group:"cluster" help:"Run the web page and the HTTP interface on a shared NATS."`
	Server   natsCmd     `cmd:"" group:"cluster" name:"nats" passthrough:"" help:"Run the NATS server that is built in."`
	Dead     deadCmd     `cmd:"" group:"cluster" help:"Look at requests that failed again and again, and send them once more."`
	Drill    drillCmd    `cmd:"" group:"cluster" help:"Test a cluster on this machine by killing parts of it, and check that nothing is lost."`

	DrillModel drillModelCmd `cmd:"" hidden:"" help:"The drill's model, as a process of its own."`
	DrillTools drillToolsCmd `cmd:"" hidden:"" help:"The drill's tools, as a process of their own."`
}

// about is what hmap --help begins with.
const about = `A team of AI agents. Say what you want in plain language: a master agent splits the work and hands it to other agents and to tools.

  hmap                                                  start it; then open the page it prints
  hmap ask 'How many orders did Wang Pingping place?'   or ask from a terminal
  hmap ask --file sales.csv 'total revenue by city'     about a file of yours`

// groups are the headings below which --help lists commands, in this order, and flags.
var groups = []kong.Group{
	{Key: "start", Title: "Start:"},
	{Key: "ask", Title: "Ask:"},
	{Key: "look", Title: "Look at what was done:"},
	{Key: "tools", Title: "Add tools, or be one:"},
	{Key: "more", Title: "Settings and plans:"},
	{Key: "cluster", Title: "Run on several machines:"},
	{Key: "global", Title: "Flags of every command:"},
}

func main() {
	var f flags
	parser := kong.Must(&f, kong.Name("hmap"), kong.Description(about), kong.ExplicitGroups(groups),
		kong.Vars{"version": version}, kong.ShortUsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(status int) {
			if status != 0 { // it has a number of its own for a wrong command line
				status = exitUsage
			}
			os.Exit(status)
		}))
	parser.Model.HelpFlag.Help, parser.Model.HelpFlag.Group = "Show this help.", &groups[len(groups)-1]
	k, err := parser.Parse(sayable(os.Args[1:]))
	parser.FatalIfErrorf(unknown(err))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if err = status(f.Status); err == nil {
		err = k.Run(&app{ctx: ctx, stop: stop, flags: &f})
	}
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
	for _, file := range []struct {
		flag string
		set  *string
	}{{a.flags.Creds, &c.NATS.Creds}, {a.flags.CA, &c.NATS.CA}, {a.flags.Cert, &c.NATS.Cert}, {a.flags.Key, &c.NATS.Key}} {
		if file.flag != "" {
			*file.set = file.flag
		}
	}
	if c.Data, err = filepath.Abs(c.Data); err != nil {
		return nil, err
	}
	if err = os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, fmt.Errorf("the data folder cannot be made: %w; give another one with --data", err)
	}
	return c, nil
}

func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.flags.Verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
}
