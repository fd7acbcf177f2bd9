package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	// becomesEng: the address of the newest order | to Beijing Road 1; becomesHan: 改 | 成上海市南京路1号, 改为：轻拿轻放.
	becomesEng = words.MustCompile(`(?i)^\s*(?:the\s+)?(?:shipping |delivery |seller'?s? )?([a-z]+)\s+(?:of|for|on)\s+[^:,;]+?(\s*(?:\bto\b|\binto\b|:)\s*:?\s*\S.*)$`)
	becomesHan = words.MustCompile(`^(?:[成为到作]+[:：]?|[:：])\s*\S.+$`)
	aspectLast = words.MustCompile(`的([^的\P{Han}]{1,6}?)(?:都|全部?|统统|统一|一律|也)*$`)
	// saysInto: the verb itself leads to what it becomes: 改成 | 上海市南京路1号.
	saysInto = words.MustCompile(`[成为到]$`)
)

// becomesAt is where, in a text behind a verb of change, the words begin that something of a thing shall be from now on, an address or a note: they say nothing of which
// thing is meant, though a city may be in them. -1: none of the tools changes such a thing. before is what stands before the verb, word.
func becomesAt(before, word, rest string, takers map[*cards.Entry]*fields.Field) int {
	aspect, at := "", -1
	if m := becomesEng.FindStringSubmatchIndex(rest); m != nil {
		aspect, at = rest[m[2]:m[3]], m[4]
	} else if m := aspectLast.FindStringSubmatch(strings.TrimSpace(before)); m != nil && (becomesHan.MatchString(rest) || rest != "" && saysInto.MatchString(word)) {
		aspect, at = m[1], 0
	}
	if at < 0 || !slices.ContainsFunc(slices.Collect(maps.Keys(takers)), func(e *cards.Entry) bool { return changesText(e, aspect) }) {
		return -1
	}
	return at
}

// changesText reports whether a word names a text that a tool changes of a thing.
func changesText(e *cards.Entry, word string) bool {
	return slices.ContainsFunc(e.Params, func(f fields.Field) bool {
		return f.Present != "" && (f.Sort == fields.Text || f.Sort == fields.Person) && words.Mentions(f.Label("zh")+" "+f.Label("en")+" "+strings.ReplaceAll(f.Name, "_", " "), word)
	})
}
