package shop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The two cards that the article prints, word for word.
func TestCardsOfTheArticle(t *testing.T) {
	s := newShop(t)
	for name, want := range map[string]struct {
		description string
		required    string
		properties  map[string]string
	}{
		"search_order_code": {
			"该工具用于根据用户提供的信息(如订单编号、下单时间、下单账号等)查询订单的详细信息,包括商品详情与订单详情。", "", map[string]string{
				"order_id":              "订单编号:12位纯数字,用于记录订单的唯一标识",
				"consumer_name":         "客户姓名:用户姓名、买家姓名、收件人、收货人、顾客、客户等",
				"user_pin":              "下单账号:下单账户、买家pin,买家、顾客、用户等,通常由客户姓名+数字或纯英文组成",
				"sku_id":                "商品编号:14位纯数字信息,",
				"sku_name":              "商品名称:商品信息的描述,可能携带品牌信息或商品具体属性",
				"consumer_mobile_phone": "客户电话:用户手机号码,11位纯数字信息,可能会以区号+86,400等开头。",
				"search_keys":           "用户希望查询的目标,枚举值只能从[商品、订单]中选择。若用户希望查询的是订单中的商品id、商品名称、商品详情等,枚举值为商品;若用户希望查询的目标是订单编号、订单数量等,枚举值为订单。",
			},
		},
		"check_shop_qualifications": {
			"当用户提出有关经营过程中资质要求(如上传材料、营业执照、行业资质等)相关的问题时,需要调用此工具查询具体资质要求的相关信息,然后根据查询到的信息回答用户问题。", "keyword", map[string]string{
				"keyword":   "用户经营的主要类目、商品类型或者商品品牌,例如:洋酒、玩具、阿迪达斯等。如果没有提供该类信息,必须反问用户要求其提供",
				"shop_body": "店铺主体,只能是以下三种:企业、个人和个体工商。",
				"shop_type": "店铺类型,只能是以下六种:旗舰店、专卖店、专营店、卖场店、普通企业店和小店。",
			},
		},
	} {
		card := s.tool(t, name).Card
		var schema struct {
			Type       string
			Required   []string
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(card.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if card.Description != want.description || schema.Type != "object" || strings.Join(schema.Required, ",") != want.required || len(schema.Properties) != len(want.properties) {
			t.Errorf("%s: %s %v, %d properties", name, card.Description, schema.Required, len(schema.Properties))
		}
		for property, description := range want.properties {
			if got := schema.Properties[property].Description; got != description {
				t.Errorf("%s.%s: %q, want %q", name, property, got, description)
			}
		}
	}
}

// call of each tool that succeeds, in an order that works on one shop. $-words are filled in from the database.
var goodCalls = []struct{ tool, arguments string }{
	{"search_order_code", `{"consumer_name":"王萍萍","search_keys":"订单"}`},
	{"search_order_code", `{"consumer_name":"王萍萍","search_keys":"商品"}`},
	{"search_order_code", `{"order_id":"$unshipped"}`},
	{"order_detail", `{"order_id":"$refunded"}`},
	{"track_shipment", `{"order_id":"$moving"}`},
	{"late_shipments", `{"kind":"全部","period":"最近30天"}`},
	{"list_refunds", `{"state":"待处理"}`},
	{"invoice_status", `{"order_id":"$invoice"}`},
	{"find_customers", `{"city":"杭州","category":"洋酒"}`},
	{"find_products", `{"sku_name":"禾煮空气炸锅"}`},
	{"stock_level", `{"category":"空气炸锅"}`},
	{"sales_statistics", `{"by":"周","category":"空气炸锅","period":"最近3个月"}`},
	{"forecast_sales", `{"category":"空气炸锅","period":"下个月"}`},
	{"suggest_price", `{"category":"空气炸锅"}`},
	{"campaign_results", `{"period":"今年"}`},
	{"propose_campaign", `{"budget":2000,"category":"空气炸锅"}`},
	{"opportunity_keywords", `{"category":"洋酒","limit":3}`},
	{"check_shop_qualifications", `{"keyword":"洋酒","shop_body":"企业","shop_type":"旗舰店"}`},
	{"urge_shipment", `{"order_id":"$moving"}`},
	{"change_order", `{"order_id":"$unshipped","address":"浙江省杭州市西湖区文三路1号","note":"改地址"}`},
	{"ship_order", `{"order_id":"$unshipped","carrier":"北辰快递","waybill":"BC20261121001"}`},
	{"change_order_state", `{"order_id":"$moving","state":"已完成"}`},
	{"cancel_order", `{"order_id":"$other"}`},
	{"decide_refund", `{"refund_id":"$refund","decision":"拒绝","reason":"已过期限"}`},
	{"issue_invoice", `{"order_id":"$invoice","title":"杭州某某有限公司","tax_no":"91330000MA12345678"}`},
	{"send_message_to_buyer", `{"order_id":"$moving","text":"您的包裹正在路上"}`},
	{"set_stock", `{"sku_id":"$sku","stock":50}`},
	{"set_price", `{"sku_id":"$sku","price":299.99}`},
}

// fillIn puts the rows of this shop for the $-words.
func fillIn(t testing.TB, s *Shop, arguments string) string {
	for word, query := range map[string]string{
		"$unshipped": `SELECT min(order_id) FROM orders WHERE state = '待发货'`,
		"$other":     `SELECT max(order_id) FROM orders WHERE state = '待发货'`,
		"$unpaid":    `SELECT coalesce(min(order_id), '') FROM orders WHERE state = '待付款'`,
		"$moving":    `SELECT max(order_id) FROM orders JOIN shipments USING (order_id) WHERE state = '已发货' AND delivered_at IS NULL`,
		"$done":      `SELECT min(order_id) FROM orders WHERE state = '已完成'`,
		"$refunded":  `SELECT min(order_id) FROM refunds JOIN orders USING (order_id) WHERE orders.state = '已完成'`,
		"$refund":    `SELECT min(refund_id) FROM refunds WHERE state = '待处理'`,
		"$invoice":   `SELECT min(order_id) FROM invoices WHERE state = '待开'`,
		"$sku":       `SELECT min(sku_id) FROM products`,
	} {
		if strings.Contains(arguments, word+`"`) {
			arguments = strings.ReplaceAll(arguments, word, one[string](t, s, query))
		}
	}
	return arguments
}

// compile reads a schema of a card.
func compile(t testing.TB, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("card.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("card.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// holds reports whether a value, as JSON, holds a schema.
func holds(t testing.TB, schema json.RawMessage, value any) error {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return compile(t, schema).Validate(doc)
}

func TestEveryToolKeepsItsCard(t *testing.T) {
	s := newShop(t)
	called := map[string]bool{}
	for i, c := range goodCalls {
		called[c.tool] = true
		card := s.tool(t, c.tool).Card
		arguments := fillIn(t, s, c.arguments)
		if err := holds(t, card.Parameters, json.RawMessage(arguments)); err != nil {
			t.Errorf("%s: arguments: %v", c.tool, err)
		}
		result, err := s.try(t, fmt.Sprintf("call-%d", i), c.tool, arguments)
		if err != nil {
			t.Errorf("%s(%s): %v", c.tool, arguments, err)
			continue
		}
		if err := holds(t, card.Returns, result); err != nil {
			t.Errorf("%s: result: %v", c.tool, err)
		}
	}
	for _, tool := range s.Tools() {
		c := tool.Card
		if !called[c.Name] {
			t.Errorf("%s is not called here", c.Name)
		}
		if !bus.ValidToken(c.Name) || c.Kind != "tool" || c.Effect == "" || len(c.Tags) == 0 || len(c.Parameters)+len(c.Returns) > 32<<10 {
			t.Errorf("%s: %+v", c.Name, c)
		}
		if c.Effect == bus.Read && c.NeedsApproval() || c.Effect != bus.Read && !c.NeedsApproval() && c.Name != "urge_shipment" {
			t.Errorf("%s: effect %s with approval %q", c.Name, c.Effect, c.Approval)
		}
		for _, schema := range []json.RawMessage{c.Parameters, c.Returns} {
			checkTitles(t, c.Name, schema)
		}
	}
	if bad := one[int](t, s, `SELECT count(*) FROM orders o LEFT JOIN shipments s USING (order_id) WHERE (o.state IN ('已发货', '已完成')) <> (s.waybill IS NOT NULL)`); bad > 0 {
		t.Errorf("%d orders and shipments do not agree after the changes", bad)
	}
}

// checkTitles wants a title on every property, and on those of arguments a description, since answers are worded from them.
func checkTitles(t *testing.T, name string, schema json.RawMessage) {
	var s struct {
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	for property, body := range s.Properties {
		var p struct{ Title string }
		if err := json.Unmarshal(body, &p); err != nil || p.Title == "" {
			t.Errorf("%s.%s has no title", name, property)
		}
		checkTitles(t, name+"."+property, body)
	}
	if s.Items != nil {
		checkTitles(t, name+"[]", s.Items)
	}
}

func TestExamplesComeFromTheShop(t *testing.T) {
	s := bigShop(t)
	var schema struct {
		Properties map[string]struct{ Examples []string }
	}
	if err := json.Unmarshal(s.tool(t, "search_order_code").Card.Parameters, &schema); err != nil {
		t.Fatal(err)
	}
	names := schema.Properties["consumer_name"].Examples
	if !slices.Contains(names, wellKnown) || len(names) != maxWords {
		t.Errorf("%d names, with 王萍萍: %v", len(names), slices.Contains(names, wellKnown))
	}
	if err := json.Unmarshal(s.tool(t, "forecast_sales").Card.Parameters, &schema); err != nil {
		t.Fatal(err)
	}
	if got := schema.Properties["category"].Examples; !slices.Contains(got, "空气炸锅") || len(got) != len(catalogue) {
		t.Errorf("categories: %v", got)
	}
}

func TestSearchOrders(t *testing.T) {
	s := newShop(t)
	hers := one[int](t, s, `SELECT count(*) FROM orders o JOIN customers c USING (customer_id) WHERE c.name = '王萍萍' OR o.receiver = '王萍萍'`)
	her := func(column string) string {
		return one[string](t, s, `SELECT `+column+` FROM customers WHERE name = '王萍萍'`)
	}
	fryers := one[int](t, s, `SELECT count(DISTINCT order_id) FROM order_items JOIN products USING (sku_id) WHERE brand = '禾煮' AND category = '空气炸锅'`)
	order := one[string](t, s, `SELECT min(order_id) FROM orders`)
	given := one[string](t, s, `SELECT receiver FROM orders JOIN customers USING (customer_id) WHERE receiver <> name ORDER BY order_id LIMIT 1`)
	for _, c := range []struct {
		arguments string
		count     int
	}{
		{`{}`, one[int](t, s, `SELECT count(*) FROM orders`)},
		{`{"consumer_name":"王萍萍"}`, hers},
		{`{"consumer_name":" 王萍萍 ","search_keys":"订单"}`, hers},
		{`{"consumer_name":"` + given + `"}`, one[int](t, s, `SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE ? IN (name, receiver)`, given)},
		{`{"user_pin":"` + her("user_pin") + `"}`, one[int](t, s, `SELECT count(*) FROM orders JOIN customers USING (customer_id) WHERE name = '王萍萍'`)},
		{`{"consumer_mobile_phone":"+86 ` + her("phone") + `"}`, hers},
		{`{"consumer_name":"王萍萍","user_pin":"nobody"}`, 0},
		{`{"order_id":"` + order + `"}`, 1},
		{`{"order_id":"000000000000"}`, 0},
		{`{"sku_name":"禾煮空气炸锅"}`, fryers},
		{`{"sku_name":"空气炸锅"}`, one[int](t, s, `SELECT count(DISTINCT order_id) FROM order_items JOIN products USING (sku_id) WHERE category = '空气炸锅'`)},
		{`{"consumer_name":"' OR '1'='1"}`, 0},
		{`{"sku_name":"%"}`, 0},
		{`{"consumer_name":"王萍萍'; DROP TABLE orders; --"}`, 0},
	} {
		f := do[found](t, s, "", "search_order_code", c.arguments)
		if f.Count != c.count || len(f.Orders) != min(c.count, listed) || (c.count == 0) != (f.Note != "" && c.count <= listed) && c.count <= listed {
			t.Errorf("%s: count %d, %d listed, note %q; want %d", c.arguments, f.Count, len(f.Orders), f.Note, c.count)
		}
	}
	bought := do[found](t, s, "", "search_order_code", `{"consumer_name":"王萍萍","search_keys":"商品"}`)
	if bought.Count != len(bought.Goods) || bought.Count == 0 || bought.Orders != nil {
		t.Errorf("products: %+v", bought)
	}
	only := do[found](t, s, "", "search_order_code", `{"sku_name":"空气炸锅","search_keys":"商品"}`)
	for _, g := range only.Goods {
		if !strings.Contains(g.Name, "空气炸锅") {
			t.Errorf("asked for 空气炸锅, got %s", g.Name)
		}
	}
	if f := do[found](t, s, "", "search_order_code", `{"consumer_name":"王萍"}`); f.Count == 0 && !strings.Contains(f.Note, "王萍萍") {
		t.Errorf("a near name is not told: %q", f.Note)
	}
}

func TestAChangeIsMadeOnce(t *testing.T) {
	s := newShop(t)
	moving := fillIn(t, s, `{"order_id":"$moving"}`)
	first := do[urged](t, s, "call-1", "urge_shipment", moving)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if again := do[urged](t, s, "call-1", "urge_shipment", moving); again != first {
				t.Errorf("repeated: %+v, first %+v", again, first)
			}
		})
	}
	wg.Wait()
	if next := do[urged](t, s, "call-2", "urge_shipment", moving); next.Urged != first.Urged+1 {
		t.Errorf("another call: urged %d, want %d", next.Urged, first.Urged+1)
	}
	for i, c := range goodCalls {
		if s.tool(t, c.tool).Card.Effect == bus.Read {
			continue
		}
		arguments, call := fillIn(t, s, c.arguments), fmt.Sprintf("once-%d", i)
		first, err := s.try(t, call, c.tool, arguments)
		if err != nil {
			t.Errorf("%s: %v", c.tool, err)
			continue
		}
		sum := func() string {
			return fmt.Sprint(one[int](t, s, `SELECT total(urged) FROM shipments`), one[int](t, s, `SELECT count(*) FROM refunds`), one[int](t, s, `SELECT sum(stock) FROM products`),
				one[int](t, s, `SELECT count(*) FROM messages`), one[int](t, s, `SELECT count(*) FROM ledger`), one[int](t, s, `SELECT count(*) FROM price_history`))
		}
		before := sum()
		again, err := s.try(t, call, c.tool, arguments)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(first) {
			t.Errorf("%s repeated: %v, %v; first %v", c.tool, again, err, first)
		}
		if after := sum(); after != before {
			t.Errorf("%s repeated changed %s to %s", c.tool, before, after)
		}
	}
	mustRefuse(t, s, "call-1", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":1}`), "already used")
	mustRefuse(t, s, "", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":1}`), "call id")
	mustRefuse(t, s, "a.b > c", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":1}`), "call id")
}

func TestARefusedChangeLeavesNothing(t *testing.T) {
	s := newShop(t)
	done := fillIn(t, s, `{"order_id":"$done"}`)
	mustRefuse(t, s, "c1", "cancel_order", done, "已完成", "decide_refund")
	if n := one[int](t, s, `SELECT count(*) FROM ledger`); n != 0 {
		t.Errorf("%d lines in the ledger", n)
	}
	// A refused call may come again and succeed: nothing was promised yet.
	other := fillIn(t, s, `{"order_id":"$unshipped","carrier":"北辰快递","waybill":"BC1234567"}`)
	do[shipped](t, s, "c1", "ship_order", other)
	mustRefuse(t, s, "c2", "ship_order", fillIn(t, s, `{"order_id":"$unshipped","carrier":"北辰快递","waybill":"BC1234567"}`), "已经用于订单")
}

func TestCancelGivesTheMoneyBack(t *testing.T) {
	s := newShop(t)
	order := one[string](t, s, `SELECT max(order_id) FROM orders WHERE state = '待发货'`)
	total := one[int64](t, s, `SELECT total_fen FROM orders WHERE order_id = ?`, order)
	pieces := one[int](t, s, `SELECT sum(quantity) FROM order_items WHERE order_id = ?`, order)
	stock := one[int](t, s, `SELECT sum(stock) FROM products`)
	c := do[cancelled](t, s, "c1", "cancel_order", `{"order_id":"`+order+`","reason":"买家拍错"}`)
	if c.State != "已取消" || fen(c.Refunded) != total || c.Restored != pieces {
		t.Errorf("%+v", c)
	}
	if now := one[int](t, s, `SELECT sum(stock) FROM products`); now != stock+pieces {
		t.Errorf("stock %d, want %d", now, stock+pieces)
	}
	if paid := one[int64](t, s, `SELECT sum(amount_fen) FROM refunds WHERE order_id = ? AND state = '已同意'`, order); paid != total {
		t.Errorf("refunds of %d, want %d", paid, total)
	}
	mustRefuse(t, s, "c2", "cancel_order", `{"order_id":"`+order+`"}`, "早已取消")
	mustRefuse(t, s, "c3", "issue_invoice", `{"order_id":"`+order+`"}`, "已取消")
}

func TestRefundStaysWithinWhatWasPaid(t *testing.T) {
	s := newShop(t)
	refund := one[string](t, s, `SELECT min(refund_id) FROM refunds WHERE state = '待处理'`)
	if _, err := s.write.ExecContext(t.Context(), `INSERT INTO refunds (refund_id, order_id, kind, reason, amount_fen, state, asked_at, decided_at)
		SELECT '9999999999999', order_id, '仅退款', '补差', total_fen, '已同意', asked_at, asked_at FROM refunds JOIN orders USING (order_id) WHERE refund_id = ?`, refund); err != nil {
		t.Fatal(err)
	}
	mustRefuse(t, s, "c1", "decide_refund", `{"refund_id":"`+refund+`","decision":"同意"}`, "超过实付")
	mustRefuse(t, s, "c2", "decide_refund", `{"refund_id":"`+refund+`","decision":"拒绝"}`, "原因")
	do[decided](t, s, "c3", "decide_refund", `{"refund_id":"`+refund+`","decision":"拒绝","reason":"已退过"}`)
	mustRefuse(t, s, "c4", "decide_refund", `{"refund_id":"`+refund+`","decision":"同意"}`, "已经处理过")
}

func TestPriceChangesAreHistory(t *testing.T) {
	s := newShop(t)
	sku := one[string](t, s, `SELECT min(sku_id) FROM products`)
	mustRefuse(t, s, "c1", "set_price", `{"sku_id":"`+sku+`","price":1}`, "accept_loss")
	p := do[priceSet](t, s, "c2", "set_price", `{"sku_id":"`+sku+`","price":301.99}`)
	if p.Price != 301.99 || one[int64](t, s, `SELECT price_fen FROM price_history WHERE sku_id = ? ORDER BY from_day DESC LIMIT 1`, sku) != 30199 {
		t.Errorf("%+v", p)
	}
	do[priceSet](t, s, "c3", "set_price", `{"sku_id":"`+sku+`","price":1,"accept_loss":true}`)
}

func TestStatisticsAddUp(t *testing.T) {
	s := newShop(t)
	want := one[int64](t, s, `SELECT sum(sales_fen) FROM sales WHERE day BETWEEN '2026-08-01' AND '2026-10-31'`)
	for _, by := range []string{"日", "周", "月", "商品", "类目"} {
		r := do[salesReport](t, s, "", "sales_statistics", `{"by":"`+by+`","from":"2026-08-01","to":"2026-10-31"}`)
		total := int64(0)
		for _, g := range r.Groups {
			total += fen(g.Amount)
		}
		if fen(r.Amount) != want || total != want {
			t.Errorf("by %s: %.2f, groups %.2f, want %.2f", by, r.Amount, yuan(total), yuan(want))
		}
	}
	if r := do[salesReport](t, s, "", "sales_statistics", `{"by":"周","period":"上周"}`); len(r.Groups) != 1 || r.Groups[0].Group != "2026-11-09" {
		t.Errorf("a week is not named by its Monday: %+v", r.Groups)
	}
}

func TestQualifications(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct {
		arguments, category string
		allowed             bool
		papers              []string
		note                string
	}{
		{`{"keyword":"洋酒","shop_body":"企业","shop_type":"旗舰店"}`, "进口酒类", true, []string{"企业营业执照", "商标注册证或独占授权", "食品经营许可证", "进口货物报关单"}, "示例"},
		{`{"keyword":"进口葡萄酒"}`, "进口酒类", true, []string{"入境货物检验检疫证明"}, "店铺主体"},
		{`{"keyword":"葡萄酒"}`, "国产酒类", true, []string{"生产厂家许可"}, "店铺类型"},
		{`{"keyword":"阿迪达斯","shop_body":"企业","shop_type":"专卖店"}`, "服饰鞋包", true, []string{"品牌授权书", "品牌授权"}, ""},
		{`{"keyword":"儿童玩具","shop_body":"个人","shop_type":"小店"}`, "玩具", true, []string{"实名认证", "经营承诺", "强制性产品认证（CCC）"}, ""},
		{`{"keyword":"玩具","shop_body":"个人","shop_type":"旗舰店"}`, "玩具", false, nil, "个人不能开旗舰店"},
		{`{"keyword":"玩俱"}`, "", true, []string{"身份证明"}, "玩具"},
		{`{"keyword":"zzzz"}`, "", true, nil, "资质表里没有"},
	} {
		q := do[qualifications](t, s, "", "check_shop_qualifications", c.arguments)
		var papers []string
		for _, r := range q.Requirements {
			papers = append(papers, r.Name)
		}
		if q.Category != c.category || q.Allowed != c.allowed || !strings.Contains(q.Note, c.note) {
			t.Errorf("%s: %s, allowed %v, %q", c.arguments, q.Category, q.Allowed, q.Note)
		}
		for _, p := range c.papers {
			if !slices.Contains(papers, p) {
				t.Errorf("%s: no %s in %v", c.arguments, p, papers)
			}
		}
	}
	mustRefuse(t, s, "", "check_shop_qualifications", `{"keyword":" "}`, "先说明")
}

func TestBadInput(t *testing.T) {
	s := newShop(t)
	huge := strings.Repeat("长", 5000)
	for _, c := range []struct{ tool, arguments, says string }{
		{"order_detail", `{"order_id":"123456789012"}`, "没有订单"},
		{"order_detail", `{"order_id":"' OR 1=1 --"}`, "没有订单"},
		{"search_order_code", `{"sku_name":"` + huge + `"}`, "太长"},
		{"send_message_to_buyer", `{"user_pin":"nobody","text":"你好"}`, "find_customers"},
		{"send_message_to_buyer", `{"text":"你好"}`, "发给谁"},
		{"send_message_to_buyer", `{"user_pin":"nobody","text":" "}`, "500"},
		{"track_shipment", `{}`, "order_id 或 waybill"},
		{"track_shipment", `{"waybill":"NOPE1234"}`, "没有运单"},
		{"track_shipment", fillIn(t, s, `{"order_id":"$unshipped"}`), "还没有物流信息"},
		{"urge_shipment", fillIn(t, s, `{"order_id":"$done"}`), "签收"},
		{"change_order", fillIn(t, s, `{"order_id":"$done","address":"北京"}`), "发货前"},
		{"change_order", fillIn(t, s, `{"order_id":"$unshipped"}`), "没有说要改什么"},
		{"change_order_state", fillIn(t, s, `{"order_id":"$unshipped","state":"已完成"}`), "ship_order"},
		{"decide_refund", `{"refund_id":"1","decision":"同意"}`, "list_refunds"},
		{"set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":-1}`), "0 到 1000000"},
		{"set_stock", `{"sku_id":"00000000000000","stock":1}`, "find_products"},
		{"set_price", fillIn(t, s, `{"sku_id":"$sku","price":1e300}`), "0.01 到 1000000"},
		{"set_price", fillIn(t, s, `{"sku_id":"$sku","price":-5}`), "0.01 到 1000000"},
		{"find_products", `{"sku_name":"空气炸过"}`, "空气炸锅"},
		{"stock_level", `{"category":"坦克"}`, "有的类目是"},
		{"sales_statistics", `{"from":"2026-12-01","to":"2026-11-01"}`, "晚于"},
		{"sales_statistics", `{"from":"昨天","to":"2026-11-01"}`, "YYYY-MM-DD"},
		{"sales_statistics", `{"period":"下个月"}`, "forecast_sales"},
		{"forecast_sales", `{"period":"上个月"}`, "sales_statistics"},
		{"forecast_sales", `{"period":"2030年"}`, "太远"},
		{"forecast_sales", `{"to":"9999-12-31"}`, "太远"},
		{"propose_campaign", `{"budget":1e18}`, "预算"},
		{"propose_campaign", `{"budget":1000,"days":-3}`, "天数"},
		{"opportunity_keywords", `{"category":"坦克"}`, "坦克"},
		{"order_detail", `{"order_id":7}`, "order_detail"},
		{"order_detail", `[]`, "order_detail"},
	} {
		mustRefuse(t, s, "bad", c.tool, c.arguments, c.says)
	}
	if n := one[int](t, s, `SELECT count(*) FROM ledger`); n != 0 {
		t.Errorf("refused calls left %d lines in the ledger", n)
	}
}

// FuzzArguments: whatever text stands in the arguments, a reading tool answers or refuses with a *bus.Error.
func FuzzArguments(f *testing.F) {
	s := newShop(f)
	for _, text := range []string{"王萍萍", "' OR 1=1 --", "%_", "空气炸锅", "\x00", "下个月", "2026-12-01", "🎈", strings.Repeat("a", 300)} {
		f.Add(text)
	}
	all := s.Tools()
	f.Fuzz(func(t *testing.T, text string) {
		body, err := json.Marshal(map[string]any{"consumer_name": text, "user_pin": text, "sku_name": text, "category": text, "keyword": text, "period": text, "city": text})
		if err != nil {
			t.Skip()
		}
		for _, tool := range all {
			if tool.Card.Effect != bus.Read || tool.Card.Name == "suggest_price" {
				continue
			}
			_, err := tool.Run(t.Context(), &tools.Call{Request: bus.Request{Parameter: body}, Progress: func(string) {}})
			var refused *bus.Error
			if err != nil && !errors.As(err, &refused) {
				t.Errorf("%s(%q): %v", tool.Card.Name, text, err)
			}
		}
	})
}
