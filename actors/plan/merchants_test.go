package plan

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Questions as merchants ask them, and what must be asked of which tool for them. Today is 2026-05-16.
func TestQuestionsOfMerchants(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct{ request, want string }{
		{"how many invoices were requested in March", "list_invoices{state=-; from=2026-03-01}"},
		{"invoices requested but not issued", "list_invoices{state=待开/not yet issued}"},
		{"who bought more than two air fryers", "list_orders{category=air fryers; min_pieces=3}"},
		{"customers with at least three orders this month", "find_customers{sku_name=-; from=2026-05-01}"},
		{"products with fewer than ten in stock", "stock_level{sku_name=-}"},
		{"大于一千块的订单有多少", "list_orders{min_amount=1000.01}"},
		{"how many orders contained more than one product", "list_orders{min_pieces=2}"},
		{"买了不止一件商品的订单有多少", "list_orders{min_pieces=2}"},
		{"which products cost more to make than they sell for", "find_products{sku_name=-}"},
		{"products that sell for less than they cost", "find_products{sku_name=-}"},
		{"成本不到售价一半的商品", "find_products{sku_name=-}"},
		{"refunds by weekday", "list_refunds{by=weekday}"},
		{"星期几退款最多", "list_refunds{by=周几}"},
		{"一天里几点退款最多", "list_refunds{by=小时}"},
		{"订单最多的3个客户是谁，他们各花了多少", "find_customers{sort=订单数; limit=3}"},
		{"推广花的钱占销售额多少", "sales_statistics{sku_name=-}"},
		{"9月卖了多少，其中空气炸锅多少", "sales_statistics{category=空气炸锅; from=2025-09-01}, sales_statistics{category=-; from=2025-09-01}"},
		{"how much did we make in March and how much of it was air fryers", "sales_statistics{category=air fryers; from=2026-03-01}, sales_statistics{category=-; from=2026-03-01}"},
		{"空气炸锅库存一共多少件，值多少钱", "stock_level{category=空气炸锅}"},
		{"the margin of air fryers and headphones beside each other", "sales_statistics{category=air fryers}, sales_statistics{category=headphones}"},
		{"哪个月卖得最好，不管哪年", "sales_statistics{by=年内月份}"},
		{"best month for sales, whichever year", "sales_statistics{by=month-of-year; sku_name=-}"},
		{"why are there so many refunds this month", "list_refunds{by=reason; from=2026-05-01}"},
		{"金额最高的订单", "list_orders{sort=最贵}"},
		{"the order with the lowest amount", "list_orders{sort=cheapest}"},
		{"列出唐娟的订单，别取消", "search_order_code{consumer_name=唐娟; sku_name=-}"},
		{"最便宜的两个订单", "list_orders{sort=最便宜; limit=2}"},
		{"the most recent order", "list_orders{sort=newest}"},
		{"金额最大的退款", "list_refunds{sort=金额最高}"},
		{"计划部昨天之前的订单", "list_orders{to=2026-05-14}"},
		{"有没有超过5000的订单", "list_orders{min_amount=5000.01}"},
		{"orders over 3000", "list_orders{min_amount=3000.01}"},
		{"上个月卖了50件以上的商品", "sales_statistics{by=商品; from=2026-04-01}"},
		{"上个月销售额，和前一个月比", "sales_statistics{from=2026-04-01; to=2026-04-30}, sales_statistics{from=2026-03-01; to=2026-03-31}"},
		{"4月质量问题的退款有几个", "list_refunds{sku_name=-; from=2026-04-01}"},
		{"most returned product this quarter", "list_refunds{by=product; from=2026-04-01}"},
		{"看一下下周要到期发货的订单", "late_shipments/list_orders{}"},
	} {
		said := h.ask(t, c.request)
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s: %s: %s: %s", c.request, miss, h.told(), said)
		}
	}
}

