package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A tool that searches somebody's own texts may tell by what words they speak (x-holds of the parameter that takes the question). A question in words that no
// other tool knows and these texts do is theirs, whatever it sounds like: 年假有几天 asks for no orders.

const (
	// inTexts is what that is worth: more than a rule book is for a question of what is allowed.
	inTexts = 2.5 + knowing
	// ofTexts is the share of such words that the texts must have.
	ofTexts = 0.6
)

// askedOfTexts are the words that ask, beside which nothing is a word of the texts: 几天, 几点.
var askedOfTexts = words.MustCompile(`(?:几|多少|哪一?)(?:[天点个年月日号元块钱次条周岁名位]|小时|分钟|时候)?|多[久长大远高](?:时间)?|什么时候|什么时间|何时|什么|怎么|如何|哪里|哪儿|[谁吗呢]`)

// texts are the words of what a tool searches: pairs of Chinese signs, and stems.
type texts struct {
	e     *cards.Entry
	words map[string]bool
}

// hold reads what the tools on offer tell of the texts that they search.
func (x *Index) hold() {
	for _, e := range x.entries {
		for i := range e.Params {
			if told := e.Params[i].Holds; told != "" && e.Reads() && !e.IsAgent() {
				x.texts = append(x.texts, texts{e, pairsAndStems(told)})
			}
		}
	}
	if x.texts == nil {
		return
	}
	x.besides = map[string]bool{}
	for _, e := range x.entries { // an agent speaks in the words of its tools
		if !e.IsAgent() && !slices.ContainsFunc(x.texts, func(t texts) bool { return t.e == e }) {
			for _, w := range words.Content(cards.Wording(e.Card)) {
				x.besides[w] = true
			}
		}
	}
}

func pairsAndStems(text string) map[string]bool {
	out := map[string]bool{}
	for _, p := range words.Pieces(text) {
		if !p.Han {
			out[words.Stem(strings.ToLower(p.Text))] = true
			continue
		}
		signs := []rune(p.Text)
		for i := 1; i < len(signs); i++ {
			out[string(signs[i-1:i+1])] = true
		}
	}
	return out
}

// holder is the tool whose texts a question is one to; nil when it is none. What names an order, a product or a file is the house's.
func (x *Index) holder(c wishes.Clause, g *goal, about string) *cards.Entry {
	if len(x.texts) == 0 || len(c.Change) > 0 || c.Refuses(g.text) || ofHouse.MatchString(c.Text) || slices.ContainsFunc(facts.Within(g.facts, c.Start, c.End), func(f facts.Fact) bool {
		switch f.Kind {
		case facts.Digits, facts.Phone, facts.Code, facts.Link, facts.Known, facts.Path, facts.Source:
			return true
		}
		return false
	}) {
		return nil
	}
	all := slices.DeleteFunc(words.Content(askedOfTexts.ReplaceAllString(about, " ")), func(w string) bool { return len(w) <= utf8.UTFMax && words.IsHan(words.FirstRune(w)) })
	strange := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return x.besides[w] })
	if len(strange) == 0 || 2*len(strange) < len(all) {
		return nil
	}
	for _, t := range x.texts {
		held := 0
		for _, w := range strange {
			if t.words[w] || t.words[words.Stem(w)] {
				held++
			}
		}
		if float64(held) >= ofTexts*float64(len(strange)) {
			return t.e
		}
	}
	return nil
}
