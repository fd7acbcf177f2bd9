package plan

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/gloss"
)

// ownTools are tools that a team connects beside the house's, in two languages.
func ownTools(chinese bool) []bus.Card {
	say := func(zh, en string) string {
		if chinese {
			return zh
		}
		return en
	}
	card := func(name, description, parameters string, effect bus.Effect) bus.Card {
		c := bus.Card{Name: name, Kind: "tool", Description: description, Parameters: json.RawMessage(parameters), Effect: effect, Tags: []string{"toolbox"}}
		if effect != bus.Read {
			c.Approval = "ask"
		}
		return gloss.Card(c)
	}
	return []bus.Card{
		card("give_coupon", say("给客户发优惠券。", "Give a coupon to a customer."), `{"type":"object","required":["customer","amount"],"properties":{"customer":{"type":"string","description":"`+say("客户姓名", "Name of the customer")+`"},"amount":{"type":"number","description":"`+say("优惠券金额，元", "Value of the coupon in yuan")+`"}}}`, bus.Unsafe),
		card("print_label", say("打印一个包裹的快递标签。", "Print the shipping label of a parcel."), `{"type":"object","required":["parcel_id"],"properties":{"parcel_id":{"type":"string","description":"`+say("包裹编号，例如 L42", "Id of the parcel, like L42")+`"}}}`, bus.Unsafe),
		card("send_gift", say("向会员寄送一份礼品。", "Send a gift to a member."), `{"type":"object","required":["member"],"properties":{"member":{"type":"string","description":"`+say("会员姓名", "Name of the member")+`"}}}`, bus.Unsafe),
		card("crm_search_order_code", say("在自己的系统里查客户的订单。", "Search the orders of a customer in our own system."), `{"type":"object","required":["customer"],"properties":{"customer":{"type":"string","description":"`+say("客户姓名", "Name of the customer")+`"}}}`, bus.Read),
	}
}

// A team's own tools are reached beside the house's in both languages, whichever one their cards are in: by the thing that they do something to, and by their name.
// What is not wished is not done with them.
func TestToolsOfATeam(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	_, agents := cardsOfHouse(t)
	house := newTeam(t).index["master"]
	toolbox := bus.Card{Name: "toolbox", Kind: "agent", Description: "工具箱：使用接入的外部工具。\nToolbox: uses the connected tools.", Tags: []string{"external tools", "外部工具"}}
	for _, chinese := range []bool{false, true} {
		own := ownTools(chinese)
		master, box := NewIndex(append(agents, toolbox), Options{Tools: append(house.options.Tools, own...)}), NewIndex(own, Options{})
		for _, c := range []struct{ request, tool, with string }{
			{"给王萍萍发20元优惠券", "give_coupon", `"amount":20`}, {"给王萍萍发20元优惠券", "give_coupon", `"王萍萍"`}, {"give Tang Juan a coupon of 20", "give_coupon", `"Tang Juan"`},
			{"给王萍萍发一张20元的优惠券", "give_coupon", `"amount":20`}, {"优惠券发给王萍萍，20元", "give_coupon", `"amount":20`}, {"把L77的标签打印出来", "print_label", `"L77"`},
			{"打印标签 L42", "print_label", `"L42"`}, {"print label L42", "print_label", `"L42"`}, {"给李建国送一份礼品", "send_gift", `"李建国"`},
			{"用 crm_search_order_code 查唐娟的订单", "crm_search_order_code", `"唐娟"`}, {"use crm_search_order_code for Tang Juan", "crm_search_order_code", `"Tang Juan"`},
		} {
			if out := master.Think(Input{Request: c.request, Now: now}); len(out.Actions) != 1 || out.Actions[0].ToolName != "toolbox" {
				t.Errorf("Chinese cards %v, %s: master: %s", chinese, c.request, told(out))
			}
			if out := box.Think(Input{Request: c.request, Now: now, Job: true}); len(out.Actions) != 1 || out.Actions[0].ToolName != c.tool || !strings.Contains(string(out.Actions[0].Parameter), c.with) {
				t.Errorf("Chinese cards %v, %s: toolbox: %s", chinese, c.request, told(out))
			}
		}
		for _, request := range []string{"给王萍萍发过优惠券吗", "发优惠券的客户有哪些", "不要给王萍萍发优惠券", "已经给王萍萍发了优惠券", "查看给王萍萍发的优惠券", "不要用 print_label", "发给王萍萍的优惠券过期了", "把优惠券发给他了吗", "用 search_order_code 查唐娟的订单", "use order_detail for order 281063663568"} {
			out := master.Think(Input{Request: request, Now: now})
			if len(out.Actions) > 0 && out.Actions[0].ToolName == "toolbox" {
				if in := box.Think(Input{Request: request, Now: now, Job: true}); len(in.Actions) > 0 && in.Actions[0].ToolName != "crm_search_order_code" || in.Ask != nil {
					t.Errorf("Chinese cards %v, %s: %s", chinese, request, told(in))
				}
			}
		}
		for request, want := range map[string]string{"用 crm_find_order 查唐娟的订单": "crm_find_order", "please use my_old_tool for Tang Juan": "my_old_tool"} {
			if out := master.Think(Input{Request: request, Now: now}); len(out.Actions) > 0 || !strings.Contains(out.Answer, want) || !strings.Contains(out.Answer, "toolbox") {
				t.Errorf("%s: %s", request, told(out))
			}
		}
		for _, request := range []string{"用 order_id 281063663568 查订单", "use order_id 281063663568 to look up the order", "用 user_pin wang1 查订单"} { // which are no tools
			if out := master.Think(Input{Request: request, Now: now}); len(out.Actions) == 0 {
				t.Errorf("%s: %s", request, told(out))
			}
		}
	}
}
