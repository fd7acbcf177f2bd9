package tools

import (
	"regexp"
	"unicode"
)

// Language is that of what somebody said, zh or en: a name or a value in Chinese makes no English sentence Chinese, nor an English term the other way round. Code in ticks
// counts for nothing. A text without any Han sign is English.
func Language(text string) string {
	text = inTicks.ReplaceAllString(text, " ")
	signs := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			signs++
		}
	}
	switch {
	case signs == 0:
		return "en"
	case grammarEn.MatchString(text) && (!grammarZh.MatchString(text) || beginsLatin.MatchString(text) && len(latinWord.FindAllString(text, signs+1)) > signs):
		return "en"
	}
	return "zh"
}

var (
	inTicks     = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	beginsLatin = regexp.MustCompile(`^[\s"'“(]*[A-Za-z]`)
	latinWord   = regexp.MustCompile(`[A-Za-z]{2,}`)
	// grammarEn and grammarZh are words that carry the grammar of a sentence.
	grammarEn = regexp.MustCompile(`(?i)['’]s\b|\b(?:the|an?|of|to|is|are|was|were|do|does|did|what|which|who|how|why|when|where|for|from|in|on|by|with|and|my|me|our|please|show|list|find|get|count|make|create|compare|all|should|can|has|have)\b`)
	grammarZh = regexp.MustCompile(`[的了吗呢我你您把给帮请吧么]|多少|哪|是不是|有没有|怎|一下|如何|查|看看|做成|导出`)
)
