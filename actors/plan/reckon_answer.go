package plan

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// worked is what was worked out from the rows of one call.
type worked struct {
	text string // for the answer; "" when the observation is the answer
	held []fact // what the request limits itself to and the rows were picked by
	how  string // what was done, in a few words
}

// work works out from a call's observation what the clause behind it asks for and the tool does not tell by itself.
func (r *round) work(t *target, d Done) worked {
	s, held, lacks, ok := r.sheet(t, d, "")
	out := worked{held: held}
	if !ok || len(s.where) == 0 && !s.wanted(lacks) {
		return out
	}
	out.text, out.how = s.words(lacks)
	return out
}

// sheet is the list in a call's observation, with the rows that the clause behind it limits itself to and the tool does not pick. held are what it
// says and the rows hold to, lacks what no column tells; ok is false when nothing is listed. of is the list that is meant where it is known.
func (r *round) sheet(t *target, d Done, of string) (s sheet, held []fact, lacks string, ok bool) {
	e := t.e
	if d.Status != bus.OK || e.IsAgent() || !e.reads() || e.knowledge() || r.x.options.Without.Model {
		return s, nil, "", false
	}
	v, err := decode(d.Observation)
	if err != nil {
		return s, nil, "", false
	}
	m, _ := v.(map[string]any)
	g, lacks, ok := r.g.undated(t.clause).layOn(e, func(l *field) bool { return m == nil || m[l.Name] != nil })
	if !ok {
		return s, nil, "", false
	}
	left := r.unused(t)
	if l := g.limitedList(e, of, left, r.g.plain); l != nil {
		g.list, g.key = l, ifText(l == &e.result, "", l.Name)
	}
	rows, _ := v.([]any)
	if g.key != "" {
		rows, _ = m[g.key].([]any)
	}
	if n := len(rows) - 1; n > 0 {
		if _, cut := rows[n].(string); cut { // what was too long to be told whole ends in a word on how much is gone
			rows = rows[:n:n]
		}
	}
	if !objects(rows) {
		return s, nil, "", false
	}
	s = sheet{folding: g, w: writer{lang: r.g.lang, asked: strings.ToLower(r.g.text)}, rows: rows, all: rows, object: m, result: &e.result}
	for _, b := range t.bound {
		s.sorted = s.sorted || b.why == inOrderOf
	}
	for _, f := range left {
		if a, ok := f.value.(amount); g.n > 0 && (ok && f.kind == factNumber && int(a.n) == g.n || firstN.MatchString(f.text)) || g.by != nil && tellsTime(t.clause.figure.by) && strings.Contains(f.text, t.clause.figure.by) {
			held = append(held, f)
			continue
		}
		kept, c, ok := g.pick(f, r.g.plain, s.rows, r.g.now)
		if ok {
			s.rows = kept
			held = append(held, f)
			if c.col != nil {
				s.where = append(s.where, c)
			}
		}
	}
	return s, held, lacks, true
}

// undated is what a clause wants worked out, without the days in its words: they name no column.
func (g *goal) undated(c clause) reckoning {
	out := c.figure
	if !out.asked() {
		return out
	}
	for _, f := range within(g.facts, c.start, c.end) {
		if a, ok := f.value.(amount); ok && f.kind == factNumber && c.figure.n > 0 && int(a.n) == c.figure.n { // 3 of "the cheapest 3 orders", which are orders all the same
			continue
		}
		if f.kind == factDate || f.kind == factNumber {
			out.text = strings.Replace(out.text, f.text, " ", 1)
		}
	}
	return out
}

// sheet is a list that is being worked with.
type sheet struct {
	folding
	w      writer
	rows   []any // those picked
	all    []any // as they were listed
	object map[string]any
	result *field
	where  []condition
	sorted bool // the tool was told to list them by the figure wanted, so that the first of those listed are the first of all
}

