package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// maxEnumText is how many bytes are searched for an allowed value: every parameter with such values searches them.
const maxEnumText = 1 << 10

// inAll adds something up, and names no value.
var inAll = words.MustCompile(`\b(?:in|at|after|above) all\b`)

// chooseEnum picks the allowed value that the text names, or whose explanation it comes closest to. "" when none speaks for
// itself. named: only a value that the text names will do, as for a tool that changes something.
func (x *Index) chooseEnum(f *fields.Field, text string, named bool) (string, float64) {
	text = words.Clip(text, maxEnumText)
	low := inAll.ReplaceAllString(strings.ToLower(text), " ")
	plainly := plainlyDenied(low)
	terms, order := bag(words.Content(text))
	if wishes.CountHan.MatchString(text) || wishes.CountEng.MatchString(text) { // grammar elsewhere, here it says what is wanted
		for _, w := range []string{"数量", "number", "count"} {
			terms[w], order = 1, append(order, w)
		}
	}
	if bestGoods(text) { // the thing is what it must be told apart by
		for _, w := range words.Content(words.Say(words.Language(text), "商品 产品", "product item")) {
			terms[w], order = 1, append(order, w)
		}
	}
	own := maps.Clone(terms) // without what stands for them in the other language
	x.lexicon.widen(terms, &order)
	lang := words.Language(text)
	bothTongues := slices.ContainsFunc(f.Enum, func(v string) bool { return words.Language(v) == lang })
	var said map[string]int
	if named {
		said = wishes.ChangeVerbs(text)
	}
	best, second, pick := 0.0, 0.0, ""
	longest := ""
	for _, v := range f.Enum {
		if called := undenied(f.Called[v], low, plainly); len(called) > len(longest) {
			longest = called
		}
	}
	for _, v := range f.Enum {
		s := 0.0
		plain := strings.ToLower(strings.ReplaceAll(v, "_", " "))
		if x.classifies(low, strings.ToLower(v)) {
			continue
		}
		if called := undenied(f.Called[v], low, plainly); called != "" && (called == longest || !strings.Contains(longest, strings.ToLower(called)) || strings.Count(low, strings.ToLower(called)) > 1) {
			s += 1 + 0.02*float64(len([]rune(called)))
		} else if within := strings.ToLower(v); len(longest) > len(within) && strings.Contains(longest, within) && strings.Count(low, within) <= strings.Count(low, longest) {
			// 没发货 of 还没发货 is said with it
		} else if there := words.Holds(low, strings.ToLower(v)) || words.Holds(low, plain); there && !deniedEng(low, plain) && (len([]rune(v)) > 1 || strings.Contains(low, "按"+v) || strings.Contains(low, "每"+v)) {
			s += 1 + 0.02*float64(len([]rune(v)))
			if askedFor(low, strings.ToLower(v)) {
				s += 0.5
			}
		} else if words.Holds(plainly, plain) && !deniedEng(plainly, plain) && len([]rune(v)) > 1 && plainly != low {
			s += 0.9 + 0.02*float64(len([]rune(v)))
		} else {
			hit, all := 0.0, 0.0
			known := terms
			if bothTongues && words.Language(v) != lang { // it has a twin in the words of the text: a guess across is not needed
				known = own
			}
			for _, t := range words.Content(plain) {
				all++
				if t == "without" { // it says nothing of what is lacking
					continue
				}
				hit += min(1, 2*known[t])
			}
			switch {
			case decides(f, v, said): // 驳回 is 拒绝
				s += words.Either(words.Language(v) == words.Language(text), 1, 0.8)
			case all > 0 && (hit == all || !named) && deniedAlike(v, low) && !deniedEng(low, plain) && !undone(v, low):
				s += 0.7 * hit / all
			}
		}
		mine := 0.0
		for _, w := range f.Means[v] {
			shared := 0
			for _, o := range f.Enum {
				if slices.Contains(f.Means[o], w) {
					shared++
				}
			}
			if terms[w] > 0 && !named {
				mine += min(1, 2*terms[w]) / float64(shared*shared)
			}
		}
		s += min(0.6, 0.3*mine)
		switch {
		case s > best:
			best, second, pick = s, best, v
		case s > second:
			second = s
		}
	}
	if best < 0.3 || best-second < 0.05 {
		return "", 0
	}
	return pick, min(1, 0.4+0.5*best)
}

