package figures

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// How what was worked out from rows is worded.

// figure is such a figure; nil when there is none.
func (s *Sheet) figure(named *words.Pattern) *big.Rat {
	for _, k := range fields.Keys(s.Object, s.Result) {
		f := fields.Child(s.Result, k)
		n, isNumber := s.Object[k].(json.Number)
		if f == nil || !isNumber || render.IsTotal(k, f) {
			continue
		}
		about := f.Label("zh") + " " + f.Label("en") + " " + strings.ReplaceAll(f.Name, "_", " ")
		if s.Of != nil && lasting.MatchString(about) && Money.MatchString(s.Of.Label("zh")+" "+s.Of.Label("en")) { // how long they took on average tells nothing of what they cost
			continue
		}
		if named != nil && named.MatchString(about) || named == nil && s.Of != nil && (f.Name == s.Of.Name || f.Shares(s.Of.Label("zh")+" "+s.Of.Label("en")) > 0) {
			return Amount(n)
		}
	}
	return nil
}

// sums words a sum and a mean.
func (s *Sheet) sums(more int, what string) string {
	lang := s.W.Lang
	sum, n := total(s.Rows, s.Of)
	if n == 0 {
		return ""
	}
	if whole := s.figure(nil); more > 0 && len(s.Where) == 0 && s.Fold == wishes.FoldMean && whole != nil {
		sum, n = whole, len(s.All)+more
	}
	mean := new(big.Rat).Quo(sum, new(big.Rat).SetInt64(int64(n)))
	label, unit := s.column()
	if s.Fold == wishes.FoldMean {
		return words.Say(lang, "%[1]d 个%[2]s的%[3]s：平均 %[4]s%[6]s，合计 %[5]s%[6]s。", "%[3]s of %[1]d (%[2]s): %[4]s on average, %[5]s in all.", n, what, label, Decimal(mean), Decimal(sum), unit)
	}
	return words.Say(lang, "%[1]d 个%[2]s的%[3]s：合计 %[5]s%[6]s，平均 %[4]s%[6]s。", "%[3]s of %[1]d (%[2]s): %[5]s in all, %[4]s on average.", n, what, label, Decimal(mean), Decimal(sum), unit)
}

// meanOfGroups words a mean of what groups come to. Their sum is left out: an order of two categories is one of each.
func (s *Sheet) meanOfGroups() string {
	sum, n := total(s.Rows, s.Of)
	if n == 0 || oneDay.MatchString(s.Reckoning.By) && s.tells(ofADay) {
		return ""
	}
	label, unit := s.column()
	said := words.Say(s.W.Lang, "平均每%[6]s%[1]s的%[2]s：%[3]s%[4]s（列出的 %[5]d 个）。", "%[2]s per %[1]s: %[3]s on average (of the %[5]d listed).",
		s.Reckoning.By, label, Decimal(new(big.Rat).Quo(sum, new(big.Rat).SetInt64(int64(n)))), unit, n, words.Either(wholeUnit.MatchString(s.Reckoning.By), "", "个"))
	if cutUnit.MatchString(s.Reckoning.By) {
		said += words.Say(s.W.Lang, "第一个和最后一个可能不完整。", " The first and the last may not be whole.")
	}
	return said
}

var (
	// wholeUnit is counted without a measure word, and cutUnit begins and ends where a period seldom does.
	wholeUnit = words.MustCompile(`^[天日周年]$`)
	// ofADay is a mean that the tool tells of all days, of which it may list some.
	oneDay  = words.MustCompile(`(?i)^(?:天|日|days?)$`)
	ofADay  = words.MustCompile(`(?i)日均|\b(?:a|per) day\b`)
	cutUnit = words.MustCompile(`(?i)^(?:周|星期|礼拜|月|月份|季度?|年|weeks?|months?|quarters?|years?)$`)
)

// column is how the column measured is called, and in what it is measured where a card says so beside the name.
func (s *Sheet) column() (label, unit string) {
	f := s.Of
	if d := strings.TrimSpace(f.Desc); s.W.Lang == "zh" && len([]rune(d)) <= 2 && d != "" && !strings.Contains(f.Label("zh"), d) {
		unit = " " + d
	}
	return f.Label(s.W.Lang), unit
}

// extreme names the rows with the most or least, and keeps only these.
func (s *Sheet) extreme() (said string, rows []any) {
	lang := s.W.Lang
	order := s.ranked(s.Rows)
	if len(order) == 0 {
		return "", s.Rows
	}
	n := s.N
	switch {
	case n == 0 && manyOf.MatchString(s.W.Asked):
		n = render.MaxRows
	case n == 0:
		for n = 1; n < len(order) && s.compare(order[n], order[0]) == 0; n++ {
		}
	}
	rows = order[:min(n, len(order))]
	label, unit := s.column()
	value := s.Of.Said(cellOf(order[0], s.Of), lang)
	if v := Amount(cellOf(order[0], s.Of)); v != nil {
		value = Decimal(v)
	}
	name := s.named(order[0])
	less := words.Either(s.Fold == wishes.FoldLeast, words.Say(lang, "最低", "Lowest"), words.Say(lang, "最高", "Highest"))
	if s.Hint == "date" {
		less = words.Either(s.Fold == wishes.FoldLeast, words.Say(lang, "最早", "Earliest"), words.Say(lang, "最晚", "Latest"))
	}
	said = words.Say(lang, "%[1]s%[2]s的是%[3]s（%[4]s%[5]s）", "%[2]s %[1]s: %[3]s (%[4]s)", label, less, name, value, unit)
	if ties := slices.IndexFunc(order, func(r any) bool { return s.compare(r, order[0]) != 0 }); ties > 1 || ties < 0 && len(order) > 1 {
		if ties < 0 {
			ties = len(order)
		}
		said += words.Say(lang, "，一样的有 %d 个", "; %d are equal", ties)
	}
	return said + words.Say(lang, "。", "."), rows
}

