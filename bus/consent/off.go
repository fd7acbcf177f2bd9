package consent

import (
	"regexp"
	"strings"
)

// leadsOff are words that may stand before a giving up, and closesOff those behind one.
const (
	leadsOff  = `^(?:(?:请|麻烦|那就?|那么|还是|先|快|赶紧|都|全部?|我|你|就|哦|噢|嗯|呃|唉|哎|好吧|好的|行吧|好|现在|暂时|now|please|just|oh|no|nah|hmm|sorry|ok(?:ay)?|actually|well|then|so|let['’]?s|i(?:['’]d| would) rather|i(?:['’]ve| have)?|we)[\s,，、。.!！…~]*)*`
	closesOff = `(?:[\s,，。.、!！~～…了吧啊呀哦啦呗]|please|now|then|anyway|thanks|thank you|谢谢[你您]?|先|这样)*$`
)

var (
	// givesUp is all that somebody says who does not want any more what was spoken of.
	givesUp = regexp.MustCompile(`(?i)` + leadsOff +
		`(?:停(?:下来?|止|住|一?下|手)?|打住|暂停|别(?:做|弄|动|搞|干|继续|执行|管|问)?|不(?:用|要|必|需要|做|弄|搞|干|继续|执行)(?:做|弄|搞|干|继续|执行|管|问)?|算|作罢|放弃|退出|没事|当我没说|够|` + cancelHan + `|(?:改天|以后|下次|回头|晚点|过会儿?|过几天|有空)?再(?:说|弄|做|办|考虑)|` +
		`stop(?: (?:it|that|everything|working|there))?|` + cancelEng + `|abort(?: (?:it|that))?|halt|quit|exit|never ?mind(?: (?:it|that|about (?:it|that)))?|nvm|forget (?:it|about it|that)|drop (?:it|that)|skip (?:it|that|this)|scratch that|leave (?:it|that)(?: (?:be|alone|as it is))?|give up|not (?:now|yet|any ?more|today)|enough|that(?:['’]s| is) enough|` +
		`(?:do not|don['’]?t)(?: (?:do|want|need|bother)(?: (?:it|that|this|anything|to))?)?(?: any ?more| any longer)?|(?:it(?:['’]s| is) )?(?:no longer|not) (?:needed|necessary|wanted)(?: any ?more)?|no need|changed my mind|on second thoughts?|(?:maybe )?(?:later|another time|some other time))` + closesOff)
	// takesBack says of a deed that it is not wished any more, whichever it is: 不取消了, I don't want to cancel it any more. Words that say that something is not known are none.
	takesBack = regexp.MustCompile(`(?i)` + leadsOff + `(?:不(?:想|要|打算|用|需要|准备)?[^，,。.;；!！?？\s]{1,8}了|(?:do not|don['’]?t|no longer) (?:want|wish|need|intend|plan) to [a-z ]{1,40}|(?:will|wo|do) ?n[o'’]t [a-z ]{1,40} (?:any ?more|after all))` + closesOff)
	unknowing = regexp.MustCompile(`(?i)不(?:知道|记得|清楚|确定|明白|懂|见|太|会)|\bknow\b|\bremember\b`)
	// holdsOn wants nothing yet.
	holdsOn = regexp.MustCompile(`(?i)` + leadsOff + `(?:等等|等一?[下会]|等会儿?|稍等|慢着|且慢|hold on|hang on|wait(?: a (?:moment|minute|second|bit))?|one (?:moment|second))` + closesOff)
	// cancels are the words to call off with that may also be the deed that is asked about; with what is cancelled beside them, they are not.
	cancels = regexp.MustCompile(`(?i)` + leadsOff + `(?:取消(?:它|这个)?|cancel(?: (?:it|that|this))?)` + closesOff)
)

const (
	cancelHan = `(?:都|全部?|就)?取消(?:它|这个|(?:这个|本次|这次|该)?(?:任务|操作|请求))?`
	cancelEng = `cancel(?: (?:it|that|this|everything|(?:the|this) (?:task|request|operation)))?`
)

// GivesUp reports whether a text is nothing but that what was asked, or is under way, is not wanted any more: 那就算了, "never mind", 取消.
func GivesUp(text string) bool {
	return len(text) <= maxOff && givesUp.MatchString(strings.TrimSpace(text))
}

// TakesBack reports whether a text says of some deed that it is not wished any more, and nothing else: 不取消了. What is asked for may be such words: a message to somebody.
func TakesBack(text string) bool {
	return len(text) <= maxOff && takesBack.MatchString(strings.TrimSpace(text)) && !unknowing.MatchString(text)
}

// HoldsOn reports whether a text is nothing but that something shall wait: 等一下, "hold on".
func HoldsOn(text string) bool {
	return len(text) <= maxOff && holdsOn.MatchString(strings.TrimSpace(text))
}

// SaysCancel reports whether a text is nothing but "cancel", or "cancel it": where something is to be cancelled, nobody can tell which of the two is meant.
func SaysCancel(text string) bool {
	return len(text) <= maxOff && cancels.MatchString(strings.TrimSpace(text))
}

// maxOff is how many bytes such words have at most.
const maxOff = 120
