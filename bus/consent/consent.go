// Package consent reads what a person says to an ask for leave: yes, no, or neither. It is the one reader for the house, for tools that ask by
// themselves, and for the terminal, so that the same words never agree to one change and not to another.
package consent

import (
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// Consent is what a person's words say to a change that waits for leave.
type Consent int

const (
	// Unclear is neither yes nor no: the change stays open and leave is asked for again.
	Unclear Consent = iota
	Yes
	No
)

const (
	// Chinese and English match the words that are a yes by themselves, in lower case.
	Chinese = `(?:是的?|好[的嘞滴]?|行的?|可以的?|(?:我)?(?:同意|批准|确认)了?|执行|没问题|没意见|没错|对的?|嗯+|中|成|当然(?:可以)?|照办|就这样|就这么[办做]|继续)`
	English = `(?:y|yes|yeah|yep|yup|ok|okay|sure|agree|agreed|approve|approved|confirm|confirmed|go ahead|go for it|go on|carry on|do it|do that|do so|make it so|proceed|continue|certainly|absolutely|definitely|of course|fine|correct|all right|alright|that(?:['’]s| is) (?:fine|ok|okay|right|correct)|that works|works for me|sounds good|looks good|no problem|no objections?|by all means|please do)`
)

var (
	// A yes is made of nothing but these, in any number and with at least one of the first: whoever adds a condition, a doubt or a wish has not
	// agreed yet.
	yes    = regexp.MustCompile(`^(?:(?:那就?|请|麻烦)?` + Chinese + `[吧呀啊哦啦呗哈喽]?(?:谢谢[你您]?|麻烦[你您]?了|辛苦了?)?|(?:(?:i|we|please|and|just|then|now|thanks|thank you) )*` + English + `(?: (?:i|we|please|and|just|then|now|thanks|thank you|` + English + `))*)$`)
	thanks = regexp.MustCompile(`^(?:谢谢[你您]?|多谢|麻烦[你您]?了|辛苦了?|请|please|thanks|thank you|thanks a lot|then)$`)

	// A no leads the first part of a text, whatever follows: what else is wished is told to the mind.
	no = regexp.MustCompile(`^(?:请|麻烦|那就?|还是|我|千万)*(?:不(?:了|同意|批准|确认|行|可以|要|用|需要|必|能|准|许|想|愿意|执行|好|对|是)?(?:[了吧啊呀哦]|$)|不(?:同意|批准|确认|可以|要|用|需要|必|能|准|许|想|愿意|执行|是)|(?:暂时|暂|先)?(?:不|别)(?:执行|取消|发|改|做|办|动|开|退|删|下|上)|(?:先)?别(?:[了吧啊呀]|$)|否|算了|拒绝|驳回|停[下止]?$|没必要)` +
		`|^(?:(?:please|i|we|rather) )*(?:n|no|nope|nah|never|stop|refused?|rejected?|denied|deny|disagree|not|(?:do not|don['’]t|dont|would not|wouldn['’]t)(?: [a-z]+)?)(?:$| )`)
	// notNo begins like a refusal, and is impatience or not knowing.
	notNo    = regexp.MustCompile(`^(?:请|我)*(?:不(?:要|用|必|需要|能|想)?|别)(?:再)?(?:问|等|犹豫|拖|忘|客气|担心|管|急|着急|磨蹭|知道|清楚|确定|明白|懂|错|过|但|仅|好意思)|^不[能得可要是]不|^(?:(?:please|i|we) )*(?:do not|don['’]t|dont) (?:wait|hesitate|ask|worry|forget|know|mind|understand|see|care|think)\b|^no (?:problem|objections?|idea|worries|wait|need to (?:ask|wait))\b|^not (?:sure|certain|clear|only|bad|a problem)\b`)
	asks     = regexp.MustCompile(`[?？]|[吗么呢嘛]$`)
	partings = regexp.MustCompile(`[\s]*[，,。.;；！!、~～\n]+[\s]*`)
	spaces   = regexp.MustCompile(`\s+`)
	// cancelling is a tool, or a question about one, that cancels.
	cancelling = regexp.MustCompile(`(?i)cancel|取消`)
	// agreeing is a yes that a text begins with.
	agreeing = regexp.MustCompile(`^(?:` + Chinese + `|` + English + `\b)`)
)

// Of reads words, Chinese or English, as yes, no, or neither. In doubt it is neither, and never yes: a condition, a question, a yes
// with a no or anything else behind it.
func Of(text string) Consent { return read(text, "", "") }

func read(text, deed, question string) Consent {
	text = spaces.ReplaceAllString(strings.ToLower(strings.TrimSpace(text)), " ")
	if GivesUp(text) && !(SaysCancel(text) && (cancelling.MatchString(deed+" "+question) || agreeing.MatchString(text))) { // where something is to be cancelled, it may be that
		return No
	}
	if strings.Contains(text, "..") || strings.Contains(text, "。。") { // a yes that hesitates
		return Unclear
	}
	var parts []string
	for _, p := range partings.Split(text, -1) {
		if p != "" {
			parts = append(parts, p)
		}
	}
	agreed := 0
	for i, p := range parts {
		switch {
		case yes.MatchString(p):
			agreed++
		case names(p, deed, agreed > 0):
			agreed++
		case thanks.MatchString(p) && len(parts) > 1:
		case i == 0 && no.MatchString(p) && !notNo.MatchString(p) && !asks.MatchString(p):
			for _, rest := range parts[1:] {
				if yes.MatchString(rest) {
					return Unclear
				}
			}
			return No
		default:
			return Unclear
		}
	}
	if agreed > 0 {
		return Yes
	}
	return Unclear
}

// To is what a person answered to an ask. An ask that expired was not agreed to. Beside a plain yes, words may name the deed that leave is
// asked for, "yes, cancel it" to cancel_order: to any other deed they are none.
func To(ask bus.Ask, in bus.Input) Consent {
	switch in.Kind {
	case bus.Approve:
		return Yes
	case bus.Answer:
		return read(in.Text, ask.ToolName, ask.Question)
	}
	return No
}
