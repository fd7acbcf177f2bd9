package saved

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shopCards are tools as the shop has them, with the agent above them.
var shopCards = []bus.Card{
	{Name: "orders", Kind: "agent", Description: "orders"},
	{Name: "search", Kind: "tool", Description: "Finds orders, by name", Effect: bus.Read, Parameters: json.RawMessage(`{"type":"object","properties":{
		"name":{"type":"string","title":"客户姓名","x-needs":"person","maxLength":200},"state":{"type":"string","enum":["paid","unpaid"]},
		"begin":{"type":"string","format":"date"},"end":{"type":"string","format":"date"},"limit":{"type":"integer","default":10},"ids":{"type":"array","items":{"type":"string"}}}}`),
		Returns: json.RawMessage(`{"type":"object"}`)},
	{Name: "send", Kind: "tool", Effect: bus.Unsafe, Approval: "ask", Parameters: json.RawMessage(`{"type":"object","required":["order_id","text"],"properties":{"order_id":{"type":"string"},"text":{"type":"string"}}}`),
		Returns: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)},
	{Name: interpreter, Kind: "tool", Effect: bus.Read, Parameters: json.RawMessage(`{"type":"object","properties":{"code":{"type":"string"},"arguments":{"type":"object"}}}`)},
}

// log is the log of a session with a task for each story, and then one that asks for the saving.
type log struct {
	records []bus.Record
	seq     uint64
}

func (l *log) add(r bus.Record) {
	l.seq++
	r.Session, r.Seq, r.Time = "s", l.seq, time.Unix(int64(l.seq), 0)
	l.records = append(l.records, r)
}

// task is one whose clerk made calls: tool, parameter and observation of each.
func (l *log) task(id, request string, status bus.Status, calls ...[3]string) *log {
	l.add(bus.Record{Kind: bus.KindRequest, Task: id, Call: id, Agent: "master", Request: &bus.Request{JobDesc: request}})
	l.add(bus.Record{Kind: bus.KindRequest, Task: id, Call: id + "-1-0", Parent: id, Agent: "orders", Request: &bus.Request{JobDesc: request}})
	for _, c := range calls {
		l.add(bus.Record{Kind: bus.KindResult, Task: id, Call: id + "-1-0", Parent: id, Agent: "orders", Child: id + "-1-0-" + c[0], ToolName: c[0],
			Parameter: json.RawMessage(c[1]), Status: bus.OK, Observation: json.RawMessage(c[2])})
	}
	l.add(bus.Record{Kind: bus.KindResult, Task: id, Call: id, Agent: "master", Child: id + "-1-0", ToolName: "orders", JobDesc: request, Status: bus.OK})
	l.add(bus.Record{Kind: bus.KindResponse, Task: id, Call: id, Agent: "master", Status: status})
	return l
}

