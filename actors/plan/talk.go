package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

var smallTalk = words.MustCompile(`(?i)^(?:亲(?:亲|爱的)?|请问|那|那么)?(?:你好|您好|哈喽|嗨|喂|在吗|在不在|在么|早|早上好|上午好|中午好|下午好|晚上好|晚安|谢谢|多谢|感谢|谢了|谢谢你|辛苦了|再见|拜拜|好的|好|嗯|哦|收到|知道了|明白了?|没事了?|不用了|算了(?:不做了)?|不用管了?|不做了|作罢|你是谁|你叫什么(?:名字)?|(?:你|您)?(?:都|还|又|到底|究竟)?(?:能|会|可以|能够)(?:帮我|为我|替我)?(?:做|干|帮)?(?:点|些|到)?(?:什么|啥|哪些|嘛|吗)(?:事情?|活儿?|忙|功能)?|有(?:什么|哪些|啥)功能|帮助|可以|亲|ok|okay|hi|hello|hey|yo|hiya|good (?:morning|afternoon|evening|night)|thanks?(?: you| a lot| so much)?|thx|(?:ok |oh |please )?(?:just )?(?:forget (?:it|about it|that)|never ?mind|nvm|drop it)|bye|goodbye|see you|great|cool|nice|got it|yes|no|help|who are you|what (?:all )?(?:can|could|do) (?:you|u) (?:do|help)(?: (?:for|with|me|us)){0,3}|how can you help(?: (?:me|us))?|what are you able to do|how are you(?: doing)?|(?:hi|hello|hey),? there|test(?:ing)?|测试|试试)(?:[啊呀哦吗呢吧哈了亲你您]{0,2})$`)

// SmallTalk reports whether the request is a greeting, thanks or as short a word that no tool is needed for.
func SmallTalk(request string) bool {
	request = words.Clip(request, 200)
	for part := range strings.FieldsFuncSeq(request, func(r rune) bool { return strings.ContainsRune(",.!?~，。！？～、;；\n", r) }) {
		if part = strings.TrimSpace(part); part != "" && !smallTalk.MatchString(part) {
			return false
		}
	}
	return true // also of nothing but marks
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
	case strings.TrimSpace(text) == "":
		b.WriteString(words.Say(lang, "您还没有说要做什么。", "You have not said yet what you need. "))
	default:
		b.WriteString(words.Say(lang, "您好！", "Hello! "))
	}
	return b.String() + x.abilities(lang)
}

// droppedIt takes back what was wished, or about to be.
var droppedIt = words.MustCompile(`(?i)算了|不用管|不做了|作罢|\b(?:forget (?:it|about it|that)|never ?mind|nvm|drop it)\b`)

// cannot is the honest answer when nothing fits.
func (x *Index) cannot(lang, text string) string {
	if notKept.MatchString(text) {
		return words.Say(lang, "抱歉，我没有能处理「%s」的工具，也没有找到说到它的资料。", "Sorry, I have no tool for “%s”, and found no document here that tells it. ", words.Short(text, 60)) + byDocuments(lang)
	}
	return words.Say(lang, "抱歉，我没有能处理「%s」的工具。", "Sorry, I have no tool for “%s”. ", words.Short(text, 60)) + x.abilities(lang)
}

// abilities lists what the cards on offer do, in their own words.
func (x *Index) abilities(lang string) string {
	if len(x.entries) == 0 {
		return words.Say(lang, "目前没有可用的工具。", "No tools are on offer at the moment.")
	}
	const most = 10
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
