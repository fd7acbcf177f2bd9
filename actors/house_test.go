package actors

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/schema"
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

// Write takes a line of a log.
func (l *ledger) Write(line []byte) (int, error) {
	l.add(string(line))
	return len(line), nil
}

func (l *ledger) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.done...)
}

func (l *ledger) wait(t testing.TB, what string) {
	t.Helper()
	eventually(t, what+" is in the ledger", func() bool { return slices.Contains(l.all(), what) })
}

// longest is how long anything may take that a test waits for, on a busy machine.
const longest = 40 * time.Second

// eventually waits until something is so that tells nobody when it becomes so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(longest); !so(); <-look.C {
		if time.Now().After(end) {
			t.Fatal("still not so: " + what)
		}
	}
}

// gate holds up those who come to it until it is open.
type gate struct {
	once sync.Once
	ch   chan struct{}
}

func newGate() *gate  { return &gate{ch: make(chan struct{})} }
func (g *gate) wait() { <-g.ch }
func (g *gate) open() { g.once.Do(func() { close(g.ch) }) }

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

var testLimits = configs.Limits{Tasks: 16, Calls: 16, Queue: 1000, Lease: time.Second, AskTTL: time.Hour, Observe: 2000, History: 200}

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
		m, err := model.New(model.Options{BaseURL: o.model.URL, Model: "scripted", Strategy: o.strategy, Timeout: o.timeout, Idle: o.timeout, Retries: 3, Backoff: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		to.Models = map[string]*model.Client{"default": m}
		if o.small != nil {
			if to.Models["small"], err = model.New(model.Options{BaseURL: o.small.URL, Model: "small", Timeout: o.timeout, Retries: -1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if o.embed != "" {
		if to.Embedding, err = model.New(model.Options{BaseURL: o.embed, Model: "embed", Timeout: 10 * time.Second, Retries: -1}); err != nil {
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
	ctx, cancel := context.WithTimeout(h.t.Context(), longest)
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
	eventually(h.t, "nothing runs", func() bool { return h.team.Running() == 0 })
}

// closed waits until the index of open tasks no longer has the task.
func (h *house) closed(w bus.Where) {
	h.t.Helper()
	eventually(h.t, "the task is not open any more", func() bool {
		_, found, err := h.bus.OpenTask(h.t.Context(), w.Session, w.Task)
		if err != nil {
			h.t.Fatal(err)
		}
		return !found
	})
}

// kill ends the node's connection, so that all it says is lost and its lease lapses: that is what the others see of a killed process.
func (h *house) kill() { h.bus.Conn().Close() }

// claims is how often each call of a task was taken up from its log, by call.
func (h *house) claims(w bus.Where) map[string]int {
	h.t.Helper()
	n := map[string]int{}
	for _, r := range h.records(w) {
		if r.Kind == bus.KindClaim {
			n[r.Call]++
		}
	}
	return n
}

// log is what the log of a task has, for a person.
func (h *house) log(w bus.Where) string {
	h.t.Helper()
	var lines []string
	for _, r := range h.records(w) {
		lines = append(lines, r.Node+" "+brief(r))
	}
	return strings.Join(lines, "\n")
}

// clerkCall is a call of the clerk as the Master would make it.
func clerkCall() bus.Request {
	return bus.Request{HMAP: bus.Version, Session: "s", Task: "t", Call: "t-1-0", ToolName: "clerk", Caller: "master", Parent: "t", Path: []string{"master"}, JobDesc: "hold"}
}

// asks makes a call beside. under is closed when somebody has it, and answer gets the response.
func (h *house) asks(req bus.Request) (under <-chan struct{}, answer <-chan bus.Response) {
	taken, got := make(chan struct{}), make(chan bus.Response, 1)
	var once sync.Once
	go func() {
		ctx, cancel := context.WithTimeout(h.t.Context(), longest)
		defer cancel()
		r, err := h.bus.Call(ctx, req, func(bus.Response) { once.Do(func() { close(taken) }) })
		if err != nil {
			h.t.Error(err)
		}
		got <- r
	}()
	return taken, got
}

// followed waits until somebody has read the whole log of a call and waits for more of it.
func (h *house) followed(req bus.Request) {
	h.t.Helper()
	js, err := jetstream.New(h.bus.Conn())
	if err != nil {
		h.t.Fatal(err)
	}
	stream, err := js.Stream(h.t.Context(), bus.LogStream)
	if err != nil {
		h.t.Fatal(err)
	}
	subject := bus.LogSubject("main", req.Session, req.Task, req.Call)
	eventually(h.t, "somebody follows the call", func() bool {
		found := false
		for info := range stream.ListConsumers(h.t.Context()).Info() {
			reads := info.Config.FilterSubject == subject || slices.Contains(info.Config.FilterSubjects, subject)
			found = found || reads && info.NumPending == 0 && info.NumWaiting > 0
		}
		return found
	})
}

// busy is how many slots of an agent are held on this node.
func (h *house) busy(agent string) int { return len(h.team.desks[agent].slots) }

// newServer is one that the test's nodes share.
func newServer(t *testing.T) *bus.Server {
	t.Helper()
	s, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
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

// records is the log of a part of it. What agents write holds the specification's schema to the letter.
func (h *house) records(w bus.Where) []bus.Record {
	h.t.Helper()
	records, err := h.bus.Read(h.t.Context(), w, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, r := range records {
		if r.Kind == bus.KindInput && r.Node == "" {
			continue // its body on the input subject is another one
		}
		if err := schema.Strict("record", mustJSON(r)); err != nil {
			h.t.Errorf("%s: %v", brief(r), err)
		}
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
