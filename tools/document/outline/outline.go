// Package outline is what a document is before it has a format: title, sections, tables, charts as data, pictures and sources,
// as plain values that hold no markup of any format but the Markdown of the running text.
package outline

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/invopop/jsonschema"
)

// Outline is one document. Its JSON is what agents write; [Outline.Check] holds it to the bounds.
type Outline struct {
	Title    string `json:"title" jsonschema:"description=标题。Title of the document."`
	Subtitle string `json:"subtitle,omitempty" jsonschema:"description=副标题：一句话结论。One sentence below the title: the conclusion."`
	Author   string `json:"author,omitempty" jsonschema:"description=作者。Author."`
	// Date is shown as it is.
	Date     string    `json:"date,omitempty" jsonschema:"description=日期。Date as shown."`
	Theme    string    `json:"theme,omitempty" jsonschema:"enum=sea,enum=ember,enum=night,description=配色。Colours: sea (blue; default)\\, ember (warm\\, with serifs)\\, night (dark)."`
	Sections []Section `json:"sections,omitempty" jsonschema:"description=各节，按顺序。The sections in order."`
	// Sources are cited in texts as [1], [2], … in this order.
	Sources []Source `json:"sources,omitempty" jsonschema:"description=引用来源；正文中以 [1]、[2] 引用。Sources\\, cited in texts as [1]\\, [2]."`

	// Language is that of the words that a format adds itself ("Sources", "continued"): "zh" or "en"; set by whoever renders.
	Language string `json:"-"`
}

// Section is a heading and what stands below it: first the text, then charts, tables and pictures, each in order.
type Section struct {
	Heading  string    `json:"heading,omitempty" jsonschema:"description=小节标题。Heading."`
	Text     string    `json:"text,omitempty" jsonschema:"description=正文 Markdown（不含 HTML）。Text in Markdown\\, no HTML."`
	Charts   []Chart   `json:"charts,omitempty" jsonschema:"description=图表。Charts."`
	Tables   []Table   `json:"tables,omitempty" jsonschema:"description=表格。Tables."`
	Pictures []Picture `json:"pictures,omitempty" jsonschema:"description=图片，按文件引用。Pictures by file reference."`
	// Notes are spoken, not shown: speaker notes on slides, nowhere else.
	Notes string `json:"notes,omitempty" jsonschema:"description=演讲备注（仅幻灯片）。Speaker notes (slides only)."`
}

// Table is rows below headings.
type Table struct {
	Title   string   `json:"title,omitempty" jsonschema:"description=表题。Title."`
	Columns []string `json:"columns,omitempty" jsonschema:"description=列名。Headings of the columns."`
	// Rows may be shorter or longer than Columns: [Outline.Clean] makes them even.
	Rows [][]Cell `json:"rows,omitempty" jsonschema:"description=行，每行为单元格数组（文本或数字）。Rows of cells: texts or numbers."`
	// File is a CSV or XLSX file that holds the rows instead.
	File string `json:"file,omitempty" jsonschema:"description=改从该文件（CSV、XLSX）读取，例如 obj:…。Read the rows from this file instead."`
	// Total is how many rows there are in truth, when Rows holds only the first of them; else 0.
	Total int `json:"total,omitempty" jsonschema:"description=实际总行数（如只给出前几行）。How many rows there really are\\, if these are the first."`

	looks []look // of the columns; [Outline.Clean] sees them
}

// look is how the numbers of a column are written, so that they stand alike below one another.
type look struct {
	parted bool // thousands are
	places int  // decimals; 0: as they come
}

// see settles the looks of the columns.
func (t *Table) see() {
	t.looks = make([]look, len(t.Columns))
	mixed := t.Mixed()
	for i := range t.looks {
		l, most := &t.looks[i], 0
		for _, row := range t.Rows {
			if c := row[i]; c.Numeric {
				l.parted = l.parted || math.Abs(c.Value) >= 10_000
				if _, places, ok := strings.Cut(strings.TrimSuffix(c.Text, "%"), "."); ok {
					most = max(most, len(places))
				}
			}
		}
		if most <= 2 && !mixed { // more is what was measured, and not what is shown
			l.places = most
		}
	}
}

