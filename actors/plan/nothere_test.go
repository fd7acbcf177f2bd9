package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A question for the papers that a trade needs goes to the tool that tells them, whatever goods it names that others know too.
func TestPapersOfATrade(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"What papers do I need to open a shop that sells liquor": "liquor", "which documents do I need to sell toys": "toys/toy", "What do I need to sell wine?": "wine",
		"What certificates do I need for selling phones": "phones/phone", "which permits are required for a store selling air fryers": "air fryers/air fryer",
		"卖玩具需要什么证件": "玩具", "开一家卖手机的店要什么执照": "手机", "卖手机要什么资质": "手机", "开个卖酒的网店要办哪些证": "酒", "卖化妆品要准备哪些材料": "化妆品", "需要办什么手续才能卖葡萄酒": "葡萄酒",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes("check_shop_qualifications{keyword=" + want + "}")); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
	for _, request := range []string{"how many toys did we sell last month", "what do we sell", "卖得最好的玩具", "玩具还要准备多少库存"} {
		if h.ask(t, request); strings.Contains(h.told(), "qualifications") {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// What a shop keeps no books of is no product that it lacks: that nothing here tells it is said, and how it can be told. A product that it lacks still is one.
func TestNothingHereTells(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for _, x := range h.index {
		for name, e := range x.byName {
			if e.Reads() && !e.IsAgent() && !e.Knowledge() {
				h.fails[name] = &bus.Error{Code: bus.CodeInvalidParameter, Message: "the shop has no such thing"}
			}
		}
	}
	for request, lacks := range map[string]bool{
		"how many days of annual leave do I have?": false, "I was sick for five days, what do I do": false, "空压机多久换一次滤芯": false, "how many days of parental leave are there": false,
		"年假有几天": false, "我病了五天怎么办": false, "公司wifi密码是多少": false, "我们公司有多少员工": false, "how do I reset the printer": false,
		"无人机上个月卖了多少": true, "do we have drones in stock?": true, "无人机还有多少库存": true,
		"do you have umbrellas": true, "do you sell any tents?": true, "你们有雨伞吗": true, "how much is a drone": true,
	} {
		said := h.ask(t, request)
		if strings.Contains(said, "the shop has no") != lacks || !Missed(said) || !lacks && !strings.Contains(said, "search: {folders") && len(h.log) > 0 {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
	for request, name := range map[string]string{"do we have drones in stock?": "stock_level{sku_name=drones}", "do we have rice cookers in stock": "stock_level{category=rice cookers}, find_products{category=rice cookers}", "无人机还有多少库存": "stock_level{sku_name=无人机}", "do you have umbrellas": "stock_level{sku_name=umbrellas}", "你们有雨伞吗": "stock_level{category/sku_name=雨伞}, find_products{category/sku_name=雨伞}"} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(name)); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
}
