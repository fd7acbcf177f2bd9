package planning

import (
	"context"
	"encoding/json"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/anthdm/hollywood/actor"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSteps(t *testing.T) {
	for text, want := range map[string][2]string{
		"执行顺序1. 查订单：按买家姓名查出全部订单": {"查订单", "按买家姓名查出全部订单"},
		"执行顺序12.汇总":                    {"汇总", ""},
		"2. Look up: all orders":       {"Look up", "all orders"},
		"Step 3: write: a report":      {"write", "a report"},
		"第2步 核对":                       {"核对", ""},
		"just do it":                   {"just do it", ""},
		"at 10:30 ring":                {"at 10:30 ring", ""},
		"2026 is the year":             {"2026 is the year", ""},
		"：nothing before it":           {"：nothing before it", ""},
		"  two\n lines ":               {"two lines", ""},
		strings.Repeat("长", 50) + "：x": {strings.Repeat("长", 50) + "：x", ""},
		strings.Repeat("x", 600):       {strings.Repeat("x", maxText) + "…", ""},
	} {
		if s := steps([]string{text}, nil)[0]; s.Title != want[0] || s.Description != want[1] || s.Status != bus.NotStarted || s.ID != "1" {
			t.Errorf("%.60q is %+v, want %q", text, s, want)
		}
	}
}

func TestApply(t *testing.T) {
	p, wrong := apply(nil, Command{Command: "create", Title: "回访", Steps: []string{"执行顺序1. 查客户：近三个月", "执行顺序2. 写消息", "执行顺序3. 发送"}})
	if wrong != nil {
		t.Fatal(wrong)
	}
	mark := func(i int, status bus.StepStatus, note string) {
		t.Helper()
		old, _ := json.Marshal(p)
		next, wrong := apply(p, Command{Command: "mark_step", StepIndex: i, StepStatus: status, StepNotes: note})
		if wrong != nil {
			t.Fatal(wrong)
		}
		if now, _ := json.Marshal(p); string(now) != string(old) {
			t.Errorf("the plan before has changed")
		}
		p = next
	}
	mark(1, bus.StepCompleted, "12 人")
	mark(2, bus.InProgress, "")
	if got := p.told("zh"); got != "完成 1/3 步，下一步：2 写消息。" {
		t.Error(got)
	}
	p, wrong = apply(p, Command{Command: "update", Steps: []string{"查客户：近三个月", "写消息", "请店长审", "发送"}})
	if wrong != nil {
		t.Fatal(wrong)
	}
	want := []Step{{"1", "查客户", "近三个月", bus.StepCompleted, "12 人"}, {"2", "写消息", "", bus.InProgress, ""}, {"3", "请店长审", "", bus.NotStarted, ""}, {"4", "发送", "", bus.NotStarted, ""}}
	if !reflect.DeepEqual(p.Steps, want) {
		t.Errorf("%+v\nwant %+v", p.Steps, want)
	}
	p, wrong = apply(p, Command{Command: "finish"})
	if wrong != nil || !p.Finished || p.Steps[1].Status != bus.InProgress || p.told("en") != "The plan is over, with 1 of 4 steps completed." {
		t.Errorf("%+v %v", p, wrong) // what was not done is not said to be done
	}
	if q, wrong := apply(p, Command{Command: "create", Title: "another", Steps: []string{"a"}}); wrong != nil || len(q.Steps) != 1 || q.Finished {
		t.Errorf("%+v %v", q, wrong)
	}
}

func TestApplyRefuses(t *testing.T) {
	open := &Plan{Title: "p", Steps: steps([]string{"a", "b"}, nil)}
	over := &Plan{Title: "p", Steps: open.Steps, Finished: true}
	for name, c := range map[string]struct {
		before *Plan
		c      Command
		want   string
	}{
		"no title":          {nil, Command{Command: "create", Steps: []string{"a"}}, "title"},
		"no steps":          {nil, Command{Command: "create", Title: "p"}, "steps"},
		"an empty step":     {nil, Command{Command: "create", Title: "p", Steps: []string{"a", " "}}, "step 2 says nothing"},
		"only a number":     {nil, Command{Command: "create", Title: "p", Steps: []string{"1. "}}, "step 1 says nothing"},
		"too many":          {nil, Command{Command: "create", Title: "p", Steps: make([]string, maxSteps+1)}, "at most"},
		"twice":             {open, Command{Command: "create", Title: "q", Steps: []string{"a"}}, "a plan already"},
		"none to mark":      {nil, Command{Command: "mark_step", StepIndex: 1, StepStatus: bus.InProgress}, "no plan"},
		"over":              {over, Command{Command: "update", Title: "q"}, "no plan"},
		"no such step":      {open, Command{Command: "mark_step", StepIndex: 3, StepStatus: bus.InProgress}, "1 to 2"},
		"step 0":            {open, Command{Command: "mark_step", StepStatus: bus.InProgress}, "1 to 2"},
		"nothing to mark":   {open, Command{Command: "mark_step", StepIndex: 1}, "step_status"},
		"nothing to change": {open, Command{Command: "update"}, "update needs"},
	} {
		if p, wrong := apply(c.before, c.c); wrong == nil || !strings.Contains(wrong.Message, c.want) || wrong.Code != bus.CodeInvalidParameter {
			t.Errorf("%s: %+v %v", name, p, wrong)
		}
	}
}

