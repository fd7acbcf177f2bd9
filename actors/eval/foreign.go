package eval

import (
	"bytes"
	"encoding/json"

	"github.com/hmap-project/hmap/bus"
)

// foreign completes a card that is written as others write tools: with the names of MCP (inputSchema, outputSchema, annotations) or of Anthropic
// (input_schema), or as a function of OpenAI, {"type":"function","function":{…}}. What the card says by its own names stays. The error is of JSON.
func foreign(raw json.RawMessage, c *bus.Card) error {
	var o struct {
		Function    json.RawMessage `json:"function"`
		Input       json.RawMessage `json:"inputSchema"`
		InputSnake  json.RawMessage `json:"input_schema"`
		Output      json.RawMessage `json:"outputSchema"`
		OutputSnake json.RawMessage `json:"output_schema"`
		Annotations json.RawMessage `json:"annotations"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if c.Name == "" && len(o.Function) > 0 && o.Function[0] == '{' {
		if err := json.Unmarshal(o.Function, c); err != nil {
			return err
		}
	}
	for _, in := range []json.RawMessage{o.Input, o.InputSnake} {
		if c.Parameters == nil && string(in) != "null" {
			c.Parameters = in
		}
	}
	for _, out := range []json.RawMessage{o.Output, o.OutputSnake} {
		if c.Returns == nil && string(out) != "null" {
			c.Returns = out
		}
	}
	var hints struct {
		ReadOnly *bool `json:"readOnlyHint"`
	}
	if json.Unmarshal(o.Annotations, &hints) == nil && hints.ReadOnly != nil && c.Effect == "" {
		c.Effect = bus.Unsafe
		if *hints.ReadOnly {
			c.Effect = bus.Read
		}
	}
	return nil
}

// inside are the tools of an object that holds nothing but a list of them, as a server of MCP answers tools/list; nil: it is none.
func inside(raw json.RawMessage) []json.RawMessage {
	var o struct {
		Name   string            `json:"name"`
		Tools  []json.RawMessage `json:"tools"`
		Result *struct {
			Tools []json.RawMessage `json:"tools"`
		} `json:"result"`
	}
	if !bytes.Contains(raw, []byte(`"tools"`)) || json.Unmarshal(raw, &o) != nil || o.Name != "" {
		return nil
	}
	if o.Tools == nil && o.Result != nil {
		return o.Result.Tools
	}
	return o.Tools
}
