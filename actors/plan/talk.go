package plan

import "strings"

// introduce answers small talk: a friendly word, and what the cards on offer can do.
func (x *Index) introduce(lang, text string) string {
	var b strings.Builder
	switch low := strings.ToLower(text); {
	case strings.Contains(text, "谢") || strings.Contains(low, "thank"):
		b.WriteString(say(lang, "不客气！", "You are welcome! "))
	case strings.Contains(text, "再见") || strings.Contains(text, "拜") || strings.Contains(low, "bye"):
		return say(lang, "再见，有需要随时找我。", "Goodbye. I am here when you need me.")
	case strings.TrimSpace(text) == "":
		b.WriteString(say(lang, "您还没有说要做什么。", "You have not said yet what you need. "))
	default:
		b.WriteString(say(lang, "您好！", "Hello! "))
	}
	return b.String() + x.abilities(lang)
}

// cannot is the honest answer when nothing fits.
func (x *Index) cannot(lang, text string) string {
	return say(lang, "抱歉，我没有能处理「%s」的工具。", "Sorry, I have no tool for “%s”. ", short(text, 60)) + x.abilities(lang)
}

// abilities lists what the cards on offer do, in their own words.
func (x *Index) abilities(lang string) string {
	if len(x.entries) == 0 {
		return say(lang, "目前没有可用的工具。", "No tools are on offer at the moment.")
	}
	const most = 10
	var b strings.Builder
	b.WriteString(say(lang, "我可以帮您：\n", "I can help with:\n"))
	for _, e := range x.entries[:min(most, len(x.entries))] {
		line := e.called(lang)
		if lang == "en" && language(line) == "zh" {
			line = strings.ReplaceAll(e.Name, "_", " ") + " (" + short(line, 30) + ")"
		}
		b.WriteString("- " + line + "\n")
	}
	if n := len(x.entries) - most; n > 0 {
		b.WriteString(say(lang, "- 以及另外 %d 项\n", "- and %d more\n", n))
	}
	return strings.TrimRight(b.String(), "\n")
}

// knows reports whether a term belongs to the trade of the catalogue: such terms are no names of people.
func (x *Index) knows(term string) bool { return x.trade[term] }
