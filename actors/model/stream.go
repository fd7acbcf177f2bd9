package model

import (
	"bytes"
	"encoding/json"
	"strings"
)

// maxAnswer bounds the text, the reasoning and the arguments of one answer together, in bytes.
const maxAnswer = 1 << 20

// chunk is one event of a streamed answer, or a whole answer in one piece. go-openai's own type is too strict for what
// vendors send, and does not know "reasoning".
type chunk struct {
	Model   string          `json:"model"`
	Error   json.RawMessage `json:"error"`
	Object  string          `json:"object"`
	Choices []struct {
		Index        int    `json:"index"`
		Delta        *delta `json:"delta"`
		Message      *delta `json:"message"`
		FinishReason words  `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     float64 `json:"prompt_tokens"`
		CompletionTokens float64 `json:"completion_tokens"`
	} `json:"usage"`
}

type delta struct {
	Content          words       `json:"content"`
	Refusal          words       `json:"refusal"`
	ReasoningContent words       `json:"reasoning_content"` // DeepSeek, vLLM
	Reasoning        words       `json:"reasoning"`         // OpenRouter, Ollama
	ToolCalls        []callDelta `json:"tool_calls"`
	FunctionCall     *function   `json:"function_call"` // the form before tool_calls
}

type callDelta struct {
	Index    words    `json:"index"` // a number, mostly; "": not given
	ID       words    `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name      words `json:"name"`
	Arguments words `json:"arguments"`
}

// words is a text that may come as a string, as null, as a list of text parts, or (arguments) as an object.
type words string

func (w *words) UnmarshalJSON(b []byte) error {
	*w = words(textOf(b))
	var parts []struct {
		Text *string `json:"text"`
	}
	if b[0] == '[' && json.Unmarshal(b, &parts) == nil {
		var s strings.Builder
		for _, p := range parts {
			if p.Text == nil {
				return nil // a list of something else
			}
			s.WriteString(*p.Text)
		}
		*w = words(s.String())
	}
	return nil
}

// gather puts a streamed answer together.
type gather struct {
	Text, Reasoning strings.Builder
	Calls           []*rawCall
	Finish          string // "": the end has not come
	Model           string
	In, Out         int // tokens; both 0: the server did not say

	whole   bool                // it comes in one piece
	event   event               // the one that is being read
	scratch []byte              // for texts with escapes
	byIndex map[string]*rawCall // the latest call with that index
	size    int
	checked int // size at the last look for repetition
}

// rawCall is a tool call as the model wrote it.
type rawCall struct {
	id, name  string
	arguments strings.Builder
}

// add takes one event. It returns the new text and reasoning, for those who watch. An error ends the try: *refusal when
// the server reports one, *tooBig when the answer has no end.
func (g *gather) add(raw []byte) (text, reasoning string, err error) {
	said, thought := g.Text.Len(), g.Reasoning.Len()
	usual := g.whole && g.event.parse(raw) || !g.whole && g.event.read(raw)
	if usual {
		g.take(&g.event)
	} else if err = g.addUnusual(raw); err != nil {
		return "", "", err
	}
	return g.Text.String()[said:], g.Reasoning.String()[thought:], g.bounds()
}

// take adds an event of the usual shape.
func (g *gather) take(e *event) {
	if m := e.model.plain(&g.scratch); len(m) > 0 && string(m) != g.Model {
		g.Model = string(m)
	}
	if e.in+e.out > 0 {
		g.In, g.Out = e.in, e.out
	}
	text := e.text.plain(&g.scratch)
	g.Text.Write(text)
	g.size += len(text)
	reasoning := e.reasoning.plain(&g.scratch)
	g.Reasoning.Write(reasoning)
	g.size += len(reasoning)
	for i := range e.calls {
		c := &e.calls[i]
		g.call(callPiece{string(c.index), c.id.String(), c.name.String(), c.arguments.plain(&g.scratch)})
	}
	if len(e.finish.raw) > 0 {
		g.Finish = e.finish.String()
	}
}

// addUnusual takes whatever else there is.
func (g *gather) addUnusual(raw []byte) error {
	var c chunk
	if err := json.Unmarshal(raw, &c); err != nil {
		return err
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return newRefusal(c.Error)
	}
	if c.Object == "error" {
		return newRefusal(bytes.TrimSpace(raw))
	}
	if c.Model != "" {
		g.Model = c.Model
	}
	if u := c.Usage; u != nil && u.PromptTokens+u.CompletionTokens > 0 {
		g.In, g.Out = int(u.PromptTokens), int(u.CompletionTokens) // some send a growing sum with each event
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		d := choice.Delta
		if d == nil {
			d = choice.Message
		}
		if d != nil {
			g.delta(d)
		}
		if choice.FinishReason != "" {
			g.Finish = string(choice.FinishReason)
		}
	}
	return nil
}

func (g *gather) delta(d *delta) {
	text := string(d.Content + d.Refusal)
	reasoning := string(d.ReasoningContent)
	if reasoning == "" {
		reasoning = string(d.Reasoning) // some send both, alike
	}
	g.Text.WriteString(text)
	g.Reasoning.WriteString(reasoning)
	g.size += len(text) + len(reasoning)
	for _, c := range d.ToolCalls {
		g.call(callPiece{string(c.Index), string(c.ID), string(c.Function.Name), []byte(c.Function.Arguments)})
	}
	if f := d.FunctionCall; f != nil {
		g.call(callPiece{"0", "", string(f.Name), []byte(f.Arguments)})
	}
}

// callPiece is a piece of a tool call; what was not given is empty.
type callPiece struct {
	index, id, name string
	arguments       []byte
}

// call adds a piece of a tool call. Which call it belongs to is told by its id if that is known, else by a name, which
// begins a new one, else by its index, else it is the current one: vendors leave out, repeat or muddle each of these.
func (g *gather) call(p callPiece) {
	c := g.find(p)
	if c == nil {
		c = &rawCall{id: p.id, name: p.name}
		g.Calls = append(g.Calls, c)
	}
	if p.index != "" && g.byIndex[p.index] != c {
		if g.byIndex == nil {
			g.byIndex = map[string]*rawCall{}
		}
		g.byIndex[p.index] = c
	}
	if c.id == "" {
		c.id = p.id
	}
	if c.name == "" {
		c.name = p.name
	}
	if have := c.arguments.String(); have == string(p.arguments) && json.Valid(p.arguments) {
		return // the last event repeats the whole
	}
	c.arguments.Write(p.arguments)
	g.size += len(p.arguments) + 1
}

func (g *gather) find(p callPiece) *rawCall {
	if p.id != "" {
		for _, c := range g.Calls {
			if c.id == p.id {
				return c
			}
		}
	}
	var c *rawCall
	if p.index != "" {
		c = g.byIndex[p.index]
	} else if len(g.Calls) > 0 {
		c = g.Calls[len(g.Calls)-1]
	}
	switch {
	case c == nil, p.name == "", c.name == "":
		return c
	case p.id != "" && c.id != "", p.name != c.name:
		return nil
	case bytes.HasPrefix(p.arguments, []byte("{")) && json.Valid([]byte(c.arguments.String())):
		if c.arguments.String() == string(p.arguments) && p.index != "" {
			return c
		}
		return nil
	}
	return c
}

// bounds finds an answer that is too long or does nothing but repeat itself.
func (g *gather) bounds() error {
	if g.size > maxAnswer || len(g.Calls) > MaxActions {
		return &tooBig{"the answer has no end: more than 1 MiB or 64 calls"}
	}
	if g.size-g.checked < repeatWindow/4 {
		return nil
	}
	g.checked = g.size
	texts := []string{g.Text.String(), g.Reasoning.String()}
	if n := len(g.Calls); n > 0 {
		texts = append(texts, g.Calls[n-1].arguments.String())
	}
	for _, t := range texts {
		if repeats(t) {
			return &tooBig{"the answer repeats the same text without end"}
		}
	}
	return nil
}

// written is all that came, for counting tokens.
func (g *gather) written() string {
	var s strings.Builder
	s.WriteString(g.Text.String())
	s.WriteString(g.Reasoning.String())
	for _, c := range g.Calls {
		s.WriteString(c.name)
		s.WriteString(c.arguments.String())
	}
	return s.String()
}
