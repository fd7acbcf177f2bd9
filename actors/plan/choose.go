package plan

import (
	"cmp"
	"fmt"
	"slices"
)

// target is a clause with the terminal tool chosen for it.
type target struct {
	clause clause
	e      *entry // its own copy when the same tool serves several clauses
	bound  map[string]binding
}

// Thresholds of the choice, set on natural requests to the shop of testdata; see TestPhrasings for what they are worth.
const (
	minFit     = 0.12 // share of the request's informative words that a card must know
	substitute = 0.85 // of a failed tool's score that another one must reach to take its place
	considered = 12   // cards looked at closely for each clause
	sharing    = 0.9  // what taking all that the clause says is worth, in shares of the best score
	sharingWho = 0.35 // the same of people and things, by which another tool can find what this one needs
	smallHouse = 64   // up to so many cards all are looked at: an order number alone is enough to find its tool
)

// choose finds the terminal tool of a clause; nil when nothing fits. barred tools have failed and are passed over.
func (x *Index) choose(g *goal, c clause, barred map[string]string, ex *ExplainClause) *target {
	text := c.text
	if g.fresh > 0 {
		text = g.text[:g.fresh]
	}
	if bestThing.MatchString(text) { // a matter of sales, whether it is said or not
		text += say(language(text), " 销量", " sales")
	}
	found := x.rank(text)
	if len(found) > considered {
		found = found[:considered]
	}
	if len(x.entries) <= smallHouse {
		seen := map[*entry]bool{}
		for _, r := range found {
			seen[r.e] = true
		}
		for _, e := range x.entries {
			if !seen[e] {
				found = append(found, ranked{e: e})
			}
		}
	}
	top := 0.0
	for _, r := range found {
		top = max(top, r.score)
	}
	type judged struct {
		ranked
		total float64
		bound map[string]binding
		lost  string
	}
	// A question of what is allowed goes to the rules, unless it names a thing that can be looked up.
	concrete := false
	for _, f := range within(g.facts, c.start, c.end) {
		concrete = concrete || f.kind != factNumber && f.kind != factDate && f.kind != factQuote
	}
	var all []judged
	for _, r := range found {
		j := judged{ranked: r}
		if top > 0 {
			j.total = r.score / top
		}
		j.bound = x.bind(r.e, g, c)
		typed, share := x.consumed(g, c, r.e, j.bound)
		r.fit = x.fitWith(text, r.e, j.bound)
		j.fit = r.fit
		j.total += share + 0.5*r.fit
		if c.count && r.e.counts() {
			j.total += 0.2
		}
		if r.e.IsAgent() && c.mayChange(r.e) {
			j.total += 0.3
		}
		switch {
		case barred[r.e.Name] != "":
			j.lost = barred[r.e.Name]
			j.total += ifElse(r.e.reads(), 0, 0.6)
		case !r.e.reads() && !c.mayChange(r.e):
			j.lost = "changes something, and the request does not ask for that"
		case !r.e.reads():
			j.total += 0.6 + ifElse(r.e.verbs[first(c.change)], 0.3, 0)
		case (r.e.knowledge() || r.e.governs()) && c.policy:
			j.total += ifElse(concrete || c.advice, 0.3, 2)
		case r.fit < minFit && !typed:
			j.lost = "knows too few of the words"
		}
		for _, f := range r.e.required() {
			if _, ok := j.bound[f.Name]; !ok && !r.e.knowledge() {
				j.total -= 0.1
			}
		}
		all = append(all, j)
	}
	slices.SortStableFunc(all, func(a, b judged) int { return cmp.Compare(b.total, a.total) })
	lost := 0.0 // how good the tools were that failed; a poor substitute is no other path
	for _, j := range all {
		if barred[j.e.Name] != "" {
			lost = max(lost, j.total)
		}
	}
	var out *target
	for i, j := range all {
		if j.lost == "" && j.total < substitute*lost {
			j.lost = "no match for the tool that failed"
		}
		if j.lost == "" && out == nil {
			e := *j.e
			out = &target{clause: c, e: &e, bound: j.bound}
			ex.Chosen = e.Name
			ex.Why = fmt.Sprintf("score %.2f, knows %.0f %% of the words, %d parameters known", j.total, 100*j.fit, len(j.bound))
		} else if j.lost == "" {
			j.lost = "a better one was found"
		}
		if i < 6 {
			if out != nil && out.e.Name == j.e.Name {
				j.lost = ""
			}
			ex.Candidates = append(ex.Candidates, ExplainCandidate{j.e.Name, round3(j.total), round3(j.fit), j.why.signals(), j.lost})
		}
	}
	return out
}

