package plan

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A change that is refused or only told of is neither planned nor taken for asked; one that is wished beside it is both.
func TestUnmeant(t *testing.T) {
	x := index(t, "shop.json")
	const no, order = "", "281065626058"
	for request, tool := range map[string]string{
		"今年取消的订单占比": no, "今年取消的订单": no, "取消的订单": no, "今年取消订单的占比": no, "取消订单的客户有哪些": no, "给取消订单的客户发消息：抱歉": no, "上个月同意的退款": no,
		"今年拒绝的退款占比": no, "昨天发货的订单": no, "开票的订单占比": no, "取消的订单有多少": no, "要取消的订单是" + order: "cancel_order", "要取消的：" + order: "cancel_order",
		"取消的是订单" + order:                                                    "cancel_order",
		"不要取消订单" + order:                                                    no,
		"别取消订单" + order + "，看看它到哪了":                                         no,
		"我没说要取消订单" + order:                                                  no,
		"我没让你取消订单" + order:                                                  no,
		"千万不要给订单" + order + "退款":                                            no,
		"先别给订单" + order + "发货":                                              no,
		"订单" + order + "先别催发货":                                              no,
		"不用取消订单" + order + "了":                                              no,
		"不用催发货，订单" + order + "，查一下就好":                                       no,
		"禁止修改订单" + order + "的地址":                                            no,
		"无需催发货订单" + order:                                                   no,
		"看看订单" + order + "，但不要催发货":                                          no,
		"暂时不取消订单" + order:                                                   no,
		"我不想取消订单" + order:                                                   no,
		"请勿取消订单" + order:                                                    no,
		"避免取消订单" + order:                                                    no,
		"不同意取消订单" + order:                                                   no,
		"取消订单" + order + "就不用了":                                             no,
		"催发货先不要做，看看订单" + order:                                              no,
		"不要给订单" + order + ", 281063663568发货":                                no,
		"客户说“取消订单" + order + "”，查一下他是谁":                                     no,
		"买家留言：请取消订单" + order + "，尽快。看看这个订单":                                 no,
		"客户说要取消订单" + order:                                                  no,
		"他写着：催一下订单" + order + "的发货":                                         no,
		"不是让你取消订单" + order:                                                  no,
		"我可没同意取消订单" + order:                                                 no,
		"订单" + order + "还不到取消的时候":                                           no,
		"以后再取消订单" + order + "，现在别取消":                                        no,
		"绝不能取消订单" + order:                                                   no,
		"我刚取消了订单" + order + "，帮我看看":                                         no,
		"我们已经把订单" + order + "取消了，查一下":                                       no,
		"取消订单" + order + "，不，先别":                                            no,
		"取消订单" + order + "，算了":                                              no,
		"把订单" + order + "取消掉。等等，还是别了":                                       no,
		"Cancel order " + order + ", no wait, don't":                        no,
		"Cancel order " + order + ". Actually, never mind":                  no,
		"我想取消订单" + order + "但还没想好":                                          no,
		"取消订单" + order + "，我再想想":                                            no,
		"客户让我取消订单" + order + "，我没同意":                                        no,
		"本来想取消订单" + order:                                                   no,
		"翻译：cancel order " + order:                                          no,
		"把这句话翻译成英文：取消订单" + order:                                            no,
		"取消订单" + order + "或者不取消":                                            no,
		"差点取消订单" + order:                                                    no,
		"差点把订单" + order + "取消了":                                             no,
		"我在考虑要不要取消订单" + order:                                               no,
		"假如我取消订单" + order:                                                   no,
		"I want to cancel order " + order + " but I'm not sure":             no,
		"I was going to cancel order " + order:                              no,
		"maybe cancel order " + order:                                       no,
		"the buyer asked me to cancel order " + order + ", I did not agree": no,
		"不是取消订单" + order + "，是看看":                                           no,
		"假设取消订单" + order + "，看看它":                                           no,
		"模拟取消订单" + order:                                                    no,
		"Pretend to cancel order " + order:                                  no,
		"Simulate cancelling order " + order:                                no,
		"I haven't decided to cancel order " + order:                        no,
		"We aren't going to cancel order " + order:                          no,
		"It is not necessary to cancel order " + order:                      no,
		"Do not cancel order " + order:                                      no,
		"Don't cancel order " + order:                                       no,
		"Don’t cancel order " + order:                                       no,
		"dont cancel order " + order:                                        no,
		"Never cancel order " + order:                                       no,
		"You must not cancel order " + order:                                no,
		"I don't want to cancel order " + order:                             no,
		"I don't want you to urge the shipment of order " + order:           no,
		"No need to urge the shipment of order " + order:                    no,
		"There is no reason to cancel order " + order:                       no,
		"I am not asking you to cancel order " + order:                      no,
		"I would rather not cancel order " + order:                          no,
		"Do not, under any circumstances, cancel order " + order:            no,
		"Do not refund, change or cancel order " + order:                    no,
		"Without cancelling order " + order + ", show it":                   no,
		"Show order " + order + " instead of cancelling it":                 no,
		"Avoid cancelling order " + order + " and show it":                  no,
		"The buyer wrote: please cancel order " + order + ". Is he right?":  no,
		"The customer said \"please cancel order " + order + "\", show it":  no,
		"The customer says we should cancel order " + order:                 no,

		"取消订单" + order:                                                       "cancel_order",
		"不要忘了取消订单" + order:                                                   "cancel_order",
		"买家已经取消了付款，把订单" + order + "取消了":                                      "cancel_order",
		"是不是可以帮我取消订单" + order:                                                "cancel_order",
		"别忘记取消订单" + order:                                                    "cancel_order",
		"能不能帮我取消订单" + order:                                                  "cancel_order",
		"订单" + order + "我不想要了，帮我取消":                                          "cancel_order",
		"不用退款，取消订单" + order + "就行":                                           "cancel_order",
		"不要退款而是取消订单" + order:                                                 "cancel_order",
		"客户说不想要了，取消订单" + order:                                               "cancel_order",
		"“取消订单" + order + "”":                                                "cancel_order",
		"订单" + order + "还没发货，催一下":                                            "urge_shipment",
		"催一下没发货的订单" + order:                                                  "urge_shipment",
		"分别取消订单" + order + "和281063663568":                                   "cancel_order",
		"买家不喜欢这个颜色，取消订单" + order:                                             "cancel_order",
		"The buyer isn't happy and wants me to cancel order " + order:        "cancel_order",
		"Cancel order " + order + ", he does not want it":                    "cancel_order",
		"Don't forget to cancel order " + order:                              "cancel_order",
		"Please don't hesitate to cancel order " + order:                     "cancel_order",
		"Don't refund it, cancel order " + order:                             "cancel_order",
		"Do not refund but cancel order " + order:                            "cancel_order",
		"The buyer says he is ill, please cancel order " + order:             "cancel_order",
		"Order " + order + " has not shipped yet, urge the shipment":         "urge_shipment",
		"Urge the shipment of order " + order + ", which is not shipped yet": "urge_shipment",
	} {
		changes := ""
		for _, c := range x.Think(ask(request)).Explain.Clauses {
			if e := x.byName[c.Chosen]; e != nil && !e.Reads() {
				changes = c.Chosen
			}
		}
		if changes != tool {
			t.Errorf("%s: chose %q, want %q", request, changes, tool)
		}
		for _, name := range []string{"cancel_order", "urge_shipment"} {
			if got := x.Asks(request, name); got != (name == tool) {
				t.Errorf("%s: asks for %s: %v", request, name, got)
			}
		}
	}
}

// A change that no tool makes of a thing that is named is not made, which is said together with those that can be; 除 of 删除 excepts nothing.
func TestChangeThatNoToolMakes(t *testing.T) {
	x := NewIndex(houseCards(t), Options{})
	for request, want := range map[string]string{
		"删除订单281066579357":          "对订单编号 281066579357能做的改动：",
		"移除订单281066579357":          "取消订单、",
		"delete order 281066579357": "what can be changed of Order id 281066579357: Cancel an order, ",
	} {
		in := ask(request)
		o := x.Think(in)
		if len(o.Actions) != 1 {
			t.Fatalf("%s: %v %s", request, o.Actions, o.Answer)
		}
		in.Done = append(in.Done, Done{Action: o.Actions[0], Status: bus.OK, Observation: []byte(`{"summary":"S."}`)})
		if o = x.Think(in); !strings.Contains(o.Answer, want) {
			t.Errorf("%s: %s, want %s", request, o.Answer, want)
		}
	}
}
