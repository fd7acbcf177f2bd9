package actors

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxIdle is how long an answer that only promises or declines is at most, in characters: who has more to say has something to say.
const maxIdle = 240

// How an empty promise begins, in English and in Chinese, after a word of agreement.
var promises = regexp.MustCompile(`(?i)^(?:(?:sure|ok(?:ay)?|certainly|of course|great|alright|absolutely|no problem|got it)[!,.;: ]*)*(?:` +
	`let me|i(?:['’]ll| will| am going to|['’]m going to)|one moment|just a (?:moment|second)|(?:please )?(?:wait|hold on|give me a)|` +
	`i (?:would|should|can|need to|have to|want to) (?:now |first |then )?(?:call|use|look|check|search|query|fetch|ask|hand)\b|` +
	`(?:checking|looking|searching|fetching)\b)|` +
	`^(?:(?:好的?|没问题|当然|可以|收到|明白)[，,。！!~ ]*)*(?:` +
	`我(?:来(?:帮|为|给|查|看|处理|试)|会|将|这就|马上|现在就?|先|去(?:查|看)|(?:应该|需要|可以|想)(?:先|去)?(?:调用|查|使用|询问|交给))|` +
	`让我|请?稍[等候]|请等|正在(?:为您|帮您|给您)?(?:查|处理|检索|搜))`)

// What declines.
var declines = regexp.MustCompile(`(?i)\bi(?:['’]m| am) (?:sorry|unable|not able|afraid)\b|\bi (?:can(?:no|['’])t|cannot)\b|\bunable to (?:help|assist|access)|\bas an ai\b|` +
	`抱歉|对不起|很遗憾|我(?:无法|不能|没法|没有办法|做不到)|作为一?[个名]?(?:AI|人工智能|语言模型)`)

// asksBack: what waits for the person is no empty promise.
var asksBack = regexp.MustCompile(`(?i)[?？]|\b(?:need (?:the|your|an?|more|some)|provide|tell me|which|confirm|if you|once you|let me know)\b|` +
	`请(?:提供|告诉|告知|说明|确认|给)|需要您|您(?:想|要|是)`)

// promise reports whether an answer only says what will be done: an answer is the last that is heard of a task.
func promise(answer string) bool {
	answer = strings.TrimSpace(answer)
	return utf8.RuneCountInString(answer) <= maxIdle && promises.MatchString(answer) && !asksBack.MatchString(answer)
}

// declining reports whether an answer only says that it cannot be done.
func declining(answer string) bool {
	return utf8.RuneCountInString(answer) <= maxIdle && declines.MatchString(answer) && !asksBack.MatchString(answer)
}

// tongues: a request that speaks of languages may want its answer in another one.
var tongues = regexp.MustCompile(`(?i)translat|\b(?:english|chinese|language)\b|翻译|英文|英语|中文|汉语|语言`)

// data are the lines of tables and lists: what tools found.
var data = regexp.MustCompile(`^\s*(?:[|>*•-]|\d+[.、)])`)

// foreignTo reports whether the sentences of an answer are clearly not in the language, "zh" or "en". Tables and lists do not count.
func foreignTo(language, answer string) bool {
	const least, word = 8, 5                        // signs of Chinese by which a text is judged; letters of a word beside one sign
	if language != "zh" && !hasHan(answer, least) { // as nearly always, and found out without taking it apart
		return false
	}
	han, latin := 0, 0
	for line := range strings.Lines(answer) {
		if data.MatchString(line) {
			continue
		}
		for _, r := range linkless(line) {
			switch {
			case unicode.Is(unicode.Han, r):
				han++
			case unicode.Is(unicode.Latin, r):
				latin++
			}
		}
	}
	if language == "zh" {
		return han == 0 && latin >= least*word
	}
	return han >= least && han*word > 2*latin
}

// hasHan reports whether a text has at least that many signs of Chinese.
func hasHan(text string, least int) bool {
	for _, r := range text {
		if r >= utf8.RuneSelf && unicode.Is(unicode.Han, r) {
			if least--; least <= 0 {
				return true
			}
		}
	}
	return false
}

// linkless is a text without its links.
func linkless(text string) string { return link.ReplaceAllString(text, "") }
