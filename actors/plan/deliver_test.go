package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func TestInTwo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ request, output, want string }{
		{"把王萍萍的订单做成一份表格", "", "查王萍萍的订单，然后把结果做成一份表格"},
		{"请帮我把最近七天的销售额整理成PPT", "", "查最近七天的销售额，然后把结果整理成PPT"},
		{"把预测下个月的销量导出成Excel", "", "预测下个月的销量，然后把结果导出成Excel"},
		{"做一份上个月的经营报告，导出成Word", "", "查上个月的经营情况，然后把结果导出成Word"},
		{"生成上个月的销售报告，保存为PDF", "", "查上个月的销售，然后把结果导出成PDF"},
		{"出一份10月的经营分析报告", "", "查10月的经营情况，然后把结果做成一份报告"},
		{"帮我写一份上周的销售周报，做成PPT", "", "查上周的销售，然后把结果做成PPT"},
		{"做一份周报", "", "查本周的经营情况，然后把结果做成一份报告"},
		{"做一份周报，PDF格式", "", "查本周的经营情况，然后把结果导出成PDF"},
		{"给我一份昨天的日报", "", "查昨天的经营情况，然后把结果做成一份报告"},
		{"给我一份昨天的日报，PDF格式", "", "查昨天的经营情况，然后把结果导出成PDF"},
		{"把上个月的经营情况导出成Word", "", "查上个月的经营情况，然后把结果导出成Word"},
		{"生成一份最近七天销售额的报告", "", "查最近七天销售额，然后把结果做成一份报告"},
		{"给我一份上周的销售报表", "", "查上周的销售，然后把结果做成一份报表"},
		{"王萍萍买了哪些订单？做成PPT", "", "王萍萍买了哪些订单，然后把结果做成PPT"},
		{"预测下个月的销量，并导出PDF", "", "预测下个月的销量，然后把结果导出PDF"},
		{"列出上个月王萍萍的订单并做成Word", "", "列出上个月王萍萍的订单，然后把结果做成Word"},
		{"待发货的订单整理成Excel", "", "查待发货的订单，然后把结果整理成Excel"},
		{"上个月的退款订单导出到一个表格里", "", "查上个月的退款订单，然后把结果导出到一个表格里"},
		{"导出上个月的退款到Excel", "", "查上个月的退款，然后把结果导出到Excel"},
		{"怎么把订单导出到Excel", "", "怎么把订单导出到Excel"},
		{"show the late orders as an Excel sheet", "", "Find the late orders, then make the results into an Excel sheet"},
		{"I want the late orders as slides", "", "Find the late orders, then make the results into slides"},
		// What the document shall be called and hold goes with the wish for it, and limits nothing that is looked up.
		{"做成Excel，只要订单编号和金额两列", "", "把上面的结果做成Excel，只要列「订单编号」、「金额」这2列"},
		{"待发货的订单做成Excel，只保留买家、订单编号和金额这三列", "", "查待发货的订单，然后把结果做成Excel，只要列「买家」、「订单编号」、「金额」这3列"},
		{"做成Excel，只要买家和运费", "", "把上面的结果做成Excel，只要列「买家」、「运费」这2列"},
		{"做成Excel，只要十月的", "", "做成Excel，只要十月的"},
		{"做成网页，标题叫《十一月待发货》", "", "把上面的结果做成网页，标题「十一月待发货」"},
		{"把待发货的订单做成PPT，题目是本周待办", "", "查待发货的订单，然后把结果做成PPT，标题「本周待办」"},
		{"make a web page of it with the title \"Late again\"", "", "make the results above into a web page with the title “Late again”"},
		{"put the late orders into a spreadsheet titled Late orders, with only the columns Order and Buyer", "",
			"Find the late orders, then make the results into a spreadsheet with the title “Late orders” and only the columns “Order”, “Buyer”"},
		{"as Excel, only the order id and the amount please", "", "make the results above into Excel with only the columns “order id”, “amount”"},
		{"write a business report for October and export it to PDF", "", "Find a business report for October, then make the results into PDF"},
		{"Export the orders of Ann to Excel", "", "Find the orders of Ann, then make the results into Excel"},
		{"make a sales report for air fryers last month", "", "Find sales for air fryers last month, then make the results into a report"},
		{"create a bug report for repo rockets", "", "create a bug report for repo rockets"},
		{"make a report of the late orders", "", "Find the late orders, then make the results into a report"},
		{"Find the late orders, then export them to Excel", "", "Find the late orders, then make the results into Excel"},
		{"total revenue by city, as a web page (s.csv)", "", "Find total revenue by city (s.csv), then make the results into a web page"},
		{"total revenue by city, as a web page", "", "Find total revenue by city, then make the results into a web page"},
		{"which orders are late as slides?", "", "which orders are late, then make the results into slides"},
		{"total revenue by city (s.csv)", "html", "Find total revenue by city (s.csv), then make the results into a web page"},
		{"use it as a report", "", "use it as a report"},
		// What is there already need not be found.
		{"把上面的结果做成PPT", "", "把上面的结果做成PPT"},
		{"把它导出成Excel", "", "把它导出成Excel"},
		// Of what is not said: what was found before is meant.
		{"生成一份报告", "", "把上面的结果做成一份报告"},
		{"做成PPT", "", "把上面的结果做成PPT"},
		{"请帮我导出成Excel表格吧", "", "把上面的结果做成Excel表格"},
		{"给我一份Word文档", "", "把上面的结果做成一份Word文档"},
		{"make slides", "", "make the results above into slides"},
		{"please make slides of it.", "", "make the results above into slides"},
		{"make a word document of this", "", "make the results above into a word document"},
		{"as a PPT please", "", "make the results above into a PPT"},
		{"export to Excel", "", "make the results above into Excel"},
		{"put the result into a PPT", "", "make the results above into a PPT"},
		{"make a PDF report of these results", "", "make the results above into a PDF report"},
		{"turn the above into a PPT", "", "make the results above into a PPT"},
		{"convert all of the above to a PDF", "", "make the results above into a PDF"},
		{"put what you found into a Word document", "", "make the results above into a Word document"},
		{"turn the above orders into a PPT", "", "turn the above orders into a PPT"},
		{"弄成PPT", "", "把上面的结果做成PPT"},
		{"转换为PDF", "", "把上面的结果做成PDF"},
		{"把王萍萍的订单弄成PPT", "", "查王萍萍的订单，然后把结果弄成PPT"},
		{"put these results in an Excel workbook", "", "make the results above into an Excel workbook"},
		{"Could you save all the figures so far as a CSV file, please?", "", "make the results above into a CSV file"},
		{"make a PDF report of these orders", "", "make a PDF report of these orders"},
		{"做表格", "table", "把上面的结果做成表格"},
		{"写文档规范", "", "写文档规范"},
		{"word", "", "word"},
		{"export it to Excel", "", "make the results above into Excel"},
		{"put it into a PPT (sales.csv)", "", "Analyse the data of sales.csv, then make the results into a PPT"},
		// Another kind than the one before.
		{"改成Word", "", "把上面的结果做成Word"},
		{"不要PPT了，换成PDF吧", "", "把上面的结果做成PDF"},
		{"make it a PDF instead", "", "make the results above into a PDF"},
		{"no, change it to slides", "", "make the results above into slides"},
		{"把价格改成Word", "", "把价格改成Word"},
		// A document beside another wish is of its own thing.
		{"把王萍萍的订单做成PPT，并运行这段代码：`print(2**10)`", "", "查王萍萍的订单，然后把结果做成PPT，运行这段代码：`print(2**10)`"},
		{"预测下个月空气炸锅的销量，并把王萍萍的订单做成PPT", "", "预测下个月空气炸锅的销量，查王萍萍的订单，然后把结果做成PPT"},
		{"turn the orders of Ann into slides and run this code: `print(1)`", "", "Find the orders of Ann, then make the results into slides, and run this code: `print(1)`"},
		{"show the late orders, and turn the orders of Ann into a PDF", "", "show the late orders, and Find the orders of Ann, then make the results into a PDF"},
		{"运行这段代码：`print(\"，把订单做成PPT\")`", "", "运行这段代码：`print(\"，把订单做成PPT\")`"},
		{"预测下个月的销量，做成PPT", "", "预测下个月的销量，然后把结果做成PPT"},
		{"put the picture logo.png into a PPT", "", "put the picture logo.png into a PPT"},
		// A tool of what was done before.
		{"存成工具", "", "把刚才的步骤存成工具"},
		{"请把它保存为一个新工具吧。", "", "把刚才的步骤存成工具"},
		{"做成工具，名字叫 wang_orders", "", "把刚才的步骤存成工具，名字叫 wang_orders"},
		{"make it a tool", "", "save these steps as a new tool"},
		{"please save this as a tool called wang_orders", "", "save these steps as a new tool called wang_orders"},
		{"turn this into a reusable tool.", "", "save these steps as a new tool"},
		{"把这段代码做成工具", "", "把这段代码做成工具"},
		{"make a tool that sends mails", "", "make a tool that sends mails"},
		{"存成工具箱里的文件", "", "存成工具箱里的文件"},
		{"make a report of the above", "", "make the results above into a report"},
		// Other wishes are left alone.
		{"王萍萍买了哪些订单？", "", "王萍萍买了哪些订单？"},
		{"把空气炸锅的价格改成 199 元", "", "把空气炸锅的价格改成 199 元"},
		{"给订单 281064156041 开发票", "", "给订单 281064156041 开发票"},
		{"how many orders today?", "", "how many orders today?"},
		// The output that was chosen beside the request.
		{"王萍萍买了哪些订单？", "ppt", "王萍萍买了哪些订单，然后把结果做成PPT"},
		{"how many orders today?", "docs", "how many orders today, then make the results into a Word document"},
		{"最近七天每天的订单量", "ppt", "查最近七天每天的订单量，然后把结果做成PPT"},
		{"王萍萍买了哪些订单？", "text", "王萍萍买了哪些订单？"},
		{"你好", "ppt", "你好"},
	} {
		if got := inTwo(c.request, c.output); got != c.want {
			t.Errorf("%q, output %q:\n%q, want\n%q", c.request, c.output, got, c.want)
		}
	}
}

