package plan

import (
	"strconv"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// fewFirst are so many of the first by something, the number as a word, its groups.
var fewFirst = words.MustCompile(`(?i)\b(?:cheapest|dearest|priciest|most expensive|best[- ]selling|worst[- ]selling|newest|oldest|largest|biggest|lowest|highest) (two|three|four|five|six|seven|eight|nine|ten)\b|\b(two|three|four|five|six|seven|eight|nine|ten) (?:cheapest|dearest|priciest|most expensive|best[- ]selling|worst[- ]selling|newest|oldest|largest|biggest|lowest|highest)\b|最\p{Han}{1,4}的([两二三四五六七八九十])[款种台双瓶部]`)

// tellingOne tells somebody by name what stands in quotes, which is a message to them.
var tellingOne = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`^(?:请|麻烦|帮我|替我)*(?:告诉|告知|通知|转告)(?:一下|给)?(\p{Han}{2,4}?|[A-Za-z0-9]{4,20})(?:一声|说)?[:：，,]?\s*(["“「])`), "给${1}发消息${2}"},
	{words.MustCompile(`^(?:please )?(?:tell|notify|inform|text|message) ([A-Z][a-z]+(?: [A-Z][a-z]+)?|\p{Han}{2,4})(?: that)?[:,]? (["“])`), "send a message to ${1}: ${2}"},
}

// reminding is to tell all whose orders are not paid that they shall pay, which is a message to them. Of its groups one is the state, the last what they are told.
var reminding = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`^(?:请|帮我|麻烦)*(?:给|向|提醒|催|通知)(?:一下)?(?:所有|全部)?(?:那些)?((?:还没|没有?|未|待)(?:付款|支付|付))的?(?:订单的?)?(?:买家|客户|顾客|人)们?(?:都|分别)?(?:发(?:送|一?个|一?条|一下)*(?:消息|短信|通知|信息)[，,：:]?)?(?:提醒|催)?(?:一?下|他们)*((?:尽快|抓紧|及时|快点?)?(?:付款|支付))[。！!]*$`), "给所有${1}订单的买家发消息：提醒您${2}"},
	{words.MustCompile(`(?i)^(?:please )?remind (?:the |all |all the )?(?:buyers|customers|people|those)(?: of| with| who have)?( the)? (?:unpaid orders|(?:not|n['’]t) paid(?: yet)?) to (pay[^,.;?]{0,40})[.!]*$`), "send a message to all buyers of unpaid orders saying: please ${2}"},
	{words.MustCompile(`(?i)^(?:please )?send (?:a |an )?(message|reminder)s? to (?:the |all |all the )?(?:buyers|customers)(?: of| with) unpaid orders,? (?:to remind|reminding) them to (pay[^,.;?]{0,40})[.!]*$`), "send a message to all buyers of unpaid orders saying: please ${2}"},
}

// noOneByName are those who are told without a name: 告诉我们“七天无理由”是什么意思 is a question.
var noOneByName = words.MustCompile(`^(?:[我你他她它咱您]们?|大家|各位|所有人|全员|自己|一下|Everyone|Everybody|Me|Us)`)

// inFull is a request as it is said elsewhere: a number of the first as a figure, telling somebody something as a message, and what the phrases of the house know.
func (x *Index) inFull(text string) string {
	if m := fewFirst.FindStringSubmatchIndex(text); m != nil && !verbatim(text)(m[0], m[1]) {
		for i := 2; i < len(m); i += 2 {
			if n, ok := words.Number(text[max(m[i], 0):max(m[i+1], 0)]); m[i] >= 0 && ok {
				text = text[:m[i]] + strconv.Itoa(n) + text[m[i+1]:]
				break
			}
		}
	}
	if put := x.infoOf(text); put != "" {
		return put
	}
	if put := x.notedDown(text); put != "" {
		return put
	}
	for _, w := range reminding {
		if m := w.FindStringSubmatchIndex(text); m != nil && x.spoken["unpaid"] {
			return string(w.ExpandString(nil, w.put, text, m))
		}
	}
	for _, w := range tellingOne {
		if m := w.FindStringSubmatchIndex(text); m != nil && !noOneByName.MatchString(text[m[2]:m[3]]) {
			return string(w.ExpandString(nil, w.put, text, m)) + text[m[1]:]
		}
	}
	return x.options.Phrases.inFull(text, x.spoken)
}
