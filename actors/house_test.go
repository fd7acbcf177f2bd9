package actors

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus/bustest/leaks"

	"github.com/hmap-project/hmap/actors/mask"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
	"github.com/hmap-project/hmap/tools"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, leaks.OfLibraries()...)
}

// slots are the limits of a node that takes that many tasks at once.
func slots(tasks int) configs.Limits {
	l := testLimits
	l.Tasks = tasks
	return l
}

// house is a node with a Master, a clerk and a peer of his, and a few tools, thinking with a scripted model.
type house struct {
	t      testing.TB
	server *bus.Server
	bus    *bus.Bus
	team   *Team
	ledger *ledger
	said   *ledger       // its log
	held   chan struct{} // the tool hold waits for it, or for its context
	stop   func()
}

type setup struct {
	server   *bus.Server // nil: one of its own
	sync     bool        // every record is synced to disk
	ledger   *ledger
	strategy model.Strategy
	model    *scripted.Server
	small    *scripted.Server // the model small; nil: there is none
	namer    *scripted.Server // chooses role names for tools; nil: they have the built-in ones
	mask     *mask.Rules      // of all models
	nameless bool             // tools have no role names
	timeout  time.Duration
	node     string
	agents   []configs.Agent // nil: testAgents
	limits   configs.Limits  // zero: testLimits
	toolless bool            // none of the usual tools on this node
	mind     configs.Mind
	more     []bus.Card    // tools beside the usual ones, that write down that they ran
	passive  bool          // takes no tasks, so that its slots are held by calls alone
	learn    time.Duration // how often at most is learned from the log
	embed    string        // URL of an embedding model; "": none
	zone     *time.Location
}

var testAgents = []configs.Agent{
	{Name: "master", Title: map[string]string{"en": "Master", "zh": "总管"}, Description: "splits the work", Entry: true, Prompt: "master", Model: "default", Agents: []string{"*"}, Tools: []string{"look"}, Budget: configs.Budget{Rounds: 30, Seconds: 60, Depth: 4}},
	{Name: "clerk", Title: map[string]string{"en": "Clerk", "zh": "专员"}, Description: "looks things up and sends them", Prompt: "domain", Model: "default", Tools: []string{"look", "send", "hold", "post"}, Agents: []string{"peer", "master"}},
	{Name: "peer", Title: map[string]string{"en": "Peer", "zh": "同事"}, Description: "another clerk", Prompt: "domain", Model: "default", Tools: []string{"look"}, Agents: []string{"clerk"}},
}

// The lease outlasts the second that a busy machine may stand still for: who loses it in a test shall have been killed there.
var testLimits = configs.Limits{Tasks: 16, Calls: 16, Queue: 1000, Lease: 3 * time.Second, AskTTL: time.Hour, Observe: 2000, History: 200}

func open(t testing.TB, o setup) *house {
	t.Helper()
	h := &house{t: t, server: o.server, ledger: o.ledger, said: &ledger{}, held: make(chan struct{})}
	if h.ledger == nil {
		h.ledger = &ledger{}
	}
	ctx := t.Context()
	if o.limits == (configs.Limits{}) {
		o.limits = testLimits
	}
	lines := io.Writer(h.said)
	if os.Getenv("HMAP_TEST_LOG") != "" {
		lines = io.MultiWriter(lines, os.Stderr)
	}
	log := slog.New(slog.NewTextHandler(lines, nil))
	own := h.server == nil
	var err error
	if own {
		if h.server, err = bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: !o.sync}); err != nil {
			t.Fatal(err)
		}
	}
	if h.bus, err = bus.Connect(ctx, bus.Options{Server: h.server, Node: o.node, LeaseTTL: o.limits.Lease, Log: log}); err != nil {
		t.Fatal(err)
	}
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	host := tools.NewHost(h.bus, engine, tools.Options{Log: log, Grace: 100 * time.Millisecond})
	served := h.recorders(o.more)
	if !o.toolless {
		served = append(served, h.tools()...)
	}
	for _, tool := range served {
		if err := host.Add(tool); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := prompts.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if o.agents == nil {
		o.agents = testAgents
	}
	to := Options{Agents: o.agents, Prompts: texts, Mind: o.mind, Limits: o.limits, Passive: o.passive, Learn: o.learn, Zone: o.zone, Log: log}
	if o.model != nil {
		if o.timeout == 0 {
			o.timeout = 10 * time.Second
		}
		m, err := model.New(model.Options{BaseURL: o.model.URL, Model: "scripted", Strategy: o.strategy, Timeout: o.timeout, Idle: o.timeout, Retries: 3, Backoff: time.Millisecond, Mask: o.mask})
		if err != nil {
			t.Fatal(err)
		}
		to.Models = map[string]*model.Client{"default": m}
		if o.small != nil {
			if to.Models["small"], err = model.New(model.Options{BaseURL: o.small.URL, Model: "small", Timeout: o.timeout, Retries: -1, Mask: o.mask}); err != nil {
				t.Fatal(err)
			}
		}
	}
	to.Employees.Off = o.nameless
	if o.namer != nil {
		if to.Employees.Model, err = model.New(model.Options{BaseURL: o.namer.URL, Model: "namer", Temperature: new(float32), Timeout: 10 * time.Second, Retries: -1, Mask: o.mask}); err != nil {
			t.Fatal(err)
		}
	}
	if o.embed != "" {
		if to.Embedding, err = model.New(model.Options{BaseURL: o.embed, Model: "embed", Timeout: 10 * time.Second, Retries: -1, Mask: o.mask}); err != nil {
			t.Fatal(err)
		}
	}
	if h.team, err = Start(ctx, h.bus, engine, to); err != nil {
		t.Fatal(err)
	}
	h.stop = sync.OnceFunc(func() {
		stopping, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		h.team.Stop(stopping)
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
		h.bus.Close()
		if own {
			h.server.Stop()
		}
	})
	t.Cleanup(h.stop)
	eventually(t, "the node knows its agents", func() bool {
		return !slices.ContainsFunc(o.agents, func(a configs.Agent) bool { _, there := h.team.dir.Get(a.Name); return !there })
	})
	return h
}

