package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

func TestCall(t *testing.T) {
	w := newWorld(t, Options{})
	type order struct {
		ID    string `json:"id"`
		Count int    `json:"count"`
	}
	tool := New(bus.Card{
		Name: "order", Description: "an order", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"count":{"type":"integer"}},"required":["id"]}`),
		Returns:    json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"count":{"type":"integer"}},"required":["id"]}`),
	}, func(_ context.Context, call *Call, asked order) (order, error) {
		call.Attach(bus.File{Ref: "obj:x", Name: "x"})
		return asked, nil
	})
	if err := w.Add(tool); err != nil {
		t.Fatal(err)
	}
	answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "order", Parameter: json.RawMessage(`{"id":["王"],"count":"5"}`)})
	if want := `{"id":"王","count":5}`; answer.Status != bus.OK || string(answer.Observation) != want {
		t.Errorf("got %s %s %v, want %s", answer.Status, answer.Observation, answer.Error, want)
	}
	if len(answer.Files) != 1 || answer.Files[0].Ref != "obj:x" {
		t.Errorf("files %+v", answer.Files)
	}

	answer = w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "order", Parameter: json.RawMessage(`{"count":"many"}`)})
	wantCode(t, answer, bus.Failed, bus.CodeInvalidParameter)
	for _, want := range []string{"order", "id: missing", `count: given "many", wanted integer`} {
		if !strings.Contains(answer.Error.Message, want) {
			t.Errorf("%q does not say %q", answer.Error.Message, want)
		}
	}
}

func TestFailuresAreFacts(t *testing.T) {
	w := newWorld(t, Options{})
	card := func(name string) bus.Card { return bus.Card{Name: name, Effect: bus.Read} }
	w.add(card("panics"), func(context.Context, *Call) (any, error) { panic("ouch") })
	w.add(card("breaks"), func(context.Context, *Call) (any, error) { return "half", errors.New("disk on fire") })
	w.add(card("refuses"), func(context.Context, *Call) (any, error) {
		return nil, fmt.Errorf("order: %w", &bus.Error{Code: bus.CodeForbidden, Message: "shipped already", Retryable: true})
	})
	w.add(card("babbles"), func(context.Context, *Call) (any, error) { return make(chan int), nil })
	w.add(card("marshals"), func(context.Context, *Call) (any, error) { return explosive{}, nil })
	lies := card("lies")
	lies.Returns = json.RawMessage(`{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"]}`)
	w.add(lies, func(context.Context, *Call) (any, error) { return map[string]any{"total": "three"}, nil })

	for name, want := range map[string]struct{ code, text string }{
		"panics":   {bus.CodeInternal, "ouch"},
		"breaks":   {bus.CodeInternal, "disk on fire"},
		"refuses":  {bus.CodeForbidden, "shipped already"},
		"babbles":  {bus.CodeInternal, "not JSON"},
		"marshals": {bus.CodeInternal, "boom"},
		"lies":     {bus.CodeInternal, `total: given "three", wanted integer`},
	} {
		for i := range 5 { // more often than an actor may restart
			answer := w.ask(t.Context(), bus.Request{Call: fmt.Sprintf("c%d", i), ToolName: name})
			wantCode(t, answer, bus.Failed, want.code)
			if !strings.Contains(answer.Error.Message, want.text) {
				t.Errorf("%s: %q does not say %q", name, answer.Error.Message, want.text)
			}
			if name == "refuses" && !answer.Error.Retryable {
				t.Error("retryable got lost")
			}
		}
	}
}

type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("boom") }

func TestFlood(t *testing.T) {
	w := newWorld(t, Options{})
	type row struct {
		ID   int    `json:"id"`
		Name string `json:"name"`
	}
	var rows []row
	for i := range 60_000 {
		rows = append(rows, row{i, "王萍萍的订单"})
	}
	w.add(bus.Card{Name: "rows", Effect: bus.Read}, func(context.Context, *Call) (any, error) {
		return map[string]any{"total": len(rows), "rows": rows}, nil
	})
	w.add(bus.Card{Name: "text", Effect: bus.Read}, func(context.Context, *Call) (any, error) { return strings.Repeat("规则", 400_000), nil })

	answer := w.ask(t.Context(), bus.Request{Call: "c1", ToolName: "rows"})
	if answer.Status != bus.OK || len(answer.Observation) > 32<<10 || len(answer.Observation) < 30<<10 {
		t.Fatalf("%s, %d bytes, %v", answer.Status, len(answer.Observation), answer.Error)
	}
	var short struct {
		Total int   `json:"total"`
		Rows  []any `json:"rows"`
	}
	if err := json.Unmarshal(answer.Observation, &short); err != nil || short.Total != len(rows) {
		t.Fatalf("total %d, %v", short.Total, err)
	}
	last, _ := short.Rows[len(short.Rows)-1].(string)
	if want := fmt.Sprintf("… [%d of 60000 items shown]", len(short.Rows)-1); last != want {
		t.Errorf("the list ends with %q, want %q", last, want)
	}
	var whole struct {
		Rows []row `json:"rows"`
	}
	if err := json.Unmarshal(w.content(answer), &whole); err != nil || len(whole.Rows) != len(rows) {
		t.Errorf("the kept file has %d rows, %v", len(whole.Rows), err)
	}

	answer = w.ask(t.Context(), bus.Request{Call: "c2", ToolName: "text"})
	if answer.Status != bus.OK || len(answer.Observation) > 32<<10 || !strings.Contains(string(answer.Observation), "[cut, 2400000 bytes in all]") {
		t.Errorf("%s, %d bytes", answer.Status, len(answer.Observation))
	}
	if got := string(w.content(answer)); got != strings.Repeat("规则", 400_000) {
		t.Errorf("the kept text has %d bytes", len(got))
	}
}

