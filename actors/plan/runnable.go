package plan

import (
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A request to run code that stands there bare, `run this Python: print(3*4)`, is read with the code in a fence: inside it nothing is a wish, a name or a quote.

const (
	codeTongue = `python ?3?|py3?|javascript|js|node(?:\.?js)?`
	codeThing  = `code|script|snippet|program|expression|command`
	codeThings = `代码|脚本|程序|语句|表达式|命令`
)

var (
	// runsCode is a wish to run what stands behind it: the language, and what it is called, by groups.
	runsCode = words.MustCompile(`(?is)^((?:please |can you |could you |would you |kindly |now )*(?:(?:run|execute|eval|evaluate|compute|calculate|try)\b\s*(?:(?:this|the|following|a|some|my|piece of|bit of|line of|lines of)\b\s*)*` +
		`(?:(` + codeTongue + `)\b\s*)?(?:(` + codeThing + `)s?\b\s*)?(?:(?:in|with|using)\s+(` + codeTongue + `)\b\s*)?(?:(?:for me|please|below)\s*)*|(?:in|with|using|use)\s+(` + codeTongue + `)\b\s*(?:,|:|to|and)?\s*(?:(?:run|execute|eval|evaluate|compute|calculate|work out)\b\s*)?)` +
		`[:\s]\s*|(?:请|麻烦|帮我|帮忙|给我|你|您|再|现在)*(?:用\s*(` + codeTongue + `)\s*(?:来|去|帮我)?(?:运行|执行|跑|计算|算|求|试)?(?:一下)?|(?:运行|执行|跑|计算|试)(?:一下)?)(?:这段|这个|这行|下面的?|下列|以下的?|如下的?|一段|我的|的)*\s*(?:(` + codeTongue + `)\s*)?(?:(` + codeThings + `)\s*)?[:：\s]*)(\S.*)$`)
	// shellRun is code as it is given to an interpreter on a command line.
	shellRun = words.MustCompile(`(?is)^((?:please |can you |could you |run |execute |请|帮我|运行|执行|一下|\s)*)(python3?|node)\s+-[ce]\s+(?:"([^"]+)"|'([^']+)')\s*$`)
	// inTongue is a language named behind the code.
	inTongue = words.MustCompile(`(?i)\s+(?:in|with|using)\s+(` + codeTongue + `)\s*[.!?]?$`)
	// beginsCode is how a line of code begins, as against a sentence.
	beginsCode = words.MustCompile(`^\s*(?:(?:import|from|def|class|const|let|var|function|async|return|raise|assert)\s+\w|(?:for|while|if|with|try)\b.*[:{(]|[A-Za-z_][\w.]*\s*(?:\(|\[|[-+*/%]?=|\*|\+|/|-\s|%)|[\[{(\d#"'\-+]|//)`)
	// codeSigns are signs that code has and a name or a number alone has not.
	codeSigns = words.MustCompile(`[()\[\]{}=*/%+]|\d\s*-\s*\d|\n`)
	// codeStrings are texts and comments inside code, in which anything may stand.
	codeStrings = words.MustCompile(`(?s)"""(?:.*?)"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?:#|//)[^\n]*`)
	// scriptOnly is what JavaScript has and Python has not.
	scriptOnly = regexp.MustCompile(`\bconsole\.log\b|\b(?:const|let|var)\s+\w+\s*=|=>|\bfunction\b|===`)
	// surelyRuns are calls by which code is known without a word for it.
	surelyRuns = regexp.MustCompile(`^\s*(?:print|console\.log)\s*\(|^\s*import\s+\w`)
	// afterCode begins the next wish behind a line of code.
	afterCode = words.MustCompile(`(?i)(?:[,，;；。]\s*|\s+)(?:and then|then|and (?:save|make|turn|put|export|show|send|write|tell)|然后|接着|再|并)`)
	// loneTick is code in single ticks over several lines.
	loneTick = regexp.MustCompile("(?s)^([^`]*)`([^`]*\n[^`]*)`([^`]*)$")
)

// inFence is a request with the code that it wants run in a fence; false when it wants none run, or has it in one.
func inFence(text string) (string, bool) {
	if m := loneTick.FindStringSubmatch(text); m != nil && code(m[2]) {
		return fence(m[1], tongue("", m[2]), m[2], m[3]), true
	}
	if strings.Contains(text, "`") || strings.Contains(text, "~~~") {
		return text, false
	}
	if m := shellRun.FindStringSubmatch(text); m != nil {
		return fence("run "+m[2]+":", tongue(m[2], ""), m[3]+m[4], ""), true
	}
	m := runsCode.FindStringSubmatch(text)
	if m == nil {
		return text, false
	}
	body, rest := strings.TrimSpace(m[len(m)-1]), ""
	named, thing := m[2]+m[4]+m[5]+m[6]+m[7], m[3]+m[8]
	if in := inTongue.FindStringSubmatchIndex(body); in != nil {
		named, body, rest = named+body[in[2]:in[3]], body[:in[0]], body[in[0]:]
	}
	bare := codeStrings.ReplaceAllStringFunc(body, func(s string) string { return strings.Repeat("_", len(s)) })
	if at := afterCode.FindStringIndex(bare); at != nil && !strings.Contains(body[:at[0]], "\n") && code(body[:at[0]]) {
		body, rest = body[:at[0]], body[at[0]:]+rest
	}
	if !code(body) || named == "" && thing == "" && !surelyRuns.MatchString(body) {
		return text, false
	}
	lead := strings.TrimRight(m[1], " \t\n:：")
	if named != "" && thing == "" && rest == "" && words.IsHan(words.FirstRune(strings.TrimSpace(m[1]))) {
		lead = words.Say("zh", "运行 ", "") + named + " 代码" // 用 Python 算一下 names no code
	}
	return fence(lead+words.Say(Language(lead), "：", ": "), tongue(named, body), body, rest), true
}

// readable is a request as it is read: code that shall run in a fence, and no courtesies; with inFull also what is said in passing in full.
func readable(text string, inFull func(string) string) string {
	context := ""
	if m := contextMark.FindStringIndex(text); m != nil {
		text, context = text[:m[0]], text[m[0]:]
	}
	said, _ := inFence(plainWish(text))
	if inFull != nil {
		said = inFull(said)
	}
	return said + context
}

// recoded is a request with other code in the place of its own: what a person says while it runs, "print(5) instead". false: said is no code.
func recoded(text, said string) (string, bool) {
	m := facts.SourceText.FindStringSubmatchIndex(text)
	if m == nil {
		return text, false
	}
	if within := facts.SourceText.FindStringSubmatch(said); within != nil {
		said = within[1] + within[2] + within[3]
	} else if fenced, ok := inFence(said); ok {
		within = facts.SourceText.FindStringSubmatch(fenced)
		said = within[1] + within[2] + within[3]
	} else if said = aroundCode.ReplaceAllString(said, ""); !code(said) {
		return text, false
	}
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 && !strings.ContainsAny(said, "`\n") {
			return text[:m[i]] + said + text[m[i+1]:], true
		}
	}
	return text[:m[0]] + strings.TrimSpace(fence("", tongue("", said), said, "")) + text[m[1]:], true
}

