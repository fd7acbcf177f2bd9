package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/knowledge"
	"github.com/hmap-project/hmap/tools/web"
)

// minds is a model of a test's own: what it answers by the names of the prompts, in order, the last one again and again.
type minds struct {
	mu      sync.Mutex
	answers map[string][]string // "!" is an error
	asked   map[string][]Prompt
}

func (m *minds) ask(_ context.Context, call bus.Request, p Prompt) (Reply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked == nil {
		m.asked = map[string][]Prompt{}
	}
	m.asked[p.Name] = append(m.asked[p.Name], p)
	all := m.answers[p.Name]
	usage := bus.Usage{InputTokens: 10}
	if len(all) == 0 || all[0] == "!" || call.Caller != "researcher" {
		return Reply{Usage: usage}, errors.New("the model is down")
	}
	if len(all) > 1 {
		m.answers[p.Name] = all[1:]
	}
	if p.Schema != nil {
		return Reply{JSON: json.RawMessage(all[0]), Usage: usage}, nil
	}
	p.OnText(all[0])
	return Reply{Text: all[0], Usage: usage}, nil
}

// The model chooses the queries, wants more, and writes; its invented citation and address go, and what it costs is told.
func TestModelWrites(t *testing.T) {
	s := newSite(t)
	s.page("/a", fmt.Sprintf(article, "年报", "2026 年国内空气炸锅市场规模达到 86 亿元，比上年增长百分之四点二。"))
	s.page("/b", fmt.Sprintf(article, "品牌", "空气炸锅市场的竞争格局：甲品牌占三成，乙品牌占两成。"))
	m := &minds{answers: map[string][]string{
		"search_queries": {`{"queries":[{"dimension":"规模","query":"空气炸锅 市场规模 2026"},{"dimension":"规模","query":"2026 空气炸锅 市场规模"},{"dimension":"x","query":" "},{"dimension":"品牌","query":"空气炸锅 品牌 份额"}]}`},
		"search_judge":   {`{"enough":false,"queries":[{"dimension":"价格","query":"空气炸锅 均价"}]}`, `{"enough":true,"queries":[{"dimension":"更多","query":"不该再问"}]}`},
		"search_answer":  {"市场规模达到 86 亿元 [1]。空气炸锅市场的竞争格局中甲品牌占三成【2】。明年火星上也会卖 [7]。月球的天气很好 [1]。见 https://evil.example/x 和 [这里](https://evil.example/y)。\n\n## 来源\n[1] 假的"},
	}}
	w := newWorld(t, Options{Engines: []Engine{s.engine(t)}, Web: fetcher(t, web.Options{}), Ask: m.ask})
	out, answer := w.search("调研空气炸锅市场")
	material := m.asked["search_answer"][0].Text
	if !strings.Contains(material, "[1] ") || !strings.Contains(material, "[2] ") || !strings.Contains(material, "86 亿元") {
		t.Fatalf("the passages: %s", material)
	}
	body, list, _ := strings.Cut(out.Answer, "\n\n来源\n\n")
	if strings.Contains(out.Answer, "evil") || strings.Contains(body, "[7]") || strings.Contains(out.Answer, "假的") || !strings.Contains(body, "很好（无出处）") || !strings.Contains(body, "这里") {
		t.Error(out.Answer)
	}
	if len(out.Sources) != 2 || strings.Count(list, "\n")+1 != 2 || !strings.Contains(body, "亿元 [1]") || !strings.Contains(body, "三成 [2]") {
		t.Errorf("%+v\n%s", out.Sources, out.Answer)
	}
	if !strings.Contains(out.Note, "2 处引用") {
		t.Errorf("what was taken out is not told: %q", out.Note)
	}
	if out.Rounds != 2 || len(out.Queries["规模"]) != 1 || len(out.Queries["价格"]) != 1 || out.Queries["更多"] != nil || !slices.Contains(out.Queries["总体"], "空气炸锅市场") {
		t.Errorf("%d rounds, %v", out.Rounds, out.Queries)
	}
	if answer.Usage == nil || answer.Usage.InputTokens != 40 {
		t.Errorf("four questions cost %+v", answer.Usage)
	}
}

