package table

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// maxQuestion is the longest question that is read, in bytes.
const maxQuestion = 4 << 10

// mention is a column in a question.
type mention struct {
	column     *Column
	start, end int
	weight     int
}

// named is a value of a column in a question.
type named struct {
	column     *Column
	value      string
	start, end int
}

// reading is the work on one question of one table.
type reading struct {
	s        string // folded
	used     []bool
	table    *Table
	now      time.Time
	mentions []mention
	named    []named
	wish     *wish
	doubt    remark // why it cannot be read, when it cannot
	compared bool
	newest   bool            // what is most recent is wanted
	held     []*Column       // columns that have a part in the wish beside its filters, groups and measures
	every    map[*Column]int // columns that rows are put together by as each of them: 2 for each, 1 for by
	cuts     []int           // where what was said later begins, see [reading.later]
	pieces   [2]int          // where the question asks how many pieces, in bytes
	sales    [2]int          // where the question asks how many sales there were, in bytes
	rate     *filter         // of which rows the share is wanted, as 离职率 wants it; nil: it does not say
	period   grain           // that the question compares, as month over month does; byMoment: it does not say
	// finestSaid is the finest time that the question limits its rows to; byYear when it limits them to none.
	finestSaid grain
	of         int // the part of the question that the groups are of
}

var (
	reFileName = regexp.MustCompile(`[\p{Han}\w.@+-]{1,80}\.(?:csv|tsv|txt|xlsx?|xlsm|jsonl?|ndjson|db|sqlite3?)\b`)
	reFileLead = regexp.MustCompile(`^(?:请|帮我|在|看看|分析|统计|查询|打开|根据|用|按照?)+`)
	reQuoted   = regexp.MustCompile(`“([^”]{1,100})”|「([^」]{1,100})」|"([^"]{1,100})"|'([^']{1,100})'`)
)

// readWish understands a question by rules: which columns, values, times and figures it names, and what is to be done with them. more are words that
// the person has explained (see [meanings]). What no rule understands makes the reading fail, with a remark that says so: a figure that leaves a condition
// out would be a wrong one.
func readWish(question string, tables []*Table, now time.Time, more map[string]string) (*wish, *remark) {
	best := readBest(question, tables, now, more)
	if best == nil {
		return nil, &remark{"没有表格", "there is no table"}
	}
	if best.doubt.zh != "" {
		return nil, &best.doubt
	}
	return best.wish, nil
}

// readBest reads a question of the table that it is most likely about; nil when there is none.
func readBest(question string, tables []*Table, now time.Time, more map[string]string) (best *reading) {
	question = fold(clip(question, maxQuestion))
	for _, t := range tables {
		r := &reading{s: question, used: make([]bool, len(question)+1), table: t, now: now, wish: &wish{table: t}}
		r.read(more)
		if best == nil || r.worth() > best.worth() {
			best = r
		}
	}
	return best
}

// worth tells the table that a question is about from the others.
func (r *reading) worth() int {
	n := 0
	for _, m := range r.mentions {
		n += m.weight
	}
	n += 4 * len(r.named)
	if strings.Contains(r.s, fold(r.table.Name)) || strings.Contains(r.s, fold(stem(r.table.File))) && r.table.File != "" {
		n += 20
	}
	if r.doubt.zh == "" {
		n += 3
	}
	return n
}

func (r *reading) free(start, end int) bool {
	for i := start; i < end; i++ {
		if r.used[i] {
			return false
		}
	}
	return true
}

func (r *reading) use(start, end int) {
	for i := start; i < end; i++ {
		r.used[i] = true
	}
}

// has takes a pattern where the question has it; false when it has it nowhere.
func (r *reading) has(re *regexp.Regexp) bool {
	found := false
	for _, at := range re.FindAllStringIndex(r.s, 20) {
		if at[1] > at[0] && r.free(at[0], at[1]) {
			r.use(at[0], at[1])
			found = true
		}
	}
	return found
}

func (r *reading) read(more map[string]string) {
	for _, at := range reFileName.FindAllStringIndex(r.s, 10) {
		start := at[0] + len(reFileLead.FindString(r.s[at[0]:at[1]]))
		r.use(start, at[1])
	}
	if name := fold(r.table.Name); len([]rune(name)) > 1 {
		for _, at := range places(r.s, name) {
			if !r.columnish(name) {
				r.use(at, at+len(name))
			}
		}
	}
	if at := reSales.FindStringIndex(r.s); at != nil && r.table.column("sales") == nil { // how many sales are rows, and no amount
		r.use(at[0], at[1])
		r.sales = *(*[2]int)(at)
	}
	r.profit()
	r.stocked()
	r.overspent()
	r.findNames(more)
	r.valued()
	r.reckoned()
	r.findQuotes()
	r.later()
	r.overTime()
	r.flags()
	r.weekdays()
	found := r.latest(stretches(r.s, r.now, r.free))
	r.times(found)
	r.comparisons()
	r.figures()
	if c := r.unused(); c != nil && r.doubt.zh == "" {
		r.doubt = remarkf("没有看出「%s」在问题里的作用", "it is not clear what “%s” is asked for", c.Name)
	}
	if r.doubt.zh == "" {
		r.leftOver()
	}
}

// columnish reports whether a name is a column's, too.
func (r *reading) columnish(name string) bool {
	for _, c := range r.table.Columns {
		if slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return a.text == name }) {
			return true
		}
	}
	return false
}

