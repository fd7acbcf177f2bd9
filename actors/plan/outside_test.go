package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/wishes"
)

// In a text full of such wishes, they are looked for as far as [maxAside]: a longer one is no more work.
func TestOutsideIsBounded(t *testing.T) {
	x := newTeam(t).index["master"]
	work := func(n int) float64 {
		text := strings.Repeat("sing me a song, ", n)
		return testing.AllocsPerRun(2, func() {
			x.outside(&goal{text: text, clauses: []wishes.Clause{{Text: text, End: len(text)}}})
		})
	}
	if some, many := work(maxAside/8), work(maxAside); some == 0 || many > 2*some {
		t.Errorf("%.0f allocations for a text beyond the bound, %.0f for one eight times as long", some, many)
	}
	short := "王萍萍的订单, sing me a song"
	if found := x.outside(&goal{text: short, clauses: []wishes.Clause{wishes.Span(short, 0, len(short))}}); len(found) != 1 || found[0].Text != "sing me a song" {
		t.Errorf("%+v", found)
	}
}

// TestOutside: what is no matter of the shop calls no tool, whatever words or capitals it shares with one; what names a thing of the shop does.
func TestOutside(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{
		"weather in Paris", "what is the weather in Paris today", "who won the world cup", "stock price of Apple", "bitcoin price", "translate hello into French",
		"book a flight to Tokyo", "capital of France", "who is the president of the United States", "how tall is Mount Everest", "who wrote Hamlet",
		"recommend a movie", "who are the best football players", "what is quantum computing", "how many people live in China", "best restaurants near me",
		"写一首诗", "巴黎天气怎么样", "谁赢了世界杯", "苹果公司的股价是多少", "比特币价格", "推荐一部电影", "帮我订一张机票", "世界上最高的山是哪座", "美国总统是谁",
		"order a pizza", "what day is Christmas", "今年春节是哪天", "今天加100天是哪天", "再过三十天是几号", "what date is 30 days from today", "what day will it be in 45 days", "红烧肉怎么做", "孩子发烧怎么办", "把你好翻译成英文", "中国有多少人口", "人民币对美元汇率", "什么是光合作用",
	} {
		if h.ask(t, request); len(h.log) > 0 {
			t.Errorf("%s: %s", request, h.told())
		}
	}
	for _, request := range []string{"国庆期间的销售额", "orders at Christmas", "世界杯期间的销售额", "sales during the world cup", "which parcels are stuck or late", "hows business today", "哪些商品利润不足", "orders of Bob Miller"} {
		if h.ask(t, request); len(h.log) == 0 {
			t.Errorf("%s: no tool", request)
		}
	}
}
