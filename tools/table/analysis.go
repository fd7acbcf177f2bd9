package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// analysisArguments of data_analysis.
type analysisArguments struct {
	Task      string   `json:"task"`
	File      string   `json:"file"`
	Files     []string `json:"files"`
	Method    string   `json:"method"`
	Measure   string   `json:"measure"`
	By        string   `json:"by"`
	Knowledge string   `json:"business_knowledge"`
}

// Analysis is what data_analysis returns.
type Analysis struct {
	Answer  string         `json:"answer"`  // sentences and tables in Markdown, in the language of who asks
	Method  string         `json:"method"`  // trend, outliers, attribution, correlation, forecast, overview, or query of a plain question
	Figures map[string]any `json:"figures"` // what the sentences say, as numbers; the keys are the method's
	SQL     []string       `json:"sql,omitempty"`
	Note    string         `json:"note,omitempty"`
}

// study is the work on one task.
type study struct {
	b       *book
	r       *reading
	lang    string
	words   []string // blocks of the answer
	figures map[string]any
	sql     []string
	columns []string // of the table that the answer is about
	rows    [][]any
	charts  []outline.Chart
	notes   []remark
	guessed bool // which figure is meant is a mere guess
}

func (s *study) say(zh, en string, args ...any) {
	s.words = append(s.words, fmt.Sprintf(say(s.lang, zh, en), args...))
}

type method struct {
	name string
	re   *regexp.Regexp
	run  func(*study, context.Context) error
}

// methods in the order in which they go before each other where the words of a task name several.
var methods = []method{
	{"forecast", regexp.MustCompile(`预测|预计|预估|展望|未来|下个?(?:月|周|季度|年)|\bforecast|\bpredict|\bproject(?:ion|ed)?\b|\bnext (?:\d+ |two |three |six )?(?:day|week|month|quarter|year)`), (*study).forecast},
	{"attribution", regexp.MustCompile(`归因|原因|为什么|为何|贡献|拆解|驱动|谁拉动|\bwhy\b|\battribut|\bcontribut|\bdriv(?:er|ers|es|ing|en)\b|\bcauses?d?\b|\bexplain|\bbreak ?down\b`), (*study).attribution},
	{"outliers", regexp.MustCompile(`异常|离群|极端值|不正常|\boutliers?\b|\banomal|\bunusual\b|\babnormal`), (*study).outliers},
	{"correlation", regexp.MustCompile(`相关|关系|关联|\bcorrelat|\brelationship|\brelated\b|\bassociat`), (*study).correlation},
	{"trend", regexp.MustCompile(`趋势|走势|变化|增长|下降|上升|\btrends?\b|\bgrow(?:th|ing|n)?\b|\bover time\b|\brise|\bfall`), (*study).trend},
	{"overview", regexp.MustCompile(`概况|概览|总体|整体|描述|分析|overview|summar|describe|\banaly[sz]`), (*study).overview},
}

func methodNames() string {
	var out []string
	for _, m := range methods {
		out = append(out, `"`+m.name+`"`)
	}
	return strings.Join(out, ",")
}

