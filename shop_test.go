package main

import (
	"database/sql"
	"path/filepath"
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
