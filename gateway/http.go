package gateway

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Handler gives every endpoint of the gateway; README.md lists them.
func (g *Gateway) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/ws", g.serveWS)
	mux.HandleFunc("POST /v1/tasks", g.postTask)
	mux.HandleFunc("GET /v1/agents", g.getAgents)
	mux.HandleFunc("GET /v1/sessions", g.getSessions)
	mux.HandleFunc("GET /v1/sessions/{session}/records", g.getRecords)
	mux.HandleFunc("GET /v1/files", g.getFileBound)
	mux.HandleFunc("POST /v1/files", g.postFile)
	mux.HandleFunc("GET /v1/files/{ref}", g.getFile)
	mux.HandleFunc("GET /healthz", g.healthz)
	mux.HandleFunc("GET /readyz", g.readyz)
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, &bus.Error{Code: bus.CodeInvalidRequest, Message: "no such endpoint: " + r.Method + " " + r.URL.Path})
	})
	mux.Handle("/", webPage())
	return g.guard(mux)
}

// healthz tells that the process is up.
func (g *Gateway) healthz(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]string{"status": "ok", "version": g.opt.Version})
}

// readyz tells whether a task would be taken, within two seconds.
func (g *Gateway) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := g.bus.Ready(ctx); err != nil {
		fail(w, http.StatusServiceUnavailable, unavailable("the bus takes no task", err))
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ready"})
}

// postTask takes a submission and answers 202 with the ids under which it is followed. With the header Idempotency-Key a
// repeat within two minutes is the same task.
func (g *Gateway) postTask(w http.ResponseWriter, r *http.Request) {
	// Only JSON: a foreign page may post a form or plain text without asking the browser's leave.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, bad("send Content-Type: application/json"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFrame))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, bad("the body could not be read, or has more than %d bytes; put long content in a file", maxFrame))
		return
	}
	id := r.Header.Get("Idempotency-Key")
	sub, wrong := parseSubmission(body)
	if wrong == nil {
		wrong = checkID(id)
	}
	if wrong != nil {
		fail(w, http.StatusBadRequest, wrong)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), submitWait)
	defer cancel()
	got, wrong := g.submit(ctx, sub, id)
	switch {
	case wrong == nil:
		answer(w, http.StatusAccepted, map[string]string{"session": got.Session, "task": got.Task})
	case wrong.Retryable:
		w.Header().Set("Retry-After", "2")
		fail(w, http.StatusServiceUnavailable, wrong)
	default:
		fail(w, http.StatusBadRequest, wrong)
	}
}

// getRecords gives a session's records as JSON lines, each as in a record frame, up to the end of the log as it is now.
// Query: after, a sequence (default 0).
func (g *Gateway) getRecords(w http.ResponseWriter, r *http.Request) {
	where := bus.Where{Session: r.PathValue("session")}
	if err := checkWhere(where); err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	var after uint64
	if s := r.URL.Query().Get("after"); s != "" {
		var err error
		if after, err = strconv.ParseUint(s, 10, 64); err != nil {
			fail(w, http.StatusBadRequest, bad("after is not a sequence: %.40q", s))
			return
		}
	}
	// Page by page, so that somebody who reads slowly holds nothing. A failure before the first line is a status; later it can only
	// cut the connection, so that nobody takes the part for the whole.
	for begun := false; ; begun = true {
		ctx, cancel := context.WithTimeout(r.Context(), thinkWait)
		p, err := g.hub.page(ctx, pageKey{session: where.Session, after: after, any: true})
		cancel()
		switch {
		case err != nil && begun:
			panic(http.ErrAbortHandler)
		case err != nil:
			fail(w, http.StatusServiceUnavailable, unavailable("the log cannot be read", err))
			return
		case !begun:
			w.Header().Set("Content-Type", "application/x-ndjson")
		}
		out := patient(w)
		for _, s := range p.records {
			if _, err := out.Write(append(slices.Clip(unwrap(s.frame)), '\n')); err != nil {
				return // the reader has gone
			}
			after = s.seq
		}
		if p.end {
			return
		}
	}
}

func answer(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil { // cannot be: what we answer with is ours
		status, body = http.StatusInternalServerError, []byte(`{"code":"internal","message":"the answer could not be encoded"}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)+1))
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a reader that has gone is not our trouble
}

// fail answers with the same error body that a WebSocket gets.
func fail(w http.ResponseWriter, status int, err *bus.Error) { answer(w, status, err) }

func unavailable(what string, err error) *bus.Error {
	return &bus.Error{Code: bus.CodeUnavailable, Message: what + ": " + err.Error(), Retryable: true}
}
