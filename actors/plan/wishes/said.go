package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// IsMessage and saidWhat: a message's text is what follows 说, saying, or a colon; IsReason and saidWhy: a reason follows because.
// AMessage tells of a message and is none itself.
var (
	// IsMessage and IsReason are names of parameters that take what is said to somebody, and why.
	IsMessage = words.MustCompile(`(?i)^(?:text|message|content|body)\b|消息内容|内容|短信|留言`)
	IsReason  = words.MustCompile(`(?i)^(?:reason|cause|why|remark|note)\b|原因|理由|说明|备注`)
	// saidWhy stands before a reason, AMessage before what is to be told.
	saidWhy  = words.MustCompile(`(?i)(?:因为|由于|原因是?|理由是?|\bbecause(?: of)?|\bsince|\bdue to|\breason(?: is)?)[，,:：\s]*(.{2,200})$`)
	AMessage = words.MustCompile(`(?i)^(?:一?[条封个份则])?[^，,。；;！!]{0,12}(?:消息|短信|信|信息|通知|留言|话)$|^an? [\w ]{0,30}(?:message|note|letter|apology|reply|mail|e-mail)$`)
	saidWhat = words.MustCompile(`(?i)(?:告诉(?:他们?|她|对方|买家)|说明[，,:：]|说(?:一?声|一下|明一下)?|内容(?:是|为)|写[上明着道]|saying(?: that)?|says?(?: that)?|[:：])[，,:：]?\s*(.{2,500})$`)
)

// saysTo: "tell the buyer of order 17 it ships tomorrow", with nothing between the person and the message; what only names it ("about the
// delay", "how to", "the news") is none.
var saysTo = words.MustCompile(`(?i)\b(?:tell|inform|notify|let|message|text|email|write to|reply to)\s+(?:(?:the|our|my|this|that|all|these|those|both)\s+)*(?:buyers?|customers?|clients?|him|her|them)(?:\s+of\s+(?:(?:,|and|&|the|orders?|no\.?|number)\s*)*#?\d[\w-]*(?:(?:\s|,|\band\b|&|\borders?\b)*#?\d{4}[\w-]*)*)?(?:\s+know)?(?:\s+that)?,?\s+(.{2,500})$`)

// saysToNamed: "write to Hu Xuan and Wang Pingping that it ships tomorrow".
var saysToNamed = words.MustCompile(`(?i)\b(?:(?:tell|inform|notify|message|write to|reply to)|(?:send|write)(?: an?)? (?:message|note|text|sms)s? to)\s+` + capitals + `(?:\s*(?:,|,?\s+and|&)\s+` + capitals + `)*(?:\s+that)?,?\s+(.{2,500})$`)

// capitals is a name in Latin letters.
const capitals = `(?-i:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+)`

var onlyTopic = words.MustCompile(`(?i)^(?:about|of|on|how|when|where|why|what|which|who|whether|if|to|with|by|via|in|and|or|for|the (?:news|truth|reason|status|details?)|know|whose|now|please|because|before|after)\b`)

// Reason is where in a text a reason begins, with the word before it and without; ok is false when there is none. Since Monday is none, and since it was used is.
func Reason(text string) (cue, start int, ok bool) {
	m := saidWhy.FindStringSubmatchIndex(text)
	if m == nil || sinceWord.MatchString(text[m[0]:m[2]]) && !sinceClause.MatchString(text[m[2]:]) {
		return 0, 0, false
	}
	return m[0], m[2], true
}

var (
	sinceWord   = words.MustCompile(`(?i)^since\b`)
	sinceClause = words.MustCompile(`(?i)^(?:it|its|they|their|he|she|we|i|you|this|there|nobody|no one|no|(?:the|that) [a-z]+ (?:is|are|was|were|has|have|had|did|does|do|never|came|broke|arrived|wants?|wanted))\b`)
)

// SaidFrom is where in a text the message begins that somebody shall get, up to the end of the text.
func SaidFrom(text string) (start int, ok bool) {
	if m := saidWhat.FindStringSubmatchIndex(text); m != nil {
		return m[2], true
	}
	if m := saysTo.FindStringSubmatchIndex(text); m != nil && !onlyTopic.MatchString(text[m[2]:]) {
		return m[2], true
	}
	if m := saysToNamed.FindStringSubmatchIndex(text); m != nil && !onlyTopic.MatchString(text[m[2]:]) {
		return m[2], true
	}
	if m := saysToHan.FindStringSubmatchIndex(text); m != nil {
		return m[2], true
	}
	if m := reminds.FindStringSubmatchIndex(text); m != nil {
		return m[2], true
	}
	return 0, false
}

// reminds: 给买家发消息提醒付款.
var reminds = words.MustCompile(`发(?:送|个|一?条|一个|一下)*(?:店铺)?(?:消息|短信|信息|通知|私信)[，,]?(提醒.{2,100})$`)

// saysToHan: 通知订单 17 的买家今天发货, with nothing between the person and the message.
var saysToHan = words.MustCompile(`(?:告诉|通知|提醒|告知)(?:一下)?[^，。,；;：:]{0,60}?(?:买家|顾客|客户|收货人|对方)[，,：:]?\s*([^的有后时呢吗吧一们，,。\s][^，。]{1,500}.*)$`)

var (
	// goingOn stands between what somebody is told and what else is wished.
	goingOn = words.MustCompile(`(?i)(?:^|[，,]?\s*)(?:并且|并|然后再|然后|接着|之后再|随后|同时|另外|再|最后|[，,]|\b(?:and then|then|and also|and|after that)\b)[，,]?\s*`)
	// ofItsOwn is a thing that a wish names: by an id, or by its place in a list.
	ofItsOwn = words.MustCompile(`(?i)\d{6,}|第\s?[一二两三四五六七八九十\d]{1,3}(?:个|单|笔|条|行|项|位|款)|\b(?:the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)|row \d|number \d)\b`)
	// toThem asks the one who is told: 请查看订单.
	toThem = words.MustCompile(`(?i)^(?:请|麻烦|您|你|记得|please\b|kindly\b|you\b)`)
)

// saidOn reports whether what stands behind a break in what somebody is told is said to them as well: what they are asked for, and what is done to nothing
// that is named.
func saidOn(next string) bool {
	part := FirstPart(next)
	c := Clause{End: len(part)}
	c.Classify(part)
	return toThem.MatchString(next) || len(c.Change) > 0
}

// SaidUntil is where what somebody is told ends: where a change with a thing of its own is wished, as in 今天发货，然后取消订单 17, or at the end of the text. What
// has none is said to them: 会先发货然后退款.
func SaidUntil(text string, from int) int {
	for _, m := range goingOn.FindAllStringIndex(text[from:], 50) {
		next := text[from+m[1]:]
		part := FirstPart(next)
		verbs := ChangeVerbs(part)
		if m[0] > 0 && len(verbs) > 0 && verbs[FirstVerb(verbs)] <= maxLead(part) && !toThem.MatchString(next) && ofItsOwn.MatchString(part) && (Splitter{}).Begins(part) {
			return from + m[0]
		}
	}
	return len(text)
}

// maxLead is how many bytes may stand before the verb of a part: none but for who or what it is done to, 给第三个买家.
func maxLead(part string) int {
	if strings.HasPrefix(part, "给") || strings.HasPrefix(part, "把") || strings.HasPrefix(part, "将") || strings.HasPrefix(part, "通知") {
		return 60
	}
	return 0
}
