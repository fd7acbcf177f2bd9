package plan

import (
	"regexp"
	"slices"
	"strings"
)

// A wish that no word of the catalogue speaks of stands behind no verb that the planner knows, and would go with the wish beside it as a mere
// circumstance: 查王萍萍的订单，然后画一张图. It is taken out of that and said to be nothing that can be done here.

var (
	parting = regexp.MustCompile(`(?i)[，,。；;！!?？\n]+\s*(?:and\s+|then\s+|also\s+)*|然后|接着|顺便|并且|\s+and then\s+|\s+and also\s+|\s+and\s+|\s+then\s+`)
	// outsideHan: 帮我订一张机票, 画一张图, 再唱首歌; outsideEnglish: sing me a song.
	outsideHan     = regexp.MustCompile(`^\s*(?:(?:请|麻烦|再|也|还|另外|你)*(?:帮我|给我|替我|为我)(?:再|也)?\p{Han}{2,}|(?:请|再|也|还)*\p{Han}{1,2}(?:一?[张首篇幅段支份封个顿杯场])\p{Han}{1,8}\s*$)`)
	outsideEnglish = regexp.MustCompile(`(?i)^\s*(?:please\s+)?([a-z]{3,})\s+(?:me|us|a|an|some|the)\s+[a-z]`)
)

// maxAside is how much of a request is searched for such wishes, in bytes: what a person says beside the matter is short. What stands beyond it
// goes with the wish beside it.
const maxAside = 1000

// outside finds such wishes, takes them out of the clauses that they stand at the end or the beginning of, and returns them; nil when the whole
// request is one, or there is none.
func (x *Index) outside(g *goal) []clause {
	if x.behind != nil {
		x = x.behind.index
	}
	var out []clause
	at := 0
	head := clip(g.text, maxAside)
	ends := parting.FindAllStringIndex(head, -1)
	if len(head) == len(g.text) {
		ends = append(ends, []int{len(head), len(head)})
	}
	shorter := map[int]bool{}
	for _, m := range ends {
		part := span(g.text, at, m[0])
		at = m[1]
		i := slices.IndexFunc(g.clauses, func(c clause) bool { return c.start <= part.start && part.end <= c.end })
		if i < 0 || part.text == "" || !x.strangeTo(g, part) {
			continue
		}
		switch c := &g.clauses[i]; {
		case strings.TrimSpace(g.text[part.end:c.end]) == "" && part.start > c.start:
			c.end = part.start
			for _, p := range parting.FindAllStringIndex(g.text[c.start:part.start], -1) {
				if c.start+p[1] == part.start {
					c.end = c.start + p[0]
				}
			}
		case strings.TrimSpace(g.text[c.start:part.start]) == "" && part.end < c.end:
			c.start = part.end
		default:
			continue
		}
		shorter[i] = true
		out = append(out, part)
	}
	for i := range shorter {
		s := span(g.text, g.clauses[i].start, min(g.clauses[i].end, len(g.text)))
		s.after, s.further, s.half = g.clauses[i].after, g.clauses[i].further, g.clauses[i].half
		s.classify(g.text)
		g.clauses[i] = s
	}
	return out
}

// strangeTo reports whether a part of the request wishes for something in words of which the catalogue knows none.
func (x *Index) strangeTo(g *goal, part clause) bool {
	if len(within(g.facts, part.start, part.end)) > 0 || questionHan.MatchString(part.text) || questionEng.MatchString(part.text) || len(changeVerbs(part.text)) > 0 {
		return false
	}
	if m := outsideEnglish.FindStringSubmatch(part.text); m == nil && !outsideHan.MatchString(part.text) || m != nil && stopEnglish[strings.ToLower(m[1])] {
		return false
	}
	words := content(part.text)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return x.heard[w] > 0 || x.trade[w] })
}
