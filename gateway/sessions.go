package gateway

import (
	"context"
	"net/http"
	"strconv"

	"github.com/hmap-project/hmap/bus"
)

// lists is how many lists of sessions are read at the same time. Each may be 1000 snapshots, and a request or two for each session with a task
// that has not ended; a flood of them must not take the servers from those who follow.
const lists = 2

// getSessions lists the sessions, newest first. Query: limit, 1 to [bus.MaxSessions] (default 50), and before, the next of the page before.
// Without next there are no more.
func (g *Gateway) getSessions(w http.ResponseWriter, r *http.Request) {
	limit, err := number(r, "limit", 50)
	if err == nil && (limit < 1 || limit > bus.MaxSessions) {
		err = bad("limit is %d: want 1 to %d", limit, bus.MaxSessions)
	}
	before, wrong := number(r, "before", 0)
	if err == nil {
		err = wrong
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), thinkWait)
	defer cancel()
	select {
	case g.lists <- struct{}{}:
		defer func() { <-g.lists }()
	case <-ctx.Done():
		w.Header().Set("Retry-After", "5")
		fail(w, http.StatusServiceUnavailable, &bus.Error{Code: bus.CodeBusy, Message: "too many ask for the sessions now; try again later", Retryable: true})
		return
	}
	page := struct {
		Sessions []bus.Session `json:"sessions"`
		Next     uint64        `json:"next,omitempty"`
	}{[]bus.Session{}, 0}
	list, next, failed := g.bus.Sessions(ctx, before, int(limit))
	if failed != nil {
		fail(w, http.StatusServiceUnavailable, unavailable("the sessions cannot be listed", failed))
		return
	}
	page.Sessions, page.Next = append(page.Sessions, list...), next
	answer(w, http.StatusOK, page)
}

// number reads a parameter of the query; missing, it is the default.
func number(r *http.Request, name string, missing uint64) (uint64, *bus.Error) {
	s := r.URL.Query().Get(name)
	if s == "" {
		return missing, nil
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, bad("%s is not a number: %.40q", name, s)
	}
	return n, nil
}
