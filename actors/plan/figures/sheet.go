package figures

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Sheet is a list that is being worked with.
type Sheet struct {
	Folding
	W      render.Writer
	Rows   []any // those picked
	All    []any // as they were listed
	Object map[string]any
	Result *fields.Field
	Where  []Condition
	Passed any  // the row that would come first, and that a change cannot be made to; nil: it can
	Tied   bool // more are equal than are wanted: Rows are then those among which some must be chosen
	Sorted bool // the tool was told to list them by the figure wanted, so that the first of those listed are the first of all
}

// Wanted reports whether there is anything to work out that the tool does not tell by itself.
func (s *Sheet) Wanted(lacks string) bool {
	switch {
	case s.Reckoning.By != "" && lacks == "", s.Part, s.N > 0, s.Sorted && s.Of == nil: // the rows that the tool put in order, and no other list of its
		return true
	case lacks != "" && s.Reckoning.Fold == wishes.FoldMean && s.tells(averageOf):
		return false
	case lacks != "":
		return s.Reckoning.By != "" || s.Hint == "many" || s.Reckoning.Fold == wishes.FoldMean && !s.tells(averageOf)
	case s.Fold == wishes.FoldNone, s.Fold == wishes.FoldCount, len(s.Rows) < 2:
		return false
	case s.Fold == wishes.FoldSum:
		return !s.tells(nil)
	case s.Fold == wishes.FoldMean:
		return !s.tells(averageOf)
	}
	return true
}

// averageOf: a figure that is a mean already.
var averageOf = words.MustCompile(`(?i)平均|均价|客单|人均|\baverage|\bmean\b`)

// rateOf: a figure that is a share or a quotient. Neither it nor a mean can be added up, and nothing that does not name it is one.
var rateOf = words.MustCompile(`(?i)率|占比|百分|产出比|\b(?:rates?|ROI|ratio|percent(?:age)?|share)\b`)

// Quotient reports whether the figures of a column are means or rates.
func Quotient(f *fields.Field) bool {
	return averageOf.MatchString(f.Label("zh")+" "+f.Label("en")) || rateOf.MatchString(f.Label("zh")+" "+f.Label("en"))
}

// tells reports whether beside its list the tool gives the figure itself: of the column measured, or with a name that matches.
func (s *Sheet) tells(named *words.Pattern) bool {
	return s.figure(named) != nil
}

// missing is how many things the tool counts beyond those that it lists; -1: it lists as many as it ever does, and there may be more.
func (s *Sheet) missing() int {
	n, counted := 0, false
	for k, v := range s.Object {
		f := fields.Child(s.Result, k)
		if c, ok := v.(json.Number); ok && render.IsTotal(k, f) && s.counts(f) {
			if i, err := strconv.Atoi(c.String()); err == nil && i < 1<<31 {
				n, counted = max(n, i-len(s.All)), true
			}
		}
	}
	if m := listsUpTo.FindStringSubmatch(s.List.Desc); !counted && m != nil && strings.Join(m[1:], "") == strconv.Itoa(len(s.All)) {
		return -1
	}
	return n
}

// counts reports whether a number of things beside the lists is of those in this one: the list that is called by the same words, else any.
func (s *Sheet) counts(f *fields.Field) bool {
	if f == nil {
		return true
	}
	mine, others := f.Shares(s.List.Label("zh")+" "+s.List.Label("en")), 0
	for i := range s.Result.Fields {
		if o := &s.Result.Fields[i]; o.IsList() && len(o.Fields) > 0 && o.Name != s.List.Name {
			others = max(others, f.Shares(o.Label("zh")+" "+o.Label("en")))
		}
	}
	return mine >= others && (mine > 0 || others == 0 && s.only())
}

// only reports whether the tool returns no other list.
func (s *Sheet) only() bool {
	n := 0
	for i := range s.Result.Fields {
		if o := &s.Result.Fields[i]; o.IsList() && len(o.Fields) > 0 {
			n++
		}
	}
	return n <= 1
}

