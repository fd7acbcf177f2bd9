package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func (r *room) query(session, parameter string) (Answer, bus.Response) {
	r.t.Helper()
	response := r.ask(r.t.Context(), session, "table_query", parameter)
	var a Answer
	if response.Status == bus.OK {
		if err := json.Unmarshal(response.Observation, &a); err != nil {
			r.t.Fatal(err)
		}
	}
	return a, response
}

// A file of the session is asked: by its name, as the newest, by SQL; and told of when nothing is asked.
func TestQueryTool(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	if _, response := r.query("s", `{"question":"有多少行"}`); response.Error == nil || !strings.Contains(response.Error.Message, "--file") {
		t.Error(response.Error)
	}
	r.give("s", "sales.csv", sales)
	r.give("s", "notes.txt", "地区,额\n东,1\n")
	r.give("spaces", "my sales 2024.csv", sales)
	if a, response := r.query("spaces", `{"question":"总销售额","file":"2024.csv"}`); !strings.Contains(a.Answer, "50,680") {
		t.Error(a, response.Error)
	}
	for _, c := range []struct{ parameter, by, want string }{
		{`{"question":"各地区的销售额","file":"sales.csv"}`, "rules", "| 华东 | 18060 |"},
		{`{"question":"各地区的销售额","file":"sales"}`, "rules", "| 华南 | 17620 |"},
		{`{"question":"总销售额"}`, "rules", "**50,680**"},
		{`{"question":"总额","file":"notes.txt"}`, "rules", "**1**"},
		{`{"sql":"SELECT 城市 FROM sales WHERE 销售额 > 7000 ORDER BY 1"}`, "caller", "| 深圳 |"},
		{`{}`, "", "| 日期 | time |"},
		{`{"question":"which region has the lowest revenue"}`, "rules", "lowest total 销售额: **华北** (15,000)"},
		{`{"question":"手机的销售额占比"}`, "rules", "占 **57.42%**"},
		{`{"question":"各地区各商品的销售额的饼图"}`, "rules", "| 华北 | 手机 | 11600 |"},
		{`{"question":"销售额最低的那个地区是哪个"}`, "rules", "**华北**"},
	} {
		a, response := r.query("s", c.parameter)
		if response.Status != bus.OK || a.By != c.by || !strings.Contains(a.Answer, c.want) {
			t.Errorf("%s: %s %v\n%s\nwant %s", c.parameter, a.By, response.Error, a.Answer, c.want)
		}
		if strings.Contains(a.Answer, "%!") {
			t.Error(a.Answer)
		}
		if strings.Contains(c.parameter, "饼图") != strings.Contains(a.Note, "没有画图") {
			t.Error(c.parameter, a.Note)
		}
	}
	for _, text := range []string{"SELECT 地区, SUM(数量) AS n FROM sales GROUP BY 地区", "`select 地区, SUM(数量) AS n FROM sales group by 1` (sales.csv)", "```sql\nWITH a AS (SELECT 地区, 数量 FROM sales)\nSELECT 地区, SUM(数量) AS n FROM a GROUP BY 1\n```（sales.csv）"} {
		question, err := json.Marshal(map[string]string{"question": text, "file": "sales.csv"})
		if err != nil {
			t.Fatal(err)
		}
		if a, response := r.query("s", string(question)); a.By != "caller" || a.Count != 3 || !strings.Contains(a.Answer, "| 华东 | 27 |") {
			t.Errorf("%s: %+v %v", text, a, response.Error)
		}
	}
	for _, c := range []struct{ parameter, says string }{
		{`{"question":"select nothing from sales"}`, "nothing"},
		{`{"question":"SELECT 1 FROM sales; DROP TABLE sales"}`, "one statement"},
		{`{"question":"华西的销售额"}`, "没有理解「华西」"},
		{`{"question":"sales in Atlantis"}`, "not understood"},
		{`{"question":"销售额最高的那天卖的什么产品"}`, "没有理解「那天卖」"},
		{`{"question":"销售额最高的那个月有多少单"}`, "没有理解「那个月有」"},
		{`{"question":"有多少行","file":"nothing.csv"}`, "sales.csv"},
		{`{"question":"有多少行","files":["none.csv","sales.csv","nowhere.csv"]}`, "none.csv、nowhere.csv；"},
		{`{"sql":"DROP TABLE sales"}`, "DROP"},
		{`{"sql":"SELECT nothing FROM sales"}`, "nothing"},
	} {
		if _, response := r.query("s", c.parameter); response.Error == nil || response.Error.Code != bus.CodeInvalidParameter || !strings.Contains(response.Error.Message, c.says) {
			t.Errorf("%s: %v, want %q", c.parameter, response.Error, c.says)
		}
	}
}

