package document

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// A chart draws all the rows that the results hold, not only those that an answer shows; beyond its bound it says which.
func TestChartOfALongTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows, drawn int
		name        func(i int) string
		kept        int // rows of the observation
		title       string
	}{
		{30, 30, func(i int) string { return fmt.Sprint("店", i) }, 30, "销售额"},
		{88, 40, func(i int) string { return fmt.Sprint("店", i) }, 88, "销售额 (1–40 / 88)"},
		{100, 100, func(i int) string { return fmt.Sprintf("2026-%02d-%02d", 1+i/28, 1+i%28) }, 100, "销售额"},
		{500, 400, func(i int) string { return fmt.Sprintf("%d-%02d-%02d", 2020+i/336, 1+i/28%12, 1+i%28) }, 500, "销售额 (101–500 / 500)"},
		{60, 20, func(i int) string { return fmt.Sprint("店", i) }, 50, "销售额 (1–20 / 60)"}, // the rest is not there
	} {
		var text strings.Builder
		var rows [][]any
		text.WriteString("| 名 | 销售额 |\n| --- | --- |\n")
		for i := range c.rows {
			v := float64(i*i) + 0.126
			if i < 20 {
				fmt.Fprintf(&text, "| %s | %.2f |\n", c.name(i), v)
			}
			if i < c.kept {
				rows = append(rows, []any{c.name(i), v})
			}
		}
		fmt.Fprintf(&text, "\n另有 %d 行，见文件。\n", c.rows-20)
		result, err := json.Marshal(map[string]any{"columns": []string{"名", "销售额"}, "rows": rows})
		if err != nil {
			t.Fatal(err)
		}
		if c.rows == 88 { // as data_analysis gives them
			result = json.RawMessage(`{"figures":` + string(result) + `}`)
		}
		o := &outline.Outline{}
		Compose(o, []Passage{{Heading: "x", Text: text.String(), Results: []json.RawMessage{result}}})
		if len(o.Sections) != 1 || len(o.Sections[0].Charts) != 1 {
			t.Fatalf("%d rows: %+v", c.rows, o.Sections)
		}
		chart := o.Sections[0].Charts[0]
		if len(chart.Categories) != c.drawn || chart.Title != c.title {
			t.Errorf("%d rows: %d are drawn as %q, want %d as %q", c.rows, len(chart.Categories), chart.Title, c.drawn, c.title)
		}
	}
}

// Amounts of four digits and cents are no times.
func TestAmountsAreNoTimes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"| city | 2026-08 | part of the change |\n| --- | --- | --- |\n| Lyon | 6041.5 | -2232.65 |\n| Porto | 5061.45 | -11.6 |\n| Berlin | 5355.8 | 8.1 |\n": "[Lyon Porto Berlin] column",
		"| 月 | 店 | 销售额 |\n| --- | --- | --- |\n| 2026.03 | 甲 | 1 |\n| 2026.04 | 乙 | 2 |\n| 2026.05 | 丙 | 4 |\n":                                                "[2026.03 2026.04 2026.05] line",
	} {
		o := &outline.Outline{}
		Compose(o, []Passage{{Text: text}})
		if len(o.Sections) != 1 || len(o.Sections[0].Charts) != 1 {
			t.Fatalf("%+v", o.Sections)
		}
		if c := o.Sections[0].Charts[0]; fmt.Sprint(c.Categories, " ", c.Kind) != want {
			t.Errorf("%v %s, want %s", c.Categories, c.Kind, want)
		}
	}
}

// Moments of things of which several fall on one day are no chart: its bars would be told apart by nothing.
func TestNoChartOfMoments(t *testing.T) {
	t.Parallel()
	for text, charts := range map[string]int{
		"| 订单编号 | 最晚发货时间 | 实付金额 |\n| --- | --- | --- |\n| a1 | 2026-11-19 03:16:59 | 290 |\n| a2 | 2026-11-19 15:44:28 | 193 |\n| a3 | 2026-11-20 01:00:00 | 236 |\n": 0,
		"| 订单编号 | 下单时间 | 实付金额 |\n| --- | --- | --- |\n| a1 | 2026-11-18 03:16:59 | 290 |\n| a2 | 2026-11-19 15:44:28 | 193 |\n| a3 | 2026-11-20 01:00:00 | 236 |\n":   1,
	} {
		o := &outline.Outline{}
		Compose(o, []Passage{{Text: text}})
		if len(o.Sections) != 1 || len(o.Sections[0].Charts) != charts {
			t.Errorf("%+v", o.Sections)
		}
	}
}

// The chart of an attribution is of what each group adds to the change.
func TestChartOfAChange(t *testing.T) {
	t.Parallel()
	o := &outline.Outline{}
	Compose(o, []Passage{{Text: "| 商品 | 2026-04 | 2026-05 | 对变化的影响 | 占变化% |\n| --- | --- | --- | --- | --- |\n| 茶 | 5 | 9 | 4 | 80 |\n| 酒 | 5 | 6 | 1 | 20 |\n| 糖 | 1 | 1 | 0 | 0 |\n"}})
	if len(o.Sections) != 1 || len(o.Sections[0].Charts) != 1 || o.Sections[0].Charts[0].Title != "对变化的影响" {
		t.Errorf("%+v", o.Sections)
	}
}

// Short rows in a wide file are filled up, so it is the filled ones that are bounded; how many rows there are stays known.
func TestShortRowsOfAWideFile(t *testing.T) {
	t.Parallel()
	const rows = 30_000
	for name, body := range map[string]string{
		"a.csv":  strings.Repeat("a,", 99) + "a\n" + strings.Repeat("1\n", rows),
		"b.csv":  "a\n" + strings.Repeat("1\n", rows-1) + strings.Repeat("1,", 99) + "1\n",
		"a.json": `[{"a":1` + strings.Join(fields(99), "") + `}` + strings.Repeat(`,{"a":1}`, rows-1) + `]`,
	} {
		table, err := readTable(t.Context(), name, []byte(body))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if cells := len(table.Rows) * len(table.Columns); cells > outline.MaxCells/2 || len(table.Rows) < 5_000 || table.Total != rows {
			t.Errorf("%s: %d rows of %d columns, of %d", name, len(table.Rows), len(table.Columns), table.Total)
		}
	}
}

func fields(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(`,"f%d":1`, i))
	}
	return out
}
