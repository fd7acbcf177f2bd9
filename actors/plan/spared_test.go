package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// changed are the orders that the first round would change or look at before it does; asked whether it asks instead.
func changed(x *Index, in Input) (orders []string, out Outcome) {
	out = x.Think(in)
	for _, a := range out.Actions {
		var args struct {
			Order string `json:"order_id"`
		}
		if json.Unmarshal(a.Parameter, &args) == nil && args.Order != "" {
			orders = append(orders, args.Order)
		}
	}
	return orders, out
}

// What a request excepts, refuses or takes back is not changed; what it names beside that is.
func TestSpared(t *testing.T) {
	x := index(t, "shop.json")
	const a, b, c = "281065626058", "281063663568", "281063663577"
	for request, want := range map[string][]string{
		"取消订单" + a + "，不对，是" + b:                                {b},
		"取消订单" + a + "，哦不，是" + b:                                {b},
		"取消" + a + "，说错了，应该是" + b:                               {b},
		"取消" + a + "，更正：" + b:                                   {b},
		"别取消" + a + "，取消" + b:                                   {b},
		"不要取消" + a + "，取消" + b + "和" + c:                        {b, c},
		"取消" + b + "，别取消" + a:                                   {b},
		"取消" + a + "，别动" + b:                                    {a},
		"取消" + a + "，" + b + "先别取消":                             {a},
		"取消" + a + "，保留" + b:                                    {a},
		"取消" + a + "，" + b + "不要动":                              {a},
		"取消的是" + b + "，不是" + a:                                  {b},
		"取消" + a + "，" + b + "先别发货":                             {a},
		"除了" + a + "，" + b + "也取消":                              {a, b},
		"cancel " + b + ", not " + a:                            {b},
		"cancel order " + a + ", no, " + b:                      {b},
		"cancel order " + a + ", sorry, I mean " + b:            {b},
		"cancel order " + a + "; no wait, " + b:                 {b},
		"don't cancel " + a + ", cancel " + b:                   {b},
		"cancel " + a + " but keep " + b:                        {a},
		"cancel " + a + " and leave " + b + " alone":            {a},
		"cancel " + a + "; " + b + " must not be cancelled":     {a},
		"cancel orders " + a + " and " + b + " but not " + c:    {a, b},
		"cancel order " + a + ", no need to tell the buyer":     {a},
		"不要给订单" + a + "退款，取消它":                                  {a},
		"Don't ship order " + a + ", cancel it":                 {a},
		"取消" + a + "或者" + b:                                     nil,
		"cancel " + a + " or " + b:                              nil,
		"cancel order " + a + ", order " + b + " or order " + c: nil,
		"取消" + a + "以外的订单":                                      nil,
		"取消订单" + a + "，不对":                                      nil,
		"取消" + a + "，" + b + "先留着":                              {a},
		"取消" + a + "，" + b + "不取消":                              {a},
		"cancel " + a + ", " + b + " should stay":               {a},
		"取消" + a + "、" + b + "里金额小的那个":                          nil,
		"取消" + a + "和" + b + "中贵的":                              nil,
		"cancel the cheaper of " + a + " and " + b:              nil,
		"取消" + a + "和" + b + "，后面那个别退钱":                         nil,
	} {
		got, out := changed(x, ask(request))
		slices.Sort(got)
		w := slices.Sorted(slices.Values(want))
		if !slices.Equal(got, w) {
			t.Errorf("%s: about %v, want %v; %s", request, got, w, told(out))
		}
	}
}

