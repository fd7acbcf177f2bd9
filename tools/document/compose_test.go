package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// spoken is an outline in short, one thing a line.
func spoken(o *outline.Outline) string {
	var b strings.Builder
	for _, s := range o.Sections {
		fmt.Fprintf(&b, "# %s\n", s.Heading)
		if s.Text != "" {
			fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(s.Text, "\n", "⏎"))
		}
		for _, c := range s.Charts {
			fmt.Fprintf(&b, "%s %s %d: %s\n", c.Kind, c.Title, len(c.Categories), c.Categories[0])
		}
		for _, t := range s.Tables {
			fmt.Fprintf(&b, "table %s %v %d of %d\n", t.Title, t.Columns, len(t.Rows), max(t.Total, len(t.Rows)))
		}
	}
	return b.String()
}

func TestCompose(t *testing.T) {
	t.Parallel()
	results := []json.RawMessage{json.RawMessage(`{"x":1}`), json.RawMessage(`{"days":[{"d":"2026-01-03","n":5,"pay":1.5},{"d":"2026-01-01","n":7,"pay":2},{"d":"2026-01-02","n":6,"pay":1}]}`)}
	for name, c := range map[string]struct {
		p    Passage
		want string
	}{
		"answer":     {Passage{Heading: "问", Text: "共 3 个。\n\n**细节**\n\n另说。"}, "# 问\n共 3 个。\n# 细节\n另说。\n"},
		"headings":   {Passage{Text: "## A\n\na\n\n## B\n\n- b"}, "# A\na\n# B\n- b\n"},
		"days":       {Passage{Heading: "q", Text: "| day | orders |\n|---|---|\n| 2026-01-02 | 3 |\n| 2026-01-01 | 4 |\n| 2026-01-03 | 5 |"}, "# q\nline orders 3: 2026-01-01\ntable  [day orders] 3 of 3\n"},
		"named":      {Passage{Heading: "q", Text: "分周预测：\n\n| a | b |\n|---|---|\n| 1 | x |"}, "# q\ntable 分周预测 [a b] 1 of 1\n"},
		"long names": {Passage{Heading: "q", Text: "| 商品 | 销售额 | 销量 |\n|---|---|---|\n| 暖屿空气炸锅 6.5L 双层 | 3 | 1 |\n| b | 2 | 1 |\n| c | 1 | 1 |\n| 合计 | 6 | 3 |"}, "# q\nbar 销售额 3: 暖屿空气炸锅 6.5L 双层\ntable  [商品 销售额 销量] 4 of 4\n"},
		"measures":   {Passage{Heading: "q", Text: "| 项目 | 本月 |\n|---|---|\n| 订单数 | 439 |\n| 销售额 | 173947.5 |\n| 退款率（%） | 3 |"}, "# q\ntable  [项目 本月] 3 of 3\n"},
		"no amounts": {Passage{Heading: "q", Text: "| 名 | 订单编号 |\n|---|---|\n| a | 1 |\n| b | 2 |\n| c | 3 |"}, "# q\ntable  [名 订单编号] 3 of 3\n"},
		"all alike":  {Passage{Heading: "q", Text: "| 名 | 数量 |\n|---|---|\n| a | 1 |\n| b | 1 |\n| c | 1 |"}, "# q\ntable  [名 数量] 3 of 3\n"},
		"whole":      {Passage{Heading: "q", Text: "| 日期 | 金额 |\n|---|---|\n| 2026-01-03 | 1.5 |\n\n另有 2 行", Results: results}, "# q\nline 金额 3: 2026-01-01\ntable  [日期 金额] 3 of 3\n"},
		"not whole":  {Passage{Heading: "q", Text: "| 日期 | 金额 |\n|---|---|\n| 2026-01-03 | 9 |\n\n另有 2 行", Results: results}, "# q\ntable  [日期 金额] 1 of 3\n"},
		"leads in":   {Passage{Heading: "q", Text: "以下摘自 2 处：\n\n## 总体\n\n- 甲 [1]\n\n## 规定\n\n- 乙"}, "# q\n以下摘自 2 处：⏎⏎### 总体⏎⏎- 甲 \\[1\\]\n# 规定\n- 乙\n"},
		"leads on":   {Passage{Heading: "q", Text: "两处：\n\n**总体**\n\n甲。"}, "# q\n两处：⏎⏎### 总体⏎⏎甲。\n"},
		"files":      {Passage{Heading: "q", Text: "好。\n\n文件：\n- [a.md](obj:x) 回答\n- [b.md](obj:y) 记录\n"}, "# q\n好。\n"},
		"one failed": {Passage{Heading: "q", Text: "**销售额**\n\n5 元。\n\n**天气**\n\n没能完成：查不到。\n"}, "# 销售额\n5 元。\n# 没有结果的部分\n- **天气** 没能完成：查不到。\n"},
		"all failed": {Passage{Heading: "q", Text: "没能完成：查不到。\n"}, "# q\n没能完成：查不到。\n"},
		"rows":       {Passage{Heading: "q", Text: "共 2 行：\n\n| 月 | 品类 | 额 |\n|---|---|---|\n| 2026-09 | 耳机 | 1 |\n| 2026-09 | 手机 | 2 |\n| 2026-10 | 耳机 | 3 |\n| 2026-10 | 手机 | 4 |\n\nSQL: `SELECT 1`"}, "# q\ncolumn 额 2: 2026-09\ntable  [月 品类 额] 4 of 4\n"},
		"in English": {Passage{Heading: "q", Text: "| d | n |\n|---|---|\n| 2026-01-03 | 5 |\n\n2 more", Results: results}, "# q\nline n 3: 2026-01-01\ntable  [d n] 3 of 3\n"},
		"nothing":    {Passage{Heading: "q", Text: " \n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := new(outline.Outline)
			Compose(o, []Passage{c.p})
			if got := spoken(o); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if err := o.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestComposeIsBounded(t *testing.T) {
	t.Parallel()
	o := new(outline.Outline)
	Compose(o, []Passage{{Text: strings.Repeat("## h\n\ntext\n\n", 10_000)}})
	if len(o.Sections) != maxComposed || !strings.Contains(o.Sections[maxComposed-1].Text, "从略") || o.Check() != nil {
		t.Errorf("%d sections, %v", len(o.Sections), o.Check())
	}
	o = new(outline.Outline)
	Compose(o, []Passage{{Heading: "h", Text: strings.Repeat("a word * and _ another ", 20_000)}})
	if err := o.Check(); err != nil || len(o.Sections) < 10 {
		t.Errorf("%d sections, %v", len(o.Sections), err)
	}
}

func TestSubject(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]string{
		"把王萍萍的订单做成一份表格": "王萍萍的订单", "请帮我把最近七天的销售额整理成PPT": "最近七天的销售额", "生成一份十月销售报告": "十月销售", "王萍萍买了哪些订单？": "王萍萍买了哪些订单",
		"王萍萍买了哪些订单？做成PPT": "王萍萍买了哪些订单", "make a report of the orders of Ann": "the orders of Ann", "Export the late orders to Excel": "the late orders",
		"find the late orders, then export them to Excel": "find the late orders", "你好": "你好", "做成Word文档": "做成Word文档", "请帮我查一下王萍萍的订单": "查一下王萍萍的订单", "Could you please list the late orders?": "list the late orders",
		"could you please be so kind and list the late orders? Thank you so much in advance!": "list the late orders", "您好！请帮我查一下王萍萍的订单，非常感谢！": "查一下王萍萍的订单",
		"王萍萍最近三个月买了哪些订单？每个订单的金额是多少，把没有发货的列在最前面，再按金额从大到小排":                                                           "王萍萍最近三个月买了哪些订单",
		"按地区、按月份统计今年以来禾煮空气炸锅的销售额和销量，并和去年同期比一比，看看涨了多少":                                                               "按地区、按月份统计今年以来禾煮空气炸锅的销售额和销量…",
		"Show me all late orders of this month. For each tell me who bought it and what was paid for it in the end": "Show me all late orders of this month",
		"compare the revenue of every single product category that we sell in the south with that of the north":     "compare the revenue of every single product category that…",
		"列出上个月王萍萍的订单并做成Word":                                                                                        "列出上个月王萍萍的订单", "待发货的订单整理成Excel": "待发货的订单", "列出待发货订单，做成Excel，只要订单编号和金额两列": "列出待发货订单",
		"给我一份昨天的日报，PDF格式": "昨天的日报", "做一份上个月的经营报告，保存为Word": "上个月的经营报告", "write a business report for October and export it to PDF": "business report for October",
		strings.Repeat("a", 500): strings.Repeat("a", 59) + "…",
		"画个图看看每个航空公司的乘客数":        "每个航空公司的乘客数", "请帮我画一张柱状图，展示各月销量": "各月销量", "用折线图看一下各月销量": "各月销量", "画个图": "画个图", "画个图看看": "画个图看看",
		"show me a bar chart of passengers by airline": "passengers by airline", "please draw a chart of the sales per month": "the sales per month", "draw a chart": "draw a chart",
	} {
		if got := subject(request); got != want || outline.Width(got) > maxSubject {
			t.Errorf("%q: %q, want %q", request, got, want)
		}
	}
	// A title is short; the request stands below it.
	long := "王萍萍最近三个月买了哪些订单？每个订单的金额是多少，把没有发货的列在最前面，再按金额从大到小排"
	log := talk()[:4]
	log[0].Request.JobDesc = long
	o := Whole(log, time.UTC)
	if o.Title != "王萍萍最近三个月买了哪些订单" || FileName(o, PDF) != "王萍萍最近三个月买了哪些订单.pdf" || !strings.Contains(spoken(o), "> "+long+"⏎⏎共 2 个订单。") {
		t.Errorf("%s\n%s", o.Title, spoken(o))
	}
	// A name in Chinese makes no English document Chinese.
	log[0].Request.JobDesc = "list the orders of 王萍萍"
	if o := Whole(log, time.UTC); o.Language != "en" {
		t.Errorf("%s is %s", o.Title, o.Language)
	}
}

// record makes a record of a log that is told in short.
func record(kind bus.Kind, task, call string, change func(*bus.Record)) bus.Record {
	r := bus.Record{Kind: kind, Task: task, Call: call}
	change(&r)
	return r
}

func text(s string) json.RawMessage { return encode(s) }

// talk is a session: a question that was answered, and a wish for a document that is being carried out.
func talk() []bus.Record {
	return []bus.Record{
		record(bus.KindRequest, "t1", "t1", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "多少订单？"} }),
		record(bus.KindResult, "t1", "t1-1-0", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Observation = "t1-1-0-1-0", "list_orders", bus.OK, json.RawMessage(`{"orders":[{"id":"a"},{"id":"b"}]}`)
		}),
		record(bus.KindResult, "t1", "t1", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Observation = "t1-1-0", "orders", bus.OK, text("2 个订单")
		}),
		record(bus.KindResponse, "t1", "t1", func(r *bus.Record) { r.Status, r.Observation = bus.OK, text("共 2 个订单。") }),
		record(bus.KindRequest, "t2", "t2", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "把销售额做成PPT"} }),
		record(bus.KindResult, "t2", "t2", func(r *bus.Record) {
			r.Child, r.ToolName, r.JobDesc, r.Status, r.Observation = "t2-1-0", "forecast", "查销售额", bus.OK, text("销售额 5 元。")
		}),
		record(bus.KindResult, "t2", "t2", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Observation = "t2-1-1", "orders", bus.Failed, text("坏了")
		}),
	}
}

