package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// becomes stands before what something shall be; ten digits there are a number, and no id.
var becomes = words.MustCompile(`(?i)(?:[成到为加涨]|\b(?:to|by|at))\s*[¥￥]?\s*$`)

// question asks the user for the missing facts, naming each by its description, in the order in which the tool's card lists them. The first is the one
// the answer is taken for; the others are read from the answer when it holds them.
func (r *round) question(missing []solver.Need) *bus.Ask {
	taker := missing[0].Taker
	missing = slices.DeleteFunc(slices.Clone(missing), func(n solver.Need) bool { return n.Taker != taker })
	slices.SortStableFunc(missing, func(a, b solver.Need) int { return cmp.Compare(a.Field.Turn, b.Field.Turn) })
	first := missing[0]
	ask := &bus.Ask{Kind: bus.Question, Parameter: first.Field.Name, ToolName: first.Taker.Name}
	var names []string
	seen := map[string]bool{}
	for _, n := range missing {
		if !seen[n.Field.Name] {
			seen[n.Field.Name] = true
			name := wanted(r.g.lang, n.Field)
			if least := n.Field.Least; least != nil && slices.ContainsFunc(r.g.facts, func(f facts.Fact) bool { v, ok := f.Value.(facts.Amount); return ok && v.N < *least }) {
				name += words.Say(r.g.lang, "，它不能小于 %v", ", which cannot be below %v", *least)
			} else if n.Field.Most > 0 && slices.ContainsFunc(r.g.facts, func(f facts.Fact) bool {
				v, err := strconv.ParseFloat(f.Text, 64)
				return err == nil && v > float64(n.Field.Most) && (f.Kind == facts.Number || becomes.MatchString(words.Before(r.g.text, f.Start)))
			}) {
				name += words.Say(r.g.lang, "，它不能超过 %d", ", which cannot be above %d", n.Field.Most)
			}
			names = append(names, name)
		}
	}
	if len(names) == 1 { // an answer to more than one question is no option
		ask.Options = first.Field.Enum
	}
	if t := r.target(first.Taker); t != nil {
		known := map[string]any{}
		for k, b := range t.bound {
			known[k] = b.Value
		}
		if len(known) > 0 {
			ask.Arguments = fields.Arguments(known)
		}
	}
	ask.Question = words.Say(r.g.lang, "为了%s，还需要您告诉我：%s。", "To go on with “%s” I need from you: %s.", r.purpose(first.Taker), strings.Join(names, words.Say(r.g.lang, "；", "; ")))
	if one := first.Taker.TakesOne(); one != nil && one.Name == first.Field.Name && !first.Taker.Reads() && (severalHan.MatchString(r.g.text[r.g.fresh:]) || severalEng.MatchString(r.g.text[r.g.fresh:])) {
		ask.Question += r.whichOfAll(one)
	}
	return ask
}

// whichOfAll says how several things are named for a change that was wished for all of them.
func (r *round) whichOfAll(f *fields.Field) string {
	var states []string
	for _, when := range f.When {
		for _, state := range when {
			if len(states) < 3 && !slices.Contains(states, state) {
				states = append(states, words.Either(r.g.lang == "zh", state, r.x.inEnglish(state)))
			}
		}
	}
	slices.Sort(states)
	which := ""
	if states = slices.DeleteFunc(states, func(s string) bool { return s == "" }); len(states) > 0 {
		which = words.Say(r.g.lang, "（只有%s的可以）", " (only such as are %s)", strings.Join(states, words.Say(r.g.lang, "、", " or ")))
	}
	return words.Say(r.g.lang, "不能不看就全部一起改：要改一批，请说清是哪些%s，会先列出来，再一次征求您的同意。", " All of them cannot be changed unseen: to change several, say which%s; they are listed first, and you are asked once for all.", which)
}

// inEnglish is what a state of a card is called in English, as another card tells; "" when none does.
func (x *Index) inEnglish(state string) string {
	for _, e := range x.entries {
		if !e.Reads() {
			continue
		}
		for _, f := range e.Params {
			for _, called := range f.Called[state] {
				if !words.IsHan(words.FirstRune(called)) {
					return called
				}
			}
		}
	}
	return ""
}

// purpose words what the tool is for: what the user wished of it, else what it is called.
func (r *round) purpose(e *cards.Entry) string {
	if t := r.target(e); t != nil && strip(t.clause.Text) != "" {
		return words.Say(r.g.lang, "「%s」", "%s", words.Short(strip(t.clause.Text), 40))
	}
	if t := e.Called(r.g.lang); len([]rune(t)) <= 30 && !strings.Contains(t, "用户") {
		return t
	}
	return words.Say(r.g.lang, "处理这个请求", "this request")
}

