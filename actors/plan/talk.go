package plan

import (
	"regexp"
	"strings"
)

// introduce answers small talk: a friendly word, and what the cards on offer can do.
func (x *Index) introduce(lang, text string) string {
	var b strings.Builder
	switch low := strings.ToLower(text); {
	case strings.Contains(text, "谢") || strings.Contains(low, "thank"):
		b.WriteString(say(lang, "不客气！", "You are welcome! "))
	case strings.Contains(text, "再见") || strings.Contains(text, "拜") || strings.Contains(low, "bye"):
		return say(lang, "再见，有需要随时找我。", "Goodbye. I am here when you need me.")
	case droppedIt.MatchString(text):
		return say(lang, "好的，不做了。有需要再告诉我。", "All right, nothing is done. Tell me when you need something.")
	case strings.TrimSpace(text) == "":
		b.WriteString(say(lang, "您还没有说要做什么。", "You have not said yet what you need. "))
	default:
		b.WriteString(say(lang, "您好！", "Hello! "))
	}
	return b.String() + x.abilities(lang)
}

// droppedIt takes back what was wished, or about to be.
var droppedIt = regexp.MustCompile(`(?i)算了|不用管|不做了|作罢|\b(?:forget (?:it|about it|that)|never ?mind|nvm|drop it)\b`)

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
		b.WriteString("- " + e.ability(lang) + "\n")
	}
	if n := len(x.entries) - most; n > 0 {
		b.WriteString(say(lang, "- 以及另外 %d 项\n", "- and %d more\n", n))
	}
	return strings.TrimRight(b.String(), "\n")
}

// ability is one short line about a card: what it is called, and the first words of its tags.
func (e *entry) ability(lang string) string {
	called := e.gist(lang)
	var tags []string
	for _, t := range e.Tags {
		if len(tags) < 4 && language(t) == lang && !aRole.MatchString(t) && !strings.Contains(strings.ToLower(called), strings.ToLower(t)) {
			tags = append(tags, t)
		}
	}
	if !e.IsAgent() || len(tags) == 0 {
		return called
	}
	return called + say(lang, "：", ": ") + strings.Join(tags, say(lang, "、", ", "))
}

// aRole: what somebody is called, and not what they do.
var aRole = regexp.MustCompile(`(?:专员|[员师]|助理|顾问)$|^[A-Z][\w-]*(?: \w+)* (?:clerk|analyst|assistant|specialist|agent|writer|researcher|manager)$`)

// gist is the shortest honest name of a card: how its description begins, where that is short and in the language, else its
// first tag, else its name in words.
func (e *entry) gist(lang string) string {
	if h := head(e.name(lang)); h != e.Name && nameable(h, lang) && !strings.Contains(h, "用户") {
		return h
	}
	for _, t := range e.Tags {
		if language(t) == lang && !e.IsAgent() { // an agent's name is its domain already
			return t
		}
	}
	return strings.ReplaceAll(e.Name, "_", " ")
}

// knows reports whether a term belongs to the trade of the catalogue: such terms are no names of people.
func (x *Index) knows(term string) bool { return x.trade[term] }