// wanted reports whether there is anything to work out that the tool does not tell by itself.
func (s *sheet) wanted(lacks string) bool {
	switch {
	case s.reckoning.by != "" && lacks == "", s.part, s.n > 0:
		return true
	case lacks != "" && s.reckoning.fold == foldMean && s.tells(averageOf):
		return false
	case lacks != "":
		return s.reckoning.by != "" || s.hint == "many" || s.reckoning.fold == foldMean && !s.tells(averageOf)
	case s.fold == foldNone, s.fold == foldCount, len(s.rows) < 2:
		return false
	case s.fold == foldSum:
		return !s.tells(nil)
	case s.fold == foldMean:
		return !s.tells(averageOf)
	}
	return true
}

// averageOf: a figure that is a mean already.
var averageOf = regexp.MustCompile(`(?i)平均|均价|客单|人均|\baverage|\bmean\b`)

// rateOf: a figure that is a share or a quotient. Neither it nor a mean can be added up, and nothing that does not name it is one.
var rateOf = regexp.MustCompile(`(?i)率|占比|百分|产出比|\b(?:rates?|ROI|ratio|percent(?:age)?|share)\b`)

// quotient reports whether the figures of a column are means or rates.
func (f *field) quotient() bool {
	return averageOf.MatchString(f.label("zh")+" "+f.label("en")) || rateOf.MatchString(f.label("zh")+" "+f.label("en"))
}

// tells reports whether beside its list the tool gives the figure itself: of the column measured, or with a name that matches.
func (s *sheet) tells(named *regexp.Regexp) bool {
	return s.figure(named) != nil
}

// missing is how many things the tool counts beyond those that it lists; -1: it lists as many as it ever does, and there may be more.
func (s *sheet) missing() int {
	n, counted := 0, false
	for k, v := range s.object {
		f := child(s.result, k)
		if c, ok := v.(json.Number); ok && isTotal(k, f) && s.counts(f) {
			if i, err := strconv.Atoi(c.String()); err == nil && i < 1<<31 {
				n, counted = max(n, i-len(s.all)), true
			}
		}
	}
	if m := listsUpTo.FindStringSubmatch(s.list.Desc); !counted && m != nil && strings.Join(m[1:], "") == strconv.Itoa(len(s.all)) {
		return -1
	}
	return n
}

// counts reports whether a number of things beside the lists is of those in this one: the list that is called by the same words, else any.
func (s *sheet) counts(f *field) bool {
	if f == nil {
		return true
	}
	mine, others := f.shares(s.list.label("zh")+" "+s.list.label("en")), 0
	for i := range s.result.Fields {
		if o := &s.result.Fields[i]; o.isList() && len(o.Fields) > 0 && o.Name != s.list.Name {
			others = max(others, f.shares(o.label("zh")+" "+o.label("en")))
		}
	}
	return mine >= others && (mine > 0 || others == 0 && s.only())
}

// only reports whether the tool returns no other list.
func (s *sheet) only() bool {
	n := 0
	for i := range s.result.Fields {
		if o := &s.result.Fields[i]; o.isList() && len(o.Fields) > 0 {
			n++
		}
	}
	return n <= 1
}

// listsUpTo: what a card says of the length of a list.
var listsUpTo = regexp.MustCompile(`(?i)最多\s*(\d{1,6})|(?:at most|up to|no more than|limited to|max(?:imum)?(?: of)?)\s+(\d{1,6})`)