// The plan is in the log and nowhere else: another instance of the tool goes on with it, calls side by side have plans of their own, and a
// call that is repeated comes to the same.
func TestPlanInTheLog(t *testing.T) {
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	// call is what an agent does: it asks, and writes down what came.
	call := func(agent, child, parameter string) Stands {
		t.Helper()
		host := tools.NewHost(b, engine, tools.Options{Log: slog.New(slog.DiscardHandler)}) // anew each time: it remembers nothing
		defer func() {
			if err := host.Stop(); err != nil {
				t.Error(err)
			}
		}()
		if err := host.Add(Tool(b)); err != nil {
			t.Fatal(err)
		}
		r := bus.Request{Session: "s1", Task: "t1", Call: child, Parent: agent, Caller: "clerk", ToolName: Name, Parameter: json.RawMessage(parameter), Language: "en"}
		resp, err := b.Call(t.Context(), r, nil)
		if err != nil || resp.Status != bus.OK {
			t.Fatalf("%s: %+v %v", parameter, resp, err)
		}
		var s Stands
		if err := json.Unmarshal(resp.Observation, &s); err != nil {
			t.Fatal(err)
		}
		write(t, b, agent, &bus.Record{Kind: bus.KindResult, Round: 1, Child: child, ToolName: Name, Status: bus.OK, Observation: resp.Observation, Usage: &bus.Usage{}})
		return s
	}
	for _, agent := range []string{"t1-1-0", "t1-1-1"} {
		write(t, b, agent, &bus.Record{Kind: bus.KindRequest, Attempt: 1, Request: &bus.Request{HMAP: bus.Version, Session: "s1", Task: "t1", Call: agent, Caller: "master", ToolName: "clerk", JobDesc: "d"}})
	}
	first := call("t1-1-0", "t1-1-0-1-0", `{"command":"create","title":"one","steps":["a","b"]}`)
	if again := call("t1-1-0", "t1-1-0-1-0", `{"command":"create","title":"one","steps":["a","b"]}`); !reflect.DeepEqual(again, first) {
		t.Errorf("repeated it is %+v, not %+v", again, first) // its own result is no plan before it
	}
	call("t1-1-1", "t1-1-1-1-0", `{"command":"create","title":"two","steps":["c"]}`)
	s := call("t1-1-0", "t1-1-0-2-0", `{"command":"mark_step","step_index":1,"step_status":"completed"}`)
	if s.Plan.Title != "one" || s.Plan.Steps[0].Status != bus.StepCompleted || s.Say != "1 of 2 steps completed; next: 2 b." {
		t.Errorf("%+v", s)
	}
	if s = call("t1-1-1", "t1-1-1-2-0", `{"command":"finish"}`); s.Plan.Title != "two" || !s.Plan.Finished {
		t.Errorf("%+v", s)
	}
}

// write appends a record to a call of the session.
func write(t *testing.T, b *bus.Bus, call string, r *bus.Record) {
	t.Helper()
	r.Session, r.Task, r.Call, r.Parent, r.Agent = "s1", "t1", call, "t1", "clerk"
	records, err := b.Read(t.Context(), bus.Where{Session: "s1", Task: "t1", Call: call}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var last uint64
	if n := len(records); n > 0 {
		last = records[n-1].Seq
	}
	if _, err := b.Append(context.Background(), r, last); err != nil {
		t.Fatal(err)
	}
}

func FuzzSteps(f *testing.F) {
	f.Add("执行顺序1. 标题：描述", "2) a: b")
	f.Fuzz(func(t *testing.T, one, two string) {
		p, wrong := apply(nil, Command{Command: "create", Title: "t", Steps: []string{one, two}})
		if wrong != nil {
			return
		}
		again, wrong := apply(p, Command{Command: "update", Title: "u"})
		if wrong != nil || !reflect.DeepEqual(again.Steps, p.Steps) {
			t.Fatalf("%+v %v", again, wrong)
		}
		for _, s := range p.Steps {
			if s.Title == "" || strings.ContainsAny(s.Title+s.Description, "\n\r") {
				t.Fatalf("%+v", s)
			}
		}
	})
}
