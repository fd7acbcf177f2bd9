package shop

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
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
		checkTitles(t, c.Name, c.Parameters, c.Effect != bus.Read)
		checkTitles(t, c.Name, c.Returns, true)
	}
	if bad := one[int](t, s, `SELECT count(*) FROM orders o LEFT JOIN shipments s USING (order_id) WHERE (o.state IN ('已发货', '已完成')) <> (s.waybill IS NOT NULL)`); bad > 0 {
		t.Errorf("%d orders and shipments do not agree after the changes", bad)
	}
}

// What cannot work is refused by the card's own schema, so before a person is asked to agree to it.
func TestCardsRefuseEmptyChanges(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct {
		tool, arguments string
		ok              bool
	}{
		{"change_order", `{"order_id":"281000000000"}`, false},
		{"change_order", `{"order_id":"281000000000","note":""}`, false},
		{"change_order", `{"order_id":"281000000000","note":"轻放"}`, true},
		{"set_price", `{"price":9}`, false},
		{"set_price", `{"price":9,"sku_name":"禾煮空气炸锅"}`, true},
		{"set_price", `{"sku_name":"禾煮空气炸锅"}`, false},
		{"set_stock", `{"stock":9}`, false},
		{"set_stock", `{"stock":9,"sku_id":"10020260001000"}`, true},
		{"send_message_to_buyer", `{"text":"你好"}`, false},
		{"send_message_to_buyer", `{"text":"你好","user_pin":"a"}`, true},
		{"decide_refund", `{"refund_id":"5100000000131","decision":"拒绝"}`, false},
		{"decide_refund", `{"refund_id":"5100000000131","decision":"refuse","reason":"late"}`, true},
		{"decide_refund", `{"refund_id":"5100000000131","decision":"approve"}`, true},
	} {
		if err := holds(t, s.tool(t, c.tool).Card.Parameters, jsonText(c.arguments)); (err == nil) != c.ok {
			t.Errorf("%s%s: %v, want it to hold: %v", c.tool, c.arguments, err, c.ok)
		}
	}
}

// checkTitles wants a Chinese title on every property, and an English one on those of results and of changes, since answers and approvals are worded from them.
func checkTitles(t *testing.T, name string, schema json.RawMessage, english bool) {
	var s struct {
		Properties map[string]json.RawMessage
		Items      json.RawMessage
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	for property, body := range s.Properties {
		var p struct {
			Title string
			En    string `json:"x-title-en"`
		}
		if err := json.Unmarshal(body, &p); err != nil || p.Title == "" || english && p.En == "" {
			t.Errorf("%s.%s: titles %q, %q", name, property, p.Title, p.En)
		}
		checkTitles(t, name+"."+property, body, english)
	}
	if s.Items != nil {
		checkTitles(t, name+"[]", s.Items, english)
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
	for card, wanted := range map[string]map[string][]string{
		"find_customers": {"city": {"上海", "北京", "Shanghai", "Xi'an", "Xian", "乌鲁木齐"}, "sku_name": {"禾煮空气炸锅 4L 家用", "禾煮空气炸锅", "禾煮空气炸锅 4L", "禾煮 4L"}},
		"set_price":      {"sku_name": {"禾煮空气炸锅", "air fryers", "air fryer 4L", "空气炸锅"}},
		"list_orders":    {"city": {"广州", "Guangzhou"}},
		"ship_order":     {"carrier": {"北辰快递", "顺丰", "中通", "SF Express"}},
	} {
		var schema struct {
			Properties map[string]struct{ Examples []string }
		}
		if err := json.Unmarshal(s.tool(t, card).Card.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		for property, words := range wanted {
			for _, w := range words {
				if !slices.Contains(schema.Properties[property].Examples, w) {
					t.Errorf("%s.%s has no example %s: %v", card, property, w, schema.Properties[property].Examples)
				}
			}
		}
	}
	if got := schema.Properties["category"].Examples; !slices.Contains(got, "空气炸锅") || !slices.Contains(got, "air fryers") || !slices.Contains(got, "rice cooker") {
		t.Errorf("categories: %v", got)
	}
}
