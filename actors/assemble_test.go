package actors

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// Which servers a request is not offered.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	all := []served{{"docs", false}, {"files", false}, {"rare", true}, {bus.ServerName("https://example.com/mcp"), true}}
	address := all[3].name
	scenes := map[string]configs.Scene{
		"office":  {Servers: []string{"docs"}, Words: []string{"Ticket", "工单"}},
		"reports": {Servers: []string{"docs"}, Outputs: []string{"ppt"}},
	}
	for _, c := range []struct {
		what string
		o    occasion
		want []string
	}{
		{"a plain request", occasion{request: &bus.Request{JobDesc: "list the files in /tmp"}}, []string{"docs", "rare", address}},
		{"a word of a scene", occasion{request: &bus.Request{JobDesc: "which tickets are open?"}}, []string{"rare", address}},
		{"in Chinese", occasion{request: &bus.Request{JobDesc: "有哪些工单没有处理"}}, []string{"rare", address}},
		{"an output of a scene", occasion{request: &bus.Request{JobDesc: "sum up what we sold", Output: "ppt"}}, []string{"rare", address}},
		{"a greeting", occasion{request: &bus.Request{JobDesc: "你好"}}, []string{"docs", "files", "rare", address}},
		{"what can be done", occasion{request: &bus.Request{JobDesc: "what can you do?"}}, []string{"docs", "rare", address}},
		{"a greeting that wants slides", occasion{request: &bus.Request{JobDesc: "你好", Output: "ppt"}}, []string{"rare", address}},
		{"a short word in the middle of the work", occasion{request: &bus.Request{JobDesc: "谢谢"}, begun: true}, []string{"docs", "rare", address}},
		{"named", occasion{request: &bus.Request{JobDesc: "list the files in /tmp", MCPServers: []string{"rare"}}}, []string{"docs", "files", address}},
		{"named by its address", occasion{request: &bus.Request{JobDesc: "list the files in /tmp", MCPServers: []string{"https://example.com/mcp", "docs"}}}, []string{"files", "rare"}},
		{"left out for a failure", occasion{request: &bus.Request{JobDesc: "list the files in /tmp", MCPServers: []string{"files", "docs"}},
			penalties: map[string]bus.Penalty{"files": {}}}, []string{"files", "rare", address}},
	} {
		c.o.scenes = scenes
		if got := c.o.leftOut(all); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v is left out, want %v", c.what, got, c.want)
		}
	}
}

func TestIdleAgents(t *testing.T) {
	t.Parallel()
	agent := bus.Card{Name: "toolbox", Kind: "agent", Tags: []string{"plugins", idleTag}}
	other := bus.Card{Name: "orders", Kind: "agent"}
	tool := bus.Card{Name: "files__read", Kind: "tool", Tags: []string{"toolbox", bus.ServerTag("files")}}
	d := &desk{agent: configs.Agent{Name: "master", Agents: []string{"*"}}}
	names := func(all ...bus.Card) (out []string) {
		cards, _ := d.offered(all)
		for _, c := range cards {
			out = append(out, c.Name)
		}
		return out
	}
	if got := names(agent, other); !slices.Equal(got, []string{"orders"}) {
		t.Errorf("without a tool: %v", got)
	}
	if got := names(agent, other, tool); !slices.Equal(got, []string{"toolbox", "orders"}) {
		t.Errorf("with a tool: %v", got)
	}
	if s := serversOf([]bus.Card{agent, tool, {Name: "x", Kind: "tool", Tags: []string{"mcp:files", bus.OnRequestTag}}}); len(s) != 1 || s[0].name != "files" {
		t.Errorf("%v", s)
	}
}

// Who looks on hears that a server at an address that the request names could not be used, in the language of the request; the task goes on.
func TestServersThatCannotBeOpenedAreTold(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: clerkLooks(t)})
	const address = "http://127.0.0.1:1/mcp"
	for session, query := range map[string]string{"en": "look, please", "zh": "请帮我看一看"} {
		heard := make(chan *nats.Msg, 100)
		if _, err := h.bus.Conn().ChanSubscribe(bus.LiveSubject("main", session, "*"), heard); err != nil {
			t.Fatal(err)
		}
		w := h.submit(bus.Submission{Query: query, Session: session, MCPServers: []string{address}})
		if r := h.response(w); r.Status != bus.OK {
			t.Fatal(brief(r))
		}
		var l bus.Live
		for l.Channel != "progress" || !strings.Contains(l.Text, address) {
			select {
			case m := <-heard:
				if err := json.Unmarshal(m.Data, &l); err != nil {
					t.Fatal(err)
				}
			case <-time.After(time.Minute):
				t.Fatal("nobody was told")
			}
		}
		if strings.Contains(l.Text, "MCP 服务器") != (session == "zh") {
			t.Errorf("%s: %q", session, l.Text)
		}
	}
}
