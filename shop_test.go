package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pending is an order of the shop that may be cancelled.
func pending(t *testing.T, dir string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var id string
	if err := db.QueryRow(`SELECT order_id FROM orders WHERE state IN ('待付款','待发货') ORDER BY order_id DESC LIMIT 1`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func state(t *testing.T, dir, order string) string {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var s string
	if err := db.QueryRow(`SELECT state FROM orders WHERE order_id = ?`, order).Scan(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// A house without the demo shop has nobody who works with it and does no more with its words; what else there is stays, and the folder gets no shop.
func TestHouseWithoutShop(t *testing.T) {
	t.Parallel()
	dir, config := t.TempDir(), write(t, "hmap.yaml", "shop: None\n")
	out, errs, code := hmap(t, dir, "--config", config, "agents")
	if code != 0 || !strings.Contains(out, "analyst") || !strings.Contains(out, "report_tool") || strings.Contains(out, "orders") || strings.Contains(out, "search_rules") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
	for _, c := range []struct {
		asked, said string
		code        int
	}{{"我有多少订单是王萍萍买的?", "没有能处理", 0}, {"偏远地区发出了又不要了，运费谁承担", "没有可以搜索的地方", 0}, {"运行这段代码：`print(2**10)`", "1024", 0}} {
		if out, errs, code := hmap(t, dir, "--config", config, "ask", c.asked); code != c.code || !strings.Contains(out, c.said) {
			t.Errorf("%s: %d\n%s\n%s", c.asked, code, out, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "shop.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a shop was made: %v", err)
	}
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "leave.md"), []byte("# Parental leave\n\nParental leave is 14 weeks, paid in full.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config = write(t, "own.yaml", fmt.Sprintf("shop: none\nsearch: {folders: [%q]}\n", own))
	if out, errs, code := hmap(t, dir, "--config", config, "ask", "how long is parental leave?"); code != 0 || !strings.Contains(out, "14 weeks") {
		t.Errorf("%d\n%s\n%s", code, out, errs)
	}
}