// What came to nothing is no content, and neither is what was found before it: that is not what is meant.
func TestNothingWasFound(t *testing.T) {
	t.Parallel()
	log := append(talk()[:4:4],
		record(bus.KindRequest, "t2", "t2", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "读取 x.csv"} }),
		record(bus.KindResult, "t2", "t2-1-0", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Error = "t2-1-0-1-0", "read_file", bus.Failed, &bus.Error{Code: bus.CodeInvalidParameter}
		}),
		record(bus.KindResult, "t2", "t2", func(r *bus.Record) {
			r.Child, r.ToolName, r.JobDesc, r.Status, r.Observation = "t2-1-0", "analyst", "读取 x.csv", bus.OK, text("没能完成：there is no file")
		}),
		record(bus.KindResponse, "t2", "t2", func(r *bus.Record) { r.Status, r.Observation = bus.OK, text("没能完成：there is no file") }),
		record(bus.KindRequest, "t3", "t3", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "做成Excel"} }),
	)
	if got := Read(log).Of("t3", false); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	if got := Read(log).Of("t3", true); len(got) == 0 {
		t.Error("the whole conversation holds something")
	}
	d := newDesk(t, log...)
	if _, _, err := d.call("c1", Wish{Format: "xlsx"}); code(err) != bus.CodeInvalidParameter || !strings.Contains(err.Error(), "前面没有查到结果") {
		t.Error(err)
	}
	if _, _, err := d.call("c2", Wish{Format: "xlsx", Material: "订单共有 0 个。"}); code(err) != bus.CodeInvalidParameter || !strings.Contains(err.Error(), "没有表") {
		t.Error(err)
	}
}

