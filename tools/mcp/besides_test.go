package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"net/http/httptest"

	"github.com/hmap-project/hmap/bus"
)

// What a server has besides tools can be listed and read; folders that it shall keep to it is told.
func TestResourcesPromptsRoots(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := newWorld(t, Options{}, Server{Name: "every", Command: npm(t, "everything"), Args: []string{"stdio"}, Roots: []string{dir}},
		Server{Name: "less", Command: npm(t, "everything"), Args: []string{"stdio"}, Except: []string{"list_prompts", "get_prompt"}})
	var list inventory
	if err := json.Unmarshal([]byte(w.ok("every__list_resources", `{}`)), &list); err != nil || list.Count == 0 || len(list.Items) != list.Count || len(list.Templates) == 0 {
		t.Fatalf("%v %+v", err, list)
	}
	if got := w.ok("every__read_resource", `{"uri":"`+list.Items[0].URI+`"}`); len(got) < 20 {
		t.Error(got)
	}
	r := w.ask(request("every__read_resource", `{"uri":"demo://resource/dynamic/blob/1"}`))
	if r.Status != bus.OK || len(r.Files) != 1 {
		t.Errorf("a blob: %s %s %v %v", r.Status, r.Observation, r.Error, r.Files)
	}
	if r := w.ask(request("every__read_resource", `{"uri":"demo://nothing"}`)); r.Error == nil || !strings.Contains(r.Error.Message, "MCP server") {
		t.Errorf("%s %v", r.Status, r.Error)
	}
	w.failing(bus.CodeInvalidParameter, "every__read_resource", `{}`)
	list = inventory{}
	if err := json.Unmarshal([]byte(w.ok("every__list_prompts", `{}`)), &list); err != nil || list.Count < 2 {
		t.Fatalf("%v %+v", err, list)
	}
	if got := w.ok("every__get_prompt", `{"name":"args-prompt","arguments":{"city":"Hangzhou"}}`); !strings.Contains(got, "user: ") || !strings.Contains(got, "Hangzhou") {
		t.Error(got)
	}
	if got := w.ok("every__get-roots-list", `{}`); !strings.Contains(got, "file://"+dir) {
		t.Error(got)
	}
	d, err := w.bus.Directory(t.Context())
	if err == nil {
		err = d.Await(t.Context(), "less__list_resources")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, there := d.Get("less__list_prompts"); there {
		t.Error("a tool that the configuration leaves out")
	}
}

// A server that has resources alone is one; its lists may have no end.
func TestResourcesWithoutEnd(t *testing.T) {
	t.Parallel()
	s := mcpserver.NewMCPServer("ours", "1", mcpserver.WithResourceCapabilities(false, false))
	for i := range 3 * maxBesides {
		s.AddResource(mcp.NewResource(fmt.Sprintf("x://%d", i), strings.Repeat("long ", 200)), func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return nil, nil
		})
	}
	web := httptest.NewServer(mcpserver.NewStreamableHTTPServer(s))
	t.Cleanup(web.Close)
	w := newWorld(t, Options{}, Server{Name: "ours", URL: web.URL + "/mcp"})
	if s := w.until("ours", func(s State) bool { return s.State == "up" && s.Tools > 0 }); s.Tools != 2 {
		t.Fatalf("%+v", s)
	}
	r := w.ask(request("ours__list_resources", `{}`))
	if r.Status != bus.OK || len(r.Files) != 1 || !strings.Contains(string(r.Observation), `"count":200`) || !strings.Contains(string(r.Observation), `"more":true`) {
		t.Errorf("%s %.300s %v %v", r.Status, r.Observation, r.Error, r.Files)
	}
	w.failing(bus.CodeInvalidParameter, "ours__read_resource", `{"uri":"x://1"}`)
}

func TestRoots(t *testing.T) {
	for _, bad := range []string{"x", "../x", "/a/../b", ""} {
		if err := (&Server{Name: "a", Command: "b", Roots: []string{bad}}).check(); err == nil {
			t.Errorf("%q was taken for the path of a folder", bad)
		}
	}
}