// What the rows tell is picked by it, and what no tool can pick by is said: a number of hours limits no amount of money, and goods of weekends are not those of all days.
func TestLimitsOfMerchants(t *testing.T) {
	h := newTeam(t)
	h.says["list_refunds"] = `{"summary":"S。","summary_en":"S.","count":1,"refunds":[{"refund_id":"5100000083578","order_id":"281065778994","consumer_name":"唐英强","amount":199,"reason":"不想要了","state":"待处理","asked_at":"2026-05-16 08:00:00"},{"refund_id":"5100000083579","order_id":"281065778995","consumer_name":"唐英强","amount":9,"state":"待处理","asked_at":"2026-05-16 08:00:00"},{"refund_id":"5100000083580","order_id":"281065778996","consumer_name":"李敏","amount":900,"state":"待处理","asked_at":"2026-05-16 08:00:00"}]}`
	h.says["find_products"] = `{"summary":"S。","summary_en":"S.","count":3,"products":[{"sku_name":"甲","price":100,"cost":120,"stock":1,"sku_id":"10000020260001"},{"sku_name":"乙","price":100,"cost":60,"stock":1,"sku_id":"10000020260002"},{"sku_name":"丙","price":100,"cost":40,"stock":1,"sku_id":"10000020260003"}]}`
	h.says["sales_statistics"] = `{"summary":"S。","summary_en":"S.","amount":9,"groups":[{"group":"甲","amount":5,"quantity":5},{"group":"乙","amount":4,"quantity":150}]}`
	h.says["find_customers"] = `{"summary":"S。","summary_en":"S.","count":21,"new":21,"returning":9,"customers":[{"consumer_name":"甲","orders":3,"user_pin":"a"},{"consumer_name":"乙","orders":2,"user_pin":"b"}]}`
	h.says["list_invoices"] = `{"summary":"S。","summary_en":"S.","count":1,"invoices":[{"order_id":"281065778994","consumer_name":"甲","invoiced":9,"requested_at":"2026-05-16 08:00:00"}]}`
	for request, want := range map[string][2]string{
		"超过24小时没处理的退款":                                         {"没有按「24小时」筛选", "「超过24」"},
		"invoices not issued for more than a day":              {"not limited to “a day”", ""},
		"what sells best on weekends":                          {"not limited to “weekends”", ""},
		"周末卖得最好的商品":                                            {"没有按「周末」筛选", ""},
		"周末卖得比平时好吗":                                            {"S。", "没有按"},
		"which products cost more to make than they sell for":  {"| 甲 |", "| 乙 |"},
		"成本不到售价一半的商品":                                          {"| 丙 |", "| 乙 |"},
		"how many products cost less than half their price":    {"Of the 3 listed, 1", "| 乙 |"},
		"which products sold fewer than ten pieces last month": {"| 甲 |", "| 乙 |"},
		"customers with at least three orders this month":      {"| 甲 |", "| 乙 |"},
		"which customer asked for the most refunds":            {"唐英强 (2)", "李敏 (900)"},
		"why did sales fall last week":                         {"not why", "budget"},
		"上周的订单为什么这么少":                                          {"答不了", "S。"},
	} {
		if said := h.ask(t, request); !strings.Contains(said, want[0]) || want[1] != "" && strings.Contains(said, want[1]) {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
}

// A part is told of what it is a part of: how many new customers there are in all is not limited by asking for these.
func TestPartOfTheWhole(t *testing.T) {
	h := newTeam(t)
	in := ask("新客占比")
	for _, a := range h.index["orders"].Think(in).Actions {
		said := `{"summary":"S。","count":900,"new":21,"returning":872}`
		if strings.Contains(string(a.Parameter), "新客") {
			said = `{"summary":"S。","count":21,"new":21,"returning":872}`
		}
		in.Done = append(in.Done, Done{Action: a, Call: "c" + string(rune('0'+len(in.Done))), Status: bus.OK, Observation: json.RawMessage(said)})
	}
	if said := h.index["orders"].Think(in).Answer; len(in.Done) != 2 || !strings.Contains(said, "新客占客户数的 2.3%（21，全部 900）") || strings.Contains(said, "100%") {
		t.Errorf("%d calls: %s", len(in.Done), said)
	}
}

// A path that stands alone in a wish is of a file, and no tool that knows nothing of files is asked about it, though it deletes or reads something.
func TestPathsAreOfFiles(t *testing.T) {
	raw, err := os.ReadFile("testdata/memory_server.json")
	if err != nil {
		t.Fatal(err)
	}
	var cards []bus.Card
	if err := json.Unmarshal(raw, &cards); err != nil {
		t.Fatal(err)
	}
	x := NewIndex(cards, Options{})
	for _, request := range []string{"delete /tmp/x", "please remove the file /tmp/x", "删除 /tmp/x", "把/tmp/x删了", "read /tmp/x", "读取 /tmp/x"} {
		if out := x.Think(Input{Request: request, Now: now}); len(out.Actions) > 0 || out.Ask != nil || !strings.Contains(out.Answer, "/tmp/x") {
			t.Errorf("%s: %+v", request, out)
		}
	}
	for request, tool := range map[string]string{"delete the entity Alice": "delete_entities", "read the graph": "read_graph"} {
		if out := x.Think(Input{Request: request, Now: now}); len(out.Actions) != 1 || out.Actions[0].ToolName != tool {
			t.Errorf("%s: %+v", request, out)
		}
	}
	files := bus.Card{Name: "delete_file", Kind: "tool", Description: "Delete a file.", Parameters: json.RawMessage(`{"type":"object","required":["path"],"properties":{"path":{"type":"string"}}}`)}
	if out := NewIndex(append(cards, files), Options{}).Think(Input{Request: "delete /tmp/x", Now: now}); len(out.Actions) != 1 || out.Actions[0].ToolName != "delete_file" {
		t.Errorf("%+v", out)
	}
}
