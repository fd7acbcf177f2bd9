package main

import (
	"os"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

type logCmd struct {
	Task string `arg:"" help:"Id of the task."`
}

// Run prints a task's records.
func (c *logCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error { return screen(true, true).Replay(a.ctx, h.bus, w) })
}

type replayCmd struct {
	Task string `arg:"" help:"Id of the task."`
	Full bool   `help:"Show thoughts and observations uncut."`
}

// Run shows a task again.
func (c *replayCmd) Run(a *app) error {
	return a.at(c.Task, func(h *house, w bus.Where) error { return screen(false, c.Full).Replay(a.ctx, h.bus, w) })
}

type configCmd struct {
	Phrases bool `help:"Print the phrases that are built in instead: what people say in passing, and what it means."`
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
