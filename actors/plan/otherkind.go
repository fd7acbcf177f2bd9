package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A document of another kind than the one that was wished for first, and one beside which something else is wished.

var (
	// otherHan and otherEng are all that somebody says who wants another kind of document: 改成Word, make it a PDF instead. The groups are the kind.
	otherHan = words.MustCompile(`^(?:不对?|不是|算了|哦|啊|还是|那就?|请|麻烦|帮我|给我|别做(?:` + fileHan + `)了?|不要(?:` + fileHan + `)了?|[，,\s])*(?:把它|将它)?(?:改成|换成|改为|换为|改做|换做|改用|变成|转成|转为|要|做成)(?:一?[份个张页篇]的?)?(` + fileHan + `)(?:格式|版本?|的)?(?:[，,\s]*(?:不要|而?不是|别用|别做)(?:` + fileHan + `)了?)?(?:吧|就好|就行|即可|就可以了?|好了|了)*[。.!！]*$`)
	otherEng = words.MustCompile(`(?i)^(?:no|oh|sorry|actually|please|rather|better|ok(?:ay)?|can you|could you|[\s,])*(?:(?:make|change|turn|switch|convert)(?: (?:it|that|this|them))?(?: in ?to| to)? |(?:do|give me|use|as|I(?: would|'d)? (?:want|need|like|prefer|meant?|rather have)|let'?s have)(?: it)?(?: as| in)? )?((?:an? |some )?` + fileEng + `)((?:,? (?:instead(?: of .{1,20})?|rather(?: than .{1,20})?|please|(?:and )?not .{1,20}))*)[.!]*$`)
	// kindAlone is nothing but what files are called that are made of what was found, in either language: Excel, PDF 版.
	kindAlone = words.MustCompile(`(?i)^(ppt|power ?point|excel|(?-i:Word)|pdf|幻灯片|演示文稿)(?:\s*(?:版|格式|文件|文档|file|version))?(?:吧|呢|please|[,，\s])*[。.!！?？]*$`)
	// insteadOfIt are the words by which a kind takes the place of another.
	insteadOfIt = words.MustCompile(`(?i)\b(?:change|switch|turn|convert|make it|make that|make this|instead|rather|not|meant?)\b`)

	// wishedKind is the kind of document that a request wishes for, as the group.
	wishedKindHan = words.MustCompile(makeHan + `[^，,。；！？的]{0,8}?(` + fileHan + `)`)
	wishedKindEng = words.MustCompile(`(?i)\b(?:in ?to|to|as|make|create|write|generate|prepare|build|give me|export|save) ((?:an? |some )?` + fileEng + `)`)
)

// otherKind is the kind of document that is wanted in the place of another, if a text says no more than that; else "".
func otherKind(said string) string {
	said = strings.TrimSpace(said)
	if m := otherHan.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	if m := otherEng.FindStringSubmatch(said); m != nil && insteadOfIt.MatchString(said) {
		return m[1]
	}
	if m := kindAlone.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// reformed is a request with another kind of document in the place of the only one that it wishes for; "" when said is no wish for that, or there is no such one.
func reformed(text, said string) string {
	kind := otherKind(said)
	if kind == "" {
		return ""
	}
	for _, p := range []*words.Pattern{wishedKindHan, wishedKindEng} {
		if all := p.FindAllStringSubmatchIndex(text, 3); len(all) == 1 {
			return text[:all[0][2]] + kind + text[all[0][3]:]
		}
	}
	return ""
}

// goesOnWith is where a request may go on with another wish.
var goesOnWith = words.MustCompile(`(?i)(?:[，,；;。\n]|\s)\s*(?:and (?:also |then )?|also |then |并且?|然后|再|同时|顺便|另外|还有?)|[，,；;。\n]\s*|并(?:且|运行|执行|查|预测)|同时`)

// besideADocument is a request in which a document of one thing, 把王萍萍的订单做成PPT, stands beside another wish, with the document said in two; "" for any other.
func besideADocument(text, output string) string {
	code := facts.SourceText.FindAllStringIndex(text, 9)
	for _, m := range goesOnWith.FindAllStringIndex(text, 40) {
		if m[0] == 0 || m[1] >= len(text) || inSpan(code, m[0]) {
			continue
		}
		left, right := text[:m[0]], strings.TrimLeft(text[m[0]:], " ，,；;。\n")
		left, wish := strings.TrimSpace(left), addsTo.ReplaceAllString(right, "")
		wish = strings.TrimPrefix(wish, "并")
		switch asks := func(s string) bool {
			return askingHan.MatchString(s) || askingEng.MatchString(s) || wishes.QuestionEng.MatchString(s)
		}; {
		case asks(wish) && plainInTwo(wish, "") == wish && ofItsOwnThing(left):
			return inTwo(left, output) + words.Say(words.Language(left), "，", ", and ") + wish
		case asks(left) && plainInTwo(left, "") == left && ofItsOwnThing(wish):
			return left + words.Say(words.Language(wish), "，", ", and ") + inTwo(wish, output)
		}
	}
	return ""
}

// inSpan reports whether a byte lies in one of some stretches.
func inSpan(spans [][]int, at int) bool {
	for _, s := range spans {
		if s[0] <= at && at < s[1] {
			return true
		}
	}
	return false
}

// ofItsOwnThing reports whether a text is a wish for a document of something that it names.
func ofItsOwnThing(text string) bool {
	_, wish := formOf(text)
	for _, p := range []*words.Pattern{turnHan, intoHan, outHan, aboutHan, turnEng, aboutEng} {
		if p.MatchString(wish) {
			put := plainInTwo(wish, "")
			return put != wish && !strings.Contains(put, "上面的结果") && !strings.Contains(put, "results above")
		}
	}
	return false
}