// Who asks about a kind of file wants none made.
func TestAskedAboutDocuments(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for text, made := range map[string]bool{
		"How do I learn Excel?": false, "怎么学PPT": false, "Is PDF better than Word?": false, "有PDF教程吗": false, "which font do slides need?": false,
		"能不能做成PPT？": true, "can you make slides of it?": true, "可以导出成Excel吗": true, "could I have it as a PDF?": true, "能给我一份Word文档吗": true,
	} {
		out := index["master"].Think(ask(text))
		if got := len(out.Actions) > 0 && out.Actions[0].ToolName == "reports"; got != made {
			t.Errorf("%s: %s", text, told(out))
		}
	}
}

// What a document shall be called and hold reaches who makes it as it was said.
func TestDocumentForm(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"做成Excel，只要订单编号和金额两列":                                   `{"columns":["订单编号","金额"],"format":"xlsx","scope":"task"}`,
		"make the results into a PDF":                           `{"format":"pdf"}`,
		"做成网页，标题叫《十一月待发货》":                                      `{"format":"html","scope":"task","title":"十一月待发货"}`,
		"make a web page of it with the title \"Late again\"":   `{"title":"Late again"}`,
		"as Excel, only the order id and the amount please":     `{"columns":["order id","amount"],"format":"xlsx"}`,
		"make a PDF of it titled Orders, only the columns A, B": `{"columns":["A","B"],"format":"pdf","title":"Orders"}`,
	} {
		out := h.index["master"].Think(ask(request))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "reports" {
			t.Errorf("%s: %s", request, told(out))
			continue
		}
		out = h.index["reports"].Think(ask(out.Actions[0].JobDesc))
		if len(out.Actions) != 1 || string(out.Actions[0].Parameter) != want || len(out.Explain.Unused) > 0 {
			t.Errorf("%s: %s %v", request, told(out), out.Explain.Unused)
		}
	}
}