// listsUpTo: what a card says of the length of a list.
var listsUpTo = words.MustCompile(`(?i)最多\s*(\d{1,6})|(?:at most|up to|no more than|limited to|max(?:imum)?(?: of)?)\s+(\d{1,6})`)

// sentence is one of a text in either language; a point in a figure ends none.
var sentence = words.MustCompile(`(?:[^。.]|\.\S)+(?:[。.]\s*|$)`)

// Words says what comes of the rows, and how it was worked out.
func (s *Sheet) Words(lacks string) (text, how string) {
	lang := s.W.Lang
	var out []string
	lead := s.W.Lead(s.Object)
	if len(s.Where) > 0 { // the newest of all may be none of those that are meant, and who reads an id here takes it for one
		lead = strings.TrimSpace(sentence.ReplaceAllStringFunc(lead, func(one string) string { return words.Either(words.LongNumber.MatchString(one), "", one) }))
	}
	if lead != "" {
		out = append(out, lead)
	}
	if lacks != "" {
		out = append(out, words.Say(lang, "列出的内容里没有「%s」这一项，没法按它算。", "The list does not tell the %s, so it cannot be worked out by that.", lacks))
	}
	what := strings.TrimLeft(s.List.Counted(lang), "分各")
	if what == "" {
		what = words.Say(lang, "结果", "rows")
	}
	if len(s.Where) > 0 {
		var by []string
		for _, c := range s.Where {
			not := words.Either(c.fact.Not, words.Say(lang, "不是", "not "), "")
			by = append(by, not+s.W.Label(c.Col, c.Col.Name)+words.Say(lang, "「%s」", " “%s”", c.words))
		}
		cond := strings.Join(by, words.Say(lang, "、", ", "))
		out = append(out, words.Say(lang, "列出的 %[1]d 个里，%[2]s的有 %[3]d 个。", "Of the %[1]d listed, %[3]d with %[2]s.", len(s.All), cond, len(s.Rows)))
		how = words.Say(lang, "从 %[1]d 行里挑出%[2]s的 %[3]d 行", "%[3]d of %[1]d rows picked by %[2]s", len(s.All), cond, len(s.Rows))
	}
	more := s.missing()
	table := s.Rows
	var f *fields.Field = s.List
	said := ""
	switch {
	case len(s.Rows) == 0:
		return strings.Join(out, "\n\n"), how
	case s.divides(s.Rows, lang) && s.Of != nil && Quotient(s.Of):
		said = words.Say(lang, "「%[1]s」已经是平均数或比率，几行的不能合成一个，所以没有按%[2]s算，下面是列出的各行。", "%[1]s is a mean or a rate already, and those of several rows make no other; so it was not worked out by %[2]s, and the rows stand as they are listed.",
			s.Of.Label(lang), s.Reckoning.By)
	case s.divides(s.Rows, lang):
		if s.listsSeveral(s.Rows, lang) { // what a row comes to cannot be shared out
			s.Of = nil
		}
		said, table, f = s.byGroup(what)
	case s.Of == nil && s.N > 0 && s.Fold == wishes.FoldMost && len(s.Rows) > s.N:
		table = s.Rows[:s.N]
		said = words.Say(lang, "列出的前 %d 个如下。", "The first %d as they are listed.", s.N)
	case s.Both && s.Of != nil && len(s.Rows) > 1:
		said, table = s.spread()
	case s.Grouped && s.Reckoning.Fold == wishes.FoldMean && s.Of != nil && !Quotient(s.Of): // what one of the groups comes to
		said = s.meanOfGroups()
	case s.Grouped && TellsTime(s.Reckoning.By) && !s.Superlative(): // in the order of time
	case s.By != nil: // each row is a group of its own
		if s.Of != nil && s.Fold != wishes.FoldCount {
			s.Fold = words.Either(s.Fold == wishes.FoldLeast, wishes.FoldLeast, wishes.FoldMost)
			if said, table = s.extreme(); s.N == 0 {
				table = s.ranked(s.Rows)
			}
		}
	case s.Part && len(s.Where) > 0:
		said = s.share()
	case s.Of == nil:
	case s.Fold == wishes.FoldSum || s.Fold == wishes.FoldMean:
		said = s.sums(more, what)
	default:
		said, table = s.extreme()
	}
	if said != "" {
		out = append(out, said)
		if how != "" {
			how += words.Say(lang, "，", "; ")
		}
		how += strings.TrimRight(said, "。.")
	}
	told := s.Grouped && s.Reckoning.Fold == wishes.FoldMean && said == "" // by the tool, of all
	if warn := s.cut(more, what); warn != "" && !told {
		out = append(out, warn)
	}
	w := s.W
	if f != s.List {
		w.Asked += strings.ToLower(f.Fields[1].Title) // also where it is the same for all
	}
	return strings.TrimSpace(strings.Join(append(out, w.Table(table, f)), "\n\n")), how
}