// A model that is down, writes nonsense, or cites nothing that is there: the sources are quoted.
func TestModelFails(t *testing.T) {
	for name, answers := range map[string]map[string][]string{
		"down":         {},
		"nonsense":     {"search_queries": {`[1,2`}, "search_judge": {`"no"`}, "search_answer": {"  "}},
		"no citation":  {"search_queries": {`{"queries":[]}`}, "search_judge": {`{"enough":true,"queries":[]}`}, "search_answer": {"一切都好。"}},
		"all invented": {"search_queries": {`{"queries":null}`}, "search_judge": {`{}`}, "search_answer": {"一切都好 [9][12]。"}},
		"down later":   {"search_queries": {`{"queries":[{"dimension":"a","query":"运费由谁承担"}]}`}, "search_judge": {`{"enough":true,"queries":[]}`}, "search_answer": {"!"}},
	} {
		m := &minds{answers: answers}
		w := newWorld(t, Options{Folders: []*knowledge.Base{rules(t)}, Ask: m.ask})
		out, _ := w.search("运费纠纷怎么处理")
		if !out.Found || !strings.Contains(out.Answer, "谁过错，谁承担") || name != "nonsense" && out.Note == "" {
			t.Errorf("%s: %+v", name, out)
		}
		if name == "down" && len(m.asked) != 1 {
			t.Errorf("a model that is down was asked %v", m.asked)
		}
	}
}

func TestCite(t *testing.T) {
	a, b := &Source{Title: "a", Link: "https://a.example/1"}, &Source{Title: "b"}
	said := map[*Source]set{a: split("cats sleep sixteen hours a day"), b: split("狗每天睡十二个小时")}
	for _, c := range []struct {
		text, want string
		kept, gone int
	}{
		{"Cats sleep all day [1].", "Cats sleep all day [1].", 1, 0},
		{"狗每天睡十二个小时[2]。Cats sleep [1].", "狗每天睡十二个小时 [1]。Cats sleep [2].", 2, 0},
		{"Cats sleep [1, 2] long [^1].", "Cats sleep [1] long [1].", 1, 1},
		{"Nothing [0] [3] [99999].", "Nothing (none) (none) (none).", 0, 3},
		{"Quarterly revenue doubled again [1].", "Quarterly revenue doubled again (none).", 0, 1},
		{"Cats sleep ［1］. See [x](https://a.example/1) and [y](https://z.example).", "Cats sleep [1]. See [x](https://a.example/1) and y.", 1, 0},
		{"Cats sleep [1].\n\nSources:\n[1] mine", "Cats sleep [1].", 1, 0},
		{"Cats sleep [1[9]2] all [3[^4[9]】1].", "Cats sleep 1 (none)2] all 34 (none)】1].", 0, 2},
		{"", "", 0, 0},
	} {
		got, kept, gone := cite(c.text, []*Source{a, b}, said, " (none)")
		if got != c.want || len(kept) != c.kept || gone != c.gone {
			t.Errorf("%q: %q, %d kept, %d gone", c.text, got, len(kept), gone)
		}
	}
}

func FuzzCite(f *testing.F) {
	f.Add("Cats [1][2,3]。狗【2】 [x](http://a) [^9]\n来源\n")
	a := &Source{Title: "a", Link: "https://a.example/1"}
	said := map[*Source]set{a: split("cats sleep 狗睡觉")}
	f.Fuzz(func(t *testing.T, text string) {
		out, kept, _ := cite(text, []*Source{a}, said, "")
		for _, m := range mark.FindAllStringSubmatch(out, -1) {
			if m[1] != "1" && len(kept) == 0 {
				t.Errorf("%q: %q cites %s", text, out, m[1])
			}
		}
	})
}

