package main

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The questions, asked with no key: what is true comes from the shop's own database. One program serves all of them; the other
// tests here ask as a newcomer would, without one.
func TestQuestions(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	serve(t, dir)
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	var orders int
	if err := db.QueryRow(`SELECT count(*) FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE c.name = '王萍萍'`).Scan(&orders); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if orders < 2 {
		t.Fatalf("王萍萍 has %d orders", orders)
	}
	for _, c := range []struct {
		question string
		shows    []string // of the tree
		answers  []string // of the answer
		code     int
	}{
		{"我有多少订单是王萍萍买的?", []string{"orders", `"search_keys":"订单"`, `"consumer_name":"王萍萍"`}, []string{fmt.Sprint(orders)}, 0},
		{"How many orders did Wang Pingping place?", []string{"search_order_code"}, []string{fmt.Sprint(orders)}, 0},
		{"偏远地区发出了又不要了，运费谁承担", []string{"rules", "search_rules"}, []string{"谁过错，谁承担", "https://rule.jd.com/rule/ruleDetail.action?ruleId=3727"}, 0},
		{"开一家卖洋酒的旗舰店要什么资质", []string{"check_shop_qualifications", `"keyword":"洋酒"`, `"shop_type":"旗舰店"`}, []string{"进口酒类", "旗舰店"}, 0},
		{"开店要什么资质", []string{"ask_user"}, nil, exitWaiting},
		{"预测下个月空气炸锅的销量，并建议要不要降价", []string{"forecast_sales", "suggest_price"}, []string{"空气炸锅"}, 0},
		{"你好", nil, []string{"您好"}, 0},
	} {
		out, errs, code := hmap(t, dir, "ask", c.question)
		if code != c.code {
			t.Errorf("%s: exit status %d, want %d\n%s%s", c.question, code, c.code, out, errs)
			continue
		}
		tree, answer, _ := strings.Cut(out, "\n\n")
		for _, s := range c.shows {
			if !strings.Contains(tree, s) {
				t.Errorf("%s: the tree does not show %s:\n%s", c.question, s, tree)
			}
		}
		for _, agent := range []string{"forecast", "pricing"} { // planning again after one part must not call the other twice
			if n := strings.Count(tree, "→ "+agent+"  "); n > 1 {
				t.Errorf("%s: %s was called %d times:\n%s", c.question, agent, n, tree)
			}
		}
		for _, s := range c.answers {
			if !strings.Contains(answer, s) {
				t.Errorf("%s: the answer does not say %s:\n%s", c.question, s, answer)
			}
		}
	}
}

var goOn = regexp.MustCompile(`(?s)--session (\S+) .*replay (\S+)`)

// A second turn is understood from the first.
func TestSecondTurn(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, errs, code := hmap(t, dir, "ask", "什么类目的标题可以不带品牌的名字")
	m := goOn.FindStringSubmatch(errs)
	if code != 0 || m == nil {
		t.Fatal(code, errs)
	}
	out, errs, code := hmap(t, dir, "ask", "--session", m[1], "我这个是京东小店的")
	if code != 0 || !strings.Contains(out, "search_rules") || !strings.Contains(out, "标题") || !strings.Contains(out, "京东小店") {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
}

// A question back is answered, by command or by the next turn, and the task goes on to its end.
func TestAnswer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	_, errs, code := raced(t, dir, "ask", "开店要什么资质")
	m := goOn.FindStringSubmatch(errs)
	if code != exitWaiting || m == nil {
		t.Fatal(code, errs)
	}
	for _, hint := range []string{"answer " + m[2], "ask --session " + m[1], "replay " + m[2]} {
		if hint = "hmap --data " + dir + " " + hint; !strings.Contains(errs, hint) {
			t.Errorf("no %q can be copied from:\n%s", hint, errs)
		}
	}
	out, errs, code := raced(t, dir, "answer", m[2], "洋酒")
	if code != 0 || !strings.Contains(out, `"keyword":"洋酒"`) {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code := hmap(t, dir, "answer", m[2], "玩具"); code != exitFailed || !strings.Contains(errs, "has ended") {
		t.Errorf("an answer to an ended task: %d\n%s%s", code, out, errs)
	}
	_, errs, _ = hmap(t, dir, "ask", "开店要什么资质")
	if m = goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	}
	if out, errs, code := hmap(t, dir, "ask", "--session", m[1], "玩具"); code != 0 || !strings.Contains(out, `"keyword":"玩具"`) {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	_, errs, _ = hmap(t, dir, "ask", "开店要什么资质")
	if m = goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--ask", "nosuch", "洋酒"}, exitFailed, `no open question "nosuch"`},
		{[]string{"--no-follow", "洋酒"}, 0, ""},
		{[]string{"玩具"}, exitFailed, "asks nothing now"}, // the answer is in the log, though nobody has acted on it
		{[]string{"--refuse"}, exitFailed, "asks nothing now"},
		{[]string{"--no-follow", "--steer", "只要结论"}, 0, ""},
	} {
		if out, errs, code := hmap(t, dir, append([]string{"answer", m[2]}, c.args...)...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%q: %d\n%s%s", c.args, code, out, errs)
		}
	}
}

// Cancelling an order asks first, and happens when a person agrees, and only then.
func TestApproval(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	order := pending(t, dir)
	before := state(t, dir, order)
	_, errs, code := hmap(t, dir, "ask", "取消订单 "+order)
	m := goOn.FindStringSubmatch(errs)
	if code != exitWaiting || m == nil || state(t, dir, order) != before {
		t.Fatal(code, errs, state(t, dir, order))
	}
	if named := regexp.MustCompile(`answer ` + m[2] + ` --ask (\S+) --approve`).FindStringSubmatch(errs); named == nil {
		t.Errorf("what to type names no ask: %s", errs)
	}
	if out, errs, code := hmap(t, dir, "ask", "--session", m[1], "--no-tools", "--seconds", "5", "好的"); code != exitFailed || !strings.Contains(errs, "takes no --no-tools, --seconds") || state(t, dir, order) != before {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code := hmap(t, dir, "answer", m[2], "--refuse", "不用了"); code != 0 || state(t, dir, order) != before {
		t.Fatalf("%d\n%s%s", code, out, errs)
	}
	_, errs, _ = hmap(t, dir, "ask", "取消订单 "+order)
	if m = goOn.FindStringSubmatch(errs); m == nil {
		t.Fatal(errs)
	}
	if out, errs, code := hmap(t, dir, "answer", m[2], "--approve"); code != 0 || state(t, dir, order) != "已取消" {
		t.Fatalf("%d %s\n%s%s", code, state(t, dir, order), out, errs)
	}
}