// classifies reports whether a word stands in a text to say of what kind the name before it is: 类目 of 手机类目 asks for no figures by category.
func (x *Index) classifies(low, word string) bool {
	i := strings.Index(low, word)
	if i <= 0 || strings.Contains(low[i+len(word):], word) {
		return false
	}
	before := strings.TrimRight(low[:i], " ")
	for _, known := range x.values.facts(before, nil) {
		if known.End == len(before) && x.isOne(known.Text, word) {
			return true
		}
	}
	return false
}

// decides reports whether a value of a parameter is a change that one of several verbs wishes for, by whatever word of its kind.
func decides(f *fields.Field, v string, verbs map[string]int) bool {
	if !f.Required || len(verbs) == 0 {
		return false
	}
	for verb := range wishes.ChangeVerbs(v) {
		if _, ok := verbs[verb]; ok {
			return true
		}
	}
	return false
}

// deniedAlike reports whether a text that speaks of a value's words denies them where the value does: 没发货 is no value for 发货晚了.
func deniedAlike(v, text string) bool {
	m := denied.FindStringSubmatchIndex(v)
	if m == nil {
		return true
	}
	i := strings.Index(text, v[m[1]:])
	return i < 0 || deniedBefore.MatchString(whether.ReplaceAllString(words.Before(text, i), " "))
}

// undone reports whether a text denies what a value says is done: 没完成, 未完成 is no 已完成.
func undone(v, text string) bool {
	deed, done := strings.CutPrefix(v, "已")
	i := strings.Index(text, deed)
	return done && i > 0 && neverBefore.MatchString(text[:i])
}

// undenied is the longest of the other words for a value that a text holds and does not deny, as it stands or with its denials written plainly.
func undenied(called []string, low, plainly string) string {
	for _, text := range []string{low, plainly} {
		if w := words.Longest(called, text); w != "" {
			if i := strings.Index(text, strings.ToLower(w)); i > 0 && (deniedEng(text, strings.ToLower(w)) || neverBefore.MatchString(text[:i])) {
				w = ""
			}
			if w != "" {
				return w
			}
		}
	}
	return ""
}

// plainlyDenied is a text with its denials as cards write them: 没完成 for 还没有完成 and 尚未完成, "not paid" for "have not been paid".
func plainlyDenied(low string) string {
	return strings.TrimSpace(plainEng.ReplaceAllString(plainHan.ReplaceAllString(low, "${1}没"), " not "))
}

// deniedEng reports whether a text says in English that a value is not so: not shipped, have not been paid.
func deniedEng(low, v string) bool {
	i := strings.Index(low, v)
	return i > 0 && notBefore.MatchString(low[:i])
}

var (
	plainHan     = words.MustCompile(`(^|[^有])(?:没有|尚未|未曾)被?`)
	plainEng     = words.MustCompile(`(?:^|\s+|\b(?:has|have|had|is|are|was|were|do|does|did))(?:not|n['’]t)(?:\s+(?:yet|been|be|being))*\s+`)
	neverBefore  = words.MustCompile(`(?:^|[^有])没有?$|未$`)
	notBefore    = words.MustCompile(`(?:\b(?:not|never|cannot)|n['’]t)(?:\s+(?:yet|been|be))*\s+$`)
	denied       = words.MustCompile(`^(?:没有?|未|不|无)`)
	whether      = words.MustCompile(`有没有|是不是|[能会要]不[能会要]`)
	deniedBefore = words.MustCompile(`(?:没|未|不|无|等|待)[^，。,；？?]{0,9}$`)
)

