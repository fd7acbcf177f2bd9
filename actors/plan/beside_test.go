package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fiveShown is the list of [shownHan] as the turn before, with two rows more.
func fiveShown() []Turn {
	return []Turn{{Request: "待发货的订单有哪些", Answer: shownHan + "\n| 281053703999 | 2026-05-07 12:04:33 | 李建国 | 锅 ×1 | 待发货 |\n| 281053704111 | 2026-05-06 12:04:33 | 李建国 | 锅 ×1 | 待发货 |"}}
}

// Where a change stands beside what leaves things out, or what counts on from a row, nothing is changed by the row that is named: it is asked.
func TestAllButIsAsked(t *testing.T) {
	h := newTeam(t)
	one := []Turn{{Request: "订单 281053850603 是什么状态", Answer: "待发货"}}
	for request, history := range map[string][]Turn{
		"取消它之外的订单": one, "cancel every order other than it": one, "取消其它单子": one, "把其他的都取消": one, "cancel the other orders but not this order": one,
		"取消第一个，其他的留着": nil, "cancel the first one and keep the others": nil, "除了第一个，其他超时的都取消": nil, "取消第一个和其他超时的": nil, "其他的都取消": nil,
		"取消第二个下面的那个": nil, "取消第二个之前的订单": nil, "cancel the one after the second one": nil, "cancel the order below the first one": nil, "取消第二个以后的所有订单": nil,
		"cancel the second one and below": nil, "cancel the one before the last one": nil,
		"取消第一个的下一个": nil, "取消第二个旁边的": nil, "取消第三到最后一个": nil,
		"cancel the first one, no, the second one": nil,
		"取消第一个，不对，第二个":                             nil,
	} {
		if history == nil {
			history = fiveShown()
		}
		in := ask(request)
		in.History = history
		if h.begin(t, in); h.asked == nil || len(h.log) != 1 {
			t.Errorf("%s: %s", request, h.told())
			continue
		}
		again := in
		again.Answers = []Answer{{Ask: *h.asked, Text: "281053703999"}}
		h.begin(t, again)
		if told := h.told(); h.asked != nil || !strings.Contains(told, `cancel_order{"order_id":"281053703999"}`) || strings.Count(told, "cancel_order") != 1 {
			t.Errorf("%s, then 281053703999: %s", request, told)
		}
	}
	for _, request := range []string{"给第二个的买家发消息说其他的都留着", "tell the buyer of the second one: keep it, all but the box", "除了第一个，其他的物流呢", "删除第一个备注"} {
		x := h.index["master"]
		g := goal{given: map[string]string{}, lang: Language(request)}
		history := x.before(&g, fiveShown())
		if what := x.beside(request, placesIn(request, history), history); what != "" {
			t.Errorf("%s: asked for %q", request, what)
		}
	}
}

// All of a list but what is left out are the rows that remain, each by its id; so is the rest of one after something was done to a row of it.
func TestTheRestOfAList(t *testing.T) {
	h := newTeam(t)
	ids := []string{"281064156041", "281053850603", "281053703856", "281053703999", "281053704111"}
	but := func(out ...string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(out, id) })
	}
	after := append(fiveShown(), Turn{Request: "取消第一个", Answer: "已取消"})
	for _, c := range []struct {
		request string
		history []Turn
		want    []string
	}{
		{"cancel all but the second one", fiveShown(), but(ids[1])}, {"cancel everything except the third", fiveShown(), but(ids[2])}, {"keep the second one and cancel the rest", fiveShown(), but(ids[1])},
		{"cancel them except number 2", fiveShown(), but(ids[1])}, {"取消第二个以外的订单", fiveShown(), but(ids[1])}, {"取消这些，第一个除外", fiveShown(), but(ids[0])}, {"把它们都取消，除了第三个", fiveShown(), but(ids[2])},
		{"第二个留下，其余取消", fiveShown(), but(ids[1])}, {"取消其他订单，第一个别动", fiveShown(), but(ids[0])}, {"leave the first one, cancel the others", fiveShown(), but(ids[0])},
		{"cancel these, not the first one", fiveShown(), but(ids[0])}, {"cancel all, skip the first one", fiveShown(), but(ids[0])}, {"cancel all of them minus the first one", fiveShown(), but(ids[0])},
		{"除了前两个都取消", fiveShown(), but(ids[:2]...)}, {"cancel all of them except the last two", fiveShown(), but(ids[3:]...)},
		{"其他的都取消", after, but(ids[0])}, {"其他待发货的都取消", after, but(ids[0])}, {"cancel the rest", after, but(ids[0])}, {"cancel the other ones too", after, but(ids[0])},
		{"其他超时的都取消", after, nil}, // the list was of no late ones
		{"其他的都取消", []Turn{{Request: "待发货的订单有哪些", Answer: after[0].Answer + "\n\n还有 7 行没有列出。"}, after[1]}, nil},
	} {
		in := ask(c.request)
		in.History = c.history
		h.begin(t, in)
		var got []string
		for _, l := range h.log {
			if l.name == "cancel_order" {
				got = append(got, l.args["order_id"].(string))
			}
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(c.want))) || (h.asked != nil) != (c.want == nil) {
			t.Errorf("%s: %s", c.request, h.told())
		}
	}
}

// Ranges and places counted from the end are read; which of two tables is counted is asked.
func TestRangesOfPlaces(t *testing.T) {
	h := newTeam(t)
	ids := []string{"281064156041", "281053850603", "281053703856", "281053703999", "281053704111"}
	for request, want := range map[string][]string{
		"取消第一到第三个": ids[:3], "取消第二个至第4个": ids[1:4], "cancel the first through the third": ids[:3], "cancel the 2nd to the 4th": ids[1:4],
		"取消第2-4个": ids[1:4], "取消第二和第三个": ids[1:3], "取消第一、第二个": ids[:2], "取消第一、三和第五个": {ids[0], ids[2], ids[4]}, "取消最后两个": ids[3:],
		"cancel rows 2 to 4": ids[1:4], "cancel rows 2, 3 and 5": {ids[1], ids[2], ids[4]}, "cancel orders 1-2": ids[:2], "cancel the first, second and third": ids[:3],
		"cancel the first and last one": {ids[0], ids[4]}, "cancel the last two": ids[3:], "cancel the 2nd-4th": ids[1:4],
		"cancel the second to last one": ids[3:4], "cancel the third-to-last order": ids[2:3], "cancel the third to the first": nil, "取消第三到最后一个": nil,
	} {
		in := ask(request)
		in.History = fiveShown()
		h.begin(t, in)
		var got []string
		for _, l := range h.log {
			if l.name == "cancel_order" {
				got = append(got, l.args["order_id"].(string))
			}
		}
		slices.Sort(got)
		want = slices.Sorted(slices.Values(want))
		if !slices.Equal(got, want) || (h.asked != nil) != (len(want) == 0) {
			t.Errorf("%s: %s", request, h.told())
		}
	}
	in := ask("取消第一个")
	table := "| 订单编号 | 买家 |\n| --- | --- |\n| 28106415604%s | 王萍萍 |\n| 28106415604%s | 王萍萍 |\n\n"
	in.History = []Turn{{Request: "王萍萍和李建国的订单", Answer: fmt.Sprintf(table, "1", "2") + fmt.Sprintf(table, "3", "4")}}
	if h.begin(t, in); h.asked == nil || len(h.log) != 1 {
		t.Errorf("of two tables: %s", h.told())
	}
}