// cut says that the figure is one of what was listed, and not of all there is; "" when it is.
func (s *Sheet) cut(more int, what string) string {
	lang := s.W.Lang
	exact := s.Of != nil && s.By == nil && len(s.Where) == 0 && (s.Fold == wishes.FoldMost || s.Fold == wishes.FoldLeast) && (s.Sorted || s.inOrder(s.All))
	switch {
	case more == 0, exact, s.Of == nil && s.By == nil && s.N > 0, s.Fold == wishes.FoldNone && len(s.Where) == 0:
		return ""
	case s.By == nil && len(s.Where) == 0 && s.Fold == wishes.FoldMean && s.Of != nil && s.figure(nil) != nil && more > 0:
		return ""
	case more < 0:
		return words.Say(lang, "注意：只列出了 %d 个，可能还有更多，上面的数只按列出的算。", "Note: only %d are listed and there may be more; the figure is of those listed.", len(s.All))
	}
	return words.Say(lang, "注意：一共 %[1]d 个，只列出了 %[2]d 个，上面的数只按列出的算，不是全部的。", "Note: there are %[1]d and only %[2]d are listed; the figure is of those, not of all.", len(s.All)+more, len(s.All))
}

// First keeps the rows that come first by the figure wanted, all that are equal, of those alone that a change can be made to; false when the rows do not
// tell which these are. many: where it is not said how many, those that a list shows are meant.
func (s *Sheet) First(when fields.Means, lacks string, many bool) bool {
	able := slices.DeleteFunc(slices.Clone(s.Rows), func(row any) bool {
		m, _ := row.(map[string]any)
		return !Allowed(m, when)
	})
	more := s.missing() != 0
	if more && (len(able) == 0 || !s.Sorted && !s.inOrder(s.All)) || lacks != "" || s.By != nil && s.divides(able, s.W.Lang) || s.Of == nil && s.N == 0 && !s.Sorted || s.N == 0 && !many && manyOf.MatchString(s.W.Asked) {
		return false
	}
	n := s.N
	if n == 0 && manyOf.MatchString(s.W.Asked) {
		n = render.MaxRows
	} else if n == 0 && s.Of == nil { // the tool knows the first, and which are equal to it it does not tell
		n = 1
	}
	if s.Of != nil {
		able = s.ranked(able)
		last := max(n, 1)
		for last < len(able) && s.compare(able[last], able[last-1]) == 0 {
			last++
		}
		if s.N > 0 && last > s.N { // which of the last ones are meant, nobody can tell
			s.Rows, s.Tied = able[:last], true
			return false
		}
		n = last
	}
	rows := s.Rows
	if s.Of != nil {
		rows = s.ranked(slices.Clone(rows))
	}
	if len(able) > 0 && !reflect.DeepEqual(rows[0], able[0]) && (s.Of == nil || s.compare(rows[0], able[0]) != 0) {
		s.Passed = rows[0]
	}
	s.Rows = able[:min(n, len(able))]
	return true
}

// Allowed reports whether what a row tells of a thing is what a change needs it to be.
func Allowed(row map[string]any, when fields.Means) bool {
	for k, states := range when {
		if row[k] != nil && !slices.Contains(states, fmt.Sprint(row[k])) {
			return false
		}
	}
	return true
}