func analysisTool() tools.Tool {
	return tools.New(bus.Card{
		Name: "data_analysis",
		Description: "分析表格文件的数据：趋势、异常值、归因（变化来自哪里）、相关性、预测，或数据概况；对象是本会话里的 CSV、Excel、JSON、SQLite 文件；给出数字、结论、方法和图表。" +
			" Analyses the data of a table file of this session, CSV, Excel, JSON or SQLite: trend, outliers, attribution (which groups explain a change), correlation, forecast, or an overview; gives figures, sentences, the method and charts.",
		Parameters: json.RawMessage(`{"type":"object","properties":{
			"task":{"type":"string","title":"要分析的问题","x-title-en":"The question","maxLength":4000,"description":"要分析的问题，用用户的原话。 The question to analyse, in the words of the user.","examples":["趋势分析","有没有异常值","why did it change"]},
			"file":{"type":"string","title":"文件名","x-title-en":"File name","maxLength":300,"description":"本会话中的表格文件名；不填则用最新的。 The name of a table file of this session; the newest if left out.","examples":["销售.csv","sales.xlsx","orders.tsv","shop.db","data.sqlite","result.json","lines.jsonl"]},
			"files":{"type":"array","title":"多个文件","x-title-en":"Files","items":{"type":"string","maxLength":300},"maxItems":` + fmt.Sprint(maxFiles) + `,"description":"多个文件。 Several files."},
			"method":{"type":"string","title":"方法","x-title-en":"Method","enum":[` + methodNames() + `],"description":"可选：分析方法；不填则由任务判断。 Optional: the method; by the task if left out.","x-means":{"trend":["趋势","走势"],"outliers":["异常","离群","anomalies"],"attribution":["归因","为什么","为何","原因","why"],"correlation":["相关性","相关"],"forecast":["预测"],"overview":["概况","概览"]}},
			"measure":{"type":"string","title":"指标列","x-title-en":"Measure","maxLength":200,"description":"可选：要分析的数值列的列名。 Optional: the name of the column of numbers."},
			"by":{"type":"string","title":"维度列","x-title-en":"By","maxLength":200,"description":"可选：维度的列名。 Optional: the name of the column to group by."},
			"business_knowledge":{"type":"string","title":"业务知识","x-title-en":"Business knowledge","maxLength":4000,"description":"可选：术语说明，如“GMV 指 销售额”。 Optional: what words mean, such as \"GMV means revenue\"."}
			},"additionalProperties":false}`),
		Returns: json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string","title":"结论","x-title-en":"Answer"},"method":{"type":"string","title":"方法","x-title-en":"Method"},
			"figures":{"type":"object","title":"数字","x-title-en":"Figures"},"sql":{"type":"array","title":"SQL","items":{"type":"string"}},"note":{"type":"string","title":"备注","x-title-en":"Note"}},"required":["answer","method","figures"]}`),
		Effect: bus.Read, Timeout: 3 * time.Minute,
		Tags: []string{"data", "数据分析", "分析数据", "分析表格", "趋势分析", "异常检测", "归因分析", "相关性分析", "data analysis", "analyse data", "outliers", "correlation"},
	}, func(ctx context.Context, call *tools.Call, a analysisArguments) (Analysis, error) {
		if call.Request.Language == "" {
			call.Request.Language = tools.Language(a.Task)
		}
		out, err := analyse(ctx, call, a)
		return out, worded(err, call.Request.Language)
	})
}

func analyse(ctx context.Context, call *tools.Call, a analysisArguments) (Analysis, error) {
	names := a.Files
	if a.File != "" {
		names = append([]string{a.File}, names...)
	}
	list, err := pick(ctx, call, names)
	if err != nil {
		return Analysis{}, err
	}
	b, err := open(ctx, call.Files, list)
	if err != nil {
		return Analysis{}, err
	}
	b.show(call, list)
	out, err := b.study(ctx, call, a)
	if err = errors.Join(err, b.close()); err != nil {
		return Analysis{}, err
	}
	return out, nil
}

func (b *book) study(ctx context.Context, call *tools.Call, a analysisArguments) (Analysis, error) {
	s := &study{b: b, lang: call.Request.Language, figures: map[string]any{}, notes: b.notes()}
	if text := selectOf(a.Task); text != "" {
		return s.run(ctx, call, nil, text)
	}
	if err := s.read(a, time.Now()); err != nil {
		return Analysis{}, err
	}
	m := s.method(a)
	if reRunning.MatchString(s.r.s) || reOnLast.MatchString(s.r.s) || reOnYear.MatchString(s.r.s) { // month over month is no analysis of why
		if w, doubt := readWish(a.Task, b.tables, s.r.now, meanings(a.Knowledge)); doubt == nil {
			return s.run(ctx, call, w, w.sql(s.lang))
		}
	}
	if m == nil {
		return s.plainly(ctx, call, a.Task)
	}
	if err := m.run(s, ctx); err != nil {
		return Analysis{}, err
	}
	for _, how := range s.r.table.worked() {
		s.notes = append(s.notes, remark{how, how})
	}
	s.unread()
	if s.r.doubt.zh != "" && m.name == "attribution" && a.Measure == "" && a.By == "" && s.nothing() { // the reasons of something else: 退款的原因
		return Analysis{}, refused{remark{s.r.doubt.zh + "。" + s.b.outline("zh"), s.r.doubt.en + ". " + s.b.outline("en")}}
	}
	if err := s.draw(ctx, call); err != nil {
		return Analysis{}, err
	}
	return Analysis{Answer: strings.Join(s.words, "\n\n"), Method: m.name, Figures: s.figures, SQL: s.sql, Note: joinRemarks(s.notes, s.lang)}, nil
}

// method is the one that the arguments name, else that of the task's words; nil when they name none. Two periods held against each other are attribution,
// whatever else the words say of growth.
func (s *study) method(a analysisArguments) *method {
	if a.Method == "" && strings.TrimSpace(a.Task) == "" {
		a.Method = "overview"
	}
	for i := range methods {
		m := &methods[i]
		if m.name == a.Method || a.Method == "" && (m.re.MatchString(s.r.s) || m.name == "attribution" && s.versus()) {
			return m
		}
	}
	return nil
}

// nothing reports whether the task names neither column, value nor time of the table.
func (s *study) nothing() bool {
	return len(s.r.mentions)+len(s.r.named)+len(s.r.wish.filters)+len(stretches(s.r.s, s.r.now, func(int, int) bool { return true })) == 0
}

// draw makes the charts files of the session.
func (s *study) draw(ctx context.Context, call *tools.Call) error {
	for i, c := range s.charts {
		name := strings.ReplaceAll(plainName(c.Title), " ", "-") // a name with spaces is hard to say
		if !tools.PlainName(name) {
			name = fmt.Sprint("chart ", i+1)
		}
		if err := draw(ctx, call, c, unsafeName.ReplaceAllString(name, "_")); err != nil {
			return err
		}
	}
	return nil
}

// plainly answers a task that names no method as the question that it is.
func (s *study) plainly(ctx context.Context, call *tools.Call, task string) (Analysis, error) {
	parts, apart := several(task, s.b.tables, s.r.now)
	if len(parts) > 1 {
		a, err := s.b.each(ctx, call, parts, s.notes)
		return Analysis{Answer: a.Answer, Method: "query", Figures: map[string]any{"columns": a.Columns, "rows": a.Rows}, SQL: strings.Split(a.SQL, ";\n"), Note: a.Note}, err
	}
	w, doubt := readWish(task, s.b.tables, s.r.now, nil)
	if apart != nil {
		doubt = apart
	}
	if doubt != nil {
		return Analysis{}, refused{remark{doubt.zh + "。" + s.b.outline("zh"), doubt.en + ". " + s.b.outline("en")}}
	}
	return s.run(ctx, call, w, w.sql(s.lang))
}

// run answers by SQL: of a wish, or, when that is nil, by what the person wrote.
func (s *study) run(ctx context.Context, call *tools.Call, w *wish, text string) (Analysis, error) {
	r, err := s.b.query(ctx, text)
	if err != nil {
		return Analysis{}, err
	}
	a, err := s.b.tell(ctx, call, w, r, Answer{SQL: text}, s.notes)
	return Analysis{Answer: a.Answer, Method: "query", Figures: map[string]any{"columns": a.Columns, "rows": a.Rows}, SQL: []string{text}, Note: a.Note}, err
}

var reMeans = regexp.MustCompile(`([^\s，,。;；:：]{1,30}?)\s*(?:是指|指的是|意思是|也就是|就是|指|即|是|=|\bmeans?\b|\bis\b|\brefers to\b)\s*["“「]?([^\s，,。;；"”」]{1,40})`)

// meanings are the words that a text of business knowledge explains: "GMV 指 销售额" makes GMV another name of 销售额.
func meanings(text string) map[string]string {
	out := map[string]string{}
	for _, m := range reMeans.FindAllStringSubmatch(clip(text, maxQuestion), 50) {
		out[strings.Trim(m[1], `"“”「」`)] = strings.Trim(m[2], `"“”「」`)
	}
	return out
}

// read finds the columns, conditions and periods of a task. A word that is not understood is told, and does not stop the analysis: a task is
// written more freely than a question.
func (s *study) read(a analysisArguments, now time.Time) error {
	text := fold(clip(a.Task, maxQuestion))
	more := meanings(a.Knowledge)
	for _, t := range s.b.tables {
		r := &reading{s: text, used: make([]bool, len(text)+1), table: t, now: now, wish: &wish{table: t}}
		for _, at := range reFileName.FindAllStringIndex(r.s, 10) {
			r.use(at[0]+len(reFileLead.FindString(r.s[at[0]:at[1]])), at[1])
		}
		if !reMargin.MatchString(text) { // a rate has no part that each row has in it
			r.profit()
		}
		r.stocked()
		r.findNames(more)
		r.valued()
		r.flags()
		r.doubt = remark{}
		r.comparisons()
		if s.r == nil || r.worth() > s.r.worth() {
			s.r = r
		}
	}
	for _, named := range []string{a.Measure, a.By} {
		if named == "" {
			continue
		}
		c := s.r.table.column(named)
		if c == nil {
			return refused{remark{fmt.Sprintf("没有列 %s。%s", named, s.b.outline("zh")), fmt.Sprintf("There is no column %s. %s", named, s.b.outline("en"))}}
		}
		s.r.mentions = append([]mention{{column: c, weight: 5}}, s.r.mentions...)
	}
	return nil
}

// unread tells which words of the task nobody has understood.
func (s *study) unread() {
	for _, m := range methods {
		for _, at := range m.re.FindAllStringIndex(s.r.s, 20) { // of a word it may be the stem only: correlat-ion
			end := at[1]
			for latin(s.r.s[end-1]) && end < len(s.r.s) && latin(s.r.s[end]) {
				end++
			}
			if s.r.free(at[0], end) {
				s.r.use(at[0], end)
			}
		}
	}
	for _, g := range grainWords {
		s.r.has(g.re)
	}
	for _, re := range []*regexp.Regexp{reAhead, reCount, reMean, reSum, reEach, reHigh, reLow, reHow, reVersus, reChange, reMore, reFewer, reTask} {
		s.r.has(re)
	}
	s.r.leftOver()
	if d := s.r.doubt; d.zh != "" {
		s.notes = append(s.notes, d)
	}
}

var reTask = regexp.MustCompile(`做|进行|没有?|多|少|高|低|一下|数据|检测|识别|找出|值|性|之间|性质|\banaly[sz]e\b|\banalysis\b|\bdetect\b|\bperform\b|\bcoefficients?\b|\bdid\b|\bchanges?d?\b|主要|哪些|因素|比`)

// conditions are the filters of the task; times says whether its periods are among them.
func (s *study) conditions(times bool) []filter {
	if times {
		s.r.times(stretches(s.r.s, s.r.now, s.r.free))
	}
	s.r.filtersOf(false)
	filters := s.r.wish.filters
	if len(filters) > 0 {
		w := wish{filters: filters}
		s.notes = append(s.notes, w.said())
	}
	return filters
}

// grain is what the task says that periods are; byMoment when it says nothing.
func (s *study) grain() grain {
	for _, g := range grainWords {
		if g.re.MatchString(s.r.s) && g.grain != byHour { // which no series is by
			return g.grain
		}
	}
	return byMoment
}

// dims are the columns that rows can be grouped by: the ones that are named, else texts of few values.
func (s *study) dims() []*Column {
	var named, all []*Column
	for _, c := range s.r.table.Columns {
		if c.kind == textKind && len(c.distinct) >= 2 && len(c.distinct) <= 60 && len(c.distinct)*2 <= s.r.table.Rows && !identity.MatchString(c.Name) {
			all = append(all, c)
		}
	}
	for _, m := range s.r.mentions {
		if m.column.kind == textKind && len(m.column.distinct) > 1 && !slices.Contains(named, m.column) && !s.r.hasNamed(m.column) {
			named = append(named, m.column)
		}
	}
	if len(named) > 0 {
		return named
	}
	return all[:min(len(all), 12)]
}

// needTime is the column of times, or the reason why there is no such analysis.
func (s *study) needTime() (*Column, error) {
	c := s.r.timeColumn()
	if c == nil {
		return nil, refusef("表里没有日期列，不能按时间分析", "the table has no column of dates, so it cannot be analysed over time")
	}
	return c, nil
}

func values(from []float64) []*float64 {
	out := make([]*float64, len(from))
	for i := range from {
		out[i] = &from[i]
	}
	return out
}
