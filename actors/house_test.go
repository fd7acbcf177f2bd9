package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
	"github.com/hmap-project/hmap/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ledger is the world outside: what tools have really done.
type ledger struct {
	mu   sync.Mutex
	done []string
}

func (l *ledger) add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = append(l.done, s)
}

func (l *ledger) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.done...)
}

// house is a node with a Master, a clerk and a peer of his, and a few tools, thinking with a scripted model.
type house struct {
	t      *testing.T
	server *bus.Server
	bus    *bus.Bus
	team   *Team
	ledger *ledger
	held   chan struct{} // the tool hold waits for it, or for its context
	stop   func()
}

type setup struct {
	server   *bus.Server // nil: one of its own
	ledger   *ledger
	strategy model.Strategy
	model    *scripted.Server
	timeout  time.Duration
	node     string
}

var testAgents = []configs.Agent{
	{Name: "master", Title: map[string]string{"en": "Master", "zh": "总管"}, Description: "splits the work", Entry: true, Prompt: "master", Model: "default", Agents: []string{"*"}, Tools: []string{"look"}, Budget: configs.Budget{Rounds: 30, Seconds: 60, Depth: 4}},
	{Name: "clerk", Title: map[string]string{"en": "Clerk", "zh": "专员"}, Description: "looks things up and sends them", Prompt: "domain", Model: "default", Tools: []string{"look", "send", "hold", "post"}, Agents: []string{"peer", "master"}},
	{Name: "peer", Title: map[string]string{"en": "Peer", "zh": "同事"}, Description: "another clerk", Prompt: "domain", Model: "default", Tools: []string{"look"}, Agents: []string{"clerk"}},
}

var limits = configs.Limits{Tasks: 16, Calls: 16, Queue: 1000, Lease: time.Second, AskTTL: time.Hour, Observe: 2000, History: 200}

func open(t *testing.T, o setup) *house {
	t.Helper()
	h := &house{t: t, server: o.server, ledger: o.ledger, held: make(chan struct{})}
	if h.ledger == nil {
		h.ledger = &ledger{}
	}
	ctx := t.Context()
	log := slog.New(slog.DiscardHandler)
	if os.Getenv("HMAP_TEST_LOG") != "" {
		log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	own := h.server == nil
	var err error
	if own {
		if h.server, err = bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true}); err != nil {
			t.Fatal(err)
		}
	}
	if h.bus, err = bus.Connect(ctx, bus.Options{Server: h.server, Node: o.node, LeaseTTL: limits.Lease, Log: log}); err != nil {
		t.Fatal(err)
	}
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	host := tools.NewHost(h.bus, engine, tools.Options{Log: log, Grace: 100 * time.Millisecond})
	for _, tool := range h.tools() {
		if err := host.Add(tool); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := prompts.Load("")
	if err != nil {
		t.Fatal(err)
	}
	to := Options{Agents: testAgents, Prompts: texts, Limits: limits, Log: log}
	if o.model != nil {
		if o.timeout == 0 {
			o.timeout = 10 * time.Second
		}
		m, err := model.New(model.Options{BaseURL: o.model.URL, Model: "scripted", Strategy: o.strategy, Timeout: o.timeout, Idle: o.timeout, Retries: 3, Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		to.Models = map[string]*model.Client{"default": m}
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

// submit starts a task.
func (h *house) submit(s bus.Submission) bus.Where {
	h.t.Helper()
	r, err := h.bus.Submit(h.t.Context(), "master", s, "")
	if err != nil {
		h.t.Fatal(err)
	}
	return bus.Where{Session: r.Session, Task: r.Task}
}

// until waits for a record of the task.
func (h *house) until(w bus.Where, what string, match func(bus.Record) bool) bus.Record {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), 20*time.Second)
	defer cancel()
	var seen []string
	for e, err := range h.bus.Follow(ctx, w, 0) {
		if err != nil {
			break
		}
		if e.CaughtUp {
			continue
		}
		seen = append(seen, brief(e.Record))
		if match(e.Record) {
			return e.Record
		}
	}
	h.t.Fatalf("no %s; the log has:\n%s", what, strings.Join(seen, "\n"))
	return bus.Record{}
}

func (h *house) response(w bus.Where) bus.Record {
	h.t.Helper()
	return h.until(w, "response", func(r bus.Record) bool { return r.Kind == bus.KindResponse && r.Call == r.Task })
}

func (h *house) ask(w bus.Where) bus.Ask {
	h.t.Helper()
	return *h.until(w, "ask", func(r bus.Record) bool { return r.Kind == bus.KindAsk && r.Call == r.Task }).Ask
}

func (h *house) tell(w bus.Where, in bus.Input) {
	h.t.Helper()
	if _, err := h.bus.Tell(h.t.Context(), w.Session, w.Task, in, ""); err != nil {
		h.t.Fatal(err)
	}
}

// idle waits until nothing runs here any more.
func (h *house) idle() {
	h.t.Helper()
	end := time.After(10 * time.Second)
	for h.team.Running() > 0 {
		select {
		case <-end:
			h.t.Fatalf("%d calls still run", h.team.Running())
		case <-time.After(2 * time.Millisecond):
		}
	}
}

func (h *house) records(w bus.Where) []bus.Record {
	h.t.Helper()
	records, err := h.bus.Read(h.t.Context(), w, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	return records
}

func brief(r bus.Record) string {
	s := fmt.Sprintf("%d %s %s %s", r.Seq, r.Call, r.Kind, r.Status)
	if r.Error != nil {
		s += " " + r.Error.Error()
	}
	if r.Thought != "" {
		s += " thought=" + r.Thought
	}
	for _, a := range r.ActionCode {
		s += fmt.Sprintf(" %s%s%s", a.ToolName, a.Parameter, a.JobDesc)
	}
	if r.Ask != nil {
		s += " ask=" + r.Ask.ID + " " + r.Ask.Question
	}
	if len(r.Observation) > 0 {
		s += " " + string(r.Observation)
	}
	return s
}

// who tells which agent a request to the model is for.
func who(r scripted.Request) string {
	for _, a := range testAgents {
		if strings.Contains(r.Messages[0].Text, "("+a.Name+")") || strings.Contains(r.Messages[0].Text, "（"+a.Name+"）") {
			return a.Name
		}
	}
	return ""
}

// observed is the number of observations a request to the model shows.
func observed(r scripted.Request) int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == "tool" {
			n++
		}
	}
	return n
}

// play is a model in which each agent follows its own steps, by how many observations it has seen.
func play(steps map[string][]scripted.Step) scripted.Step {
	return scripted.React(func(r scripted.Request) scripted.Step {
		mine, n := steps[who(r)], observed(r)
		if n >= len(mine) {
			return scripted.Refuse(400, fmt.Sprintf("no step for %s after %d observations", who(r), n))
		}
		return mine[n]
	})
}

func handOver(agent, desc string) scripted.Call {
	return scripted.Call{Name: agent, Arguments: `{"job_desc":` + string(mustJSON(desc)) + `}`}
}

func mustJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}
