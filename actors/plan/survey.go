package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// survey is a request laid out for the choice of tools: its informative words in order, the stretches that could each be
// one wish, and the cards that any of them speaks of.
type survey struct {
	x          *Index
	mentions   []mention
	stretches  []passage
	candidates []*candidate     // the likeliest by themselves first
	claimed    []float64        // for each mention, how far the tools taken account for it, 0–1
	named      bool             // the wishes were told by their parts: see hanTerminals
	feeds      *feeding         // see survey.feeding
	each       func(*candidate) // told of each tool before it is taken; nil: nobody asks
}

// mention is an informative word of the request.
type mention struct {
	term       string
	id         int // of the catalogue's terms; -1: no card knows it
	start, end int
	weight     float64 // how telling it is
	quoted     bool    // part of a value
	sentence   int
	sense      int32 // among the word vectors
}

// passage is a stretch of the request that could be one wish: a sentence, a part of one between marks and conjunctions, or
// neighbours of them.
type passage struct {
	start, end int // bytes of the text
	lo, hi     int // mentions
	sentence   int
	weight     float64         // of its mentions
	verbs      map[string]bool // stems of wish verbs in it
	lead       string          // the first verb
	reads      bool            // asks to be told
	begins     bool            // begins like a wish
	whole      bool            // a whole sentence
	meant      []float32       // the mean of its word vectors
}

// Bounds of a survey, so that a request of any length costs a bounded time.
const (
	maxMentions  = 300
	maxStretches = 60
	nearest      = 6 // cards that each stretch brings
)

func (x *Index) survey(g *goal) *survey {
	s := &survey{x: x}
	s.mentions = x.mentions(g)
	s.claimed = make([]float64, len(s.mentions))
	s.cut(g)
	for _, e := range s.nominees() {
		s.candidates = append(s.candidates, &candidate{e: e})
	}
	s.align()
	s.order()
	return s
}

// order puts the likeliest by themselves first.
func (s *survey) order() {
	slices.SortStableFunc(s.candidates, func(a, b *candidate) int {
		switch {
		case a.local > b.local:
			return -1
		case a.local < b.local:
			return 1
		}
		return a.e.N - b.e.N
	})
	s.link()
}

// mentions are the informative words of the goal. What stands between quotes is a value and speaks of no tool.
func (x *Index) mentions(g *goal) []mention {
	var out []mention
	values := x.literals(g)
	add := func(term string, start, end int) {
		id := x.terms.id(term)
		w := x.terms.idf(id)
		if id < 0 {
			w *= 0.3
		}
		quoted := false
		for _, f := range values {
			if quoted = f.Start <= start && end <= f.End; quoted {
				w *= 0.2
				break
			}
		}
		out = append(out, mention{term, id, start, end, w, quoted, 0, x.sense(term)})
	}
	for _, p := range words.Pieces(g.text) {
		if len(out) >= maxMentions {
			break
		}
		if !p.Han {
			if w := strings.ToLower(p.Text); !words.StopEnglish[w] && !words.AllDigits(w) && len(w) > 1 {
				add(words.Stem(w), p.Start, p.End)
			}
			continue
		}
		for _, r := range words.ContentRuns(p.Text) {
			at := p.Start + r.Start
			for _, t := range words.Pairs(r.Text) {
				add(t, at, at+len(t))
				at += len(string(words.FirstRune(t)))
			}
		}
	}
	return out
}

// literals are the facts that are no words: what stands between quotes, links, and codes with digits. The name of a card is
// a word in quotes too.
func (x *Index) literals(g *goal) []facts.Fact {
	var out []facts.Fact
	for _, f := range g.facts {
		switch f.Kind {
		case facts.Quote, facts.Link, facts.Digits:
		case facts.Code:
			if !strings.ContainsAny(f.Text, "0123456789") {
				continue
			}
		default:
			continue
		}
		if text, ok := f.Value.(string); ok && x.byName[text] != nil {
			continue
		}
		out = append(out, f)
	}
	return out
}

// inside reports whether a byte of the text lies within a value.
func inside(values []facts.Fact, at int) bool {
	for _, f := range values {
		if f.Start < at && at < f.End-1 {
			return true
		}
	}
	return false
}

