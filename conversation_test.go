package main

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A conversation of a dozen turns in two languages, with the shop's own tools: what each turn means hangs on those before it.
func TestConversation(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	rows := func(where string) (ids []string) { // as the shop lists them
		t.Helper()
		db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		found, err := db.Query(`SELECT order_id FROM orders JOIN customers USING (customer_id) WHERE ` + where + ` ORDER BY ordered_at DESC, order_id DESC LIMIT 20`)
		if err != nil {
			t.Fatal(err)
		}
		defer found.Close()
		for found.Next() {
			var id string
			if err := found.Scan(&id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		return ids
	}
	hers := rows(`(name = '王萍萍' OR receiver = '王萍萍') AND state = '已完成'`)
	open := rows(`state = '待发货'`)
	if len(hers) < 3 || len(open) < 3 {
		t.Fatal(hers, open)
	}
	serve(t, dir)
	session, roles := "", regexp.MustCompile(` · [^ ]+(?: [^ ]+)*(  \{)`)
	for _, turn := range []struct {
		say    string
		shows  []string // of the tree and the answer
		hides  string
		answer string // to the question for approval
	}{
		{say: "王萍萍的订单", shows: []string{"search_order_code", `"consumer_name":"王萍萍"`}},
		{say: "of them how many are completed", shows: []string{"list_orders", `"consumer_name":"王萍萍"`, "complet"}},
		{say: "第二个订单的物流呢", shows: []string{`track_shipment  {"order_id":"` + hers[1] + `"}`}},
		{say: "what about the third one?", shows: []string{`track_shipment  {"order_id":"` + hers[2] + `"}`}, hides: hers[1] + `"}`},
		{say: "取消它", shows: []string{"已完成", "没有执行"}, hides: "cancel_order  {"},
		{say: "待发货的订单有哪些", shows: []string{"list_orders", `{"state":"待发货"}`, open[0]}},
		{say: "show me the third one in full", shows: []string{open[2]}, hides: open[0]},
		{say: "cancel it", shows: []string{`cancel_order  {"order_id":"` + open[2] + `"}`}, answer: "--refuse"},
		{say: "取消第一个", shows: []string{`cancel_order  {"order_id":"` + open[0] + `"}`}, answer: "--approve"},
		{say: "cancel the first one", shows: []string{"Not done", open[0]}, hides: "cancel_order  {"},
		{say: "取消第五十个", shows: []string{"没有「第五十个」"}, answer: open[1]},
		{say: "空气炸锅还有多少库存", shows: []string{`stock_level  {"category":"空气炸锅"}`}},
		{say: "what about rice cookers?", shows: []string{"stock_level", "rice cookers"}, hides: "空气炸锅\"}"},
		{say: "谢谢", shows: []string{"不客气"}},
	} {
		args := []string{"ask", turn.say}
		if session != "" {
			args = []string{"ask", "--session", session, turn.say}
		}
		out, errs, code := hmap(t, dir, args...)
		m := goOn.FindStringSubmatch(errs)
		if m == nil || code != 0 && code != exitWaiting || (code == exitWaiting) != (turn.answer != "") {
			t.Fatalf("%s: %d\n%s%s", turn.say, code, out, errs)
		}
		session = m[1]
		out = roles.ReplaceAllString(out, "$1") // the names that tools have in a task are not what is tested here
		for _, s := range turn.shows {
			if !strings.Contains(out, s) {
				t.Errorf("%s: does not show %s:\n%s", turn.say, s, out)
			}
		}
		if turn.hides != "" && strings.Contains(out, turn.hides) {
			t.Errorf("%s: shows %s:\n%s", turn.say, turn.hides, out)
		}
		if turn.answer == "" {
			continue
		}
		out, errs, code = hmap(t, dir, "answer", m[2], turn.answer)
		if code == exitWaiting { // the order was chosen; now it waits for approval
			out, errs, code = hmap(t, dir, "answer", m[2], "--refuse")
		}
		if code != 0 {
			t.Errorf("%s: %d\n%s%s", turn.say, code, out, errs)
		}
	}
	for id, want := range map[string]string{open[0]: "已取消", open[1]: "待发货", open[2]: "待发货"} {
		if got := state(t, dir, id); got != want {
			t.Errorf("order %s is %s, not %s", id, got, want)
		}
	}
}
