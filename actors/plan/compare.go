package plan

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Two stretches of time compared: the same tool is called for each, and the answer says by how much its figures differ. The second one is said (本月比上月), left
// out ("this week vs last"), or follows from a word (环比, year on year).

var (
	// compareWord: of two periods the figures are to be held against each other.
	compareWord = regexp.MustCompile(`(?i)对比|相比|比较|比一比|差[多几了异距]|变化|[和跟与同][^，。；,;]{0,8}比(?:起来|一下)?|\b(?:compar(?:e|ed|ing|ison)|versus|vs|differences?|against)\b`)
	// beforeIt: the one before, without its name.
	beforeIt = hinted{regexp.MustCompile(`(?i)(?:\b(?:compared (?:to|with)|than|versus|vs\.?|against)\s+(?:the )?(?:last|previous|prior)(?: one| period)?\b|(?:比|较|对比|相比)(?:上|前)一?期)`), []string{"last", "previous", "prior"}}
	yearAgo  = regexp.MustCompile(`(?i)同比|\b(?:year[- ]on[- ]year|YoY)\b`)
	monthAgo = regexp.MustCompile(`(?i)\b(?:month[- ]on[- ]month|MoM)\b`)
	stepAgo  = regexp.MustCompile(`环比`)
)

// previous is the stretch before one, as long as it, or the calendar's where it is a whole week, month, quarter or year.
func (p period) previous() period {
	for _, of := range []unit{weekOf, monthOf, quarterOf, yearOf} {
		if whole := of(p.From, 0); whole.From.Equal(p.From) && whole.To.Equal(p.To) {
			return of(p.From, -1)
		}
	}
	days := int(p.To.Sub(p.From).Hours()/24+0.5) + 1
	return period{From: p.From.AddDate(0, 0, -days), To: p.From.AddDate(0, 0, -1)}
}

// ago is the same stretch some months before; of a whole month the whole one.
func (p period) ago(months int) period {
	if whole := monthOf(p.From, 0); whole.From.Equal(p.From) && whole.To.Equal(p.To) {
		return monthOf(p.From, -months)
	}
	return period{From: p.From.AddDate(0, -months, 0), To: p.To.AddDate(0, -months, 0)}
}

// twoPeriods finds the two stretches of time that a clause wants compared, each with its words; ok is false when it does not. other is the fact that says the
// second one, or that there is one.
func (g *goal) twoPeriods(c clause) (base fact, second period, other fact, ok bool) {
	var days []fact
	for _, f := range within(g.facts, c.start, c.end) {
		switch p, isPeriod := f.value.(period); {
		case f.from != "":
		case f.kind == factDate && isPeriod:
			days = append(days, f)
		case f.kind == factCompare && isPeriod:
			second, other, ok = p, f, true
		case f.kind == factCompare && !ok:
			other = f
		}
	}
	if len(days) == 0 || days[0].value.(period).Open {
		return fact{}, period{}, fact{}, false
	}
	base = days[0]
	first := base.value.(period)
	text := g.text[c.start:min(c.end, len(g.text))]
	switch {
	case ok:
	case len(days) == 2 && compareWord.MatchString(text):
		return base, days[1].value.(period), days[1], true
	case yearAgo.MatchString(text):
		second, ok = first.ago(12), true
	case monthAgo.MatchString(text):
		second, ok = first.ago(1), true
	case stepAgo.MatchString(text), beforeIt.MatchString(text):
		second, ok = first.previous(), true
	}
	return base, second, other, ok && len(days) == 1
}

// uncompared is what a clause is about, without the words that hold two stretches of time against each other. Who says nothing else asks how business was.
func (g *goal) uncompared(c clause, about string) string {
	_, _, other, ok := g.twoPeriods(c)
	if !ok {
		return about
	}
	about = compareWord.ReplaceAllString(strings.Replace(about, other.text, " ", 1), " ")
	if len(content(about)) == 0 {
		about += say(language(g.text), " 销售额", " sales")
	}
	return about
}

// inDays writes a stretch of time for a parameter that takes words.
func (p period) inDays(lang string) string {
	if p.From.Equal(p.To) {
		return p.From.Format(time.DateOnly)
	}
	return p.From.Format(time.DateOnly) + say(lang, " 至 ", " to ") + p.To.Format(time.DateOnly)
}

