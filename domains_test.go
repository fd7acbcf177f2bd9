package main

import (
	"database/sql"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

var updateHouse = flag.Bool("update", false, "write actors/plan/testdata/house.json anew")

// houseFile is the house as the planner's tests know it, who may not import a tool.
const houseFile = "actors/plan/testdata/house.json"

// known is a card of that file, with whom an agent may call.
type known struct {
	bus.Card
	Calls []string `json:"calls,omitempty"`
}

// The planner is tested on the cards that the house really has. go test -run TestHouseOfThePlanner -update writes them.
func TestHouseOfThePlanner(t *testing.T) {
	t.Parallel()
	out, errs, code := hmap(t, dataDir(t), "agents", "--json")
	if code != 0 {
		t.Fatal(code, errs)
	}
	var cards []known
	if err := json.Unmarshal([]byte(out), &cards); err != nil {
		t.Fatal(err)
	}
	agents, err := configs.Team("")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range cards {
		if i := slices.IndexFunc(agents, func(a configs.Agent) bool { return a.Name == c.Name }); i >= 0 {
			c.Calls = slices.Concat(agents[i].Tools, agents[i].Agents)
		}
		c.Version = "" // it names the database, too
		c.Parameters, c.Returns = fewer(t, c.Parameters), fewer(t, c.Returns)
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	now := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	if *updateHouse {
		if err := os.WriteFile(houseFile, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Which products and people are the commonest depends on the day that the shop was filled.
	plain := func(s []byte) string { return string(examples.ReplaceAll(s, nil)) }
	if was, err := os.ReadFile(houseFile); err != nil || plain(was) != plain([]byte(now)) {
		t.Errorf("%s is not what the house says of itself (%v); write it with go test -run TestHouseOfThePlanner -update", houseFile, err)
	}
}

// examples are a dictionary on a card.
var examples = regexp.MustCompile(`"examples":(\[[^\]]*\])`)

// fewer keeps some of the hundreds of names of people that a schema gives as examples.
func fewer(t *testing.T, raw json.RawMessage) json.RawMessage {
	t.Helper()
	return examples.ReplaceAllFunc(raw, func(found []byte) []byte {
		var all []string
		if err := json.Unmarshal(found[len(`"examples":`):], &all); err != nil {
			t.Fatal(err)
		}
		if len(all) > 260 {
			all = slices.Concat(all[:20], all[len(all)-20:])
		}
		out, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return append([]byte(`"examples":`), out...)
	})
}

// late makes two orders of the shop late, and no other one, whatever the time is at which it was filled; it returns their ids in order.
func late(t *testing.T, dir string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const some = `SELECT order_id FROM orders WHERE state = '待发货' ORDER BY order_id LIMIT 2`
	ids := column(t, db, some)
	for _, change := range []string{
		`UPDATE orders SET ship_by = '2200-01-01 08:00:00' WHERE state = '待发货'`,
		`UPDATE orders SET paid_at = '2020-01-01 08:00:00', ship_by = '2020-01-03 08:00:00' WHERE order_id IN (` + some + `)`,
	} {
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// written are the orders whose buyers were written such a text.
func written(t *testing.T, dir, text string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return column(t, db, `SELECT order_id FROM messages WHERE text = ? ORDER BY order_id`, text)
}

func column(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// Two domains, one after the other, without any model: the late orders are found, what to write is asked for, the buyers are
// written to when a person agrees, and the answer tells of both.
func TestTwoDomainsInTurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		request, text string
		says          []string
		served        bool // by one program, or by each command while it runs
	}{
		{"找出发货超时的订单，然后给买家写一条道歉消息", "让您久等了，今天一定发出", []string{"**找出发货超时的订单**", "**给买家写一条道歉消息**", "发送消息"}, false},
		{"Find the late orders, then write to their buyers", "We are sorry, it ships today", []string{"**Find the late orders**", "**write to their buyers**"}, true},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			orders := late(t, dir)
			if c.served {
				serve(t, dir)
			}
			out, errs, code := hmap(t, dir, "ask", c.request)
			m := goOn.FindStringSubmatch(errs)
			if code != exitWaiting || m == nil || !strings.Contains(out, "→ logistics") || !strings.Contains(out, "→ orders") || !strings.Contains(out, "ask_user") {
				t.Fatalf("%d\n%s%s", code, out, errs)
			}
			if out, errs, code = hmap(t, dir, "answer", m[2], c.text); code != exitWaiting || len(written(t, dir, c.text)) > 0 {
				t.Fatalf("%d\n%s%s", code, out, errs)
			}
			for _, order := range orders { // one leave for all, which names each
				if !strings.Contains(out[max(0, strings.LastIndex(out, "? master")):], order) {
					t.Fatalf("leave is not asked for %s\n%s", order, out)
				}
			}
			out, errs, code = hmap(t, dir, "answer", m[2], "--approve")
			if got := written(t, dir, c.text); code != 0 || !slices.Equal(got, orders) {
				t.Fatalf("%d: written to the buyers of %v, wanted %v\n%s%s", code, got, orders, out, errs)
			}
			for _, s := range append(c.says, orders...) {
				if !strings.Contains(out, s) {
					t.Errorf("the answer does not say %s:\n%s", s, out)
				}
			}
		})
	}
}

// A change of what is not there ends before anybody is asked to agree.
func TestNobodyAgreesToNothing(t *testing.T) {
	t.Parallel()
	out, errs, code := hmap(t, dataDir(t), "ask", "取消订单 999999999999")
	if code == exitWaiting || !strings.Contains(out, "order_detail") || strings.Contains(out, "→ cancel_order") || !strings.Contains(out, "没有订单") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
}
