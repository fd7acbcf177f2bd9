package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Code is run as it is given: nobody here says it in another language.

// otherTongues are languages of code that do not run here; anyTongue is one of them or of those that do.
const otherTongues = `(?:typescript|java|golang|go|rust|ruby|php|kotlin|swift|scala|perl|matlab|bash|shell)\b|c\+\+|c#`

// anyTongue is a language of code, of which some are run here.
const anyTongue = codeTongue + `|` + otherTongues

var (
	// toTongue is a wish for the code of the turn before in a language, and nothing else.
	toTongue = words.MustCompile(`(?i)^(?:(?:(?:please|now|and|then|can you|could you|ok|what about|how about|the same|do|run|try|write|redo|translate|convert|rewrite|port|turn|change|switch|it|this|that|the|same|code|again)\s+)*(?:(?:in|into|to|as|using|with|use)\s+)?|` +
		`(?:请|帮我|给我|那么?|再|现在|把|将|它|这段|这个|上面的?|刚才的?|那段|代码|程序|脚本|的|，|,)*(?:换成|换为|换|改成|改为|改用|转成|转为|转换[成为]|翻译[成为]|改写[成为]|重写[成为]|写成|变成|用)\s*)(` + anyTongue +
		`)(?:\s*(?:代码|语言|版本?|程序|来|去|再|重新?|跑|运行|执行|写|实现|试|做|一[下遍次个]|code|version|instead|please|now|again|for me))*[吧呢吗\s?？。.!]*$`)
	// translates is a wish to say code in another language that stands in it.
	translates  = words.MustCompile(`(?i)(?:\b(?:translate|convert|rewrite|port|transpile)\b.*?\b(?:in|into|to|as)\s+|(?:翻译|转换?|改写|重写|换|改)[成为]\s*)(` + anyTongue + `)(?:[^\w+#]|$)`)
	fenceTongue = regexp.MustCompile("(?i)```(" + `[a-z+#]+` + ")")
)

// runsOther is a wish to run code in a language that does not run here.
var runsOther = words.MustCompile(`(?is)^(?:please |can you |could you |now |请|帮我|麻烦|给我)*(?:(?:run|execute|compile|eval|evaluate|try)\b[^:：\n]{0,20}?\b|(?:in|with|using|use)\s+|(?:运行|执行|跑|编译|试)(?:一下)?(?:这段|这个|下面的?|以下)?\s*|用\s*)(` + otherTongues + `)(?:\s|code|script|program|snippet|代码|程序|脚本|语言|运行|执行|跑|编译|来|一下|the following|this|run)*\s*[:：\n ]\s*(\S.*)$`)

// runsAgain is a wish to run the code of the turn before once more.
var runsAgain = words.MustCompile(`(?i)^(?:(?:please|now|and|then|can you|could you|ok)\s+)*(?:(?:run|execute|do)(?: (?:it|this|that|the (?:code|script)|this code))?|once|one|try(?: it)?)\s+(?:once )?(?:again|more)(?:\s+(?:in|with|using) (` + codeTongue + `))?[\s.!?]*$|^(?:请|帮我|现在|那|，|,)*(?:用\s*(` + codeTongue + `)\s*)?(?:再|重新)(?:运行|执行|跑|来|试)(?:一?[遍次下回])?(?:代码)?[吧呢吗\s。.!！?？]*$`)

// again is the request of the turn before where that ran code and no more is wished than that once more; else the request.
func again(in Input) string {
	if !runsAgain.MatchString(strings.TrimSpace(in.Request)) {
		return in.Request
	}
	for _, t := range slices.Backward(in.History) {
		if before := readable(t.Request, nil); t.Ask == nil && facts.SourceText.MatchString(before) {
			return before
		} else if t.Ask != nil || !runsAgain.MatchString(strings.TrimSpace(t.Request)) {
			break
		}
	}
	return in.Request
}

// notTranslated says that code is not said in another language, to who wishes that for the code of the turn before, or for code of the request; "" to all others.
func notTranslated(g *goal, in Input) string {
	said := strings.TrimSpace(in.Request)
	if m := runsOther.FindStringSubmatch(said); m != nil && (facts.SourceText.MatchString(m[2]) || codeSigns.MatchString(m[2]) && !strings.ContainsFunc(codeStrings.ReplaceAllString(m[2], ""), words.IsHan)) {
		return words.Say(g.lang, "没有运行：这里能运行的是 Python 和 JavaScript，没有 %s。例如：运行这段Python代码：`print(1+1)`。",
			"Nothing was run: what runs here is Python and JavaScript, and not %s. Such as: run this Python: `print(1+1)`.", m[1])
	}
	m, from := toTongue.FindStringSubmatch(said), ""
	if n := len(in.History); m != nil && n > 0 {
		from = readable(in.History[n-1].Request, nil)
	} else if m = translates.FindStringSubmatch(facts.SourceText.ReplaceAllString(said, " ` ` ")); m != nil {
		from = said
	}
	code := facts.SourceText.FindStringSubmatch(from)
	if code == nil || sameTongue(tongueOf(from, code[0]), m[1]) {
		return ""
	}
	return words.Say(g.lang, "没有运行：代码只按原样运行，这里不会把它改写成另一种语言（那要有语言模型）。请直接给出 %s 的代码；这里能运行的是 Python 和 JavaScript，例如：运行这段JavaScript代码：`console.log(1+1)`。",
		"Nothing was run: code is run as it is given, and not put into another language here (that takes a language model). Please give the code in %s itself; what runs here is Python and JavaScript, such as: run this JavaScript: `console.log(1+1)`.", m[1])
}

// tongueOf is the language of the code in a request: what its fence or the words around it say, or what it looks like.
func tongueOf(request, code string) string {
	if m := fenceTongue.FindStringSubmatch(code); m != nil {
		return m[1]
	}
	around := strings.Replace(request, code, " ", 1)
	if around = translates.ReplaceAllString(around, " "); tongueSaid.MatchString(around) {
		return "javascript"
	}
	return words.Either(tongue("", code) == "", "python", "javascript")
}

// sameTongue reports whether two names are of one language.
func sameTongue(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	script := func(s string) bool { return s == "javascript" || s == "js" || strings.HasPrefix(s, "node") }
	python := func(s string) bool { return strings.HasPrefix(s, "py") }
	return a == b || script(a) && script(b) || python(a) && python(b)
}