// lateOrders are cards of which one finds what another one changes.
func lateOrders(t *testing.T) []bus.Card {
	t.Helper()
	var out []bus.Card
	if err := json.Unmarshal([]byte(`[
		{"name":"late_shipments","description":"列出超时未发货的订单。 List late orders: paid and not shipped in time.","effect":"read","parameters":{"type":"object","properties":{}},
		 "returns":{"type":"object","properties":{"total":{"type":"integer"},"orders":{"type":"array","items":{"type":"object","properties":{"order_id":{"type":"string","description":"订单编号 order id","x-provides":"order"}}}}}}},
		{"name":"cancel_order","description":"取消一个待付款或待发货的订单，已付的钱全额退回。 Cancel an order that is not shipped, by its id; money goes back in full.","effect":"unsafe","approval":"ask",
		 "parameters":{"type":"object","required":["order_id"],"properties":{"order_id":{"type":"string","description":"订单编号 order id","pattern":"^\\d{12}$","x-needs":"order"}}}}]`), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// No tool looks up what something is not: the rows that are excepted are left out, and where no row tells which these are it is said, and nothing is shown.
func TestLookWithAnException(t *testing.T) {
	h := newTeam(t)
	h.says["list_orders"] = `{"summary":"3 个。","summary_en":"There are 3.","count":3,"orders":[{"order_id":"281063663568","consumer_name":"王萍萍","state":"待发货"},{"order_id":"281061466024","consumer_name":"唐英强","state":"已取消"},{"order_id":"281061466025","consumer_name":"何涛军","state":"待发货"}]}`
	for request, want := range map[string]string{
		"列出上个月的订单，除了王萍萍的": "24 25", "列出上个月的订单，不含已取消的": "68 25", "上个月的订单，不包括王萍萍的": "24 25", "上周的订单，王萍萍的不算": "24 25", "orders of last week but not the cancelled ones": "68 25",
		"待发货的订单有哪些，王萍萍的不要": "24 25", "除王萍萍以外的待发货订单": "24 25", "上周的订单，除了已取消的以外有哪些": "68 25", "list the orders of last week except the cancelled ones": "68 25", "list the orders of last week excluding those of 何涛军": "68 24",
	} {
		answer := h.ask(t, request)
		for _, id := range []string{"281063663568", "281061466024", "281061466025"} {
			if strings.Contains(answer, id) != strings.Contains(want, id[10:]) || !strings.HasPrefix(h.told(), "list_orders{") || strings.Contains(h.told(), "consumer_name") {
				t.Errorf("%s: %s: %s", request, h.told(), answer)
			}
		}
	}
	for request, except := range map[string]string{
		"除了手机，各类目的销售额": "「手机」", "除了北京以外的订单": "相减就是其余的", "orders except Beijing": "the difference is the rest",
		"orders of last week except those of Tang Yingqiang": "“Tang Yingqiang”",
		"除了已取消的，上周的订单有哪些":                                    "「除了已取消的」", "排除已取消的，上周的订单有哪些": "「排除已取消的」",
		"orders of last week without the cancelled ones": "“without the cancelled ones”", "上周没有取消的订单": "「没有取消", "orders of last week that are not cancelled": "“not cancelled”",
	} {
		if answer := h.ask(t, request); !strings.Contains(answer, except) || strings.Contains(answer, "2810") {
			t.Errorf("%s: %s: %s", request, h.told(), answer)
		}
	}
	for _, request := range []string{"除了王萍萍的订单，还要看她的退款", "待发货的订单有哪些"} {
		if answer := h.ask(t, request); strings.Contains(answer, "没有执行") {
			t.Errorf("%s: %s", request, answer)
		}
	}
}

// All but one: that one is not among what is changed, and when it cannot be told from the others nothing is.
func TestAllBut(t *testing.T) {
	x := NewIndex(lateOrders(t), Options{})
	const a, b, c = "281065626058", "281063663568", "281063663577"
	for _, request := range []string{
		"超时未发货的订单都取消，" + a + "除外", "除了" + a + "，其他超时未发货的订单都取消", "除订单" + a + "以外，超时未发货的订单全部取消",
		"cancel all late orders but not " + a, "cancel all late orders except " + a,
	} {
		in := ask(request)
		out := x.Think(in)
		for range 3 {
			if len(out.Actions) == 0 || !x.byName[out.Actions[0].ToolName].Reads() {
				break
			}
			in = did(in, out, `{"total":3,"orders":[{"order_id":"`+b+`"},{"order_id":"`+a+`"},{"order_id":"`+c+`"}]}`)
			out = x.Think(in)
		}
		raw, _ := json.Marshal(out.Actions)
		if strings.Contains(string(raw), a) || !strings.Contains(string(raw), b) || !strings.Contains(string(raw), c) {
			t.Errorf("%s: %s", request, told(out))
		}
	}
	for _, request := range []string{"除了王萍萍的，其他超时未发货的订单都取消", "除了最贵的，其他超时的订单都取消", "cancel all late orders except the biggest one", "cancel all late orders except those of \"Bob Miller\""} {
		if out := x.Think(ask(request)); len(out.Actions) > 0 || out.Ask == nil && !strings.Contains(out.Answer, "没有执行") && !strings.Contains(out.Answer, "Not done") {
			t.Errorf("%s: %s %s", request, told(out), out.Answer)
		}
	}
}

// Which of two is asked, and the answer is what is changed.
func TestEitherIsAsked(t *testing.T) {
	x := index(t, "shop.json")
	const a, b = "281065626058", "281063663568"
	for answer, want := range map[string][]string{b: {b}, "第二个": {b}, "the first one": {a}} {
		in := ask("取消订单" + a + "或者" + b)
		out := x.Think(in)
		if out.Ask == nil || !slices.Equal(out.Ask.Options, []string{a, b}) || len(out.Actions) > 0 {
			t.Fatalf("not asked: %s", told(out))
		}
		same := in
		same.Answers = []Answer{{Ask: *out.Ask, Text: answer}}
		if got, out := changed(x, same); !slices.Equal(got, want) {
			t.Errorf("answered %s: about %v; %s", answer, got, told(out))
		}
		later := ask(answer)
		later.History = []Turn{{Request: in.Request, Ask: out.Ask}}
		if got, out := changed(x, later); !slices.Equal(got, want) {
			t.Errorf("answered %s by the next request: about %v; %s", answer, got, told(out))
		}
	}
}

// A plan of all calls changes what was named and wished, and nothing else.
func TestAllCallsChangeWhatIsMeant(t *testing.T) {
	x := index(t, "house.json")
	const a, b = "281065626058", "281063663568"
	changes := func(request string) string {
		out := ""
		for _, c := range x.PlanAll(ask(request)) {
			if e := x.byName[c.ToolName]; !e.Reads() {
				out += strings.TrimSpace(c.ToolName+" "+fmt.Sprint(c.Parameter["order_id"])) + ";"
			}
		}
		return out
	}
	for request, want := range map[string]string{
		"取消订单" + a + "并给买家发消息说抱歉":                             "cancel_order " + a + ";send_message_to_buyer " + a + ";",
		"cancel order " + a + " but do not message the buyer": "cancel_order " + a + ";",
		"取消订单" + a + "，不要给买家发消息":                              "cancel_order " + a + ";",
		"取消" + b + "，不对，是" + a:                                "cancel_order " + a + ";",
		"transfer 500 yuan to my bank account":                "",
		"delete all customers":                                "",
		"除了" + a + "，其他超时的都取消":                                "",
		"cancel " + a + " or " + b:                            "",
	} {
		if got := changes(request); got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
}

// What a change brings with it cannot be refused: that is said before anybody is asked to agree.
func TestInseparable(t *testing.T) {
	x := index(t, "house.json")
	const a, b = "281065626058", "281063663568"
	for request, refused := range map[string]bool{
		"帮我取消订单" + a + "，但不要退款":                   true,
		"cancel order " + a + " without a refund": true,
		"取消订单" + a + "，不要给买家发消息":                  false,
		"取消订单" + a + "，不要给" + b + "退款":            false,
	} {
		out := x.Think(ask(request))
		if said := strings.Contains(out.Answer, "没有执行") || strings.Contains(out.Answer, "Not done"); said != refused || refused == (len(out.Actions) > 0) {
			t.Errorf("%s: %s %s", request, told(out), out.Answer)
		}
	}
}
