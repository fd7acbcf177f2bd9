package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
)

// graph is the ReAct agent of eino with its OpenAI model, built once, as its examples do.
type graph struct {
	agent  *react.Agent
	system string
	stream bool
}

func newGraph(ctx context.Context, url, system string, stream bool) (*graph, error) {
	m, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{BaseURL: url, APIKey: "none", Model: modelName})
	if err != nil {
		return nil, err
	}
	config := react.AgentConfig{ToolCallingModel: m}
	for _, f := range functions {
		t, err := newEinoTool(f)
		if err != nil {
			return nil, err
		}
		config.ToolsConfig.Tools = append(config.ToolsConfig.Tools, t)
	}
	agent, err := react.NewAgent(ctx, &config)
	return &graph{agent, system, stream}, err
}

// task carries out one task and gives the final answer.
func (g *graph) task(ctx context.Context) (string, error) {
	messages := []*schema.Message{schema.SystemMessage(g.system), schema.UserMessage(question)}
	if !g.stream {
		m, err := g.agent.Generate(ctx, messages)
		if err != nil {
			return "", err
		}
		return m.Content, nil
	}
	s, err := g.agent.Stream(ctx, messages)
	if err != nil {
		return "", err
	}
	defer s.Close()
	var text strings.Builder
	for {
		m, err := s.Recv()
		if errors.Is(err, io.EOF) {
			return text.String(), nil
		}
		if err != nil {
			return "", err
		}
		text.WriteString(m.Content)
	}
}

// einoTool is a tool as eino wants it.
type einoTool struct {
	info *schema.ToolInfo
}

func newEinoTool(f function) (*einoTool, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(f.Parameters), &s); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", f.Name, err)
	}
	return &einoTool{&schema.ToolInfo{Name: f.Name, Desc: f.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&s)}}, nil
}

// Info is the tool's card.
func (e *einoTool) Info(context.Context) (*schema.ToolInfo, error) { return e.info, nil }

// InvokableRun calls the tool.
func (e *einoTool) InvokableRun(_ context.Context, arguments string, _ ...tool.Option) (string, error) {
	return use(e.info.Name, arguments)
}