func made(t *testing.T, l *log, w Wish) bus.SavedTool {
	t.Helper()
	l.task("t9", "把刚才的步骤存成工具", bus.OK)
	tool, err := Make(l.records, "t9", shopCards, w)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func same(t *testing.T, what string, got json.RawMessage, want string) {
	t.Helper()
	if !equal(got, json.RawMessage(want)) {
		t.Errorf("%s:\n%s\nwant\n%s", what, got, want)
	}
}

// What was said becomes a parameter, what a step brought a reference, what is counted from the day a parameter too; the rest stays.
func TestMakeOfSteps(t *testing.T) {
	l := (&log{}).task("t1", "hello", bus.OK).
		task("t2", "查一下王萍萍上个月没付款的订单，给第一个发消息：“亲, $5 off”", bus.OK,
			[3]string{"search", `{"name":"王萍萍","state":"unpaid","begin":"2026-10-01","end":"2026-10-31","limit":7}`, `{"orders":[{"order_id":"281063663568","sum":12},{"order_id":"281063663569"}]}`},
			[3]string{"send", `{"order_id":"281063663568","text":"亲, $5 off"}`, `{"ok":true}`}).
		task("t3", "失败的", bus.Failed, [3]string{"search", `{"name":"x"}`, `{}`})
	tool := made(t, l, Wish{})
	if tool.Name != "my_send" || tool.Agent != "orders" || tool.Effect != bus.Unsafe || tool.From != "t2" || len(tool.Steps) != 2 {
		t.Fatalf("%+v", tool)
	}
	same(t, "step 1", tool.Steps[0].Parameter, `{"begin":"$args.begin","end":"$args.end","limit":7,"name":"$args.name","state":"unpaid"}`)
	same(t, "step 2", tool.Steps[1].Parameter, `{"order_id":"$s1.orders.0.order_id","text":"$args.text"}`)
	if after := tool.Steps[1].After; len(after) != 1 || after[0] != "s1" {
		t.Errorf("what changes something comes after %v", after)
	}
	same(t, "parameters", tool.Parameters, `{"type":"object","additionalProperties":false,"required":["name","text"],"properties":{
		"name":{"type":"string","title":"客户姓名","x-needs":"person","maxLength":200,"examples":["王萍萍"]},"text":{"type":"string","examples":["亲, $5 off"]},
		"begin":{"type":"string","format":"date","examples":["2026-10-01"]},"end":{"type":"string","format":"date","examples":["2026-10-31"]}}}`)
	same(t, "test", tool.Test.Parameter, `{"begin":"2026-10-01","end":"2026-10-31","name":"王萍萍","text":"亲, $5 off"}`)
	same(t, "shape", tool.Test.Shape, `{"ok":"boolean"}`)
	if tool.Test.Value != nil {
		t.Errorf("the value of what looks into a shop must not count: %s", tool.Test.Value)
	}
	if !strings.HasPrefix(tool.Description, "查一下「客户姓名」上个月没付款的订单") || strings.Contains(tool.Description, "王萍萍") || !strings.Contains(tool.Description, "保存的步骤：search、send。") {
		t.Errorf("described as %s", tool.Description)
	}
	if got := Purpose(tool); strings.Contains(got, "保存的步骤") || !strings.HasPrefix(tool.Description, got) {
		t.Errorf("it is for %s", got)
	}
	again, err := tool.Bind(tool.Test.Parameter)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the first call again", again[0].Parameter, `{"name":"王萍萍","state":"unpaid","begin":"2026-10-01","end":"2026-10-31","limit":7}`)
}

// A tool is described in the language of the request that it was made of, whatever names that has; code that was only run is described by what it is.
func TestDescribed(t *testing.T) {
	for request, c := range map[string]struct{ tool, parameter, want string }{
		"find the unpaid orders of 王萍萍":                                                {"search", `{"name":"王萍萍","state":"unpaid"}`, "find the unpaid orders of <name>. Saved steps: search."},
		"查一下王萍萍的 unpaid 订单":                                                            {"search", `{"name":"王萍萍","state":"unpaid"}`, "查一下「客户姓名」的 unpaid 订单。 保存的步骤：search。"},
		"运行这段代码：`n = 10\nprint(n*2)`":                                                  {interpreter, `{"code":"n = 10\nprint(n*2)"}`, "运行这段代码（print(n*2)）。 保存的步骤：code_interpreter。"},
		"please run this code:\n```python\n# Double a number\nn = 10\nprint(n*2)\n```": {interpreter, `{"code":"# Double a number\nn = 10\nprint(n*2)"}`, "run this code (Double a number). Saved steps: code_interpreter."},
		"麻烦帮我查一下王萍萍的订单":                                                                {"search", `{"name":"王萍萍"}`, "查一下「客户姓名」的订单。 保存的步骤：search。"},
		"我想知道王萍萍买了什么":                                                                  {"search", `{"name":"王萍萍"}`, "「客户姓名」买了什么。 保存的步骤：search。"},
		"could you please find the orders of Ann":                                      {"search", `{"name":"Ann"}`, "find the orders of <name>. Saved steps: search."},
		"I want to know the orders of Ann":                                             {"search", `{"name":"Ann"}`, "the orders of <name>. Saved steps: search."},
		"double the number 12: `n = 12\nprint(n*2)`":                                   {interpreter, `{"code":"n = 12\nprint(n*2)"}`, "double the number <n>. Saved steps: code_interpreter."},
	} {
		tool := made(t, new(log).task("t1", request, bus.OK, [3]string{c.tool, c.parameter, `{"answer":"20"}`}), Wish{Name: "my_tool"})
		if tool.Description != c.want {
			t.Errorf("%s: %s, want %s", request, tool.Description, c.want)
		}
	}
}

// Of two agents that worked at once the one planned last has the tool, whoever was ready first.
func TestOwnerOfWhatRanAtOnce(t *testing.T) {
	cards := append([]bus.Card{{Name: "prices", Kind: "agent"}}, shopCards...)
	for _, order := range [][]int{{2, 10}, {10, 2}} {
		l := &log{}
		l.add(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: "t1", Agent: "master", Request: &bus.Request{JobDesc: "find both"}})
		agents := map[int]string{2: "orders", 10: "prices"}
		for n, agent := range agents {
			call := fmt.Sprintf("t1-1-%d", n)
			l.add(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: call, Parent: "t1", Agent: agent, Request: &bus.Request{JobDesc: "find"}})
		}
		for _, n := range order {
			call := fmt.Sprintf("t1-1-%d", n)
			l.add(bus.Record{Kind: bus.KindResult, Task: "t1", Call: call, Parent: "t1", Agent: agents[n], Child: call + "-1-0", ToolName: "search",
				Parameter: json.RawMessage(fmt.Sprintf(`{"limit":%d}`, n)), Status: bus.OK, Observation: json.RawMessage(`{}`)})
		}
		l.add(bus.Record{Kind: bus.KindResponse, Task: "t1", Call: "t1", Agent: "master", Status: bus.OK})
		tool, err := Make(l.records, "", cards, Wish{Name: "both"})
		if err != nil || tool.Agent != "prices" {
			t.Errorf("in the order %v: of %q, %v", order, tool.Agent, err)
		}
	}
}

