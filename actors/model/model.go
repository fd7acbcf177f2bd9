// Package model asks a language model what to do next. It speaks to any OpenAI-compatible endpoint and has one verb,
// [Client.Ask], with two strategies: function call, for models that have it, and struct parse, where the prompt gives the
// H-MAP form and the answer is parsed. Both give the same [Reply]: a thought with actions, or an answer.
//
// Guaranteed: an error is never taken for an answer. A stream that was cut, an answer that is empty, repeats itself without
// end, or was stopped by the token limit, is asked for again and then reported. Waiting is bounded by the context, by the
// number of tries, and by the time one answer may take. The key is in no error, no log and no printed value.
//
// Not guaranteed: that names and arguments are right. Whoever dispatches an action checks it.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/actors/mask"
)

// Strategy is how actions are got out of a model.
type Strategy string

// FunctionCall offers the tools as OpenAI functions. StructParse describes them in the system prompt and parses the answer.
const (
	FunctionCall Strategy = "function_call"
	StructParse  Strategy = "struct_parse"
)

// Options say which model is asked and how. BaseURL and Model are required.
type Options struct {
	// BaseURL is the endpoint up to and with its version: https://host/v1.
	BaseURL string
	// Key is sent as a bearer token; "": none is sent. KeyName is the environment variable that it came from, for messages.
	Key     string `json:"-"`
	KeyName string
	Model   string
	// Fallbacks are asked in order when a model fails for good or stays overloaded, at the same endpoint with the same key.
	Fallbacks []string
	// Strategy is FunctionCall by default.
	Strategy Strategy
	// Temperature nil leaves it to the server; 0 is really sent. The reasoning models of OpenAI refuse it, so they never get it.
	Temperature *float32
	// MaxTokens bounds one answer; default 16384. An answer that reaches it is a failure, not an answer.
	MaxTokens int
	// Timeout bounds one answer, default 120 s; Idle the time to the first byte and between two, default 60 s.
	Timeout time.Duration
	Idle    time.Duration
	// NoStream asks for answers in one piece: less work for both sides, but nobody can watch. Since such an answer is silent until
	// it ends, Idle is Timeout by default then.
	NoStream bool
	// Retries is how often a model is asked again after a failure that may pass: default 4, negative: never.
	Retries int
	// Backoff is the base of the waiting time between tries, default 500 ms. The nth wait is random between 0 and
	// Backoff·2ⁿ (full jitter, at most 30 s), and never shorter than what the server's Retry-After asks for.
	Backoff time.Duration
	// Mask says what no request may hold: placeholders stand in its place, and the values are back in whatever [Client.Ask] gives or tells. Vectors
	// of [Client.Embed] are those of the masked texts. Images are sent as they are. nil: nothing is masked.
	Mask *mask.Rules
	// PriceIn and PriceOut are money per million tokens.
	PriceIn, PriceOut float64
	// Extra are fields for the request body that only this vendor knows; nil as a value removes a field
	// ({"stream_options": nil} for a server that refuses it).
	Extra map[string]any
}

// Client asks one model and its fallbacks. It is safe for many goroutines.
type Client struct {
	o     Options
	heads map[string]*head                           // by model
	chat  *http.Request                              // what is the same in each request for an answer
	pause func(context.Context, time.Duration) error // waits; tests look on
	now   func() time.Time
	grace time.Duration // how long is waited for the token counts once the answer is whole
	down  atomic.Int64  // when it last failed, in ns since 1970; 0: it answered since
}

// Down is when the model last failed, after all tries, for a reason that may pass; zero: it has answered since, or was never asked. Who
// can do without it may spare itself the waiting for a while.
func (c *Client) Down() time.Time {
	if at := c.down.Load(); at != 0 {
		return time.Unix(0, at)
	}
	return time.Time{}
}

