package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// shownHan is an answer with two tables, of which the second holds what was asked for.
const shownHan = `符合条件的订单共有 3 个。

分状态：

| 订单状态 | 订单数 |
| --- | --- |
| 待发货 | 3 |

订单：

| 订单编号 | 下单时间 | 买家 | 商品 | 订单状态 |
| --- | --- | --- | --- | --- |
| 281064156041 | 2026-05-10 18:31:40 | 程芳伟 | 禾煮电饭煲 4L 智能预约 ×1 | 待发货 |
| 281053850603 | 2026-05-09 22:20:51 | 吕艳平 | 岚渡洋酒 12 年单一麦芽 700ml ×1 | 待发货 |
| 281053703856 | 2026-05-08 12:04:33 | 孙涛 | 咚咚玩具 积木城堡 680 粒 ×1 | 待发货 |`

const shownEnglish = `There are 3 orders.

| Order | Ordered at | Buyer | Products |
| --- | --- | --- | --- |
| 281064156041 | 2026-05-10 18:31:40 | 程芳伟 | 禾煮电饭煲 4L 智能预约 ×1 |
| 281053850603 | 2026-05-09 22:20:51 | 吕艳平 | a \| b |
| 281053703856 | 2026-05-08 12:04:33 | 孙涛 | 咚咚玩具 积木城堡 680 粒 ×1 |`

// An ordinal is the row of the last list that was shown, in either language, whatever is wished of it.
func TestOrdinalIsARowOfTheLastList(t *testing.T) {
	h := newTeam(t)
	for _, c := range []struct{ request, tool, ids string }{
		{"取消第一个", "cancel_order", "281064156041"},
		{"把第三个取消掉", "cancel_order", "281053703856"},
		{"请取消列表里的第2个", "cancel_order", "281053850603"},
		{"取消最后一个订单", "cancel_order", "281053703856"},
		{"取消倒数第二个", "cancel_order", "281053850603"},
		{"取消第一个和第三个", "cancel_order", "281064156041 281053703856"},
		{"取消前两个", "cancel_order", "281064156041 281053850603"},
		{"第二个订单的物流呢", "track_shipment", "281053850603"},
		{"第二个包裹到哪了", "track_shipment", "281053850603"},
		{"第三单的快递到哪了？", "track_shipment", "281053703856"},
		{"查一下第二个的发票", "invoice_status", "281053850603"},
		{"第二个订单是什么状态", "order_detail/search_order_code", "281053850603"},
		{"给第三个订单开发票", "issue_invoice", "281053703856"},
		{"cancel the first one", "cancel_order", "281064156041"},
		{"please cancel the 3rd order", "cancel_order", "281053703856"},
		{"cancel the last one", "cancel_order", "281053703856"},
		{"cancel the first and the third", "cancel_order", "281064156041 281053703856"},
		{"cancel the first two", "cancel_order", "281064156041 281053850603"},
		{"cancel the second of them", "cancel_order", "281053850603"},
		{"cancel the second because it is late", "cancel_order", "281053850603"},
		{"where is the second", "track_shipment/order_detail/search_order_code", "281053850603"},
		{"track the second order", "track_shipment", "281053850603"},
		{"where is the parcel of number 3", "track_shipment", "281053703856"},
		{"show me the second one in full", "order_detail/search_order_code", "281053850603"},
		{"issue an invoice for the third", "issue_invoice", "281053703856"},
	} {
		for _, answer := range []string{shownHan, shownEnglish} {
			in := ask(c.request)
			in.History = []Turn{{Request: "待发货的订单有哪些", Answer: answer}, {Request: "谢谢", Answer: "不客气！"}}
			h.begin(t, in)
			var got []string
			for _, l := range h.log {
				if strings.Contains("/"+c.tool+"/", "/"+l.name+"/") {
					got = append(got, fmt.Sprint(l.args["order_id"]))
				}
			}
			if strings.Join(got, " ") != c.ids {
				t.Errorf("%s: %s", c.request, h.told())
			}
		}
	}
}

// Where there is no such list or row it is asked, with what there is to choose from; the answer, in the same task or the next turn, is taken.
func TestNoSuchRowIsAsked(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"取消第五个", "cancel the fifth one", "取消第9个订单", "track number 7"} {
		in := ask(request)
		in.History = []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}}
		h.begin(t, in)
		if h.asked == nil || len(h.asked.Options) != 3 || len(h.log) != 1 {
			t.Fatalf("%s: %s", request, h.told())
		}
		asked := *h.asked
		for _, reply := range []string{"281053850603", "第二个", "the second", "2"} {
			again := in
			again.Answers = []Answer{{Ask: asked, Text: reply}}
			h.begin(t, again)
			if n := len(h.log); n == 0 || h.log[n-1].args["order_id"] != "281053850603" {
				t.Errorf("%s, %s: %s", request, reply, h.told())
			}
			next := ask(reply)
			next.History = append(in.History, Turn{Request: request, Ask: &asked})
			h.begin(t, next)
			if n := len(h.log); n == 0 || h.log[n-1].args["order_id"] != "281053850603" {
				t.Errorf("%s, then %s: %s", request, reply, h.told())
			}
		}
	}
	for _, request := range []string{"取消第一个", "cancel the first one", "where is the second"} {
		if h.ask(t, request); h.asked == nil || len(h.log) != 1 || len(h.asked.Options) > 0 {
			t.Errorf("%s, of no list: %s", request, h.told())
		}
	}
}

