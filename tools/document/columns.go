package document

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// meant are words that people say for each other's columns; a column is asked for by any of its row.
var meant = [][]string{
	{"amount", "paid", "price", "total", "money", "sum", "cny", "金额", "实付", "价格", "价钱", "总额", "合计"},
	{"buyer", "customer", "client", "consumer", "name", "买家", "客户", "顾客", "姓名", "名字"},
	{"product", "item", "goods", "sku", "商品", "产品", "货品"},
	{"date", "time", "day", "日期", "时间"},
	{"order id", "order number", "order no", "order", "订单编号", "订单号", "单号"},
	{"state", "status", "状态"},
	{"sales", "revenue", "turnover", "销售额", "营业额"},
	{"units", "quantity", "pieces", "sold", "销量", "件数", "数量"},
	{"city", "place", "address", "城市", "地区", "地址"},
}

// keep leaves the tables only the columns that are asked for, in the order in which they are, with the charts that these tables then come to, and leaves the tables out that
// have fewer of them than others. The error names a column that no table has, and those that there are.
func keep(o *outline.Outline, asked []string) error {
	if len(asked) == 0 {
		return nil
	}
	most := 0
	found := make([]bool, len(asked))
	var there []string
	each := func(visit func(s *outline.Section, t *outline.Table)) {
		for i := range o.Sections {
			for j := range o.Sections[i].Tables {
				visit(&o.Sections[i], &o.Sections[i].Tables[j])
			}
		}
	}
	each(func(_ *outline.Section, t *outline.Table) {
		n := 0
		for i, name := range asked {
			if len(columnsOf(t, name)) > 0 {
				n, found[i] = n+1, true
			}
		}
		most = max(most, n)
		for _, c := range t.Columns {
			if !slices.Contains(there, c) {
				there = append(there, c)
			}
		}
	})
	if i := slices.Index(found, false); i >= 0 {
		return refuse("%s", fmt.Sprintf(o.Words("表里没有「%s」这一列，所以没有做文件；有的列是：%s", "no table has a column “%s”, so no file is made; there are: %s"), asked[i], strings.Join(there[:min(len(there), 20)], o.Words("、", ", "))))
	}
	for i := range o.Sections {
		s := &o.Sections[i]
		if len(s.Tables) == 0 {
			continue
		}
		s.Charts = nil
		s.Tables = slices.DeleteFunc(s.Tables, func(t outline.Table) bool {
			n := 0
			for _, name := range asked {
				n += min(len(columnsOf(&t, name)), 1)
			}
			return n < most
		})
		for j := range s.Tables {
			only(&s.Tables[j], asked)
			if c, ok := derive(s.Tables[j]); ok && len(s.Charts) < 2 {
				s.Charts = append(s.Charts, c)
			}
		}
	}
	o.Sections = slices.DeleteFunc(o.Sections, func(s outline.Section) bool { return s.Text == "" && len(s.Tables)+len(s.Pictures) == 0 })
	return nil
}

// only leaves a table the columns that are asked for.
func only(t *outline.Table, asked []string) {
	var at []int
	for _, name := range asked {
		for _, i := range columnsOf(t, name) {
			if !slices.Contains(at, i) {
				at = append(at, i)
			}
		}
	}
	var columns []string
	for _, i := range at {
		columns = append(columns, t.Columns[i])
	}
	for j, row := range t.Rows {
		cells := make([]outline.Cell, 0, len(at))
		for _, i := range at {
			cells = append(cells, row[i])
		}
		t.Rows[j] = cells
	}
	t.Columns = columns
}

// columnsOf are the columns of a table that a name means: that of this name; else those that share it, or a word for the same.
func columnsOf(t *outline.Table, name string) []int {
	name = plainName(name)
	for _, same := range []func(column string) bool{
		func(c string) bool { return c == name },
		func(c string) bool { return contains(c, name) || contains(name, c) },
		func(c string) bool {
			return slices.ContainsFunc(meant, func(row []string) bool {
				has := func(text string) bool {
					return slices.ContainsFunc(row, func(w string) bool { return contains(text, w) })
				}
				return has(c) && has(name)
			})
		},
	} {
		var out []int
		for i, c := range t.Columns {
			if same(plainName(c)) {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// contains reports whether a text holds a name, by whole words where it is of letters.
func contains(text, name string) bool {
	if name == "" {
		return false
	}
	if strings.ContainsFunc(name, isHan) {
		return strings.Contains(text, name)
	}
	return strings.Contains(" "+text+" ", " "+name+" ") || strings.Contains(" "+text+" ", " "+name+"s ") || strings.Contains(" "+text+" ", " "+strings.TrimSuffix(name, "s")+" ")
}

// plainName is the name of a column in lower case, its words parted by single spaces.
func plainName(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '%' }), " ")
}
