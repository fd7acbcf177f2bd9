package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

// maxBody bounds the bytes of one answer on the wire. With 16384 tokens, each its own event of 300 bytes, 5 MB are usual.
const maxBody = 32 << 20

// exchange is the HTTP of one request, between go-openai and the wire. It puts fields into the body that go-openai has no
// place for, keeps what it does not tell (Retry-After), bounds the answer in size and in silence, and makes what vendors send
// as a stream into what go-openai's reader takes.
type exchange struct {
	http   *http.Client
	fields map[string]any // for the body; nil as a value removes a field
	idle   time.Duration
	give   context.CancelCauseFunc // ends the try
	now    func() time.Time

	after   time.Duration // what Retry-After asked for, once there is an answer
	started bool          // the server has accepted the request
	alarm   *time.Timer
	body    *pulse
}

// Do sends the request.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	if err := x.rewrite(req); err != nil {
		return nil, err
	}
	x.alarm = time.AfterFunc(x.idle, func() { x.give(errIdle) })
	res, err := x.http.Do(req)
	if err != nil {
		x.alarm.Stop()
		return nil, err
	}
	x.alarm.Reset(x.idle)
	body := &pulse{from: res.Body, x: x, left: maxBody}
	res.Body, x.body = body, body
	switch {
	case res.StatusCode >= 400:
		x.after = retryAfter(res.Header, x.now())
	case res.StatusCode >= 300:
		_ = body.Close() // nothing more is wanted of it
		// go-openai takes only 400 and more for a failure.
		return nil, &refusal{Status: http.StatusNotFound, Message: fmt.Sprintf("it redirects (status %d) to %.200q", res.StatusCode, res.Header.Get("Location"))}
	case req.Header.Get("Accept") == "text/event-stream":
		x.started = true
		kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
		res.Body = &events{from: bufio.NewReader(body), pulse: body, whole: kind == "application/json"}
	}
	return res, nil
}

// rewrite merges the fields into the JSON body.
func (x *exchange) rewrite(req *http.Request) error {
	if len(x.fields) == 0 || req.Body == nil {
		return nil
	}
	var body map[string]any
	d := json.NewDecoder(req.Body)
	d.UseNumber()
	if err := d.Decode(&body); err != nil {
		return fmt.Errorf("request body: %w", err)
	}
	for k, v := range x.fields {
		if v == nil {
			delete(body, k)
		} else {
			body[k] = v
		}
	}
	b := encode(body)
	req.Body = io.NopCloser(bytes.NewReader(b))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
	req.ContentLength = int64(len(b))
	return nil
}

// hurry shortens the patience with a silent server.
func (x *exchange) hurry(patience time.Duration) {
	if patience < x.idle {
		x.idle = patience
		x.alarm.Reset(patience)
	}
}

// drain reads what is left of a body that has told all: only a connection read to its end is used again, and go-openai
// stops at [DONE].
func (x *exchange) drain() {
	_, _ = io.CopyN(io.Discard, x.body, 4<<10)
}

// stop lets go of the alarm; to be called when the request is over.
func (x *exchange) stop() {
	if x.alarm != nil {
		x.alarm.Stop()
	}
}

// tooBig is the failure of an answer over a bound.
type tooBig struct{ what string }

func (e *tooBig) Error() string { return e.what }

// pulse reads a body, sets the alarm anew at each sign of life, and ends a body that is too long.
type pulse struct {
	from io.ReadCloser
	x    *exchange
	left int
}

func (p *pulse) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, &tooBig{fmt.Sprintf("the answer is longer than %d MiB on the wire", maxBody>>20)}
	}
	n, err := p.from.Read(b[:min(len(b), p.left)])
	p.left -= n
	if n > 0 {
		p.x.alarm.Reset(p.x.idle)
	}
	return n, err
}

func (p *pulse) Close() error {
	p.x.stop()
	return p.from.Close()
}

// events gives only the data lines of a server-sent event stream. go-openai counts keep-alive comments as failures, and
// loses an error that comes after one.
type events struct {
	from  *bufio.Reader
	pulse *pulse
	whole bool // it is one JSON body: the server does not stream
	ready []byte
}

func (e *events) Read(b []byte) (int, error) {
	for len(e.ready) == 0 {
		if err := e.next(); err != nil {
			return 0, err
		}
	}
	n := copy(b, e.ready)
	e.ready = e.ready[n:]
	return n, nil
}

// next fills ready with the next data line.
func (e *events) next() error {
	if e.whole {
		raw, err := io.ReadAll(e.from)
		if err != nil {
			return err
		}
		e.whole = false
		var line bytes.Buffer
		if err := json.Compact(&line, raw); err != nil {
			return fmt.Errorf("body: %w", err)
		}
		e.ready = dataLine(line.Bytes())
		return nil
	}
	line, err := e.from.ReadBytes('\n')
	if err != nil && (err != io.EOF || len(line) == 0) {
		return err
	}
	if data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); ok {
		e.ready = dataLine(data)
	}
	return nil
}

// dataLine writes an event so that go-openai's reader hands it on as it is: with a space after the brace it does not match
// the reader's own search for errors, which would swallow {"error":null,…}.
func dataLine(data []byte) []byte {
	data = bytes.TrimSpace(data)
	out := []byte("data: ")
	if bytes.HasPrefix(data, []byte("{")) {
		out = append(out, "{ "...)
		data = data[1:]
	}
	return append(append(out, data...), "\n\n"...)
}

func (e *events) Close() error { return e.pulse.Close() }