// One thing that was said is one parameter; two days that happen to be the same are two; a choice that was said has it as default.
func TestMakeKeepsParametersApart(t *testing.T) {
	tool := made(t, (&log{}).task("t1", "unpaid orders of Bob and Ann yesterday for Bob", bus.OK,
		[3]string{"search", `{"name":"Bob","state":"unpaid","begin":"2026-10-01","end":"2026-10-01","ids":["Bob","Ann"]}`, `[]`},
		[3]string{"search", `{"name":"Ann"}`, `[]`},
		[3]string{"search", `{"name":"Bo"}`, `[]`}), Wish{Name: "of_people", Description: "as I say"})
	same(t, "step 1", tool.Steps[0].Parameter, `{"begin":"$args.begin","end":"$args.end","ids":"$args.ids","name":"$args.name","state":"$args.state"}`)
	same(t, "step 2", tool.Steps[1].Parameter, `{"name":"$args.name_2"}`)
	same(t, "step 3", tool.Steps[2].Parameter, `{"name":"Bo"}`)
	if tool.Name != "of_people" || tool.Description != "as I say" || tool.Effect != bus.Read {
		t.Errorf("%+v", tool)
	}
	if all := tool.Ends(); len(all) != 3 {
		t.Errorf("three steps that nobody waits for are all ends: %v", all)
	}
	same(t, "shape", tool.Test.Shape, `{"search_s1":[],"search_s2":[],"search_s3":[]}`)
	same(t, "returns", tool.Returns, `{"type":"object","properties":{"search_s1":{"type":"object","title":"Finds orders","x-title-en":"search"},
		"search_s2":{"type":"object","title":"Finds orders","x-title-en":"search"},"search_s3":{"type":"object","title":"Finds orders","x-title-en":"search"}}}`)
	var schema struct {
		Required   []string
		Properties map[string]struct{ Default any }
	}
	if err := json.Unmarshal(tool.Parameters, &schema); err != nil || strings.Join(schema.Required, " ") != "ids name name_2" || schema.Properties["state"].Default != "unpaid" {
		t.Errorf("%+v %v", schema, err)
	}
}

