package table

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// A figure is the one that the cell writes, to the last digit: 0.57万 is 5700 and not 5699.999….
func TestFiguresAreExact(t *testing.T) {
	for cell, want := range map[string]float64{
		"0.57万": 5700, "1.001万": 10010, "4.35亿": 435_000_000, "1.2万亿": 1.2e12, "-0.57万元": -5700, "¥-1,234.50": -1234.5, "$-12": -12, "-¥12": -12, "(0.57万)": -5700, "1.5e3": 1500, "1e3万": 1e7,
	} {
		if n, ok := readNumber(cell); !ok || n.v != want || n.whole != (want == math.Trunc(want) && !strings.Contains(cell, "e")) {
			t.Errorf("%s: %+v %v", cell, n, ok)
		}
	}
	for _, cell := range []string{"--12", "-$-12", "(-12)", "¥", "-", "万", "$$"} {
		if n, ok := readNumber(cell); ok {
			t.Errorf("%s is a number: %+v", cell, n)
		}
	}
	for _, c := range []struct{ digits, scale, want string }{{"0.57", "万", "5700"}, {"4.35", "亿", "435000000"}, {"1.1", "k", "1100"}, {"-2.3", "百", "-230"}, {"1,000", "", "1000"}} {
		if got, ok := figureOf(c.digits, c.scale); !ok || got != c.want {
			t.Errorf("%s%s: %s", c.digits, c.scale, got)
		}
	}
	c := &Column{kind: realKind, unit: "%"}
	if v, _ := c.value("0.07", &sheet{exact: func(context.Context, func([]string) error) error { return nil }}); v != 7.0 { // a workbook stores 7% so
		t.Errorf("7%% is %v", v)
	}
}

// A mean of nothing is no 0: periods before the first value and after the last are not of the series.
func TestSeriesBeginsWithItsFirstValue(t *testing.T) {
	rows := "日期,价格\n2024-01-05,\n2024-02-05,\n"
	for m := 3; m <= 11; m++ {
		rows += fmt.Sprintf("2024-%02d-05,%d\n", m, 100+m)
	}
	_, figures, _, err := studied(t, mustBook(t, "p.csv", rows+"2024-12-05,\n"), analysisArguments{Task: "价格按月的趋势"})
	if err != nil || figures["periods"] != 9 || figures["first"] != 103.0 || figures["lowest"] != "2024-03" {
		t.Errorf("%v %v", figures, err)
	}
}

// As many periods as the task names, whatever the series is by: a quarter has three months, and a month the days that it has.
func TestAheadInOtherPeriods(t *testing.T) {
	months, days := "日期,销售额\n", "日期,销售额\n"
	for i := range 24 {
		months += fmt.Sprintf("%d-%02d-15,%d\n", 2022+i/12, i%12+1, 100+i)
	}
	for i := range 91 {
		days += day(2023, 12, 1).AddDate(0, 0, i).Format("2006-01-02") + fmt.Sprintf(",%d\n", 100+i%7)
	}
	for _, c := range []struct {
		rows, task string
		want       int // 0: refused
	}{
		{months, "按月预测下个季度的销售额", 3}, {months, "forecast revenue by month for the next 2 quarters", 6}, {months, "按月预测明年，未来一年", 12},
		{days, "按天预测下个月的销售额", 31}, {days, "按天预测未来9000000000000000000个月", 0}, {days, "预测未来99999999999999999999天", 0},
	} {
		_, figures, _, err := studied(t, mustBook(t, "s.csv", c.rows), analysisArguments{Task: c.task, Method: "forecast"})
		if c.want == 0 {
			if err == nil {
				t.Errorf("%s: %v", c.task, figures)
			}
			continue
		}
		if got, _ := figures["forecast"].([]float64); err != nil || len(got) != c.want {
			t.Errorf("%s: %d periods, want %d (%v)", c.task, len(got), c.want, err)
		}
	}
}

// Values at the end of what a number may be: there is an answer, or a reason, and never figures that JSON cannot hold.
func TestFiguresWithoutBound(t *testing.T) {
	rows := "日期,地区,销售额,成本\n"
	for i := range 24 {
		rows += fmt.Sprintf("%d-%02d-15,%s,1e150,%d\n%d-%02d-16,%s,%d,-1e150\n", 2022+i/12, i%12+1, []string{"东", "西"}[i%2], i, 2022+i/12, i%12+1, []string{"东", "西"}[i%2], i)
	}
	if _, ok := readNumber("1.7e308"); ok {
		t.Error("two of them make infinity")
	}
	b := mustBook(t, "s.csv", rows)
	for _, m := range methods {
		_, figures, s, err := studied(t, b, analysisArguments{Task: "销售额", Method: m.name})
		if err != nil {
			if _, ok := err.(refused); !ok {
				t.Errorf("%s: %v", m.name, err)
			}
			continue
		}
		if _, err := json.Marshal(figures); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if text := strings.Join(s.words, " "); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: %s", m.name, text)
		}
	}
	if got := round2(1e300); got != 1e300 {
		t.Error(got)
	}
	if round2(-1.239) != -1.24 || round2(1.235) < 1.23 {
		t.Error(round2(-1.239))
	}
}

// Days with points between are written days first.
func TestPointsAreDaysFirst(t *testing.T) {
	for cell, want := range map[string]string{"01.02.2024": "2024-02-01", "31.01.2024": "2024-01-31", "12.31.2024": "2024-12-31", "01/02/2024": "2024-01-02", "1.2.2024 8:05": "2024-02-01"} {
		if i, ok := readTime(cell, anyOrder); !ok || i.text(byDay) != want {
			t.Errorf("%s: %v %v", cell, i.t, ok)
		}
	}
}