func round3(v float64) float64 { return float64(int(v*1000+0.5)) / 1000 }

// knowledge reports whether the tool searches texts by a question.
func (e *entry) knowledge() bool {
	if e.IsAgent() || !e.reads() {
		return false
	}
	for _, f := range e.params {
		if f.Sort == sortQuery && f.Required {
			return true
		}
	}
	return false
}

// counts reports whether the tool says that it works figures out.
func (e *entry) counts() bool {
	return !e.IsAgent() && (e.vocab["统计"] || e.vocab["count"] || e.vocab[stem("statistics")])
}

// governs reports whether an agent is at home in rules and policies.
func (e *entry) governs() bool {
	if !e.IsAgent() {
		return false
	}
	for _, w := range []string{"规则", "规定", "政策", "rule", "policy"} {
		if e.tags[w] {
			return true
		}
	}
	return false
}

// fitWith is the share of the text's informative words that the card knows, or that were understood as values for it.
func (x *Index) fitWith(text string, e *entry, bound map[string]binding) float64 {
	terms, order := bag(content(text))
	x.lexicon.widen(terms, &order)
	values := map[string]bool{}
	for _, b := range bound {
		if s, ok := b.value.(string); ok && b.why != "question" && b.why != "what remains" && b.why != "context" {
			for _, w := range content(s) {
				values[w] = true
			}
		}
	}
	sum, hit := 0.0, 0.0
	for _, t := range order {
		w := x.terms.idf(x.terms.id(t)) * terms[t]
		sum += w
		if e.vocab[t] || values[t] {
			hit += w
		}
	}
	if sum == 0 {
		return 0
	}
	return hit / sum
}

// consumed tells what it is worth that the tool can take the clause's facts, and whether one of them fits it by a rule rather
// than by chance.
func (x *Index) consumed(g *goal, c clause, e *entry, bound map[string]binding) (typed bool, worth float64) {
	used := map[int]bool{}
	for _, b := range bound {
		if b.used >= 0 && b.used < len(g.facts) {
			used[b.used] = true
			if b.sure >= 0.9 {
				typed = true
			}
		}
	}
	total, sum := 0, 0.0
	for i, f := range g.facts {
		if f.start < c.start || f.end > c.end {
			continue
		}
		value := sharing
		switch f.kind {
		case factNumber, factProper, factUnread, factCompare, factRate:
			continue
		case factPerson, factPhone, factQuote, factPlace:
			value = sharingWho
		}
		total++
		if used[i] {
			sum += value
		}
	}
	if total == 0 {
		return typed, 0
	}
	return typed, sum / float64(total)
}

// targets chooses a terminal tool for each clause. Neighbouring clauses that go to the same agent are one job.
func (x *Index) targets(g *goal, barred map[string]string, ex *Explain) (out []*target, unmet []clause) {
	for _, c := range g.clauses {
		ec := ExplainClause{Text: short(c.text, 200)}
		t := x.choose(g, c, barred, &ec)
		ex.Clauses = append(ex.Clauses, ec)
		if t == nil {
			if !slices.ContainsFunc(ec.Candidates, func(k ExplainCandidate) bool { return barred[k.Tool] != "" && k.Score > 0.5 }) { // else its failure is what there is to tell
				unmet = append(unmet, c)
			}
			continue
		}
		if n := len(out); n > 0 && out[n-1].e.Name == t.e.Name && (t.e.IsAgent() || string(argumentsOf(out[n-1].bound)) == string(argumentsOf(t.bound))) {
			out[n-1].clause.end = max(out[n-1].clause.end, c.end)
			out[n-1].clause.classify(g.text)
			continue
		}
		out = append(out, t)
		if len(out) == MaxActions {
			break
		}
	}
	return out, unmet
}

func argumentsOf(bs map[string]binding) []byte {
	m := map[string]any{}
	for k, b := range bs {
		m[k] = b.value
	}
	return arguments(m)
}