// Where others are level with the last of the first so many, that is said, and who they are.
func TestLevel(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("s", "level.csv", "city,sales\nA,5\nB,5\nC,5\nD,5\nE,5\nF,5\nG,5\nH,1\nI,1\n")
	for _, c := range []struct{ question, says string }{
		{"which city has the highest sales", "2 more are level with the last of these: F, G"},
		{"top 3 cities by sales", "4 more are level with the last of these: D, E, F, G"},
		{"the second highest city by sales", "5 more are level with the last of these: C, D, E, F, G"},
		{"销售额最低的1个城市", "还有 1 个与最后一个相同：I"},
		{"top 7 cities by sales", ""}, {"sales by city", ""}, {"top 20 cities by sales", ""},
		{"highest sales", "2 more are level"},
		{"what is the total sales and which 2 cities have the highest sales", "5 more are level"},
	} {
		a, response := r.query("s", fmt.Sprintf(`{"question":%q}`, c.question))
		if response.Error != nil || !strings.Contains(a.Note, c.says) || c.says == "" && a.Note != "" {
			t.Errorf("%s: %q %v, want %q", c.question, a.Note, response.Error, c.says)
		}
	}
}

// Rows of which a figure cannot be worked out are not left out in silence.
func TestRowsThatLackAFigure(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("s", "lacks.csv", "item,revenue,cost\na,10,4\nb,10,\nc,,3\nd,5,5\n")
	for question, says := range map[string]string{"total revenue minus cost": "2 rows lack a figure", "total revenue minus cost of a": "", "total revenue": ""} {
		a, response := r.query("s", fmt.Sprintf(`{"question":%q}`, question))
		if response.Error != nil || !strings.Contains(a.Note, says) || says == "" && a.Note != "" {
			t.Errorf("%s: %q %v, want %q", question, a.Note, response.Error, says)
		}
	}
}

// What a file holds is told also where the question is not understood, so that the next one is known to be of it.
func TestDescribedThoughMissed(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("s", "sales.csv", sales)
	_, response := r.query("s", `{"question":"火星上有多少人"}`)
	if response.Error == nil || len(response.Files) != 1 || response.Files[0].Name != "sales.csv" || !strings.Contains(response.Files[0].Description, "地区（华东") {
		t.Errorf("%v %+v", response.Error, response.Files)
	}
}

