package wishes

import "github.com/hmap-project/hmap/actors/plan/words"

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
	return 0, false
}
