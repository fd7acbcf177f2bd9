package search

import (
	"regexp"
	"strconv"
	"strings"
)

// mark is a citation: [3], [3, 5], 【3】, ［3］, [^3]. A link's words in brackets are none.
var mark = regexp.MustCompile(`[ \t]*(?:\[\^?|【|［)\s*(\d{1,9}(?:\s*[,，、;]\s*\d{1,9})*)\s*(?:\]|】|］)`)

// opened is the beginning of a citation that ends behind another one: "[1[9]2]". Without the inner one it would read as a citation of 12.
var opened = regexp.MustCompile(`(?:(?:\[\^?|【|［)[\s\d,，、;]*)+$`)

var brackets = strings.NewReplacer("[^", "", "[", "", "【", "", "［", "")

// linked is a link of Markdown, bare an address.
var (
	linked = regexp.MustCompile(`\[([^\[\]]{0,300})\]\((https?://[^\s()]{1,1000})\)`)
	bare   = regexp.MustCompile(`https?://[^\s<>()\[\]（）【】，。、；"'“”]{1,1000}`)
)

// supports is how much of a sentence must stand in what it cites: one term in six. It tells a citation at random, not a wrong conclusion.
const supports = 1.0 / 6

// cite holds a model's text to its sources: citations of numbers that are not there go, as do those whose source has next to nothing of the sentence, and
// addresses that no source has. What is left is numbered anew in the order of the text. Where no citation is left of some, none says so. gone is how many went.
func cite(text string, sources []*Source, said map[*Source]set, none string) (out string, kept []*Source, gone int) {
	// A model may add a list of sources of its own; ours follows.
	if at := ownList.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	text = addresses(text, sources)
	number := map[*Source]int{}
	var b strings.Builder
	from := 0    // of what is not written yet
	begins := 0  // of the sentence
	written := 0 // of text: sentences are looked for in it
	for _, m := range mark.FindAllStringSubmatchIndex(text, -1) {
		if at := sentenceEnd(text[written:m[0]]); at >= 0 && strings.TrimSpace(mark.ReplaceAllString(text[written+at:m[0]], "")) != "" {
			begins = written + at
		}
		written = m[1]
		claim := split(mark.ReplaceAllString(text[begins:m[0]], ""))
		b.WriteString(opened.ReplaceAllStringFunc(text[from:m[0]], brackets.Replace))
		from = m[1]
		held := 0
		for _, digits := range strings.FieldsFunc(text[m[2]:m[3]], func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.Atoi(digits)
			if err != nil || n < 1 || n > len(sources) || float64(claim.in(said[sources[n-1]])) < supports*float64(len(claim)) {
				gone++
				continue
			}
			s := sources[n-1]
			if number[s] == 0 {
				kept = append(kept, s)
				number[s] = len(kept)
			}
			b.WriteString(" [" + strconv.Itoa(number[s]) + "]")
			held++
		}
		if held == 0 {
			b.WriteString(none)
		}
	}
	b.WriteString(text[from:])
	return strings.TrimSpace(b.String()), kept, gone
}

var ownList = regexp.MustCompile(`(?im)^\s*(?:#{1,6}\s*|\*\*)?(?:参考资料|参考文献|参考来源|资料来源|引用来源|来源|引用|sources|references|citations)(?:\*\*)?\s*[:：]?(?:\*\*)?\s*$`)

// sentenceEnd is where the last sentence of a text begins, -1 when there is only one.
func sentenceEnd(text string) int {
	last := -1
	for i, r := range text {
		switch r {
		case '。', '！', '？', '；', '\n':
			last = i + len(string(r))
		case '.', '!', '?':
			if strings.HasPrefix(text[i+1:], " ") || strings.HasPrefix(text[i+1:], "\n") {
				last = i + 1
			}
		}
	}
	return last
}

// addresses takes out the addresses that no source has; the words of their links stay.
func addresses(text string, sources []*Source) string {
	known := map[string]bool{}
	for _, s := range sources {
		if s.Link != "" {
			known[pageKey(s.Link)] = true
		}
	}
	text = linked.ReplaceAllStringFunc(text, func(l string) string {
		m := linked.FindStringSubmatch(l)
		if known[pageKey(m[2])] {
			return l
		}
		return m[1]
	})
	return bare.ReplaceAllStringFunc(text, func(a string) string {
		if known[pageKey(a)] {
			return a
		}
		return ""
	})
}
