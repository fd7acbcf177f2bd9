package staff

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

func tools(names ...string) []bus.Card {
	var cards []bus.Card
	for _, n := range names {
		cards = append(cards, bus.Card{Name: n, Kind: "tool", Description: "does " + n})
	}
	return cards
}

func TestNames(t *testing.T) {
	own := bus.Card{Name: "mine", Kind: "tool", Role: map[string]string{"zh": "气象专家", "en": "Meteorologist"}}
	long := bus.Card{Name: "get_forecast", Kind: "tool", Role: map[string]string{"zh": "一个太长的角色名字", "en": "x\ny"}}
	tagged := bus.Card{Name: "frobnicate", Kind: "tool", Tags: []string{"orders", "会员积分", "会员"}}
	agent := bus.Card{Name: "orders", Kind: "agent"}
	for _, c := range []struct {
		card   bus.Card
		zh, en string
	}{
		{tools("report_tool")[0], "报告撰写专家", "Report writer"},
		{own, "气象专家", "Meteorologist"},
		{long, "查阅员", "Forecast reader"},
		{tools("files__read_file")[0], "文件查阅员", "File reader"},
		{tools("files__list_allowed_directories")[0], "目录清点员", "Directories lister"},
		{tools("memory__searchNodes")[0], "节点检索员", "Nodes searcher"},
		{tools("everything__echo")[0], "工具专员", "Echo clerk"},
		{tagged, "会员积分专员", "Frobnicate clerk"},
		{tools("query_contacts")[0], "联系人查询员", "Contacts inquirer"},
		{tools("forecast_and_price")[0], "价格预测师", "Price forecaster"},
		{tools("list_of_things_and_others_in_the_long_run")[0], "清点员", "Long run lister"},
		{bus.Card{Name: "save_tool", Kind: "tool", Tags: []string{"存成工具"}}, "工具保管员", "Tool keeper"},
		{agent, "", ""},
	} {
		if zh, en := Name(c.card, "zh"), Name(c.card, "en"); zh != c.zh || en != c.en {
			t.Errorf("%s is %q, %q; want %q, %q", c.card.Name, zh, en, c.zh, c.en)
		}
	}
}

// All that is built in keeps the rules that a model is held to, and no two tools of the house have one name.
func TestBuiltIn(t *testing.T) {
	for _, language := range []string{"zh", "en"} {
		seen := map[string]string{}
		for tool, by := range names {
			n := by[language]
			if !fits(n, language) {
				t.Errorf("%s is %q in %s, of %d characters", tool, n, language, utf8.RuneCountInString(n))
			}
			if seen[n] != "" {
				t.Errorf("%s and %s are both %q", tool, seen[n], n)
			}
			seen[n] = tool
		}
	}
	for word, d := range does {
		if !fits(d[0], "zh") || !fits(d[1], "en") || utf8.RuneCountInString(d[0]) > 4 {
			t.Errorf("%s: %q", word, d)
		}
	}
}

// Tools that would get the same name are told apart, and the same cards get the same names again.
func TestApart(t *testing.T) {
	cards := tools("a__read_file", "b__read_file", "c__get_file", "d__echo", "e__hello")
	got := Names(cards, "zh")
	want := map[string]string{"a__read_file": "文件查阅员", "b__read_file": "文件查阅员2", "c__get_file": "文件查阅员3", "d__echo": "工具专员", "e__hello": "工具专员2"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if again := Names(cards, "zh"); !reflect.DeepEqual(got, again) {
		t.Error(again)
	}
	many := tools()
	for range 30 {
		many = append(many, tools("x"+strings.Repeat("y", len(many))+"__query_contacts")...)
	}
	seen := map[string]bool{}
	for tool, n := range Names(many, "zh") {
		if seen[n] || !fits(n, "zh") {
			t.Errorf("%s is %q", tool, n)
		}
		seen[n] = true
	}
}

func TestChosen(t *testing.T) {
	cards := append(tools("save_file", "deep_search", "code_interpreter", "files__read_file"), bus.Card{Name: "orders", Kind: "agent"})
	built := Names(cards, "zh")
	for name, c := range map[string]struct {
		answer string
		want   map[string]string
		held   int
	}{
		"all": {`{"save_file":"数据记录员","deep_search":"竞品侦察员","code_interpreter":"算法专家","files__read_file":"档案员"}`,
			map[string]string{"save_file": "数据记录员", "deep_search": "竞品侦察员", "code_interpreter": "算法专家", "files__read_file": "档案员"}, 4},
		"one is missing, one is too long, one is no text": {`{"save_file":"数据记录员","deep_search":"非常资深的市场洞察专员","code_interpreter":7}`,
			map[string]string{"save_file": "数据记录员", "deep_search": built["deep_search"], "code_interpreter": built["code_interpreter"], "files__read_file": built["files__read_file"]}, 1},
		"two are alike": {`{"save_file":"专家","deep_search":"专家","code_interpreter":"文件查阅员","files__read_file":""}`,
			map[string]string{"save_file": "专家", "deep_search": built["deep_search"], "code_interpreter": "文件查阅员", "files__read_file": "文件查阅员2"}, 2},
		"of somebody else":    {`{"rm_rf":"清理员","orders":"订单员","save_file":"<b>员"}`, built, 0},
		"a list":              {`["a"]`, built, 0},
		"nothing":             {``, built, 0},
		"a line break inside": {`{"save_file":"数据\n记录"}`, built, 0},
	} {
		got, held := Chosen(json.RawMessage(c.answer), cards, "zh")
		if !reflect.DeepEqual(got, c.want) || held != c.held {
			t.Errorf("%s: %v, %d held\nwant %v, %d", name, got, held, c.want, c.held)
		}
	}
}

func TestList(t *testing.T) {
	cards := []bus.Card{{Name: "a", Kind: "tool", Description: "one\n two  " + strings.Repeat("长", 100)}, {Name: "orders", Kind: "agent"}}
	if got, want := List(cards), "- a: one two "+strings.Repeat("长", 72)+"…"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := string(Schema(cards)); got != `{"properties":{"a":{"type":"string"}},"type":"object"}` {
		t.Error(got)
	}
}

// Whatever a model answers and tools are called: every tool has a name that holds.
func FuzzChosen(f *testing.F) {
	f.Add(`{"read_file":"档案员"}`, "read_file", "files__ABC-def")
	f.Add(`{"a":"\u0000","b":"x"}`, "a", "b")
	f.Fuzz(func(t *testing.T, answer, one, two string) {
		cards := tools(one)
		if two != one {
			cards = tools(one, two)
		}
		for _, language := range []string{"zh", "en"} {
			got, _ := Chosen(json.RawMessage(answer), cards, language)
			for _, c := range cards {
				if n := got[c.Name]; !fits(n, language) {
					t.Errorf("%q is %q in %s", c.Name, n, language)
				}
			}
			if len(got) != len(cards) || len(cards) == 2 && got[one] == got[two] {
				t.Errorf("%v", got)
			}
		}
	})
}

// What a call without a model pays for the names of an agent's twelve tools.
func BenchmarkNames(b *testing.B) {
	cards := tools("search_order_code", "list_orders", "order_detail", "cancel_order", "change_order", "change_order_state", "find_customers",
		"send_message_to_buyer", "find_products", "stock_level", "files__read_file", "files__list_directory")
	b.ReportAllocs()
	for b.Loop() {
		Names(cards, "zh")
	}
}
