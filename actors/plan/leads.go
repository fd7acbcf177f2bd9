package plan

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// polite stands before what is wanted and says nothing of it.
var polite = regexp.MustCompile(`(?i)^(?:\s*(?:请你?|麻烦你?|帮我|帮忙|给我|替我|我想要?|我要|你|能不能|可以|再|先|please|can you|could you|would you|i want(?: you)? to|i need to|help me(?: to)?|then|,|，)\s*)+`)

// leading is what it is worth that a clause begins with how a tool that reads documents calls its deed: 调研一下运费纠纷 wants research, not the rule.
const leading = 1.5

// leads reports whether a clause begins with a tag of the card: of two signs, or of a word.
func (e *entry) leads(text string) bool {
	text = strings.ToLower(strings.TrimSpace(polite.ReplaceAllString(text, "")))
	for _, tag := range e.Tags {
		tag = strings.ToLower(tag)
		rest, ok := strings.CutPrefix(text, tag)
		if ok && utf8.RuneCountInString(tag) >= 2 && (isHan(firstRune(tag)) || rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// sourced says that sources are wanted with what is found: no wish of its own, but how another is to be answered.
var sourced = regexp.MustCompile(`(?i)^[\s,，、;；]*(?:并且?|还|且|也|要|请|需要|同时|and|please)*\s*(?:(?:给出?|附上?|带上?|注明|标注|标出?|列出|写明|说明|有)(?:明|出)?(?:引用|出处|来源|参考资料|参考文献)|(?:with|give|cite|citing|include|including|list|add)\s+(?:me\s+)?(?:the\s+|your\s+|all\s+)?(?:sources?|citations?|references?))[\s。.!！]*$`)
