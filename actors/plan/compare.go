package plan

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

var (
	yearAgo  = words.MustCompile(`(?i)同比|\b(?:year[- ](?:on|over)[- ]year|YoY)\b`)
	monthAgo = words.MustCompile(`(?i)\b(?:month[- ](?:on|over)[- ]month|MoM)\b`)
	stepAgo  = words.MustCompile(`环比`)
	// heldBeside is 和上个月的订单数比: what stands between is what is compared, or one of the two.
	heldBeside = words.MustCompile(`[和跟与同]([^，。；,;]{0,8})比(?:起来|一下|较)?`)
	// grew asks by how much a figure became more or less, and names none; grewBy is how it is asked of one stretch of time alone: 上个月增长了多少.
	grew   = words.MustCompile(`(?i)(?:增长|增加|上涨|上升|下降|下滑|减少|增幅|涨幅|降幅|幅度|(?:[涨跌降升多少高低][了出]?(?:多少|几成|百分之几|没有?)))(?:了|出|率|幅度)?(?:百分之)?(?:多少|几成?|没有?)?|(?:变|更)[好差多少高低](?:了|还是)*|\b(?:gr(?:ow|ew|own|owth|owing)|increas(?:e|ed|es|ing)|decreas(?:e|ed|es|ing)|declin(?:e|ed|es|ing)|dropped|shrunk|shrank|fallen|changed?|up or down|better or worse|more or less|percent|per cent)\b`)
	grewBy = words.MustCompile(`(?i)增长|增幅|涨幅|\bgr(?:ow|ew|own|owth)\b`)
)

// lastYear ends what a period is held against: with last year, 和去年.
var lastYear = words.MustCompile(`(?i)(?:去年|上一?年|\blast year)$`)

// oneBefore is the month or week before the one that is spoken of, and no month up to today: 上个月和前一个月比.
var oneBefore = words.MustCompile(`(?:前|之前|往前|再前)(?:面)?的?那?一个?(?:月|周|星期|礼拜|季度?|年|天)$`)

// theShop as a whole: of it nothing else can be meant than how business was.
var theShop = words.MustCompile(`(?i)我们?的?(?:网?店铺?|生意)|本店|店铺?里?|\b(?:my|our|the) (?:shop|store|business)\b`)

// onlyGrew reports whether a run of words says that something grew and names no more than a kind of thing: 客户增长.
func onlyGrew(text string) bool {
	rest := strings.TrimSpace(grew.ReplaceAllString(text, ""))
	return rest != text && (rest == "" || len(words.AlsoCalled(rest)) > 1)
}

// ranksGrowth reports whether a clause asks which of several grew most, or how each did, which is not worked out.
func ranksGrowth(c wishes.Clause) bool {
	return grewBy.MatchString(c.Text) && (c.Figure.By != "" || c.Figure.Superlative())
}

// twoPeriods finds the two stretches of time that a clause wants compared, each with its words; ok is false when it does not. other is the fact that says the
// second one, or that there is one.
func (g *goal) twoPeriods(c wishes.Clause) (base facts.Fact, second facts.Period, other facts.Fact, ok bool) {
	var days []facts.Fact
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		switch p, isPeriod := f.Value.(facts.Period); {
		case f.From != "":
		case f.Kind == facts.Date && isPeriod:
			days = append(days, f)
		case f.Kind == facts.Compare && isPeriod:
			second, other, ok = p, f, true
		case f.Kind == facts.Compare && !ok:
			other = f
		}
	}
	if len(days) == 0 || days[0].Value.(facts.Period).Open || days[0].Value.(facts.Period).Until {
		return facts.Fact{}, facts.Period{}, facts.Fact{}, false
	}
	base = days[0]
	first := base.Value.(facts.Period)
	text := g.text[c.Start:min(c.End, len(g.text))]
	switch {
	case ok && oneBefore.MatchString(other.Text):
		second = first.Previous()
	case !ok && len(days) == 2 && oneBefore.MatchString(days[1].Text) && facts.CompareWord.MatchString(text):
		return base, first.Previous(), days[1], true
	case ok && facts.SamePeriod(other.Text):
		second = first.Same(other.Text, g.now)
	case ok && lastYear.MatchString(other.Text) && first.Days() < 360: // Singles' Day is not held against twelve months
		second = first.Ago(12)
	case ok:
	case len(days) == 2 && facts.SamePeriod(days[0].Text):
		return days[1], days[1].Value.(facts.Period).Same(days[0].Text, g.now), days[0], true
	case len(days) == 2 && facts.SamePeriod(days[1].Text):
		return base, first.Same(days[1].Text, g.now), days[1], true
	case len(days) == 2 && facts.CompareWord.MatchString(text) && aYear.MatchString(days[1].Text) && first.Days() < 360:
		return base, first.Ago(12), days[1], true
	case len(days) == 2 && facts.CompareWord.MatchString(text) && aYear.MatchString(base.Text) && days[1].Value.(facts.Period).Days() < 360:
		return days[1], days[1].Value.(facts.Period).Ago(12), base, true
	case len(days) == 2 && (facts.CompareWord.MatchString(text) || setsAgainst.MatchString(text) && sideBySide.MatchString(g.text[days[0].End:days[1].Start])):
		return base, days[1].Value.(facts.Period), days[1], true
	case yearAgo.MatchString(text):
		second, ok = first.Ago(12), true
	case monthAgo.MatchString(text):
		second, ok = first.Ago(1), true
	case stepAgo.MatchString(text), facts.BeforeIt.MatchString(text), grewBy.MatchString(text) && !ranksGrowth(c) && other.Text == "" && !first.From.After(g.now):
		second, ok = first.Previous(), true
	}
	return base, second, other, ok && len(days) == 1
}

