package table

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// queryArguments of table_query.
type queryArguments struct {
	File     string   `json:"file"`
	Files    []string `json:"files"`
	Question string   `json:"question"`
	SQL      string   `json:"sql"`
}

// Answer is what table_query returns.
type Answer struct {
	// Answer is the figures and the first rows as Markdown, how the question was understood and the SQL that ran, in the language of who asks.
	Answer string `json:"answer"`
	SQL    string `json:"sql,omitempty"`
	// By is who wrote the SQL: "rules", "model" or "caller".
	By      string   `json:"by,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Rows    [][]any  `json:"rows,omitempty"` // the first, at most keptRows
	Count   int      `json:"count"`          // rows of the answer, at most maxResult
	Note    string   `json:"note,omitempty"`
}

const maxRemarks = 12

// keptRows is how many rows stand in an observation, from which documents and their charts are made; all of them are in its file.
const keptRows = 400

func queryTool(o Options) tools.Tool {
	return tools.New(bus.Card{
		Name: "table_query",
		Description: "查询表格文件：对本会话里的 CSV、Excel、JSON、SQLite 文件提问（计数、合计、平均、最大最小、前几名、筛选、排序），返回数字、表格和图表；也可以直接给出 SQL。" +
			" Answers questions about table files of this session, CSV, Excel, JSON or SQLite: count, sum, average, highest, top n, group by, filter, sort; gives figures, tables and charts; also runs SQL that only reads.",
		Parameters: json.RawMessage(`{"type":"object","properties":{
			"question":{"type":"string","title":"问题","x-title-en":"Question","maxLength":4000,"description":"关于表格的问题，用自然语言。 The question about the table, in plain language.","examples":["各地区的销售额合计","top 3 products by revenue"]},
			"file":{"type":"string","title":"文件名","x-title-en":"File name","maxLength":300,"description":"本会话中的表格文件名；不填则用最新的表格文件。 The name of a table file of this session; the newest one if left out.","examples":["销售.csv","sales.xlsx","orders.tsv","shop.db","data.sqlite","result.json","lines.jsonl"]},
			"files":{"type":"array","title":"多个文件","x-title-en":"Files","items":{"type":"string","maxLength":300},"maxItems":` + fmt.Sprint(maxFiles) + `,"description":"要一起查询的多个文件。 Several files to ask at once."},
			"sql":{"type":"string","title":"SQL","x-title-en":"SQL","contentMediaType":"application/sql","maxLength":` + fmt.Sprint(maxSQL) + `,"description":"可选：直接执行的一条 SQLite 查询（SELECT），代替问题。 Optional: one SQLite SELECT to run instead of a question."}
			},"additionalProperties":false}`),
		Returns: json.RawMessage(`{"type":"object","properties":{
			"answer":{"type":"string","title":"结果","x-title-en":"Answer"},"sql":{"type":"string","title":"SQL"},"by":{"type":"string","title":"理解方式","x-title-en":"Read by"},
			"columns":{"type":"array","title":"列","x-title-en":"Columns","items":{"type":"string"}},"rows":{"type":"array","title":"行","x-title-en":"Rows","items":{"type":"array"}},
			"count":{"type":"integer","title":"行数","x-title-en":"Rows in all"},"note":{"type":"string","title":"备注","x-title-en":"Note"}},"required":["answer","count"]}`),
		Effect: bus.Read, Timeout: 3 * time.Minute,
		Tags: []string{"data", "表格查询", "查询表格", "表格文件", "CSV", "Excel", "xlsx", "SQLite", "数据表", "多少行", "how many rows", "query a table", "spreadsheet", "csv file", "table file"},
	}, func(ctx context.Context, call *tools.Call, a queryArguments) (Answer, error) {
		if call.Request.Language == "" {
			call.Request.Language = tools.Language(a.Question)
		}
		answer, err := ask(ctx, call, o, a)
		return answer, worded(err, call.Request.Language)
	})
}

func ask(ctx context.Context, call *tools.Call, o Options, a queryArguments) (Answer, error) {
	lang := call.Request.Language
	names := a.Files
	if a.File != "" {
		names = append([]string{a.File}, names...)
	}
	list, err := pick(ctx, call, names)
	if err != nil {
		return Answer{}, err
	}
	b, err := open(ctx, call.Files, list)
	if err != nil {
		return Answer{}, err
	}
	b.show(call, list)
	answer, err := b.answer(ctx, call, o, a, lang)
	if err = errors.Join(err, b.close()); err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// answer settles the SQL, runs it and words what it brought.
func (b *book) answer(ctx context.Context, call *tools.Call, o Options, a queryArguments, lang string) (Answer, error) {
	notes := b.notes()
	var w *wish
	var doubt *remark
	if a.SQL == "" {
		a.SQL = selectOf(a.Question)
	}
	switch {
	case strings.TrimSpace(a.SQL) != "":
		r, err := b.query(ctx, a.SQL)
		if err != nil {
			return Answer{}, err
		}
		return b.tell(ctx, call, nil, r, Answer{SQL: strings.TrimSpace(a.SQL), By: "caller"}, notes)
	case strings.TrimSpace(a.Question) == "":
		return b.describe(lang, notes), nil
	}
	if o.Ask != nil {
		text, r, err := b.asked(ctx, call, o, a.Question)
		var no refused
		switch {
		case err == nil:
			return b.tell(ctx, call, nil, r, Answer{SQL: text, By: "model"}, notes)
		case ctx.Err() != nil:
			return Answer{}, context.Cause(ctx)
		case errors.As(err, &no):
			doubt = &no.remark
		default:
			notes = append(notes, remark{"模型没有回答，问题按规则理解", "the model did not answer, so the question was read by rules"})
		}
	}
	parts, apart := several(a.Question, b.tables, time.Now())
	if len(parts) > 1 {
		return b.each(ctx, call, parts, notes)
	}
	w, why := readWish(a.Question, b.tables, time.Now(), nil)
	if apart != nil {
		why = apart
	}
	if why != nil {
		if a, ok, err := b.difference(ctx, call, a.Question, notes); ok || err != nil {
			return a, err
		}
		if doubt == nil {
			doubt = why
		}
		return Answer{}, refused{remark{doubt.zh + "。" + b.outline("zh"), doubt.en + ". " + b.outline("en")}}
	}
	text := w.sql(lang)
	r, err := b.query(ctx, text)
	if err != nil {
		return Answer{}, err
	}
	var names []string
	for _, row := range r.rows {
		if len(row) > 0 && row[0] != nil {
			names = append(names, cellText(row[0]))
		}
	}
	if gap, ok := w.gaps(names); ok && !r.more {
		notes = append(notes, gap)
	}
	return b.tell(ctx, call, w, r, Answer{SQL: text, By: "rules"}, notes)
}

// reSelect is a question that is SQL: bare, between ticks or in a fence, and behind it the name of the file that came with it.
var reSelect = regexp.MustCompile("(?is)^\\s*(?:```[a-z]*\\s|`)?\\s*((?:(?:delete\\s+from|insert\\s+into|(?:drop|alter|create|truncate)\\s+table)\\s+\\S|update\\s+\\S+\\s+set\\s|select\\s+(?:distinct\\s+)?(?:\\S+\\s+|(?:\\*|\\S+\\s+as\\s|\\S+\\s*,|\\w+\\s*\\().*\\s)from\\s|with\\b.*\\bas\\s*\\(.*\\bselect\\b).*?)\\s*(?:```|`)?\\s*(?:[(（][^()（）]*\\.[a-z0-9]{2,8}[)）])?\\s*$")

// selectOf is the SQL that a question is; "" when it is none.
func selectOf(question string) string {
	if m := reSelect.FindStringSubmatch(question); m != nil {
		return m[1]
	}
	return ""
}

// difference answers a question that holds two periods or two names against each other, or asks why one differs: 5月比4月多多少. false when it is no such
// question, or a word of it is not understood.
func (b *book) difference(ctx context.Context, call *tools.Call, question string, notes []remark) (Answer, bool, error) {
	s := &study{b: b, lang: call.Request.Language, figures: map[string]any{}, notes: notes}
	a := analysisArguments{Task: question}
	if err := s.read(a, time.Now()); err != nil {
		return Answer{}, false, err
	}
	m := s.method(a)
	if m == nil || m.name != "attribution" {
		return Answer{}, false, nil
	}
	err := m.run(s, ctx)
	var no refused
	if s.unread(); s.r.doubt.zh != "" || errors.As(err, &no) && !s.versus() {
		return Answer{}, false, nil
	}
	if err == nil {
		err = s.draw(ctx, call)
	}
	return Answer{Answer: strings.Join(s.words, "\n\n"), SQL: strings.Join(s.sql, ";\n"), By: "rules", Columns: s.columns, Rows: s.rows, Count: len(s.rows), Note: joinRemarks(s.notes, s.lang)}, true, err
}

// outline names tables and columns, for who asked about something that is not there.
func (b *book) outline(lang string) string {
	var all []string
	for _, t := range b.tables[:min(len(b.tables), 5)] {
		all = append(all, fmt.Sprintf(say(lang, "表「%s」（%d 行）的列：%s", "Table “%s” (%d rows) has the columns %s"), t.Name, t.Rows, t.columns(lang, 6)))
	}
	return strings.Join(all, say(lang, "；", "; ")) + say(lang, "。可以说得更具体，例如“各XX的YY合计”“YY最高的3个XX”，或直接给出 SQL", ". Be more specific, such as “total YY by XX” or “top 3 XX by YY”, or give SQL")
}

// columns names the columns of a table, with so many of their values at most where they have few.
func (t *Table) columns(lang string, values int) string {
	var all []string
	for _, c := range t.Columns[:min(len(t.Columns), 20)] {
		name := c.Name
		if n := len(c.distinct); c.kind == textKind && n > 0 && n <= 12 {
			name += say(lang, "（", " (") + strings.Join(c.distinct[:min(n, values)], say(lang, "、", ", "))
			if n > values {
				name += " …"
			}
			name += say(lang, "）", ")")
		}
		all = append(all, name)
	}
	return strings.Join(all, say(lang, "、", ", "))
}

// maxDescribed is how long the description of a file that was asked is, in bytes.
const maxDescribed = 1000

// show attaches the files that were asked to the result, described by what their tables hold: so the conversation knows, later, what it may be asked about.
func (b *book) show(call *tools.Call, list []bus.File) {
	for _, f := range list {
		var tables []string
		for _, t := range b.tables {
			if t.File == f.Name {
				tables = append(tables, t.columns(call.Request.Language, 12))
			}
		}
		if len(tables) > 0 {
			f.Description = clip(strings.Join(tables, say(call.Request.Language, "；", "; ")), maxDescribed)
			call.Attach(f)
		}
	}
}

// describe shows the tables when nothing is asked.
func (b *book) describe(lang string, notes []remark) Answer {
	var s strings.Builder
	kinds := map[kind]remark{textKind: {"文本", "text"}, wholeKind: {"整数", "whole number"}, realKind: {"小数", "number"}, timeKind: {"日期时间", "time"}}
	for _, t := range b.tables {
		fmt.Fprintf(&s, say(lang, "**%s**：%d 行，%d 列\n\n| 列 | 类型 | 取值 |\n| --- | --- | --- |\n", "**%s**: %d rows, %d columns\n\n| Column | Type | Values |\n| --- | --- | --- |\n"), markdown(t.Name), t.Rows, len(t.Columns))
		for _, c := range t.Columns {
			var some []string
			for _, v := range c.distinct[:min(len(c.distinct), 5)] {
				some = append(some, clip(v, 40))
			}
			more := ""
			if len(c.distinct) > 5 {
				more = " …"
			}
			fmt.Fprintf(&s, "| %s | %s%s | %s%s |\n", markdown(c.Name), kinds[c.kind].in(lang), c.unit, markdown(strings.Join(some, say(lang, "、", ", "))), more)
		}
		s.WriteString("\n")
	}
	return Answer{Answer: strings.TrimSpace(s.String()), Count: 0, Note: joinRemarks(notes, lang)}
}

// joinRemarks is remarks in one text, at most maxRemarks of them, and how many more there are.
func joinRemarks(all []remark, lang string) string {
	var out []string
	for _, r := range all[:min(len(all), maxRemarks)] {
		out = append(out, r.in(lang))
	}
	if more := len(all) - len(out); more > 0 {
		out = append(out, fmt.Sprintf(say(lang, "另有 %d 条说明", "%d more remarks"), more))
	}
	return strings.Join(out, say(lang, "；", "; "))
}
