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

type configCmd struct{}

// Run prints the default configuration.
func (configCmd) Run() error {
	_, err := os.Stdout.Write(configs.Default())
	return err
}
