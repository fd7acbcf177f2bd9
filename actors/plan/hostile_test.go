package plan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

func card(name, params string) bus.Card {
	return bus.Card{Name: name, Kind: "tool", Description: "查询 " + name, Parameters: json.RawMessage(params), Effect: bus.Read}
}

func TestBadCardsAreRejectedWithReason(t *testing.T) {
	good := card("good", `{"type":"object","properties":{"q":{"type":"string"}}}`)
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400)
	x := NewIndex([]bus.Card{
		good,
		card("good", `{}`),
		card("bad name*", `{}`),
		card("broken", `{"type":`),
		card("remote", `{"type":"object","properties":{"a":{"$ref":"http://example.com/schema.json"}}}`),
		card("file", `{"$ref":"file:///etc/passwd"}`),
		card("list", `{"type":"array"}`),
		card("wrong", `{"type":"object","properties":{"a":{"type":"nonsense"}}}`),
		card("regexp", `{"type":"object","properties":{"a":{"type":"string","pattern":"(["}}}`),
		card("huge", `{"type":"object","description":"`+strings.Repeat("x", fields.MaxSchema)+`"}`),
		card("odd", `{"type":"object","properties":{"a":{"x-provides":7,"enum":[1,null,{}],"examples":[[]]}}}`),
		card("deep", deep),
		{Name: "empty", Kind: "tool"},
	}, Options{})
	reasons := map[string]string{}
	for _, r := range x.Rejects {
		reasons[r.Name] = r.Reason
	}
	for name, want := range map[string]string{
		"good": "taken", "bad name*": "A-Z", "broken": "JSON", "remote": "not followed", "file": "not followed", "list": "object",
		"wrong": "must be one of", "regexp": "pattern", "huge": "limit", "deep": "nested",
	} {
		if !strings.Contains(reasons[name], want) {
			t.Errorf("%s: reason %q should speak of %q", name, reasons[name], want)
		}
	}
	for _, name := range []string{"odd", "empty"} {
		if reasons[name] != "" {
			t.Errorf("%s was rejected: %s", name, reasons[name])
		}
	}
	if x.byName["good"] == nil || len(x.byName["good"].Params) != 1 {
		t.Error("the first of two cards of one name must stay")
	}
}

// Tools that only feed each other must not hang the optimiser or appear in a plan.
func TestCyclesOfProviders(t *testing.T) {
	var cards []bus.Card
	for i := range 8 {
		cards = append(cards, bus.Card{
			Name: fmt.Sprintf("part%d", i), Kind: "tool", Effect: bus.Read, Description: "查询零件编号",
			Parameters: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"part%d_id":{"type":"string","description":"零件编号","x-needs":"p%d"}},"required":["part%d_id"]}`, i, i, i)),
			Returns:    json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"part%d_id":{"type":"string","description":"零件编号","x-provides":"p%d"}}}`, (i+1)%8, (i+1)%8)),
		})
	}
	out := NewIndex(cards, Options{}).Think(ask("查询零件编号"))
	if out.Ask == nil {
		t.Errorf("nothing is known, so something must be asked: %s", told(out))
	}
}

// Two tools that could each feed the other: one reference may stand, not both.
func TestPlanAllHasNoCycle(t *testing.T) {
	tool := func(name, needs, provides string) bus.Card {
		return bus.Card{
			Name: name, Kind: "tool", Effect: bus.Read, Description: name + " things",
			Parameters: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"in":{"type":"string","x-needs":%q}},"required":["in"]}`, needs)),
			Returns:    json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"out":{"type":"string","x-provides":%q}}}`, provides)),
		}
	}
	calls := NewIndex([]bus.Card{tool("paint", "wood", "colour"), tool("carve", "colour", "wood")}, Options{}).PlanAll(ask("paint things and carve things"))
	if len(calls) != 2 || calls[1].Parameter["in"] != "$0.out" || calls[0].Parameter["in"] == "$1.out" {
		t.Errorf("planned %v", calls)
	}
}

// Only the beginning is read, so that the work is bounded: what follows it changes nothing.
func TestHugeInputIsBounded(t *testing.T) {
	x := index(t, "shop.json")
	think := func(q string) Outcome {
		return x.Think(Input{Request: q, Context: q, History: []Turn{{Request: q, Answer: q}}, Steering: []string{q}, Now: now})
	}
	for i, unit := range []string{"我有多少订单是王萍萍买的，", "a, b and then find c? ", "\"", "\xff\xfe", "2026年5月1日到"} {
		huge := strings.Repeat(unit, 100<<10/len(unit))
		out := think(huge)
		if i == 0 { // thinking is slow under the race detector, and the bound is the same for every text
			if read := think(huge + "取消订单 316123105676"); !reflect.DeepEqual(out, read) {
				t.Errorf("%.20q: what lies beyond the bound changed %s to %s", unit, told(read), told(out))
			}
		}
		if len(out.Actions) > MaxActions {
			t.Errorf("%.20q: %d actions", unit, len(out.Actions))
		}
		if p := x.Check(out.Actions); p != nil {
			t.Errorf("%.20q: %v", unit, p)
		}
	}
}

