package table

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

// Figures of tables of statistics, and of sums small enough to be done by hand.
func TestStatistics(t *testing.T) {
	for _, c := range []struct {
		what            string
		got, want, bear float64
	}{
		{"t of 10, 5 % on both sides", tailT(2.228, 10), .05, 1e-4},
		{"t of 1", tailT(1, 1), .5, 1e-9},
		{"t of 30", tailT(2.750, 30), .01, 1e-4},
		{"t that 80 % do not pass, of 5", quantileT(.8, 5), 1.476, 1e-3},
		{"t that 95 % do not pass, of 10", quantileT(.95, 10), 2.228, 1e-3},
		{"median of four", median([]float64{4, 1, 3, 2}), 2.5, 0},
		{"quartile", quantile([]float64{1, 2, 3, 4, 5}, .25), 2, 0},
		{"pearson of a line", pearson([]float64{1, 2, 3}, []float64{2, 4, 6}), 1, 1e-12},
		// x 1..5, y 2 1 4 3 5: sxy 8, sxx 10, syy 10
		{"pearson", pearson([]float64{1, 2, 3, 4, 5}, []float64{2, 1, 4, 3, 5}), .8, 1e-12},
		{"p of .8 of 5", correlationP(.8, 5), .1041, 1e-3},
		{"divergence of what is apart", divergence([]float64{1, 0}, []float64{0, 1}), 1, 1e-12},
		{"divergence of the same", divergence([]float64{2, 4}, []float64{1, 2}), 0, 1e-12},
	} {
		if !near(c.got, c.want, c.bear) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if r := ranks([]float64{10, 30, 20, 20}); fmt.Sprint(r) != "[1 4 2.5 2.5]" {
		t.Error(r)
	}
	slope, start, explained := line([]float64{1, 3, 5, 7})
	if !near(slope, 2, 1e-12) || !near(start, 1, 1e-12) || !near(explained, 1, 1e-12) {
		t.Error(slope, start, explained)
	}
	// Eight that rise all the time: S is 28, its variance 8·7·21/18 = 65.33, z 27/8.083 = 3.340.
	if s, p := mannKendall([]float64{1, 2, 3, 4, 5, 6, 7, 8}); s != 28 || !near(p, 8.4e-4, 1e-5) {
		t.Error(s, p)
	}
	if s, p := mannKendall([]float64{5, 5, 5, 5}); s != 0 || p != 1 {
		t.Error(s, p)
	}
}

// studied runs data_analysis on tables without a bus; charts are left out.
func studied(t testing.TB, b *book, a analysisArguments) (string, map[string]any, *study, error) {
	t.Helper()
	s := &study{b: b, lang: tools.Language(a.Task), figures: map[string]any{}, notes: b.notes()}
	if err := s.read(a, today); err != nil {
		return "", nil, s, err
	}
	m := s.method(a)
	if m == nil {
		return "", nil, s, fmt.Errorf("%s names no method", a.Task)
	}
	method := m.name
	if err := m.run(s, t.Context()); err != nil {
		return method, nil, s, err
	}
	s.unread()
	return method, s.figures, s, nil
}

func TestMethods(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	for _, c := range []struct {
		task, method string
		want         map[string]string
		says         string
	}{
		{"销售额的趋势", "trend", map[string]string{"periods": "5", "first": "8000", "last": "7760", "highest": "2024-03"}, "不足以检验"},
		{"sales trend by month", "trend", map[string]string{"periods": "5", "first": "8000"}, "cannot be tested"},
		// May 7760 against April 5300: 华南 from 0 to 5600, 华东 from 2900 to 2160, 华北 from 2400 to 0.
		{"为什么5月的销售额比4月多，按地区归因", "attribution", map[string]string{"before": "5300", "after": "7760", "change": "2460", "top": "华南", "top_part": "5600"}, "不等于原因"},
		{"why did revenue change in May 2024, by region", "attribution", map[string]string{"before": "5300", "after": "7760", "top": "华南"}, "need not be its cause"},
		{"单价和数量的相关性", "correlation", map[string]string{"rows": "12", "pairs": "1"}, "不等于因果"},
		{"correlation of 单价 and 数量", "correlation", map[string]string{"pairs": "1"}, "need not cause"},
		{"contributions to the change of 销售额 in May 2024, by 地区", "attribution", map[string]string{"change": "2460"}, ""},
		{"数量有没有异常值", "outliers", map[string]string{"values": "12"}, "修正 z 分数"},
		{"数据概况", "overview", map[string]string{"rows": "12", "columns": "7"}, "50680"},
	} {
		method, figures, s, err := studied(t, b, analysisArguments{Task: c.task})
		if err != nil || method != c.method {
			t.Errorf("%s: %s %v", c.task, method, err)
			continue
		}
		for k, want := range c.want {
			if got := fmt.Sprint(figures[k]); got != want {
				t.Errorf("%s: %s is %s, want %s", c.task, k, got, want)
			}
		}
		if words := strings.Join(s.words, "\n"); !strings.Contains(words, c.says) || strings.Contains(words, "%!") {
			t.Errorf("%s: %s\nwant %s", c.task, words, c.says)
		}
		if note := joinRemarks(s.notes, "en"); strings.Contains(note, "not understood") {
			t.Errorf("%s: %s", c.task, note)
		}
		if testing.Verbose() {
			t.Logf("%s\n%s\n%s", c.task, strings.Join(s.words, "\n"), joinRemarks(s.notes, s.lang))
		}
	}
}

// daily is a table of so many days.
func daily(days int, value func(i int) float64) string {
	var s strings.Builder
	s.WriteString("date,visits\n")
	for i := range days {
		fmt.Fprintf(&s, "%s,%g\n", day(2024, 1, 1).AddDate(0, 0, i).Format("2006-01-02"), value(i))
	}
	return s.String()
}

// A week that repeats itself exactly is forecast exactly; a line goes on as a line.
func TestForecast(t *testing.T) {
	week := []float64{10, 20, 30, 40, 50, 90, 80}
	b := mustBook(t, "visits.csv", daily(70, func(i int) float64 { return week[i%7] }))
	_, figures, s, err := studied(t, b, analysisArguments{Task: "forecast visits for the next 7 days"})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range figures["forecast"].([]float64) {
		if !near(v, week[i], 1e-6) {
			t.Errorf("day %d: %g, want %g", i, v, week[i])
		}
	}
	if !strings.Contains(strings.Join(s.words, "\n"), "2024-03-11") {
		t.Error(s.words)
	}
	b = mustBook(t, "visits.csv", daily(40, func(i int) float64 { return 100 + 3*float64(i) }))
	_, figures, _, err = studied(t, b, analysisArguments{Task: "预测未来3天的访问量"})
	if err != nil || fmt.Sprintf("%.4g", figures["forecast"]) != "[220 223 226]" {
		t.Errorf("%v %v", figures, err)
	}
}

// The bounds of a forecast hold the truth about as often as they say.
func TestForecastBounds(t *testing.T) {
	seed := uint64(7)
	noise := func() float64 { // the sum of twelve uniform numbers, less six
		sum := -6.0
		for range 12 {
			seed = seed*6364136223846793005 + 1442695040888963407
			sum += float64(seed>>11) / (1 << 53)
		}
		return sum
	}
	held, all := 0, 0
	for range 150 {
		y := make([]float64, 60)
		for i := range y {
			y[i] = 100 + 10*noise()
		}
		o, err := goOn(y[:57], 3, 0)
		if err != nil {
			t.Fatal(err)
		}
		for j, v := range y[57:] {
			all++
			if o.low[j] <= v && v <= o.high[j] {
				held++
			}
		}
	}
	if share := float64(held) / float64(all); share < .7 || share > .92 {
		t.Errorf("bounds of 80 %% held %.0f %% of %d", 100*share, all)
	}
}

// What there is too little of is said, and nothing is worked out from it.
func TestTooLittle(t *testing.T) {
	few := mustBook(t, "few.csv", "日期,值\n2024-01-01,3\n2024-01-02,4\n2024-01-03,5\n")
	for _, task := range []string{"值的趋势", "预测值", "值的异常", "值和值的相关性"} {
		if method, _, _, err := studied(t, few, analysisArguments{Task: task}); err == nil {
			t.Errorf("%s: %s of three rows", task, method)
		}
	}
	timeless := mustBook(t, "t.csv", "a,b\n1,2\n2,3\n3,5\n4,4\n")
	if _, _, _, err := studied(t, timeless, analysisArguments{Task: "trend of a"}); err == nil || !strings.Contains(err.Error(), "no column of dates") {
		t.Error(err)
	}
}

// One value far from the rest is found, by rows and by days, and a column that is mostly one value is no reason to divide by 0.
func TestOutliers(t *testing.T) {
	b := mustBook(t, "visits.csv", daily(30, func(i int) float64 {
		if i == 17 {
			return 900
		}
		return 100 + float64(i%5)
	}))
	_, figures, s, err := studied(t, b, analysisArguments{Task: "find outliers in visits"})
	if err != nil || figures["outliers"] != 1 || !strings.Contains(strings.Join(s.words, "\n"), "2024-01-18") {
		t.Error(figures, s.words, err)
	}
	_, figures, _, err = studied(t, b, analysisArguments{Task: "daily outliers of visits"})
	if err != nil || figures["outliers"] != 1 {
		t.Error(figures, err)
	}
	b = mustBook(t, "visits.csv", daily(30, func(i int) float64 { return float64(i / 29 * 50) }))
	if _, figures, _, err = studied(t, b, analysisArguments{Task: "outliers of visits"}); err != nil {
		t.Error(figures, err)
	}
}

// The parts of a change add up to it, for sums and for means.
func TestPartsAddUp(t *testing.T) {
	for _, means := range []bool{false, true} {
		sp := split{pieces: []piece{
			{name: "a", before: 10, after: 12, rowsB: 5, rowsA: 1, thereB4: true, there: true},
			{name: "b", before: 100, after: 90, rowsB: 5, rowsA: 8, thereB4: true, there: true},
			{name: "new", after: 40, rowsA: 3, there: true},
			{name: "gone", before: 7, rowsB: 2, thereB4: true},
		}}
		sp.weigh(means)
		sum := 0.0
		for _, p := range sp.pieces {
			sum += p.part
		}
		if !near(sum, sp.after-sp.before, 1e-9) {
			t.Errorf("means %t: %g, want %g", means, sum, sp.after-sp.before)
		}
	}
}

// Words that the person explains are understood.
func TestMeanings(t *testing.T) {
	b := mustBook(t, "sales.csv", sales)
	_, figures, s, err := studied(t, b, analysisArguments{Task: "业绩的趋势", Knowledge: "业绩指销售额，大区是地区"})
	if err != nil || fmt.Sprint(figures["first"]) != "8000" || strings.Contains(joinRemarks(s.notes, "zh"), "没有理解") {
		t.Error(figures, err, joinRemarks(s.notes, "zh"))
	}
}

func TestAnalysisTool(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("s", "sales.csv", sales)
	answer := r.ask(t.Context(), "s", "data_analysis", `{"task":"销售额的趋势"}`)
	var out Analysis
	if err := json.Unmarshal(answer.Observation, &out); err != nil || answer.Status != bus.OK {
		t.Fatal(answer, err)
	}
	if out.Method != "trend" || len(answer.Files) != 2 || !strings.HasPrefix(r.content(answer.Files[1]), "<svg") {
		t.Errorf("%+v %v", out, answer.Files)
	}
	// A plain question is answered, and what is neither is refused.
	answer = r.ask(t.Context(), "s", "data_analysis", `{"task":"哪个月的销售额最高"}`)
	if err := json.Unmarshal(answer.Observation, &out); err != nil || out.Method != "query" || !strings.Contains(out.Answer, "**2024-03**") {
		t.Errorf("%+v %v", out, answer.Error)
	}
	if answer = r.ask(t.Context(), "s", "data_analysis", `{"task":"把这个做成PPT"}`); answer.Error == nil {
		t.Errorf("%s", answer.Observation)
	}
	answer = r.ask(t.Context(), "s", "data_analysis", `{"task":"trend","measure":"nothing"}`)
	if answer.Error == nil || answer.Error.Code != bus.CodeInvalidParameter || !strings.Contains(answer.Error.Message, "销售额") {
		t.Error(answer.Error)
	}
}
