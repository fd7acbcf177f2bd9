package plan

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// How what was worked out from rows is worded.

// figure is such a figure; nil when there is none.
func (s *sheet) figure(named *regexp.Regexp) *big.Rat {
	for _, k := range keys(s.object, s.result) {
		f := child(s.result, k)
		n, isNumber := s.object[k].(json.Number)
		if f == nil || !isNumber || isTotal(k, f) {
			continue
		}
		about := f.label("zh") + " " + f.label("en") + " " + strings.ReplaceAll(f.Name, "_", " ")
		if named != nil && named.MatchString(about) || named == nil && s.of != nil && (f.Name == s.of.Name || f.shares(s.of.label("zh")+" "+s.of.label("en")) > 0) {
			return amountOf(n)
		}
	}
	return nil
}

// sums words a sum and a mean.
func (s *sheet) sums(more int, what string) string {
	lang := s.w.lang
	sum, n := total(s.rows, s.of)
	if n == 0 {
		return ""
	}
	if whole := s.figure(nil); more > 0 && len(s.where) == 0 && s.fold == foldMean && whole != nil {
		sum, n = whole, len(s.all)+more
	}
	mean := new(big.Rat).Quo(sum, new(big.Rat).SetInt64(int64(n)))
	label, unit := s.column()
	if s.fold == foldMean {
		return say(lang, "%[1]d 个%[2]s的%[3]s：平均 %[4]s%[6]s，合计 %[5]s%[6]s。", "%[3]s of %[1]d (%[2]s): %[4]s on average, %[5]s in all.", n, what, label, figure(mean), figure(sum), unit)
	}
	return say(lang, "%[1]d 个%[2]s的%[3]s：合计 %[5]s%[6]s，平均 %[4]s%[6]s。", "%[3]s of %[1]d (%[2]s): %[5]s in all, %[4]s on average.", n, what, label, figure(mean), figure(sum), unit)
}

// column is how the column measured is called, and in what it is measured where a card says so beside the name.
func (s *sheet) column() (label, unit string) {
	f := s.of
	if d := strings.TrimSpace(f.Desc); s.w.lang == "zh" && len([]rune(d)) <= 2 && d != "" && !strings.Contains(f.label("zh"), d) {
		unit = " " + d
	}
	return f.label(s.w.lang), unit
}

// extreme names the rows with the most or least, and keeps only these.
func (s *sheet) extreme() (said string, rows []any) {
	lang := s.w.lang
	order := s.ranked(s.rows)
	if len(order) == 0 {
		return "", s.rows
	}
	n := s.n
	switch {
	case n == 0 && manyOf.MatchString(s.w.asked):
		n = maxRows
	case n == 0:
		for n = 1; n < len(order) && s.compare(order[n], order[0]) == 0; n++ {
		}
	}
	rows = order[:min(n, len(order))]
	label, unit := s.column()
	value := scalar(cellOf(order[0], s.of), lang)
	if v := amountOf(cellOf(order[0], s.of)); v != nil {
		value = figure(v)
	}
	name := s.named(order[0])
	less := ifText(s.fold == foldLeast, say(lang, "最低", "Lowest"), say(lang, "最高", "Highest"))
	if s.hint == "date" {
		less = ifText(s.fold == foldLeast, say(lang, "最早", "Earliest"), say(lang, "最晚", "Latest"))
	}
	said = say(lang, "%[1]s%[2]s的是%[3]s（%[4]s%[5]s）", "%[2]s %[1]s: %[3]s (%[4]s)", label, less, name, value, unit)
	if ties := slices.IndexFunc(order, func(r any) bool { return s.compare(r, order[0]) != 0 }); ties > 1 || ties < 0 && len(order) > 1 {
		if ties < 0 {
			ties = len(order)
		}
		said += say(lang, "，一样的有 %d 个", "; %d are equal", ties)
	}
	return said + say(lang, "。", "."), rows
}

// manyOf: more than one is asked for, and not how many.
var manyOf = regexp.MustCompile(`(?i)哪[些几]|[那有]些|最.{1,3}的几[个种款件]|\b(?:rank|sort|order)(?:ed)? by\b|排[序名行列]|\b(?:cheapest|dearest|priciest|largest|biggest|highest|lowest|longest|newest|oldest|most expensive) \w+s\b`)