// aroundCode are words around code that shall take the place of other code.
var aroundCode = words.MustCompile(`(?i)^(?:(?:no|sorry|actually|ok|please|rather|better|make it|change it to|use|run|try|execute|i meant?|不对?|不是|应该是|换成|改成|改为|改跑|改用|用|跑|运行|请|还是)[\s,，:：]*)+|[\s,，]*(?:instead|rather|please|吧|才对)[\s.。!！]*$`)

// added is what a person adds to a request under way, in the words in which a wish for a document of what is found is known.
func (x *Index) added(said string) string {
	wish := addsTo.ReplaceAllString(said, "")
	if put := inTwo(wish, ""); put != wish && x.delivers() {
		return put
	}
	if ordered.MatchString(said) {
		return said
	}
	return wish
}

var (
	// addsTo are words by which something is added to what was said; of ordered ones it depends on that.
	addsTo  = words.MustCompile(`(?i)^(?:(?:and|then|also|oh|now|afterwards|please)[\s,]+|(?:再|然后|顺便|另外|并且?|最后|还要?|也)[\s，,]*)+`)
	ordered = words.MustCompile(`(?i)^(?:and )?(?:then|afterwards)\b|^(?:再|然后|最后)`)
)

// code reports whether a text is code: each sign of a language of people stands in a string or a comment, and it begins and looks like code.
func code(s string) bool {
	bare := codeStrings.ReplaceAllString(s, `""`)
	return beginsCode.MatchString(bare) && codeSigns.MatchString(s) && !strings.ContainsFunc(bare, words.IsHan)
}

// tongue is what a fence calls the language of code that was named, or not.
func tongue(named, body string) string {
	switch n := strings.ToLower(named); {
	case strings.HasPrefix(n, "j"), strings.HasPrefix(n, "node"), n == "" && scriptOnly.MatchString(body):
		return "javascript"
	case n != "":
		return "python"
	}
	return ""
}

// tongueSaid: a text names the language of JavaScript code; that of other code need not be named.
var tongueSaid = regexp.MustCompile(`(?i)\b(?:javascript|js|node)`)

// fence puts code between ticks where they hold it, and where the words before it say its language, else into a fence.
func fence(before, language, body, after string) string {
	if body = strings.Trim(body, "\n"); !strings.ContainsAny(body, "`\n") && (language != "javascript" || tongueSaid.MatchString(before+after)) {
		return strings.TrimRight(before, " \n") + " `" + body + "`" + after
	}
	return strings.TrimRight(before, " \n") + "\n```" + language + "\n" + body + "\n```\n" + strings.TrimLeft(after, " \n")
}
