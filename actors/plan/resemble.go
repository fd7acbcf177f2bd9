package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/vectors"
)

// hit is a mention that resembles a term of the card.
type hit struct {
	mention int
	term    int // place among the card's terms
	alike   float64
}

// cardTerm is an informative word of a card.
type cardTerm struct {
	term   string
	id     int
	idf    float64
	name   bool
	about  bool // of the description
	fields bool
	tf     float64
	sense  int32  // among the word vectors
	params uint32 // the required parameters it is a word of
}

// terms are the informative words of a card, each once.
func (e *entry) cardTerms() []cardTerm {
	var out []cardTerm
	place := map[string]int{}
	add := func(text string, mark func(*cardTerm)) {
		for _, w := range content(text) {
			i, ok := place[w]
			if !ok {
				i = len(out)
				place[w] = i
				out = append(out, cardTerm{term: w})
			}
			mark(&out[i])
		}
	}
	add(e.Name, func(t *cardTerm) { t.name = true; t.tf += 3 })
	add(e.Description+" "+strings.Join(e.Tags, " ")+" "+strings.Join(e.Skills, " "), func(t *cardTerm) { t.about = true; t.tf += 2 })
	n := 0
	for _, f := range e.params {
		bit := uint32(0)
		if f.Required && n < 32 {
			bit = 1 << n
			n++
		}
		add(f.Name+" "+f.head(), func(t *cardTerm) { t.fields = true; t.tf += 0.5; t.params |= bit })
	}
	for _, f := range e.returns {
		add(f.Name+" "+f.head(), func(t *cardTerm) { t.fields = true; t.tf += 0.5 })
	}
	return out
}

// alike is how near two words are in meaning, 0–1, as far as the words themselves and the cards tell.
func (x *Index) alike(m *mention, t *cardTerm) float64 {
	if m.id >= 0 && m.id == t.id {
		return 1
	}
	if m.term == t.term {
		return 1
	}
	for _, also := range x.lexicon[m.term] {
		if also.term == t.term {
			return 0.8 * also.weight
		}
	}
	near := 0.0
	if m.sense > 0 && t.sense > 0 {
		if near = 0.8 * vectors.English().Near(int(m.sense)-1, int(t.sense)-1); near < x.nearEnough() {
			near = 0
		}
	}
	n := min(len(m.term), len(t.term))
	if n < 4 {
		return near
	}
	same := 0
	for same < n && m.term[same] == t.term[same] {
		same++
	}
	if share := float64(same) / float64(max(len(m.term), len(t.term))); same >= 4 && share >= 0.6 {
		return max(near, 0.9*share)
	}
	return near
}

// nearEnough is how near words must be to stand for each other. Among thousands of cards nearly every word that is only near
// is the very word of another card (Seal-Tools: tool F1 90 with the lower one, 91.4 with the higher); among a few it is
// all there is (NesTools: 79.0 with the higher one, 79.8 with the lower).
func (x *Index) nearEnough() float64 { return ifElse(len(x.entries) <= smallHouse, 0.4, 0.56) }

// cardVerbs are the first words of name and description.
func cardVerbs(e *entry) map[string]bool {
	out := map[string]bool{}
	for _, text := range []string{e.Name, e.Description} {
		if ps := pieces(clip(text, 80)); len(ps) > 0 && !ps[0].han {
			out[stem(strings.ToLower(ps[0].text))] = true
		}
	}
	return out
}
