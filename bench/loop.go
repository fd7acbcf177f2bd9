package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	openai "github.com/sashabaranov/go-openai"
)

// loop is the bare agent loop, as the examples of go-openai write it: ask, call the tools, ask again.
type loop struct {
	client *openai.Client
	tools  []openai.Tool
	system string
	stream bool
}

func newLoop(url, system string, stream bool) *loop {
	cfg := openai.DefaultConfig("none")
	cfg.BaseURL = url
	l := &loop{client: openai.NewClientWithConfig(cfg), system: system, stream: stream}
	for _, f := range functions {
		l.tools = append(l.tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: f.Name, Description: f.Description, Parameters: json.RawMessage(f.Parameters),
		}})
	}
	return l
}

// task carries out one task and gives the final answer.
func (l *loop) task(ctx context.Context) (string, error) {
	messages := []openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleSystem, Content: l.system},
		{Role: openai.ChatMessageRoleUser, Content: question},
	}
	for range 10 {
		m, err := l.ask(ctx, messages)
		if err != nil {
			return "", err
		}
		if len(m.ToolCalls) == 0 {
			return m.Content, nil
		}
		messages = append(messages, m)
		for _, call := range m.ToolCalls {
			result, err := use(call.Function.Name, call.Function.Arguments)
			if err != nil {
				return "", err
			}
			messages = append(messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleTool, Content: result, Name: call.Function.Name, ToolCallID: call.ID})
		}
	}
	return "", errors.New("no answer after 10 rounds")
}

func (l *loop) ask(ctx context.Context, messages []openai.ChatCompletionMessage) (openai.ChatCompletionMessage, error) {
	request := openai.ChatCompletionRequest{Model: modelName, Messages: messages, Tools: l.tools}
	if l.stream {
		return l.listen(ctx, request)
	}
	r, err := l.client.CreateChatCompletion(ctx, request)
	if err != nil {
		return openai.ChatCompletionMessage{}, err
	}
	if len(r.Choices) == 0 {
		return openai.ChatCompletionMessage{}, errors.New("an answer without choices")
	}
	return r.Choices[0].Message, nil
}

// listen puts a streamed answer together.
func (l *loop) listen(ctx context.Context, request openai.ChatCompletionRequest) (m openai.ChatCompletionMessage, err error) {
	request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := l.client.CreateChatCompletionStream(ctx, request)
	if err != nil {
		return m, err
	}
	defer func() { _ = stream.Close() }()
	m.Role = openai.ChatMessageRoleAssistant
	for {
		r, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		if len(r.Choices) == 0 {
			continue // the token counts
		}
		delta := r.Choices[0].Delta
		m.Content += delta.Content
		for _, call := range delta.ToolCalls {
			if call.Index == nil || *call.Index > len(m.ToolCalls) {
				return m, errors.New("a tool call out of order")
			}
			if *call.Index == len(m.ToolCalls) {
				m.ToolCalls = append(m.ToolCalls, openai.ToolCall{ID: call.ID, Type: call.Type, Function: openai.FunctionCall{Name: call.Function.Name}})
			}
			m.ToolCalls[*call.Index].Function.Arguments += call.Function.Arguments
		}
	}
}

// use calls a tool. Like those of the others, it reads its arguments.
func use(name, arguments string) (string, error) {
	var a map[string]any
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return "", fmt.Errorf("arguments of %s: %w", name, err)
	}
	for _, f := range functions {
		if f.Name == name {
			return f.Gives, nil
		}
	}
	return "", fmt.Errorf("there is no tool %q", name)
}
