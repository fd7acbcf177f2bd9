package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
)

// bareTask is askTask with go-openai and nothing else.
func bareTask(c *openai.Client, tools []openai.Tool, once func(*openai.Client, openai.ChatCompletionRequest) (openai.ChatCompletionMessage, error)) error {
	messages := []openai.ChatCompletionMessage{{Role: "system", Content: benchSystem}, {Role: "user", Content: benchQuestion}}
	for n := 0; ; n++ {
		m, err := once(c, openai.ChatCompletionRequest{Model: "m", Messages: messages, Tools: tools, MaxCompletionTokens: 16384})
		if err != nil {
			return err
		}
		if len(m.ToolCalls) == 0 {
			if n != 2 || len(m.Content) < 200 {
				return fmt.Errorf("answer %d: %+v", n, m)
			}
			return nil
		}
		messages = append(messages, m, openai.ChatCompletionMessage{Role: "tool", ToolCallID: m.ToolCalls[0].ID, Content: benchObserved})
	}
}

func bareStream(c *openai.Client, r openai.ChatCompletionRequest) (m openai.ChatCompletionMessage, err error) {
	r.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	s, err := c.CreateChatCompletionStream(context.Background(), r)
	if err != nil {
		return m, err
	}
	defer func() { _ = s.Close() }()
	var text, arguments strings.Builder
	var call openai.ToolCall
	for {
		chunk, err := s.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return m, err
		}
		for _, choice := range chunk.Choices {
			text.WriteString(choice.Delta.Content)
			for _, t := range choice.Delta.ToolCalls {
				if t.ID != "" {
					call = t
				}
				arguments.WriteString(t.Function.Arguments)
			}
		}
	}
	m = openai.ChatCompletionMessage{Role: "assistant", Content: text.String()}
	if call.ID != "" {
		call.Index, call.Function.Arguments = nil, arguments.String()
		m.ToolCalls = []openai.ToolCall{call}
	}
	return m, nil
}

func bareWhole(c *openai.Client, r openai.ChatCompletionRequest) (openai.ChatCompletionMessage, error) {
	res, err := c.CreateChatCompletion(context.Background(), r)
	if err != nil {
		return openai.ChatCompletionMessage{}, err
	}
	return res.Choices[0].Message, nil
}

// bare gives go-openai's client with as many connections as ours, and the tools of the benchmark.
func bare(b *testing.B, url string) (*openai.Client, []openai.Tool) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = 0, 1<<14
	b.Cleanup(transport.CloseIdleConnections)
	cfg := openai.DefaultConfig("k")
	cfg.BaseURL, cfg.HTTPClient = url, &http.Client{Transport: transport}
	var tools []openai.Tool
	for _, card := range append(benchTools[:len(benchTools):len(benchTools)], reserved("en")...) {
		tools = append(tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: card.Name, Description: card.Description, Parameters: parameters(card, "en")}})
	}
	return openai.NewClientWithConfig(cfg), tools
}