// Chart is a picture of numbers. Each series has a value, or null, for each category.
type Chart struct {
	Kind       string   `json:"kind" jsonschema:"enum=column,enum=bar,enum=line,enum=area,enum=pie,description=类型。Kind."`
	Title      string   `json:"title,omitempty" jsonschema:"description=图题。Title."`
	Unit       string   `json:"unit,omitempty" jsonschema:"description=数值单位。Unit of the values."`
	Categories []string `json:"categories" jsonschema:"description=横轴类别。Categories."`
	Series     []Series `json:"series" jsonschema:"description=数据系列；饼图只用第一个。Series; a pie shows the first."`
	Stacked    bool     `json:"stacked,omitempty" jsonschema:"description=是否堆叠。Stacked."`
	// Spread: categories without a value were put between the others, as days are; a line goes over them. [Outline.Clean] sets it.
	Spread bool `json:"-"`
}

// Series is one line, or one colour of bars. A nil value is a gap.
type Series struct {
	Name   string     `json:"name"`
	Values []*float64 `json:"values"`
}

// Picture is an image in the session's files.
type Picture struct {
	File    string `json:"file" jsonschema:"description=文件引用 obj:…。File reference."`
	Caption string `json:"caption,omitempty" jsonschema:"description=图注。Caption."`

	// Image is the content, set by whoever has read the file; pictures without one are left out.
	Image *Image `json:"-"`
}

// Source is where something was found.
type Source struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// Cell is a text or a number of a table. Text is what it reads like in either case.
type Cell struct {
	Text string
	// Value is the number; 5.4 for the text "5.4%". Only with Numeric.
	Value   float64
	Numeric bool
}

// Text makes a cell of a text, which stays a text even when it reads like a number.
func Text(s string) Cell { return Cell{Text: s} }

// Number makes a cell of a number.
func Number(v float64) Cell {
	return Cell{Text: strconv.FormatFloat(v, 'f', -1, 64), Value: v, Numeric: !math.IsInf(v, 0) && !math.IsNaN(v)}
}

// amount is a number as people write it in tables. What has ten digits or more, or begins with a zero, is an id or a telephone
// number, which nobody adds up.
var amount = regexp.MustCompile(`^[-+]?(?:0|[1-9]\d{0,8}|[1-9]\d{0,2}(?:,\d{3}){1,2})(?:\.\d{1,6})?%?$`)

// Read makes a cell of a text of a file or a Markdown table: a number if it reads like one.
func Read(s string) Cell {
	s = strings.TrimSpace(s)
	if len(s) > 20 || !amount.MatchString(s) {
		return Text(s)
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.ReplaceAll(s, ",", ""), "%"), 64)
	if err != nil {
		return Text(s)
	}
	return Cell{Text: s, Value: v, Numeric: true}
}

// Percent reports whether the cell is a number that is written as one of a hundred.
func (c Cell) Percent() bool { return c.Numeric && strings.HasSuffix(c.Text, "%") }

// UnmarshalJSON takes any JSON value: numbers are numbers, nothing is an empty text, true and false are words, lists and objects stay JSON.
func (c *Cell) UnmarshalJSON(raw []byte) error {
	switch text := strings.TrimSpace(string(raw)); {
	case text == "null":
		*c = Cell{}
	case strings.HasPrefix(text, `"`):
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		*c = Read(s)
	default:
		*c = Text(text)
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			*c = Cell{Text: text, Value: v, Numeric: true}
		}
	}
	return nil
}

// MarshalJSON gives a number as a number where that keeps how it reads.
func (c Cell) MarshalJSON() ([]byte, error) {
	if c.Numeric && json.Valid([]byte(c.Text)) {
		return []byte(c.Text), nil
	}
	return json.Marshal(c.Text)
}

// JSONSchema is that of a cell.
func (Cell) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Extras: map[string]any{"type": []string{"string", "number", "boolean", "null"}}}
}

// rate is the name of a share or a quotient, as against that of an amount.
var rate = regexp.MustCompile(`(?i)率|占比|比例|[%％]|\b(?:rate|ratio|share|percent)\b`)

