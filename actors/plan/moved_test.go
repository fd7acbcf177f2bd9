package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// moves plays the pricing agent in a shop whose prices move between the look and the first change of each product that is named here, and lists
// the calls with the prices that they set.
func moves(t *testing.T, request string, moving map[string][]float64) (calls []string, notes []string, answer string) {
	t.Helper()
	h := newTeam(t)
	prices := map[string]float64{"10000020260001": 200, "10000020260002": 300}
	in := Input{Request: request, Now: time.Date(2026, 5, 16, 10, 0, 0, 0, time.UTC)}
	for range 8 {
		out := h.index["pricing"].Think(in)
		if out.Answer != "" || out.Ask != nil {
			return calls, notes, out.Answer
		}
		for i, a := range out.Actions {
			d := Done{Action: a, Call: bus.ChildID("t", len(in.Done)+1, i), Status: bus.OK}
			args, _ := argumentMap(a)
			id, _ := args["sku_id"].(string)
			switch {
			case a.ToolName == "find_products":
				calls = append(calls, "look")
				var rows []string
				for _, sku := range []string{"10000020260001", "10000020260002"} {
					rows = append(rows, fmt.Sprintf(`{"sku_name":"空气炸锅 %s","category":"空气炸锅","price":%v,"cost":1,"stock":71,"sku_id":%q}`, sku[13:], prices[sku], sku))
				}
				d.Observation = json.RawMessage(`{"summary":"有 2 种商品。","count":2,"products":[` + strings.Join(rows, ",") + `]}`)
			case len(moving[id]) > 0:
				prices[id], moving[id] = moving[id][0], moving[id][1:]
				calls = append(calls, "moved")
				d.Status, d.Error = bus.Failed, &bus.Error{Code: bus.CodeChanged, Message: "没有改动：价格变了"}
			default:
				var price float64
				fmt.Sscan(fmt.Sprint(args["price"]), &price)
				prices[id] = price
				notes = append(notes, a.Note)
				calls = append(calls, fmt.Sprintf("%s=%v", id[13:], price))
				d.Observation = json.RawMessage(fmt.Sprintf(`{"summary":"已改为 %v 元。"}`, price))
			}
			in.Done = append(in.Done, d)
		}
	}
	t.Fatalf("%s: no end: %v", request, calls)
	return nil, nil, ""
}

// Where another change was made already, nothing is begun anew: what was raised would be raised once more.
func TestNothingElseIsMadeAgain(t *testing.T) {
	h := newTeam(t)
	in := Input{Request: "把空气炸锅的价格提高10%，再把库存减少5件", Now: time.Date(2026, 5, 16, 10, 0, 0, 0, time.UTC)}
	var made []string
	for range 8 {
		out := h.index["pricing"].Think(in)
		if out.Answer != "" {
			if got := strings.Join(made, " "); got != "set_price set_stock" || !strings.Contains(out.Answer, "没有改动") {
				t.Errorf("%s: %s", got, out.Answer)
			}
			return
		}
		for i, a := range out.Actions {
			d := Done{Action: a, Call: bus.ChildID("t", len(in.Done)+1, i), Status: bus.OK, Observation: json.RawMessage(`{"summary":"已改。"}`)}
			switch a.ToolName {
			case "find_products":
				d.Observation = json.RawMessage(`{"summary":"有 1 种商品。","count":1,"products":[{"sku_name":"空气炸锅 X1","category":"空气炸锅","price":200,"cost":1,"stock":71,"sku_id":"10000020260001"}]}`)
			case "set_stock":
				d.Status, d.Observation, d.Error = bus.Failed, nil, &bus.Error{Code: bus.CodeChanged, Message: "没有改动：库存变了"}
				fallthrough
			default:
				made = append(made, a.ToolName)
			}
			in.Done = append(in.Done, d)
		}
	}
	t.Errorf("no end: %v", made)
}

// What has moved between the look and the yes is looked up, worked out and asked for anew, and nothing is raised twice for that.
func TestWhatHasMovedIsAskedAnew(t *testing.T) {
	for _, c := range []struct {
		request string
		moving  map[string][]float64
		want    string
		told    string // in the answer
	}{
		{"所有空气炸锅涨价10%", nil, "look 1=220 2=330", ""},
		{"所有空气炸锅涨价10%", map[string][]float64{"10000020260001": {100}, "10000020260002": {200}}, "look moved moved look 1=110 2=220", ""},
		{"所有空气炸锅涨价10%", map[string][]float64{"10000020260001": {100}}, "look moved 2=330", "价格变了"}, // 330 is not raised again
		{"所有空气炸锅涨价10%", map[string][]float64{"10000020260001": {100, 90}, "10000020260002": {200, 190}}, "look moved moved look moved moved", "价格变了"},
	} {
		calls, notes, answer := moves(t, c.request, c.moving)
		if got := strings.Join(calls, " "); got != c.want || !strings.Contains(answer, c.told) {
			t.Errorf("%s: %s, want %s; %s", c.request, got, c.want, answer)
		}
		if again := strings.Count(c.want, "look") > 1; len(notes) > 0 && again != strings.Contains(notes[0], "再确认一次") {
			t.Errorf("%s: the ask says %q", c.request, notes)
		}
	}
}
