package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/hmap-project/hmap/bus"
)

// ErrTooLong is in the error of a prompt longer than the model's window, beside the *bus.Error: shorten it and ask again.
var ErrTooLong = errors.New("the prompt is longer than the model's window")

// failure is why one try gave no reply.
type failure struct {
	kind    kind
	message string        // says what to do where something can be done; never holds the key
	after   time.Duration // how long the server asks to be left alone; 0: it did not say
	tooLong bool
	key     bool   // the key was refused: a fallback would fare no better
	said    string // misread: what the model wrote
}

type kind int

const (
	final   kind = iota // the same again cannot succeed
	passing             // overload, network, time: try again
	spoilt              // the answer itself is no good: try once more
	misread             // the answer cannot be read: tell the model why
)

// error gives the failure as callers see it.
func (f *failure) error(model string) error {
	e := &bus.Error{Code: bus.CodeModel, Message: model + ": " + f.message, Retryable: f.kind == passing}
	if f.tooLong {
		return errors.Join(e, ErrTooLong)
	}
	return e
}

// Causes with which the context of one try ends.
var (
	errSlow = errors.New("the answer took too long")
	errIdle = errors.New("nothing came for too long")
)

// failed says what an error of one try means. ctx is the try's own context.
func (c *Client) failed(ctx context.Context, x *exchange, model string, err error) *failure {
	f := c.judge(ctx, x, model, err)
	if c.o.Key != "" {
		f.message = strings.ReplaceAll(f.message, c.o.Key, "***") // some servers repeat it
	}
	return f
}

func (c *Client) judge(ctx context.Context, x *exchange, model string, err error) *failure {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errSlow):
		return &failure{kind: passing, message: fmt.Sprintf("no whole answer within %s", c.o.Timeout)}
	case errors.Is(cause, errIdle):
		return &failure{kind: passing, message: fmt.Sprintf("nothing came for %s", c.o.Idle)}
	}
	var big *tooBig
	if errors.As(err, &big) {
		return &failure{kind: spoilt, message: big.Error()}
	}
	var refused *refusal
	if errors.As(err, &refused) {
		return c.status(refused.Status, refused.Code, refused.Message, x.after, model)
	}
	var api *openai.APIError
	if errors.As(err, &api) {
		return c.status(api.HTTPStatusCode, fmt.Sprint(api.Code, " ", api.Type), api.Message, x.after, model)
	}
	var req *openai.RequestError
	if errors.As(err, &req) {
		return c.status(req.HTTPStatusCode, "", plainMessage(req.Body), x.after, model)
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the URL
	}
	var n *net.OpError
	if errors.As(err, &n) && n.Op == "dial" {
		return &failure{kind: passing, message: fmt.Sprintf("nobody answers at %s (%v); check base_url and that the server runs", c.o.BaseURL, n.Err)}
	}
	return &failure{kind: passing, message: "the connection failed: " + short(err.Error())}
}

// status judges an HTTP status and what the server said with it; 0 is an error in a stream without one.
func (c *Client) status(status int, code, message string, after time.Duration, model string) *failure {
	message = short(message)
	if longPrompt(code, message) {
		return &failure{kind: final, tooLong: true, message: "the prompt is longer than the model's window; shorten the history or use a model with a larger one (" + message + ")"}
	}
	name := c.o.KeyName
	if name == "" {
		name = "the environment"
	}
	switch {
	case status == http.StatusUnauthorized && c.o.Key == "":
		return &failure{kind: final, key: true, message: "the endpoint wants a key; set it in " + name}
	case status == http.StatusUnauthorized:
		return &failure{kind: final, key: true, message: "the endpoint refused the key; check the key in " + name + " (" + message + ")"}
	case status == http.StatusForbidden:
		return &failure{kind: final, message: "the key may not use this model; check the account of the key in " + name + " (" + message + ")"}
	case status == http.StatusNotFound:
		return &failure{kind: final, message: fmt.Sprintf("%s has no model %q, or base_url lacks its /v1; check both (%s)", c.o.BaseURL, model, message)}
	case strings.Contains(code, "insufficient_quota"), status == http.StatusPaymentRequired:
		return &failure{kind: final, message: "the account is out of credit; pay, or use another key in " + name + " (" + message + ")"}
	case status == http.StatusTooManyRequests:
		return &failure{kind: passing, after: after, message: "the endpoint is overloaded or the rate limit is reached (" + message + ")"}
	case status == 0, status >= 500, status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly:
		return &failure{kind: passing, after: after, message: fmt.Sprintf("the endpoint failed with status %d (%s)", status, message)}
	}
	return &failure{kind: final, message: fmt.Sprintf("the endpoint refused the request with status %d: %s", status, message)}
}

// longPrompt recognises the many ways in which servers say that the prompt does not fit.
func longPrompt(code, message string) bool {
	if strings.Contains(code, "context_length_exceeded") {
		return true
	}
	m := strings.ToLower(message)
	for _, s := range []string{"maximum context length", "context window", "context length", "context size", "prompt is too long",
		"input is too long", "too many input tokens", "reduce the length", "exceeds the maximum number of tokens"} {
		if strings.Contains(m, s) {
			return true
		}
	}
	return false
}

// refusal is an error that the server tells: by its status, or inside a stream, where it is {"error":{"message","code"}},
// {"error":"…"}, or {"object":"error","message"}.
type refusal struct {
	Message string
	Code    string
	Status  int // of HTTP, or from a numeric code in a stream; 0: none
}

func (r *refusal) Error() string { return r.Message }

func newRefusal(raw json.RawMessage) *refusal {
	o := fields(raw)
	if o == nil {
		return &refusal{Message: textOf(raw)}
	}
	r := &refusal{Message: textOf(o["message"]), Code: textOf(o["code"]) + " " + textOf(o["type"])}
	if n, err := strconv.Atoi(textOf(o["code"])); err == nil && n >= 400 && n < 600 {
		r.Status = n
	}
	if r.Message == "" {
		r.Message = string(raw)
	}
	return r
}

// refused reads what a server says with a status of 400 or more.
func refused(res *http.Response) error {
	const most = 64 << 10                                // bytes; more is no message
	raw, _ := io.ReadAll(io.LimitReader(res.Body, most)) // the status tells enough
	r := &refusal{}
	if e := fields(bytes.TrimSpace(raw))["error"]; fields(e) != nil {
		r = newRefusal(e)
	} else {
		r.Message = plainMessage(raw)
	}
	r.Status = res.StatusCode
	return r
}

// plainMessage finds the message in an error body that is not of OpenAI's form.
func plainMessage(body []byte) string {
	o := fields(json.RawMessage(strings.TrimSpace(string(body))))
	for _, k := range []string{"error", "message", "detail", "msg"} {
		if v := o[k]; v != nil {
			return textOf(v)
		}
	}
	return string(body)
}

// short keeps a foreign text to one line of at most 300 characters.
func short(s string) string {
	r := []rune(strings.Join(strings.Fields(s[:min(len(s), 4096)]), " "))
	if len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return strings.ToValidUTF8(string(r), "")
}

// retryAfter reads how long to wait: retry-after-ms (OpenAI), or Retry-After in seconds or as an HTTP date (RFC 9110,
// 10.2.3). 0: not said, or nonsense.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = 1e6 // seconds; more cannot be meant and would overflow
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < most*1e3 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < most {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