// hold binds the arguments of the targets that compare two periods: those of the first, and those of the second beside them.
func (r *round) hold() {
	g := &r.g
	for _, t := range r.targets {
		base, second, other, ok := g.twoPeriods(t.clause)
		if !ok || t.e.IsAgent() || !t.e.reads() || t.e.knowledge() {
			continue
		}
		only := func(p period, words string) map[string]binding {
			alone := *g
			alone.facts = nil
			for _, f := range g.facts {
				switch {
				case f.start == base.start:
					f.text, f.value = words, p
				case f.start == other.start && f.end == other.end && f.kind == factDate:
					continue
				}
				alone.facts = append(alone.facts, f)
			}
			return r.x.bind(t.e, &alone, t.clause)
		}
		now, then := only(base.value.(period), base.text), map[string]binding{}
		for name, b := range only(second, second.inDays(g.lang)) {
			if b.why == factNames[factDate] {
				then[name] = b
			}
		}
		for name, b := range now {
			if b.why != factNames[factDate] {
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
		then[name] = b.value
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
		for i, bs := range []map[string]binding{t.bound, t.against} {
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
		if text := r.differences(t, two[0], two[1]); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n\n")
}

// differences makes a table of the figures that two observations of one tool share, those that the request names in a sentence before it.
func (r *round) differences(t *target, now, then map[string]any) string {
	lang := r.g.lang
	base, second, _, _ := r.g.twoPeriods(t.clause)
	w := writer{lang: lang, asked: strings.ToLower(r.g.text)}
	first, before := base.value.(period), second
	if before.From.After(first.From) { // May and June: the later one is the one that changed
		first, before, now, then = before, first, then, now
	}
	heads := []string{first.inDays(lang), before.inDays(lang), say(lang, "差", "Difference"), say(lang, "变化", "Change")}
	f := &field{Fields: []field{{Name: "what", Title: say(lang, "项目", "Item"), Place: 0}}}
	f.Fields[0].TitleEn = f.Fields[0].Title
	for i, h := range heads {
		f.Fields = append(f.Fields, field{Name: string(rune('a' + i)), Title: h, TitleEn: h, Place: i + 1})
		w.asked += strings.ToLower(h)
	}
	var rows []any
	var said []string
	most := 0
	for _, k := range keys(now, &t.e.result) {
		c := child(&t.e.result, k)
		a, b := amountOf(now[k]), amountOf(then[k])
		if _, number := now[k].(json.Number); c == nil || !number || a == nil || b == nil || c.Sort == sortID {
			continue
		}
		d := new(big.Rat).Sub(a, b)
		change := "—"
		if b.Sign() != 0 {
			change = withSign(d, percent(d, new(big.Rat).Abs(b)))
		}
		label := c.label(lang)
		rows = append(rows, map[string]any{"what": label, "a": figure(a), "b": figure(b), "c": withSign(d, figure(d)), "d": change})
		if n := c.shares(t.clause.text); n > 0 && n >= most {
			if n > most {
				said, most = nil, n
			}
			said = append(said, say(lang, "%[1]s：%[2]s，之前 %[3]s，差 %[4]s（%[5]s）", "%[1]s: %[2]s, before %[3]s, difference %[4]s (%[5]s)", label, figure(a), figure(b), withSign(d, figure(d)), change))
		}
	}
	if len(rows) == 0 {
		return say(lang, "两段时间的结果里没有可以相比的数。", "The results of the two periods hold no figures to compare.")
	}
	text := ""
	if len(said) > 0 && len(said) <= 3 {
		text = strings.Join(said, say(lang, "；", "; ")) + say(lang, "。", ".") + "\n\n"
	}
	if !first.To.Before(day(r.g.now)) && before.To.Before(first.From) && int(first.To.Sub(first.From)) > 0 && r.g.now.Before(first.To) {
		text += say(lang, "注意：%s还没有过完。", "Note: %s is not over yet.", base.text) + "\n\n"
	}
	return text + strings.TrimSpace(w.table(rows, f))
}

// withSign puts a plus before what grew.
func withSign(n *big.Rat, s string) string {
	if n.Sign() > 0 {
		return "+" + s
	}
	return s
}
