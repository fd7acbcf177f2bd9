package wishes

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// What of the verbs in a clause is a wish, and the user's own.

// OfTheirs: what somebody else wants, asks or is answered is no wish of the user's.
var OfTheirs = words.MustCompile(`(?i)\b(?:he|she|they|(?:the|this|that) (?:buyer|customer|client)) (?:wants?|wanted|wishes|would like|['’]d like|asks?|asked|is asking|demands?|demanded|hopes?|hoped) (?:me |us )?(?:to|if|whether)\b|\bask(?:ed)? (?:him|her|them|the (?:buyer|customer|client)) (?:if|whether|why|how|when|what)\b|\b(?:reply|respond|explain|answer|promise|assure|remind|warn)\w*\s+(?:to\s+)?(?:him|her|them|the (?:buyer|customer|client))\b|(?:[他她]们?|客户|买家|顾客|用户|对方)(?:想要?|希望|打算|要求)`)

// Unrefused is a text with spaces for what it refuses.
func Unrefused(s string) string {
	if takenBack.MatchString(s) {
		return strings.Repeat(" ", len(s))
	}
	out := []byte(s)
	for _, re := range []*words.Pattern{RefusalHan, RefusalEng} {
		Scopes(s, re, func(from, to int) { copy(out[from:to], strings.Repeat(" ", to-from)) }, func(int) *words.Pattern { return ThoughtEnds })
	}
	return string(out)
}

// wished are the changes that a clause asks for: none when it is a question, unless a polite one to us, and none that only
// name what is looked at. own is the clause as [OwnWish] leaves it.
func wished(text, own string, question bool) map[string]int {
	if question && !PoliteAsk.MatchString(text) {
		return nil
	}
	out := ChangeVerbs(commanded(own))
	if len(out) == 0 && !TellOthers.MatchString(own) {
		return out
	}
	if m := ReadVerb.FindStringIndex(own); m != nil {
		for v, i := range out {
			if i > m[0] {
				delete(out, v)
			}
		}
	}
	if m := OfTheirs.FindStringIndex(own); m != nil && !endorsed.MatchString(text) {
		for v, i := range out {
			if i > m[0] {
				delete(out, v)
			}
		}
	}
	if m := TellOthers.FindStringIndex(own); m != nil {
		for v, i := range out { // what is told is no wish
			if i > m[0] {
				delete(out, v)
			}
		}
		out["send"] = m[0]
	}
	return out
}

// TellOthers: to tell somebody else something is to write to them.
var TellOthers = words.MustCompile(`(?i)\b(?:tell|inform|notify|message|text|email|apologi[sz]e to|write to|let|reply to|answer|respond to)\s+(?:the|their|his|her|him|them|all|each|every|both|those|these|my|our|this|that|buyers?|customers?|clients?)\b|\b(?:tell|inform|notify|message|write to|reply to)\s+` + capitals + `|(?:告诉|通知|联系|提醒)(?:一下)?(?:[^我，。,\s]|$)|(?:回复|答复|回话给|回(?:一?[条个]|个)?(?:消息|信|话)给?)(?:一下|给)?[^，。,；？?]{0,24}?(?:买家|顾客|客户|用户|收货人|他们?|她们?|对方|人家)|(?:跟|给|对|向|和)[^，。,；？?]{0,24}?(?:买家|顾客|客户|用户|收货人|收件人|他们?|她们?|对方|人家)说(?:一?声|一下|明)?[^了过的]`)

// commanded is a text without the English words that only look like a wish: "pending refunds" and "the return of goods" name things.
// A verb that wishes for a change has no ending and stands at the beginning, behind "to", "and", "please", a comma, or a person.
func commanded(text string) string {
	b := []byte(text)
	begins := true
	for _, p := range words.Pieces(text) {
		w := strings.ToLower(p.Text)
		if p.Han {
			begins = true
			continue
		}
		if lead := words.Before(text, p.Start); !begins && Changing[words.Stem(w)] && (!wishLead.MatchString(lead) || stillTo.MatchString(lead)) && !strings.HasSuffix(w, "ed") {
			for i := p.Start; i < p.End; i++ {
				b[i] = ' '
			}
		}
		begins = false
	}
	return string(b)
}

// wishLead: what may stand before a verb that wishes.
var wishLead = words.MustCompile(`(?i)(?:\b(?:to|and|then|also|please|pls|plz|kindly|you|i|we|just|now|so|help|let's|lets|me|go|ahead|must|should|will|want|need|urgently|immediately|could|can|would|first|finally|next|with|it|its?|but|only|instead)\s+|[^\w\s'’-]\s*)$`)

// stillTo stands before a verb that tells the state of things: orders waiting to ship.
var stillTo = words.MustCompile(`(?i)\b(?:waiting|awaiting|due|yet|still|left|scheduled|ready) to\s+$`)