// A long answer is a file as well, in which no cell runs as a formula; a series is a chart.
func TestQueryFiles(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	var s strings.Builder
	s.WriteString("名,组,额\n")
	for i := range 60 {
		fmt.Fprintf(&s, "%s1+%d,g%d,%d\n", []string{"=", "x;=", "＝"}[i%3], i, i%5, i)
	}
	r.give("s", "many.csv", s.String())
	a, response := r.query("s", `{"question":"列出额大于9的记录"}`)
	if a.Count != 50 || len(a.Rows) != 50 || len(response.Files) != 2 {
		t.Fatalf("%+v %v", a, response)
	}
	lines := strings.Split(strings.TrimSpace(r.content(response.Files[1])), "\n")
	if len(lines) != 51 || strings.Join(lines[1:4], "\n") != "x;'=1+10,g0,10\n'＝1+11,g1,11\n'=1+12,g2,12" {
		t.Errorf("%d lines, %q", len(lines), lines[1:4])
	}
	_, response = r.query("s", `{"question":"各组的额"}`)
	if len(response.Files) != 2 || response.Files[1].Type != "image/svg+xml" || !strings.Contains(r.content(response.Files[1]), "g4") {
		t.Error(response.Files)
	}
	if svg := r.content(response.Files[1]); !strings.Contains(svg[:strings.Index(svg, ">")], `font-family="sans-serif"`) { // alone it has no page to take it from
		t.Error(svg[:100])
	}
	// Several files are asked together.
	r.give("s", "groups.csv", "组,名称\ng0,零\ng1,一\n")
	a, _ = r.query("s", `{"files":["many.csv","groups.csv"],"sql":"SELECT 名称, SUM(额) FROM many JOIN groups USING (组) GROUP BY 1 ORDER BY 1"}`)
	if fmt.Sprint(a.Rows) != "[[一 342] [零 330]]" {
		t.Error(a.Rows)
	}
}

// The copies of tables are gone when the question is answered, refused or cancelled.
func TestNothingLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r := newRoom(t, Options{})
	r.give("s", "sales.csv", sales)
	r.query("s", `{"question":"总销售额"}`)
	r.query("s", `{"question":"华西"}`)
	r.query("s", `{"sql":"DROP TABLE sales"}`)
	ctx, cancel := context.WithCancel(t.Context())
	progress := make(chan struct{}, 1)
	done := make(chan bus.Status, 1)
	go func() {
		answer, err := r.bus.Call(ctx, bus.Request{Session: "s", Task: "t", Call: "t-99-0", Caller: "tester", ToolName: "table_query",
			Parameter: json.RawMessage(`{"sql":"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"}`)}, func(bus.Response) {
			select {
			case progress <- struct{}{}:
			default:
			}
		})
		if err != nil {
			answer.Status = bus.Cancelled
		}
		done <- answer.Status
	}()
	<-progress // it is at work
	cancel()
	if status := <-done; status == bus.OK {
		t.Error("an endless query ended")
	}
	r.query("s", `{"question":"总销售额"}`)
	for range 1000 { // the cancelled call cleans up behind its answer
		left, err := filepath.Glob(filepath.Join(dir, "hmap-table-*"))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		r.query("s", `{"question":"总销售额"}`)
	}
	left, _ := os.ReadDir(dir)
	t.Error(left)
}

// model answers in turn what it is told to.
type model struct {
	says  []string
	asked []Prompt
}

func (m *model) ask(_ context.Context, _ bus.Request, p Prompt) (Reply, error) {
	m.asked = append(m.asked, p)
	if len(m.says) == 0 {
		return Reply{}, errors.New("no more answers")
	}
	said := m.says[0]
	m.says = m.says[1:]
	return Reply{Text: said, Usage: bus.Usage{InputTokens: 7}}, nil
}

