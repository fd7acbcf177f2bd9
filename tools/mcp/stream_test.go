package mcp

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// What a server asks is taken out of its events, in whatever pieces they come; the rest goes on as it was.
func TestSieve(t *testing.T) {
	const ask = "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"id\":3,\"method\":\"elicitation/create\"}\r\n\r\n"
	for _, c := range []struct {
		in, out string
		asked   int
	}{
		{"event: endpoint\ndata: /m\n\n", "event: endpoint\ndata: /m\n\n", 0},
		{ask + "data: {\"id\":3,\"result\":{}}\n\n" + ask, "data: {\"id\":3,\"result\":{}}\n\n", 2},
		{"data: {\"method\":\"notifications/progress\"}\n\n", "data: {\"method\":\"notifications/progress\"}\n\n", 0},
		{": ping\n\n" + ask + "data: half", ": ping\n\ndata: half", 1},
		{"", "", 0},
	} {
		got, asked := sifted(t, c.in)
		if got != c.out || asked != c.asked {
			t.Errorf("%q: %q, %d asked; want %q, %d", c.in, got, asked, c.out, c.asked)
		}
	}
}

func sifted(t *testing.T, in string) (string, int) {
	t.Helper()
	asked := 0
	s := &sieve{body: io.NopCloser(nil), in: bufio.NewReader(iotest.OneByteReader(strings.NewReader(in))), asked: func(transport.JSONRPCRequest) { asked++ }}
	out, err := io.ReadAll(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), asked
}

// A server that asks without end and takes no answer is left, before what it asks has filled the memory.
func TestStreamThatAsksWithoutEnd(t *testing.T) {
	var open, most atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost { // answers, which it does not take
			if n := open.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer open.Add(-1)
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: endpoint\ndata: /m\n\n")
		w.(http.Flusher).Flush()
		for i := range 400 {
			fmt.Fprintf(w, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n\n", i)
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(web.Close)
	ctx, cancel := context.WithCancel(t.Context())
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	s, err := newStream(ctx, &Server{URL: web.URL}, client, cancel, transport.WithSSELogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	s.SetRequestHandler(func(_ context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		return &transport.JSONRPCResponse{JSONRPC: mcp.JSONRPC_VERSION, ID: r.ID}, nil
	})
	if err := s.Start(ctx); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(patience):
		t.Error("the stream goes on")
		cancel()
	}
	_ = s.Close()
	if n := most.Load(); n > 2*maxAsked {
		t.Errorf("%d answers were on their way at once", n)
	}
}

func FuzzSieve(f *testing.F) {
	f.Add("data: {\"id\":1,\"method\":\"ping\"}\n\ndata: x\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		out, asked := sifted(t, in)
		if asked == 0 && out != in || len(out) > len(in) {
			t.Errorf("%q became %q, %d asked", in, out, asked)
		}
	})
}
