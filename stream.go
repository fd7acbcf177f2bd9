package main

import (
	"fmt"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// streams says in what segments text that a tool writes is told while it is written: by the names of tools, and under "" for the others. It is
// message_interval of the configuration, whose entry "default" is for the others.
func streams(c *configs.Config) (map[string]bus.StreamMode, error) {
	out := map[string]bus.StreamMode{}
	for tool, text := range c.MessageInterval {
		mode, err := bus.ParseStreamMode(text)
		if err != nil {
			return nil, fmt.Errorf("message_interval.%s: %w", tool, err)
		}
		switch tool {
		case "default":
			tool = ""
		case "search": // as JoyAgent's configurations call it
			tool = "deep_search"
		}
		out[tool] = mode
	}
	return out, nil
}

// streamMode is what the command line says of it; nil: nothing.
func streamMode(text string) (*bus.StreamMode, error) {
	mode, err := bus.ParseStreamMode(text)
	if err != nil || mode.Mode == "" {
		return nil, err
	}
	return &mode, nil
}