// wanted names a parameter with its allowed or known values.
func wanted(lang string, f *fields.Field) string {
	s := f.Within(lang)
	switch {
	case len(f.Enum) > 0:
		s += words.Say(lang, "（可选：%s）", " (one of: %s)", strings.Join(f.Enum[:min(len(f.Enum), 10)], words.Say(lang, "、", ", ")))
	case len(inLanguage(f.Examples, lang)) > 0:
		known := inLanguage(f.Examples, lang)
		s += words.Say(lang, "（例如：%s）", " (for example: %s)", strings.Join(known[:min(len(known), 4)], words.Say(lang, "、", ", ")))
	case len(f.Lengths) == 1:
		s += words.Say(lang, "（%d位）", " (%d digits)", f.Lengths[0])
	}
	return s
}

// meansAll reports whether a change is wished for all that was found: for them, for each of these.
func (r *round) meansAll(t *target) bool {
	return len(t.waits) > 0 && (pointsAt.MatchString(t.clause.Text) || !pointsAtOne.MatchString(t.clause.Text)) || everyOne.MatchString(t.clause.Text)
}

var everyOne = words.MustCompile(`(?i)所有|全部|每[个一]|都|\b(?:all|every|each|both)\b`)

// loose are what the words of a change, and of what finds things for it, are limited to and nothing held to.
func (r *round) loose(t *target) []facts.Fact {
	out := r.unused(t)
	seen := map[*cards.Entry]bool{}
	var add func(taker *cards.Entry)
	add = func(taker *cards.Entry) {
		for _, c := range r.best.Choices {
			if c.Taker != taker || c.Provider == nil || seen[c.Provider] {
				continue
			}
			seen[c.Provider] = true
			for _, d := range r.latest() {
				if s := r.sought(c); s != nil && d.Status == bus.OK && d.Action.ToolName == c.Provider.Name {
					if s.sake == t { // it looks for what the clause of the change says
						out = nil
					}
					_, more := r.picked(c, d)
					out = append(out, more...)
					break
				}
			}
			add(c.Provider)
		}
	}
	add(t.e)
	whose := r.whose(t)
	return slices.DeleteFunc(out, func(f facts.Fact) bool { return r.retold(t, f) || slices.Contains(whose, f.Text) })
}

// which asks the user to choose when a change would be made to several things that a provider found.
func (r *round) which(actions []bus.Action) *bus.Ask {
	for _, t := range r.targets {
		if t.e.Reads() {
			continue
		}
		var mine []bus.Action
		for _, a := range actions {
			if a.ToolName == t.e.Name {
				mine = append(mine, a)
			}
		}
		var loose []string // limits that the provider did not hold to
		equal := ""
		for _, f := range r.loose(t) {
			if n, ok := f.Value.(tied); ok {
				equal = words.Say(r.g.lang, "按「%[1]s」来看，前 %[2]d 个里最后几个是一样的，分不出要的是哪几个。", "By “%[1]s”, %[2]d come first and the last of them are equal, so that nobody can tell which are meant. ", f.Text, int(n))
				continue
			}
			loose = append(loose, words.Say(r.g.lang, "「%s」", "“%s”", f.Text))
		}
		if len(mine) == 0 || len(loose) == 0 && equal == "" && (len(mine) < 2 || r.meansAll(t)) {
			continue
		}
		for _, c := range r.best.Choices {
			if c.Taker != t.e || c.Provider == nil {
				continue
			}
			values, _ := r.observed(c)
			values = r.meant(c, values)
			if by, ok := r.looks[c.Provider]; ok && len(loose) == 0 && len(values) <= namedBy(by) { // each by the user
				continue
			}
			var options []string
			for _, v := range values {
				if !slices.ContainsFunc(r.hindered[t.e], func(h hindered) bool { return h.id == fmt.Sprint(v) }) {
					options = append(options, fmt.Sprint(v))
				}
			}
			note := equal
			if len(loose) > 0 {
				note += words.Say(r.g.lang, "没有按%s筛选。", "Not limited to %s. ", strings.Join(loose, words.Say(r.g.lang, "、", ", ")))
			}
			return &bus.Ask{
				Kind: bus.Question, Parameter: c.Field.Name, ToolName: t.e.Name, Options: options[:min(len(options), 10)],
				Question: note + words.Say(r.g.lang, "找到这些%s，要对哪一个执行「%s」？", "These are the values found for %s; which one shall be used for “%s”?", c.Field.Within(r.g.lang), t.e.Called(r.g.lang)),
			}
		}
	}
	return nil
}
