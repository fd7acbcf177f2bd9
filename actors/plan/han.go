package plan

import (
	"math"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// hanCards are the cards as a Chinese request finds them: by pairs of signs, by pairs with a sign between them (下单 in 下订单), and by
// single signs. The weights that English sets taught say nothing here: Chinese has no borders between words, its cards have names in
// another language, and what a request tells beside its wish has as many words as the wish.
type hanCards struct {
	terms   *postings[string]
	about   [][]int   // by card: the terms of its description, each once
	whole   []float64 // by card: how telling they are together
	several []bool    // by card: it is for several things at once
}

// newHanCards gives nil for a catalogue that mostly speaks another language.
func newHanCards(entries []*cards.Entry) *hanCards {
	spoken := 0
	for _, e := range entries {
		if words.Language(e.Description) == "zh" {
			spoken++
		}
	}
	if 2*spoken <= len(entries) {
		return nil
	}
	n := len(entries)
	h := &hanCards{about: make([][]int, n), whole: make([]float64, n), several: make([]bool, n)}
	docs, about := make([][]weighted[string], n), make([][]string, n)
	beside(n, func(i int) {
		e := entries[i]
		var fields strings.Builder
		for _, f := range e.Params {
			fields.WriteString(f.Name + " " + f.Head() + " " + strings.Join(f.Enum, " ") + " ")
		}
		for _, f := range e.Gives {
			fields.WriteString(f.Name + " " + f.Head() + " ")
		}
		near, far, signs := hanTerms(e.Description + " " + strings.Join(e.Tags, " ") + " " + strings.Join(e.Skills, " "))
		_, about[i] = bag(near)
		_, single := bag(signs)
		nearName, _, _ := hanTerms(e.Name)
		nearField, farField, _ := hanTerms(fields.String())
		docs[i] = []weighted[string]{{near, 2}, {far, 1}, {single, 0.25}, {nearName, 2}, {nearField, 0.5}, {farField, 0.25}}
		h.several[i] = severalThings.MatchString(e.Description)
	})
	h.terms = newPostings(docs)
	for i, terms := range about {
		for _, t := range terms {
			id := h.terms.id(t)
			h.about[i] = append(h.about[i], id)
			h.whole[i] += h.terms.idf(id)
		}
	}
	return h
}

// severalThings: a tool that sets things beside each other, or takes many, is of no use for one.
var severalThings = words.MustCompile(`多个|多款|多件|若干|批量|对比|比较`)

// hanTerms are the terms of a text: Latin words and pairs of neighbouring signs; pairs with a sign between them; and single signs, marked as
// such.
func hanTerms(s string) (near, far, signs []string) {
	for _, t := range words.Content(s) {
		if rs := []rune(t); len(rs) > 1 {
			near = append(near, t)
		}
	}
	for _, p := range words.Pieces(s) {
		if !p.Han {
			continue
		}
		for _, r := range words.ContentRuns(p.Text) {
			rs := []rune(r.Text)
			for i := range rs {
				signs = append(signs, oneSign+string(rs[i]))
				if i+2 < len(rs) {
					far = append(far, string([]rune{rs[i], rs[i+2]}))
				}
			}
		}
	}
	return near, far, signs
}

// oneSign marks a single sign, so that it is not the word of one sign.
const oneSign = "·"

// What speaks for a card beside the terms in common.
const (
	hanCovers  = 10.0 // what a request that says all words of a card is worth, beside BM25
	hanSeveral = 4.0  // what it is worth that a tool for several things has several
	hanOnlyOne = 0.3  // times: it has only one
	hanBar     = 0.8  // a tool must be spoken of by so much of one word that it alone has
)

// score tells by card how much a stretch of the request speaks for it; 0 for what stays below the bar.
func (h *hanCards) score(text string, values []facts.Fact) []float64 {
	said, order := map[string]float64{}, []string{}
	for _, p := range hanParts(text, values) {
		p.terms(said, &order)
	}
	out := make([]float64, len(h.about))
	byID := map[int]float64{}
	for _, t := range order {
		if id := h.terms.id(t); id >= 0 {
			byID[id] = said[t]
			h.terms.add(id, said[t]*h.terms.idf(id), out)
		}
	}
	many := listHan.MatchString(text)
	bar := hanBar * math.Log(1+(float64(len(out))+0.5)/1.5)
	for i := range out {
		if out[i] == 0 {
			continue
		}
		covered := 0.0
		for _, id := range h.about[i] {
			covered += min(1, byID[id]) * h.terms.idf(id)
		}
		if h.whole[i] > 0 {
			out[i] += hanCovers * covered / h.whole[i]
		}
		switch {
		case h.several[i] && many:
			out[i] += hanSeveral
		case h.several[i]:
			out[i] *= hanOnlyOne
		}
		if out[i] < bar {
			out[i] = 0
		}
	}
	return out
}

// hanTerminals are the tools of a Chinese request, one for each clause, those that wish nothing left out; ok is false where the cards
// speak another language. An agent is found by the tools behind it.
func (x *Index) hanTerminals(g *goal) (out []terminal, ok bool) {
	at := x
	if x.behind != nil {
		at = x.behind.index
	}
	if at.han == nil || words.Language(g.text) != "zh" {
		return nil, false
	}
	all := x.literals(g)
	for _, c := range at.hanClauses(g) {
		var values []facts.Fact
		for _, f := range all {
			if c.Start <= f.Start && f.End <= c.End {
				f.Start, f.End = f.Start-c.Start, f.End-c.Start
				values = append(values, f)
			}
		}
		score := at.han.score(g.text[c.Start:c.End], values)
		at.mix(g, c, score)
		best := greatest(score, 1)
		if len(best) == 0 {
			continue
		}
		e := at.entries[best[0]]
		if at != x {
			e = x.behind.agent(x, e)
		}
		if !slices.ContainsFunc(out, func(t terminal) bool { return t.e == e }) {
			out = append(out, terminal{e: e, clause: c, score: hanSure})
		}
	}
	return out, true
}

// agent is whose tool it is, or the card itself where nobody on offer has it.
func (b *behind) agent(x *Index, tool *cards.Entry) *cards.Entry {
	name := tool.Name
	if owners := b.owner[name]; len(owners) > 0 {
		name = owners[0]
	}
	return x.byName[name]
}

// mix adds what the choice for the next round says (see [Index.judge]) to scores of a clause, where any card has one: it knows what the
// facts of the clause fit, and by what other names the cards know a thing.
func (x *Index) mix(g *goal, c wishes.Clause, score []float64) {
	top := slices.Max(score)
	if top <= 0 || len(x.entries) > smallHouse || x.options.Without.Model {
		return
	}
	c.Classify(g.text)
	for _, j := range x.judge(g, c, nil) {
		i := j.e.N
		score[i] = score[i]/top + hanJudged*j.total
		if j.lost != "" && j.e.Effect != "" {
			score[i] -= hanLost
		}
	}
}

// What the judgement for the next round weighs against the pairs of signs, and what it takes off when that would not take the tool. At
// 0 the requests of testdata/phrasings.txt have a tool F1 of 69, from 0.7 to 2 of 95; on ECom-Bench it hardly matters.
const (
	hanJudged = 0.7
	hanLost   = 1.0
)

// hanSure stands for how likely the request wants a tool that a Chinese clause speaks of most: about so many are right.
const hanSure = 0.85
