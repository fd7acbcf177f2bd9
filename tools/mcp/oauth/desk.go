package oauth

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// callbackPath is where the browser is sent back to.
const callbackPath = "/callback"

// desk waits for the browser at an address of this machine that no other can reach (RFC 8252, 7.3).
type desk struct {
	address string
	server  *http.Server
	came    chan returned
	ended   chan struct{}
}

// returned is one return of a browser.
type returned struct {
	query  url.Values
	answer func(error)
	byHand bool // the person of the terminal brought it, and not whoever can reach the address
}

func listen(ctx context.Context, port int) (*desk, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("the browser cannot be sent back here: %w; choose another port with --port", err)
	}
	d := &desk{address: "http://" + l.Addr().String() + callbackPath, came: make(chan returned), ended: make(chan struct{})}
	d.server = &http.Server{Handler: d, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, MaxHeaderBytes: 32 << 10}
	go func() { // ends with close
		_ = d.server.Serve(l)
		close(d.ended)
	}()
	return d, nil
}

// ServeHTTP takes what a browser brings and shows it what came of it.
func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'")
	w.Header().Set("Referrer-Policy", "no-referrer") // the address holds the code
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodGet || r.URL.Path != callbackPath {
		http.NotFound(w, r)
		return
	}
	said := make(chan error, 1)
	select {
	case d.came <- returned{query: r.URL.Query(), answer: func(err error) { said <- err }}:
	case <-r.Context().Done():
		return
	}
	select {
	case err := <-said:
		if err != nil {
			http.Error(w, "hmap: "+err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, "Signed in; this page can be closed. 登录完成，可以关闭本页。")
	case <-r.Context().Done():
	}
}

// next waits for a return, by the browser or by hand.
func (d *desk) next(ctx context.Context, pasted <-chan string) (returned, error) {
	for {
		select {
		case r := <-d.came:
			return r, nil
		case text, more := <-pasted:
			if !more {
				pasted = nil
				continue
			}
			if u, err := url.Parse(strings.TrimSpace(text)); err == nil && u.RawQuery != "" {
				return returned{query: u.Query(), answer: func(error) {}, byHand: true}, nil
			}
		case <-ctx.Done():
			return returned{}, context.Cause(ctx)
		}
	}
}

// close lets an answer that is being written out, for a second, and ends.
func (d *desk) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if d.server.Shutdown(ctx) != nil {
		_ = d.server.Close()
	}
	<-d.ended
}
