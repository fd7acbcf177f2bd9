package plan

import "testing"

func TestAdviceAndRules(t *testing.T) {
	x := index(t, "agents.json")
	for request, want := range map[string]string{
		"Should I lower the price of the air fryer?": "pricing", "空气炸锅该不该涨价": "pricing", "空气炸锅要不要降价": "pricing",
		"怎么取消订单": "rules", "标题要不要带品牌": "rules", "偏远地区的运费谁承担": "rules",
	} {
		out := x.Think(ask(request))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want {
			t.Errorf("%s: planned %s, wanted %s", request, told(out), want)
		}
	}
}

func TestBestSellersAreToldApartByProduct(t *testing.T) {
	x := index(t, "shop.json")
	for _, request := range []string{"哪个商品卖得最好", "上个月哪款卖得最好", "What were the best sellers last month?"} {
		if a, args := one(t, x.Think(ask(request))); a.ToolName != "sales_statistics" || args["group_by"] != "商品" {
			t.Errorf("%s: %s %v", request, a.ToolName, args)
		}
	}
}
