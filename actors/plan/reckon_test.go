package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"
)

// late are three late orders: 0.1 and 0.2 are no exact floats.
const late = `{"summary":"S.","summary_en":"S.","count":3,"orders":[
	{"order_id":"281063663568","consumer_name":"王萍萍","state":"待发货","hours_late":70.1,"ship_by":"2026-05-09 09:00:00","total":0.1},
	{"order_id":"281063663569","consumer_name":"胡子平","state":"待发货","hours_late":64,"ship_by":"2026-05-12 09:00:00","total":0.2},
	{"order_id":"281063663570","consumer_name":"王萍萍","state":"待发货","hours_late":13.4,"ship_by":"2026-05-14 09:00:00","total":1000.4}]}`

const refunds = `{"summary":"S.","summary_en":"S.","count":%d,"amount":%s,"refunds":[
	{"refund_id":"5100000000001","order_id":"281063663568","consumer_name":"王萍萍","kind":"仅退款","reason":"质量问题","amount":100,"state":"已同意","asked_at":"2026-05-01 09:00:00"},
	{"refund_id":"5100000000002","order_id":"281063663569","consumer_name":"胡子平","kind":"仅退款","reason":"不想要了","amount":50.5,"state":"待处理","asked_at":"2026-04-11 09:00:00"},
	{"refund_id":"5100000000003","order_id":"281063663570","consumer_name":"王萍萍","kind":"退货退款","reason":"质量问题","amount":20,"state":"已拒绝","asked_at":"2026-04-10 09:00:00"}]}`

const goods = `{"summary":"S.","summary_en":"S.","count":2,"products":[
	{"sku_name":"甲","category":"玩具","brand":"星","price":99,"cost":50,"stock":3,"sku_id":"10000020000001"},
	{"sku_name":"乙","category":"玩具","brand":"月","price":159,"cost":70,"stock":12,"sku_id":"10000020000002"}]}`

// TestReckoned: what follows from the rows of a list is worked out, exactly, and said.
func TestReckoned(t *testing.T) {
	all, cut := fmt.Sprintf(refunds, 3, "170.5"), fmt.Sprintf(refunds, 300, "90000")
	for _, c := range []struct{ request, tool, says, want, not string }{
		{"超时的订单一共多少钱", "late_shipments", late, "3 个超时订单的实付金额：合计 1,000.7 元，平均 333.57 元。", ""},
		{"发货超时的订单平均超时多少小时", "late_shipments", late, "超时小时数：平均 49.17，合计 147.5。", ""},
		{"average value of the late orders", "late_shipments", late, "Paid (CNY) of 3 (Late orders): 333.57 on average, 1,000.7 in all.", ""},
		{"超时最短的订单", "late_shipments", late, "超时小时数最低的是 王萍萍 281063663570 （13.4）。", "281063663568"},
		{"哪个买家的超时订单最多", "late_shipments", late, "| 王萍萍 | 2 |", ""},
		{"最贵的玩具", "find_products", goods, "售价最高的是 乙 10000020000002 （159 元）。", "| 甲"},
		{"the cheapest toy", "find_products", goods, "Lowest Price (CNY): 甲 10000020000001 (99).", "| 乙"},
		{"哪个原因的退款最多", "list_refunds", all, "按原因分，退款申请数最多的是 质量问题（2）。", "注意"},
		{"退款按原因分组", "list_refunds", all, "| 质量问题 | 2 |\n| 不想要了 | 1 |", "注意"},
		{"refund amount by reason", "list_refunds", all, "| 质量问题 | 120 |\n| 不想要了 | 50.5 |", "Note"},
		{"各处理状态的退款占比", "list_refunds", all, "| 已同意 | 1 | 33.3% |\n| 待处理 | 1 | 33.3% |", "注意"},
		{"哪个原因的退款最多", "list_refunds", cut, "注意：一共 300 个，只列出了 3 个，上面的数只按列出的算，不是全部的。", ""},
		{"average refund amount", "list_refunds", cut, "Asked for (CNY) of 300 (Refund requests): 300 on average, 90,000 in all.", "Note"},
		{"退款按仓库统计", "list_refunds", all, "列出的内容里没有「仓库」这一项，没法按它算。", ""},
		{"超过500元的超时订单", "late_shipments", late, "列出的 3 个里，实付金额「超过500元」的有 1 个。", "| 281063663568"},
	} {
		h := newTeam(t)
		h.says[c.tool] = c.says
		got := h.ask(t, c.request)
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: wanted %q and not %q in\n%s", c.request, c.want, c.not, got)
		}
	}
}

