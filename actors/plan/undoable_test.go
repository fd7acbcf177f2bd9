package plan

import (
	"strings"
	"testing"
)

// A deed that no tool of the house does is refused by its name: no figures are told in its place, and nothing else is changed.
func TestDeedsThatNothingDoes(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	for request, want := range map[string]string{
		"开启双十二活动，全场8折": "促销、推广活动", "start a sale, 20% off everything": "a sale or a campaign", "投放一个直播推广，预算5000": "促销、推广活动", "暂停所有推广": "促销、推广活动", "pause the campaign": "a sale or a campaign",
		"给王萍萍发一张优惠券": "优惠券", "send Wang Pingping a coupon": "coupons", "创建一张满100减20的优惠券": "优惠券",
		"创建一个新商品": "新建、发布商品", "添加新商品：禾煮热水壶，售价99元": "新建、发布商品", "add a new product": "publish a product", "delete the product 禾煮空气炸锅": "delete a product",
		"把禾煮空气炸锅的成本改成100": "成本", "change the title of 禾煮空气炸锅 to Super Fryer": "name, pictures",
		"能不能帮我下单": "下单", "帮我给王萍萍下一单耳机": "下单", "place an order for Wang Pingping": "place or create", "把订单281063663568拆成两单": "拆分订单", "打印订单281063663568的面单": "打印",
		"拉黑王萍萍": "拉黑", "给王萍萍打电话": "打电话", "改一下店铺名称": "店铺",
	} {
		if said := h.ask(t, request); len(h.log) > 0 || !strings.Contains(said, want) || !strings.Contains(said, "没有执行") && !strings.Contains(said, "Not done") {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
	for request, want := range map[string]string{ // which speak of such deeds, and wish for none
		"昨天下单的客户有哪些": "find_customers{}", "帮我查一下昨天下单的客户": "find_customers{}", "做一个推广方案，预算5000": "propose_campaign{budget=5000}", "plan a campaign with a budget of 5000": "propose_campaign{budget=5000}",
		"上个月做了哪些活动": "campaign_results{}", "list the products": "find_products{}", "给订单281063663568的买家发消息：送您一张优惠券": "send_message_to_buyer{text=送您一张优惠券}",
		"查一下王萍萍的订单，然后给她发一张优惠券": "search_order_code{consumer_name=王萍萍}",
	} {
		h.ask(t, request)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s; %s", request, miss, h.told())
		}
	}
}
