package mcp

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Without a token a browser on this machine could ask for a page of anybody's: one that says where it comes from, or whose name leads here (DNS rebinding).
func TestPagesOfOthers(t *testing.T) {
	for _, c := range []struct {
		token, host, origin string
		want                int
	}{
		{"", "127.0.0.1:8090", "", 200}, {"", "localhost:8090", "http://localhost:6274", 200}, {"", "[::1]:8090", "http://[::1]", 200}, {"", "127.0.0.1", "http://127.0.0.1:1", 200},
		{"", "127.0.0.1:8090", "https://evil.example", 403}, {"", "127.0.0.1:8090", "null", 403}, {"", "127.0.0.1:8090", "http://localhost.evil.example", 403},
		{"", "evil.example:8090", "http://evil.example:8090", 403}, {"", "evil.example", "", 403}, {"", "", "", 403},
		{"secret", "team.example", "https://inspector.example", 200}, // no page of others has the token
	} {
		s := &Server{o: Options{Token: c.token}}
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Host = c.host
		r.Header.Set("Authorization", "Bearer "+c.token)
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		s.guarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
}

// Who sends the head of a request and not its body holds no connection, with the token or without.
func TestBodyThatDoesNotCome(t *testing.T) {
	s := newServer(t, Options{Token: "secret"}, func(context.Context, *task) {})
	s.bodyWait = 100 * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	at := listens(t, ctx, cancel, s)
	for _, token := range []string{"secret", "none"} {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(patience))
		if _, err := fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", at, token); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c); err != nil {
			t.Errorf("token %s: the connection stands: %v", token, err)
		}
	}
}

// A call may last longer than a body may take to come.
func TestCallThatOutlastsTheWaitForItsBody(t *testing.T) {
	const bodyWait = time.Second
	s := newServer(t, Options{}, func(_ context.Context, k *task) {
		<-time.After(bodyWait + bodyWait/2)
		ends(k, bus.OK, "done")
	})
	s.bodyWait = bodyWait
	c, err := connect(t, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, content := call(t, t.Context(), c, map[string]any{"request": "do it"}); content["answer"] != "done" {
		t.Errorf("%v", content)
	}
}

// Whoever comes when all places are taken waits until one goes.
func TestConnectionsAreBounded(t *testing.T) {
	s := newServer(t, Options{}, func(context.Context, *task) {})
	s.connections = 2
	ctx, cancel := context.WithCancel(context.Background())
	at := listens(t, ctx, cancel, s)
	var taken []net.Conn
	for range s.connections {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		taken = append(taken, c)
	}
	come := make(chan error, 1)
	go func() {
		r, err := http.Get("http://" + at + "/mcp") // a stream
		if err == nil {
			err = r.Body.Close()
		}
		come <- err
	}()
	select {
	case err := <-come:
		t.Fatalf("one more was served: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	_ = taken[0].Close()
	if err := <-come; err != nil {
		t.Error(err)
	}
}
