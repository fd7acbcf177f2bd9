package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/vectors"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// hit is a mention that resembles a term of the card.
type hit struct {
	mention int
	term    int // place among the card's terms
	alike   float64
}

// alike is how near two words are in meaning, 0–1, as far as the words themselves and the cards tell.
func (x *Index) alike(m *mention, t *cards.CardTerm) float64 {
	if m.id >= 0 && m.id == t.Id {
		return 1
	}
	if m.term == t.Term {
		return 1
	}
	for _, also := range x.lexicon[m.term] {
		if also.term == t.Term {
			return 0.8 * also.weight
		}
	}
	near := 0.0
	if m.sense > 0 && t.Sense > 0 {
		if near = 0.8 * vectors.English().Near(int(m.sense)-1, int(t.Sense)-1); near < x.nearEnough() {
			near = 0
		}
	}
	n := min(len(m.term), len(t.Term))
	if n < 4 {
		return near
	}
	same := 0
	for same < n && m.term[same] == t.Term[same] {
		same++
	}
	if share := float64(same) / float64(max(len(m.term), len(t.Term))); same >= 4 && share >= 0.6 {
		return max(near, 0.9*share)
	}
	return near
}

// nearEnough is how near words must be to stand for each other. Among thousands of cards nearly every word that is only near
// is the very word of another card (Seal-Tools: tool F1 90 with the lower one, 91.4 with the higher); among a few it is
// all there is (NesTools: 79.0 with the higher one, 79.8 with the lower).
func (x *Index) nearEnough() float64 { return words.Either(len(x.entries) <= smallHouse, 0.4, 0.56) }

// firstWord is the stem of the first word of a text; "" where none is Latin.
func firstWord(text string) string {
	if ps := words.Pieces(words.Clip(text, 80)); len(ps) > 0 && !ps[0].Han {
		return words.Stem(strings.ToLower(ps[0].Text))
	}
	return ""
}

// nameVerb is the verb that a tool is called by: the first word of its name, or the second where only that one begins what cards say of themselves
// (svc_get_weather); "" of a name that says nothing.
func (x *Index) nameVerb(e *cards.Entry) string {
	ps := words.Pieces(words.Clip(e.Name, 80))
	if e.Silent || len(ps) == 0 || ps[0].Han {
		return ""
	}
	verb := words.Stem(strings.ToLower(ps[0].Text))
	if len(ps) > 1 && !x.begins[verb] {
		if second := words.Stem(strings.ToLower(ps[1].Text)); x.begins[second] {
			return second
		}
	}
	return verb
}

// cardVerbs are those of name and description.
func (x *Index) cardVerbs(e *cards.Entry) map[string]bool {
	out := map[string]bool{}
	for _, v := range []string{x.nameVerb(e), firstWord(e.Description)} {
		if v != "" {
			out[v] = true
		}
	}
	return out
}
