package mcp

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/hmap-project/hmap/bus"
)

// ours is a server of one tool that says which it is.
func ours(t testing.TB) *httptest.Server {
	t.Helper()
	s := mcpserver.NewMCPServer("ours", "1")
	s.AddTool(mcp.NewTool("say", mcp.WithDescription("says it"), mcp.WithReadOnlyHintAnnotation(true)), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("said"), nil
	})
	web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(s))
	t.Cleanup(web.Close)
	return web
}

// A request may name an address that the configuration allows, and its server is for such requests only.
func TestOpenForARequest(t *testing.T) {
	t.Parallel()
	web := ours(t)
	w := newWorld(t, Options{Open: []string{web.URL + "/mcp"}, OpenFor: []string{"toolbox"}})
	if err := w.Begin(); err != nil {
		t.Fatal(err)
	}
	address := web.URL + "/mcp"
	for range 2 { // the second finds it open
		if got := w.ok(bus.OpenTool, `{"url":"`+address+`"}`); !strings.Contains(got, `"tools":1`) || !strings.Contains(got, bus.ServerName(address)) {
			t.Fatal(got)
		}
	}
	tool := Name(bus.ServerName(address), "say")
	r := request(tool, `{}`)
	r.MCPServers = []string{address}
	if answer := w.ask(r); answer.Status != bus.OK || string(answer.Observation) != `"said"` {
		t.Errorf("%s %s %v", answer.Status, answer.Observation, answer.Error)
	}
	w.failing(bus.CodeForbidden, tool, `{}`)
	for _, bad := range []string{web.URL + "/other", web.URL + "/mcpx", web.URL + "/mcp/../other", strings.Replace(web.URL, "://", "://a:b@", 1) + "/mcp",
		"http://169.254.169.254/mcp", "file:///etc/passwd", "x", strings.Replace(address, "http:", "https:", 1)} {
		if got := w.failing(bus.CodeForbidden, bus.OpenTool, `{"url":"`+bad+`"}`); got == "" {
			t.Error(bad)
		}
	}
	if n := len(w.States()); n != 1 {
		t.Errorf("%d servers", n)
	}
}
