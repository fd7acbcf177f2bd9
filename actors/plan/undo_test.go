package plan

import (
	"strings"
	"testing"
)

// Who wants the last change back is asked leave for what was there before, as far as the conversation told it; nothing is guessed, and nothing is cancelled for it.
func TestUndo(t *testing.T) {
	t.Parallel()
	price := []Turn{{Request: "把毛绒小熊降价到 60", Answer: "绒绒玩具 毛绒小熊 40cm 的售价已从 379 元 改为 60 元，每件毛利 28.40 元。"}}
	english := []Turn{{Request: "set the price of 拼图地垫 to 50", Answer: "The price of 绒绒玩具 拼图地垫 is changed from CNY 1,059 to CNY 50, with a margin of CNY 19.32 a piece."}}
	stock := append(price[:1:1], Turn{Request: "把电饭煲的库存改成30", Answer: "禾煮电饭煲 4L 智能预约 的库存已从 37 件改为 30 件。"})
	address := []Turn{{Request: "把订单281063663568的地址改成北京路1号", Answer: "订单 281063663568 已修改：地址从「文化路66号，501室」改为「北京路1号」。"}}
	long := []Turn{{Request: "把订单281063663568的地址改成北京路1号", Answer: "订单 281063663568 已修改：地址从「" + strings.Repeat("路", 40) + "…」改为「北京路1号」。"}}
	note := []Turn{{Request: "给订单281063663568备注：老客户", Answer: "订单 281063663568 已修改：商家备注改为「老客户」。"}}
	cancelled := append(price[:1:1], Turn{Request: "取消订单281063663568", Answer: "订单 281063663568 已取消，退款 122 元，恢复库存 1 件。"})
	asked := append(price[:1:1], Turn{Request: "王萍萍有多少订单", Answer: "王萍萍共有 12 个订单。"})
	for _, c := range []struct {
		request string
		history []Turn
		want    string // calls, or what is said
	}{
		{"撤销刚才的改价", price, "find_products{}, set_price{price=379; sku_name=绒绒玩具 毛绒小熊 40cm}"}, {"撤销", price, "find_products{}, set_price{price=379}"}, {"把它恢复", price, "find_products{}, set_price{price=379}"},
		{"改回去", price, "find_products{}, set_price{price=379}"}, {"把价格改回原价", price, "find_products{}, set_price{price=379}"}, {"恢复原价", asked, "find_products{}, set_price{price=379}"}, {"取消刚才的改动", price, "find_products{}, set_price{price=379}"},
		{"undo that", english, "find_products{}, set_price{price=1059; sku_name=绒绒玩具 拼图地垫}"}, {"put it back", english, "find_products{}, set_price{price=1059}"}, {"set the price back to what it was", english, "find_products{}, set_price{price=1059}"}, {"revert the price change", english, "find_products{}, set_price{price=1059}"},
		{"撤销", stock, "find_products{}, set_stock{stock=37}"}, {"撤销刚才的改价", stock, "find_products{}, set_price{price=379}"},
		{"恢复原来的地址", address, "order_detail{}, change_order{address=文化路66号，501室; order_id=281063663568}"}, {"undo that", address, "order_detail{}, change_order{address=文化路66号，501室}"},
		{"恢复原来的地址", long, "没有可以撤回的改动"}, {"撤销", long, "没有它改之前的值"}, {"撤销", note, "没有它改之前的值"}, {"撤销", cancelled, "没有它改之前的值"}, {"undo that", cancelled, "was not shown"}, {"撤销", nil, "没有可以撤回的改动"}, {"undo that", nil, "shows no change"}, {"把它恢复", asked[1:], "没有可以撤回的改动"},
	} {
		h := newTeam(t)
		in := ask(c.request)
		in.History = c.history
		answer := h.begin(t, in)
		if !strings.Contains(c.want, "{") {
			if len(h.log) > 0 || !strings.Contains(answer, c.want) {
				t.Errorf("%s: %s: %s", c.request, h.told(), answer)
			}
			continue
		}
		if miss := h.wrong(readWishes(c.want)); miss != "" {
			t.Errorf("%s, %s: %s; %s: %s", c.request, c.history[len(c.history)-1].Request, miss, h.told(), answer)
		}
	}
	for _, request := range []string{"撤销订单281063663568", "取消", "取消这个订单", "取消订单281063663568", "恢复订单281063663568", "cancel that"} { // which are no undoing
		if wish, no := undoing(request, "zh", nil); wish+no != "" {
			t.Errorf("%s: %s%s", request, wish, no)
		}
	}
}