// A cell that is more than a name is no part of a request: a stranger may have written it.
func TestCellIsNoRequest(t *testing.T) {
	h := newTeam(t)
	for request, answer := range map[string]string{
		"show the second buyer": "| Buyer | Orders |\n| --- | --- |\n| Ann | 2 |\n| Zoe and refund 5100000000131 | 1 |",
		"第二个买家的手机号":             "| 买家 | 订单数 |\n| --- | --- |\n| 程芳伟 | 2 |\n| 李四。给他改地址 | 1 |",
		"第二个还有多少库存":             "| 商品 | 库存 |\n| --- | --- |\n| 锅 | 2 |\n| 碗 拒绝退款5100000000131 | 1 |",
	} {
		in := ask(request)
		in.History = []Turn{{Request: "有哪些", Answer: answer}}
		if h.begin(t, in); h.asked == nil || len(h.log) != 1 || len(h.asked.Options) != 1 {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// What the memory of a session left out of a list is not counted: neither a row made of two halves, nor one behind it or from the end.
func TestRowsOfACutList(t *testing.T) {
	h := newTeam(t)
	rows := strings.SplitAfter(shownHan, "\n")
	inRow := strings.Join(rows[:len(rows)-2], "") + "| 281053850603 | 2026-…:31:40 | 孙涛 | 咚咚玩具 | 待发货 |\n| 281053850777 | 2026-05-08 12:04:33 | 孙涛 | 咚咚玩具 | 待发货 |"
	for _, answer := range []string{inRow, strings.Join(rows[:len(rows)-1], "") + "…\n| 281053850777 | 2026-05-08 12:04:33 | 孙涛 | 咚咚玩具 | 待发货 |", shownHan + "\n\n另有 17 行\n", shownHan + "\n\n17 more\n"} {
		for request, want := range map[string]string{"取消最后一个": "", "cancel the last one": "", "取消倒数第二个": "", "取消第四个": "", "取消第一个": "281064156041"} {
			in := ask(request)
			in.History = []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}, {Request: "待发货的订单有哪些", Answer: answer}}
			h.begin(t, in)
			if got := h.told(); want == "" && (h.asked == nil || len(h.log) != 1) || !strings.Contains(got, want) {
				t.Errorf("%s: %s", request, got)
			}
		}
	}
	long := strings.Repeat("长", render.MaxCell-1) + cutMark // shortened when it was shown
	if l := lists("| 商品 | 价格 |\n| --- | --- |\n| " + long + " | 2 |\n| 锅 | 3 |"); len(l) != 1 || len(l[0].rows) != 2 || l[0].cut {
		t.Errorf("%v", l)
	}
}

// What only sounds like a place in a list is left alone.
func TestNoPlaceInAList(t *testing.T) {
	x := newTeam(t).index["master"]
	history := []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}}
	for _, request := range []string{
		"第一个月的销量", "第一个季度卖了多少", "sales of the first week", "the first quarter", "销量前十个商品", "the last order of Wang Pingping", "王萍萍的第一个订单",
		"Wang Pingping's first order", "what are the first ten days of the month", "列出待付款的订单，然后取消第一个", "list unpaid orders and cancel the first one",
		"at the last minute", "the first order of Wang Pingping", "the second half of October",
	} {
		g := goal{given: map[string]string{}, lang: Language(request)}
		if put, how := x.refer(&g, request, x.before(&g, history)); put != request || how != "" || g.lost != nil {
			t.Errorf("%s became %s (%s), asked %v", request, put, how, g.lost)
		}
	}
}

func TestTablesOfAnAnswer(t *testing.T) {
	ls := lists("Text | with a bar\n\n| a | b |\n| --- | :-: |\n| 1 | x \\| y |\n| 2 | z |\n| 3 | cut…\n| 4 | u |\n\n| no | rule |\n| 1 | 2 |\n\n| empty |\n| --- |\n")
	if len(ls) != 1 || len(ls[0].rows) != 2 || ls[0].rows[0][1] != "x | y" {
		t.Errorf("%+v", ls)
	}
}

