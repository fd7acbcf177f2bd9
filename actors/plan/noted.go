package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// To put a note on a thing is said with the note as verb (备注订单 17：老客户, note on order 17: VIP), or as what is added (给订单 17 加个备注：易碎, leave a note on
// order 17 saying …). All of it is read as the change of the thing's note to what stands behind, and that is quoted: what a note says is nobody's wish, and its commas
// end nothing.

const (
	// aThingHan is what a note is put on: something with a number, or what this conversation calls it.
	aThingHan   = `(?:这个|那个|该)?(?:订单|单号|单子)?(?:编?号)?(?:为|是)?\s*#?\d{6,}(?:号)?(?:这个|那个|的)?(?:订单|单子|这单|那单)?|(?:这个|那个|该)(?:订单|单子)|[这那]单|它|(?:刚才|刚刚|上面)(?:的|那个|这个|查的)*(?:订单|单子|一单)|(?:第\s?[一二三四五六七八九十\d]{1,2}|最[新后早]的?(?:那|一)?)(?:个|单|笔)?(?:订单|单子)?`
	aThingEng   = `(?:the |this |that )?order (?:no\.? ?|number |#)?\d{6,}|#?\d{6,}|it|(?:this|that) (?:order|one)|the (?:first|second|third|fourth|fifth|last|newest|latest|oldest)(?: order| one)`
	noteSaysHan = `(?:一下|下|上|了)?\s*[:：,，]?\s*(?:(?:内容)?(?:写|是|为|说|注明|标注)(?:上|成|为)?)?\s*[:：,，]?\s*`
	noteSaysEng = `(?:\s*[:,]\s*|\s+(?:saying|reading|that (?:says|reads)|which (?:says|reads)|that|as|to say|with the text|to)\s*:?\s+)`
)

// notings are the ways to say it; of their groups one is the thing and one, the last, what the note shall say.
var notings = []*words.Pattern{
	words.MustCompile(`^(?:请|麻烦|帮我|帮忙|你|再|先|把|将|给)*(` + aThingHan + `|[^，,。；;：:？?\s]{1,24}?的?(?:订单|单子))\s*的?\s*(?:商家|卖家)?备注(?:都|全部?|统一)*(?:[改换写设]|更新|修改|变更)(?:成|为|到|上)?\s*[:：]?\s*([^?？\n]+)$`),
	words.MustCompile(`^(?:请|麻烦|帮我|帮忙|你|再|先)*(?:备注|标注)(?:一下|上|到)?(` + aThingHan + `)(?:\s*[:：,，]\s*|\s+)(?:备注|标注|内容)?[:：]?\s*([^?？\n]+)$`),
	words.MustCompile(`^(?:请|麻烦|帮我|帮忙|你|再|先)*(?:给|为|在|对|把|将)?\s*(` + aThingHan + `)(?:的|上|里|上面)?\s*[:：,，]?\s*(?:备注|注明|(?:加|写|添|打|做|留|补|新增|添加|标)(?:上|个|一个|条|一条|一下|下|写|商家|卖家|一句)*备注)` + noteSaysHan + `([^?？\n]+)$`),
	words.MustCompile(`^(?:请|麻烦|帮我|帮忙|你|再|先)*(?:给|为|在|对|把|将)\s*([^，,。；;：:？?\s]{1,24}?的?(?:订单|单子))(?:都|全部?|上|里)*\s*(?:备注|注明|(?:加|写|添|打|做|留|补|新增|添加|标)(?:上|个|一个|条|一条|一下|下|写|商家|卖家|一句)*备注)` + noteSaysHan + `([^?？\n]+)$`),
	words.MustCompile(`(?i)^(?:please |can you |could you )*(?:note|remark)(?: down)?(?: on| for| in| to)? (` + aThingEng + `)` + noteSaysEng + `([^?\n]+)$`),
	words.MustCompile(`(?i)^(?:please |can you |could you )*(?:add|put|leave|write|attach|make|set|give) (?:an? |the |this )?(?:seller(?:'s|’s)? |shop )?(?:note|remark)s? (?:to|on|for|in|at|of) (` + aThingEng + `)` + noteSaysEng + `([^?\n]+)$`),
	words.MustCompile(`(?i)^(?:please |can you |could you )*(?:change|update|edit|set) the (?:seller(?:'s|’s)? )?(?:note|remark)s? (?:of|on|for) (` + aThingEng + `) (?:to|as):? ([^?\n]+)$`),
	words.MustCompile(`(?i)^(?:please )?(` + aThingEng + `)\s*[:,]?\s+note(?:\s*:\s*|\s+)([^?\n]+)$`),
}

