package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// findNames finds columns and values, the longest first.
func (r *reading) findNames(more map[string]string) {
	type candidate struct {
		text   string
		column *Column
		value  string // "": the column itself
		weight int
	}
	r.around()
	var all []candidate
	for _, c := range r.table.Columns {
		for _, a := range aliases(c, more) {
			all = append(all, candidate{a.text, c, "", a.weight})
			if !isHan(a.text) {
				all = append(all, candidate{plural(a.text), c, "", a.weight})
				if a.text == "delay" { // delayed by more than 30 minutes
					all = append(all, candidate{"delayed", c, "", a.weight})
				}
			}
		}
		if stem, ok := strings.CutSuffix(spelled(c.Name), "ed"); ok && c.kind == textKind && c.yes() != "" { // the cancellation rate is of those cancelled
			for _, end := range []string{"", "e", "al", "ation", "ion", "ment"} {
				all = append(all, candidate{stem + end + " rate", c, "", 4}, candidate{strings.TrimSuffix(stem, "l") + end + " rate", c, "", 4})
			}
		}
		for _, v := range c.distinct {
			text := fold(v)
			if short := reKindBehind.ReplaceAllString(text, ""); short != text && utf8.RuneCountInString(short) > 1 && c.only(short) {
				all = append(all, candidate{short, c, v, 3})
			}
			for _, other := range c.alsoSaid(text) {
				all = append(all, candidate{other, c, v, 3})
			}
			if len(text) == 1 && latin(text[0]) && (text[0] < '0' || text[0] > '9') {
				all = append(all, candidate{text, c, v, 4})
			}
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
			if c.value != "" && len(c.text) == 1 && !r.letter(c.column, at) {
				continue
			}
			if c.value != "" && len(c.text) > 1 && utf8.RuneCountInString(c.text) == 1 && !r.alone(at, end) {
				continue
			}
			r.use(at, end)
			owner[here] = c
			if c.value != "" {
				if m := reBehind.FindString(r.s[end:]); m != "" && isHan(c.text) && r.free(end, end+len(m)) {
					r.use(end, end+len(m))
				}
				r.named = append(r.named, named{c.column, c.value, at, end})
			} else {
				r.mentions = append(r.mentions, mention{c.column, at, end, c.weight})
			}
		}
	}
	slices.SortFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.start, b.start) })
	slices.SortFunc(r.named, func(a, b named) int { return cmp.Compare(a.start, b.start) })
}

// around finds columns of numbers whose name stands around a figure that limits them: 延误超过30分钟 of 延误分钟. Its end is read with it, and gone from the question.
func (r *reading) around() {
	for _, c := range r.table.Columns {
		name := fold(c.Name)
		for at := range name {
			head, tail := name[:at], name[at:]
			if !c.number() || utf8.RuneCountInString(head) < 2 || !isHan(head) || reCalendar.MatchString(tail) { // three years are none of a column of the year
				continue
			}
			for _, start := range places(r.s, head) {
				end := start + len(head)
				m := reLimit.FindString(r.s[end:])
				if from := end + len(m); m != "" && strings.HasPrefix(r.s[from:], tail) && r.free(start, from+len(tail)) {
					r.s = r.s[:from] + strings.Repeat(" ", len(tail)) + r.s[from+len(tail):]
					r.use(start, end)
					r.mentions = append(r.mentions, mention{c, start, end, 5})
				}
			}
		}
	}
}

var reCalendar = regexp.MustCompile(`^(?:年份?|月份?|日期?)$`)

// reLimit is a figure behind a name, with the words for how it limits and without its unit.
var reLimit = func() *regexp.Regexp {
	limits, _, _ := strings.Cut(reBefores.String(), amountPattern)
	return regexp.MustCompile(`^(?:了|时间|时长)?\s*(?:` + limits + `)?` + amountPattern)
}()

// likelier reports whether the first of two columns that a weak word may mean is meant: it comes before a column of numbers that name things.
func (r *reading) likelier(a, b *Column) bool {
	return identity.MatchString(b.Name) && !identity.MatchString(a.Name) || a.number() && !b.number()
}

// alsoSaid are other words for a value, which questions in the other language use.
var alsoSaid = map[string][]string{"男": {"men", "man", "male", "males"}, "女": {"women", "woman", "female", "females"}, "male": {"men", "man", "男"}, "female": {"women", "woman", "女"}}

// sexes: what the letters of a column of sexes stand for.
var sexes = map[string]string{"m": "male", "f": "female"}

// ofSexes is such a column by its name.
var ofSexes = regexp.MustCompile(`(?i)\b(?:sex|gender)\b|性别`)

// alsoSaid are the other words for a value of the column.
func (c *Column) alsoSaid(value string) []string {
	if letter := sexes[value]; letter != "" && ofSexes.MatchString(spelled(c.Name)) {
		return append([]string{letter, plural(letter)}, alsoSaid[letter]...)
	}
	return alsoSaid[value]
}

// reKindBehind is what kind of thing a name is of, which people leave out: 上海仓, 研发部.
var reKindBehind = regexp.MustCompile(`(?:仓库|仓|门店|店|部门|部|事业部|分公司|公司|大区|市|省|站|中心|校区)$`)

// only reports whether a text begins one value of the column, and no other.
func (c *Column) only(text string) bool {
	n := 0
	for _, v := range c.distinct {
		if strings.HasPrefix(fold(v), text) {
			n++
		}
	}
	return n == 1
}

// letter: a value of one Latin letter is one where no word of the language can stand, as behind the name of its column or between.
func (r *reading) letter(c *Column, at int) bool {
	if r.s[at] != 'a' && r.s[at] != 'i' && r.s[at] != 's' && r.s[at] != 't' {
		return true
	}
	before := strings.TrimRight(r.s[:at], " ")
	return reAloneLetter.MatchString(r.s[at+1:]) && r.s[at] != 's' && r.s[at] != 't' ||
		slices.ContainsFunc(aliases(c, nil), func(a alias) bool { return strings.HasSuffix(before, a.text) })
}

// reAloneLetter is what stands behind a letter that is a name: nothing, or what no article has behind it.
var reAloneLetter = regexp.MustCompile(`^\s*(?:$|[?？.。,，)(（）]|\p{Han}|(?:and|or|vs|versus|than|by|per|in|on|make|makes|made|have|has|earns?|sells?|sold)\b)`)

// alone: a value of one sign stands where no word goes on.
func (r *reading) alone(start, end int) bool {
	return r.s[end:] == "" || reAlone.MatchString(r.s[end:])
}

var reAlone = regexp.MustCompile(`^(?:[的性生 、和与比各，。？]|女(?:[的性生 、和与比各，。？]|$)|员工|职员|职工|同事|用户|客户|顾客|会员|学员|占|分别|有多少|有几)`)

// reBehind is what is said behind the name of a place or of a part of a firm, which the table leaves out: 研发部, 上海市.
var reBehind = regexp.MustCompile(`^(?:部门?|市|省|分公司|分部)`)

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
