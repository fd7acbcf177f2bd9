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
	Config  string           `help:"Configuration file (YAML), laid over the defaults; see 'hmap config'." type:"existingfile" placeholder:"FILE"`
	Data    string           `help:"Folder for the log, files and shop. Default: $XDG_STATE_HOME/hmap or ~/.local/state/hmap." placeholder:"DIR"`
	NATS    string           `name:"nats" help:"Join this NATS (with JetStream) instead of starting one; several with commas; tls:// insists on TLS." placeholder:"URL"`
	Creds   string           `help:"Credentials file for --nats." type:"existingfile" placeholder:"FILE"`
	CA      string           `name:"ca" help:"Who may have signed the certificate of --nats (PEM)." type:"existingfile" placeholder:"FILE"`
	Cert    string           `help:"A certificate of our own for --nats (PEM), with --key." type:"existingfile" placeholder:"FILE"`
	Key     string           `help:"The key of --cert (PEM)." type:"existingfile" placeholder:"FILE"`
	Accept  bool             `name:"accept-damage" help:"Go on with a data folder that lacks records; tasks that lack some end with an error. Copy the folder first."`
	Verbose bool             `short:"v" help:"Log what happens, on standard error."`
	Version kong.VersionFlag `help:"Print the version."`
	Status  string           `hidden:"" help:"Tell on this address what runs in the process, for the drill." placeholder:"HOST:PORT"`

	Serve    serveCmd    `cmd:"" default:"withargs" help:"Run everything: bus, agents, tools, page (the default)."`
	Node     nodeCmd     `cmd:"" help:"Run agents and tools on a NATS that others use too (--nats); any number of them."`
	Gateway  gatewayCmd  `cmd:"" help:"Run the page and the HTTP interface on such a NATS; any number of them."`
	Server   natsCmd     `cmd:"" name:"nats" passthrough:"" help:"Run a nats-server, with its own options: hmap nats -c FILE, hmap nats --help."`
	Ask      askCmd      `cmd:"" help:"Ask a question and watch it being worked out. Uses the running server, or starts one for the question."`
	Answer   answerCmd   `cmd:"" help:"Answer a task that waits, or steer one that runs."`
	Cancel   cancelCmd   `cmd:"" help:"Cancel a task."`
	Plan     planCmd     `cmd:"" help:"Show what the planner would do with a request, running nothing; or plan a file of requests."`
	Eval     evalCmd     `cmd:"" help:"Score what thinks in this house: hmap eval planner."`
	Agents   agentsCmd   `cmd:"" help:"List the agents and tools that are there."`
	Sessions sessionsCmd `cmd:"" help:"List the sessions, newest first, or the tasks of one; remove one."`
	Export   exportCmd   `cmd:"" help:"Make a document of a session: page, slides, text, PDF, workbook or Markdown."`
	Files    filesCmd    `cmd:"" help:"The files of a session: list them, fetch one (hmap files get REF -o FILE)."`
	Log      logCmd      `cmd:"" help:"Print the records of a task as JSON lines."`
	Replay   replayCmd   `cmd:"" help:"Show a task again, from the log."`
	Tools    toolsCmd    `cmd:"" help:"Saved tools: list, show, test, edit or remove what was saved from solved tasks."`
	MCP      mcpCmd      `cmd:"" name:"mcp" help:"The MCP servers whose tools agents use."`
	Dead     deadCmd     `cmd:"" help:"Dead letters: submissions that could not be worked on."`
	Show     configCmd   `cmd:"" name:"config" help:"Print the default configuration, with comments."`
	Drill    drillCmd    `cmd:"" help:"Run a cluster on this machine, break it in every way, and check that no promise of hmap was broken."`

	DrillModel drillModelCmd `cmd:"" hidden:"" help:"The drill's model, as a process of its own."`
	DrillTools drillToolsCmd `cmd:"" hidden:"" help:"The drill's tools, as a process of their own."`
}

func main() {
	var f flags
	parser := kong.Must(&f, kong.Name("hmap"), kong.Description("A team of agents on a message bus. Start it with 'hmap', open the page it names, or ask here: hmap ask '我有多少订单是王萍萍买的?'"),
		kong.Vars{"version": version}, kong.ShortUsageOnError(), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(func(status int) {
			if status != 0 { // it has a number of its own for a wrong command line
				status = exitUsage
			}
			os.Exit(status)
		}))
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