// dayLike: a day, with or without its hour.
var dayLike = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// named is what a row is called: its first text that is no id and tells rows apart, and its id.
func (s *sheet) named(row any) string {
	name, id := "", ""
	for _, c := range s.inPlace() {
		v := scalar(cellOf(row, c), s.w.lang)
		switch {
		case s.grouped && c == s.by:
			name = v
		case v == "" || c == s.of || c.Type != "string" && c.Type != "" || dayLike.MatchString(v):
		case c.Sort == sortID || longNumber.MatchString(v):
			id = ifText(id == "", v, id)
		case name == "" && !s.shared(c) && c.goesFor("状态") < 2:
			name = v
		}
	}
	switch {
	case name == "":
		name = id
	case id != "":
		name += " " + id
	}
	return say(s.w.lang, " %s ", "%s", short(name, 60))
}

// shared reports whether a column has few values for many rows: a state tells none of them apart.
func (s *sheet) shared(c *field) bool {
	values := map[string]bool{}
	for _, r := range s.all {
		values[scalar(cellOf(r, c), "")] = true
	}
	return len(s.all) >= 6 && len(values)*3 <= len(s.all)
}

// byGroup makes a table of the groups.
func (s *sheet) byGroup(what string) (said string, rows []any, f *field) {
	lang := s.w.lang
	groups := s.groups(s.rows, lang)
	whole := new(big.Rat)
	for _, g := range groups {
		whole.Add(whole, s.worth(g))
	}
	label := s.w.label(s.by, s.by.Name)
	if g := grainOf(s.reckoning.by); s.grouped || g != nil && !g.time {
		label = s.reckoning.by
	}
	worth := say(lang, "%s数", "%s", what)
	unit := ""
	if s.of != nil {
		worth, unit = s.column()
		worth += ifText(s.fold == foldMean, say(lang, "（平均）", ", mean"), "")
	}
	f = &field{Fields: []field{{Name: "group", Title: label, TitleEn: label, Place: 0}, {Name: "worth", Title: worth, TitleEn: worth, Place: 1}, {Name: "share", Title: "占比", TitleEn: "Share", Place: 2}}}
	shown := groups
	if s.n > 0 {
		shown = groups[:min(s.n, len(groups))]
	}
	for _, g := range shown {
		row := map[string]any{"group": ifText(g.label == "", say(lang, "（没有）", "(none)"), g.label), "worth": figure(s.worth(g))}
		if s.part && whole.Sign() > 0 {
			row["share"] = percent(s.worth(g), whole)
		}
		rows = append(rows, row)
	}
	first := groups[0]
	most := ifText(s.fold == foldLeast, say(lang, "最少", "the least"), say(lang, "最多", "the most"))
	said = say(lang, "按%[1]s分，%[2]s%[3]s的是 %[4]s（%[5]s%[6]s）", "By %[1]s, %[3]s %[2]s: %[4]s (%[5]s)", label, worth, most, first.label, figure(s.worth(first)), unit)
	if len(groups) > 1 && s.worth(groups[1]).Cmp(s.worth(first)) == 0 {
		n := slices.IndexFunc(groups, func(g grouped) bool { return s.worth(g).Cmp(s.worth(first)) != 0 })
		if n < 0 {
			n = len(groups)
		}
		said += say(lang, "，一样的有 %d 个", "; %d are equal", n)
	}
	return said + say(lang, "。", "."), rows, f
}

// share is what part of all listed the picked rows are.
func (s *sheet) share() string {
	lang := s.w.lang
	part, whole := new(big.Rat).SetInt64(int64(len(s.rows))), new(big.Rat).SetInt64(int64(len(s.all)))
	if s.of != nil {
		part, _ = total(s.rows, s.of)
		whole, _ = total(s.all, s.of)
	}
	if whole.Sign() == 0 {
		return ""
	}
	return say(lang, "占 %s。", "That is %s.", percent(part, whole))
}

// figure writes a number with at most two decimals, and commas in what is long.
func figure(n *big.Rat) string {
	s := n.FloatString(2)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	whole, rest, _ := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	return sign + whole
}

// percent writes what part one number is of another.
func percent(part, whole *big.Rat) string {
	n := new(big.Rat).Quo(part, whole)
	s := n.Mul(n, new(big.Rat).SetInt64(100)).FloatString(1)
	return strings.TrimSuffix(s, ".0") + "%"
}
