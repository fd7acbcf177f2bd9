package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// courtesies are what people say out of politeness, which names nothing that is wanted: in a wish "so kind" would be a kind and "in advance" a condition.
var courtesies = words.MustCompile(`(?i)` +
	// before the wish
	`\b(?:(?:could|can|would|will) you(?: (?:please|kindly|possibly|perhaps))* be (?:so|very|as) (?:kind|good|nice)(?: as to| enough to| and)?|(?:please )?be so (?:kind|good)(?: as to| and)|` +
	`(?:i(?:['’]d| would)(?: really| very much| be| greatly| so| most| very| deeply| truly)* (?:appreciate it|grateful|thankful|obliged)|it would be (?:great|nice|lovely|wonderful|very kind|kind of you|helpful|much appreciated)|i (?:was|am) (?:just )?wondering) if (?:you|i) (?:could|would|can|might)(?: (?:please|kindly|possibly|perhaps|maybe))*|` +
	`do me (?:a|the) favou?r(?: and|,)?|(?:sorry|apologies) (?:to|for) (?:bother|disturb|trouble|bothering|disturbing|troubling)(?:ing)? you(?: again)?(?:,? but)?|(?:i )?hope (?:that )?(?:you(?:['’]re| are) (?:doing )?well|this (?:message|email|note) finds you well|all is well)|dear (?:team|all|assistant|hmap|sir or madam)|` +
	// beside it
	`if it(?:['’]s| is| isn['’]t| is not) (?:not )?(?:too|to|at all|any|possible|convenient)(?: (?:much|any|of a))*(?: (?:trouble|bother|hassle))?(?: for you)?|(?:if|when(?:ever)?|once) you (?:have|get|find|can spare|find) (?:a|some|the|one) ?(?:spare |free |quick |little )?(?:moment|minute|second|time|chance)(?: for it)?|if you (?:do not|don['’]t|would not|wouldn['’]t) mind|if (?:at all )?possible|at your (?:earliest )?convenience|` +
	// behind it
	`(?:(?:and )?(?:many|a thousand) thanks|(?:and )?thank(?:s| you)(?: (?:so|very) much| a lot| a million| kindly)?|much (?:appreciated|obliged)|cheers)(?: (?:in advance|again|already|for (?:your|the|all(?: your)?|any) (?:help|time|support|assistance|effort|work|kindness|patience)))*|have a (?:nice|great|good|lovely|wonderful) (?:day|evening|weekend|one|time|week)|(?:kind|best|warm) regards)\b` +
	`|(?:请?(?:您|你)?(?:能不能|能否|可否)?在?百忙之中(?:抽出?(?:点|一点|些)?(?:时间|空)?)?|抽(?:个|点|出?时间|时间|一?下?空)(?:来|去)?)|(?:不好意思|抱歉|冒昧)(?:[，,]?(?:又|再次?)?(?:打扰|打搅|麻烦|叨扰)(?:一下|一?下|到?(?:您|你|大家)|了)*)|(?:打扰|打搅|叨扰)(?:一下|(?:您|你|大家)了?|了)|` +
	`(?:如果|要是|若)?(?:您|你)?(?:方便|有空|得空|有时间)的(?:话|时候)|(?:^|[\s，,。.！!；;？?])(?:先|提前|在此|预先|再次)?(?:非常|十分|万分|特别|真的?|太|多多|衷心|由衷)?(?:谢谢|感谢|多谢)(?:(?:您|你|你们|大家)(?:的(?:帮助|帮忙|支持|理解|耐心|配合))?|了|啦|啊|先)*|感激不尽|不胜感激|(?:拜托|辛苦|有劳|劳烦|劳驾)(?:您|你|大家)?(?:了|啦)?|祝(?:您|你)?(?:生活|工作|一切|万事)?(?:愉快|顺利|安好|如意|好)` +
	// at the end: that it be told when it is done, which it is in any case, and that nothing more be done
	`|(?:[,;.]|\b(?:and|then))\s*(?:please )?(?:keep (?:me|us) (?:posted|informed|updated|in the loop)|let (?:me|us) know(?: (?:when|once|after|how)(?: (?:it|that|this|you|they))?(?:['’]s|['’]re| is| are)?(?: (?:done|finished|ready|goes|went))?)?|report back(?: to (?:me|us))?|nothing (?:else|more)|that(?:['’]s| is) (?:all|it)(?: for (?:now|today))?|(?:leave|keep) everything else (?:as it is|unchanged|alone)|everything else (?:stays|remains)(?: as it is| unchanged| the same)?)\s*[.!]*$` +
	`|[，,。；;\s](?:(?:有|出)了?(?:消息|结果|情况|问题)|(?:都|全)?(?:处理|弄|办|搞|做|改|操作)?(?:完|好|成|定|完成)(?:了|之?后|以后)*)[，,]?(?:再|就|请|记得|要|跟|和|给|第一时间)*(?:(?:告诉|告知|通知|回复|知会|汇报)(?:我|我们|一下|一声)+|[跟和]?我(?:说|讲)(?:一?声|一下)|说一声)[。！!]*$` +
	`|[，,。；;！!\s](?:请|麻烦)?(?:你|您)?(?:快|快点|赶紧|赶快|尽快|抓紧|速度|越快越好|急|急急急|很急|在线等|马上|立刻)(?:点|的|啊|吧|呀|哦|处理|办|弄|一点|一下)*[。！!]*$|(?:,|;|!|\.)\s*(?:please |pls )?(?:hurry(?: up)?|asap|as soon as possible|quick(?:ly)?|right now|right away|now|fast|urgent(?:ly)?|chop chop)\s*[.!]*$` +
	`|[，,。；;\s](?:其[他它余]|别)的?(?:都|全部?)?(?:保持|维持)?(?:照旧|照常|不变|不用管|不管|不用动了?)[。！!]*$`)

