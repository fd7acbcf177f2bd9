package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/anthdm/hollywood/actor"
	mcplib "github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document"
	"github.com/hmap-project/hmap/tools/files"
	"github.com/hmap-project/hmap/tools/interpreter"
	"github.com/hmap-project/hmap/tools/mcp"
	"github.com/hmap-project/hmap/tools/planning"
	"github.com/hmap-project/hmap/tools/saved"
	"github.com/hmap-project/hmap/tools/search"
	"github.com/hmap-project/hmap/tools/table"
	"github.com/hmap-project/hmap/tools/web"
)

// hands are the tools for any session, behind their actors on a bus of their own, and a session with files in it.
type hands struct {
	*testing.T
	bus   *bus.Bus
	cards map[string]bus.Card
	calls int
	given map[string]bool // sessions that have a table
	site  string          // the address of a web server that does harm
	tame  atomic.Bool     // it finds nothing, and has no page
}

// inSlots bounds the calls of a tool at a time, so that one that keeps its slot is noticed.
const inSlots = 2

func newHands(t *testing.T) *hands {
	h := &hands{T: t, bus: bustest.New(t), cards: map[string]bus.Card{}, given: map[string]bool{}}
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	host := tools.NewHost(h.bus, engine, tools.Options{AtOnce: inSlots, Log: quiet})
	t.Cleanup(func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	})
	code := interpreter.New(interpreter.Options{Log: quiet})
	h.site = h.hostile()
	pages := web.New(web.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, NoRobots: true, Time: time.Minute})
	t.Cleanup(pages.Close)
	finder, err := search.NewEngine("searxng", h.site, "")
	if err != nil {
		t.Fatal(err)
	}
	research := search.New(search.Options{Engines: []search.Engine{finder}, Web: pages, Rounds: 1, Timeout: time.Minute, Time: time.Minute, Log: quiet})
	all := append(files.Tools(), code.Tool(), document.Tool(h.bus, time.UTC), saved.Tool(h.bus), planning.Tool(h.bus), web.Tool(pages), research.Tool())
	for _, tool := range append(all, table.Tools(table.Options{})...) {
		if err := host.Add(tool); err != nil {
			t.Fatal(err)
		}
		h.cards[tool.Card.Name] = tool.Card
	}
	servers := mcp.New(h.bus, engine, host, mcp.Options{Log: quiet})
	t.Cleanup(func() {
		if err := servers.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := servers.Add(mcp.Server{Name: "ours", URL: h.stranger() + "/mcp", Timeout: time.Minute}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	servers.Settled(ctx)
	d, err := h.bus.Directory(ctx)
	if err == nil {
		err = d.Await(ctx, "ours__long", "ours__hang")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ours__long", "ours__hang"} {
		h.cards[name], _ = d.Get(name)
	}
	return h
}

// hostile is a web server whose pages hang or do not end, and which a search engine's dialect is spoken at, too: any search finds both.
func (h *hands) hostile() string {
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.tame.Load() {
			http.NotFound(w, r)
			return
		}
		switch r.URL.Path {
		case "/search":
			fmt.Fprintf(w, `{"results":[{"title":"hang","url":"%s/hang","content":"x"},{"title":"flood","url":"%[1]s/flood","content":"x"}]}`, s.URL)
		case "/flood":
			line := []byte(strings.Repeat("words of a page ", 1<<12) + "\n\n")
			for range 1 << 12 {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		default:
			<-r.Context().Done()
		}
	}))
	h.Cleanup(s.Close)
	return s.URL
}

