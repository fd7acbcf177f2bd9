package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/hmap-project/hmap/tools/mcp/oauth/oauthtest"
)

// A person signs in to a server beside the hmap that runs: it shows the command, has the tools at once, and loses them when they sign out.
func TestSignInToMCPServer(t *testing.T) {
	t.Parallel()
	s := server.NewMCPServer("calendar", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("list_meetings", mcp.WithDescription("Lists the meetings of today"), mcp.WithReadOnlyHintAnnotation(true)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("tea with Ada"), nil
		})
	office := oauthtest.New(t, server.NewStreamableHTTPServer(s))
	dir := dataDir(t)
	serve(t, dir, fmt.Sprintf("mcp: {servers: {calendar: {url: %q}, other: {command: 'false'}}}", office.Resource))
	config := filepath.Join(dir, "test.yaml")
	expect := func(code int, want string, args ...string) {
		t.Helper()
		out, errs, got := hmap(t, dir, append([]string{"--config", config, "mcp"}, args...)...)
		if text := strings.Join(strings.Fields(out+errs), " "); got != code || !strings.Contains(text, want) {
			t.Errorf("mcp %v: status %d, and %q is missing:\n%s", args, got, want, text)
		}
	}
	expect(0, "server calendar login somebody has to sign in: hmap mcp login calendar", "list")
	expect(1, "nobody was signed in to calendar", "logout", "calendar")
	expect(1, "there are calendar, other", "login", "nobody")
	expect(1, "is a command", "login", "other")

	c := command(t.Context(), dir, "--config", config, "mcp", "login", "calendar")
	out := &buffer{}
	c.Stdout, c.Stderr = browser{out}, out
	if err := c.Run(); err != nil || !strings.Contains(out.String(), "Signed in to calendar") || !strings.Contains(out.String(), "1 tools, http, calendar 1") {
		t.Fatalf("%v\n%s", err, out)
	}
	unraced(t, out.String())
	expect(0, "server calendar up 1 tools", "list")
	if out, errs, code := hmap(t, dir, "ask", "list the meetings of today"); code != 0 || !strings.Contains(out, "tea with Ada") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if info, err := os.Stat(filepath.Join(dir, "mcp", "calendar.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	expect(0, "Signed out of calendar. server calendar login", "logout", "calendar")
	expect(0, "server calendar login somebody", "list")
}

// browser opens the first address that a program prints.
type browser struct{ said *buffer }

func (b browser) Write(p []byte) (int, error) {
	n, err := b.said.Write(p)
	for line := range strings.Lines(string(p)) {
		if address := strings.TrimSpace(line); strings.HasPrefix(address, "http") {
			go func() { // ends when the program answers it or ends
				if status, text, err := oauthtest.Browse(address); err != nil || status != http.StatusOK {
					fmt.Fprintln(b.said, "the browser ended at", status, text, err)
				}
			}()
		}
	}
	return n, err
}
