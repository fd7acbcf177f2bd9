package plan

import (
	"regexp"
	"strings"
)

// act is a way of using data beyond looking it up: to say what would be wise, or what will be. A tool of such an act serves requests
// for it and no others: what a thing costs is not what it should cost.
type act int

const (
	actAdvise act = iota
	actForesee
	acts // how many there are
)

// madeFor are the words by which a card says that it is made for an act, askedBy those by which a request asks for it. They are
// knowledge of the languages.
var (
	madeFor = [acts]*regexp.Regexp{
		regexp.MustCompile(`(?i)建议|推荐|策划|\b(?:suggest|recommend|propose|advise|advice)`),
		regexp.MustCompile(`(?i)预测|预估|\b(?:forecast|predict)`),
	}
	askedBy = [acts]*regexp.Regexp{
		regexp.MustCompile(`(?i)建议|推荐|策划|方案|合适|划算|值得|值不值|应该|该不该|要不要|怎么(?:分|定|卖|做|办|投)|如何(?:分|定|卖|做|投)|合理|分配|定价|定多少|\b(?:suggest\w*|recommend\w*|propos\w*|advi[sc]e\w*|should|whether to|worth\w*|wise|split|allocate|how (?:best|should)|idea|ideas|opportunit(?:y|ies)|plan)\b`),
		regexp.MustCompile(`(?i)预测|预估|预计|预期|估计|估算|大概(?:能|会)?卖|未来|接下来|将会|会卖|能卖|\b(?:forecast\w*|predict\w*|expect\w*|estimat\w*|project(?:ed|ion)s?|outlook|will (?:we|i|it|they|be)|going to|future|upcoming)\b`),
	}
)

// acting are the acts that a card is made for, by its name and the first thing it says of itself.
func (e *entry) acting() (out [acts]bool) {
	if e.IsAgent() {
		return out
	}
	text := strings.ReplaceAll(e.Name, "_", " ") + " " + head(e.name("zh")) + " " + head(e.name("en"))
	for a, re := range madeFor {
		out[a] = re.MatchString(text)
	}
	return out
}

// asking are the acts that a clause asks for: by its words, or by a time that is still to come.
func (c clause) asking(g *goal) (out [acts]bool) {
	for a, re := range askedBy {
		out[a] = re.MatchString(c.text)
	}
	out[actAdvise] = out[actAdvise] || c.advice
	for _, f := range within(g.facts, c.start, c.end) {
		if p, ok := f.value.(period); ok && f.from == "" && p.From.After(day(g.now)) {
			out[actForesee] = true
		}
	}
	return out
}

// acted is what it is worth that a tool is made for what is asked, or is not.
func acted(tool, asked [acts]bool) float64 {
	sum := 0.0
	for a := range acts {
		switch {
		case tool[a] && asked[a]:
			sum += 0.4
		case tool[a]:
			sum -= 0.4
		case asked[a] && a == actForesee:
			sum -= 0.6 // records do not know the future
		}
	}
	return sum
}
