package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// twoYears is a table of one row a month and city from January 2023 to May 2024, in which each figure tells its month: 2024-05 in 上海 is 2405, in 北京 half
// of that.
func twoYears() string {
	var s strings.Builder
	s.WriteString("日期,城市,渠道,销售额\n")
	for m := range 17 {
		at := day(2023, 1+m, 10)
		v := (at.Year()-2000)*100 + int(at.Month())
		fmt.Fprintf(&s, "%[1]s,上海,线上,%[2]d\n%[1]s,北京,线下,%[3]d\n", at.Format("2006-01-02"), v, v/2)
	}
	return s.String()
}

// Two periods, or two names, are held against each other, whichever way it is said; a time without a year is of the table's own.
func TestSides(t *testing.T) {
	t.Parallel()
	b := mustBook(t, "销售.csv", twoYears())
	both := func(a, b int) string { return fmt.Sprintf("%d %d", a+a/2, b+b/2) }
	half := func(year, from, to int) (n int) {
		for m := from; m <= to; m++ {
			v := (year-2000)*100 + m
			n += v + v/2
		}
		return n
	}
	months := both(2404, 2405)
	for _, c := range []struct{ task, want, says string }{
		{"为什么5月比4月多", months, "2024-05"},
		{"5月为什么比4月高？", months, ""},
		{"why was May higher than April", months, "2024-04"},
		{"Why were sales in May higher than in April?", months, ""},
		{"why is may better than april?", months, ""},
		{"why did we sell more in May than in April", months, ""},
		{"5月比4月多多少", months, ""},
		{"五月的销售额比四月增长了多少", months, ""},
		{"how much more did we sell in May than in April", months, ""},
		{"5月和4月相比怎么样", months, ""},
		{"compare May with April", months, ""},
		{"May vs April", months, ""},
		{"为什么5月比4月少", months, "实际上 2024-05 比 2024-04 多"},
		{"why was April higher than May", months, "In fact 2024-04 is less than 2024-05"},
		{"why did sales rise from April to May", months, ""},
		{"为什么销售额从4月到5月上升了", months, ""},
		{"why did sales fall from April to May", months, "In fact 2024-05 is more than 2024-04"},
		{"为什么2023年5月比4月多", both(2304, 2305), ""},
		{"为什么1月比12月多", both(2312, 2401), "2023-12"},
		{"为什么12月比11月多", both(2311, 2312), ""},
		{"为什么2023年12月比11月多", both(2311, 2312), ""},
		{"为什么一季度比四季度多", fmt.Sprint(half(2023, 10, 12), half(2024, 1, 3)), "2023-Q4"},
		{"why was Q2 better than Q1", fmt.Sprint(half(2024, 1, 3), half(2024, 4, 5)), "2024-Q1"},
		{"why was the second quarter of 2023 better than the first quarter", fmt.Sprint(half(2023, 1, 3), half(2023, 4, 6)), ""},
		{"2023年上半年和下半年对比", fmt.Sprint(half(2023, 1, 6), half(2023, 7, 12)), "2023-H2"},
		{"为什么下半年比上半年多", fmt.Sprint(half(2023, 1, 6), half(2023, 7, 12)), "2023-H1"},
		{"why was the second half of 2023 better than the first half", fmt.Sprint(half(2023, 1, 6), half(2023, 7, 12)), ""},
		{"为什么2024年比2023年少", fmt.Sprint(half(2023, 1, 12), half(2024, 1, 5)), "只到 2024-05-10"},
		{"2024年比2023年下降了多少", fmt.Sprint(half(2023, 1, 12), half(2024, 1, 5)), ""},
		{"why was 2024 worse than 2023", fmt.Sprint(half(2023, 1, 12), half(2024, 1, 5)), "only up to 2024-05-10"},
		{"为什么上海比北京高", fmt.Sprint(half2(2023, 12)+half2(2024, 5), (half(2023, 1, 12)+half(2024, 1, 5))-half2(2023, 12)-half2(2024, 5)), "差异"},
		{"2023年3月上海比北京多多少", "1151 2303", "北京"},
	} {
		method, figures, s, err := studied(t, b, analysisArguments{Task: c.task})
		if err != nil || method != "attribution" {
			t.Errorf("%s: %s %v", c.task, method, err)
			continue
		}
		words := strings.Join(s.words, "\n") + joinRemarks(s.notes, s.lang)
		if got := fmt.Sprint(figures["before"], figures["after"]); got != c.want || !strings.Contains(words, c.says) || strings.Contains(words, "%!") {
			t.Errorf("%s: %s, want %s\n%s\nwant %s", c.task, got, c.want, words, c.says)
		}
		if c.says == "" && (strings.Contains(words, "In fact") || strings.Contains(words, "实际上")) {
			t.Errorf("%s: contradicted: %s", c.task, words)
		}
		if s.r.doubt.zh != "" {
			t.Errorf("%s: %s", c.task, s.r.doubt.zh)
		}
	}
	for _, c := range []struct{ task, says string }{
		{"为什么2022年5月比4月多", "没有符合「2022-04」"},
		{"why was May 2030 better than April 2030", "no row is of “2030-04”"},
	} {
		if _, _, _, err := studied(t, b, analysisArguments{Task: c.task}); err == nil || !strings.Contains(fmt.Sprint(worded(err, tools.Language(c.task))), c.says) {
			t.Errorf("%s: %v, want %s", c.task, err, c.says)
		}
	}
}

