package plan

import (
	"slices"
	"strings"
)

// instead is an earlier request with what a later turn says put in the place of what it replaces: 王萍萍 for 李建国, 个体户 for 企业, October
// for last month. "" when that says more than values, or a value that has no counterpart there.
func (x *Index) instead(g *goal, base, said string) string {
	if strings.ContainsAny(base, "\n") {
		return ""
	}
	fresh, old := x.facts(said, g.now), x.facts(base, g.now)
	rest := said
	for _, f := range fresh {
		i := slices.IndexFunc(old, func(o fact) bool { return o.kind == f.kind })
		if i < 0 || !swaps[f.kind] || strings.Count(base, old[i].text) != 1 ||
			slices.ContainsFunc(old[i+1:], func(o fact) bool { return o.kind == f.kind }) {
			return x.insteadValue(base, said, fresh)
		}
		base = strings.Replace(base, old[i].text, f.text, 1)
		rest = strings.Replace(rest, f.text, " ", 1)
		for _, lang := range []string{"zh", "en"} {
			if noun := x.idNoun(f.text, lang); noun != "" && f.kind == factDigits { // that it is an order says nothing more
				rest = strings.Replace(rest, noun, " ", 1)
			}
		}
	}
	if len(fresh) == 0 || len(content(rest)) > 0 {
		return x.insteadValue(base, said, fresh)
	}
	return base
}

// swaps are the kinds of facts of which one stands for another.
var swaps = map[factKind]bool{factDate: true, factPhone: true, factDigits: true, factCode: true, factPerson: true, factPlace: true, factKnown: true}

// insteadValue puts an allowed value of a parameter in the place of another one of the same parameter; "" when the text names none, or
// says more.
func (x *Index) insteadValue(base, said string, fresh []fact) string {
	if len(fresh) > 0 && fresh[0].kind != factKnown {
		return ""
	}
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		for i := range e.params {
			f := &e.params[i]
			if f.Sort != sortEnum || len([]rune(said)) > 24 {
				continue
			}
			now, sure := x.chooseEnum(f, said, false)
			was := f.named(base)
			if now == "" || sure < sureOptional || was == "" || strings.Count(base, was) != 1 || strings.EqualFold(f.named(said), was) {
				continue
			}
			return strings.Replace(base, was, said, 1)
		}
	}
	return ""
}

// named is how a text names an allowed value of the field; "" when it names none, or several.
func (f *field) named(text string) string {
	low := strings.ToLower(text)
	var out []string
	for _, v := range f.Enum {
		for _, w := range append([]string{v}, f.Called[v]...) {
			i := strings.Index(low, strings.ToLower(w))
			if i < 0 || len([]rune(w)) < 2 || !holds(low, strings.ToLower(w)) || len(low) != len(text) {
				continue
			}
			w = text[i : i+len(w)]
			if slices.ContainsFunc(out, func(o string) bool { return strings.Contains(o, w) }) {
				continue
			}
			out = slices.DeleteFunc(out, func(o string) bool { return strings.Contains(w, o) })
			out = append(out, w)
		}
	}
	if len(out) != 1 {
		return ""
	}
	return out[0]
}
