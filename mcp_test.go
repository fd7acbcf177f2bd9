package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	tools "github.com/hmap-project/hmap/tools/mcp"
)

// mcpServer is the command of a real MCP server.
func mcpServer(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("tools", "mcp", "testdata", "servers", "node_modules", ".bin", "mcp-server-"+name))
	if err == nil {
		_, err = exec.LookPath(path)
	}
	if err != nil {
		t.Fatalf("%v: install the servers with `make servers`", err)
	}
	return path
}

// A team with MCP servers, with no key: their tools are found by the planner, shown with their servers, and ask back.
func TestToolsOfMCPServers(t *testing.T) {
	t.Parallel()
	dir, files := dataDir(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(files, "hello.txt"), []byte("good day"), 0o600); err != nil {
		t.Fatal(err)
	}
	serve(t, dir, fmt.Sprintf(`mcp: {wait: 60s, open: ["http://127.0.0.1:1/mcp"], servers: {files: {command: %q, args: [%q]}, broken: {command: "false"},
  every: {command: %q, args: [stdio], approval: never, on_request: true, only: [echo]}}}`,
		mcpServer(t, "filesystem"), files, mcpServer(t, "everything")))
	for _, c := range []struct {
		args []string
		want []string
		code int
	}{
		{[]string{"ask", "list the files in " + files}, []string{"→ files__list_directory", "hello.txt"}, 0},
		{[]string{"ask", "read the file " + files + "/hello.txt"}, []string{"good day"}, 0},
		{[]string{"ask", "--mcp-servers", "every", `echo the message "how are you"`}, []string{"→ every__echo", "Echo: how are you"}, 0},
		{[]string{"ask", "--mcp-servers", "every", "read the file " + files + "/hello.txt"}, nil, 0},
		{[]string{"ask", "--mcp-servers", "nix", "list the files in " + files}, nil, 1},
		{[]string{"ask", "--mcp-servers", "files,http://127.0.0.1:1/else", "list the files in " + files}, []string{"requests may not open http://127.0.0.1:1/else"}, 1},
		{[]string{"ask", "--mcp-servers", "http://127.0.0.1:1/mcp", "list the files in " + files}, []string{"has no tools to offer: down", "connection refused"}, 1},
		{[]string{"ask", "--no-tools", "list the files in " + files}, nil, 0},
		{[]string{"agents"}, []string{"server files up 14 tools, stdio, secure-filesystem-server", "server broken down it ended (exit status 1)", "files__move_file"}, 0},
		{[]string{"mcp", "refresh", "files"}, []string{"14 tools"}, 0},
		{[]string{"mcp", "refresh", "nobody"}, []string{"there is no MCP server nobody; there are"}, 1},
	} {
		out, errs, code := hmap(t, dir, c.args...)
		out = strings.Join(strings.Fields(out), " ")
		missing := func(want string) bool { return !strings.Contains(out, want) }
		for tries := 0; c.args[0] == "agents" && slices.ContainsFunc(c.want, missing) && tries < 50; tries++ { // on a busy machine not all are heard in time
			out, errs, code = hmap(t, dir, c.args...)
			out = strings.Join(strings.Fields(out), " ")
		}
		if c.code != 0 {
			out += errs
		}
		for _, want := range c.want {
			if missing(want) {
				t.Errorf("%v: %q is missing:\n%s%s", c.args, want, out, errs)
			}
		}
		if code != c.code {
			t.Errorf("%v: exit status %d\n%s%s", c.args, code, out, errs)
		}
		if c.want == nil && (strings.Contains(out, "good day") || strings.Contains(out, "→ files")) {
			t.Errorf("%v: used what it may not:\n%s", c.args, out)
		}
	}
}