// A change that somebody did not agree to is no content, and what was found before it still is; without that there is nothing.
func TestRefusedIsNoDocument(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"好的，没有执行：空气炸锅降价10%。", "All right, not done: lower the price by 10%."} {
		log := append(talk()[:4:4],
			record(bus.KindRequest, "t2", "t2", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "空气炸锅降价10%"} }),
			record(bus.KindResult, "t2", "t2-1-0", func(r *bus.Record) {
				r.Child, r.ToolName, r.Status, r.Observation = "t2-1-0-1-0", "find_products", bus.OK, json.RawMessage(`{"products":[{"id":"a"}]}`)
			}),
			record(bus.KindResult, "t2", "t2-1-0", func(r *bus.Record) {
				r.Child, r.ToolName, r.Status, r.Error = "t2-1-0-1-1", "set_price", bus.Failed, &bus.Error{Code: bus.CodeForbidden}
			}),
			record(bus.KindResult, "t2", "t2", func(r *bus.Record) {
				r.Child, r.ToolName, r.Status, r.Observation = "t2-1-0", "pricing", bus.OK, text(answer)
			}),
			record(bus.KindResponse, "t2", "t2", func(r *bus.Record) { r.Status, r.Observation = bus.OK, text(answer) }),
			record(bus.KindRequest, "t3", "t3", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "做成PPT"} }),
		)
		if got := Read(log).Of("t3", false); len(got) != 1 || got[0].Text != "共 2 个订单。" {
			t.Errorf("%+v", got)
		}
		if _, _, err := newDesk(t, log[4:]...).call("c1", Wish{Format: "pptx"}); code(err) != bus.CodeInvalidParameter || !strings.Contains(err.Error(), "没有可以放进文件的内容") {
			t.Error(err)
		}
	}
}

