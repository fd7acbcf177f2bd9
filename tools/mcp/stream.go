package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// maxAsked bounds what a server wants of us over one stream at a time; as much again is refused, and of more the stream ends. answerWithin is how long it
// may take to take an answer.
const (
	maxAsked     = 16
	answerWithin = 30 * time.Second
)

// stream is the older transport of server-sent events. The library's takes what the server asks for an answer to something of ours that has
// the same number; here it is taken out of the events before that, and answered.
type stream struct {
	*transport.SSE
	web    *http.Client
	header map[string]string
	ctx    context.Context // the connection's life
	handle atomic.Value    // transport.RequestHandler
	// open and refusing have room for maxAsked; flooded ends the connection.
	open, refusing chan struct{}
	flooded        func()

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup
}

func newStream(ctx context.Context, s *Server, web *http.Client, flooded func(), options ...transport.ClientOption) (*stream, error) {
	t := &stream{header: s.Header, ctx: ctx, open: make(chan struct{}, maxAsked), refusing: make(chan struct{}, maxAsked), flooded: flooded}
	own := *web
	own.Transport = hearing{web.Transport, t}
	t.web = &own
	var err error
	t.SSE, err = transport.NewSSE(s.URL, append(options, transport.WithHTTPClient(t.web), transport.WithHeaders(s.Header))...)
	return t, err
}

// SetRequestHandler makes the library's client the one that answers.
func (t *stream) SetRequestHandler(h transport.RequestHandler) { t.handle.Store(h) }

// SendRequest keeps a copy of a listing for who asked, see [listed].
func (t *stream) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return noted(ctx, t.SSE.SendRequest, r)
}

// Close ends the stream and what was asked over it; ctx has ended before.
func (t *stream) Close() error {
	err := t.SSE.Close()
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.work.Wait()
	return err
}

// asked answers one request of the server, beside the stream.
func (t *stream) asked(r transport.JSONRPCRequest) {
	place, do := t.open, t.handled
	select {
	case place <- struct{}{}:
	default:
		place, do = t.refusing, refused
		select {
		case place <- struct{}{}:
		default:
			t.flooded()
			return
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.work.Go(func() { // ends with ctx, for all that it waits for does
		defer func() { <-place }()
		result, err := do(r)
		if err != nil {
			e := mcp.NewJSONRPCErrorDetails(mcp.INTERNAL_ERROR, clip(plain(err.Error()), 300), nil)
			result = &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID, Error: &e}
		}
		t.answer(result)
	})
}

func (t *stream) handled(r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	h, ok := t.handle.Load().(transport.RequestHandler)
	if !ok {
		return nil, errors.New("not yet")
	}
	return h(t.ctx, r)
}

func refused(transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return nil, errors.New("too much is asked at once")
}

// answer posts an answer where the server listens. What does not arrive the server will miss, and say so in the call that it is for.
func (t *stream) answer(a *transport.JSONRPCResponse) {
	body, err := json.Marshal(a)
	at := t.GetEndpoint()
	if err != nil || at == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, answerWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), bytes.NewReader(body))
	if err != nil {
		return
	}
	for name, value := range t.header {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/json")
	if resp, err := t.web.Do(r); err == nil {
		_ = resp.Body.Close()
	}
}

// hearing hands the events of a stream through a [sieve].
type hearing struct {
	http.RoundTripper
	t *stream
}

func (h hearing) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := h.RoundTripper.RoundTrip(r)
	if err == nil && strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), "text/event-stream") {
		resp.Body = &sieve{body: resp.Body, in: bufio.NewReader(resp.Body), asked: h.t.asked}
	}
	return resp, err
}

// sieve takes the requests out of a stream of events and leaves the rest as it is. How long an event may be is the business of the body
// below it, see [bounded].
type sieve struct {
	body  io.Closer
	in    *bufio.Reader
	rest  []byte // of an event that is being read
	err   error  // after rest
	asked func(transport.JSONRPCRequest)
}

func (s *sieve) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.next()
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Close closes the body.
func (s *sieve) Close() error { return s.body.Close() }

// next reads one event, up to its empty line.
func (s *sieve) next() {
	var event, data []byte
	for {
		l, err := s.in.ReadBytes('\n')
		event = append(event, l...)
		l = bytes.TrimRight(l, "\r\n")
		if value, ok := bytes.CutPrefix(l, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		}
		if err != nil {
			s.rest, s.err = event, err
			return
		}
		if len(l) == 0 {
			break
		}
	}
	var r transport.JSONRPCRequest
	if json.Unmarshal(data, &r) == nil && r.Method != "" && !r.ID.IsNil() {
		s.asked(r)
		return
	}
	s.rest = event
}
