package plan

import (
	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	askedBy = [cards.Acts]*words.Pattern{
		words.MustCompile(`(?i)建议|推荐|策划|方案|合适|划算|值得|值不值|应该|该不该|要不要|怎么(?:分|定|卖|做|办|投)|如何(?:分|定|卖|做|投)|合理|分配|定价|定多少|\b(?:suggest\w*|recommend\w*|propos\w*|advi[sc]e\w*|should|whether to|worth\w*|wise|split|allocate|how (?:best|should)|idea|ideas|opportunit(?:y|ies)|plan)\b`),
		words.MustCompile(`(?i)预测|预估|预计|预期|估计|估算|大概(?:能|会)?卖|未来|接下来|将会|会卖|能卖|\b(?:forecast\w*|predict\w*|expect\w*|estimat\w*|project(?:ed|ion)s?|outlook|will (?:we|i|it|they|be)|going to|future|upcoming)\b`),
	}
)

// asking are the acts that a clause asks for: by its words, or by a time that is still to come.
func asking(c wishes.Clause, g *goal) (out [cards.Acts]bool) {
	for a, re := range askedBy {
		out[a] = re.MatchString(c.Text)
	}
	out[cards.ActAdvise] = out[cards.ActAdvise] || c.Advice
	for _, f := range facts.Within(g.facts, c.Start, c.End) {
		if p, ok := f.Value.(facts.Period); ok && f.From == "" && p.From.After(facts.Day(g.now)) {
			out[cards.ActForesee] = true
		}
	}
	return out
}

// acted is what it is worth that a tool is made for what is asked, or is not.
func acted(tool, asked [cards.Acts]bool) float64 {
	sum := 0.0
	for a := range cards.Acts {
		switch {
		case tool[a] && asked[a]:
			sum += 0.4
		case tool[a]:
			sum -= 0.4
		case asked[a] && a == cards.ActForesee:
			sum -= 0.6 // records do not know the future
		}
	}
	return sum
}