// An answer that says that nothing can be done, or that nothing is there, makes no document; what was found before a mere word between does.
func TestNothingIsNoDocument(t *testing.T) {
	t.Parallel()
	ended := func(task, request, model string, results ...string) []bus.Record {
		log := []bus.Record{record(bus.KindRequest, task, task, func(r *bus.Record) { r.Request = &bus.Request{JobDesc: request} })}
		for i, o := range results {
			child := fmt.Sprintf("%s-%d-0", task, i+1)
			log = append(log,
				record(bus.KindResult, task, child, func(r *bus.Record) {
					r.Child, r.ToolName, r.Status, r.Observation = child+"-1-0", "look", bus.OK, json.RawMessage(o)
				}),
				record(bus.KindResult, task, task, func(r *bus.Record) {
					r.Child, r.ToolName, r.JobDesc, r.Status, r.Observation = child, "clerk", request, bus.OK, text("回答")
				}))
		}
		return append(log, record(bus.KindResponse, task, task, func(r *bus.Record) {
			r.Round, r.Model, r.Status, r.Observation = 1, model, bus.OK, text("回答")
		}))
	}
	found := ended("t1", "多少订单", "", `{"summary":"2","orders":[{"id":"a"}]}`)
	for name, c := range map[string]struct {
		log    []bus.Record
		want   string // the passage; "" for none
		export bool   // the session
	}{
		"no tool":               {ended("t1", "订一张机票", ""), "", false},
		"nothing found":         {ended("t1", "调研弦论", "", `{"found":false,"answer":"没有找到","queries":{"a":["b"]},"rounds":3}`), "", false},
		"none":                  {ended("t1", "Nobody's orders", "", `{"summary":"0 个","summary_en":"none","count":0,"orders":[]}`), "", false},
		"none, in short":        {ended("t1", "Nobody's orders", "", `{"summary":"0 个","summary_en":"none","count":0}`), "", false},
		"one of two":            {ended("t1", "两件事", "", `{"summary":"0 个","count":0,"orders":[]}`, `{"summary":"3 个","count":3}`), "两件事", true},
		"a text beside none":    {ended("t1", "运行代码", "", `{"answer":"2","files":[]}`), "运行代码", true},
		"a model's words":       {ended("t1", "写一首诗", "m"), "写一首诗", true},
		"a word between":        {append(found[:len(found):len(found)], ended("t1b", "谢谢", "")...), "多少订单", true},
		"nothing found after":   {append(found[:len(found):len(found)], ended("t1b", "调研弦论", "", `{"found":false}`)...), "", true},
		"a chart failed after":  {append(found[:len(found):len(found)], ended("t1b", "draw that as a bar chart", "", `{"found":false}`)...), "多少订单", true},
		"a wish failed after":   {append(found[:len(found):len(found)], ended("t1b", "把上面的结果发出去", "", `{"found":false}`)...), "多少订单", true},
		"nothing before at all": {nil, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := !Whole(c.log, time.UTC).Empty(); got != c.export {
				t.Errorf("the session can be exported: %v", got)
			}
			if said := spoken(Whole(c.log, time.UTC)); strings.Contains(said, "调研弦论") != strings.Contains(said, "# 没有结果的问题\n- 调研弦论") || c.export && strings.Count(said, "回答") != 1 {
				t.Errorf("the session: %s", said)
			}
			d := newDesk(t, append(c.log, record(bus.KindRequest, "t2", "t2", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "做成PPT"} }))...)
			made, _, err := d.call("c1", Wish{Format: "md"})
			switch {
			case c.want != "" && (err != nil || made.File.Name != c.want+".md"):
				t.Errorf("%+v %v", made, err)
			case c.want == "" && (code(err) != bus.CodeInvalidParameter || len(c.log) > 0 && !strings.Contains(err.Error(), "前面没有查到结果（「")):
				t.Errorf("%+v %v", made, err)
			}
		})
	}
}