// Mixed reports whether each row is another measure, as 销售额 above 退款率: its numbers belong on no common scale.
func (t Table) Mixed() bool {
	rates := 0
	for _, row := range t.Rows {
		if len(row) == 0 || row[0].Numeric {
			return false
		}
		if rate.MatchString(row[0].Text) {
			rates++
		}
	}
	return rates > 0 && rates < len(t.Rows) && len(t.Rows) <= maxMeasures
}

// maxMeasures is how many measures are set out as rows of a table; more rows are things.
const maxMeasures = 40

// identity are headings of numbers that name things.
var identity = regexp.MustCompile(`(?i)编号|单号|编码|电话|手机|邮编|年份|\b(?:id|code|no|number|phone|year|zip)\b|_id$|号$`)

// Shown is how a cell of a column reads on paper: where amounts reach 10,000 the thousands are parted, and where one has cents all have.
func (t Table) Shown(column int, c Cell) string {
	if !c.Numeric || column < len(t.Columns) && identity.MatchString(t.Columns[column]) || strings.ContainsAny(c.Text, "eE") {
		return c.Text
	}
	l := look{parted: math.Abs(c.Value) >= 10_000}
	if column < len(t.looks) {
		l = t.looks[column]
	}
	text, percent := strings.CutSuffix(c.Text, "%")
	if l.places > 0 {
		whole, places, _ := strings.Cut(text, ".")
		text = whole + "." + places + strings.Repeat("0", max(0, l.places-len(places)))
	}
	if l.parted && !strings.Contains(text, ",") {
		text = Grouped(text)
	}
	if percent {
		text += "%"
	}
	return text
}

// Grouped parts the thousands of a number written in digits.
func Grouped(s string) string {
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	whole, rest := s, ""
	if i := strings.IndexAny(s, ".%eE"); i >= 0 {
		whole, rest = s[:i], s[i:]
	}
	if strings.ContainsAny(rest, "eE") {
		return sign + s
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole + rest
}

// Numeric reports whether a column holds numbers: at least one, and no other text. Such columns stand to the right.
func (t Table) Numeric(column int) bool {
	some := false
	for _, row := range t.Rows[:min(len(t.Rows), 1000)] {
		switch {
		case column >= len(row) || row[column].Text == "":
		case !row[column].Numeric:
			return false
		default:
			some = true
		}
	}
	return some
}

// Identity reports whether a column's numbers name things and are no amounts.
func (t Table) Identity(column int) bool {
	return column < len(t.Columns) && identity.MatchString(t.Columns[column])
}

// Left is how many rows are not shown when the first n are; 0 when all are.
func (t Table) Left(n int) int { return max(t.Total, len(t.Rows)) - min(n, len(t.Rows)) }

// Empty reports whether there is nothing to show but perhaps a title.
func (o *Outline) Empty() bool { return len(o.Sections) == 0 }

// Tabular reports whether there are rows, in tables or texts, or charts: something for a workbook.
func (o *Outline) Tabular() bool {
	return slices.ContainsFunc(o.Sections, func(s Section) bool {
		return len(s.Charts) > 0 || slices.ContainsFunc(s.Tables, func(t Table) bool { return len(t.Rows) > 0 }) ||
			slices.ContainsFunc(Blocks(s.Text, 0), func(b Block) bool { return b.Kind == Grid && len(b.Table.Rows) > 0 })
	})
}

// Words gives one of two wordings by the language of the document.
func (o *Outline) Words(zh, en string, args ...any) string {
	if o.Language == "en" {
		zh = en
	}
	if len(args) == 0 {
		return zh
	}
	return fmt.Sprintf(zh, args...)
}

// Width is how wide a text is in columns of a typewriter: Han and other wide characters are two.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
			r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd) {
			n++
		}
	}
	return n
}

// Clip shortens a text to a width, as [Width] counts; what was cut is shown by an ellipsis.
func Clip(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	n := 1
	for i, r := range s {
		if n += Width(string(r)); n > width {
			return s[:i] + "…"
		}
	}
	return s
}

// plain reports whether a text needs no cleaning.
func plain(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return strings.IndexFunc(s, unwanted) < 0
}
