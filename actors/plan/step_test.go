package plan

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// frame is a plan without how far its steps are.
func frame(p *bus.PlanBody) bus.PlanBody {
	out := bus.PlanBody{Title: p.Title}
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, bus.Step{ID: s.ID, Title: s.Title, After: s.After})
	}
	return out
}

// A plan thought out again with results must show the same steps, whatever order the results came in: the log keeps every
// plan that differs.
func TestPlanKeepsItsSteps(t *testing.T) {
	x := index(t, "agents.json")
	for _, request := range []string{
		"我有多少订单是王萍萍买的?",
		"预测下个月空气炸锅的销量，并建议要不要降价",
		"预测空气炸锅的销量，然后根据结果给出定价建议",
		"查一下王萍萍的订单，看看退款规则，再策划一个促销活动",
	} {
		in := ask(request)
		in.Mode = bus.Plan
		out := x.Think(in)
		if out.Plan == nil {
			t.Fatalf("%s: no plan: %s", request, told(out))
		}
		want := frame(out.Plan)
		for n := 1; len(out.Actions) > 0; n++ {
			last := len(out.Actions) - 1 // the others are planned again, as if they had not been dispatched
			in.Done = append(in.Done, Done{Action: out.Actions[last], Call: bus.ChildID("t", n, last), Status: bus.OK, Observation: json.RawMessage(`"好"`)})
			out = x.Think(in)
			if got := frame(out.Plan); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: after %d results\n got %+v\nwant %+v", request, n, got, want)
			}
			if again := x.Think(in); !reflect.DeepEqual(again.Plan, out.Plan) {
				t.Errorf("%s: the same input gave another plan", request)
			}
		}
		for _, s := range out.Plan.Steps {
			if s.Status != bus.StepCompleted {
				t.Errorf("%s: %+v", request, s)
			}
		}
	}
}

// What a provider found makes further steps at the end; those that were there stay, and the one that can be called now says with what.
func TestPlanGrowsAtItsEnd(t *testing.T) {
	x := index(t, "shop.json")
	in := ask("王萍萍的包裹到哪里了，再看看空气炸锅的库存")
	out := x.Think(in)
	before := frame(out.Plan)
	if len(out.Actions) != 2 || len(before.Steps) != 3 {
		t.Fatalf("planned %s, %+v", told(out), before)
	}
	for i, o := range []string{`{"total":2,"orders":[{"order_id":"316123105676"},{"order_id":"316123105677"}]}`, `[{"sku_name":"空气炸锅","left":3}]`} {
		in.Done = append(in.Done, Done{Action: out.Actions[i], Call: bus.ChildID("t", 1, i), Status: bus.OK, Observation: json.RawMessage(o)})
	}
	after := frame(x.Think(in).Plan)
	if title := &after.Steps[1].Title; *title != "查询包裹的物流轨迹：316123105676" || after.Steps[3].Title != "查询包裹的物流轨迹：316123105677" {
		t.Errorf("two calls of one tool are not told apart: %+v", after)
	} else {
		*title = before.Steps[1].Title
	}
	if len(after.Steps) != 4 || !reflect.DeepEqual(after.Steps[:3], before.Steps) || !reflect.DeepEqual(after.Steps[3].After, before.Steps[1].After) && after.Steps[3].After == nil {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
}

// While one of two calls still runs, the other's result must not make it be called a second time.
func TestRunningIsWaitedFor(t *testing.T) {
	x := index(t, "agents.json")
	in := ask("预测下个月空气炸锅的销量，并建议要不要降价")
	first := x.Think(in)
	in.Done = []Done{{Action: first.Actions[0], Call: bus.ChildID("t", 1, 0), Status: bus.OK, Observation: json.RawMessage(`"预计卖出 320 件。"`)}}
	in.Running = first.Actions[1:]
	out := x.Think(in)
	if len(out.Actions) > 0 || out.Ask != nil || out.Answer != "" || !reflect.DeepEqual(frame(out.Plan), frame(first.Plan)) {
		t.Fatalf("must wait, got %s, %+v", told(out), out.Plan)
	}
	holdsAll(t, out.Thought, "pricing")
	if s := out.Plan.Steps; s[0].Status != bus.StepCompleted || s[1].Status != bus.InProgress {
		t.Errorf("steps %+v", s)
	}
	in.Done = append(in.Done, Done{Action: first.Actions[1], Call: bus.ChildID("t", 1, 1), Status: bus.OK, Observation: json.RawMessage(`"建议降到 279 元。"`)})
	in.Running = nil
	holdsAll(t, x.Think(in).Answer, "320", "279")
}
