package knowledge

import (
	"slices"
	"strings"
	"unicode"
)

// Words that make a sentence a question, or only hold it together: pronouns, question words, particles, modal and polite
// verbs. They say nothing about the subject, yet 可以 or 什么 would match half of any rule book. Single characters are listed
// only where they seldom stand inside a longer word (so not 过, 能, 会, 要, 还: 过错, 功能, 会员, 重要, 退还).
var hanFunctionWords = strings.Fields(`
	谁 什么 啥 哪些 哪个 哪里 哪种 哪几种 哪几个 哪 几种 怎么样 怎么办 怎么 怎样 如何 为什么 为何 什么时候 多久 多长时间 多少钱 多少 几个 几天 几次 几年 几号 几点 几条 几元 有几 怎么说 怎么写 怎么规定 由谁 会被 是不是 能不能 可不可以 要不要 需不需要 会不会 是否
	可以 能够 应该 应当 需要 想要 想问 一下 请问 请 告诉我 告诉 帮我 麻烦 知道 我们 我的 我 你们 你 您 他们 他 她 它 这个 这种 这些 这样 这 那个 那种 那些 那样 那
	的话 的 了 吗 呢 吧 啊 呀 嘛 是 也 又 就 因为 所以 如果 但是 而且 或者 还是 以及 关于 对于 有什么 有哪些 有哪几种 有哪几个 有没有 要什么`)

var latinFunctionWords = func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(`a an the of to in on at for by with from and or but if is are was were be been do does did
		can could may might must shall should will would i me my we us our you your he she it its they their this that these those
		not no get gets got getting make makes made go goes going come comes let lets say says said want wants know
		someone somebody anyone anybody everyone something anything everything thing things him his hers ours me mine them
		until after before while because since than then so soon now next just also too again still ever already often only very really quite
		well ok okay yes up out off over into onto about around away back per via as even else both either each every all
		what which who whom whose when where why how much many any some there please tell about have has had need`) {
		set[word] = true
	}
	return set
}()

// Longer words first, so that 什么 is not cut out of 为什么.
var dropHan = func() *strings.Replacer {
	words := slices.Clone(hanFunctionWords)
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, w, " ")
	}
	return strings.NewReplacer(pairs...)
}()

// rulesThemselves are what is asked in, of whatever subject: a passage that happens to hold such a word is no closer to return rules.
var rulesThemselves = map[string]bool{"rule": true, "rules": true, "policy": true, "policies": true, "regulation": true, "regulations": true, "guideline": true, "guidelines": true}

// hanRules are the same words at the end or the beginning of a text: 退货规则.
var hanRules = []string{"规则", "规定", "政策", "规范", "条款"}

// Subject is what a query asks about: the query in small letters, without function words and signs. Empty when nothing is left.
func Subject(query string) string { return content(query) }

// content is what a query asks about: the query without function words and signs. Empty when nothing is left.
func content(query string) string {
	query = strings.ToLower(query)
	for _, where := range []string{"rules:", "规则："} { // says where to look, and nothing of what for
		query = strings.TrimPrefix(query, where)
	}
	query = dropHan.Replace(query)
	var kept []string
	for _, word := range strings.FieldsFunc(query, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		if !latinFunctionWords[word] {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// sought is content without the words for the rules themselves, where anything else is left.
func sought(query string) string {
	kept := strings.Fields(content(query))
	var subject []string
	for _, word := range kept {
		for _, w := range hanRules {
			word = strings.TrimSuffix(strings.TrimPrefix(word, w), w)
		}
		if word != "" && !rulesThemselves[word] {
			subject = append(subject, word)
		}
	}
	if len(subject) == 0 || len(subject) == 1 && len(kept) == 2 && strings.HasPrefix(kept[1], "polic") { // the return policy is called so
		subject = kept
	}
	return strings.Join(subject, " ")
}