// words says what comes of the rows, and how it was worked out.
func (s *sheet) words(lacks string) (text, how string) {
	lang := s.w.lang
	var out []string
	if lead := s.w.lead(s.object); lead != "" {
		out = append(out, lead)
	}
	if lacks != "" {
		out = append(out, say(lang, "列出的内容里没有「%s」这一项，没法按它算。", "The list does not tell the %s, so it cannot be worked out by that.", lacks))
	}
	what := strings.TrimLeft(s.list.counted(lang), "分各")
	if what == "" {
		what = say(lang, "结果", "rows")
	}
	if len(s.where) > 0 {
		var by []string
		for _, c := range s.where {
			by = append(by, s.w.label(c.col, c.col.Name)+say(lang, "「%s」", " “%s”", c.words))
		}
		cond := strings.Join(by, say(lang, "、", ", "))
		out = append(out, say(lang, "列出的 %[1]d 个里，%[2]s的有 %[3]d 个。", "Of the %[1]d listed, %[3]d with %[2]s.", len(s.all), cond, len(s.rows)))
		how = say(lang, "从 %[1]d 行里挑出%[2]s的 %[3]d 行", "%[3]d of %[1]d rows picked by %[2]s", len(s.all), cond, len(s.rows))
	}
	more := s.missing()
	table := s.rows
	var f *field = s.list
	said := ""
	switch {
	case len(s.rows) == 0:
		return strings.Join(out, "\n\n"), how
	case s.divides(s.rows, lang) && s.of != nil && s.of.quotient():
		said = say(lang, "「%[1]s」已经是平均数或比率，几行的不能合成一个，所以没有按%[2]s算，下面是列出的各行。", "%[1]s is a mean or a rate already, and those of several rows make no other; so it was not worked out by %[2]s, and the rows stand as they are listed.",
			s.of.label(lang), s.reckoning.by)
	case s.divides(s.rows, lang):
		if s.listsSeveral(s.rows, lang) { // what a row comes to cannot be shared out
			s.of = nil
		}
		said, table, f = s.byGroup(what)
	case s.of == nil && s.n > 0 && s.fold == foldMost && len(s.rows) > s.n:
		table = s.rows[:s.n]
		said = say(lang, "列出的前 %d 个如下。", "The first %d as they are listed.", s.n)
	case s.grouped && tellsTime(s.reckoning.by) && !s.superlative(): // in the order of time
	case s.by != nil: // each row is a group of its own
		if s.of != nil && s.fold != foldCount {
			s.fold = ifFold(s.fold == foldLeast, foldLeast, foldMost)
			if said, table = s.extreme(); s.n == 0 {
				table = s.ranked(s.rows)
			}
		}
	case s.part && len(s.where) > 0:
		said = s.share()
	case s.of == nil:
	case s.fold == foldSum || s.fold == foldMean:
		said = s.sums(more, what)
	default:
		said, table = s.extreme()
	}
	if said != "" {
		out = append(out, said)
		if how != "" {
			how += say(lang, "，", "; ")
		}
		how += strings.TrimRight(said, "。.")
	}
	if warn := s.cut(more, what); warn != "" {
		out = append(out, warn)
	}
	w := s.w
	if f != s.list {
		w.asked += strings.ToLower(f.Fields[1].Title) // also where it is the same for all
	}
	return strings.TrimSpace(strings.Join(append(out, w.table(table, f)), "\n\n")), how
}

// cut says that the figure is one of what was listed, and not of all there is; "" when it is.
func (s *sheet) cut(more int, what string) string {
	lang := s.w.lang
	exact := s.of != nil && s.by == nil && len(s.where) == 0 && (s.fold == foldMost || s.fold == foldLeast) && (s.sorted || s.inOrder(s.all))
	switch {
	case more == 0, exact, s.of == nil && s.by == nil && s.n > 0, s.fold == foldNone && len(s.where) == 0:
		return ""
	case s.by == nil && len(s.where) == 0 && s.fold == foldMean && s.of != nil && s.figure(nil) != nil && more > 0:
		return ""
	case more < 0:
		return say(lang, "注意：只列出了 %d 个，可能还有更多，上面的数只按列出的算。", "Note: only %d are listed and there may be more; the figure is of those listed.", len(s.all))
	}
	return say(lang, "注意：一共 %[1]d 个，只列出了 %[2]d 个，上面的数只按列出的算，不是全部的。", "Note: there are %[1]d and only %[2]d are listed; the figure is of those, not of all.", len(s.all)+more, len(s.all))
}
