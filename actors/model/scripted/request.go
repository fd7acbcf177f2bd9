package scripted

import (
	"encoding/json"
	"net/http"
	"slices"
)

// Request is a chat request as it came.
type Request struct {
	N           int // from 0, in order of arrival
	Model       string
	Messages    []Message
	Tools       []Tool
	Stream      bool
	Temperature *float64 // nil: was not sent
	Header      http.Header
	Body        json.RawMessage
}

// Message is one message of a request.
type Message struct {
	Role       string
	Text       string   // all text parts
	Images     []string // URLs of the image parts
	Calls      []Call
	ToolCallID string
}

// Tool is one function that was offered.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage
}

// Offers reports whether the request offers a function of that name.
func (r Request) Offers(name string) bool {
	return slices.ContainsFunc(r.Tools, func(t Tool) bool { return t.Name == name })
}

// Last is the text of the last message of the role; "" if there is none.
func (r Request) Last(role string) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == role {
			return m.Text
		}
	}
	return ""
}

func parseRequest(body []byte) (Request, error) {
	var in struct {
		Model       string   `json:"model"`
		Stream      bool     `json:"stream"`
		Temperature *float64 `json:"temperature"`
		Messages    []struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCallID string          `json:"tool_call_id"`
			ToolCalls  []struct {
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name        string          `json:"name"`
				Description string          `json:"description"`
				Parameters  json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	r := Request{Model: in.Model, Stream: in.Stream, Temperature: in.Temperature, Body: body}
	for _, m := range in.Messages {
		out := Message{Role: m.Role, ToolCallID: m.ToolCallID}
		if json.Unmarshal(m.Content, &out.Text) != nil {
			var parts []struct {
				Text     string `json:"text"`
				ImageURL struct {
					URL string `json:"url"`
				} `json:"image_url"`
			}
			if len(m.Content) > 0 {
				if err := json.Unmarshal(m.Content, &parts); err != nil {
					return Request{}, err
				}
			}
			for _, p := range parts {
				out.Text += p.Text
				if p.ImageURL.URL != "" {
					out.Images = append(out.Images, p.ImageURL.URL)
				}
			}
		}
		for _, c := range m.ToolCalls {
			out.Calls = append(out.Calls, Call{c.ID, c.Function.Name, c.Function.Arguments})
		}
		r.Messages = append(r.Messages, out)
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, Tool(t.Function))
	}
	return r, nil
}
