package main

import (
	"os"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

type logCmd struct {
	Task string `arg:"" help:"The task; hmap sessions SESSION lists the tasks of a session."`
}

// Help has an example.
func (*logCmd) Help() string {
	return `Each line is a record: a request, a thought with the calls it leads to, a result, a question, the answer. bus/PROTOCOL.md explains them.

  hmap log TASK | jq 'select(.kind == "result") | .tool_name'`
}

// Run prints a task's records.
func (c *logCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error { return screen(true, true).Replay(a.ctx, h.bus, w) })
}

type replayCmd struct {
	Task string `arg:"" help:"The task; hmap sessions SESSION lists the tasks of a session."`
	Full bool   `help:"Show thoughts and results in full."`
}

// Help has an example.
func (*replayCmd) Help() string { return "For example:\n\n  hmap replay TASK --full" }

// Run shows a task again.
func (c *replayCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error { return screen(false, c.Full).Replay(a.ctx, h.bus, w) })
}

type configCmd struct {
	Phrases bool `help:"Print the built-in phrases instead: trade terms and what they mean, such as average order value."`
}

// Help has an example.
func (*configCmd) Help() string {
	return `Copy the settings that you want to change into a file of your own, and start with it:

  hmap config > all.yaml
  echo 'listen: 127.0.0.1:9000' > my.yaml
  hmap --config my.yaml`
}

// Run prints the default configuration, or the phrases.
func (c *configCmd) Run() error {
	text := configs.Default()
	if c.Phrases {
		text = configs.DefaultPhrases()
	}
	_, err := os.Stdout.Write(text)
	return err
}