// A tool that was saved of documents takes no wish for one from who makes them.
func TestDocumentBesideSavedTool(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	var cards []bus.Card
	for _, e := range h.index["master"].entries {
		cards = append(cards, e.Card)
	}
	saved := bus.SavedTool{
		Name: "my_report_tool", Version: 1, Agent: "reports", Effect: bus.Read, Description: "最近七天每天的销售额是多少，做成Excel。 保存的步骤：sales_statistics、report_tool。",
		Steps: []bus.SavedStep{{ID: "s1", ToolName: "sales_statistics"}, {ID: "s2", ToolName: "report_tool"}},
	}
	x := NewIndex(cards, Options{Tools: append(slices.Clone(h.index["master"].options.Tools), saved.Card())})
	for _, request := range []string{"把上面的结果做成PPT", "make a web page of it, titled Late again", "show it in Excel with only the columns Order and Buyer", "make the results above into a PDF", "show it as an Excel workbook", "做成Word"} {
		out := x.Think(ask(request))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "reports" {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}

// A document of what is there is made by who makes documents, whatever others are called that know pages.
func TestDocumentOfWhatIsThere(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"把整个对话做成网页": "reports", "把这次对话做成一个网页": "reports", "把全部内容做成网页": "reports", "turn the whole conversation into a web page": "reports",
		"make a web page of the conversation": "reports",
		"make a Word document of logo.png":    "reports", "把logo.png做成Word文档": "reports", "export evil.csv as CSV": "reports", "把evil.csv导出成CSV": "reports", "make slides of a.csv": "reports", "make a report of sales.xlsx": "data",
		"打开网页 https://example.com/a.html": "researcher",
	} {
		out := index["master"].Think(ask(request))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}

// Each format is known by what people call it.
func TestFormatByItsNames(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"make the results above into a deck": "pptx", "make the results above into a presentation": "pptx", "把上面的结果做成幻灯片": "pptx",
		"make the results above into a spreadsheet": "xlsx", "make the results above into a PDF": "pdf", "make the results above into an Excel workbook": "xlsx", "make the results above into a PDF report": "pdf", "make the results above into a Word document": "docx",
	} {
		out := index["reports"].Think(ask(request))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "report_tool" || !strings.Contains(string(out.Actions[0].Parameter), `"`+want+`"`) {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}
