package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// A scrap of a word, what is only counted, and what somebody does are no names of things.
func TestScrapsAreNoNames(t *testing.T) {
	trade := map[string]bool{}
	for _, w := range content("销售额 类目 降价 报告") {
		trade[w] = true
	}
	for s, want := range map[string]string{
		"本月和上个月比销售额涨了没":            "",
		"上个月各类目的销售额":               "",
		"空气炸锅降价十块":                 "空气炸锅",
		"把销售额写成一份总结":               "",
		"帮我订张票":                    "",
		"上海超过500元的订单":              "上海 订单",
		"whether she still wants":  "",
		"that they really like it": "",
		"the sales of blue boots":  "sales blue boots",
	} {
		var got []string
		for _, r := range residues(s, 0, len(s), readFacts(s, now, func(string) bool { return false }), trade) {
			if isHan(firstRune(r)) || strings.Contains(r, " ") || strings.Contains(want, r) {
				got = append(got, r)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q remains, want %q", s, got, want)
		}
	}
}

// A name that is joined to a known one is a name, however rare.
func TestNameBehindAName(t *testing.T) {
	none := func(string) bool { return false }
	for s, want := range map[string]string{
		"王萍萍和邓晨刚各发一条消息": "邓晨刚",
		"王萍萍、邓晨的订单":     "邓晨",
		"王萍萍和欧阳晨刚的订单":   "欧阳晨刚",
		"王萍萍和我的订单":      "",
		"王萍萍的订单":        "",
		"王萍萍和张":         "",
		"王萍萍和":          "",
	} {
		start, end, ok := nameBehind(s, len("王萍萍"), none)
		if got := s[start:max(start, end)]; ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// Numbers of things with nothing but blanks between them are all meant.
func TestIdsInARow(t *testing.T) {
	x := index(t, "shop.json")
	for _, q := range []string{
		"316123105676 316123105677 316123105678 物流", "订单 316123105676  316123105677\t316123105678 的物流", "where are the parcels of 316123105676 316123105677 316123105678",
	} {
		out := x.Think(ask(q))
		var ids []string
		for _, a := range out.Actions {
			var p map[string]string
			if err := json.Unmarshal(a.Parameter, &p); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, p["order_id"])
		}
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != "316123105676 316123105677 316123105678" {
			t.Errorf("%s: %s", q, told(out))
		}
	}
}

// Who asks how a thing is, and nothing beside it, is shown the thing, not what else knows its number.
func TestHowAThingIs(t *testing.T) {
	x := index(t, "shop.json")
	for _, q := range []string{"316123105676的状态", "316123105676 什么状态", "status of 316123105676", "看看 316123105676 这单", "what is the state of 316123105676?"} {
		if out := x.Think(ask(q)); len(out.Actions) != 1 || !slices.Contains([]string{"order_detail", "search_order_code"}, out.Actions[0].ToolName) {
			t.Errorf("%s: %s", q, told(out))
		}
	}
	if out := x.Think(ask("316123105676的发票状态")); len(out.Actions) != 1 || out.Actions[0].ToolName != "get_invoice" {
		t.Errorf("%s", told(out))
	}
}

// A number that tells by how much something shall change is not what it becomes: that is asked for.
func TestByHowMuch(t *testing.T) {
	for s, want := range map[string]bool{
		"给空气炸锅补货100件": true, "库存增加 100 件": true, "restock 100 air fryers": true, "raise the price by 100 yuan": true, "100 more of them": true, "降价100元": true,
		"补货到100件": false, "把库存改成100": false, "restock it to 100 pieces": false, "set the price to 100": false, "降到100元": false, "降价到 100 元": false,
	} {
		i := strings.Index(s, "100")
		if got := byHowMuch(s, fact{start: i, end: i + 3}); got != want {
			t.Errorf("%s: %v", s, got)
		}
	}
	f := field{Title: "库存", Desc: "改成、补货到多少件（不是增减多少）"}
	if g := (field{Title: "数量", Desc: "要补多少件"}); !f.reaches() || g.reaches() {
		t.Error("what a figure becomes")
	}
}

// What this can do, and whether somebody is there, are no wishes for a tool, however they are asked.
func TestWhatItCanDo(t *testing.T) {
	for _, q := range []string{"你能干嘛", "您都会干啥呀？", "亲，在吗", "亲在吗", "请问你可以帮我做什么", "能做些什么", "what can you help me with?", "How can you help?"} {
		if !SmallTalk(q) {
			t.Errorf("%q is small talk", q)
		}
	}
	for _, q := range []string{"你能帮我查什么订单", "亲的订单", "what can you do about order 7", "能退货吗"} {
		if SmallTalk(q) {
			t.Errorf("%q is a wish", q)
		}
	}
}

// The buyer that is asked for after one order was shown is that order's, and no list of everybody.
func TestBuyerOfWhatWasShown(t *testing.T) {
	h := newTeam(t)
	const id = "281053850603"
	for _, q := range []string{"买家是谁", "那买家是谁？", "下单的是谁", "who bought it?", "who ordered it?"} {
		in := ask(q)
		in.History = []Turn{{Request: "看看订单 " + id, Answer: "订单 " + id + " 待发货。"}}
		h.begin(t, in)
		if len(h.log) == 0 || h.log[0].args["order_id"] != id {
			t.Errorf("%s: %s", q, h.told())
		}
	}
}