// uncompared is what a clause is about, without the words that hold two stretches of time against each other. Who says nothing else asks how business was.
func (g *goal) uncompared(c wishes.Clause, about string) string {
	_, _, other, ok := g.twoPeriods(c)
	if !ok {
		return about
	}
	about = heldBeside.ReplaceAllString(strings.Replace(about, other.Text, " ", 1), " $1 ")
	about = grew.ReplaceAllString(facts.CompareWord.ReplaceAllString(about, " "), " ")
	if len(words.Content(theShop.ReplaceAllString(about, " "))) == 0 {
		about += words.Say(words.Language(g.text), " 销售额", " sales")
	}
	return about
}

// hold binds the arguments of the targets that compare two periods, two things, or a part with the whole: those of the first, and those of the second
// beside them.
func (r *round) hold() {
	g := &r.g
	for _, t := range r.targets {
		if t.e.IsAgent() || !t.e.Reads() || t.e.Knowledge() {
			continue
		}
		base, second, other, ok := g.twoPeriods(t.clause)
		if !ok && !t.e.OfFiles() { // which is given the whole question
			r.holdThings(t)
			r.holdWhole(t)
		}
		if !ok {
			continue
		}
		only := func(p facts.Period, words string) map[string]fields.Binding {
			alone := *g
			alone.facts = nil
			for _, f := range g.facts {
				switch {
				case f.Start == base.Start:
					f.Text, f.Value = words, p
				case f.Start == other.Start && f.End == other.End && f.Kind == facts.Date:
					f.Kind = facts.Compare // its words stay read, and name nothing
				}
				alone.facts = append(alone.facts, f)
			}
			return r.x.bind(t.e, &alone, t.clause)
		}
		now, then := only(base.Value.(facts.Period), base.Text), map[string]fields.Binding{}
		for name, b := range only(second, second.InDays(g.lang)) {
			if b.Why == facts.KindNames[facts.Date] {
				then[name] = b
			}
		}
		for name, b := range now {
			if b.Why != facts.KindNames[facts.Date] {
				then[name] = b
			}
		}
		if string(argumentsOf(now)) == string(argumentsOf(then)) {
			continue // it takes no days
		}
		t.bound, t.against, t.other = now, then, other
	}
}

// against adds the arguments of the second period to those of the first.
func (r *round) against(t *target, calls []map[string]any) []map[string]any {
	if t == nil || t.against == nil {
		return calls
	}
	then := map[string]any{}
	for name, b := range t.against {
		then[name] = b.Value
	}
	return append(calls, then)
}

