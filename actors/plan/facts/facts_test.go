package facts

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestPaths(t *testing.T) {
	for text, want := range map[string]string{
		"list the files in /tmp/x":               "/tmp/x",
		"read ./notes/a-b.txt, please":           "./notes/a-b.txt",
		"列出/tmp/x里的文件":                           "/tmp/x",
		"what is in ~/docs?":                     "~/docs",
		`open C:\temp\a.txt`:                     `C:\temp\a.txt`,
		"(see /etc/hosts).":                      "/etc/hosts",
		"100元/kg":                                "",
		"is it 3/4 or 5/6?":                      "",
		"see https://example.com/a/b":            "",
		"pros and/or cons":                       "",
		"2026/11/21":                             "",
		"write '/tmp/x y' there, and / is a bar": "",
	} {
		got := ""
		for _, f := range Read(text, time.Now(), func(string) bool { return false }) {
			if f.Kind == Path {
				got += f.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// now is a Saturday, so that weeks, months and quarters have ends on both sides.
var now = time.Date(2026, 5, 16, 10, 30, 0, 0, time.FixedZone("CST", 8*3600))

// A name that is joined to a known one is a name, however rare.
func TestNameBehindAName(t *testing.T) {
	none := func(string) bool { return false }
	for s, want := range map[string]string{
		"王萍萍和邓晨刚各发一条消息": "邓晨刚",
		"王萍萍、邓晨的订单":     "邓晨",
		"王萍萍和欧阳晨刚的订单":   "欧阳晨刚",
		"王萍萍和我的订单":      "",
		"王萍萍的订单":        "",
		"王萍萍和张":         "",
		"王萍萍和":          "",
	} {
		start, end, ok := NameBehind(s, len("王萍萍"), none)
		if got := s[start:max(start, end)]; ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func TestSourceFacts(t *testing.T) {
	for text, want := range map[string]string{
		"运行这段代码: ```python\nprint(1+1)\n```":          "print(1+1)",
		"run ```\na\n\nb\n``` and then ```js\nc\n```": "a\n\nb|c",
		"run ~~~py\nx = '```'\n~~~":                   "x = '```'",
		"run `1 + 1`, please":                         "1 + 1",
		"```python\r\nprint(1)\r\n```":                "print(1)\r",
		"```python\nprint(1)":                         "", // cut off: half a program is none
		"``` ```":                                     "",
		"```\n\n```":                                  "",
		"no code here, it's 5 o'clock":                "",
	} {
		var got []string
		for _, f := range Read(text, time.Now(), func(string) bool { return false }) {
			if f.Kind == Source {
				got = append(got, f.Text)
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
	for text, want := range map[string]string{
		"读取文件 notes.md": "notes.md", "读取销售.csv": "", "看看 销售.csv": "销售.csv", "save \"x\" as a-b.JSON now": "a-b.JSON", "version 1.2": "", "example.com": "", "in ./a/b.txt": "./a/b.txt",
	} {
		got := ""
		for _, f := range Read(text, time.Now(), func(string) bool { return false }) {
			if f.Kind == Path {
				got += f.Text
			}
		}
		if got != want {
			t.Errorf("%q: file %q, want %q", text, got, want)
		}
	}
}

func TestTimesWithoutAYear(t *testing.T) {
	for text, want := range map[string]string{
		"8月份的销售额": "2025-08-01 – 2025-08-31", "3月的销售额": "2026-03-01 – 2026-03-31", "预测8月的销量": "2026-08-01 – 2026-08-31",
		"国庆卖了多少": "2025-10-01 – 2025-10-07", "双十一的销售额": "2025-11-11", "sales in August": "2025-08-01 – 2025-08-31",
		"orders since December 5": "2025-12-05 – 2026-05-16", "预测3月的销量": "2027-03-01 – 2027-03-31",
		"sales since March": "2026-03-01 – 2026-05-16", "双十一当天卖了多少": "2025-11-11", "国庆当天卖了多少": "2025-10-01",
	} {
		fs := Read(text, now, func(string) bool { return false })
		if len(fs) != 1 || fs[0].Kind != Date || fs[0].Value.(Period).String() != want {
			t.Errorf("%s: %v, wanted %s", text, fs, want)
		}
	}
}

// A period ends where its end was said, and "from" begins one only before what is no period of its own.
func TestEndsOfPeriods(t *testing.T) {
	for text, want := range map[string]string{
		"从2026-03-01到2026-03-31": "2026-03-01 – 2026-03-31", "从3月1日到3月15日的销售额": "2026-03-01 – 2026-03-15", "sales from March 1 to March 15": "2026-03-01 – 2026-03-15",
		"3月10日到15日卖了多少": "2026-03-10 – 2026-03-15", "从3月10号至15号": "2026-03-10 – 2026-03-15", "3月10-15日的订单": "2026-03-10 – 2026-03-15", "十一月十日到十五日": "2025-11-10 – 2025-11-15", "2025年11月10日到15日": "2025-11-10 – 2025-11-15",
		"sales from March 10 to 15": "2026-03-10 – 2026-03-15", "orders March 10-15, 2025": "2025-03-10 – 2025-03-15", "sales from 10 to 15 March": "2026-03-10 – 2026-03-15", "10th–15th of March": "2026-03-10 – 2026-03-15",
		"从3月1日的销售额": "2026-03-01 – 2026-05-16", "从上个月": "2026-04-01 – 2026-05-16", "orders from March 1": "2026-03-01 – 2026-05-16",
		"orders from last month": "2026-04-01 – 2026-04-30", "orders from yesterday": "2026-05-15", "orders since last month": "2026-04-01 – 2026-05-16",
		"上周五卖了多少": "2026-05-08", "上上星期天": "2026-05-03", "这周一": "2026-05-11", "sales last Friday": "2026-05-15", "sales last Saturday": "2026-05-09",
		"上周末卖了多少": "2026-05-09 – 2026-05-10", "sales this weekend": "2026-05-16 – 2026-05-17", "下个周末有多少单到期": "2026-05-23 – 2026-05-24",
	} {
		fs := Read(text, now, func(string) bool { return false })
		if len(fs) != 1 || fs[0].Kind != Date || fs[0].Value.(Period).String() != want {
			t.Errorf("%s: %v, wanted %s", text, fs, want)
		}
	}
}

// A day of this week that is still to come is the one of the week before where a text speaks in the past; now is a Saturday, so that Monday is asked too.
func TestThisWeekend(t *testing.T) {
	monday := now.AddDate(0, 0, 2)
	for text, want := range map[string]string{
		"本周末卖了多少": "2026-05-16 – 2026-05-17", "how much did we sell this weekend": "2026-05-16 – 2026-05-17", "这周五发了几单": "2026-05-15", "本周末会卖多少": "2026-05-23 – 2026-05-24",
		"这个周末有多少单到期": "2026-05-23 – 2026-05-24", "what will we sell this weekend": "2026-05-23 – 2026-05-24", "这周一卖了多少": "2026-05-18",
	} {
		fs := Read(text, monday, func(string) bool { return false })
		if len(fs) != 1 || fs[0].Value.(Period).String() != want || LastInstead(fs[0], monday) != (fs[0].Value.(Period).To.Before(Day(monday))) {
			t.Errorf("%s: %v, wanted %s", text, fs, want)
		}
	}
	if fs := Read("本周末卖了多少", now, func(string) bool { return false }); fs[0].Value.(Period).String() != "2026-05-16 – 2026-05-17" || LastInstead(fs[0], now) {
		t.Errorf("on the weekend itself: %v", fs)
	}
}

// Who gets a message is a person, and whoever only begins with the sign of a surname is none.
func TestPersonWhoIsTold(t *testing.T) {
	for text, want := range map[string]string{
		"给邓晨刚发消息说今天发货": "邓晨刚", "取消订单 281066152457，给邓晨刚发一条消息": "邓晨刚", "通知邓晨刚，今天发货": "邓晨刚", "跟萧雨说一声": "萧雨",
		"给全部买家发消息说今天发货": "", "给高端客户发短信": "", "给那三个买家发消息说抱歉": "", "给单个客户发消息": "", "通知所有买家，今天发货": "",
	} {
		got := ""
		for _, f := range Persons(text, func(s string) bool { return s == "高端" }) {
			got += f.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A figure of money is no id, however long; a number with parts is one where it is called so; a time of day is no number.
func TestFiguresAndIDs(t *testing.T) {
	for text, want := range map[string]string{
		"orders over 1000000 yuan":                    "number 1000000 yuan",
		"超过1000000元的订单":                               "number 1000000元",
		"order 281066579357":                          "digits 281066579357",
		"transfer it from account 11-204":             "code 11-204",
		"between 100-200 pieces":                      "number 100, number 200 pieces",
		"lunch at 12:30":                              "time of day 12:30",
		"call at 8am and at 7.30 pm":                  "time of day 8am, time of day 7.30 pm",
		"meet at noon":                                "time of day noon",
		"a trip to Zürich":                            "proper Zürich",
		"Émile Zola wrote to José":                    "proper Émile Zola, proper José",
		"5 to 7":                                      "number 5, number 7",
		"29:71 is no time":                            "number 29, number 71",
		"tonight":                                     "date tonight",
		"the forecast on Monday, next Friday, please": "date on Monday, date next Friday",
	} {
		var got []string
		for _, f := range Read(text, now, func(string) bool { return false }) {
			got = append(got, KindNames[f.Kind]+" "+f.Text)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %s, want %s", text, s, want)
		}
	}
}

// Who plans means the next such day, who looks back the latest.
func TestAhead(t *testing.T) {
	for text, want := range map[string]string{
		"on Friday": "2026-05-22", "on 4 March": "2027-03-04", "last Friday": "2026-05-15", "yesterday": "2026-05-15", "4 March 2025": "2025-03-04", "3月4日": "2027-03-04",
	} {
		for _, f := range Read(text, now, func(string) bool { return false }) {
			if got := Ahead(f, now).Value.(Period).From.Format(time.DateOnly); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		}
	}
}

// A number in words is one where it limits something, in Chinese where it counts something.
func TestNumbersInWords(t *testing.T) {
	for text, want := range map[string]string{
		"who bought more than two air fryers":   "2 air",
		"customers with at least three orders":  "3 orders",
		"products with fewer than ten in stock": "10 ",
		"more than twenty-five pieces":          "25 pieces",
		"over two hundred and ten yuan":         "210 yuan",
		"at least a dozen orders":               "12 orders",
		"more than one product":                 "1 product",
		"five or more orders":                   "5 ",
		"one of them":                           "",
		"the two cheapest":                      "",
		"more than a week":                      "1 week",
		"超过24个小时":                               "24 小时",
		"more than an order":                    "",
		"大于一千块的订单":                              "1000 块",
		"超过两千五百元":                               "2500 元",
		"一万两千元以上":                               "12000 元",
		"几千块":                                   "",
		"三十五件":                                  "35 件",
	} {
		got := ""
		for _, f := range Read(text, now, nil) {
			if a, ok := f.Value.(Amount); ok {
				got += strconv.FormatFloat(a.N, 'f', -1, 64) + " " + a.Unit
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