// cut finds the stretches.
func (s *survey) cut(g *goal) {
	text := g.text
	var at, sentence int
	add := func(start, end int, whole bool) bool {
		st := passage{start: start, end: end, sentence: sentence, whole: whole, verbs: map[string]bool{}}
		for st.lo < len(s.mentions) && s.mentions[st.lo].start < start {
			st.lo++
		}
		for st.hi = st.lo; st.hi < len(s.mentions) && s.mentions[st.hi].end <= end; st.hi++ {
			st.weight += s.mentions[st.hi].weight
		}
		if st.hi == st.lo || len(s.stretches) >= maxStretches {
			return false
		}
		var ws []int32
		var wt []float64
		for _, m := range s.mentions[st.lo:st.hi] {
			ws, wt = append(ws, m.sense), append(wt, m.weight)
		}
		st.meant = meantBy(ws, wt)
		terms := text[start:end]
		for _, p := range words.Pieces(terms) {
			if p.Han {
				continue
			}
			v := words.Stem(strings.ToLower(p.Text))
			if st.lead == "" && !politeVerbs[v] && (wishes.WishVerbs[v] || s.x.verbs[v]) {
				st.lead = v
			}
			switch {
			case readVerbs[v]:
				st.reads = true
			case wishes.WishVerbs[v] || s.x.verbs[v]:
				st.verbs[v] = true
			}
		}
		st.reads = st.reads || wishes.QuestionHan.MatchString(terms) || wishes.QuestionEng.MatchString(terms)
		st.begins = wishes.Splitter{Verbs: s.x.verbs}.Begins(terms)
		s.stretches = append(s.stretches, st)
		return true
	}
	if len(g.clauses) == 1 && g.clauses[0].End == len(text) && s.x.options.Without.Model {
		add(0, len(text), true)
		return
	}
	values := s.x.literals(g)
	for _, m := range append(words.HardBreak.FindAllStringIndex(text, 200), []int{len(text), len(text)}) {
		if inside(values, m[0]) {
			continue
		}
		start, end := at, m[0]
		if at = m[1]; end <= start {
			continue
		}
		if !add(start, end, true) {
			continue
		}
		for i := s.stretches[len(s.stretches)-1].lo; i < s.stretches[len(s.stretches)-1].hi; i++ {
			s.mentions[i].sentence = sentence
		}
		parts := [][2]int{} // between marks and conjunctions
		from := start
		for _, b := range words.SoftBreak.FindAllStringIndex(text[start:end], 40) {
			if cut := start + b[0]; !inside(values, cut) && s.informs(from, cut) && s.informs(start+b[1], end) {
				parts = append(parts, [2]int{from, cut})
				from = start + b[1]
			}
		}
		if len(parts) > 0 {
			parts = append(parts, [2]int{from, end})
			for i, p := range parts {
				add(p[0], p[1], false)
				if i > 0 && len(parts) > 2 {
					add(parts[i-1][0], p[1], false)
				}
			}
		}
		sentence++
	}
}

// informs reports whether a part of the text has a mention.
func (s *survey) informs(start, end int) bool {
	for _, m := range s.mentions {
		if m.start >= start && m.end <= end {
			return true
		}
	}
	return false
}

// readVerbs ask to be told something; they are in every second request and part no wishes.
var readVerbs = words.Stems(`get retrieve fetch find obtain provide give show tell know look return see want learn interested gather inform information details data access view`)

// politeVerbs come before the verb that counts.
var politeVerbs = words.Stems(`please help assist need want like proceed ensure let go`)

// nominees are the cards to be looked at: all of a small catalogue, else the nearest to each stretch and to the whole.
func (s *survey) nominees() []*cards.Entry {
	x := s.x
	if len(x.entries) <= smallHouse {
		return x.entries
	}
	seen := map[int]bool{}
	var out []*cards.Entry
	keep := func(docs []int) {
		for _, d := range docs {
			if !seen[d] {
				seen[d] = true
				out = append(out, x.entries[d])
			}
		}
	}
	score := make([]float64, len(x.entries))
	near := func(lo, hi, k int) {
		for _, m := range s.mentions[lo:hi] {
			x.terms.add(m.id, m.weight, score)
			for _, also := range x.lexicon[m.term] {
				x.terms.add(x.terms.id(also.term), 0.5*also.weight*m.weight, score)
			}
		}
		keep(greatest(score, k))
		clear(score)
		if x.grams != nil {
			var hs []uint32
			for _, m := range s.mentions[lo:hi] {
				hs = append(hs, words.Grams(m.term)...)
			}
			terms, order := bag(hs)
			x.grams.cosine(terms, order, score)
			keep(greatest(score, k/2))
			clear(score)
		}
	}
	near(0, len(s.mentions), 2*nearest)
	for _, st := range s.stretches {
		near(st.lo, st.hi, nearest)
	}
	return out
}

// greatest are the places of the k greatest values above zero, the greatest first, equal ones in their order.
func greatest(values []float64, k int) []int {
	out := make([]int, 0, k+1)
	for i, v := range values {
		if v <= 0 || len(out) == k && v <= values[out[k-1]] {
			continue
		}
		j := len(out)
		for j > 0 && values[out[j-1]] < v {
			j--
		}
		out = slices.Insert(out, j, i)
		out = out[:min(len(out), k)]
	}
	return out
}
