package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nuid"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// idleTag marks an agent that is not offered while no tool is tagged with its name: it can do nothing then.
const idleTag = "needs-tools"

// maxVariants bounds the rosters that are kept for requests that may not use all MCP servers.
const maxVariants = 16

// variants are rosters of the same moment with the tools of some MCP servers left out, by the names of these. Guarded by desk.making.
type variants struct{ by map[string]*roster }

// occasion is what the choice of MCP servers is made of.
type occasion struct {
	request   *bus.Request
	begun     bool // something was called already
	penalties map[string]bus.Penalty
	scenes    map[string]configs.Scene
}

// leftOut are the names of the servers whose tools a request is not offered, of those that are there, in their order: what it does not
// name, what failed in its session a moment ago, what belongs to other scenes, and all of them for a greeting or a very short word that
// wants nothing made and does not ask what can be done.
func (o *occasion) leftOut(servers []served) []string {
	var out []string
	q := o.request
	idle := len(servers) > 0 && !o.begun && (q.Output == "" || q.Output == "text") && plan.SmallTalk(q.JobDesc) && !plan.AsksAbilities(q.JobDesc)
	for _, s := range servers {
		named := slices.ContainsFunc(q.MCPServers, func(entry string) bool { return bus.ServerName(entry) == s.name })
		_, penalized := o.penalties[s.name]
		if penalized || idle || !named && (len(q.MCPServers) > 0 || s.onRequest || !o.inScene(s.name)) {
			out = append(out, s.name)
		}
	}
	return out
}

// inScene reports whether the request calls for a server; one that no scene names belongs to all of them.
func (o *occasion) inScene(server string) bool {
	in := true
	text := strings.ToLower(o.request.JobDesc + "\n" + o.request.Context)
	for _, scene := range o.scenes {
		if !slices.Contains(scene.Servers, server) {
			continue
		}
		if o.request.Output != "" && slices.Contains(scene.Outputs, o.request.Output) ||
			slices.ContainsFunc(scene.Words, func(w string) bool { return w != "" && strings.Contains(text, strings.ToLower(w)) }) {
			return true
		}
		in = false
	}
	return in
}

// served is an MCP server of which there are tools.
type served struct {
	name      string
	onRequest bool
}

// serversOf are the MCP servers behind cards, by name.
func serversOf(cards []bus.Card) []served {
	var out []served
	for _, c := range cards {
		if s := c.Server(); s != "" && !c.IsAgent() && !slices.ContainsFunc(out, func(o served) bool { return o.name == s }) {
			out = append(out, served{s, slices.Contains(c.Tags, bus.OnRequestTag)})
		}
	}
	slices.SortFunc(out, func(a, b served) int { return strings.Compare(a.name, b.name) })
	return out
}

// penaltiesWithin is how long a round waits to hear which servers are left out.
const penaltiesWithin = 500 * time.Millisecond

// assembled is the roster for one request.
func (t *Team) assembled(ctx context.Context, d *desk, q *bus.Request, begun bool) *roster {
	r := d.now()
	if t.openServers(ctx, r, q) {
		r = d.now()
	}
	if len(r.servers) == 0 {
		return r
	}
	o := occasion{request: q, begun: begun, scenes: t.o.Scenes}
	soon, cancel := context.WithTimeout(ctx, penaltiesWithin)
	defer cancel()
	var err error
	if o.penalties, err = t.bus.Penalties(soon, q.Session); err != nil {
		t.log.Debug("actors: penalties of MCP servers", "error", err) // the tools themselves refuse what must not be
	}
	return d.without(r, o.leftOut(r.servers))
}

// openedWithin is how long a round waits for servers at addresses that the request names.
const openedWithin = 20 * time.Second

// openServers has the servers opened whose addresses the request names, side by side, and reports whether there are any new ones.
func (t *Team) openServers(ctx context.Context, r *roster, q *bus.Request) (opened bool) {
	if len(q.MCPServers) == 0 || q.DisableTools || ctx.Err() != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, openedWithin)
	defer cancel()
	var all sync.WaitGroup
	for _, entry := range q.MCPServers {
		name := bus.ServerName(entry)
		if name == entry || slices.ContainsFunc(r.servers, func(s served) bool { return s.name == name }) {
			continue
		}
		opened = true
		all.Go(func() {
			if err := t.openServer(ctx, q, entry, name); err != nil {
				t.log.Warn("actors: an MCP server that a request names is left out", "server", entry, "task", q.Task, "error", err)
				text := fmt.Sprintf("goes on without the MCP server %.200s: %.500v", entry, err)
				if spoken(q) == "zh" {
					text = fmt.Sprintf("没有用上 MCP 服务器 %.200s：%.500v", entry, err)
				}
				t.bus.Speak(q.Session, bus.Live{Task: q.Task, Call: q.Call, Agent: q.ToolName, Channel: "progress", Text: text})
			}
		})
	}
	all.Wait()
	return opened
}

// openServer waits until the tools of the server are in our directory.
func (t *Team) openServer(ctx context.Context, q *bus.Request, entry, name string) error {
	parameter, err := json.Marshal(map[string]string{"url": entry})
	if err != nil {
		return err
	}
	id := nuid.Next() // not the call's own: another try is another opening
	resp, err := t.bus.Call(ctx, bus.Request{Session: q.Session, Task: q.Task, Call: id, Parent: q.Call, Caller: q.ToolName, ToolName: bus.OpenTool, Parameter: parameter}, nil)
	switch {
	case err != nil:
		return err
	case resp.Error != nil:
		return resp.Error
	}
	var state struct {
		Tools   int    `json:"tools"`
		Trouble string `json:"trouble"`
	}
	if err := json.Unmarshal(resp.Observation, &state); err != nil {
		return err
	}
	if state.Tools == 0 {
		return fmt.Errorf("it offers no tools %s", state.Trouble)
	}
	for {
		changed, n := t.dir.Changed(), 0
		for _, c := range t.dir.Cards() {
			if c.Server() == name {
				n++
			}
		}
		if n >= state.Tools {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// without is a roster less the tools of some MCP servers, and less what agents can do only with these.
func (d *desk) without(r *roster, servers []string) *roster {
	if len(servers) == 0 {
		return r
	}
	d.making.Lock()
	defer d.making.Unlock()
	key := strings.Join(servers, ".")
	if v := r.less.by[key]; v != nil {
		return v
	}
	var rest []bus.Card
	for _, c := range d.dir.Cards() {
		if !slices.Contains(servers, c.Server()) {
			rest = append(rest, c)
		}
	}
	cards, tools := d.offered(rest)
	v := d.make(cards, tools, d.agent.Name+" less")
	v.index = v.index.Knowing(r.learned)
	if len(r.less.by) >= maxVariants {
		clear(r.less.by)
	}
	r.less.by[key] = &v
	return &v
}
