package mcp

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mark3labs/mcp-go/client/transport"
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

func FuzzSieve(f *testing.F) {
	f.Add("data: {\"id\":1,\"method\":\"ping\"}\n\ndata: x\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		out, asked := sifted(t, in)
		if asked == 0 && out != in || len(out) > len(in) {
			t.Errorf("%q became %q, %d asked", in, out, asked)
		}
	})
}
