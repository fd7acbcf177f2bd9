package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// question asks the user for the missing facts, naming each by its description. The first is the one the answer is taken
// for; the others are read from the answer when it holds them.
func (r *round) question(missing []need) *bus.Ask {
	first := missing[0]
	ask := &bus.Ask{Kind: bus.Question, Parameter: first.field.Name, ToolName: first.taker.Name}
	var names []string
	seen := map[string]bool{}
	for _, n := range missing {
		if n.taker == first.taker && !seen[n.field.Name] {
			seen[n.field.Name] = true
			names = append(names, wanted(r.g.lang, n.field))
		}
	}
	if len(names) == 1 { // an answer to more than one question is no option
		ask.Options = first.field.Enum
	}
	if t := r.target(first.taker); t != nil {
		known := map[string]any{}
		for k, b := range t.bound {
			known[k] = b.value
		}
		if len(known) > 0 {
			ask.Arguments = arguments(known)
		}
	}
	ask.Question = say(r.g.lang, "为了%s，还需要您告诉我：%s。", "To go on with “%s” I need from you: %s.", r.purpose(first.taker), strings.Join(names, say(r.g.lang, "；", "; ")))
	return ask
}

// purpose words what the tool is for: what the user wished of it, else what it is called.
func (r *round) purpose(e *entry) string {
	if t := r.target(e); t != nil && strip(t.clause.text) != "" {
		return say(r.g.lang, "「%s」", "%s", short(strip(t.clause.text), 40))
	}
	if t := e.called(r.g.lang); len([]rune(t)) <= 30 && !strings.Contains(t, "用户") {
		return t
	}
	return say(r.g.lang, "处理这个请求", "this request")
}

// wanted names a parameter with its allowed or known values.
func wanted(lang string, f *field) string {
	s := f.label(lang)
	switch {
	case len(f.Enum) > 0:
		s += say(lang, "（可选：%s）", " (one of: %s)", strings.Join(f.Enum[:min(len(f.Enum), 10)], say(lang, "、", ", ")))
	case len(f.Examples) > 0:
		s += say(lang, "（例如：%s）", " (for example: %s)", strings.Join(f.Examples[:min(len(f.Examples), 4)], say(lang, "、", ", ")))
	case len(f.Lengths) == 1:
		s += say(lang, "（%d位）", " (%d digits)", f.Lengths[0])
	}
	return s
}

// meansAll reports whether a change is wished for all that was found: for them, for each of these.
func (r *round) meansAll(t *target) bool {
	return len(t.waits) > 0 && (pointsAt.MatchString(t.clause.text) || !pointsAtOne.MatchString(t.clause.text)) || everyOne.MatchString(t.clause.text)
}

var everyOne = regexp.MustCompile(`(?i)所有|全部|每[个一]|都|\b(?:all|every|each|both)\b`)

// loose are what the words of a change, and of what finds things for it, are limited to and nothing held to.
func (r *round) loose(t *target) []fact {
	out := r.unused(t)
	for _, c := range r.best.choices {
		if c.taker == t.e && c.provider != nil {
			out = append(out, r.unheld(c)...)
		}
	}
	return out
}

// which asks the user to choose when a change would be made to several things that a provider found.
func (r *round) which(actions []bus.Action) *bus.Ask {
	for _, t := range r.targets {
		if t.e.reads() {
			continue
		}
		var mine []bus.Action
		for _, a := range actions {
			if a.ToolName == t.e.Name {
				mine = append(mine, a)
			}
		}
		var loose []string // limits that the provider did not hold to
		for _, f := range r.loose(t) {
			loose = append(loose, say(r.g.lang, "「%s」", "“%s”", f.text))
		}
		if len(mine) == 0 || len(loose) == 0 && (len(mine) < 2 || r.meansAll(t)) {
			continue
		}
		for _, c := range r.best.choices {
			if c.taker != t.e || c.provider == nil {
				continue
			}
			values, _ := r.observed(c)
			values = r.meant(c, values)
			if by, ok := r.looks[c.provider]; ok && len(loose) == 0 && len(values) <= namedBy(by) { // each by the user
				continue
			}
			var options []string
			for _, v := range values {
				if !slices.ContainsFunc(r.hindered[t.e], func(h hindered) bool { return h.id == fmt.Sprint(v) }) {
					options = append(options, fmt.Sprint(v))
				}
			}
			note := ""
			if len(loose) > 0 {
				note = say(r.g.lang, "没有按%s筛选。", "Not limited to %s. ", strings.Join(loose, say(r.g.lang, "、", ", ")))
			}
			return &bus.Ask{
				Kind: bus.Question, Parameter: c.field.Name, ToolName: t.e.Name, Options: options[:min(len(options), 10)],
				Question: note + say(r.g.lang, "找到这些%s，要对哪一个执行「%s」？", "These are the values found for %s; which one shall be used for “%s”?", c.field.label(r.g.lang), t.e.called(r.g.lang)),
			}
		}
	}
	return nil
}
