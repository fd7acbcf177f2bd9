package knowledge

import "testing"

// Plain English questions about the Chinese rules: how many of them find their passage first. The words of the passages were written beside the
// first list, and the second asks in words of its own. The bars only go up.
func TestPlainEnglish(t *testing.T) {
	b := open(t, Rules(), Options{})
	for _, c := range []struct {
		name      string
		bar       int
		questions [][2]string
	}{
		{"seen", 35, [][2]string{
			{"rules: how long does a customer have to return an item", "七天无理由退货"},
			{"rules: what is the return period", "七天无理由退货"},
			{"rules: how many days do we have to ship", "发货时限"},
			{"rules: how long do we have to answer a refund request", "商家审核售后申请的时限"},
			{"how many days do buyers have to send things back", "七天无理由退货"},
			{"can a customer return an opened item", "七天无理由退货"},
			{"can we refuse a return if the box is opened", "七天无理由退货"},
			{"what are the return rules for opened items", "七天无理由退货"},
			{"what is the policy on used items", "七天无理由退货"},
			{"退货规则", "七天无理由退货"},
			{"开封的商品能退吗", "七天无理由退货"},
			{"coupon rules", "优惠券的发放"},
			{"broken product, who pays to ship it back", "质量问题的退换"},
			{"how fast must I answer messages", "客服响应的时限"},
			{"is it ok to give gifts for 5 star reviews", "好评返现"},
			{"can I share a buyer's phone number", "买家的个人信息"},
			{"how much commission do you take", "佣金"},
			{"buyer refuses the parcel, who covers shipping", "发出后买家又不要了，运费由谁承担"},
			{"wrong tax number on the invoice", "发票抬头或者税号写错"},
			{"how soon do I have to ship", "发货时限"},
			{"what if I ship too late", "晚发货（延迟发货）罚多少"},
			{"fine for being out of stock", "缺货不发的处罚"},
			{"the package got lost on the way", "包裹丢失"},
			{"the box arrived damaged", "包裹破损"},
			{"I sent the wrong item", "错发和漏发"},
			{"tracking says delivered but the buyer has nothing", "显示签收但没有收到"},
			{"requirements to join a sale event", "报名活动的条件"},
			{"can I raise prices before a discount", "活动价与划线价"},
			{"do I need a trademark", "品牌资质"},
			{"difference between flagship and exclusive store", "旗舰店、专卖店、专营店的区别"},
			{"can an individual open a shop", "店铺主体有三种"},
			{"are coupons given back after a refund", "优惠券和积分的退还"},
			{"refund for an order that has not shipped", "未发货的订单申请退款"},
			{"which regions count as remote", "哪些地方算偏远地区"},
			{"what words are forbidden in a title", "标题里不能出现的内容"},
			{"how do I close my shop", "退店与退还保证金"},
		}},
		{"held back", 16, [][2]string{
			{"customer wants a replacement because the item is defective", "质量问题的退换"},
			{"how long is the return period", "七天无理由退货"},
			{"do I have to accept returns", "七天无理由退货"},
			{"a buyer threatens me with a negative review", "好评返现"},
			{"someone complained to the platform about me", "处理投诉"},
			{"what percentage does the platform keep", "佣金"},
			{"how do I get out of the platform", "退店与退还保证金"},
			{"who pays when the customer rejects delivery", "发出后买家又不要了，运费由谁承担"},
			{"can I refuse to give a receipt", "拒绝开发票"},
			{"correct a mistake in an invoice", "发票抬头或者税号写错"},
			{"how many hours until I must dispatch", "发货时限"},
			{"penalty for fake tracking numbers", "虚假发货"},
			{"typhoon delayed my parcels", "不算延迟发货的情形"},
			{"parcel is stuck and has no updates", "包裹丢失"},
			{"customer says the glass is smashed", "包裹破损"},
			{"we forgot one item in the box", "错发和漏发"},
			{"can I leave a promotion after signing up", "活动期间改价和撤销"},
			{"price dropped after the purchase, must I pay the difference", "价格保护"},
			{"permit for selling food", "行业资质看经营的类目"},
			{"how long until the customer gets the refund", "退款多久到账"},
			{"can a sole trader have a flagship store", "店铺主体有三种"},
			{"maximum length of a product title", "标题的写法"},
			{"shipping surcharge for Tibet", "偏远地区加收运费要事先写明"},
			{"courier does not deliver to that village", "偏远地区送不到"},
		}},
	} {
		right := 0
		for _, q := range c.questions {
			if found := ask(t, b, q[0]); len(found) > 0 && found[0].Section == q[1] {
				right++
			} else if c.name == "seen" {
				t.Logf("%s: found %d passages, none of them %s first", q[0], len(found), q[1])
			}
		}
		t.Logf("%s: %d of %d", c.name, right, len(c.questions))
		if right < c.bar {
			t.Errorf("%s: under the bar of %d", c.name, c.bar)
		}
	}
	for _, q := range []string{"how do I cook rice", "what is the weather today", "best football player", "who won the war", "how old is the king", "send me a picture of a dog", "what do you think of this", "is it going to rain in Beijing", "translate this to French", "can you fix my car", "how many people live in Shanghai", "which phone is the fastest", "my dog is lost", "how long does it take to fly to Tibet", "is the museum closed on Monday", "good restaurants near the office", "what is the meaning of life", "how do I return to the main menu", "are you a robot", "how old are you", "my computer is broken"} {
		if found := ask(t, b, q); len(found) > 0 {
			t.Errorf("%s found %s", q, found[0].Section)
		}
	}
}