// stranger is an MCP server that says too much, or nothing.
func (h *hands) stranger() string {
	s := mcpserver.NewMCPServer("ours", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcplib.NewTool("long", mcplib.WithDescription("says much"), mcplib.WithString("what", mcplib.Required(), mcplib.MaxLength(100)), mcplib.WithReadOnlyHintAnnotation(true)),
		func(context.Context, mcplib.CallToolRequest) (*mcplib.CallToolResult, error) {
			return mcplib.NewToolResultText(strings.Repeat("word ", 1<<17)), nil
		})
	s.AddTool(mcplib.NewTool("hang", mcplib.WithDescription("never answers"), mcplib.WithReadOnlyHintAnnotation(true)),
		func(ctx context.Context, _ mcplib.CallToolRequest) (*mcplib.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
	served := httptest.NewServer(mcpserver.NewStreamableHTTPServer(s))
	h.Cleanup(served.Close)
	return served.URL
}

// ask calls a tool in a session; heard gets its progress.
func (h *hands) ask(ctx context.Context, session, tool, parameter string, heard func(bus.Response)) bus.Response {
	h.Helper()
	h.calls++
	r := bus.Request{Session: session, Task: "t", Call: fmt.Sprintf("t-1-%d", h.calls), Caller: "tester", ToolName: tool, Parameter: json.RawMessage(parameter)}
	answer, err := h.bus.Call(ctx, r, heard)
	if err != nil {
		h.Fatalf("%s %.200s: %v", tool, parameter, err)
	}
	return answer
}

// session gives a session a small table, the first time that it is named.
func (h *hands) session(id string) string {
	h.Helper()
	if h.given[id] {
		return id
	}
	h.given[id] = true
	f, err := h.bus.Files().Put(h.Context(), "a.csv", "text/csv", "", strings.NewReader("a,b\n1,2\n3,4\n"))
	if err == nil {
		_, err = h.bus.Append(h.Context(), &bus.Record{Kind: bus.KindFile, Session: id, Task: "t", Call: "t", File: &f}, 0)
	}
	if err != nil {
		h.Fatal(err)
	}
	return id
}

// sound holds an answer to what every answer must be: bounded, text, and no fault of ours.
func (h *hands) sound(tool, parameter string, a bus.Response) {
	h.Helper()
	switch {
	case len(a.Observation) > 33<<10 || !utf8.Valid(a.Observation) || len(a.Observation) > 0 && !json.Valid(a.Observation):
		h.Errorf("%s %.200s: an observation of %d bytes: %.300s", tool, parameter, len(a.Observation), a.Observation)
	case a.Error != nil && (a.Error.Code == bus.CodeInternal || a.Error.Message == "" || len(a.Error.Message) > 8<<10 || !utf8.ValidString(a.Error.Message)):
		h.Errorf("%s %.200s: %.300v", tool, parameter, a.Error)
	case a.Status != bus.OK && a.Status != bus.Failed:
		h.Errorf("%s %.200s: %s", tool, parameter, a.Status)
	}
}

// wrong are values that no parameter of that schema may have, or should not.
func wrong(kind string) []string {
	all := []string{
		`null`, `-1`, `1e308`, `""`, `"../../etc/passwd"`, `"\u0000\u202e\ufffd"`, `[]`, `{}`, `[null]`, `{"a":{"b":[1,2,{"c":null}]}}`, `"` + strings.Repeat("表", 70_000) + `"`,
		strings.Repeat("[", 500) + strings.Repeat("]", 500), `"=cmd|' /C calc'!A0"`, `"obj:nothing"`, `"'; DROP TABLE orders; --"`,
	}
	if kind == "object" || kind == "array" {
		all = append(all, `["`+strings.Repeat("x", 10_000)+`"]`)
	}
	return all
}

// Whatever a tool is given, it answers, in bounds, with a reason that is not ours; and it works afterwards.
func TestHandsTakeBadArguments(t *testing.T) {
	t.Parallel()
	h := newHands(t)
	h.tame.Store(true) // what hangs is of TestHandsHang
	for _, name := range slices.Sorted(maps.Keys(h.cards)) {
		if name == "ours__hang" {
			continue
		}
		var schema struct {
			Required   []string `json:"required"`
			Properties map[string]struct {
				Type string `json:"type"`
			} `json:"properties"`
		}
		if err := json.Unmarshal(h.cards[name].Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		given := []string{`7`, `[]`, `"text"`, `null`, `{"unknown":1}`, `{"name":"x","name":"y"}`}
		for _, p := range slices.Sorted(maps.Keys(schema.Properties)) {
			for _, v := range wrong(schema.Properties[p].Type) {
				rest := ""
				for _, q := range schema.Required {
					if q != p {
						rest += fmt.Sprintf(`,%q:"x"`, q)
					}
				}
				given = append(given, fmt.Sprintf(`{%q:%s%s}`, p, v, rest))
			}
		}
		for _, parameter := range given {
			h.sound(name, parameter, h.ask(t.Context(), "s", name, parameter, nil))
		}
	}
	if a := h.ask(t.Context(), "s2", "list_files", `{}`, nil); a.Status != bus.OK {
		t.Errorf("afterwards: %s %v", a.Status, a.Error)
	}
}

// However much comes out, an answer has at most 32 KiB, and the rest is in a file or on another page.
func TestHandsSayTooMuch(t *testing.T) {
	t.Parallel()
	h := newHands(t)
	var seq uint64
	keep := func(name, kind, content string) {
		f, err := h.bus.Files().Put(t.Context(), name, kind, "", strings.NewReader(content))
		if err == nil {
			seq, err = h.bus.Append(t.Context(), &bus.Record{Kind: bus.KindFile, Session: "s", Task: "t", Call: "t", File: &f}, seq)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	keep("long.txt", "text/plain", strings.Repeat("x", 4<<20))
	keep("lines.csv", "text/csv", "a,b\n"+strings.Repeat("1,2\n", 1<<20))
	keep("rows.csv", "text/csv", "a,b\n"+strings.Repeat("1,2\n", 5000))
	for i := range 300 {
		keep(fmt.Sprintf("%03d-%s.txt", i, strings.Repeat("n", 150)), "text/plain", "x")
	}
	for _, c := range []struct{ tool, parameter string }{
		{"list_files", `{}`}, {"read_file", `{"name":"long.txt"}`}, {"read_file", `{"name":"lines.csv","from":700000}`},
		{"edit_file", `{"name":"lines.csv","old":"1,2","new":"33,44","all":true}`}, {"append_to_file", `{"name":"long.txt","text":"y"}`},
		{"report_tool", `{"format":"csv","files":["lines.csv"]}`}, {"ours__long", `{"what":"x"}`},
		{"table_query", `{"file":"rows.csv","sql":"SELECT a, b, hex(a) || printf('%.5000c', 'x') AS c FROM rows"}`}, {"table_query", `{"file":"rows.csv","sql":"SELECT * FROM rows"}`}, {"web_fetch", `{"url":"` + h.site + `/flood"}`},
		{"code_interpreter", `{"language":"javascript","code":"for (let i = 0; i < 100000; i++) print('a line of output ' + i)"}`},
	} {
		a := h.ask(t.Context(), "s", c.tool, c.parameter, nil)
		h.sound(c.tool, c.parameter, a)
		if a.Status != bus.OK && c.tool != "code_interpreter" && c.tool != "edit_file" {
			t.Errorf("%s %s: %v", c.tool, c.parameter, a.Error)
		}
	}
}

// What hangs ends with its time, what nobody wants any more is given up, and neither keeps its slot.
func TestHandsHang(t *testing.T) {
	t.Parallel()
	h := newHands(t)
	for _, c := range []struct{ tool, parameter string }{
		{"code_interpreter", `{"language":"javascript","code":"print('begun'); for (;;) {}"}`}, {"ours__hang", `{}`}, {"web_fetch", `{"url":"` + h.site + `/hang"}`}, {"deep_search", `{"query":"research hanging pages"}`},
		{"table_query", `{"file":"a.csv","sql":"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"}`},
	} {
		for i := range inSlots + 1 { // each would keep a slot
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			a := h.ask(ctx, h.session(fmt.Sprint("late", i)), c.tool, c.parameter, nil)
			cancel()
			inTime := c.tool == "deep_search" && a.Status == bus.OK // it answers with what it has found before its time is over
			if !inTime && (a.Status != bus.Failed || a.Error.Code != bus.CodeTimeout) {
				t.Errorf("%s, late: %s %v", c.tool, a.Status, a.Error)
			}
		}
		for i := range inSlots + 1 {
			ctx, cancel := context.WithCancel(t.Context())
			timer := time.AfterFunc(300*time.Millisecond, cancel) // most likely in the middle; before and after must hold too
			a := h.ask(ctx, h.session(fmt.Sprint("left", i)), c.tool, c.parameter, nil)
			timer.Stop()
			cancel()
			if a.Status != bus.Cancelled {
				t.Errorf("%s, cancelled: %s %v", c.tool, a.Status, a.Error)
			}
		}
	}
	if a := h.ask(t.Context(), "s", "code_interpreter", `{"language":"javascript","code":"6 * 7"}`, nil); a.Status != bus.OK || !strings.Contains(string(a.Observation), "42") {
		t.Errorf("afterwards: %s %s %v", a.Status, a.Observation, a.Error)
	}
	if a := h.ask(t.Context(), "s", "ours__long", `{"what":"x"}`, nil); a.Status != bus.OK {
		t.Errorf("afterwards: %s %v", a.Status, a.Error)
	}
	// Work that ends by itself soon is cancelled at any moment.
	for i := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+i)*3*time.Millisecond)
		a := h.ask(ctx, "s", "report_tool", `{"format":"pptx","material":"| a | b |\n| - | - |\n| x | 1 |\n| y | 2 |\n| z | 3 |"}`, nil)
		cancel()
		if a.Status != bus.OK && (a.Error == nil || a.Error.Code != bus.CodeTimeout && a.Error.Code != bus.CodeUnavailable && a.Error.Code != bus.CodeBusy) {
			t.Errorf("report_tool within %d ms: %s %v", 3+i*3, a.Status, a.Error)
		}
	}
	if a := h.ask(t.Context(), "s", "report_tool", `{"format":"md","material":"text"}`, nil); a.Status != bus.OK {
		t.Errorf("afterwards: %s %v", a.Status, a.Error)
	}
}
