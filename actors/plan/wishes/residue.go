package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Rest is what remains of a text when grammar, dates and other facts, and the words of a trade are taken away: of 预测下个月空气炸锅的销量,
// asked of a sales forecast, 空气炸锅.
type Rest struct {
	Text       string
	Start, End int  // bytes in the text
	Cut        bool // the end of a phrase that begins with words of the trade: 不足 of 库存不足, "well known" of "orders well known"
}

// Residue is the longest that remains; "" when nothing does.
func Residue(s string, start, end int, facts []facts.Fact, trade ...map[string]bool) string {
	best := ""
	for _, r := range Rests(s, start, end, facts, trade...) {
		if len(r.Text) > len(best) {
			best = r.Text
		}
	}
	return best
}

// Residues lists all that remains, in order.
func Residues(s string, start, end int, facts []facts.Fact, trade ...map[string]bool) []string {
	var out []string
	for _, r := range Rests(s, start, end, facts, trade...) {
		out = append(out, r.Text)
	}
	return out
}

// Rests lists all that remains, in order.
func Rests(s string, start, end int, found []facts.Fact, trade ...map[string]bool) []Rest {
	var out []Rest
	var latin Rest // a phrase of Latin words being collected
	flush := func() {
		if latin.Text != "" {
			out = append(out, latin)
			latin = Rest{}
		}
	}
	other, compares := ReadOther(s[start:end])
	covered := func(a, b int) bool {
		if compares && start+other.Start < b && a < start+other.End {
			return true
		}
		for _, f := range found {
			if f.From == "" && f.Start < b && a < f.End && f.Kind != facts.Proper && f.Kind != facts.Quote && f.Kind != facts.Code && f.Kind != facts.Known {
				return true
			}
			if l, limits := LimitIn(s, f); limits && l.Start < b && a < l.End { // 超过 before 500
				return true
			}
		}
		return false
	}
	thing := -1 // where the last Latin word ends that is a thing of the trade
	for _, p := range words.Pieces(s[start:end]) {
		a, b := start+p.Start, start+p.End
		if !p.Han {
			w := strings.ToLower(p.Text)
			own := words.Member(words.Stem(w), trade)
			if words.StopEnglish[w] || words.LatinVerbs[w] || words.LightEnglish[w] || own || words.AllDigits(w) && latin.Text == "" || covered(a, b) {
				flush()
				if own && !words.StopEnglish[w] && (strings.HasSuffix(w, "s") || !WishVerbs[words.Stem(w)] && !Changing[words.Stem(w)]) {
					thing = b
				}
				continue
			}
			if latin.Text != "" && strings.TrimSpace(s[latin.End:a]) == "" {
				latin.Text, latin.End = latin.Text+" "+p.Text, b
				continue
			}
			flush()
			if subject.MatchString(words.Before(s, a)) {
				continue
			}
			latin = Rest{Text: p.Text, Start: a, End: b, Cut: thing >= 0 && strings.TrimSpace(s[thing:a]) == ""}
			continue
		}
		flush()
		traded := tradedIn(p.Text, trade)
		for _, r := range words.ContentRuns(p.Text, words.LightHan) {
			for _, u := range uncovered(r.Text, a+r.Start, func(i, j int) bool { return traded[i-a] || covered(i, j) }, trade) {
				if !aMade.MatchString(u.Text) {
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
		if n := len(string(r)); size > 0 && words.Member(run[last:i+n], trade) {
			out[last], out[i] = true, true
		}
		last, size = i, len(string(r))
	}
	return out
}

// subject: behind it stands what somebody does, and no name: whether she (still) wants it.
var subject = words.MustCompile(`(?i)\b(?:i|you|he|she|it|we|they|who)(?:'(?:s|ll|d|ve|re|m))?\s+(?:(?:still|really|also|just|never|ever|even|already|not|no longer)\s+)*$`)

// aMade: what is counted with "one" is of a kind and has no name, and a verb with a measure behind it begins such a thing: 成一份报告, 订张.
var aMade = words.MustCompile(`一[份张篇封幅首段个条]|^\p{Han}(?:[张篇封幅]|份$)`)

// uncovered gives the stretches of a Han run that begins at a byte, two signs or longer, of which no pair belongs to the trade and no part to
// another fact.
func uncovered(run string, at int, covered func(i, j int) bool, trade []map[string]bool) []Rest {
	rs := []rune(run)
	gone, traded := make([]bool, len(rs)), make([]bool, len(rs))
	place := make([]int, len(rs)+1)
	for i, r := range rs {
		place[i] = at
		at += len(string(r))
		gone[i] = gone[i] || covered(place[i], at)
		if i+1 < len(rs) && words.Member(string(rs[i:i+2]), trade) {
			gone[i], gone[i+1], traded[i], traded[i+1] = true, true, true, true
		}
	}
	place[len(rs)] = at
	var out []Rest
	for i := 0; i < len(rs); i++ {
		j := i
		for j < len(rs) && !gone[j] {
			j++
		}
		if j-i >= 2 {
			cut := i > 0 && traded[i-1] && !endsInVerb(string(rs[:i]))
			out = append(out, Rest{string(rs[i:j]), place[i], place[j], cut})
		}
		i = max(i, j)
	}
	return out
}
