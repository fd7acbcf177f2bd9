package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// everyday are short ways to say what is said otherwise everywhere else: 最贵的一单 is an order, 买过几次洋酒 asks how many orders of it there are,
// monthly sales are sales by month, and the month so far is this month.
var everyday = []struct {
	*words.Pattern
	put string
}{
	{words.MustCompile(`(最\p{Han}{1,2}的?)(?:那|这)?一?[单笔](是|呢|在|有|花|买|付|下|什么|哪|多少|谁|[，,。？?！!]|$)`), "${1}订单${2}"},
	{words.MustCompile(`哪一?[单笔](?:是|金额|花的?钱?)?(最\p{Han}{1,2}?)([呢啊？?。]|$)`), "${1}的订单是哪个${2}"},
	{words.MustCompile(`(买|订购?|购买)(?:过|了)?(?:几|多少)[次回单笔](\p{Han}[^，,。？?！!呢吗了]{1,20})`), "${1}${2}的订单有几个"},
	{words.MustCompile(`(?i)\b(?:(hour)|(dai)|(week)|(month)|(quarter)|(year))ly (sales|revenues?|turnover|profits?|orders|refunds)( (?:figures|numbers|totals?|amounts?))?\b`), "${7} by ${1}${2}${3}${4}${5}${6}"},
	{words.MustCompile(`(?i)\b(?:so far this (week|month|quarter|year)|(?:the |this |the current )?(week|month|quarter|year)[- ](?:so far|to[- ]date|until (?:now|today)|up to (?:now|today)))\b`), "this ${1}${2}"},
}

// ofOtherThings are what 一笔 counts, too.
var ofOtherThings = words.MustCompile(`退款|退货|发票|包裹|快递|(?i:\bforecast|\btarget|\bplan\b)`)

// inFullWords is a request with such words spelled out. What is quoted, or told to somebody, and what speaks of a file stays as it is.
func inFullWords(text string) string {
	if ofOtherThings.MatchString(text) || facts.FileName.MatchString(" "+text) || facts.SourceText.MatchString(text) {
		return text
	}
	for _, w := range everyday {
		m := w.FindStringSubmatchIndex(text)
		if m == nil || verbatim(text)(m[0], m[1]) {
			continue
		}
		put := string(w.ExpandString(nil, w.put, text, m))
		text = text[:m[0]] + strings.Replace(put, " by dai", " by day", 1) + text[m[1]:]
	}
	return text
}
