package main

import "testing"

// The half in the language of the terminal is shown, whichever comes first, and what has one half only as it is.
func TestHalf(t *testing.T) {
	for _, c := range []struct{ text, zh, en string }{
		{"售后领域：查看退款。\nAfter-sales: refunds.", "售后领域：查看退款。", "After-sales: refunds."},
		{"列出并统计订单：最贵的订单。 List and count orders: 王萍萍 placed 2. And more.", "列出并统计订单：最贵的订单。", "List and count orders: 王萍萍 placed 2. And more."},
		{"Reads a file.", "Reads a file.", "Reads a file."},
		{"读文件，也可用 SQL 查询。", "读文件，也可用 SQL 查询。", "读文件，也可用 SQL 查询。"},
		{"“该工具”用于查询。", "“该工具”用于查询。", "“该工具”用于查询。"},
		{"", "", ""},
	} {
		if zh, en := half(c.text, true), half(c.text, false); zh != c.zh || en != c.en {
			t.Errorf("%q: %q, %q", c.text, zh, en)
		}
	}
}