// A full result that cannot be kept costs no more than itself: there is no file of it, not one without a name.
func TestFloodThatIsNotKept(t *testing.T) {
	w := newWorld(t, Options{})
	js, err := jetstream.New(w.bus.Conn())
	if err != nil {
		t.Fatal(err)
	}
	w.add(bus.Card{Name: "flood"}, func(ctx context.Context, _ *Call) (any, error) {
		return strings.Repeat("x", 100_000), js.DeleteObjectStore(ctx, bus.FilesStore)
	})
	answer := w.ask(t.Context(), bus.Request{ToolName: "flood", Call: "c1"})
	if answer.Status != bus.OK || len(answer.Files) > 0 || !strings.Contains(string(answer.Observation), "100000 bytes in all") {
		t.Errorf("%s %.100s %+v", answer.Status, answer.Observation, answer.Files)
	}
}

// A flood of progress costs the caller some lines, not ten thousand, and the newest is told: at once when the tool goes on in silence, and
// before the answer in any case.
func TestProgress(t *testing.T) {
	w := newWorld(t, Options{})
	heard, told := make(chan string, 100), make(chan struct{})
	const most = 10_000
	w.add(bus.Card{Name: "talks", Effect: bus.Read}, func(ctx context.Context, call *Call) (any, error) {
		for i := range most {
			call.Progress(fmt.Sprint(i))
		}
		select {
		case <-told:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		call.Progress("and")
		call.Progress("done")
		return nil, nil
	})
	last := ""
	answer, err := w.bus.Call(t.Context(), bus.Request{Session: "s1", Task: "t1", Call: "c1", ToolName: "talks"}, func(r bus.Response) {
		if r.Progress == "" {
			return
		}
		heard <- r.Progress
		if last = r.Progress; last == fmt.Sprint(most-1) {
			close(told)
		}
	})
	if err != nil || answer.Status != bus.OK || last != "done" {
		t.Errorf("%s %v, last heard %q", answer.Status, err, last)
	}
	if n := len(heard); n > 40 {
		t.Errorf("%d lines got through", n)
	}
}

func TestAddRefuses(t *testing.T) {
	w := newWorld(t, Options{})
	run := func(context.Context, *Call) (any, error) { return nil, nil }
	good := bus.Card{Name: "good", Description: "d"}
	w.add(good, run)
	for name, c := range map[string]struct {
		change func(*Tool)
		want   string
	}{
		"taken":          {func(t *Tool) { t.Card.Name = "good" }, "already here"},
		"bad name":       {func(t *Tool) { t.Card.Name = "a.*" }, "A-Z"},
		"reserved":       {func(t *Tool) { t.Card.Name = "ask_user" }, "reserved"},
		"agent":          {func(t *Tool) { t.Card.Kind = "agent" }, "kind"},
		"no description": {func(t *Tool) { t.Card.Description = "" }, "description"},
		"no function":    {func(t *Tool) { t.Run = nil }, "Run"},
		"bad schema":     {func(t *Tool) { t.Card.Parameters = json.RawMessage(`{"type":"objekt"}`) }, "parameters"},
		"not an object":  {func(t *Tool) { t.Card.Parameters = json.RawMessage(`{"type":"string"}`) }, "parameters"},
		"bad returns":    {func(t *Tool) { t.Card.Returns = json.RawMessage(`{`) }, "returns"},
		"bad effect":     {func(t *Tool) { t.Card.Effect = "safe" }, "effect"},
		"bad approval":   {func(t *Tool) { t.Card.Approval = "sometimes" }, "approval"},
		"bad timeout":    {func(t *Tool) { t.Card.Timeout = -1 }, "timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			tool := Tool{Card: good, Run: run}
			tool.Card.Name = "other"
			c.change(&tool)
			if err := w.Add(tool); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
}
