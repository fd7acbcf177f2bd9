package plan

import (
	"fmt"
	"strings"
	"testing"
)

// A number that limits a figure picks rows, says how many rows are wanted of nobody, and a change is made to the rows picked alone.
func TestNumbersThatLimit(t *testing.T) {
	h := newTeam(t)
	h.says["list_orders"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"orders":[{"order_id":"281063663568","total":2500},{"order_id":"281061466024","total":100},{"order_id":"281061466025","total":2001}]}`
	products := `[{"sku_id":"10000020559191","price":99,"cost":120,"stock":8},{"sku_id":"10000020559192","price":299,"cost":100,"stock":3},{"sku_id":"10000020559193","price":199,"cost":80,"stock":0}]`
	h.says["find_products"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"products":` + products + `}`
	h.says["stock_level"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"stock":` + products + `}`
	h.says["find_customers"] = `{"summary":"2 位。","summary_en":"There are 2.","count":2,"customers":[{"consumer_name":"王萍萍","orders":12,"spent":31000},{"consumer_name":"罗宁","orders":3,"spent":900}]}`
	for request, want := range map[string]string{
		"取消所有金额超过2000元的待发货订单":                                           "list_orders cancel_order:281063663568 cancel_order:281061466025",
		"取消所有金额没有超过2000元的待发货订单":                                         "list_orders cancel_order:281061466024",
		"取消所有超过2000元的订单":                                                "list_orders cancel_order:281063663568 cancel_order:281061466025",
		"cancel all orders over 2000 yuan":                              "list_orders cancel_order:281063663568 cancel_order:281061466025",
		"把库存低于5的商品都补货50件":                                               "stock_level set_stock:10000020559192=53 set_stock:10000020559193=50",
		"restock all products with less than 5 in stock to 50":          "stock_level set_stock:10000020559192=50 set_stock:10000020559193=50",
		"把库存低于5的商品都补到50":                                                "stock_level set_stock:10000020559192=50 set_stock:10000020559193=50",
		"把库存少于5件的商品补到30件":                                               "stock_level set_stock:10000020559192=30 set_stock:10000020559193=30",
		"库存不足5的商品涨价10元":                                                 "stock_level find_products:10000020559192 find_products:10000020559193 set_price:10000020559192=309 set_price:10000020559193=209",
		"把100元以下的商品都涨价50元":                                              "find_products set_price:10000020559191=149",
		"raise the price of all products between 150 and 250 yuan by 5": "find_products set_price:10000020559193=204",
	} {
		h.ask(t, request)
		var got []string
		for _, l := range h.log {
			s := l.name
			for _, p := range []string{"order_id", "sku_id"} {
				if id, ok := l.args[p].(string); ok {
					s += ":" + id
				}
			}
			for _, p := range []string{"stock", "price"} {
				if n, ok := l.args[p]; ok {
					s += fmt.Sprint("=", n)
				}
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != want || h.asked != nil {
			t.Errorf("%s: %s\n\t%s", request, strings.Join(got, " "), h.told())
		}
	}
	for request, want := range map[string]string{
		"库存低于5的商品有哪些": "2 个", "哪些商品库存不足8件": "2 个", "库存为0的商品有哪些": "1 个", "价格在150到250之间的商品有哪些": "1 个", "售价100-200元的商品": "1 个",
		"products cheaper than 100 yuan": "1 with", "customers with more than 10 orders": "1 with", "买过5次以上的客户有哪些": "1 个", "消费超过3万的客户": "1 个",
		"金额不超过2001元的订单有哪些": "2 个", "库存小于等于3的商品有哪些": "2 个", "库存不满8件的商品有哪些": "2 个", "有没有库存超过3的商品": "1 个",
		"how many products cost more than 150": "2 with Price", "which products cost less than 110 yuan": "1 with Price", "products with a cost over 110": "1 with Cost",
	} {
		answer := h.ask(t, request)
		if !strings.Contains(answer, want) || strings.Contains(answer, "没有按") || strings.Contains(answer, "not limited") {
			t.Errorf("%s: %s\n\t%s", request, answer, h.told())
		}
	}
}

// What is changed is found by its name and limited by a figure: whichever tool lists it, the change is made to the rows within the limit alone.
func TestNumbersThatLimitWhatIsNamed(t *testing.T) {
	h := newTeam(t)
	rows := `[{"sku_id":"10000020559191","sku_name":"禾煮空气炸锅 5L","price":100,"stock":71},{"sku_id":"10000020559192","sku_name":"灶小二空气炸锅 3L","price":200,"stock":7},{"sku_id":"10000020559193","sku_name":"暖屿空气炸锅 6L","price":400,"stock":25}]`
	h.says["find_products"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"products":` + rows + `}`
	h.says["stock_level"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"stock":` + rows + `}`
	for request, want := range map[string]string{
		"库存大于50件的空气炸锅都降价5%":                                                         "95",
		"把库存超过50件的空气炸锅全部降价10元":                                                      "90",
		"Lower the price of all air fryers with more than 50 pieces in stock by 5%": "95",
		"lower the price of all air fryers with less than 10 in stock by 5%":        "190",
	} {
		h.ask(t, request)
		var got []string
		for _, l := range h.log {
			if l.name == "set_price" {
				got = append(got, fmt.Sprint(l.args["price"]))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s\n\t%s", request, got, want, h.told())
		}
	}
}

// How many rows are wanted is no limit.
func TestNumbersOfRows(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{"列出5个待发货订单": "5", "列出不超过3个商品": "3", "show at most 7 products": "7"} {
		h.ask(t, request)
		if len(h.log) == 0 || fmt.Sprint(h.log[0].args["limit"]) != want {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// A percentage limits the rows by the column in percent that it is said of, and the things before what they come to together.
func TestPercentLimits(t *testing.T) {
	h := newTeam(t)
	h.says["sales_statistics"] = `{"summary":"3 种。","summary_en":"3 products.","amount":30,"orders":3,"groups":[{"group":"A","orders":1,"quantity":1,"amount":10,"profit":25,"margin_percent":12.5,"refund_rate_percent":30},{"group":"B","orders":1,"quantity":1,"amount":10,"profit":15,"margin_percent":19.9,"refund_rate_percent":2},{"group":"C","orders":1,"quantity":1,"amount":10,"profit":12,"margin_percent":20,"refund_rate_percent":5}]}`
	h.says["campaign_results"] = `{"summary":"2 个。","summary_en":"2 campaigns.","count":2,"roi":5,"channels":[{"channel":"直播","roi":2,"cost":10}],"campaigns":[{"campaign_id":1,"name":"甲","roi":2.5,"cost":5},{"campaign_id":2,"name":"乙","roi":7,"cost":5}]}`
	for request, want := range map[string]string{
		"毛利率低于20%的商品": "列出的 3 个里，毛利率（%）「低于20%」的有 2 个", "products with a margin below 20%": "Of the 3 listed, 2 with Margin (%) “below 20%”", "退款率超过10%的商品": "退款率（%）「超过10%」的有 1 个",
		"ROI低于3的推广活动": "列出的 2 个里，投入产出比「低于3」的有 1 个",
	} {
		if got := h.ask(t, request); !strings.Contains(got, want) {
			t.Errorf("%s: %s", request, got)
		}
	}
}
