package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What an answer showed is read once, however many turns come after it: twice the turns are about twice the work, not four times.
func TestEarlierTurnsAreReadOnce(t *testing.T) {
	x := newTeam(t).index["master"]
	turn := Turn{Request: strings.Repeat("cancel the second one and the third one, ", 20), Answer: strings.Repeat(shownHan+"\n\n", 4)}
	work := func(n int) float64 {
		return testing.AllocsPerRun(2, func() { x.before(&goal{lang: "en"}, slices.Repeat([]Turn{turn}, n)) })
	}
	if few, many := work(4), work(8); many > 3*few {
		t.Errorf("%.0f allocations for 4 turns, %.0f for 8", few, many)
	}
}

// Of an answer as long as no house gives one, the last lists and their first rows are kept, and it is known that they are not all.
func TestListsAreBounded(t *testing.T) {
	tables := remember(earlier{Turn: Turn{Answer: strings.Repeat("| a |\n|-|\n| 1 |\n\n", 3000)}})
	if n := len(tables.lists); n != maxLists || len(tables.nouns) != 1 || !tables.lists[n-1].cut {
		t.Errorf("%d lists of %q", n, tables.nouns)
	}
	rows := remember(earlier{Turn: Turn{Answer: "| a |\n|-|\n" + strings.Repeat("| 1 |\n", maxListed+1) + "\n"}})
	if l := rows.lists[0]; len(l.rows) != maxListed || !l.cut {
		t.Errorf("%d rows, cut %v", len(l.rows), l.cut)
	}
}

// What a list left out is listed when it is asked for, all rows are shown where they are wished for, and a short list is not taken for all there is.
func TestTheRestOfAListIsListed(t *testing.T) {
	h := newTeam(t)
	rows := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "| 2810636635%02d | %d |\n", i, 100000+i)
		}
		return b.String()
	}
	const heads = "\n\n| 订单编号 | 实付金额 |\n| --- | --- |\n"
	for _, lead := range []string{"共有 32 个。只列出最新的 20 个。", "There are 32. Only the newest 20 are listed.", "列出的 20 种里，最便宜的 5 元。"} {
		e := remember(earlier{Turn: Turn{Answer: lead + heads + rows(20)}})
		if l := e.lists[0]; !l.cut || !l.cols[0].ids || l.cols[1].ids {
			t.Errorf("%s: %+v", lead, l.cols)
		}
	}
	for said, before := range map[string]string{"剩下的呢": "待发货的订单有哪些", "还有呢？": "待发货的订单有哪些", "全部列出来": "待发货的订单有哪些", "and the rest": "list the orders that are not shipped", "list all of them": "list the orders that are not shipped"} {
		in := ask(said)
		in.History = []Turn{{Request: before, Answer: "There are 32, 只列出最新的 20 个。" + heads + rows(20)}}
		if h.begin(t, in); !strings.HasPrefix(h.told(), `list_orders{"limit":1000,"state":"待发货"}`) {
			t.Errorf("%s: %s", said, h.told())
		}
	}
	found := make([]string, 32)
	for i := range found {
		found[i] = fmt.Sprintf(`{"order_id":"2810636635%02d","total":%d}`, i, 100+i)
	}
	h.says["list_orders"] = `{"count":32,"orders":[` + strings.Join(found, ",") + `]}`
	for request, want := range map[string]int{"列出全部待发货的订单": 32, "list all orders that are not shipped": 32, "show 30 orders that are not shipped": 30, "待发货的订单有哪些": 20} {
		if answer := h.ask(t, request); strings.Count(answer, "2810636635") != want {
			t.Errorf("%s: %s: %d rows", request, h.told(), strings.Count(answer, "2810636635"))
		}
	}
}