func (h *house) tools() []tools.Tool {
	type args struct {
		Key  string `json:"key"`
		To   string `json:"to"`
		Text string `json:"text"`
	}
	parameters := func(required string) json.RawMessage {
		return json.RawMessage(`{"type":"object","required":[` + required + `],"properties":{"key":{"type":"string"},"to":{"type":"string"},"text":{"type":"string"}}}`)
	}
	return []tools.Tool{
		tools.New(bus.Card{Name: "look", Kind: "tool", Description: "look a thing up by its key", Effect: bus.Read, Parameters: parameters(`"key"`)},
			func(_ context.Context, _ *tools.Call, a args) (map[string]any, error) {
				h.ledger.add("look " + a.Key)
				if a.Key == "missing" {
					return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: "there is no such key"}
				}
				return map[string]any{"key": a.Key, "value": "v-" + a.Key}, nil
			}),
		tools.New(bus.Card{Name: "send", Kind: "tool", Description: "send a text to somebody", Effect: bus.Unsafe, Approval: "ask", Parameters: parameters(`"to"`)},
			func(_ context.Context, _ *tools.Call, a args) (string, error) {
				h.ledger.add("send " + a.To)
				return "sent", nil
			}),
		tools.New(bus.Card{Name: "post", Kind: "tool", Description: "post a text, unsafe, without asking", Effect: bus.Unsafe, Parameters: parameters(`"to"`)},
			func(ctx context.Context, _ *tools.Call, a args) (string, error) {
				h.ledger.add("post " + a.To)
				if a.To == "slow" {
					select {
					case <-h.held:
					case <-ctx.Done():
						return "", ctx.Err()
					}
				}
				return "posted", nil
			}),
		tools.New(bus.Card{Name: "hold", Kind: "tool", Description: "hang until let go", Effect: bus.Read, Parameters: parameters("")},
			func(ctx context.Context, _ *tools.Call, a args) (string, error) {
				h.ledger.add("hold")
				select {
				case <-h.held:
					return "held", nil
				case <-ctx.Done():
					h.ledger.add("let go")
					return "", ctx.Err()
				}
			}),
	}
}

// recorders are tools that only write down that they ran, with what, and return something that their card says.
func (h *house) recorders(cards []bus.Card) []tools.Tool {
	var all []tools.Tool
	for _, c := range cards {
		all = append(all, tools.New(c, func(_ context.Context, _ *tools.Call, a map[string]any) (any, error) {
			h.ledger.add(c.Name + " " + string(mustJSON(a)))
			var returns map[string]any
			if json.Unmarshal(c.Returns, &returns) != nil {
				return c.Name + "led", nil
			}
			return instance(returns), nil
		}))
	}
	return all
}

// instance is something that holds a schema, as far as tests need it.
func instance(schema map[string]any) any {
	if values, ok := schema["enum"].([]any); ok {
		return values[0]
	}
	switch schema["type"] {
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{instance(items)}
	case "number", "integer":
		return 7
	case "boolean":
		return true
	case "string":
		return "x"
	}
	out := map[string]any{}
	fields, _ := schema["properties"].(map[string]any)
	for name, field := range fields {
		sub, _ := field.(map[string]any)
		out[name] = instance(sub)
	}
	return out
}

// connect is a bus without agents: a user's, a service's, or that of a node which the test plays itself.
func connect(t *testing.T, s *bus.Server, node string) *bus.Bus {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Options{Server: s, Node: node, LeaseTTL: testLimits.Lease})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}
