package scripted

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Server is a running script. Make it with [New].
type Server struct {
	// URL is the base URL of the endpoint: http://127.0.0.1:<port>/v1.
	URL string

	http   *httptest.Server
	closed chan struct{} // lets go of everything that hangs

	mu       sync.Mutex
	steps    []Step
	requests []Request
	arrived  chan struct{} // closed and replaced at each request
	once     sync.Once
}

// New starts a server that follows the steps. t is a *testing.T or the like, which closes the server at its end, or nil:
// then the caller calls [Server.Close].
func New(t interface{ Cleanup(func()) }, steps ...Step) *Server {
	s := &Server{steps: steps, closed: make(chan struct{}), arrived: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	mux.HandleFunc("POST /v1/embeddings", embeddings)
	mux.HandleFunc("GET /v1/models", models)
	s.http = httptest.NewServer(mux)
	s.URL = s.http.URL + "/v1"
	if t != nil {
		t.Cleanup(s.Close)
	}
	return s
}

// Close lets go of hanging requests and ends the server. It may be called twice.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// Add appends steps to the script.
func (s *Server) Add(steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, steps...)
}

// Requests are the chat requests so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Wait blocks until at least n chat requests have come, or ctx is done.
func (s *Server) Wait(ctx context.Context, n int) error {
	for {
		s.mu.Lock()
		have, arrived := len(s.requests), s.arrived
		s.mu.Unlock()
		if have >= n {
			return nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return fmt.Errorf("%d of %d requests have come: %w", have, n, ctx.Err())
		}
	}
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<20))
	if err != nil {
		return // the client went away
	}
	req, err := parseRequest(body)
	if err != nil {
		refuse(w, Step{Status: http.StatusBadRequest, Message: "body: " + err.Error()})
		return
	}
	req.Header = r.Header.Clone()
	step := s.next(&req)
	for step.React != nil {
		step = step.React(req)
	}
	s.play(w, r, req, step)
}

// next records the request and takes the step for it.
func (s *Server) next(req *Request) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	req.N = len(s.requests)
	s.requests = append(s.requests, *req)
	close(s.arrived)
	s.arrived = make(chan struct{})
	if len(s.steps) == 0 {
		// 400 and not 500: nobody tries again, so the test fails at once and says why.
		return Step{Status: http.StatusBadRequest, Message: fmt.Sprintf("the script has no step for request %d", req.N+1)}
	}
	step := s.steps[0]
	if len(s.steps) > 1 || step.React == nil {
		s.steps = s.steps[1:]
	}
	return step
}

func models(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model"}}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The client may be gone; then there is nobody to tell.
	_ = json.NewEncoder(w).Encode(v)
}
