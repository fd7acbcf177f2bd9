package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func TestCheck(t *testing.T) {
	x := index(t, "shop.json")
	id := json.RawMessage(`{"order_id":"316123105676"}`)
	for _, c := range []struct {
		name    string
		actions []bus.Action
		code    string // "" when it may run
		says    string
	}{
		{"right", []bus.Action{{ToolName: "order_detail", Parameter: id}}, "", ""},
		{"reference", []bus.Action{
			{ID: "a", ToolName: "search_order_code", Parameter: json.RawMessage(`{"consumer_name":"王萍萍"}`)},
			{ID: "b", ToolName: "change_order_state", Parameter: json.RawMessage(`{"order_id":"$a.orders.order_id","state":"$a.state"}`)},
		}, "", ""},
		{"reserved", []bus.Action{{ToolName: AskUser, Parameter: json.RawMessage(`{"question":"?"}`)}}, "", ""},
		{"unknown tool", []bus.Action{{ToolName: "cancel_orders"}}, bus.CodeUnknownTool, "cancel_order"},
		{"missing argument", []bus.Action{{ToolName: "order_detail"}}, bus.CodeInvalidParameter, "order_id"},
		{"wrong type", []bus.Action{{ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":7}`)}}, bus.CodeInvalidParameter, "12位"},
		{"unknown argument", []bus.Action{{ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":"1","x":1}`)}}, bus.CodeInvalidParameter, "x"},
		{"not an object", []bus.Action{{ToolName: "order_detail", Parameter: json.RawMessage(`[1]`)}}, bus.CodeInvalidParameter, "object"},
		{"null", []bus.Action{{ToolName: "order_detail", Parameter: json.RawMessage(` null `)}}, bus.CodeInvalidParameter, "order_id"},
		{"not JSON", []bus.Action{{ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":`)}}, bus.CodeInvalidParameter, "not a JSON object"},
		{"two values", []bus.Action{{ToolName: "order_detail", Parameter: json.RawMessage(`{} {}`)}}, bus.CodeInvalidParameter, "not a JSON object"},
		{"same id", []bus.Action{{ID: "a", ToolName: "order_detail", Parameter: id}, {ID: "a", ToolName: "order_detail", Parameter: id}}, bus.CodeInvalidRequest, "already used"},
		{"hostile id", []bus.Action{{ID: "a.*", ToolName: "order_detail", Parameter: id}}, bus.CodeInvalidRequest, "A-Z"},
		{"after nobody", []bus.Action{{ID: "a", After: []string{"z"}, ToolName: "order_detail", Parameter: id}}, bus.CodeInvalidRequest, "ids are: a"},
		{"after itself", []bus.Action{{ID: "a", After: []string{"a"}, ToolName: "order_detail", Parameter: id}}, bus.CodeInvalidRequest, "wait for each other"},
		{"cycle", []bus.Action{
			{ID: "a", ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":"$b.order_id"}`)},
			{ID: "b", After: []string{"a"}, ToolName: "order_detail", Parameter: id},
		}, bus.CodeInvalidRequest, "wait for each other"},
		{"reference to nobody", []bus.Action{{ID: "a", ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":"$z.order_id"}`)}}, bus.CodeInvalidParameter, "$z"},
		{"trust mode", []bus.Action{{ToolName: "order_detail", Parameter: id, TrustMode: 2}}, bus.CodeInvalidRequest, "0 or 1"},
		{"too many", make([]bus.Action, MaxActions+1), bus.CodeInvalidRequest, "at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := x.Check(c.actions)
			if c.code == "" {
				if p != nil {
					t.Fatal(p)
				}
				return
			}
			for _, p := range p {
				if p.Code == c.code && strings.Contains(p.Message, c.says) {
					return
				}
			}
			t.Fatalf("wanted %s with %q, got %v", c.code, c.says, p)
		})
	}
	if p := index(t, "agents.json").Check([]bus.Action{{ToolName: "orders"}}); len(p) != 1 || !strings.Contains(p[0].Message, "job_desc") {
		t.Errorf("an agent without a job: %v", p)
	}
}

// A number that no float64 can hold is refused at once: the validator takes long for it, or breaks down.
func TestCheckNumbers(t *testing.T) {
	x := NewIndex([]bus.Card{{Name: "pay", Kind: "tool", Description: "pays", Parameters: json.RawMessage(
		`{"type":"object","properties":{"sum":{"type":"number","minimum":-1},"list":{"type":"array","items":{"type":"integer"}}}}`)}}, Options{})
	for _, number := range []string{"1e-99999999", "1e99999999", "0.01E-99999999", "1e-999999", "-1e999999", "1e400", "0." + strings.Repeat("0", 400) + "1", strings.Repeat("9", 321)} {
		for _, parameter := range []string{`{"sum":` + number + `}`, `{"list":[1,` + number + `]}`} {
			p := x.Check([]bus.Action{{ToolName: "pay", Parameter: json.RawMessage(parameter)}})
			if len(p) != 1 || !strings.Contains(p[0].Message, "out of range") {
				t.Errorf("%.60s: %v", parameter, p)
			}
		}
	}
	for _, number := range []string{"0", "-0.0", "0e5", "-0.00E-7", "0e99999999", "0e-99999999", "0E99999999999999999999", "0e-99999999999999999999", "0." + strings.Repeat("0", 400), "1e308", "1e-300", "0.1", strings.Repeat("1", 300)} {
		if p := x.Check([]bus.Action{{ToolName: "pay", Parameter: json.RawMessage(`{"sum":` + number + `}`)}}); p != nil {
			t.Errorf("%.60s: %v", number, p)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	x := NewIndex([]bus.Card{{Name: "look", Kind: "tool", Description: "looks up", Parameters: json.RawMessage(
		`{"type":"object","required":["key"],"properties":{"key":{"type":"string"},"n":{"type":"integer","minimum":1}}}`)}}, Options{})
	actions := []bus.Action{{ToolName: "look", Parameter: json.RawMessage(`{"key":"k1","n":3}`)}}
	b.ReportAllocs()
	for b.Loop() {
		if p := x.Check(actions); p != nil {
			b.Fatal(p)
		}
	}
}