// The reasons of what the table knows nothing of are not those of something else.
func TestStrangeReasons(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("s", "销售.csv", twoYears())
	for parameter, want := range map[string]string{
		`{"task":"退款的原因有哪些"}`: "没有理解「退款」", `{"task":"why do customers complain"}`: "complain", `{"task":"变化的原因"}`: "", `{"task":"销售额变化的原因，给老板看"}`: "",
	} {
		response := r.ask(t.Context(), "s", "data_analysis", parameter)
		if (response.Error != nil) != (want != "") || want != "" && !strings.Contains(response.Error.Message, want) {
			t.Errorf("%s: %v, want %q", parameter, response.Error, want)
		}
	}
}

// half2 is what 北京 sold in the first months of a year.
func half2(year, months int) (n int) {
	for m := 1; m <= months; m++ {
		n += ((year-2000)*100 + m) / 2
	}
	return n
}

// A column of years is time as well.
func TestSidesOfYears(t *testing.T) {
	t.Parallel()
	b := mustBook(t, "y.csv", "年份,地区,产量\n2022,东,5\n2022,西,6\n2023,东,10\n2023,西,6\n2024,东,11\n2024,西,9\n")
	for _, c := range []struct{ task, want string }{
		{"为什么2023年比2022年高", "11 16"}, {"为什么2024年高", "16 20"}, {"产量变化的原因", "16 20"},
	} {
		_, figures, s, err := studied(t, b, analysisArguments{Task: c.task, Method: "attribution"})
		if err != nil || fmt.Sprint(figures["before"], figures["after"]) != c.want {
			t.Errorf("%s: %v %v, want %s\n%s", c.task, figures, err, c.want, s.words)
		}
	}
}

// table_query answers such a question too, and only one of which it understands every word.
func TestDifference(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("s", "销售.csv", twoYears())
	a, response := r.query("s", `{"question":"5月比4月多多少"}`)
	if response.Status != bus.OK || !strings.Contains(a.Answer, "变化 **+1**") || len(a.Columns) != 5 || a.Count != 2 || a.By != "rules" || !strings.Contains(a.SQL, "SELECT") {
		t.Errorf("%+v %v", a, response.Error)
	}
	b := mustBook(t, "stock.csv", "product,category,warehouse,quantity,price\nOak,desk,West,60,9\nElm,desk,West,10,8\nSun,lamp,West,80,7\nSky,lamp,East,20,6\n")
	if a, ok, err := b.difference(t.Context(), &tools.Call{}, "desks and lamps in West with more than 50 units", nil); ok || err != nil { // a bound holds nothing against anything
		t.Errorf("%+v %v", a, err)
	}
	if _, response = r.query("s", `{"question":"剔除退货后5月比4月多多少"}`); response.Error == nil || !strings.Contains(response.Error.Message, "退货") {
		t.Errorf("%+v", response)
	}
}

// Of two cities in different regions the regions say nothing that the cities do not.
func TestSidesInOtherWords(t *testing.T) {
	t.Parallel()
	b := mustBook(t, "sales.csv", "地区,城市,品类,销售额\n"+strings.Repeat("华东,上海,茶,10\n华东,上海,酒,30\n华北,北京,茶,20\n华北,北京,酒,25\n", 3))
	s := &study{b: b, lang: "zh", figures: map[string]any{}}
	if err := s.read(analysisArguments{Task: "上海比北京多多少"}, today); err != nil {
		t.Fatal(err)
	}
	if err := s.attribution(t.Context()); err != nil {
		t.Fatal(err)
	}
	if words := strings.Join(s.words, "\n"); s.figures["column"] != "品类" || strings.Contains(words, "地区") {
		t.Errorf("by %v:\n%s", s.figures["column"], words)
	}
}
