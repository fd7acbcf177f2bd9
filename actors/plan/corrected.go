package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A turn may correct the one before it, ask for it once more, or go back to an earlier one: no, last month; 不对，是李建国的; I meant the third one; 再来一遍; back to the orders.

var (
	// corrects is a correction; its last group that is not empty is what it says in the place of what was said.
	corrects = words.MustCompile(`(?i)^(?:(?:哦|啊|呃|不对|不是的?|错了|搞错了|说错了|弄错了|不好意思|抱歉|等等|等一下)[了吧]?[,，。!！、\s]+)+(?:其实|应该)?(?:我?(?:说|问|指|要|想看|想要|想问)?的?(?:应该)?是|我?(?:要|想要|想看|看))?(.{1,40})$` +
		`|^我(?:刚才)?(?:(?:说|问|指|要|想看|想问)的(?:其实)?是|是(?:说|指|问))(.{1,40})$` +
		`|^(?:(?:no|oh|sorry) )?(?:(?:no|nope|sorry|oh|oops|wait|wrong|not that(?: one)?|not this one)[,.!;]+ *(?:actually,? )?)+(?:i (?:meant?|want(?:ed)?)|make (?:it|that)|(?:it|that)(?:'s| is| was))? ?(.{1,60})$` +
		`|^(?:(?:no|sorry|oh|oops|actually|wait),? )*i meant?(?: to (?:say|ask))?,? (?:about |for )?(.{1,60})$|^actually,? ((?:the|in|for|of|last|this|next|only|from) .{1,50})$`)
	// onceMore wishes the answer before it again.
	onceMore = words.MustCompile(`(?i)^(?:请|麻烦|帮我|那|就|，|\s)*(?:再|重新?)(?:来|做|查|算|看|说|问|统计|列|跑)?(?:一?[遍次下]|一回)[吧呢啊\s。.!！?？]*$|^(?:please |now |ok,? |can you )*(?:(?:once|one) more(?: time)?|(?:do|run|show|check|try|tell me|say|repeat)(?: (?:it|that|this))?(?: once| one)?(?: again| more(?: time)?)|again|repeat (?:it|that|this))(?: please)?[.!? ]*$`)
	// goesBack goes back to a subject; its groups are what that is called.
	goesBack = words.MustCompile(`(?i)^(?:好的?|那|先|我们|咱们|，|\s)*(?:再?回到|说回|回头[看说])(?:刚才|之前|前面|上面|一下|那个|的)*(.{1,20}?)(?:的?(?:话题|问题|上面|那里|上)?)?[吧呢\s。.!！]*$` +
		`|^(?:ok(?:ay)?,? |now,? |so,? |let's |let us |please )*(?:go |going |get |come )?back to (?:the |those |these |that )?(.{2,40}?)(?: (?:again|then|now|please))?[.! ]*$`)
	// withOthers are other days to compare with.
	withOthers = words.MustCompile(`(?i)^(?:with|to|against) `)
	// otherOne is the one of two that was not spoken of.
	otherOne = words.MustCompile(`(?i)^(?:the )?other(?: one)?[.! ]*$|^另外?(?:那|的)?一?个[吧。!！\s]*$`)
)

// corrected is such a turn as the request that it makes of an earlier one; "" for any other. rest is what a correction says, to be read for itself where it takes the place of
// nothing.
func (x *Index) corrected(g *goal, text string, history []earlier) (full, rest string) {
	base := standing(history)
	switch {
	case onceMore.MatchString(text):
		if base != "" && !SmallTalk(base) && !x.wishesChange(base) {
			return base, ""
		}
		return "", ""
	case goesBack.MatchString(text):
		m := goesBack.FindStringSubmatch(text)
		if full = x.spokenBefore(m[1]+m[2], history); full == "" && m[1] != "" {
			rest = m[1] + "呢"
		}
		return full, rest
	}
	m := corrects.FindStringSubmatch(text)
	if m == nil {
		return "", ""
	}
	rest = strings.TrimSpace(strings.Join(m[1:], ""))
	if base == "" || strings.Contains(base, "\n") || (wishes.Splitter{Verbs: x.verbs, Topics: x.trade}).Begins(rest) {
		return "", rest
	}
	if withOthers.MatchString(rest) && comparedTail.MatchString(base) {
		return x.goesWith(g, "compared "+rest, base), rest
	}
	said := rest
	if otherOne.MatchString(rest) {
		if said = x.otherRow(base, history); said == "" {
			return "", rest
		}
	}
	fact := bare(strings.TrimRight(said, "。.!！?？ "))
	if row := x.rowBeside(g, base, fact, history); row != "" {
		fact = row
	} else if who := x.possessor(said, g); who != "" {
		fact = who
	} else if put, how := x.refer(g, fact, history); how != "" {
		fact = strings.TrimSpace(put)
	}
	if g.lost != nil {
		return "", rest
	}
	for _, f := range []string{fact, "in " + fact, strings.TrimSuffix(strings.TrimSuffix(fact, "的"), "'s")} {
		if full := x.instead(g, base, f); full != "" {
			return full, ""
		}
	}
	return "", rest
}

// spokenBefore is the newest request that speaks of a subject, and changes nothing; "" for none.
func (x *Index) spokenBefore(subject string, history []earlier) string {
	for _, e := range slices.Backward(history) {
		if strings.EqualFold(strings.TrimRight(e.Request, words.EndMarks+"?？"), subject) && !e.closed() && !x.wishesChange(e.Request) {
			return e.Request
		}
	}
	called := append([]string{subject}, words.AlsoCalled(strings.ToLower(strings.TrimSuffix(subject, "s")))...)
	for _, e := range slices.Backward(history) {
		if !e.closed() && !strings.Contains(e.Request, "\n") && !missed.MatchString(e.Answer) && !x.wishesChange(e.Request) &&
			slices.ContainsFunc(called, func(n string) bool { return n != "" && words.Holds(e.Request, n) }) {
			return e.Request
		}
	}
	return ""
}

// rowBeside is the place that a text says, in the newest list that holds what a request is about: the second one, where it was about the first. "" for none.
func (x *Index) rowBeside(g *goal, base, text string, history []earlier) string {
	places := placesIn(text, history)
	if len(places) != 1 || places[0].from < 1 || places[0].from != places[0].to {
		return ""
	}
	for _, e := range slices.Backward(history) {
		for _, l := range e.lists {
			for c := range l.heads {
				if len(l.rows) < places[0].from {
					continue
				}
				holds := func(r []string) bool {
					return nameOnly(r[c]) && x.otherThing(r[c]) && strings.Contains(base, r[c])
				}
				if row := l.rows[places[0].from-1][c]; len(l.rows) > 1 && slices.ContainsFunc(l.rows, holds) && nameOnly(row) && x.otherThing(row) {
					return row
				}
			}
		}
	}
	return ""
}

// otherRow is the one of a list of two that a request does not name; "" where no such list was shown.
func (x *Index) otherRow(base string, history []earlier) string {
	for _, e := range slices.Backward(history) {
		for _, l := range e.lists {
			if len(l.rows) != 2 || l.cut {
				continue
			}
			for c := range l.heads {
				for i, r := range l.rows {
					if other := l.rows[1-i][c]; nameOnly(r[c]) && strings.Contains(base, r[c]) && nameOnly(other) && x.otherThing(other) && other != r[c] {
						return other
					}
				}
			}
		}
	}
	return ""
}