// New checks the options and makes a client. It asks nothing yet; [Client.Probe] does.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("model: base_url is not an http(s) URL such as https://host/v1")
	}
	if u.User != nil {
		return nil, errors.New("model: base_url holds a password; give the key by the environment")
	}
	if o.Model == "" {
		return nil, errors.New("model: no model is named")
	}
	switch o.Strategy {
	case "":
		o.Strategy = FunctionCall
	case FunctionCall, StructParse:
	default:
		return nil, fmt.Errorf("model: strategy %q: want %s or %s", o.Strategy, FunctionCall, StructParse)
	}
	if _, err := json.Marshal(o.Extra); err != nil {
		return nil, fmt.Errorf("model: extra: %w", err)
	}
	o.Key = strings.TrimSpace(o.Key)
	o.MaxTokens = or(o.MaxTokens, 16384)
	o.Timeout = or(o.Timeout, 120*time.Second)
	if o.NoStream {
		o.Idle = or(o.Idle, o.Timeout)
	}
	o.Idle = or(o.Idle, 60*time.Second)
	o.Backoff = or(o.Backoff, 500*time.Millisecond)
	o.Retries = max(or(o.Retries, 4), 0)
	c := &Client{o: o, pause: pause, now: time.Now, grace: 3 * time.Second, heads: map[string]*head{}}
	for _, model := range c.models() {
		c.heads[model] = newHead(&c.o, model)
	}
	if c.chat, err = http.NewRequest(http.MethodPost, strings.TrimRight(o.BaseURL, "/")+"/chat/completions", nil); err != nil {
		return nil, fmt.Errorf("model: base_url: %w", err)
	}
	c.chat.Header.Set("Content-Type", "application/json")
	c.chat.Header.Set("Accept", "text/event-stream")
	if o.NoStream {
		c.chat.Header.Set("Accept", "application/json")
	}
	if o.Key != "" {
		c.chat.Header.Set("Authorization", "Bearer "+o.Key)
	}
	return c, nil
}

// models are the model and its fallbacks.
func (c *Client) models() []string { return append([]string{c.o.Model}, c.o.Fallbacks...) }

func or[T int | time.Duration](v, otherwise T) T {
	if v == 0 {
		return otherwise
	}
	return v
}

// Format prints what may be seen, whatever the verb: never the key.
func (o Options) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "%s at %s", o.Model, o.BaseURL) }

// Format is that of the options.
func (c *Client) Format(f fmt.State, verb rune) { c.o.Format(f, verb) }

// Model is the first model that is asked.
func (c *Client) Model() string { return c.o.Model }

// open makes the go-openai client for one request, whose HTTP goes through the exchange. Answers are not asked for by it: half
// of what they cost was its reading, and it loses what vendors send beside the norm.
func (c *Client) open(x *exchange) *openai.Client {
	cfg := openai.DefaultConfig(c.o.Key)
	cfg.BaseURL = c.o.BaseURL
	cfg.HTTPClient = x
	return openai.NewClientWithConfig(cfg)
}

const (
	maxBackoff = 30 * time.Second
	// maxAsked is the longest Retry-After that is waited for; beyond it the model counts as out of order.
	maxAsked = 60 * time.Second
)

// insist calls once until it succeeds, fails for good, or the tries are used up. The failure's message tells of the last try.
func (c *Client) insist(ctx context.Context, once func() *failure) *failure {
	spoiled := false
	for try := 0; ; try++ {
		f := once()
		if f == nil || ctx.Err() != nil || f.kind == final || f.kind == misread {
			return f
		}
		if f.kind == spoilt {
			if spoiled {
				return f // the same prompt would give the same again
			}
			spoiled = true
		}
		wait := rand.N(min(c.o.Backoff<<min(try, 16), maxBackoff) + 1)
		if f.after > 0 {
			wait = f.after + rand.N(c.o.Backoff) // not all at the same moment
		}
		end, bounded := ctx.Deadline()
		if try >= c.o.Retries || f.after > maxAsked || bounded && c.now().Add(wait).After(end) {
			f.message += fmt.Sprintf(" (%d tries)", try+1)
			return f
		}
		if c.pause(ctx, wait) != nil {
			return f
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