// bestGoods reports whether a text asks which goods come first; which reason or city does is no matter of sales.
func bestGoods(text string) bool {
	if !bestThing.MatchString(text) {
		return false
	}
	kind := wishes.ReadReckoning(text).ByKind()
	return kind == "" || figures.SoldMost.MatchString(text) || slices.Contains(words.AlsoCalled(kind), "product") || slices.Contains(words.AlsoCalled(kind), "category")
}

// bestThing: asks which thing comes first.
var bestThing = words.MustCompile(`(?i)哪[个款种件些几]*(?:商品|产品|货|东西)?.{0,6}(?:最好|最多|最火|最畅销|热卖|卖得好)|畅销|热销|爆款|热卖|卖得最|\b(?:(?:best|worst)[- ]?sell(?:ers?|ing)|top[- ]?sell(?:ers?|ing)|top (?:\d+ )?products?|most popular|which (?:products?|items?)|sold (?:the )?(?:best|most)|what(?: (?:do|does|did|are|is))?(?: (?:we|you|i|the shop|our shop|my shop))? (?:sells?|selling) (?:the )?(?:best|most))\b`)

// askedFor reports whether the value stands beside the question word: 买了什么商品 asks for 商品.
func askedFor(text, v string) bool {
	for _, q := range []string{"什么", "哪些", "哪个", "多少", "几个", "几单", "几件", "which ", "what ", "how many "} {
		if strings.Contains(text, q+v) {
			return true
		}
	}
	return false
}

// typed gives an enum value in the field's type.
func (x *Index) typed(f *fields.Field, v string) any {
	if f.Type == "array" {
		return []any{v}
	}
	return v
}

var no = words.MustCompile(`(?i)不|没|无|\b(?:no|not|without|don't)\b`)

// chooseBool is true when the text names what the flag is about, false when it denies it.
func chooseBool(f *fields.Field, text string) (bool, bool) {
	hit := 0
	for _, w := range words.Content(f.Name + " " + f.Head()) {
		if strings.Contains(strings.ToLower(text), w) {
			hit++
		}
	}
	if hit < 2 && !(hit == 1 && len(words.Content(f.Name)) == 1) {
		return false, false
	}
	return !no.MatchString(text), true
}

// fromAnswer reads the user's answer as the field's value: the allowed value, the typed fact, or the text itself.
func (x *Index) fromAnswer(f *fields.Field, text string, g *goal) (any, bool) {
	if text == "" {
		return nil, false
	}
	if f.Sort == fields.Enum {
		if v, _ := x.chooseEnum(f, text, false); v != "" {
			return x.typed(f, v), true
		}
		return nil, false
	}
	if about := f.Name + " " + f.Head(); f.Sort == fields.Text && (wishes.IsMessage.MatchString(about) || wishes.IsReason.MatchString(about)) {
		return strings.TrimSpace(text), true // to the letter
	}
	best, sure := any(nil), 0.0
	for _, fa := range facts.Read(text, g.now, x.knows) {
		if v, s := fields.Suits(f, fa); s > sure {
			best, sure = v, s
		}
	}
	switch f.Sort {
	case fields.Date, fields.Number, fields.Phone, fields.Link:
		return best, best != nil
	case fields.ID:
		if len(f.Lengths) > 0 || f.Pattern != nil {
			return best, best != nil
		}
	case fields.Bool:
		return !no.MatchString(text), true
	case fields.List:
		var vs []any
		for _, v := range fields.SplitValues.Split(text, -1) {
			vs = append(vs, v)
		}
		return vs, true
	case fields.Text, fields.Person:
		if v := words.Longest(f.Examples, text); v != "" {
			return v, true
		}
	}
	if best != nil && sure >= 0.6 {
		return best, true
	}
	if b := bare(text); b != "" {
		return b, true
	}
	return text, true
}
