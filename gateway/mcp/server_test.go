package mcp

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = 30 * time.Second

// agent works on tasks as a test says: it is the log that a client sees.
type agent struct {
	t   *testing.T
	bus *bus.Bus
}

// task is one that an agent works on.
type task struct {
	bus.Submission
	agent *agent
	last  uint64
}

func (k *task) say(r bus.Record) {
	k.agent.t.Helper()
	r.Session, r.Task, r.Call, r.Agent = k.Session, k.Task, k.Task, "master"
	seq, err := k.agent.bus.Append(context.Background(), &r, k.last)
	if err != nil {
		k.agent.t.Error(err)
	}
	k.last = seq
}

// hears waits for the next input of the task.
func (k *task) hears(ctx context.Context) bus.Input {
	for e, err := range k.agent.bus.Follow(ctx, bus.Where{Session: k.Session, Task: k.Task}, k.last) {
		if err != nil {
			break
		}
		if e.Record.Kind == bus.KindInput && e.Record.Seq > k.last {
			return *e.Record.Input
		}
	}
	return bus.Input{}
}

// newServer is a server with one agent, which does as work says until ctx ends.
func newServer(t *testing.T, o Options, work func(ctx context.Context, k *task)) *Server {
	t.Helper()
	server, err := bus.StartServer(bus.ServerOptions{Dir: t.TempDir(), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	b, err := bus.Connect(t.Context(), bus.Options{Server: server})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	t.Cleanup(func() { cancel(); <-ended })
	go func() {
		defer close(ended)
		slots := make(chan struct{}, 1)
		for j, err := range b.Work(ctx, "master", slots) {
			if err != nil {
				return
			}
			k := &task{Submission: j.Submission, agent: &agent{t, b}}
			k.say(bus.Record{Kind: bus.KindRequest, Attempt: 1, Node: b.Node(), Request: &bus.Request{HMAP: bus.Version, Session: k.Session, Task: k.Task, Call: k.Task,
				Caller: "user", ToolName: "master", JobDesc: k.Query}})
			if err := j.Accept(); err != nil {
				t.Error(err)
			}
			work(ctx, k)
			<-slots
		}
	}()
	o.Agents = []Agent{{Name: "master", Description: "does it all"}}
	s, err := New(t.Context(), b, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ends(k *task, status bus.Status, answer string) {
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	r := bus.Record{Kind: bus.KindResponse, Status: status, Observation: text}
	if status == bus.Failed {
		r.Error = &bus.Error{Code: bus.CodeInternal, Message: answer}
	}
	k.say(r)
}

type answers func(mcp.ElicitationParams) mcp.ElicitationResponse

func (a answers) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return &mcp.ElicitationResult{ElicitationResponse: a(r.Params)}, nil
}

// over HTTP, as other programs are.
func connect(t *testing.T, s *Server, header map[string]string, o ...client.ClientOption) (*client.Client, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	return connectTo(t, ctx, cancel, s, header, o...)
}

// connectTo serves until ctx ends, at the latest when the test does.
func connectTo(t *testing.T, ctx context.Context, cancel func(), s *Server, header map[string]string, o ...client.ClientOption) (*client.Client, error) {
	t.Helper()
	at := listens(t, ctx, cancel, s)
	own := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(own.CloseIdleConnections)
	way, err := transport.NewStreamableHTTP("http://"+at+"/mcp", transport.WithHTTPHeaders(header), transport.WithHTTPBasicClient(own))
	if err != nil {
		t.Fatal(err)
	}
	c := client.NewClient(way, o...)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_, err = c.Initialize(t.Context(), mcp.InitializeRequest{})
	return c, err
}

// listens serves until ctx ends, at the latest when the test does, and gives the address.
func listens(t *testing.T, ctx context.Context, cancel func(), s *Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.HTTP(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return l.Addr().String()
}

func call(t *testing.T, ctx context.Context, c *client.Client, arguments map[string]any) (*mcp.CallToolResult, map[string]any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.Arguments = "master", arguments
	r.Params.Meta = &mcp.Meta{ProgressToken: "p1"}
	out, err := c.CallTool(ctx, r)
	if err != nil {
		return nil, map[string]any{"error": err.Error()}
	}
	content, _ := out.StructuredContent.(map[string]any)
	return out, content
}

func TestApprovalOverHTTP(t *testing.T) {
	for _, c := range []struct {
		action mcp.ElicitationResponseAction
		agree  any
		want   bus.InputKind
	}{
		{mcp.ElicitationResponseActionAccept, true, bus.Approve}, {mcp.ElicitationResponseActionAccept, false, bus.Refuse},
		{mcp.ElicitationResponseActionAccept, "yes", bus.Refuse}, {mcp.ElicitationResponseActionDecline, nil, bus.Refuse}, {mcp.ElicitationResponseActionCancel, nil, bus.Refuse},
	} {
		s := newServer(t, Options{}, func(ctx context.Context, k *task) {
			k.say(bus.Record{Kind: bus.KindRound, Round: 1, Thought: "I will cancel the order"})
			k.say(bus.Record{Kind: bus.KindAsk, Round: 1, Child: k.Task + "-1-0", Ask: &bus.Ask{ID: k.Task + "-1-0", Kind: bus.Approval, Question: "May I?", ToolName: "cancel_order", Arguments: json.RawMessage(`{"id":7}`)}})
			in := k.hears(ctx)
			if in.Ask != k.Task+"-1-0" {
				t.Errorf("%+v", in)
			}
			ends(k, bus.OK, string(in.Kind))
		})
		var shown mcp.ElicitationParams
		cl, err := connect(t, s, nil, client.WithElicitationHandler(answers(func(p mcp.ElicitationParams) (out mcp.ElicitationResponse) {
			shown = p
			out.Action = c.action
			if c.agree != nil {
				out.Content = map[string]any{"answer": c.agree}
			}
			return out
		})))
		if err != nil {
			t.Fatal(err)
		}
		if _, content := call(t, t.Context(), cl, map[string]any{"request": "cancel order 7"}); content["answer"] != string(c.want) {
			t.Errorf("%v %v: %v", c.action, c.agree, content)
		}
		if !strings.Contains(shown.Message, "May I?") || !strings.Contains(shown.Message, `{"id":7}`) {
			t.Errorf("%+v", shown)
		}
	}
}

// Of two questions that are open at once both are put to the client's user, the older one first.
func TestTwoQuestionsAtOnce(t *testing.T) {
	s := newServer(t, Options{}, func(ctx context.Context, k *task) {
		k.say(bus.Record{Kind: bus.KindRound, Round: 1, Thought: "I will do both"})
		for _, id := range []string{"one", "two"} {
			k.say(bus.Record{Kind: bus.KindAsk, Round: 1, Child: id, Ask: &bus.Ask{ID: id, Kind: bus.Approval, Question: id + "?"}})
		}
		var heard []string
		for e, err := range k.agent.bus.Follow(ctx, bus.Where{Session: k.Session, Task: k.Task}, k.last) {
			if err != nil {
				return
			}
			if in := e.Record.Input; in != nil {
				if heard = append(heard, string(in.Kind)+" "+in.Ask); in.Kind == bus.Cancel || len(heard) == 2 {
					break
				}
			}
		}
		ends(k, bus.OK, strings.Join(heard, ", "))
	})
	cl, err := connect(t, s, nil, client.WithElicitationHandler(answers(func(p mcp.ElicitationParams) (out mcp.ElicitationResponse) {
		out.Action, out.Content = mcp.ElicitationResponseActionAccept, map[string]any{"answer": strings.HasPrefix(p.Message, "one?")}
		return out
	})))
	if err != nil {
		t.Fatal(err)
	}
	if _, content := call(t, t.Context(), cl, map[string]any{"request": "do both"}); content["answer"] != "approve one, refuse two" {
		t.Error(content)
	}
}

// Who gives the call up cancels the task; a failure is one.
func TestCancelAndFailure(t *testing.T) {
	heard := make(chan bus.Input, 1)
	s := newServer(t, Options{}, func(ctx context.Context, k *task) {
		if k.Query == "fail" {
			ends(k, bus.Failed, "no such order")
			return
		}
		heard <- bus.Input{}
		heard <- k.hears(ctx)
		ends(k, bus.Cancelled, "stopped")
	})
	c, err := connect(t, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out, content := call(t, t.Context(), c, map[string]any{"request": "fail"}); !out.IsError || content["status"] != "error" || !strings.Contains(out.Content[0].(mcp.TextContent).Text, "no such order") {
		t.Errorf("%v", content)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-heard; cancel() }()
	if out, content := call(t, ctx, c, map[string]any{"request": "take long"}); out != nil {
		t.Errorf("%v", content)
	}
	select {
	case in := <-heard:
		if in.Kind != bus.Cancel {
			t.Errorf("%+v", in)
		}
	case <-time.After(patience):
		t.Error("the task was not cancelled")
	}
	if _, content := call(t, t.Context(), c, map[string]any{"request": ""}); content["status"] != nil {
		t.Errorf("an empty request: %v", content)
	}
}

// A server that stops leaves the tasks of its clients alone.
func TestStopIsNoCancel(t *testing.T) {
	begun, heard := make(chan *task, 1), make(chan bus.Input, 1)
	s := newServer(t, Options{}, func(ctx context.Context, k *task) {
		begun <- k
		heard <- k.hears(ctx)
		ends(k, bus.OK, "done")
	})
	ctx, stop := context.WithCancel(t.Context())
	c, err := connectTo(t, ctx, stop, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		_, _ = c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "master", Arguments: map[string]any{"request": "take long"}}})
	}()
	k := <-begun
	stop()
	<-asked // its connection has ended
	if _, err := k.agent.bus.Tell(t.Context(), k.Session, k.Task, bus.Input{Kind: bus.Steer, Text: "go on"}, ""); err != nil {
		t.Fatal(err)
	}
	if in := <-heard; in.Kind != bus.Steer {
		t.Errorf("%+v", in)
	}
}

func TestToken(t *testing.T) {
	s := newServer(t, Options{Token: "secret"}, func(_ context.Context, k *task) { ends(k, bus.OK, "done") })
	for token, ok := range map[string]bool{"": false, "secre": false, "secret": true} {
		c, err := connect(t, s, map[string]string{"Authorization": "Bearer " + token})
		if (err == nil) != ok {
			t.Errorf("%q: %v", token, err)
		}
		if ok {
			if _, content := call(t, t.Context(), c, map[string]any{"request": "do it"}); content["answer"] != "done" {
				t.Errorf("%v", content)
			}
		}
	}
}

// A state that nobody gave out answers nothing.
func TestForgedState(t *testing.T) {
	s := newServer(t, Options{}, func(_ context.Context, k *task) { ends(k, bus.OK, "done") })
	var r mcp.CallToolRequest
	r.Params.Name, r.Params.RequestState = "master", "made-up"
	if out, err := s.handler("master")(t.Context(), r); err != nil || !out.IsError {
		t.Errorf("%v %v", out, err)
	}
	first := &watched{}
	state := s.asked.put(first)
	for range maxAsked + 10 { // questions that were answered take no place
		s.asked.take(s.asked.put(&watched{}))
	}
	if s.asked.take(state) != first {
		t.Error("an open question was forgotten for those that were answered")
	}
	for range maxAsked + 10 {
		s.asked.put(&watched{})
	}
	if n := len(s.asked.tasks); n != maxAsked {
		t.Errorf("%d are kept", n)
	}
}