// places are where a text has another, at the borders of Latin words.
func places(s, part string) []int {
	var out []int
	for from := 0; part != "" && len(out) < 50; {
		i := strings.Index(s[from:], part)
		if i < 0 {
			break
		}
		at := from + i
		end := at + len(part)
		if !(at > 0 && latin(s[at-1]) && latin(part[0])) && !(end < len(s) && latin(s[end]) && latin(part[len(part)-1])) {
			out = append(out, at)
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		from = at + size
	}
	return out
}

// timeColumn is the column of times that a question is about: the one it names, else the first. Without one, a column of years.
func (r *reading) timeColumn() *Column {
	for _, m := range r.mentions {
		if m.column.kind == timeKind {
			return m.column
		}
	}
	for _, c := range r.table.Columns {
		if c.kind == timeKind {
			return c
		}
	}
	return nil
}

func (r *reading) yearColumn() *Column {
	for _, c := range r.table.Columns {
		if c.kind == wholeKind && yearName.MatchString(strings.TrimSpace(c.Name)) {
			return c
		}
	}
	return nil
}

// amounts are the columns that can be added up, or compared.
func (r *reading) amounts() []*Column {
	var out []*Column
	for _, c := range r.table.Columns {
		if c.number() && !c.names() && !yearName.MatchString(c.Name) && !monthName.MatchString(c.Name) {
			out = append(out, c)
		}
	}
	return out
}

// firstOf is a question of the first of a kind, and not which one that is: 销售额最高的那天卖的什么商品.
var firstOf = regexp.MustCompile(`最\p{Han}{1,4}的([那这]一?(?:[天日周年]|个?(?:月|季度|星期|\p{Han}{2,3}?))(?:里|中)?(?:都|一共|总共)?(?:卖|买|有|的|退|下单|各))`)

// reNotYet are words for figures that no rule works out, and of which each sign alone says nothing: the mean of the days, the first tenth.
var reNotYet = regexp.MustCompile(`[日天周月季年]均|季度均|平均每[日天周月季年]|\baverage (?:daily|weekly|monthly|quarterly|yearly|annual)\b|前\s*[0-9.]+\s*%|\btop [0-9.]+ ?(?:%|percent)`)

// rePoints points to the rows of an answer before, which are not known here: all rows would be another answer.
var rePoints = regexp.MustCompile(`^(?:(?:and|so|now|then),? )*[^,，;；。？?(（]*?\b(?:((?:of|among|from) them)\b|((?:of|among|from) (?:those|these))(?:\s*(?:[,?]|$)|\s+(?:is|are|was|were|has|have|had)\b))|^(?:那么?)?(其中|[他她它]们)`)

// rePart points to the groups of an answer before.
var rePart = regexp.MustCompile(`其中|\b(?:of|among) (?:them|these|those)\b`)

// leftOver refuses a question of which words are left that nobody has understood.
func (r *reading) leftOver() {
	rest := []byte(r.s)
	for i := range rest {
		if r.used[i] {
			rest[i] = ' '
		}
	}
	if w := r.wish; w.rows || slices.ContainsFunc(w.measures, func(m measure) bool { return m.column == nil }) { // what the rows are called says no more
		rest = reRowNoun.ReplaceAllFunc(rest, func(b []byte) []byte { return bytes.Repeat([]byte(" "), len(b)) })
	}
	text := noise.ReplaceAllString(strings.ToValidUTF8(string(rest), " "), " ")
	var words []string
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return !(isLetter(c) || c >= '0' && c <= '9') }) {
		if utf8.RuneCountInString(w) > 1 || len(w) == 1 && w[0] >= 'b' && w[0] <= 'z' && !strings.Contains("dimst", w) || isHan(w) && !particles[w] || w != "" && w[0] >= '0' && w[0] <= '9' {
			words = append(words, w)
		}
	}
	if m := firstOf.FindStringSubmatch(r.s); m != nil { // its rows would have to be found first, and then asked
		words = append(words, m[1])
	}
	for _, m := range reNotYet.FindAllStringIndex(r.s, 3) {
		if !slices.ContainsFunc(r.mentions, func(o mention) bool { return o.start < m[1] && m[0] < o.end }) {
			words = append(words, r.s[m[0]:m[1]])
		}
	}
	if m := rePoints.FindStringSubmatch(r.s); m != nil && !slices.Contains(words, m[1]+m[2]+m[3]) {
		words = append(words, m[1]+m[2]+m[3])
	}
	if at := rePart.FindStringIndex(r.s); at != nil && r.wish.limit > 0 && !r.wish.rows && r.part(at[0]) > 0 { // of the first three, which are found first
		words = append(words, "其中")
	}
	if sum := r.formula(); sum != "" {
		words = append(words, sum)
	}
	if lacks := r.lacking(words); lacks != "" && len(words) == 1 {
		r.doubt = remarkf("「%[1]s」里没有「%[2]s」这一列", "%[1]s has no column for “%[2]s”", cmp.Or(r.table.File, r.table.Name), lacks)
		return
	}
	if len(words) > 0 {
		all := clip(strings.Join(words, say("zh", "、", ", ")), 120)
		r.doubt = remarkf("没有理解「%s」", "“%s” is not understood", all)
	}
}

// lacking is the first of the words that nobody has understood that many tables have a column of; "": there is none.
func (r *reading) lacking(words []string) string {
	for _, w := range words {
		for _, group := range synonyms {
			for _, s := range group {
				if w == s || !isHan(w) && w == plural(s) {
					return w
				}
			}
		}
	}
	return ""
}

var particles = map[string]bool{"额": true, "度": true, "性": true, "些": true, "某": true, "如": true, "该": true, "呀": true, "啊": true, "能": true, "会": true, "做": true, "得": true, "着": true, "过": true, "而": true, "之": true, "等": true, "请": true, "一": true, "大": true, "总": true, "均": true}

func isLetter(c rune) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 && !strings.ContainsRune("，。、；：？！“”‘’（）《》「」—…·～￥", c)
}

// clip is the beginning of a text, of at most so many bytes.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
