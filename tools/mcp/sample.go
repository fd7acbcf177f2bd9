package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/bus"
)

// What a server may ask of our model in one call.
const (
	maxSamples    = 4
	maxSampleText = 64 << 10 // bytes of one prompt
)

// sampler answers a server that wants to ask a model.
type sampler struct {
	desk *desk
	ask  func(context.Context, bus.Request, Prompt) (Sample, error)
}

// CreateMessage asks the model of the agent whose call is under way. It runs in a goroutine of its own.
func (s sampler) CreateMessage(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	f := s.desk.whose(ctx)
	if f == nil {
		return nil, errors.New("it cannot be known for which of several calls the model is wanted")
	}
	f.mu.Lock()
	f.samples++
	over := f.samples > maxSamples
	f.mu.Unlock()
	if over {
		return nil, fmt.Errorf("the model answers at most %d times in a call", maxSamples)
	}
	p := Prompt{System: plain(r.SystemPrompt)}
	size := len(p.System)
	for _, m := range r.Messages {
		t, ok := m.Content.(mcp.TextContent)
		if !ok || m.Role != mcp.RoleUser && m.Role != mcp.RoleAssistant {
			return nil, errors.New("the model reads text of user and assistant only")
		}
		p.Messages = append(p.Messages, Message{string(m.Role), plain(t.Text)})
		size += len(t.Text)
	}
	if len(p.Messages) == 0 || size > maxSampleText {
		return nil, fmt.Errorf("a prompt has 1 to %d bytes", maxSampleText)
	}
	out, err := s.ask(f.ctx, f.request, p)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.usage = f.usage.Add(out.Usage)
	f.mu.Unlock()
	answer := &mcp.CreateMessageResult{Model: out.Model, StopReason: "endTurn"}
	answer.Role, answer.Content = mcp.RoleAssistant, mcp.TextContent{Type: "text", Text: out.Text}
	return answer, nil
}
