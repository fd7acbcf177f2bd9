package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
)

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
		if got := byHowMuch(s, facts.Fact{Start: i, End: i + 3}); got != want {
			t.Errorf("%s: %v", s, got)
		}
	}
	f := fields.Field{Title: "库存", Desc: "改成、补货到多少件（不是增减多少）"}
	if g := (fields.Field{Title: "数量", Desc: "要补多少件"}); !reaches(&f) || reaches(&g) {
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