// compared says how the figures of the two calls of each comparison differ; "" when there is none, or one of them failed.
func (r *round) compared(calls []Done) string {
	var out []string
	for _, t := range r.targets {
		if t.against == nil {
			continue
		}
		var two [2]map[string]any
		for i, bs := range []map[string]fields.Binding{t.bound, t.against} {
			wanted := key(bus.Action{ToolName: t.e.Name, Parameter: argumentsOf(bs)})
			for _, d := range calls {
				if m, ok := objectIn(d.Observation); ok && d.Status == bus.OK && key(d.Action) == wanted {
					two[i] = m
				}
			}
		}
		if two[0] == nil || two[1] == nil {
			continue
		}
		differ := r.differences
		if t.heads[0] != "" {
			differ, t.told = r.beside, true
			if line := r.ignored(t, true, nil); line != "" {
				out = append(out, line)
			}
		}
		if text := differ(t, two[0], two[1]); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// differences makes a table of the figures that two observations of one tool share, those that the request names in a sentence before it.
func (r *round) differences(t *target, now, then map[string]any) string {
	lang := r.g.lang
	base, second, _, _ := r.g.twoPeriods(t.clause)
	w := render.Writer{Lang: lang, Asked: strings.ToLower(r.g.text)}
	first, before := base.Value.(facts.Period), second
	called := base.Text
	if before.From.After(first.From) { // May and June: the later one is the one that changed
		called = before.InDays(lang)
		first, before, now, then = before, first, then, now
	}
	heads := []string{first.InDays(lang), before.InDays(lang), words.Say(lang, "差", "Difference"), words.Say(lang, "变化", "Change")}
	f := &fields.Field{Fields: []fields.Field{{Name: "what", Title: words.Say(lang, "项目", "Item"), Place: 0}}}
	f.Fields[0].TitleEn = f.Fields[0].Title
	for i, h := range heads {
		f.Fields = append(f.Fields, fields.Field{Name: string(rune('a' + i)), Title: h, TitleEn: h, Place: i + 1})
		w.Asked += strings.ToLower(h)
	}
	var rows []any
	var said []string
	brought, uneven := "", "" // what was sold, where nothing else is asked for; that the periods are not alike
	most := 0
	for _, k := range fields.Keys(now, &t.e.Result) {
		c := fields.Child(&t.e.Result, k)
		a, b := figures.Amount(now[k]), figures.Amount(then[k])
		if _, number := now[k].(json.Number); c == nil || !number || a == nil || b == nil || c.Sort == fields.ID {
			continue
		}
		d := new(big.Rat).Sub(a, b)
		change := "—"
		if b.Sign() != 0 {
			change = withSign(d, figures.Percent(d, new(big.Rat).Abs(b)))
		}
		label := c.Label(lang)
		rows = append(rows, map[string]any{"what": label, "a": figures.Decimal(a), "b": figures.Decimal(b), "c": withSign(d, figures.Decimal(d)), "d": change})
		stands := words.Say(lang, "%[1]s：%[2]s，之前 %[3]s，差 %[4]s（%[5]s）", "%[1]s: %[2]s, before %[3]s, difference %[4]s (%[5]s)", label, figures.Decimal(a), figures.Decimal(b), withSign(d, figures.Decimal(d)), change)
		switch about := c.Label("zh") + " " + c.Label("en"); {
		case brought == "" && figures.SoldFor.MatchString(about):
			brought = stands
		case daysLong.MatchString(c.Label(lang)) && b.Sign() > 0 && new(big.Rat).Abs(d).Cmp(new(big.Rat).Quo(b, big.NewRat(10, 1))) > 0:
			uneven = words.Say(lang, "注意：两段时间的天数不同（%[1]s 天与 %[2]s 天），每天的数才好相比。", "Note: the two periods are of %[1]s and %[2]s days; compare what is told for a day.", figures.Decimal(a), figures.Decimal(b)) + "\n\n"
		}
		if n := c.Shares(t.clause.Text); n > 0 && n >= most {
			if n > most {
				said, most = nil, n
			}
			said = append(said, stands)
		}
	}
	if len(rows) == 0 {
		return words.Say(lang, "两段时间的结果里没有可以相比的数。", "The results of the two periods hold no figures to compare.")
	}
	if len(said) == 0 && brought != "" {
		said = []string{brought}
	}
	text := ""
	if len(said) > 0 && len(said) <= 3 {
		text = strings.Join(said, words.Say(lang, "；", "; ")) + words.Say(lang, "。", ".") + "\n\n"
	}
	if !first.To.Before(facts.Day(r.g.now)) && before.To.Before(first.From) && int(first.To.Sub(first.From)) > 0 && r.g.now.Before(first.To) {
		text += words.Say(lang, "注意：%s还没有过完。", "Note: %s is not over yet.", called) + "\n\n"
	}
	return text + uneven + strings.TrimSpace(w.Table(rows, f))
}

// daysLong is the name of a figure that tells how many days another one is of.
var daysLong = words.MustCompile(`(?i)^(?:天数|days)$`)

// withSign puts a plus before what grew.
func withSign(n *big.Rat, s string) string {
	if n.Sign() > 0 {
		return "+" + s
	}
	return s
}