// plainWish is a request without its courtesies; the request itself where nothing else is left of it. What is quoted or told to somebody stays as it is: there a
// thank you is content.
func plainWish(text string) string {
	found := courtesies.FindAllStringIndex(text, 20)
	if len(found) == 0 {
		return text
	}
	taken := verbatim(text)
	var out strings.Builder
	var seams []int // where something was taken out
	at := 0
	for _, m := range found {
		if m[0] >= at && !taken(m[0], m[1]) {
			mark := ""
			if first, size := utf8.DecodeRuneInString(text[m[0]:]); unicode.IsPunct(first) {
				mark = text[m[0] : m[0]+size]
			}
			if after, _ := utf8.DecodeRuneInString(text[m[1]:]); mark == "" && !words.IsHan(after) && !unicode.IsPunct(after) {
				mark = " "
			}
			out.WriteString(strings.TrimRight(text[at:m[0]], " ") + mark)
			seams = append(seams, out.Len()-len(mark))
			if at = m[1]; asksSo.MatchString(text[m[0]:m[1]]) { // and only so: what follows is a wish
				for i := at; i < len(text); i++ {
					if text[i] == '?' && !taken(i, i+1) {
						text = text[:i] + "." + text[i+1:]
						break
					}
				}
			}
		}
	}
	if at == 0 {
		return text
	}
	out.WriteString(text[at:])
	plain, last := "", 0
	joined := out.String()
	for _, m := range doubled.FindAllStringSubmatchIndex(joined, -1) {
		if slices.ContainsFunc(seams, func(seam int) bool { return m[0] <= seam && seam <= m[1] }) {
			plain, last = plain+joined[last:m[0]]+joined[m[2]:m[3]]+" ", m[1]
		}
	}
	plain = atEdges.ReplaceAllString(plain+joined[last:], "")
	if letters.MatchString(plain) {
		return plain
	}
	return text
}

var (
	// asksSo is a courtesy that makes a question of a wish.
	asksSo = words.MustCompile(`(?i)^(?:could|can|would|will) you|wondering`)
	// atEdges are marks and words at the ends of a text that a courtesy has left alone.
	atEdges = words.MustCompile(`^(?:[\s,，。.!！;；:：~～]|(?:but|and|hi|hello)\b[\s,，]+|[您你]好[\s,，!！。]+)+|(?:[\s,，;；~～]|[!！](?:[\s!！]|$)|\b(?:and|,)\s*$)+$`)
	// doubled are marks one after the other, as where a courtesy stood between them.
	doubled = words.MustCompile(`\s*([,，。.;；!！?？])(?:\s*[,，。.;；!！])+\s*`)
	letters = words.MustCompile(`\pL.*\pL`)
)
