package plan

import (
	"fmt"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Phrase is something that people say in passing, and what it means in the words of the cards: 平均一单多少 is the average order value.
type Phrase struct {
	Say    string   // a regular expression (RE2)
	Means  string   // what stands for it; ${1} is its first group
	Not    string   // a regular expression that its first group that is not empty must not hold; "": none
	Where  []string // a card of the house must speak of one of these words; nil: any house. 最热门的电影 is somebody's own word where nobody speaks of orders
	Unless string   // a regular expression that the request must not hold; "": none
}

// Phrasebook spells requests out, see [Options.Phrases]. It never changes, and any number of indexes may share one.
type Phrasebook struct{ phrases []phrase }

type phrase struct {
	say, not, unless *words.Pattern // not and unless: nil for none
	means            string
	where            []string
}

// NewPhrasebook reads phrases; they are tried in this order, each once. An error names the first whose expressions cannot be read.
func NewPhrasebook(all []Phrase) (*Phrasebook, error) {
	b := &Phrasebook{}
	known := map[string]*words.Pattern{"": nil} // groups share theirs
	for i, p := range all {
		out := phrase{means: p.Means, where: p.Where}
		for expr, to := range map[string]**words.Pattern{p.Say: &out.say, p.Not: &out.not, p.Unless: &out.unless} {
			if _, ok := known[expr]; !ok {
				read, err := words.Compile(expr)
				if err != nil {
					return nil, fmt.Errorf("phrase %d, %q: %w", i+1, p.Say, err)
				}
				known[expr] = read
			}
			*to = known[expr]
		}
		if out.say == nil {
			return nil, fmt.Errorf("phrase %d says nothing", i+1)
		}
		b.phrases = append(b.phrases, out)
	}
	return b, nil
}

// inFull is a request with its phrases spelled out, in a house whose cards speak of some words. What is quoted, or told to somebody, and what speaks of a file or holds
// code stays as it is. A nil Phrasebook knows none.
func (b *Phrasebook) inFull(text string, spoken map[string]bool) string {
	if b == nil || facts.FileName.MatchString(" "+text) || facts.SourceText.MatchString(text) {
		return text
	}
	for _, p := range b.phrases {
		m := p.say.FindStringSubmatchIndex(text)
		if m == nil || !p.here(spoken) || p.unless != nil && p.unless.MatchString(text) || p.not != nil && p.not.MatchString(firstGroup(text, m)) || verbatim(text)(m[0], m[1]) {
			continue
		}
		text = text[:m[0]] + string(p.say.ExpandString(nil, p.means, text, m)) + text[m[1]:]
	}
	return text
}

func (p phrase) here(spoken map[string]bool) bool {
	for _, w := range p.where {
		if spoken[w] || spoken[words.Stem(w)] {
			return true
		}
	}
	return len(p.where) == 0
}

// firstGroup is the first group of a match that is not empty; "" for none.
func firstGroup(text string, m []int) string {
	for i := 2; i < len(m); i += 2 {
		if m[i] < m[i+1] {
			return text[m[i]:m[i+1]]
		}
	}
	return ""
}