// manyOf: more than one is asked for, and not how many.
var manyOf = words.MustCompile(`(?i)哪[些几]|[那有]些|最.{1,3}的几[个种款件]|\b(?:rank|sort|order)(?:ed)? by\b|排[序名行列]|\b(?:cheapest|dearest|priciest|largest|biggest|highest|lowest|longest|newest|oldest|most expensive) \w+s\b`)

// dayLike: a day, with or without its hour.
var dayLike = words.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// named is what a row is called: its first text that is no id and tells rows apart, and its id.
func (s *Sheet) named(row any) string {
	name, id := "", ""
	for _, c := range s.inPlace() {
		v := c.Said(cellOf(row, c), s.W.Lang)
		switch {
		case s.Grouped && c == s.By:
			name = v
		case v == "" || c == s.Of || c.Type != "string" && c.Type != "" || dayLike.MatchString(v):
		case c.Sort == fields.ID || words.LongNumber.MatchString(v):
			id = words.Either(id == "", v, id)
		case name == "" && !s.shared(c) && GoesFor(c, "状态") < 2:
			name = v
		}
	}
	switch {
	case name == "":
		name = id
	case id != "":
		name += " " + id
	}
	return words.Say(s.W.Lang, " %s ", "%s", words.Short(name, 60))
}

// shared reports whether a column has few values for many rows: a state tells none of them apart.
func (s *Sheet) shared(c *fields.Field) bool {
	values := map[string]bool{}
	for _, r := range s.All {
		values[fields.Scalar(cellOf(r, c), "")] = true
	}
	return len(s.All) >= 6 && len(values)*3 <= len(s.All)
}

// byGroup makes a table of the groups.
func (s *Sheet) byGroup(what string) (said string, rows []any, f *fields.Field) {
	lang := s.W.Lang
	groups := s.groups(s.Rows, lang)
	whole := new(big.Rat)
	for _, g := range groups {
		whole.Add(whole, s.worth(g))
	}
	label := s.W.Label(s.By, s.By.Name)
	if g := grainOf(s.Reckoning.By); s.Grouped || g != nil && !g.time {
		label = s.Reckoning.By
	}
	worth := words.Say(lang, "%s数", "%s", what)
	unit := ""
	if s.Of != nil {
		worth, unit = s.column()
		worth += words.Either(s.Fold == wishes.FoldMean, words.Say(lang, "（平均）", ", mean"), "")
	}
	f = &fields.Field{Fields: []fields.Field{{Name: "group", Title: label, TitleEn: label, Place: 0}, {Name: "worth", Title: worth, TitleEn: worth, Place: 1}, {Name: "share", Title: "占比", TitleEn: "Share", Place: 2}}}
	shown := groups
	if s.N > 0 {
		shown = groups[:min(s.N, len(groups))]
	}
	for _, g := range shown {
		row := map[string]any{"group": words.Either(g.label == "", words.Say(lang, "（没有）", "(none)"), g.label), "worth": Decimal(s.worth(g))}
		if s.Part && whole.Sign() > 0 {
			row["share"] = Percent(s.worth(g), whole)
		}
		rows = append(rows, row)
	}
	first := groups[0]
	most := words.Either(s.Fold == wishes.FoldLeast, words.Say(lang, "最少", "the least"), words.Say(lang, "最多", "the most"))
	said = words.Say(lang, "按%[1]s分，%[2]s%[3]s的是 %[4]s（%[5]s%[6]s）", "By %[1]s, %[3]s %[2]s: %[4]s (%[5]s)", label, worth, most, first.label, Decimal(s.worth(first)), unit)
	if len(groups) > 1 && s.worth(groups[1]).Cmp(s.worth(first)) == 0 {
		n := slices.IndexFunc(groups, func(g grouped) bool { return s.worth(g).Cmp(s.worth(first)) != 0 })
		if n < 0 {
			n = len(groups)
		}
		said += words.Say(lang, "，一样的有 %d 个", "; %d are equal", n)
	}
	return said + words.Say(lang, "。", "."), rows, f
}

// share is what part of all listed the picked rows are.
func (s *Sheet) share() string {
	lang := s.W.Lang
	part, whole := new(big.Rat).SetInt64(int64(len(s.Rows))), new(big.Rat).SetInt64(int64(len(s.All)))
	if s.Of != nil {
		part, _ = total(s.Rows, s.Of)
		whole, _ = total(s.All, s.Of)
	}
	if whole.Sign() == 0 {
		return ""
	}
	return words.Say(lang, "占 %s。", "That is %s.", Percent(part, whole))
}

// Decimal writes a number with at most two decimals, and commas in what is long.
func Decimal(n *big.Rat) string {
	s := n.FloatString(2)
	whole, rest, _ := strings.Cut(strings.TrimSuffix(strings.TrimRight(s, "0"), "."), ".")
	if whole = Thousands(whole); rest != "" {
		whole += "." + rest
	}
	return whole
}

// Thousands puts commas in the digits of a whole number, which may have a sign.
func Thousands(whole string) string {
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return sign + whole
}

// Percent writes what part one number is of another.
func Percent(part, whole *big.Rat) string {
	n := new(big.Rat).Quo(part, whole)
	s := n.Mul(n, new(big.Rat).SetInt64(100)).FloatString(1)
	return strings.TrimSuffix(s, ".0") + "%"
}
