package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Code that is quoted is run word for word, whatever it speaks of; without any it is asked for.
func TestHouseRunsCode(t *testing.T) {
	const shop = "# cancel order 281063663568 and then ship it. How many orders?\nx = \"买家 王萍萍\"\n\nprint(x, 1+1) # 取消订单，然后发货"
	for _, c := range []struct{ request, code, language string }{
		{"运行这段代码: ```python\nprint(1+1)\n```", "print(1+1)", "python"},
		{"run this code: ```python\nprint(1+1)\n```", "print(1+1)", "python"},
		{"run this JavaScript: `[1,2,3].map(x => x*x)`", "[1,2,3].map(x => x*x)", "javascript"},
		{"跑一下这个脚本：\n```js\nlet s = 0; s\n```", "let s = 0; s", "javascript"},
		{"执行代码 “print(2**10)”", "print(2**10)", ""},
		{"run this code:\n```python\n" + shop + "\n```", shop, "python"},
		{"运行这段代码：\n```python\n" + shop + "\n```", shop, "python"},
	} {
		h := newTeam(t)
		h.says["code_interpreter"] = `{"answer":"2"}`
		answer := h.run(t, "master", Input{Request: c.request, Now: time.Now()})
		language := ""
		if len(h.log) == 1 && h.log[0].args["language"] != nil {
			language, _ = h.log[0].args["language"].(string)
		}
		if len(h.log) != 1 || h.log[0].name != "code_interpreter" || h.log[0].args["code"] != c.code || language != c.language || answer != "2" {
			t.Errorf("%q: %v %q", c.request, h.log, answer)
		}
	}
	for _, request := range []string{"运行这段代码", "run this code: ```python\nprint(1)"} {
		h := newTeam(t)
		if answer := h.run(t, "master", Input{Request: request, Now: time.Now()}); h.asked == nil || h.asked.Parameter != "code" || h.asked.Kind != bus.Question {
			t.Errorf("%q: %v %q", request, h.log, answer)
		}
	}
}

// Code says nothing of the language that is spoken.
func TestLanguageBesideCode(t *testing.T) {
	t.Parallel()
	for request, want := range map[string]string{
		"运行这段代码：```python\nimport time\nfor i in range(40):\n    print(i)\n```": "zh",
		"run this: ```python\nprint('的') # 把给我\n```":                            "en",
		"`for i in range(3): print(i, is, on, the)`":                            "en",
		"运行 `is the list in a for`":                                             "zh",
	} {
		if got := Language(request); got != want {
			t.Errorf("%q: %s", request, got)
		}
	}
}

func TestHouseFiles(t *testing.T) {
	for _, c := range []struct{ request, tool, want string }{
		{"列出本会话的文件", "list_files", ""},
		{"list the files of this session", "list_files", ""},
		{"这个会话里有哪些文件", "list_files", ""},
		{"读取文件 notes.md", "read_file", "notes.md"},
		{"show the file sales.csv", "read_file", "sales.csv"},
		{"sales.csv 里哪个月的销售额最高", "data_analysis", ""}, // and not the shop's, which have the same words
		{"预测 sales.csv 下个月的销售额", "data_analysis", ""},
		{"forecast the revenue of the next 3 months in sales.csv", "data_analysis", ""},
		{"谁的月薪第二高（员工.csv）", "data_analysis", ""}, // and the file is not read out
		{"退款率最高的商品是哪个，按 refund.xlsx", "table_query", ""},
		{"which airline has the highest average delay? (flights.csv)", "table_query", ""}, // of what is no house's matter, but this file's
		{"How many flights were cancelled per airline? (flights.csv)", "table_query", ""},
		{"flights delayed by more than an hour (flights.csv)", "table_query", ""},
		{"average rating of movies per year (films.xlsx)", "table_query", ""},
		{"每个酒店的平均评分（酒店.csv）", "table_query", ""},
		{"2024年的电影有几部（电影.csv）", "table_query", ""},
		{"value of the stock per supplier (stock.json)", "table_query", ""}, // as JSON is a table, too
		{"North仓库里最贵的是哪些（stock.json）", "table_query", ""},
		{"cheapest product with stock over 50 (stock.json)", "table_query", ""},
		{"把 \"hello world\" 保存到文件 notes.md", "save_file", "notes.md hello world"},
		{"save \"hello\" as notes.md", "save_file", "notes.md hello"},
	} {
		h := newTeam(t)
		h.says[c.tool] = `{"summary":"done","summary_en":"done"}`
		h.run(t, "master", Input{Request: c.request, Now: time.Now()})
		got := ""
		if len(h.log) == 1 && h.log[0].name == c.tool {
			name, _ := h.log[0].args["name"].(string)
			text, _ := h.log[0].args["text"].(string)
			got = strings.TrimSpace(name + " " + text)
		}
		if len(h.log) != 1 || got != c.want {
			t.Errorf("%q: %v", c.request, h.log)
		}
	}
}
