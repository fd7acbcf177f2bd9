package interpreter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
)

func TestMain(m *testing.M) {
	Enter()
	if code := os.Getenv("INTERPRETER_TEST_HOLD"); code != "" { // TestAloneParentKilled
		r := &running{said: said{tell: func(string) {}}}
		fmt.Println(New(Options{}).alone(context.Background(), r, []sandbox.File{{Name: codeFile, Data: []byte(code)}}))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// able skips a test, with the reason, on a machine where Python would not be safe.
func able(t *testing.T) {
	t.Helper()
	if _, err := (&python{}).find(t.Context(), slog.New(slog.DiscardHandler)); errors.Is(err, sandbox.ErrUnsafe) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// room is the tool on a bus of its own, and a session.
type room struct {
	t     *testing.T
	bus   *bus.Bus
	calls int
	last  uint64
	lang  string // of the requests
}

func newRoom(t *testing.T, o Options) *room {
	t.Helper()
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	o.Log = slog.New(slog.DiscardHandler)
	host := tools.NewHost(b, engine, tools.Options{Log: o.Log})
	t.Cleanup(func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := host.Add(New(o).Tool()); err != nil {
		t.Fatal(err)
	}
	return &room{t: t, bus: b}
}

// ask runs code and records the result, as an agent does.
func (r *room) ask(a Arguments, progress func(bus.Response)) bus.Response {
	r.t.Helper()
	answer, err := r.call(r.t.Context(), a, progress)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer
}

func (r *room) call(ctx context.Context, a Arguments, progress func(bus.Response)) (bus.Response, error) {
	r.t.Helper()
	r.calls++
	parameter, err := json.Marshal(a)
	if err != nil {
		r.t.Fatal(err)
	}
	var given map[string]any
	if err := json.Unmarshal(parameter, &given); err != nil {
		r.t.Fatal(err)
	}
	for name, v := range given { // what is not given is left out
		if v == nil || v == "" {
			delete(given, name)
		}
	}
	if parameter, err = json.Marshal(given); err != nil {
		r.t.Fatal(err)
	}
	id := fmt.Sprintf("t1-%d-0", r.calls)
	answer, err := r.bus.Call(ctx, bus.Request{Session: "s1", Task: "t1", Call: id, Caller: "tester", ToolName: "code_interpreter", Parameter: parameter, Language: r.lang}, progress)
	if err == nil {
		r.record(bus.Record{Kind: bus.KindResult, Round: r.calls, Child: id, ToolName: "code_interpreter", Status: answer.Status, Files: answer.Files})
	}
	return answer, err
}

func (r *room) record(rec bus.Record) {
	r.t.Helper()
	rec.Session, rec.Task, rec.Call = "s1", "t1", "t1"
	seq, err := r.bus.Append(r.t.Context(), &rec, r.last)
	if err != nil {
		r.t.Fatal(err)
	}
	r.last = seq
}

// give puts a file into the session.
func (r *room) give(name, text string) bus.File {
	r.t.Helper()
	f, err := r.bus.Files().Put(r.t.Context(), name, "text/plain", "", strings.NewReader(text))
	if err != nil {
		r.t.Fatal(err)
	}
	r.record(bus.Record{Kind: bus.KindFile, File: &f})
	return f
}

func (r *room) read(f bus.File) []byte {
	r.t.Helper()
	in, _, err := r.bus.Files().Get(r.t.Context(), f.Ref)
	if err != nil {
		r.t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		r.t.Fatal(err)
	}
	return text
}

// outcome is what a run that went well brought.
func (r *room) outcome(a Arguments) (Outcome, []bus.File) {
	r.t.Helper()
	answer := r.ask(a, nil)
	var o Outcome
	if answer.Status != bus.OK {
		r.t.Fatalf("%s %v", answer.Status, answer.Error)
	}
	if err := json.Unmarshal(answer.Observation, &o); err != nil {
		r.t.Fatal(err)
	}
	return o, answer.Files
}
