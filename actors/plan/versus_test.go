package plan

import (
	"fmt"
	"strings"
	"testing"
)

// TestHeldAgainst: two values of one parameter that are compared, and a part and its whole, are two calls, and how the figures stand is said.
func TestHeldAgainst(t *testing.T) {
	for _, c := range []struct{ request, calls, want string }{
		{"上海和北京哪个卖得多", `sales_statistics{"city":"上海"} sales_statistics{"city":"北京"}`, "销售额：上海 900，北京 900，一样。"},
		{"上海和北京哪个城市卖得多", `sales_statistics{"by":"城市","city":"上海"} sales_statistics{"by":"城市","city":"北京"}`, "| 项目 | 上海 | 北京 | 差 |"},
		{"上海的销售额比北京高多少", `sales_statistics{"city":"上海"} sales_statistics{"city":"北京"}`, "销售额：上海 900，北京 900，一样。"},
		{"does Shanghai sell more than Beijing", `sales_statistics{"city":"Shanghai"} sales_statistics{"city":"Beijing"}`, "Sales (CNY): Shanghai 900, Beijing 900, equal."},
		{"Shanghai vs Beijing sales", `sales_statistics{"city":"Shanghai"} sales_statistics{"city":"Beijing"}`, "| Item | Shanghai | Beijing | Difference |"},
		{"空气炸锅和电饭煲的销售额哪个高", `sales_statistics{"category":"空气炸锅"} sales_statistics{"category":"电饭煲"}`, "销售额：空气炸锅 900，电饭煲 900，一样。"},
		{"空气炸锅比电饭煲多卖多少", `sales_statistics{"category":"空气炸锅"} sales_statistics{"category":"电饭煲"}`, "销售额：空气炸锅 900，电饭煲 900，一样。"},
		{"上个月毛利率是百分之几", `sales_statistics{"from":"2026-04-01","to":"2026-04-30"}`, "S."},
		{"王萍萍和胡子平谁花的钱多", `find_customers{"consumer_name":"王萍萍"} find_customers{"consumer_name":"胡子平"}`, "| 项目 | 王萍萍 | 胡子平 | 差 |"},
		{"空气炸锅的销量占全店多少", `sales_statistics{"category":"空气炸锅"} sales_statistics{}`, "空气炸锅占销量的 100%（12，全部 12）。"},
		{"上海的销售额占多少", `sales_statistics{"city":"上海"} sales_statistics{}`, "上海占销售额的 100%（900，全部 900）。"},
		{"what share of sales comes from air fryers", `sales_statistics{"category":"air fryers"} sales_statistics{}`, "air fryers: 100% of the Sales (CNY) (900 of 900)."},
	} {
		h := newTeam(t)
		h.says["sales_statistics"] = sold
		got := h.ask(t, c.request)
		if h.told() != c.calls || !strings.Contains(got, c.want) || strings.Contains(got, "注意") || strings.Contains(got, "Note") {
			t.Errorf("%s: wanted %q of %s, got %s\n%s", c.request, c.want, c.calls, h.told(), got)
		}
	}
	h := newTeam(t)
	if h.ask(t, "上海和北京的销售额"); len(h.log) != 2 {
		t.Errorf("both: %s", h.told())
	}
	h.says["list_orders"] = `{"count":8,"total":900}`
	for request, want := range map[string]string{"share of orders above 500 yuan": "above 500 yuan: 100% of the Orders (8 of 8)", "取消的订单占多少": "已取消占订单数的 100%（8，全部 8）", "what percentage of orders were cancelled": "cancelled: 100% of the Orders (8 of 8)"} {
		if got := h.ask(t, request); !strings.Contains(got, want) {
			t.Errorf("%s: %s\n%s", request, h.told(), got)
		}
	}
	h.says["list_refunds"] = fmt.Sprintf(refunds, 3, "170.5")
	for request, call := range map[string]string{"四月份广州退款几单": "list_refunds", "广州哪个商品退货最多": "list_refunds"} {
		if h.ask(t, request); len(h.log) != 1 || h.log[0].name != call || h.log[0].args["city"] != "广州" {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}
