package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/bus"
)

// Ask asks the model, as often as it takes within the bounds of [Options], and then its fallbacks. It blocks until there is
// a reply or no hope, or ctx is done.
//
// The error is ctx's own when that is done, else it holds a *bus.Error (errors.As) of code model, whose message says what to
// do, and [ErrTooLong] beside it when the prompt did not fit. With an error, only Usage, Millis and Attempts of the reply
// are meant. Without one the reply is never empty: it has actions, or an answer, or a plan, or the object asked for.
func (c *Client) Ask(ctx context.Context, p Prompt) (Reply, error) {
	var spent Reply
	begun := c.now()
	reply, err := c.ask(ctx, p, &spent)
	spent.Usage.Money = (float64(spent.Usage.InputTokens)*c.o.PriceIn + float64(spent.Usage.OutputTokens)*c.o.PriceOut) / 1e6
	failed := new(bus.Error)
	switch {
	case err == nil:
		c.down.Store(0)
	case errors.As(err, &failed) && failed.Retryable:
		c.down.Store(c.now().UnixNano())
	}
	if err != nil {
		reply = Reply{}
	}
	reply.Usage, reply.Attempts, reply.Millis = spent.Usage, spent.Attempts, c.now().Sub(begun).Milliseconds()
	return reply, err
}

func (c *Client) ask(ctx context.Context, p Prompt, spent *Reply) (Reply, error) {
	var t talk
	var err error
	switch {
	case len(p.Schema) > 0:
		t, err = wantObject(p)
	case c.o.Strategy == StructParse:
		t = structParse(p)
	default:
		t = functionCall(p)
	}
	if err != nil {
		return Reply{}, &bus.Error{Code: bus.CodeInvalidRequest, Message: err.Error()}
	}
	t.veiled(c.o.Mask)
	var last *failure
	var told []string
	for _, model := range c.models() {
		reply, f := c.askModel(ctx, model, &t, spent)
		if f == nil {
			if reply.Model == "" {
				reply.Model = model
			}
			return reply, nil
		}
		if ctx.Err() != nil {
			return Reply{}, ctx.Err()
		}
		if last != nil {
			told = append(told, last.message+"; "+model)
		}
		last = f
		if f.key {
			break
		}
	}
	last.message = strings.Join(append(told, last.message), ": ")
	return Reply{}, last.error(c.o.Model)
}

// askModel asks one model, with at most one corrective round when its answer cannot be read.
func (c *Client) askModel(ctx context.Context, model string, t *talk, spent *Reply) (reply Reply, f *failure) {
	t.more = nil
	for _, last := range []bool{false, true} {
		f = c.insist(ctx, func() *failure {
			g, f := c.once(ctx, model, t, spent)
			if f == nil {
				reply, f = t.read(g, last)
			}
			return f
		})
		if f == nil || f.kind != misread {
			return reply, f
		}
		t.more = append(t.more,
			openai.ChatCompletionMessage{Role: "assistant", Content: short(f.said)},
			openai.ChatCompletionMessage{Role: "user", Content: fmt.Sprintf(text("again", t.language), f.message)})
	}
	return reply, &failure{kind: final, message: "it does not keep to the form, not even after correction: " + f.message}
}

// once sends one request and gathers its answer.
func (c *Client) once(ctx context.Context, model string, t *talk, spent *Reply) (*gather, *failure) {
	ctx, x := c.begin(ctx, c.o.Timeout, c.o.Idle)
	defer x.stop()
	g := &gather{}
	spent.Attempts++
	defer func() { c.count(spent, t, g, x.started) }()
	t.voice.begin()
	defer t.voice.end()
	res, err := x.Do(c.request(ctx, model, t))
	switch {
	case err != nil:
	case res.StatusCode >= 400:
		err = refused(res)
	default:
		err = c.hear(x, res, g, t.voice)
	}
	if big := new(tooBig); err != nil && (g.Finish == "" || errors.As(err, &big)) { // what comes after the end is not missed
		return nil, c.failed(ctx, x, model, err)
	}
	g.unmask(t.veil)
	return g, ended(g, c.o.MaxTokens)
}

// request makes a request for an answer.
func (c *Client) request(ctx context.Context, model string, t *talk) *http.Request {
	encoded := func(b []byte) []byte { // the tools first, for the conversation tells of what is masked
		tools := t.maskedTools()
		return c.heads[model].appendTo(b[:0], t.conversation(), tools)
	}
	buf := buffers.Get().(*[]byte)
	*buf = encoded(*buf)
	p := newPayload(buf)
	r := c.chat.WithContext(httptrace.WithClientTrace(ctx, &p.trace))
	r.Body, r.ContentLength = io.NopCloser(&p.bytes), int64(len(*buf))
	r.GetBody = func() (io.ReadCloser, error) {
		p.again()
		return io.NopCloser(bytes.NewReader(encoded(nil))), nil
	}
	return r
}

// ended judges how an answer ended. A stream that just stops looks the same as one that is done, but for the finish_reason.
func ended(g *gather, maxTokens int) *failure {
	switch g.Finish {
	case "":
		return &failure{kind: passing, message: "the stream ended before the answer did"}
	case "length":
		return &failure{kind: spoilt, message: fmt.Sprintf("the answer was cut at the token limit (max_tokens %d, or the model's window); raise it or ask for less", maxTokens)}
	case "content_filter":
		return &failure{kind: final, message: "the endpoint's content filter stopped the answer"}
	case "error":
		return &failure{kind: passing, message: "the endpoint broke off with an error"}
	}
	return nil
}

// reasons reports whether a model is one of OpenAI's that take max_completion_tokens and no temperature.
func reasons(model string) bool {
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:] // "openai/o3" at a gateway
	}
	for _, p := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		if strings.HasPrefix(model, p) {
			return true
		}
	}
	return false
}

// maxCount is the most tokens that a server can have counted in one request; more, or less than none, is a lie.
const maxCount = 1_000_000_000

// count adds the tokens of one request. A request that was refused cost nothing; one that was broken off has no count of the
// server's, but was paid for.
func (c *Client) count(spent *Reply, t *talk, g *gather, started bool) {
	if !started {
		return
	}
	in, out := g.In, g.Out
	if in+out == 0 || min(in, out) < 0 || max(in, out) > maxCount {
		in = 0
		for _, m := range t.conversation() {
			in += CountTokens(m.Content) + 4 // the frame of a message in OpenAI's chat format
			for _, p := range m.MultiContent {
				in += CountTokens(p.Text)
			}
			for _, call := range m.ToolCalls {
				in += CountTokens(call.Function.Name + call.Function.Arguments)
			}
		}
		for _, o := range t.tools {
			in += CountTokens(string(o.tool))
		}
		out = CountTokens(g.written())
	}
	spent.Usage.InputTokens += in
	spent.Usage.OutputTokens += out
}
