package plan

import (
	"regexp"
	"strings"
)

// rest is what remains of a text when grammar, dates and other facts, and the words of a trade are taken away: of 预测下个月空气炸锅的销量,
// asked of a sales forecast, 空气炸锅.
type rest struct {
	text       string
	start, end int  // bytes in the text
	cut        bool // the end of a phrase that begins with words of the trade: 不足 of 库存不足, "well known" of "orders well known"
}

// residue is the longest that remains; "" when nothing does.
func residue(s string, start, end int, facts []fact, trade ...map[string]bool) string {
	best := ""
	for _, r := range rests(s, start, end, facts, trade...) {
		if len(r.text) > len(best) {
			best = r.text
		}
	}
	return best
}

// residues lists all that remains, in order.
func residues(s string, start, end int, facts []fact, trade ...map[string]bool) []string {
	var out []string
	for _, r := range rests(s, start, end, facts, trade...) {
		out = append(out, r.text)
	}
	return out
}

// rests lists all that remains, in order.
func rests(s string, start, end int, facts []fact, trade ...map[string]bool) []rest {
	var out []rest
	var latin rest // a phrase of Latin words being collected
	flush := func() {
		if latin.text != "" {
			out = append(out, latin)
			latin = rest{}
		}
	}
	covered := func(a, b int) bool {
		for _, f := range facts {
			if f.from == "" && f.start < b && a < f.end && f.kind != factProper && f.kind != factQuote && f.kind != factCode && f.kind != factKnown {
				return true
			}
			if l, limits := limitIn(s, f); limits && l.start < b && a < l.end { // 超过 before 500
				return true
			}
		}
		return false
	}
	thing := -1 // where the last Latin word ends that is a thing of the trade
	for _, p := range pieces(s[start:end]) {
		a, b := start+p.start, start+p.end
		if !p.han {
			w := strings.ToLower(p.text)
			own := in(stem(w), trade)
			if stopEnglish[w] || latinVerbs[w] || lightEnglish[w] || own || digits(w) && latin.text == "" || covered(a, b) {
				flush()
				if own && !stopEnglish[w] && (strings.HasSuffix(w, "s") || !wishVerbs[stem(w)] && !changing[stem(w)]) {
					thing = b
				}
				continue
			}
			if latin.text != "" && strings.TrimSpace(s[latin.end:a]) == "" {
				latin.text, latin.end = latin.text+" "+p.text, b
				continue
			}
			flush()
			if subject.MatchString(before(s, a)) {
				continue
			}
			latin = rest{text: p.text, start: a, end: b, cut: thing >= 0 && strings.TrimSpace(s[thing:a]) == ""}
			continue
		}
		flush()
		traded := tradedIn(p.text, trade)
		for _, r := range contentRuns(p.text, lightHan) {
			for _, u := range uncovered(r.text, a+r.start, func(i, j int) bool { return traded[i-a] || covered(i, j) }, trade) {
				if !aMade.MatchString(u.text) {
					out = append(out, u)
				}
			}
		}
	}
	flush()
	return out
}

// tradedIn marks the bytes of a Han run that begin a sign of a pair of the trade, also of one that the general words cut in two: of 销售额涨了
// nothing remains, for 额 belongs to 售额 though 销售 is taken away.
func tradedIn(run string, trade []map[string]bool) map[int]bool {
	out := map[int]bool{}
	last, size := 0, 0
	for i, r := range run {
		if n := len(string(r)); size > 0 && in(run[last:i+n], trade) {
			out[last], out[i] = true, true
		}
		last, size = i, len(string(r))
	}
	return out
}

// subject: behind it stands what somebody does, and no name: whether she (still) wants it.
var subject = regexp.MustCompile(`(?i)\b(?:i|you|he|she|it|we|they|who)(?:'(?:s|ll|d|ve|re|m))?\s+(?:(?:still|really|also|just|never|ever|even|already|not|no longer)\s+)*$`)

// aMade: what is counted with "one" is of a kind and has no name, and a verb with a measure behind it begins such a thing: 成一份报告, 订张.
var aMade = regexp.MustCompile(`一[份张篇封幅首段个条]|^\p{Han}(?:[张篇封幅]|份$)`)

// uncovered gives the stretches of a Han run that begins at a byte, two signs or longer, of which no pair belongs to the trade and no part to
// another fact.
func uncovered(run string, at int, covered func(i, j int) bool, trade []map[string]bool) []rest {
	rs := []rune(run)
	gone, traded := make([]bool, len(rs)), make([]bool, len(rs))
	place := make([]int, len(rs)+1)
	for i, r := range rs {
		place[i] = at
		at += len(string(r))
		gone[i] = gone[i] || covered(place[i], at)
		if i+1 < len(rs) && in(string(rs[i:i+2]), trade) {
			gone[i], gone[i+1], traded[i], traded[i+1] = true, true, true, true
		}
	}
	place[len(rs)] = at
	var out []rest
	for i := 0; i < len(rs); i++ {
		j := i
		for j < len(rs) && !gone[j] {
			j++
		}
		if j-i >= 2 {
			cut := i > 0 && traded[i-1] && !endsInVerb(string(rs[:i]))
			out = append(out, rest{string(rs[i:j]), place[i], place[j], cut})
		}
		i = max(i, j)
	}
	return out
}

// endsInVerb reports whether a Han text ends in a verb of change, behind which its thing stands: 补货羽绒服.
func endsInVerb(s string) bool {
	for _, g := range changeGroups {
		for _, v := range g {
			if isHan(firstRune(v)) && strings.HasSuffix(s, v) {
				return true
			}
		}
	}
	return false
}

// tradeWords is the vocabulary in which a tool describes itself: name, description, tags, the heads of its parameters.
// Examples in descriptions are values, not trade.
func (e *entry) tradeWords() map[string]bool {
	out := map[string]bool{}
	text := e.Name + " " + toldExamples.ReplaceAllString(e.Description, " ") + " " + strings.Join(e.Tags, " ")
	for _, f := range e.params {
		text += " " + f.Name + " " + f.head()
	}
	for _, w := range content(text) {
		out[w] = true
	}
	return out
}