// The values at the beginning of code are its parameters.
func TestMakeOfCode(t *testing.T) {
	for name, c := range map[string]struct{ given, code, arguments string }{
		"python": {`{"code":"import math\nn = 10  # how many\nlabel='x'\n\nprint(n, label)\nn = 3"}`,
			"import math\nn = args[\"n\"]  # how many\nlabel = args[\"label\"]\n\nprint(n, label)\nn = 3", `{"n":"$args.n","label":"$args.label"}`},
		"javascript": {`{"language":"javascript","code":"// it\nconst n = 1.5;\nlet on = true\nprint(n)"}`,
			"// it\nconst n = args.n;\nlet on = args.on\nprint(n)", `{"n":"$args.n","on":"$args.on"}`},
		"none":     {`{"code":"print(2**10)"}`, "print(2**10)", ``},
		"no value": {`{"code":"a = f(3)\nb = 4"}`, "a = f(3)\nb = 4", ``},
		"in text":  {"{\"code\":\"x = 1\\ns = \\\"\\\"\\\"\\ny = 2\\n\\\"\\\"\\\"\"}", "x = args[\"x\"]\ns = \"\"\"\ny = 2\n\"\"\"", `{"x":"$args.x"}`},
		"octal":    {`{"code":"n = 007\nprint(n)"}`, "n = args[\"n\"]\nprint(n)", `{"n":"$args.n"}`},
		"again":    {`{"code":"n = args[\"n\"]\nprint(n)","arguments":{"n":4}}`, "n = args[\"n\"]\nprint(n)", `{"n":"$args.n"}`},
	} {
		tool := made(t, (&log{}).task("t1", "运行这段代码：```python\n…```", bus.OK, [3]string{interpreter, c.given, `{"answer":"1024"}`}), Wish{})
		var step struct {
			Code      string
			Arguments json.RawMessage
		}
		if err := json.Unmarshal(tool.Steps[0].Parameter, &step); err != nil || step.Code != c.code || string(step.Arguments) != "" && !equal(step.Arguments, json.RawMessage(c.arguments)) || (len(step.Arguments) == 0) != (c.arguments == "") {
			t.Errorf("%s: %q %s, want %q %s: %v", name, step.Code, step.Arguments, c.code, c.arguments, err)
		}
		if string(tool.Test.Value) != `{"answer":"1024"}` || tool.Effect != bus.Read || tool.Name != "my_code_interpreter" {
			t.Errorf("%s: %+v", name, tool)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	many := (&log{}).task("t1", "much", bus.OK)
	for i := range 33 {
		many.add(bus.Record{Kind: bus.KindResult, Task: "t1", Call: "t1-1-0", Agent: "orders", Child: "c", ToolName: "search", Parameter: json.RawMessage(`{"limit":` + string(rune('0'+i%10)) + `,"x":"` + strings.Repeat("a", i) + `"}`), Status: bus.OK})
	}
	for name, c := range map[string]struct {
		log  *log
		wish Wish
		says string
	}{
		"nothing":      {&log{}, Wish{}, "nothing to save"},
		"only talk":    {(&log{}).task("t1", "hi", bus.OK), Wish{}, "nothing to save"},
		"failed":       {(&log{}).task("t1", "hi", bus.Failed, [3]string{"search", `{}`, `{}`}), Wish{}, "nothing to save"},
		"tool gone":    {(&log{}).task("t1", "hi", bus.OK, [3]string{"vanished", `{}`, `{}`}), Wish{}, "vanished"},
		"no object":    {(&log{}).task("t1", "hi", bus.OK, [3]string{"search", `[1]`, `{}`}), Wish{}, "cannot be read"},
		"taken":        {(&log{}).task("t1", "hi", bus.OK, [3]string{"search", `{}`, `{}`}), Wish{Name: "search_it", Taken: func(string, string) bool { return true }}, "taken"},
		"hostile name": {(&log{}).task("t1", "hi", bus.OK, [3]string{"search", `{}`, `{}`}), Wish{Name: "a.b>"}, "name"},
		"too many":     {many, Wish{}, "too many"},
	} {
		c.log.task("t9", "save it", bus.OK)
		if _, err := Make(c.log.records, "t9", shopCards, c.wish); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want a word of %q", name, err, c.says)
		}
	}
}

// The steps of a saved tool that was used are taken in its place, so that no saved tool calls another; the agent is the one above.
func TestMakeOfASavedTool(t *testing.T) {
	l := (&log{}).task("t1", "orders of Bob", bus.OK, [3]string{"my_search", `{"name":"Bob"}`, `{}`})
	l.records = l.records[:len(l.records)-1]
	l.add(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: "t1-1-0-my_search", Parent: "t1-1-0", Agent: "my_search"})
	l.add(bus.Record{Kind: bus.KindResult, Task: "t1", Call: "t1-1-0-my_search", Parent: "t1-1-0", Agent: "my_search", Child: "t1-1-0-my_search-1-0", ToolName: "search",
		Parameter: json.RawMessage(`{"name":"Bob"}`), Status: bus.OK, Observation: json.RawMessage(`{}`)})
	l.add(bus.Record{Kind: bus.KindResponse, Task: "t1", Call: "t1", Status: bus.OK})
	tool := made(t, l, Wish{})
	if len(tool.Steps) != 1 || tool.Steps[0].ToolName != "search" || tool.Agent != "orders" {
		t.Errorf("%+v", tool)
	}
}

