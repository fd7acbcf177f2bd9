package main

import (
	"context"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/table"
)

// tableTools are the tools for table files. Their questions are read by the model of the agent that calls, if there is one.
func (h *house) tableTools() ([]tools.Tool, error) {
	ask, err := h.asker()
	if err != nil || ask == nil {
		return table.Tools(table.Options{}), err
	}
	return table.Tools(table.Options{Ask: func(ctx context.Context, call bus.Request, p table.Prompt) (table.Reply, error) {
		asked := model.Prompt{System: p.System}
		for i, text := range p.Turns {
			role := "user"
			if i%2 == 1 {
				role = "assistant"
			}
			asked.Messages = append(asked.Messages, model.Message{Role: role, Text: text})
		}
		r, err := ask(ctx, call, asked)
		return table.Reply{Text: r.Answer, Usage: r.Usage}, err
	}}), nil
}
