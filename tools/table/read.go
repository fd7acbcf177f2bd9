package table

import (
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
	held     []*Column       // columns that have a part in the wish beside its filters, groups and measures
	every    map[*Column]int // columns that rows are put together by as each of them: 2 for each, 1 for by
	cuts     []int           // where what was said later begins, see [reading.later]
	pieces   [2]int          // where the question asks how many pieces, in bytes
	of       int             // the part of the question that the groups are of
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
	question = fold(clip(question, maxQuestion))
	var best *reading
	for _, t := range tables {
		r := &reading{s: question, used: make([]bool, len(question)+1), table: t, now: now, wish: &wish{table: t}}
		r.read(more)
		if best == nil || r.worth() > best.worth() {
			best = r
		}
	}
	if best == nil {
		return nil, &remark{"没有表格", "there is no table"}
	}
	if best.doubt.zh != "" {
		return nil, &best.doubt
	}
	return best.wish, nil
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
	r.findNames(more)
	r.findQuotes()
	r.later()
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

// findNames finds columns and values, the longest first.
func (r *reading) findNames(more map[string]string) {
	type candidate struct {
		text   string
		column *Column
		value  string // "": the column itself
		weight int
	}
	var all []candidate
	for _, c := range r.table.Columns {
		for _, a := range aliases(c, more) {
			all = append(all, candidate{a.text, c, "", a.weight})
			if !isHan(a.text) {
				all = append(all, candidate{plural(a.text), c, "", a.weight})
			}
		}
		for _, v := range c.distinct {
			text := fold(v)
			short := utf8.RuneCountInString(text) < 2
			if text == "" || strings.Trim(text, "0123456789.,-/ ") == "" || short && (!isHan(text) || len(c.distinct) > 10) || !isHan(text) && (stop[text] || len(text) < 2) {
				continue
			}
			all = append(all, candidate{text, c, v, 4})
			if !isHan(text) && isLetter(rune(text[len(text)-1])) {
				all = append(all, candidate{plural(text), c, v, 4})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(b.weight, a.weight))
	})
	type span struct{ start, end int }
	owner := map[span]candidate{}
	for _, c := range all {
		for _, at := range places(r.s, c.text) {
			end := at + len(c.text)
			here := span{at, end}
			if o, ok := owner[here]; ok {
				if o.value == "" && c.value == "" && o.column != c.column && o.weight == c.weight && c.weight < 5 && r.doubt.zh == "" && !r.likelier(o.column, c.column) {
					r.doubt = remarkf("「%s」可能是「%s」或「%s」列，请写明列名", "“%s” may mean the column “%s” or “%s”; name the column", c.text, o.column.Name, c.column.Name)
				}
				continue
			}
			if !r.free(at, end) {
				continue
			}
			if c.value != "" && utf8.RuneCountInString(c.text) == 1 && !r.alone(at, end) {
				continue
			}
			r.use(at, end)
			owner[here] = c
			if c.value != "" {
				r.named = append(r.named, named{c.column, c.value, at, end})
			} else {
				r.mentions = append(r.mentions, mention{c.column, at, end, c.weight})
			}
		}
	}
	slices.SortFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.start, b.start) })
	slices.SortFunc(r.named, func(a, b named) int { return cmp.Compare(a.start, b.start) })
}

// likelier reports whether the first of two columns that a weak word may mean is meant: it comes before a column of numbers that name things.
func (r *reading) likelier(a, b *Column) bool {
	return identity.MatchString(b.Name) && !identity.MatchString(a.Name) || a.number() && !b.number()
}

// alone: a value of one sign stands where no word goes on.
func (r *reading) alone(start, end int) bool {
	rest := r.s[end:]
	return rest == "" || strings.HasPrefix(rest, "的") || strings.HasPrefix(rest, "性") || strings.HasPrefix(rest, "生") || strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "、") || strings.HasPrefix(rest, "和") || strings.HasPrefix(rest, "女")
}

func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "y") && len(s) > 2 && !strings.ContainsRune("aeiou", rune(s[len(s)-2])):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	}
	return s + "s"
}

// stop are English words that are no value, even where a column has them.
var stop = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("the a an of in on at to by is are and or not no yes for all any as it we me my us so do per sum max min top how who") {
		m[w] = true
	}
	return m
}()

// findQuotes takes what stands in quotes, and is no value, as what a text holds.
func (r *reading) findQuotes() {
	for _, at := range reQuoted.FindAllStringSubmatchIndex(r.s, 10) {
		start, end := 0, 0
		for g := 1; g < len(at)/2; g++ {
			if at[2*g] >= 0 {
				start, end = at[2*g], at[2*g+1]
			}
		}
		if !r.free(start, end) {
			continue
		}
		var c *Column
		for _, m := range r.mentions {
			if m.end <= at[0] && m.column.kind == textKind {
				c = m.column
			}
		}
		if c == nil {
			for _, o := range r.table.Columns {
				if o.kind == textKind && c == nil {
					c = o
				}
			}
		}
		if c == nil {
			continue
		}
		text := r.s[start:end]
		r.use(at[0], at[1])
		r.wish.filters = append(r.wish.filters, filter{column: c, sql: "instr(lower(" + quoted(c.Name) + "), " + literal(text) + ") > 0", at: [2]int{at[0], at[1]},
			said: remarkf("%s 含“%s”", "%s holds “%s”", c.Name, text)})
	}
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
		if c.number() && !identity.MatchString(c.Name) && !yearName.MatchString(c.Name) && !monthName.MatchString(c.Name) {
			out = append(out, c)
		}
	}
	return out
}

// firstOf is a question of the first of a kind, and not which one that is: 销售额最高的那天卖的什么商品.
var firstOf = regexp.MustCompile(`最\p{Han}{1,4}的([那这]一?(?:[天日周年]|个?(?:月|季度|星期|\p{Han}{2,3}?))(?:里|中)?(?:都|一共|总共)?(?:卖|买|有|的|退|下单|各))`)

// leftOver refuses a question of which words are left that nobody has understood.
func (r *reading) leftOver() {
	rest := []byte(r.s)
	for i := range rest {
		if r.used[i] {
			rest[i] = ' '
		}
	}
	text := noise.ReplaceAllString(strings.ToValidUTF8(string(rest), " "), " ")
	var words []string
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return !(isLetter(c) || c >= '0' && c <= '9') }) {
		if utf8.RuneCountInString(w) > 1 || isHan(w) && !particles[w] || w != "" && w[0] >= '0' && w[0] <= '9' {
			words = append(words, w)
		}
	}
	if m := firstOf.FindStringSubmatch(r.s); m != nil { // its rows would have to be found first, and then asked
		words = append(words, m[1])
	}
	if sum := r.formula(); sum != "" {
		words = append(words, sum)
	}
	if len(words) > 0 {
		all := clip(strings.Join(words, say("zh", "、", ", ")), 120)
		r.doubt = remarkf("没有理解「%s」", "“%s” is not understood", all)
	}
}

var particles = map[string]bool{"额": true, "度": true, "些": true, "某": true, "如": true, "该": true, "呀": true, "啊": true, "能": true, "会": true, "做": true, "得": true, "着": true, "过": true, "而": true, "之": true, "等": true, "请": true, "一": true, "大": true, "总": true, "均": true}

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