// FuzzMake: whatever a log says, what is made of it holds, and calls again what was called.
func FuzzMake(f *testing.F) {
	f.Add("orders of Bob", `{"name":"Bob","limit":3}`, `{"orders":[{"order_id":"o-1234"}]}`, `{"order_id":"o-1234","text":"$x"}`)
	f.Add("n = 10", `{"name":["a","$args.b"],"x":{"y":null}}`, `[]`, `{"name":"a"}`)
	f.Fuzz(func(t *testing.T, request, first, observed, second string) {
		for _, text := range []string{first, observed, second} {
			if !json.Valid([]byte(text)) {
				return
			}
		}
		l := (&log{}).task("t1", request, bus.OK, [3]string{"search", first, observed}, [3]string{"send", second, observed})
		tool, err := Make(l.records, "", shopCards, Wish{})
		if err != nil {
			return
		}
		actions, err := tool.Bind(tool.Test.Parameter)
		if err != nil {
			t.Fatalf("%s: %v", tool.Parameters, err)
		}
		for i, want := range []string{first, second}[:len(tool.Steps)] {
			given, err := bus.FillReferences(actions[i].Parameter, func(_, path string) (any, error) { return bus.Dig(json.RawMessage(observed), path) })
			if err != nil {
				t.Fatalf("%s: %v", actions[i].Parameter, err)
			}
			if len(given) > 0 && !equal(given, json.RawMessage(want)) {
				t.Fatalf("it would call with %s, and the log has %s", given, want)
			}
		}
	})
}

func FuzzCode(f *testing.F) {
	f.Add("n = 10\nprint(n)", false)
	f.Add("const n = 'a';\nprint(n)", true)
	f.Fuzz(func(t *testing.T, code string, script bool) {
		given := map[string]any{"code": code}
		if script {
			given["language"] = "javascript"
		}
		m := &maker{}
		m.code(given, code)
		if _, err := m.schema(); err != nil {
			t.Fatal(err)
		}
		out, _ := given["code"].(string)
		if strings.Count(out, "\n") != strings.Count(code, "\n") {
			t.Fatalf("%q became %q", code, out)
		}
	})
}

