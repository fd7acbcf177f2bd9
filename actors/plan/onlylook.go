package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Who refuses a change and wishes to see the things instead calls them by their name in the refusal alone: don't cancel any order, just list those of 唐娟.

var (
	// partsEnd is where one part of a sentence ends and another may begin.
	partsEnd = words.MustCompile(`(?i)[，,;；。.!！、—]+\s*|\s(?:but|and)\s|但是?|而是`)
	// refusedThing is what a change is refused for, by the kind of it.
	refusedThing = words.MustCompile(`(?i)(订单|退款|退货|发票|商品|包裹|客户|买家|价格|售价|库存)|\b(order|refund|return|invoice|product|parcel|shipment|customer|buyer)s?\b`)
	// looksOnly begins what shall be looked up, behind what only says that no more is wished than that.
	looksOnly = words.MustCompile(`(?i)^(?:只是?|就|仅仅?|光|先|请|麻烦|我?只?想|我?只?要|帮我|给我|把|\s)*(?:列|查|看|显示|展示|给我|告诉|统计|数|找|有)|^(?:(?:just|only|simply|merely|please|i (?:just |only )?(?:want|need|would like|wish)(?: you)?(?: to)?|let me|instead|but|rather)[\s,]+)*(?:list|show|see|look|find|tell|give|count|view|display|check)\b`)
	// standsFor stands for the things that the refusal named.
	standsFor = words.MustCompile(`(?i)\b(?:the (?:ones?|others?)|those|them|these|ones)\b`)
	// openEnd ends a Chinese phrase in what the things are told by, without them.
	openEnd = words.MustCompile(`的([一下出来\s吧啊呀吗呢。.!！？?]*)$`)
	// whichOnes asks for them without a name for them.
	whichOnes = words.MustCompile(`(哪些|多少|几个?)([吗呢\s。！？?]*)$`)
)

// onlyLook is a request that refuses a change and then wishes to see the things of the refusal, as the wish to see them alone, in full; "" for any other.
func (x *Index) onlyLook(g *goal) string {
	text := strings.TrimSpace(g.text)
	if g.fresh > 0 || g.lost != nil || len(text) > maxPointing || strings.Contains(text, "\n") || words.LongNumber.MatchString(text) || len(wishes.ChangeVerbs(text)) == 0 || len(toldOrQuoted(text)) > 0 {
		return ""
	}
	for _, m := range partsEnd.FindAllStringIndex(text, 8) {
		no, look := text[:m[0]], text[m[1]:]
		if !(wishes.Clause{Text: no, End: len(no)}).OnlyRefuses(no) || !looksOnly.MatchString(look) || len(wishes.ChangeVerbs(look)) > 0 || refusedThing.MatchString(look) {
			continue
		}
		named := refusedThing.FindAllStringSubmatch(no, -1)
		if len(named) == 0 || len(named) > 1 && named[0][0] != named[len(named)-1][0] || len(x.facts(no, g.now)) > len(datesOf(x.facts(no, g.now))) {
			return ""
		}
		if thing := strings.Replace(named[0][1], "价格", "售价", 1); thing != "" { // what it is, and not what it should be
			switch {
			case openEnd.MatchString(look):
				return openEnd.ReplaceAllString(look, "的"+thing+"$1")
			case whichOnes.MatchString(look):
				return whichOnes.ReplaceAllString(look, "$1"+thing+"$2")
			}
			return ""
		}
		if things := strings.ToLower(named[0][2]) + "s"; standsFor.MatchString(look) {
			at := standsFor.FindStringIndex(look)
			return look[:at[0]] + "the " + things + look[at[1]:]
		}
		return ""
	}
	return ""
}
