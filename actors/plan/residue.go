package plan

import "strings"

// residue is what remains of a text when grammar, dates and other facts, and the words of the tool's own trade are taken
// away: of 预测下个月空气炸锅的销量, asked of a sales forecast, 空气炸锅. "" when nothing remains.
func residue(s string, start, end int, facts []fact, trade map[string]bool) string {
	best := ""
	for _, r := range residues(s, start, end, facts, trade) {
		if len(r) > len(best) {
			best = r
		}
	}
	return best
}

// residues lists all that remains, in order.
func residues(s string, start, end int, facts []fact, trade map[string]bool) []string {
	var out []string
	var latin []string // a phrase of Latin words being collected
	latinEnd := 0
	flush := func() {
		if len(latin) > 0 {
			out = append(out, strings.Join(latin, " "))
			latin = nil
		}
	}
	covered := func(a, b int) bool {
		for _, f := range facts {
			if f.from == "" && f.start < b && a < f.end && f.kind != factProper && f.kind != factQuote && f.kind != factCode && f.kind != factKnown {
				return true
			}
		}
		return false
	}
	for _, p := range pieces(s[start:end]) {
		a, b := start+p.start, start+p.end
		if !p.han {
			w := strings.ToLower(p.text)
			if stopEnglish[w] || latinVerbs[w] || lightEnglish[w] || trade[stem(w)] || digits(w) && len(latin) == 0 || covered(a, b) {
				flush()
				continue
			}
			if len(latin) > 0 && strings.TrimSpace(s[latinEnd:a]) != "" {
				flush()
			}
			latin, latinEnd = append(latin, p.text), b
			continue
		}
		flush()
		for _, r := range contentRuns(p.text, lightHan) {
			out = append(out, uncovered(r.text, func(i, j int) bool { return covered(a+r.start+i, a+r.start+j) }, trade)...)
		}
	}
	flush()
	return out
}

// uncovered gives the stretches of a Han run, two signs or longer, of which no pair belongs to the trade and no part to
// another fact.
func uncovered(run string, covered func(i, j int) bool, trade map[string]bool) []string {
	rs := []rune(run)
	gone := make([]bool, len(rs))
	at := 0
	for i := range rs {
		size := len(string(rs[i]))
		if covered(at, at+size) {
			gone[i] = true
		}
		if i+1 < len(rs) && trade[string(rs[i:i+2])] {
			gone[i], gone[i+1] = true, true
		}
		at += size
	}
	var out []string
	for i := 0; i < len(rs); i++ {
		j := i
		for j < len(rs) && !gone[j] {
			j++
		}
		if j-i >= 2 {
			out = append(out, string(rs[i:j]))
		}
		i = max(i, j)
	}
	return out
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