func TestWorth(t *testing.T) {
	search, send := [3]string{"search", `{"name":"Bob"}`, `{}`}, [3]string{"send", `{}`, `{}`}
	for name, c := range map[string]struct {
		log   *log
		worth bool
	}{
		"two calls":   {(&log{}).task("t", "x", bus.OK, search, send), true},
		"one":         {(&log{}).task("t", "x", bus.OK, search), false},
		"failed":      {(&log{}).task("t", "x", bus.Failed, search, send), false},
		"asked":       {(&log{}).task("t", "x", bus.OK, search, [3]string{"ask_user", `{}`, `"y"`}), false},
		"saved by it": {(&log{}).task("t", "x", bus.OK, search, send, [3]string{ToolName, `{}`, `{}`}), false},
	} {
		if got := Worth(c.log.records); got != c.worth {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// words is what was said of a name where that is another than the name.
func words(said, name string) string {
	if said == name {
		return ""
	}
	return said
}

// A file that was made of what was found is no step, whether it was asked for in the task or behind it; nor is it in what the tool is for.
func TestFileIsNoStep(t *testing.T) {
	search, report := [3]string{"search", `{"name":"王萍萍"}`, `{"orders":[]}`}, [3]string{"report_tool", `{"format":"xlsx"}`, `{"summary":"已生成"}`}
	maker := bus.Card{Name: "report_tool", Kind: "tool", Effect: bus.Read, Tags: []string{documents}}
	cards := append(slices.Clone(shopCards), maker)
	for request, l := range map[string]*log{
		"列出王萍萍的订单，做成Excel":                     new(log).task("t1", "列出王萍萍的订单，做成Excel", bus.OK, search, report),
		"列出王萍萍的订单":                             new(log).task("t1", "列出王萍萍的订单", bus.OK, search).task("t2", "做成Excel", bus.OK, report),
		"list 王萍萍 orders and make a PDF of it": new(log).task("t1", "list 王萍萍 orders and make a PDF of it", bus.OK, search, report),
	} {
		l.task("t9", "把刚才的步骤存成工具", bus.OK)
		tool, err := Make(l.records, "t9", cards, Wish{Language: "zh"})
		if err != nil || len(tool.Steps) != 1 || tool.Steps[0].ToolName != "search" || tool.From != "t1" || !leftOut(l.records, tool, cards) {
			t.Errorf("%s: %+v %v", request, tool, err)
		}
		if about := Purpose(tool); strings.Contains(about, "Excel") || strings.Contains(about, "PDF") {
			t.Errorf("%s: it is for %s", request, about)
		}
	}
}

// The name in the words of who asks is the tool's, in the letters that a tool's name has; where these are others, they are its title.
func TestWishedName(t *testing.T) {
	for request, want := range map[string][2]string{
		"把刚才的步骤存成工具，名字叫 orders": {"my_orders", "orders"}, "存成工具，叫 wang_orders": {"wang_orders", "wang_orders"}, "存成工具，命名为“Wang-Orders”": {"wang_orders", "Wang-Orders"},
		"save this as a tool called late orders": {"late_orders", "late orders"}, "save it as a tool named Orders.": {"my_orders", "Orders"}, "存成工具，叫查王萍萍订单": {"", "查王萍萍订单"},
		"存成工具": {}, "save these steps as a tool": {},
	} {
		l := new(log).task("t1", "x", bus.OK, [3]string{"search", `{"name":"王萍萍"}`, `{"orders":[]}`}).task("t2", request, bus.OK)
		if name, said := wished(l.records, "t2"); name != want[0] || said != want[1] {
			t.Errorf("%s: %q %q", request, name, said)
		}
		tool, err := Make(l.records, "t2", shopCards, Wish{Language: "zh"})
		if title := words(want[1], want[0]); err != nil || want[0] != "" && tool.Name != want[0] || want[0] == "" && tool.Name != "my_search" || tool.Title != title {
			t.Errorf("%s: %q %v", request, tool.Name, err)
		}
	}
}