// A model writes the SQL: held to reading, mended at most twice, and replaced by the rules when it is not there.
func TestModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what       string
		says       []string
		by, want   string
		asked, use int
	}{
		{"at once", []string{"```sql\nSELECT MAX(\"销售额\") AS m FROM \"sales\"\n```"}, "model", "**11,600**", 1, 7},
		{"mended", []string{"SELECT 销量 FROM sales", "Sorry:\n```\nSELECT COUNT(*) AS n FROM sales\n```"}, "model", "**12**", 2, 14},
		{"held to reading", []string{"DROP TABLE sales", "DELETE FROM sales", "SELECT 5 AS n"}, "model", "**5**", 3, 21},
		{"never right, and the rules are", []string{"SELECT x", "SELECT y", "SELECT z"}, "rules", "**50,680**", 3, 21},
		{"not there", nil, "rules", "**50,680**", 1, 0},
		{"says that it cannot, and the rules can", []string{"NONE: there is no profit"}, "rules", "**50,680**", 1, 7},
	} {
		m := &model{says: c.says}
		r := newRoom(t, Options{Ask: m.ask})
		r.give("s", "sales.csv", sales)
		a, response := r.query("s", `{"question":"总销售额"}`)
		if a.By != c.by || !strings.Contains(a.Answer, c.want) || len(m.asked) != c.asked || response.Usage != nil && response.Usage.InputTokens != c.use || response.Usage == nil && c.use > 0 {
			t.Errorf("%s: %+v, asked %d times, %v %v", c.what, a, len(m.asked), response.Usage, response.Error)
		}
		if first := m.asked[0].Turns[0]; !strings.Contains(first, `"地区" TEXT: '华东', '华南', '华北'`) || !strings.Contains(first, "总销售额") {
			t.Errorf("%s: asked %s", c.what, first)
		}
		for _, p := range m.asked {
			if len(p.Turns)%2 == 0 {
				t.Errorf("%s: the last turn is the model's: %q", c.what, p.Turns)
			}
		}
	}
	m := &model{says: []string{"NONE: the profit is not in it"}}
	r := newRoom(t, Options{Ask: m.ask})
	r.give("s", "sales.csv", sales)
	if _, response := r.query("s", `{"question":"华西的利润"}`); response.Error == nil || !strings.Contains(response.Error.Message, "the profit is not in it") {
		t.Error(response.Error)
	}
}

// Whatever a question says, it is answered by a statement that runs, or not at all.
func FuzzQuestion(f *testing.F) {
	for _, c := range questions {
		f.Add(c.question)
	}
	f.Add("销售额 between 3 and 2024年 except 华东、华南 top 0 by by each")
	b := mustBook(f, "sales.csv", sales, "people.csv", "姓名,年龄,性别,入职\n张三,30,男,2020-01-02\n李四,41,女,2021-03-04\n")
	f.Fuzz(func(t *testing.T, question string) {
		for _, lang := range []string{"zh", "en"} {
			w, doubt := readWish(question, b.tables, today, nil)
			if (w == nil) == (doubt == nil) {
				t.Fatal(w, doubt)
			}
			if w == nil {
				continue
			}
			r, err := b.query(t.Context(), w.sql(lang))
			if err != nil {
				t.Fatalf("%q: %s: %v", question, w.sql(lang), err)
			}
			if s := headline(w, r, lang) + w.words(lang); strings.Contains(s, "%!") {
				t.Fatal(s)
			}
			seriesOf(w, r, lang)
		}
	})
}

// A month without rows is not listed, and that is said.
func TestPeriodsWithoutRows(t *testing.T) {
	t.Parallel()
	r := newRoom(t, Options{})
	r.give("gaps", "shop.csv", "日期,销售额\n2024-01-05,10\n2024-02-07,20\n2024-05-01,5\n2024-05-09,5\n")
	r.give("whole", "shop.csv", "日期,销售额\n2024-01-05,10\n2024-02-07,20\n2024-03-01,5\n")
	for question, want := range map[string]string{"每月的销售额": "没有行的月有 2 个，上面没有列出：2024-03、2024-04", "revenue by month": "months without any row, which are not listed above: 2 (2024-03, 2024-04)"} {
		if a, response := r.query("gaps", `{"question":"`+question+`"}`); response.Status != bus.OK || !strings.Contains(a.Note, want) {
			t.Errorf("%s: %v %q", question, response.Error, a.Note)
		}
		if a, _ := r.query("whole", `{"question":"`+question+`"}`); strings.Contains(a.Note, "没有行") || strings.Contains(a.Note, "without any row") {
			t.Errorf("%s: %q", question, a.Note)
		}
	}
}