// notesFirst name what the note shall say before the thing: add the note “fragile” to order 17, 把“易碎”写到订单 17 的备注里.
var notesFirst = []*words.Pattern{
	words.MustCompile(`(?i)^(?:please |can you |could you )*(?:add|put|leave|write|attach) (?:an? |the )?(?:note|remark) (?:saying |that says |of )?(["“][^"”\n]+["”]|[^"“\n]{2,60}?) (?:to|on|for) (` + aThingEng + `)[.!]?$`),
	words.MustCompile(`(?i)^(?:please |can you |could you )*(?:add|put|write) (["“][^"”\n]+["”]) (?:as (?:a|the) note )?(?:to|on|in|into|for) (?:the notes? (?:of|on|for) )?(` + aThingEng + `)(?: as a note)?[.!]?$`),
	words.MustCompile(`^(?:请|麻烦|帮我|帮忙)*(?:把|将)(["“「][^"”」\n]+["”」])(?:写|加|记|添)(?:到|进|在|上)(` + aThingHan + `)的?备注(?:里|上|中)*[。！!]?$`),
}

var (
	// notSaid begins what is asked of a note, or tells of it; a note that is to go is none.
	notSaid = words.MustCompile(`(?i)^(?:是什么|什么|有|没有?|里|中|吗|呢|的|了|过|删|清空|去掉|信息|内容$|一下$|要?怎么|如何)|[吗呢]$|^(?:empty|nothing|something|anything|(?:an? )?new (?:one|note)|another(?: one| note)?)[.!]*$`)
	// alsoWished begins another wish behind a note that no sign opened: 备注加急，然后发货.
	alsoWished = words.MustCompile(`(?i)[，,]?\s*(?:并且|然后|同时|顺便)+|[，,]\s*(?:并|再)*\s*|,?\s+and (?:then|also)\s+|[。！!；;]+\s*`)
	// otherField is wished for the same thing: 收货人改成李四.
	otherField = words.MustCompile(`^(?:把|将)?(?:它?的)?(?:收货人|收件人|(?:收货)?地址|(?:收货)?电话|手机号?)(?:都|也)?(?:[改换写设]|更新|修改|变更)`)
	inQuotes   = words.MustCompile(`^["“「『]([^"”」』\n]+)["”」』]\s*[。.!！]*$`)
)

// notedDown is a wish to put a note on something, as the change of its note to what stands in quotes; "" for any other, and in a house that changes no notes.
func (x *Index) notedDown(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > maxPointing || !strings.Contains(text, "注") && !words.Holds(strings.ToLower(text), "note") && !words.Holds(strings.ToLower(text), "remark") {
		return ""
	}
	tools := x
	if x.behind != nil {
		tools = x.behind.index
	}
	if !slices.ContainsFunc(tools.entries, func(e *cards.Entry) bool { return !e.Reads() && !e.IsAgent() && changesText(e, "备注") }) {
		return ""
	}
	thing, note := "", ""
	for _, re := range notings {
		if m := re.FindStringSubmatch(text); m != nil {
			thing, note = m[1], m[2]
			break
		}
	}
	for _, re := range notesFirst {
		if m := re.FindStringSubmatch(text); thing == "" && m != nil {
			note, thing = m[1], m[2]
		}
	}
	if note = strings.TrimSpace(note); thing == "" || note == "" || notSaid.MatchString(note) {
		return ""
	}
	rest := ""
	if m := inQuotes.FindStringSubmatch(note); m != nil {
		note = m[1]
	} else {
		if end := wishes.SaidUntil(note, 0); end < len(note) {
			note, rest = note[:end], note[end:]
		}
		for _, m := range alsoWished.FindAllStringIndex(note, 20) {
			lone := strings.Trim(note[m[0]:m[1]], "，, ") == ""
			if after := note[m[1]:]; m[0] > 0 && after != "" && (otherField.MatchString(after) || !lone && (wishes.Splitter{}).Begins(after)) {
				note, rest = note[:m[0]], note[m[0]:]+rest
				break
			}
		}
	}
	whole := note
	note = strings.TrimRight(note, " 。.！!；;")
	if rest != "" {
		rest = whole[len(note):] + rest
	}
	if note == "" || strings.ContainsAny(note, `"“”「」`) {
		return ""
	}
	if strings.Contains(text, "注") {
		return "把" + strings.TrimSuffix(thing, "的") + "的备注改成「" + note + "」" + rest
	}
	return "change the note of " + thing + " to “" + note + "”" + rest
}