// A request that names only the form gives no title.
func TestOnlyForm(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]bool{
		"as PDF please": true, "PDF": true, "make it a nice PDF, thanks": true, "in Word format": true, "做成PPT": true, "我要 Excel 版": true, "请给我一份PDF文件": true, "再导出成 Word": true, "改成Word": true, "算了，还是要PDF吧": true, "不是PPT，是Word": true, "make it a PDF instead": true, "no, change it to slides": true,
		"王萍萍的订单做成PDF": false, "sales of phones as PDF": false, "多少订单": false, "as you please": false,
	} {
		if got := onlyForm(request); got != want {
			t.Errorf("%s: %v", request, got)
		}
	}
	log := append(talk()[:4:4], record(bus.KindRequest, "t2", "t2", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "as PDF please"} }))
	if made, _, err := newDesk(t, log...).call("c1", Wish{}); err != nil || made.File.Name != "多少订单.pdf" {
		t.Errorf("%+v %v", made, err)
	}
}

func TestTalk(t *testing.T) {
	t.Parallel()
	said := func(all []Passage) string {
		var b strings.Builder
		for _, p := range all {
			fmt.Fprintf(&b, "%s: %s (%d)\n", p.Heading, p.Text, len(p.Results))
		}
		return b.String()
	}
	log := talk()
	now := Read(log)
	if got := said(now.Of("t2", false)); got != "销售额: 销售额 5 元。 (0)\n" {
		t.Errorf("this task: %q", got)
	}
	if got := said(now.Of("t2", true)); got != "多少订单: 共 2 个订单。 (1)\n销售额: 销售额 5 元。 (0)\n" {
		t.Errorf("all: %q", got)
	}
	if got := said(Read(log[:5]).Of("t2", false)); got != "多少订单: 共 2 个订单。 (1)\n" {
		t.Errorf("the task before: %q", got)
	}
	// Once the document is made, the answer speaks of it, and is not what the next document is about.
	log = append(log,
		record(bus.KindResult, "t2", "t2-2-0", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Parameter, r.Observation = "t2-2-0-1-0", reportTool, bus.OK, json.RawMessage(`{"format":"pptx"}`), json.RawMessage(`{"summary":"已生成"}`)
		}),
		record(bus.KindResult, "t2", "t2", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Observation = "t2-2-0", "reports", bus.OK, text("已生成")
		}),
		record(bus.KindResponse, "t2", "t2", func(r *bus.Record) { r.Status, r.Observation = bus.OK, text("销售额 5 元。已生成") }),
	)
	if got := spoken(Whole(log, time.UTC)); got != "# 多少订单\n共 2 个订单。\n# 销售额\n销售额 5 元。\n" {
		t.Errorf("the session: %q", got)
	}
	// Neither is why there is none.
	log = append(log[:4:4],
		record(bus.KindRequest, "t3", "t3", func(r *bus.Record) { r.Request = &bus.Request{JobDesc: "做成Excel"} }),
		record(bus.KindResult, "t3", "t3-1-0", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Error = "t3-1-0-1-0", reportTool, bus.Failed, &bus.Error{Code: bus.CodeInvalidParameter}
		}),
		record(bus.KindResult, "t3", "t3", func(r *bus.Record) {
			r.Child, r.ToolName, r.Status, r.Observation = "t3-1-0", "reports", bus.OK, text("没能完成：没有表")
		}),
		record(bus.KindResponse, "t3", "t3", func(r *bus.Record) { r.Status, r.Observation = bus.OK, text("没能完成：没有表") }))
	if got := spoken(Whole(log, time.UTC)); got != "# 结果\n共 2 个订单。\n" {
		t.Errorf("the session: %q", got)
	}
	if o := Whole(nil, time.UTC); !o.Empty() {
		t.Errorf("%+v", o)
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add("a.csv", []byte("\ufeffa;b\n\"1\";2\n=x"))
	f.Add("a.json", []byte(`[{"a":1},{"b":[2]}]`))
	f.Add("a.xlsx", []byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, name string, body []byte) {
		table, err := readTable(t.Context(), name, body)
		if err != nil {
			return
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Fatalf("%d cells in %d columns", len(row), len(table.Columns))
			}
		}
		if table.Left(len(table.Rows)) < 0 {
			t.Error("more rows than there are")
		}
	})
}
