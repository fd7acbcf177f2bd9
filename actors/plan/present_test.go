package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/facts"
)

// What is there is looked up, and what it becomes is worked out to the last digit; a figure that it is set to stays that figure.
func TestChangeByHowMuch(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{ // the price is 329, and there are 71
		"禾煮空气炸锅 5L补货100件": "set_stock 171", "restock 20 pieces of 禾煮空气炸锅 5L": "set_stock 91", "把商品10000020269974的库存加50件": "set_stock 121",
		"把禾煮空气炸锅 5L 可视窗降价10%": "set_price 296.1", "禾煮空气炸锅 5L打九折": "set_price 296.1", "禾煮空气炸锅 5L打85折": "set_price 279.65", "禾煮空气炸锅 5L打八五折": "set_price 279.65", "禾煮空气炸锅 5L 降10块": "set_price 319",
		"lower the price of 禾煮空气炸锅 5L by 10": "set_price 319", "raise the price of 禾煮空气炸锅 5L by 5%": "set_price 345.45", "take 20% off 禾煮空气炸锅 5L": "set_price 263.2",
		"禾煮空气炸锅 5L 的价格上调 3.5 元": "set_price 332.5", "禾煮空气炸锅 5L 降价到 299": "set_price 299", "restock 禾煮空气炸锅 5L to 300 pieces": "set_stock 300",
		"change the price of 禾煮空气炸锅 5L by 10": "ask set_price.price", "禾煮空气炸锅 5L要不要降价10%": "suggest_price", "销量下降10%的商品有哪些": "",
		"禾煮空气炸锅 5L 库存减少100件": "", // -29
	} {
		answer := h.ask(t, request)
		got := h.told()
		tool, value, _ := strings.Cut(want, " ")
		switch last := h.log[len(h.log)-1]; {
		case want == "" && (strings.Contains(got, "set_") || h.asked != nil):
			t.Errorf("%s: %s", request, got)
		case tool == "ask" && !strings.Contains(got, "ask:"+value):
			t.Errorf("%s: %s", request, got)
		case strings.HasPrefix(tool, "set_") && (last.name != tool || fmt.Sprint(last.args[strings.TrimPrefix(tool, "set_")]) != value || h.log[len(h.log)-2].name != "find_products"):
			t.Errorf("%s: %s", request, got)
		}
		if strings.Contains(request, "减少100件") {
			holdsAll(t, answer, "没有执行", "71", "-29")
		}
	}
}

// A name that several things have is asked before anybody agrees to a change, and the answer is taken.
func TestNameOfSeveralIsAskedFirst(t *testing.T) {
	h := newTeam(t)
	h.says["find_products"] = `{"summary":"2","count":2,"products":[{"sku_name":"禾煮空气炸锅 5L 可视窗","price":329,"stock":71,"sku_id":"10000020260001"},{"sku_name":"禾煮空气炸锅 4L 家用","price":193.05,"stock":7,"sku_id":"10000020269974"}]}`
	for request, want := range map[string]string{"禾煮空气炸锅改成 299 元": "299", "禾煮空气炸锅降价10%": "173.75", "lower the price of the 禾煮空气炸锅 by 10": "183.05"} {
		if h.ask(t, request); h.asked == nil || len(h.asked.Options) != 2 || len(h.log) != 2 {
			t.Errorf("%s: %s", request, h.told())
			continue
		}
		in := ask(request)
		in.Answers = []Answer{{Ask: *h.asked, Text: "禾煮空气炸锅 4L 家用"}}
		h.begin(t, in)
		if last := h.log[len(h.log)-1]; last.name != "set_price" || fmt.Sprint(last.args["price"]) != want || last.args["sku_name"] != "禾煮空气炸锅 4L 家用" {
			t.Errorf("%s, answered: %s", request, h.told())
		}
	}
	h.ask(t, "把禾煮空气炸锅 4L 家用改成 299 元")
	if last := h.log[len(h.log)-1]; h.asked != nil || last.name != "set_price" {
		t.Errorf("its whole name: %s", h.told())
	}
}

// A value is worked out in decimals, never by way of a float.
func TestByIsExact(t *testing.T) {
	for _, c := range []struct {
		text, number, now string
		whole             bool
		want              string
	}{
		{"降价10%", "10%", "0.1", false, "0.09"}, {"降价 0.1 元", "0.1 元", "0.3", false, "0.2"}, {"涨价7%", "7%", "1.15", false, "1.23"}, {"涨价7%", "7%", "1.155", false, "1.236"},
		{"加 5 件", "5 件", "9007199254740993", true, "9007199254740998"}, {"减少33%", "33%", "10", true, "7"}, {"打 8.5 折", "8.5 折", "200", false, "170"},
	} {
		x := newTeam(t).index["pricing"]
		for _, f := range x.facts(c.text, ask("").Now) {
			if f.Kind != facts.Number {
				continue
			}
			b, ok := howMuchBy(c.text, f)
			if got, _ := b.of(json.Number(c.now), c.whole); !ok || got.String() != c.want {
				t.Errorf("%s of %s: %s (%v), wanted %s", c.text, c.now, got, b, c.want)
			}
		}
	}
}

func FuzzHowMuchBy(f *testing.F) {
	for _, s := range []string{"降价10%", "打九折", "lower by 1e9", "补货100件", "by -5", "加 99999999999999999999 件"} {
		f.Add(s, "329")
	}
	x := newTeam(f).index["pricing"]
	f.Fuzz(func(t *testing.T, s, now string) {
		for _, fa := range x.facts(s, ask("").Now) {
			if b, ok := howMuchBy(s, fa); ok {
				b.of(json.Number(now), true)
			}
		}
	})
}