// TestPickedByMonth: a month that no argument takes picks the rows, and nothing is said to be left out.
func TestPickedByMonth(t *testing.T) {
	h := newTeam(t)
	h.says["search_order_code"] = `{"summary":"S.","summary_en":"S.","count":2,"orders":[
		{"order_id":"281063663568","time":"2026-05-03 09:00:00","state":"已完成","consumer_name":"王萍萍","goods":"A ×1","total":1,"user_pin":"w"},
		{"order_id":"281063663569","time":"2026-04-30 23:59:59","state":"已完成","consumer_name":"王萍萍","goods":"B ×1","total":2,"user_pin":"w"}]}`
	got := h.ask(t, "what did Wang Pingping buy in May")
	if !strings.Contains(got, "281063663568") || strings.Contains(got, "281063663569") || strings.Contains(got, "Note") {
		t.Errorf("%s", got)
	}
}

// TestReckonedOfTheLast: what picks from the last list, or adds it up, is worked out from that list, looked up again.
func TestReckonedOfTheLast(t *testing.T) {
	const shown = "S.\n\n| 订单编号 | 买家 | 实付金额 |\n| --- | --- | --- |\n| 281063663568 | 王萍萍 | 0.1 |\n| 281063663569 | 胡子平 | 0.2 |\n"
	for _, c := range [][3]string{
		{"找出发货超时的订单", "最贵的那个", "实付金额最高的是 王萍萍 281063663570 （1,000.4 元）。"},
		{"找出发货超时的订单", "它们一共多少钱", "合计 1,000.7 元"},
		{"找出发货超时的订单", "平均多少钱", "平均 333.57 元"},
		{"找出发货超时的订单", "上海的那个", "没有按「上海」筛选"},
		{"list late orders", "total of these", "1,000.7 in all"},
		{"list late orders", "the ones over 500 yuan", "Of the 3 listed, 1 with Paid (CNY) “over 500 yuan”."},
		{"list late orders", "the cheapest one", "Lowest Paid (CNY): 王萍萍 281063663568 (0.1)."},
	} {
		h := newTeam(t)
		h.says["late_shipments"] = late
		in := ask(c[1])
		in.History = []Turn{{Request: c[0], Answer: shown}}
		if got := h.begin(t, in); !strings.Contains(got, c[2]) || len(h.log) != 1 || h.log[0].name != "late_shipments" {
			t.Errorf("%s, %s: %s\n%s", c[0], c[1], h.told(), got)
		}
	}
}

// TestNotReckoned: what the tool tells by itself is not worked out beside it, and "at least" asks for no least.
func TestNotReckoned(t *testing.T) {
	for _, c := range []struct{ request, tool, says string }{
		{"有多少超时的订单", "late_shipments", late},
		{"退款一共多少钱", "list_refunds", fmt.Sprintf(refunds, 300, "90000")},
		{"列出超时的订单", "late_shipments", late},
		{"what toys do we sell", "find_products", goods},
	} {
		h := newTeam(t)
		h.says[c.tool] = c.says
		if got := h.ask(t, c.request); strings.Contains(got, "平均") || strings.Contains(got, "最高") || strings.Contains(got, "注意") {
			t.Errorf("%s: %s", c.request, got)
		}
	}
	if f := readReckoning("orders of at least 100").fold; f != foldNone {
		t.Errorf("at least: %v", f)
	}
}

