package table

import "testing"

// Figures at the edges of what a table holds: empty groups, ties, names in two spellings, the ends of years and months.
func TestEdges(t *testing.T) {
	times := "日期,销售额\n2023-02-28,1\n2023-03-01,2\n2023-11-05,4\n2023-12-05,8\n2024-01-05,16\n2024-02-29,32\n2024-03-05,64\n"
	for _, c := range []struct{ rows, question, want string }{
		// A group without a figure is not the lowest.
		{"city,sales\nA,\nB,5\nC,7\nA,\n", "which city has the lowest sales", "B 5; C 7; A "},
		{"city,sales\nA,\nB,5\nC,7\nA,\n", "平均销售额最低的城市", "B 5; C 7; A "},
		{"region,city,sales\nE,A,\nE,B,5\nW,C,7\nW,D,8\n", "the city with the lowest sales in each region", "E B 5; W C 7"},
		// One name in two spellings is one name.
		{"region,sales\nEast,5\nEAST,7\nwest,1\n", "sales in East", "12"},
		{"region,sales\nEast,5\nEAST,7\nwest,1\n", "sales not in the east", "1"},
		{"region,sales\nEast,5\nEAST,7\nwest,1\n", "ratio of sales in the east to the west", "12 1 12"},
		// Percents of a column that has fractions, of one that has percents, and of one that has neither.
		{"item,discount\na,0.05\nb,0.1\nc,0.2\n", "how many rows have a discount over 5%", "2"},
		{"item,discount\na,0.05\nb,0.1\nc,0.2\n", "折扣在5%到10%之间的有几行", "2"},
		{"item,discount\na,5\nb,10\nc,20\n", "折扣大于5%的有几行", "2"},
		{"item,discount\na,5%\nb,10%\nc,20%\n", "折扣大于5%的有几行", "2"},
		{"item,sales\na,100\nb,5\nc,7\n", "how many rows have sales over 5%", "?"},
		// Months around the end of the year, days that are not in the calendar.
		{times, "11月到2月的销售额", "61"},
		{times, "sales from November to February", "61"},
		{times, "sales on 2024-13-05", "?"},
		{times, "2023年2月29日的销售额", "?"},
		{times, "sales on February 30 2024", "?"},
		{times, "13月5日的销售额", "?"},
		{times, "每日销售额同比", "2023-02-28 1  ; 2023-03-01 2  ; 2023-11-05 4  ; 2023-12-05 8  ; 2024-01-05 16  ; 2024-02-29 32  ; 2024-03-05 64  "},
	} {
		got, text := answered(t, mustBook(t, "a.csv", c.rows), c.question)
		if got != c.want && !(c.want == "?" && got[:min(len(got), 1)] == "?") {
			t.Errorf("%s: %q, want %q\n%s", c.question, got, c.want, text)
		}
	}
}

// Two rivals are all rows of each, whichever way they are spelled.
func TestSpellingsAreCompared(t *testing.T) {
	_, figures, _, err := studied(t, mustBook(t, "a.csv", "region,item,sales\nEast,x,5\nEAST,y,7\nwest,x,1\nwest,y,2\n"), analysisArguments{Task: "why is east more than west"})
	if err != nil || figures["before"] != 3.0 || figures["after"] != 12.0 {
		t.Errorf("%v %v", figures, err)
	}
}

// So many months back from the last day of a month are whole months.
func TestMonthsBack(t *testing.T) {
	for _, c := range []struct{ now, question, from string }{
		{"2024-03-30", "近1个月", "2024-02-29"}, {"2024-03-30", "last 13 months", "2023-02-28"}, {"2024-02-28", "最近1年", "2023-02-28"}, {"2024-06-10", "past 3 months", "2024-03-11"},
	} {
		now, ok := readTime(c.now, anyOrder)
		found := stretches(c.question, now.t, func(int, int) bool { return true })
		if !ok || len(found) != 1 || found[0].from.Format("2006-01-02") != c.from {
			t.Errorf("%s on %s: %v", c.question, c.now, found)
		}
	}
}