// What a server asks goes to the person, and their answer back to it, field by field.
func TestMCPServerAsksBack(t *testing.T) {
	t.Parallel()
	dir, agents := dataDir(t), t.TempDir()
	team, err := configs.Team("")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range team {
		if !a.Entry && a.Name != "toolbox" { // an empty file takes the agent off the team
			if err := os.WriteFile(filepath.Join(agents, a.Name+".yaml"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	serve(t, dir, fmt.Sprintf("agents: %q\nmcp: {wait: 60s, servers: {asks: {command: %q, args: [stdio], only: [trigger-elicitation-request], effects: {trigger-elicitation-request: read}}}}",
		agents, mcpServer(t, "everything")))
	for tries := 0; ; tries++ { // the server has that tool only once it knows that we can ask
		out, _, _ := hmap(t, dir, "mcp", "refresh")
		if strings.Contains(out, "1 tools") {
			break
		}
		if tries == 100 {
			t.Fatal(out)
		}
	}
	out, errs, code := hmap(t, dir, "ask", "Trigger an elicitation request")
	_, session, _ := strings.Cut(errs, "--session ")
	session, _, _ = strings.Cut(session, " ")
	for range 20 { // one field after the other
		if code != exitWaiting {
			break
		}
		out, errs, code = hmap(t, dir, "ask", "--session", session, "Ada")
	}
	if code != 0 || !strings.Contains(out, "Ada") {
		t.Errorf("the server's questions: %d\n%s%s", code, out, errs)
	}
}

// hmap as an MCP server, spoken to by a client that can ask its user.
func TestHmapAsMCPServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	serve(t, dir)
	for _, answers := range []*user{{"洋酒"}, nil} {
		c := mcpClient(t, dir, answers)
		changed := make(chan struct{}, 100)
		c.OnNotification(func(n mcp.JSONRPCNotification) {
			if n.Method == mcp.MethodNotificationToolsListChanged {
				changed <- struct{}{}
			}
		})
		for knows := false; !knows; { // who is there is heard by and by
			list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
			if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "master" {
				t.Fatalf("%v %v", list, err)
			}
			if knows = strings.Contains(list.Tools[0].Description, "- orders: "); !knows {
				select {
				case <-changed:
				case <-time.After(patience):
					t.Fatal(list.Tools[0].Description)
				}
			}
		}
		call := func(ctx context.Context, arguments map[string]any) (*mcp.CallToolResult, map[string]any) {
			t.Helper()
			var r mcp.CallToolRequest
			r.Params.Name, r.Params.Arguments = "master", arguments
			out, err := c.CallTool(ctx, r)
			if err != nil {
				t.Fatal(err)
			}
			content, _ := out.StructuredContent.(map[string]any)
			return out, content
		}
		if out, content := call(t.Context(), map[string]any{"request": "我有多少订单是王萍萍买的?"}); out.IsError || content["status"] != "ok" || !strings.Contains(content["answer"].(string), "王萍萍") {
			t.Errorf("%v", content)
		}
		out, content := call(t.Context(), map[string]any{"request": "开店要什么资质"})
		if answers == nil { // the question comes as the answer
			if content["status"] != "input_required" || content["question"] == "" {
				t.Fatalf("%v", content)
			}
			out, content = call(t.Context(), map[string]any{"request": "洋酒", "session": content["session"]})
		}
		if out.IsError || content["status"] != "ok" || !strings.Contains(content["answer"].(string), "进口酒类") {
			t.Errorf("asked back: %v", content)
		}
		var bad mcp.CallToolRequest
		bad.Params.Name, bad.Params.Arguments = "master", map[string]any{"session": "a.b", "request": "x"}
		if out, err := c.CallTool(t.Context(), bad); err == nil && !out.IsError {
			t.Error("a session that is no token")
		}
	}
}

// user answers what a server asks.
type user struct{ answer string }

func (u *user) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	out := &mcp.ElicitationResult{}
	out.Action, out.Content = mcp.ElicitationResponseActionAccept, map[string]any{"answer": u.answer}
	return out, nil
}

// mcpClient speaks to `hmap mcp`; u is who answers for the client's user, nil: nobody.
func mcpClient(t *testing.T, dir string, u *user) *client.Client {
	t.Helper()
	var options []client.ClientOption
	if u != nil {
		options = append(options, client.WithElicitationHandler(u))
	}
	own := command(context.Background(), dir, "mcp") // closing its input ends it

	way := transport.NewStdioWithOptions(own.Path, nil, nil, transport.WithCommandFunc(func(context.Context, string, []string, []string) (*exec.Cmd, error) { return own, nil }))
	c := client.NewClient(way, options...)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := c.Initialize(t.Context(), mcp.InitializeRequest{}); err != nil {
		t.Fatal(err)
	}
	return c
}

// Whoever is told of an MCP server by JSON is told the right thing.
func TestMCPHelp(t *testing.T) {
	t.Parallel()
	out, errs, code := hmap(t, t.TempDir(), "mcp", "serve", "--help")
	_, text, _ := strings.Cut(out, `{"mcpServers"`)
	text, _, _ = strings.Cut(text, "\n")
	if code != 0 || !json.Valid([]byte(`{"mcpServers"`+text)) {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if _, errs, code := hmap(t, t.TempDir(), "mcp", "--http", "0.0.0.0:0"); code == 0 || !strings.Contains(errs, mcpTokenEnv) {
		t.Errorf("%d %s", code, errs)
	}
}

// What an MCP server asks the model goes to that of the agent whose call is under way.
func TestModelForMCPServers(t *testing.T) {
	t.Parallel()
	up := scripted.New(t, scripted.Text("forty-two"))
	h := &house{config: &configs.Config{Models: map[string]configs.Model{"default": {BaseURL: up.URL, Name: "m"}}}}
	ask, err := h.sampler()
	if err != nil || ask == nil {
		t.Fatal(err)
	}
	prompt := tools.Prompt{System: "be brief", Messages: []tools.Message{{Role: "user", Text: "what is it?"}}}
	got, err := ask(t.Context(), bus.Request{Caller: "toolbox"}, prompt)
	if err != nil || got.Text != "forty-two" || got.Usage.OutputTokens == 0 {
		t.Errorf("%+v %v", got, err)
	}
	if sent := up.Requests(); len(sent) != 1 || sent[0].Messages[0].Text != "be brief" || sent[0].Messages[1].Text != "what is it?" {
		t.Errorf("%+v", sent)
	}
	h.config.Models = nil
	if ask, err := h.sampler(); err != nil || ask != nil {
		t.Errorf("without a model: %v", err)
	}
}
