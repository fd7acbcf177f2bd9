package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/bus"
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

const buyers = `{"summary":"S.","summary_en":"S.","count":3,"customers":[
	{"consumer_name":"王萍萍","city":"广东省深圳市","orders":3,"spent":300,"average_order":100,"last_order_at":"2026-05-01 09:00:00","consumer_mobile_phone":"12100000890","user_pin":"w1"},
	{"consumer_name":"胡子平","city":"广东省广州市","orders":2,"spent":500,"average_order":250,"last_order_at":"2026-05-02 09:00:00","consumer_mobile_phone":"12100000891","user_pin":"h1"},
	{"consumer_name":"李敏","city":"上海市","orders":4,"spent":100,"average_order":25,"last_order_at":"2026-05-02 10:00:00","consumer_mobile_phone":"12100000892","user_pin":"l1"}]}`

const sold = `{"summary":"S.","summary_en":"S.","orders":9,"quantity":12,"amount":900,"refunded":20,"average_order":100,"refund_rate_percent":3,"groups":[
	{"group":"广东省深圳市","orders":3,"quantity":4,"amount":300,"average_order":100},
	{"group":"广东省广州市","orders":2,"quantity":5,"amount":500,"average_order":250},
	{"group":"上海市","orders":4,"quantity":3,"amount":100,"average_order":25}]}`

const gains = `{"summary":"S.","summary_en":"S.","orders":9,"quantity":12,"amount":1700,"profit":460,"groups":[
	{"group":"乙","orders":3,"quantity":4,"amount":1000,"profit":100,"margin_percent":10},
	{"group":"甲","orders":4,"quantity":5,"amount":500,"profit":300,"margin_percent":60},
	{"group":"丙","orders":2,"quantity":3,"amount":200,"profit":60,"margin_percent":30}]}`

const monthly = `{"summary":"S.","summary_en":"S.","orders":5,"quantity":9,"amount":800,"refunded":0,"average_order":160,"refund_rate_percent":0,"groups":[
	{"group":"2026-04","orders":3,"quantity":4,"amount":300,"average_order":100},{"group":"2026-05","orders":2,"quantity":5,"amount":500,"average_order":250}]}`

const stocked = `{"summary":"S.","summary_en":"S.","count":2,"stock":[
	{"sku_name":"甲","stock":7,"sold_per_day":2,"days_left":3.5,"sku_id":"10000020000001"},{"sku_name":"乙","stock":71,"sold_per_day":2,"days_left":35,"sku_id":"10000020000002"}]}`

const placed = `{"summary":"S.","summary_en":"S.","count":3,"total":60,"paid":60,"states":[{"state":"已完成","count":2,"total":50},{"state":"待发货","count":1,"total":10}],"orders":[
	{"order_id":"281063663568","time":"2026-05-03 09:00:00","state":"已完成","consumer_name":"王萍萍","goods":"A ×1","total":20,"city":"上海市","user_pin":"w"},
	{"order_id":"281063663569","time":"2026-05-04 09:00:00","state":"已完成","consumer_name":"胡子平","goods":"B ×1","total":30,"city":"上海市","user_pin":"h"},
	{"order_id":"281063663570","time":"2026-05-05 09:00:00","state":"待发货","consumer_name":"王萍萍","goods":"A ×1","total":10,"city":"北京市","user_pin":"w"}]}`

const promoted = `{"summary":"S.","summary_en":"S.","count":2,"cost":30,"sales":300,"channels":[{"channel":"直播","cost":20,"sales":200,"roi":10},{"channel":"搜索推广","cost":10,"sales":100,"roi":10}],"campaigns":[
	{"name":"八月","from":"2026-08-01","to":"2026-08-09","cost":10,"sales":100,"orders":1,"campaign_id":1},{"name":"九月","from":"2026-09-01","to":"2026-09-09","cost":20,"sales":200,"orders":2,"campaign_id":2}]}`