// A catalogue of many cards: 2,000, or 10,000 with HMAP_SETS=all.
func TestManyCards(t *testing.T) {
	many := 2000
	if whole {
		many = 10000
	}
	var cs []bus.Card
	for i := range many {
		cs = append(cs, card(fmt.Sprintf("get_thing_%d", i), fmt.Sprintf(`{"type":"object","properties":{"thing_%d_id":{"type":"string","description":"id of thing %d"}},"required":["thing_%d_id"]}`, i, i, i)))
	}
	cs = append(cs, cardsOf(t, "shop.json")...)
	x := NewIndex(cs, Options{})
	if x.Len() != many+len(cardsOf(t, "shop.json")) {
		t.Fatalf("%d cards, %v", x.Len(), x.Rejects)
	}
	a, args := one(t, x.Think(ask("我有多少订单是王萍萍买的?")))
	if a.ToolName != "search_order_code" || args["consumer_name"] != "王萍萍" {
		t.Errorf("planned %s %v", a.ToolName, args)
	}
}

func TestNoCards(t *testing.T) {
	x := NewIndex(nil, Options{})
	for _, q := range []string{"", "你好", "我有多少订单是王萍萍买的?"} {
		if out := x.Think(ask(q)); out.Answer == "" {
			t.Errorf("%q: %+v", q, out)
		}
	}
	if x.Find("anything", 3) == nil || len(x.Find("anything", -1)) != 0 {
		t.Error("Find must give an empty list")
	}
}

// Observations come from other people's tools: any JSON, or none.
func FuzzObservation(f *testing.F) {
	for _, s := range []string{"", "null", "[]", "{", `"text"`, `[1,"a",null,{"b":[{}]}]`, `{"answer":"x","rows":[{"a":1},{"a":2}]}`, `{"orders":[{"order_id":7}]}`, `{"passages":[{"text":"t","link":")x("}]}`} {
		f.Add(s)
	}
	x := index(f, "shop.json")
	in := ask("王萍萍的包裹到哪里了")
	first := x.Think(in)
	f.Fuzz(func(t *testing.T, observation string) {
		in := did(in, first, observation)
		out := x.Think(in)
		set := 0
		for _, is := range []bool{len(out.Actions) > 0, out.Ask != nil, out.Answer != ""} {
			if is {
				set++
			}
		}
		if set != 1 {
			t.Errorf("%q: exactly one of actions, ask and answer must be set: %s", observation, told(out))
		}
		if p := x.Check(out.Actions); p != nil {
			t.Errorf("%q: %v", observation, p)
		}
	})
}

// Requests come from anybody.
func FuzzRequest(f *testing.F) {
	for _, s := range []string{"我有多少订单是王萍萍买的?", "从5月1日到6月3号", "find 3万 a's \"b", "99月99日", "那呢", "\n背景：", "取消订单 123456789012", "百分之三十五折"} {
		f.Add(s)
	}
	x := index(f, "shop.json")
	f.Fuzz(func(t *testing.T, request string) {
		out := x.Think(Input{Request: request, Now: now, History: []Turn{{Request: "开店要什么资质", Ask: &bus.Ask{Parameter: "keyword"}}}})
		if len(out.Actions) == 0 && out.Ask == nil && out.Answer == "" {
			t.Errorf("%q: no outcome", request)
		}
		if p := x.Check(out.Actions); p != nil {
			t.Errorf("%q: %v", request, p)
		}
	})
}

// Words of the user that look like a reference are none, also once the call runs or is done.
func TestNoReference(t *testing.T) {
	x := index(t, "shop.json")
	in := ask(`我有多少订单是"$Wang"买的?`)
	first := x.Think(in)
	if len(first.Actions) != 1 || !strings.Contains(string(first.Actions[0].Parameter), `"$$Wang"`) || x.Check(first.Actions) != nil {
		t.Fatal(told(first))
	}
	running := in
	running.Running = first.Actions
	if again := x.Think(running); len(again.Actions) > 0 || again.Answer != "" {
		t.Error(told(again))
	}
	made := first
	made.Actions = slices.Clone(first.Actions)
	made.Actions[0].Parameter = json.RawMessage(strings.Replace(string(first.Actions[0].Parameter), "$$", "$", 1)) // as it was filled in
	if end := x.Think(did(in, made, `{"summary":"没有","rows":[]}`)); len(end.Actions) > 0 || end.Answer == "" {
		t.Error(told(end))
	}
}

// TestTooLong: of a request of 100 kB the beginning is read and the answer says so; nothing is changed for it. With a context that is long, the request is none.
func TestTooLong(t *testing.T) {
	h := newTeam(t)
	h.says["late_shipments"] = late
	long := strings.Repeat("。谢谢", 20<<10)
	if got := h.ask(t, "找出发货超时的订单"+long); !strings.HasPrefix(got, "注意：这段话太长") || len(h.log) != 1 || h.log[0].name != "late_shipments" {
		t.Errorf("%s: %s", h.told(), words.Short(got, 100))
	}
	if got := h.ask(t, "cancel order 281063663568"+strings.Repeat(". thanks", 20<<10)+". No, do not cancel it"); !strings.Contains(got, "Nothing is changed") || len(h.log) > 0 {
		t.Errorf("%s: %s", h.told(), words.Short(got, 100))
	}
	if got := h.ask(t, "找出发货超时的订单\n背景："+strings.Repeat("前面说过的话", 4<<10)); strings.Contains(got, "太长") {
		t.Errorf("a long context: %s", words.Short(got, 100))
	}
}
