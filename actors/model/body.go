package model

import (
	"bytes"
	"maps"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	openai "github.com/sashabaranov/go-openai"
)

// head is what is the same in the body of each request to one model: an object, encoded.
type head struct {
	object []byte
	// extra are the fields that Options.Extra decides on, so that no request does.
	extra map[string]any
}

// newHead makes the head for a model. It is not go-openai's request that is encoded, because that leaves out a temperature of 0,
// refuses limits by a model's name before the server could say what it thinks, and has no place for extra fields.
func newHead(o *Options, model string) *head {
	f := map[string]any{"model": model}
	if !o.NoStream {
		f["stream"] = true
		f["stream_options"] = openai.StreamOptions{IncludeUsage: true}
	}
	if reasons(model) {
		f["max_completion_tokens"] = o.MaxTokens
	} else {
		f["max_tokens"] = o.MaxTokens
		if o.Temperature != nil {
			f["temperature"] = *o.Temperature
		}
	}
	maps.Copy(f, o.Extra)
	maps.DeleteFunc(f, func(_ string, v any) bool { return v == nil })
	return &head{encode(f), o.Extra}
}

// appendTo writes the whole body of a request.
func (h *head) appendTo(b []byte, messages []openai.ChatCompletionMessage, tools []*offer) []byte {
	b = append(b, h.object[:len(h.object)-1]...)
	if h.leaves("messages") {
		b = append(key(b, "messages"), '[')
		for i := range messages {
			b = appendMessage(comma(b), &messages[i])
		}
		b = append(b, ']')
	}
	if len(tools) > 0 && h.leaves("tools") {
		b = append(key(b, "tools"), '[')
		for _, o := range tools {
			b = append(comma(b), o.tool...)
		}
		b = append(b, ']')
	}
	if len(tools) > 0 && h.leaves("tool_choice") {
		b = member(b, "tool_choice", "auto")
	}
	return append(b, '}')
}

func (h *head) leaves(field string) bool {
	_, taken := h.extra[field]
	return !taken
}

// appendMessage writes the fields of a message that this package uses.
func appendMessage(b []byte, m *openai.ChatCompletionMessage) []byte {
	b = member(append(b, '{'), "role", m.Role)
	if m.Content != "" {
		b = member(b, "content", m.Content)
	}
	if len(m.MultiContent) > 0 {
		b = append(key(b, "content"), '[')
		for _, p := range m.MultiContent {
			b = member(append(comma(b), '{'), "type", string(p.Type))
			if p.ImageURL != nil {
				b = append(member(append(key(b, "image_url"), '{'), "url", p.ImageURL.URL), '}')
			} else {
				b = member(b, "text", p.Text)
			}
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	if len(m.ToolCalls) > 0 {
		b = append(key(b, "tool_calls"), '[')
		for _, c := range m.ToolCalls {
			b = member(append(comma(b), '{'), "id", c.ID)
			b = member(b, "type", string(c.Type))
			b = member(append(key(b, "function"), '{'), "name", c.Function.Name)
			b = append(member(b, "arguments", c.Function.Arguments), "}}"...)
		}
		b = append(b, ']')
	}
	if m.ToolCallID != "" {
		b = member(b, "tool_call_id", m.ToolCallID)
	}
	return append(b, '}')
}

// comma parts what follows from a member or an element before it.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last != '{' && last != '[' {
		b = append(b, ',')
	}
	return b
}

// key begins a member of an object.
func key(b []byte, field string) []byte { return append(appendString(comma(b), field), ':') }

// member writes a member of an object that is a text.
func member(b []byte, field, value string) []byte { return appendString(key(b, field), value) }

// appendString writes s as a JSON string. What is not UTF-8 becomes U+FFFD, as in encoding/json.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if itself[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[from:i]...), "\uFFFD"...)
				from = i + n
			}
			i += n
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		from = i
	}
	return append(append(b, s[from:]...), '"')
}

// payload is the body of a request on its way. Its bytes go back to the buffers as soon as they are sent, so that a question
// which waits for its answer holds none.
type payload struct {
	bytes bytes.Reader // of a kind that the transport sends in one piece with the header
	buf   *[]byte
	trace httptrace.ClientTrace
	over  atomic.Bool // the bytes are given back, or may be in use for ever
}

func newPayload(buf *[]byte) *payload {
	p := &payload{buf: buf}
	p.bytes.Reset(*buf)
	p.trace.WroteRequest = p.sent
	return p
}

// again is called when the transport found a connection dead and tries another: who reads on the first one is not known then.
func (p *payload) again() { p.over.Store(true) }

// sent is called by whoever read the bytes, when he is done.
func (p *payload) sent(httptrace.WroteRequestInfo) {
	if !p.over.Swap(true) && p.bytes.Len() == 0 {
		p.bytes.Reset(nil)
		release(p.buf)
	}
}

// buffers hold the bodies of requests, and of answers that come whole, while they are worked on.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// release gives a buffer back, unless it has grown so much that it would better be forgotten.
func release(b *[]byte) {
	const most = 256 << 10
	if cap(*b) <= most {
		*b = (*b)[:0]
		buffers.Put(b)
	}
}