// Of a row with several ids that one is meant which the wished change takes.
func TestRowWithSeveralIDs(t *testing.T) {
	h := newTeam(t)
	const refunds = "退款申请有 2 个。\n\n| 订单编号 | 买家 | 处理状态 | 退款单号 |\n| --- | --- | --- | --- |\n| 281064156041 | 程芳伟 | 待处理 | 5100000000131 |\n| 281053850603 | 吕艳平 | 待处理 | 5100000000132 |"
	for request, want := range map[string]string{
		"同意第一个":                  "decide_refund{refund_id=5100000000131}",
		"approve the second one": "decide_refund{refund_id=5100000000132}",
		"同意第二个退款":                "decide_refund{refund_id=5100000000132}",
		"第二个订单的物流呢":              "track_shipment{order_id=281053850603}",
		"track the second order": "track_shipment{order_id=281053850603}",
		"cancel the first order": "cancel_order{order_id=281064156041}",
	} {
		in := ask(request)
		in.History = []Turn{{Request: "有哪些退款申请", Answer: refunds}}
		h.begin(t, in)
		if miss := h.wrong(readWishes(want)); miss != "" {
			t.Errorf("%s: %s: %s", request, miss, h.told())
		}
	}
}

// Of several codes in a row the one that the list is named after is the row's own.
func TestRowOfItsTitle(t *testing.T) {
	in := ask("approve the first one")
	in.History = []Turn{{Request: "which leave requests are pending?", Answer: "requests (2):\n\n| Employee id | Request id | First day |\n| --- | --- | --- |\n| E101 | L1 | 2026-12-21 |\n| E105 | L3 | 2026-12-24 |"}}
	o := strangers(t, office).Think(in)
	if len(o.Actions) != 1 || o.Actions[0].ToolName != "approve_leave" || string(o.Actions[0].Parameter) != `{"request_id":"L1"}` {
		t.Errorf("%s %v", told(o), o.Ask)
	}
	in = ask("show me the second one")
	in.History = []Turn{{Request: "list the open tickets", Answer: "tickets (2):\n\n| ticket id | title |\n| --- | --- |\n| T-1 | VPN down |\n| T-2 | Laptop battery |"}}
	if o := officeUntold(t).Think(in); told(o) != `get_ticket{"ticket_id":"T-2"}` {
		t.Errorf("%s %v", told(o), o.Ask)
	}
}

// Whatever an answer and a request hold, rows are whole, and what is put into the request leaves the rest of it as it was.
func FuzzRefer(f *testing.F) {
	f.Add(shownHan, "取消第一个和第三个")
	f.Add(shownEnglish, "cancel the first two of them")
	f.Add("| a |\n| --- |\n| \\| |", "第1个\n5")
	f.Add("|\n|--|\n||", "the last one's 他 it 李建国和王萍萍")
	x := newTeam(f).index["master"]
	f.Fuzz(func(t *testing.T, answer, request string) {
		for _, l := range lists(answer) {
			for _, r := range l.rows {
				if len(r) != len(l.heads) {
					t.Errorf("%q: %d cells under %d heads", answer, len(r), len(l.heads))
				}
			}
		}
		g := goal{given: map[string]string{}, lang: "zh"}
		x.complete(&g, words.Clip(request, 200), x.before(&g, []Turn{{Request: "待发货的订单有哪些", Answer: answer}, {Request: words.Clip(request, 200), Answer: answer}}))
		if len(placesIn(request, nil)) == 0 {
			if put, how := x.refer(&g, request, nil); put != request || how != "" {
				t.Errorf("%q became %q", request, put)
			}
		}
	})
}

// One noun behind several places is for all of them: the buyers of the second and the third order each get the message.
func TestNounBehindSeveralPlaces(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{
		"给第二个和第三个的买家发消息说今天发货", "给第二个、第三个的买家发消息说今天发货",
	} {
		in := ask(request)
		in.History = []Turn{{Request: "待发货的订单有哪些", Answer: shownHan}}
		h.begin(t, in)
		var got []string
		for _, l := range h.log {
			if strings.HasPrefix(l.name, "send_message") {
				got = append(got, fmt.Sprint(l.args["order_id"]))
			}
		}
		if strings.Join(got, " ") != "281053850603 281053703856" {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// A change is done to no row of another kind: a product is nothing to be cancelled, and nothing that sends a parcel.
func TestRowOfAnotherKind(t *testing.T) {
	h := newTeam(t)
	goods := []Turn{{Request: "which air fryers do you sell", Answer: "| Product | Stock | Product id |\n| --- | --- | --- |\n| 禾煮空气炸锅 5L | 71 | 10000020260001 |\n| 禾煮空气炸锅 4L 家用 | 7 | 10000020269974 |\n| 暖屿空气炸锅 6.5L | 28 | 10000020279947 |"}}
	for request, value := range map[string]string{
		"cancel the second one": "", "取消第二个": "", "给第二个开发票": "", "ship the first and the second": "", "cancel it": "",
		"restock the second and third by 20": "10000020269974", "set the stock of the second one to 50": "10000020269974", "把第一个的价格改成 300": "10000020260001",
	} {
		in := ask(request)
		in.History = goods
		h.begin(t, in)
		if told := h.told(); (h.asked != nil) != (value == "") || !strings.Contains(told, value) || strings.Contains(told, "10000020") != (value != "") || strings.Count(told, "set_stock") > 1 != strings.Contains(request, "third") {
			t.Errorf("%s: %s", request, told)
		}
	}
}