func TestUnderstand(t *testing.T) {
	for asked, want := range map[string]string{
		"调研一下运费纠纷怎么处理，并给出处":                                    "zh rule 运费纠纷怎么处理",
		"帮我深度搜索关于新能源汽车的资料":                                     "zh general 新能源汽车",
		"请上网查一下京东的股价和估值，附上来源。":                                 "zh company 京东的股价和估值",
		"从价格、口碑和销量三个方面调研空气炸锅":                                  "zh named 空气炸锅",
		"research the history of QUIC, with sources":           "en general the history of QUIC",
		"Please do a deep research on battery technology":      "en technology battery technology",
		"look up on the web who is Ada Lovelace":               "en person who is Ada Lovelace",
		"compare air fryers in terms of price, size and noise": "en named compare air fryers",
		"调研一下": "zh general ",
	} {
		if got := understand(asked); got.language+" "+got.kind+" "+got.core != want {
			t.Errorf("%s: %s %s %q", asked, got.language, got.kind, got.core)
		}
	}
}

// The queries differ, each says something, and the topic decides on the sides.
func TestQueries(t *testing.T) {
	for asked, want := range map[string]string{
		"调研宁德时代的股票":                       "总体 财务数据 行业趋势 竞争格局 估值",
		"空气炸锅市场":                          "总体 市场规模 发展趋势 竞争格局 用户需求",
		"从价格、口碑和销量三个方面调研空气炸锅":             "总体 价格 口碑 销量",
		"比较 QUIC 和 TCP 的区别":               "总体 QUIC TCP 概况 背景",
		"运费谁出？多久退款？":                      "总体 运费谁出 多久退款 规定 责任",
		"how does the QUIC protocol work": "In general applications",
	} {
		var got []string
		var sets []set
		for _, q := range understand(asked).queries(5) {
			got = append(got, q.Dimension)
			words := termsOf(q.Text)
			if len(words) == 0 || slices.ContainsFunc(sets, func(s set) bool { return slices.Equal(s, words) }) {
				t.Errorf("%s: %q says nothing new", asked, q.Text)
			}
			sets = append(sets, words)
		}
		if !strings.HasPrefix(strings.Join(got, " "), want) {
			t.Errorf("%s: %v", asked, got)
		}
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{"从a、b方面调研c", "research x in terms of y, z", "A和B的区别？C；D", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		topic := understand(s)
		a := asked{}
		for _, q := range topic.queries(5) {
			a.add(q)
		}
		topic.again(&a, []string{topic.overview()}, 2, 5)
		if len(a.all) > 10 {
			t.Errorf("%d queries", len(a.all))
		}
	})
}

// Every sentence stands in the text as it is.
func FuzzSentences(f *testing.F) {
	f.Add("# h\n- a b c d e f. G h i j k l!\n> 一句话说完了。又一句话在这里？\n| t | u |\n```\ncode is here\n```\n1. 第一点是这样的")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range sentences(text) {
			if !strings.Contains(text, s) || strings.Contains(s, "\n") {
				t.Errorf("%q is not in %q", s, text)
			}
		}
	})
}

func FuzzRows(f *testing.F) {
	f.Add([]byte(`{"results":[{"title":1,"url":null,"content":["a",2]},3]}`))
	f.Fuzz(func(_ *testing.T, answer []byte) {
		for _, api := range apis {
			_, _ = api.read(answer)
		}
	})
}

func TestPrints(t *testing.T) {
	text := strings.Repeat("空气炸锅市场在过去五年里增长得很快，线上渠道占了八成。", 3) + "它的主要品牌有甲、乙、丙，价格从两百到一千元不等。"
	if p := printOf(text); p.like(printOf(strings.ReplaceAll(text, "，", " , ")+"（转载）")) < sameText || p.like(printOf("关于退货规则的另一篇文章，说的是七天无理由退货的条件和例外。")) > 0.1 {
		t.Error("a copy is not known, or another text is taken for one")
	}
}
