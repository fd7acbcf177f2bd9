package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

var smallTalk = words.MustCompile(`(?i)^(?:亲(?:亲|爱的)?|请问|那|那么)?(?:你好|您好|哈喽|嗨|喂|在吗|在不在|在么|早|早上好|上午好|中午好|下午好|晚上好|晚安|谢谢|多谢|感谢|谢了|谢谢你|辛苦了|再见|拜拜|好的|好|嗯|哦|收到|知道了|明白了?|没事了?|不用了|算了(?:不做了)?|不用管了?|不做了|作罢|你是谁|你叫什么(?:名字)?|(?:你|您)?(?:都|还|又|到底|究竟)?(?:能|会|可以|能够)(?:帮我|为我|替我)?(?:做|干|帮)?(?:点|些|到)?(?:什么|啥|哪些|嘛|吗)(?:事情?|活儿?|忙|功能)?|有(?:什么|哪些|啥)功能|帮助|可以|亲|ok|okay|hi|hello|hey|yo|hiya|good (?:morning|afternoon|evening|night)|thanks?(?: you| a lot| so much)?|thx|(?:ok |oh |please )?(?:just )?(?:forget (?:it|about it|that)|never ?mind|nvm|drop it)|bye|goodbye|see you|great|cool|nice|got it|yes|no|help|who are you|what (?:all )?(?:can|could|do) (?:you|u) (?:do|help)(?: (?:for|with|me|us)){0,3}|how can you help(?: (?:me|us))?|what are you able to do|how are you(?: doing)?|(?:hi|hello|hey),? there|test(?:ing)?|测试|试试)(?:[啊呀哦吗呢吧哈了亲你您]{0,2})$`)

// SmallTalk reports whether the request is a greeting, thanks or as short a word that no tool is needed for.
func SmallTalk(request string) bool {
	request = words.Clip(request, 200)
	if calledOff(request) && !cancelsIt.MatchString(request) {
		return true
	}
	for part := range strings.FieldsFuncSeq(request, func(r rune) bool { return strings.ContainsRune(",.!?~，。！？～、;；\n", r) }) {
		if part = strings.TrimSpace(part); part != "" && !smallTalk.MatchString(part) {
			return false
		}
	}
	return true // also of nothing but marks
}

// whatThere asks what can be done here.
var whatThere = words.MustCompile(`(?i)(?:能|会|可以|能够)(?:帮我|为我|替我)?(?:做|干|帮)?(?:点|些|到)?(?:什么|啥|哪些)|功能|帮助|\bhelp\b|\bwhat (?:all )?(?:can|could|do) (?:you|u)\b|\byou able to\b|\bwho are you\b|你是谁`)

// AsksAbilities reports whether small talk asks what can be done, which everybody on offer is to be named for.
func AsksAbilities(request string) bool {
	return SmallTalk(request) && whatThere.MatchString(words.Clip(request, 200))
}

// introduce answers small talk: a friendly word, and what the cards on offer can do.
func (x *Index) introduce(lang, text string) string {
	var b strings.Builder
	switch low := strings.ToLower(text); {
	case strings.Contains(text, "谢") || strings.Contains(low, "thank"):
		b.WriteString(words.Say(lang, "不客气！", "You are welcome! "))
	case strings.Contains(text, "再见") || strings.Contains(text, "拜") || strings.Contains(low, "bye"):
		return words.Say(lang, "再见，有需要随时找我。", "Goodbye. I am here when you need me.")
	case droppedIt.MatchString(text):
		return words.Say(lang, "好的，不做了。有需要再告诉我。", "All right, nothing is done. Tell me when you need something.")
	case calledOff(text) && !refusalOnly.MatchString(text):
		return words.Say(lang, "现在没有正在做的事，也没有在等您回答的问题，所以没有什么要停下或取消的。要取消某一个，请说出是哪一个，比如它的编号。",
			"Nothing is under way, and no question waits for you, so there is nothing to stop or to cancel. To cancel a thing, say which one, by its number.")
	case strings.TrimSpace(text) == "":
		b.WriteString(words.Say(lang, "您还没有说要做什么。", "You have not said yet what you need. "))
	default:
		b.WriteString(words.Say(lang, "您好！", "Hello! "))
	}
	return b.String() + x.abilities(lang)
}

// cancelsIt calls a thing off that was spoken of, and not only whatever is under way; refusalOnly wants nothing.
var (
	cancelsIt   = words.MustCompile(`(?i)取消(?:它|这个(?:$|[吧了]))|[都全部]取消|\bcancel (?:it|that|this|everything)\b`)
	refusalOnly = words.MustCompile(`^(?:不用|不需要|没事)`)
)

// droppedIt takes back what was wished, or about to be.
var droppedIt = words.MustCompile(`(?i)算了|不用管|不做了|作罢|\b(?:forget (?:it|about it|that)|never ?mind|nvm|drop it)\b`)

// cannot is the honest answer when nothing fits.
func (x *Index) cannot(lang, text string) string {
	if notKept.MatchString(text) {
		return words.Say(lang, "抱歉，我没有能处理「%s」的工具，也没有找到说到它的资料。", "Sorry, I have no tool for “%s”, and found no document here that tells it. ", words.Short(text, 60)) + byDocuments(lang)
	}
	return words.Say(lang, "抱歉，我没有能处理「%s」的工具。", "Sorry, I have no tool for “%s”. ", words.Short(text, 60)) + x.abilities(lang)
}

// besideWhen is what stands beside a time in a request that names nothing else.
var besideWhen = words.MustCompile(`(?i)\b(?:how (?:many|much)|only|just|and|then|what|about|in|for|of|on|the|there|were|was|are|is|please|show|me)\b|一共|总共|多少|几个?|只[要看]|就[要看]?|有[了过]?|[的呢吗是那]|[?？.。!！,，\s]`)

// onlyWhen asks back what is meant by a request that tells a time and nothing that it is the time of: how many in September. "" for any other.
func (x *Index) onlyWhen(g *goal) string {
	dates := datesOf(g.facts)
	if len(dates) != 1 || len(g.facts) > 1 || !x.speaks("订单") || dates[0].From != "" || besideWhen.ReplaceAllString(strings.Replace(g.text, dates[0].Text, "", 1), "") != "" {
		return ""
	}
	return words.Say(g.lang, "「%[1]s」的什么？请连着说出来，比如「%[1]s有多少订单」「%[1]s的销售额」「%[1]s的退款」。", "Of what, in “%[1]s”? Please name it as well, as in “orders in %[1]s”, “sales in %[1]s” or “refunds in %[1]s”.", strings.TrimPrefix(strings.TrimPrefix(dates[0].Text, "in "), "In "))
}

// abilities lists what the cards on offer do, in their own words.
func (x *Index) abilities(lang string) string {
	if len(x.entries) == 0 {
		return words.Say(lang, "目前没有可用的工具。", "No tools are on offer at the moment.")
	}
	const most = 16 // a house has a dozen agents, and who asks wants to hear of each
	var b strings.Builder
	b.WriteString(words.Say(lang, "我可以帮您：\n", "I can help with:\n"))
	for _, e := range x.entries[:min(most, len(x.entries))] {
		b.WriteString("- " + e.Ability(lang) + "\n")
	}
	if n := len(x.entries) - most; n > 0 {
		b.WriteString(words.Say(lang, "- 以及另外 %d 项\n", "- and %d more\n", n))
	}
	return strings.TrimRight(b.String(), "\n")
}

// knows reports whether a term belongs to the trade of the catalogue: such terms are no names of people.
func (x *Index) knows(term string) bool { return x.trade[term] }