// TestReckoned: what follows from the rows of a list is worked out, exactly, and said.
func TestReckoned(t *testing.T) {
	all, cut := fmt.Sprintf(refunds, 3, "170.5"), fmt.Sprintf(refunds, 300, "90000")
	for _, c := range []struct{ request, tool, says, want, not string }{
		{"超时的订单一共多少钱", "late_shipments", late, "3 个超时订单的实付金额：合计 1,000.7 元，平均 333.57 元。", ""},
		{"发货超时的订单平均超时多少小时", "late_shipments", late, "超时小时数：平均 49.17，合计 147.5。", ""},
		{"average value of the late orders", "late_shipments", late, "Paid (CNY) of 3 (Late orders): 333.57 on average, 1,000.7 in all.", ""},
		{"超时最短的订单", "late_shipments", late, "超时小时数最低的是 王萍萍 281063663570 （13.4）。", "281063663568"},
		{"哪个买家的超时订单最多", "late_shipments", late, "| 王萍萍 | 2 |", ""},
		{"top 2 campaigns by sales", "campaign_results", promoted, "Highest Sales (CNY): 九月", "搜索推广"},
		{"campaigns sorted by cost", "campaign_results", promoted, "Highest Cost (CNY): 九月", "搜索推广"},
		{"最贵的玩具", "find_products", goods, "售价最高的是 乙 10000020000002 （159 元）。", "| 甲"},
		{"the cheapest toy", "find_products", goods, "Lowest Price (CNY): 甲 10000020000001 (99).", "| 乙"},
		{"哪个原因的退款最多", "list_refunds", all, "按原因分，退款申请数最多的是 质量问题（2）。", "注意"},
		{"退款按原因分组", "list_refunds", all, "| 质量问题 | 2 |\n| 不想要了 | 1 |", "注意"},
		{"refund amount by reason", "list_refunds", all, "| poor quality | 120 |\n| no longer wanted | 50.5 |", "Note"},
		{"各处理状态的退款占比", "list_refunds", all, "| 已同意 | 1 | 33.3% |\n| 待处理 | 1 | 33.3% |", "注意"},
		{"哪个原因的退款最多", "list_refunds", cut, "注意：一共 300 个，只列出了 3 个，上面的数只按列出的算，不是全部的。", ""},
		{"average refund amount", "list_refunds", cut, "Asked for (CNY) of 300 (Refund requests): 300 on average, 90,000 in all.", "Note"},
		{"退款按仓库统计", "list_refunds", all, "列出的内容里没有「仓库」这一项，没法按它算。", ""},
		{"客单价最高的客户", "find_customers", buyers, "客单价最高的是 胡子平", ""},
		{"top 2 customers by spend", "find_customers", buyers, "Highest Spent (CNY): 胡子平", "| 李敏"},
		{"订单数前两名的客户", "find_customers", buyers, "订单数最高的是 李敏", "| 胡子平"},
		{"每个省有多少客户", "find_customers", buyers, "| 广东省 | 2 |\n| 上海市 | 1 |", ""},
		{"平均每个客户消费多少", "find_customers", buyers, "3 个客户的消费金额：平均 300 元，合计 900 元。", ""},
		{"上个月销量最高的省份", "sales_statistics", sold, "按省份分，销量最多的是 广东省（9）。", "深圳"},
		{"各省的客单价", "sales_statistics", sold, "「客单价」已经是平均数", "350"},
		{"refund rate by city", "sales_statistics", strings.ReplaceAll(sold, `"average_order":`, `"refund_rate_percent":4.5,"average_order":`), "Highest Refund rate (%)", "cannot be worked out"},
		{"哪个月的销售额最高", "sales_statistics", monthly, "销售额最高的是 2026-05 （500 元）。", ""},
		{"每个月的销量和订单数", "sales_statistics", monthly, "| 2026-04 | 3 | 4 | 300 | 100 |\n| 2026-05", "最高"},
		{"哪个商品库存最多", "stock_level", stocked, "库存最高的是 乙 10000020000002 （71 件）。", ""},
		{"本月平均每单多少钱", "sales_statistics", sold, "100", "状态的订单"},
		{"本月每个订单的平均金额", "list_orders", placed, "3 个订单的实付金额：平均 20 元，合计 60 元。", "状态的订单"},
		{"各类目有多少商品", "find_products", goods, "| 玩具 | 2 |", ""},
		{"最赚钱的商品", "sales_statistics", gains, "毛利润最高的是 甲 （300 元）。", "利润」"},
		{"which product makes the most money?", "sales_statistics", gains, "Highest Margin (CNY): 甲 (300).", "cannot"},
		{"least profitable category", "sales_statistics", gains, "Lowest Margin (CNY): 丙 (60).", "cannot"},
		{"毛利率最高的商品", "sales_statistics", gains, "毛利率（%）最高的是 甲 （60）。", "没有算出来"},
		{"上个月卖得最差的商品", "sales_statistics", gains, "销售额最低的是 丙 （200 元）。", ""},
		{"worst selling product", "sales_statistics", gains, "Lowest Sales (CNY): 丙 (200).", ""},
		{"哪个省的客户下单最多", "find_customers", buyers, "按省分，订单数最多的是 广东省（5）。", ""},
		{"which province's customers placed the most orders?", "find_customers", buyers, "the most Orders: 广东省 (5)", ""},
		{"平均每个类目的销售额", "sales_statistics", gains, "平均每个类目的销售额：566.67 元（列出的 3 个）。", "最高"},
		{"每个品牌平均卖了多少", "sales_statistics", gains, "平均每个品牌的销售额：566.67 元", "没有「"},
		{"average sales per category", "sales_statistics", gains, "Sales (CNY) per category: 566.67 on average (of the 3 listed).", "Highest"},
		{"average orders per city", "list_orders", strings.ReplaceAll(strings.ReplaceAll(sold, `"orders"`, `"count"`), `"amount"`, `"total"`), "Orders per city: 3 on average", "Highest"},
		{"平均每个月的订单数", "list_orders", strings.ReplaceAll(strings.ReplaceAll(monthly, `"orders"`, `"count"`), `"amount"`, `"total"`), "平均每个月的订单数：2.5（列出的 2 个）。第一个和最后一个可能不完整。", "最高"},
		{"平均每天卖多少", "sales_statistics", strings.Replace(monthly, `"refunded"`, `"per_day":20,"refunded"`, 1), "", "没有「"},
		{"什么商品被退得最多", "list_refunds", `{"summary":"S.","summary_en":"S.","count":3,"amount":30,"groups":[{"group":"甲","count":2,"amount":20},{"group":"乙","count":1,"amount":10}]}`, "甲", "没有「"},
		{"which city buys the most wine", "list_orders", strings.ReplaceAll(strings.ReplaceAll(sold, `"orders"`, `"count"`), `"amount"`, `"total"`), "Shanghai", "does not tell"},
		{"ROI of search ads in October", "campaign_results", promoted, "", "not limited to"},
		{"which day of the week do we get most refunds", "list_refunds", `{"summary":"S.","summary_en":"S.","count":3,"amount":30,"refunded":20,"groups":[{"group":"周一","count":2,"amount":20,"refunded":10},{"group":"周二","count":1,"amount":10,"refunded":10}]}`, "Highest Refund requests: Monday (2).", "does not tell"},
		{"which day had the most orders this month", "list_orders", `{"summary":"S.","summary_en":"S.","count":3,"total":9,"states":[{"state":"已完成","count":2,"total":6},{"state":"已取消","count":1,"total":3}],"groups":[{"group":"2026-04-01","count":2,"total":5},{"group":"2026-04-02","count":1,"total":4}]}`, "Highest Orders: 2026-04-01 (2)", "已完成"},
		{"has any customer been waiting more than a week for delivery", "list_shipments", `{"summary":"S.","summary_en":"S.","count":2,"parcels":[{"order_id":"281063663568","carrier":"A","days":9,"waybill":"SF123456789"},{"order_id":"281063663569","carrier":"B","days":2,"waybill":"SF123456780"}]}`, "1 with Days under way “more than 7 days”", "Note"},
		{"差评最多的商品", "sales_statistics", gains, "没有买家评价的数据", "最高"},
		{"退款按渠道统计", "list_refunds", all, "列出的内容里没有「渠道」这一项，没法按它算。", ""},
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
		{"找出发货超时的订单", "顺丰的那个", "没有按「顺丰」筛选"},
		{"list late orders", "total of these", "1,000.7 in all"},
		{"list late orders", "what did they pay in all?", "Paid (CNY) of 3 (Late orders): 1,000.7 in all"},
		{"list late orders", "what are they worth?", "1,000.7 in all"},
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
	if f := wishes.ReadReckoning("orders of at least 100").Fold; f != wishes.FoldNone {
		t.Errorf("at least: %v", f)
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
		g, lacks, ok := figures.Lay(wishes.ReadReckoning(request), e)
		if !ok {
			t.Fatal("no list")
		}
		rows := []any{row("1"), row(number), row("3")}
		facts := facts.Read(request, time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC), func(string) bool { return false })
		say := func() string {
			s := figures.Sheet{Folding: g, W: render.Writer{Lang: "en", Asked: request}, Rows: rows, All: rows, Object: map[string]any{"count": json.Number(number)}, Result: &e.Result}
			for _, fa := range facts {
				if kept, c, ok := s.Pick(fa, request, s.Rows, time.Time{}); ok {
					s.Rows, s.Where = kept, append(s.Where, c)
				}
			}
			out, how := s.Words(lacks)
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

// Where rows are limited, nothing is said of one that is not among them: an agent that reads the answer would take it for one of those that are meant.
func TestLimitedRowsNameNoOthers(t *testing.T) {
	x := newTeam(t).index["aftersales"]
	found := `{"summary":"待处理的退款申请有 1 个，金额合计 99.5 元。最新的是 胡雪强 为订单 281065511693 申请的 99.5 元（待处理）。","summary_en":"There is 1 pending refund request, CNY 99.5 in all. The newest is of Hu Xueqiang for order 281065511693: CNY 99.5, pending.",
		"count":1,"amount":99.5,"refunds":[{"refund_id":"5100000000001","order_id":"281065511693","consumer_name":"胡雪强","amount":99.5,"state":"待处理"}]}`
	for request, want := range map[string]string{
		"list pending refunds over 500 yuan": "CNY 99.5 in all. Of the 1 listed, 0 with", "列出超过500元的待处理退款": "金额合计 99.5 元。列出的 1 个里",
		"list pending refunds over 50 yuan": "281065511693", "list pending refunds": "The newest is of",
	} {
		in := ask(request)
		out := x.Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "list_refunds" {
			t.Fatalf("%s: %s", request, told(out))
		}
		in.Done = []Done{{Action: out.Actions[0], Call: "t-1-0", Status: bus.OK, Observation: json.RawMessage(found)}}
		answer := strings.Join(strings.Fields(x.Think(in).Answer), " ")
		answer = strings.ReplaceAll(answer, "。 ", "。")
		if !strings.Contains(answer, want) {
			t.Errorf("%s: %s", request, answer)
		}
		if strings.Contains(request, "500") && strings.Contains(answer, "281065511693") {
			t.Errorf("%s names what is not meant: %s", request, answer)
		}
	}
}