func TestReadReckoning(t *testing.T) {
	for text, want := range map[string]reckoning{
		"库存最少的5个商品": {fold: foldLeast, n: 5}, "top 3 products": {fold: foldMost, n: 3, by: "products"}, "前十名客户": {fold: foldMost, n: 10, by: "客户"}, "the two cheapest": {fold: foldLeast, n: 2},
		"平均客单价": {fold: foldMean}, "how many of each city": {fold: foldCount, by: "city"}, "按城市统计订单": {by: "城市"}, "每个客户花了多少钱": {by: "客户"},
		"which buyer has the most refunds": {fold: foldMost, by: "buyer"}, "谁花钱最多": {fold: foldMost, by: "客户"}, "按邮件通知": {}, "refunds by state": {by: "state"},
	} {
		got := readReckoning(text)
		if got.fold != want.fold || got.n != want.n || got.by != want.by {
			t.Errorf("%s: %+v, wanted %+v", text, got, want)
		}
	}
}

func TestFigure(t *testing.T) {
	for in, want := range map[string]string{"1234567.891": "1,234,567.89", "-1000": "-1,000", "0.005": "0.01", "100": "100", "-999.5": "-999.5"} {
		n, _ := new(big.Rat).SetString(in)
		if got := figure(n); got != want {
			t.Errorf("%s: %s, wanted %s", in, got, want)
		}
	}
	for _, hostile := range []any{json.Number("1e999999999"), json.Number(strings.Repeat("9", 100)), "0x10", "1/3", nil, true, ""} {
		if n := amountOf(hostile); n != nil {
			t.Errorf("%v is taken for %v", hostile, n)
		}
	}
}

// FuzzReckoned: no request and no list makes the answer panic, and the same ones give the same answer.
func FuzzReckoned(f *testing.F) {
	f.Add("哪个原因的退款最多", "质量问题", "1e9", "2026-05-01")
	f.Add("average refund amount over 3 by state top 2", "×1；B ×2", "-0", "2026-13-45")
	f.Add("最贵的前3个，占比", "", "x", "")
	e := newTeam(f).index["logistics"].byName["late_shipments"]
	f.Fuzz(func(t *testing.T, request, text, number, when string) {
		row := func(n string) map[string]any {
			return map[string]any{"consumer_name": text, "total": json.Number(n), "hours_late": number, "ship_by": when, "state": text + n}
		}
		g, lacks, ok := readReckoning(request).lay(e)
		if !ok {
			t.Fatal("no list")
		}
		rows := []any{row("1"), row(number), row("3")}
		facts := readFacts(request, time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC), func(string) bool { return false })
		say := func() string {
			s := sheet{folding: g, w: writer{lang: "en", asked: request}, rows: rows, all: rows, object: map[string]any{"count": json.Number(number)}, result: &e.result}
			for _, fa := range facts {
				if kept, c, ok := s.pick(fa, request, s.rows, time.Time{}); ok {
					s.rows, s.where = kept, append(s.where, c)
				}
			}
			out, how := s.words(lacks)
			return out + how
		}
		if a, b := say(), say(); a != b {
			t.Errorf("%s\n%s", a, b)
		}
	})
}

// TestOnlyLooked: a change for which there is no tool is not answered with a list as if it had been made.
func TestOnlyLooked(t *testing.T) {
	h := newTeam(t)
	if got := h.ask(t, "delete all customers"); len(h.log) > 0 && !strings.Contains(got, "nothing was changed") {
		t.Errorf("%s: %s", h.told(), got)
	}
	if got := h.ask(t, "show all customers"); strings.Contains(got, "nothing was changed") {
		t.Errorf("%s: %s", h.told(), got)
	}
}
