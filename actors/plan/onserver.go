package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Questions about files that a connected server has, in words that its cards do not speak: how big one is stands in its file info, and which of them hold a word is
// told by a tool only that reads into them.

const aPath = "([~/\\\\][^\\s?？，。,;；]*[^\\s?？，。,;；.]|[A-Za-z]:\\\\\\S+)"

var (
	// infoEng and infoHan ask for what is known of a file besides its text.
	infoEng = words.MustCompile(`(?i)^(?:please |can you |could you |tell me |and )*(?:(?:how (?:big|large|old|long) (?:is|are)|when (?:was|were|is|has)|what(?:'s|’s| is| are) the (?:file )?(?:size|date|permissions|age)(?: of| on)?|(?:file )?size of|who may (?:read|write)) (?:the )?(?:file |folder )?)` +
		aPath + `(?: (?:been )?(?:last )?(?:in (?:bytes|kb)|modified|changed|edited|created|written|accessed|touched))?[?？. ]*$`)
	infoHan  = words.MustCompile(`^(?:请问|请|帮我|看看|查一?下)*(?:文件)?\s*` + aPath + `\s*(?:这个文件|文件)?(?:的)?(?:有|是|占)?(?:多大|大小|几个?(?:字节|KB|kb|M)|什么时候(?:改|修改|创建|建)(?:过|好)?的?|(?:最后)?(?:修改|创建)(?:时间|日期)|权限)(?:是(?:多少|什么)?)?(?:呢)?[?？。 ]*$`)
	infoTool = words.MustCompile(`(?i)\b(?:info|metadata|stat|stats|attributes)\b`)
	// holdingEng and holdingHan ask which files of a folder hold a word.
	holdingEng = words.MustCompile(`(?i)^(?:please |can you |could you |tell me |show me |list |find |search )*(?:(?:which|what|the|all|all the|any) )?(?:files?|documents?) (?:in|under|of|below) (?:the (?:folder|directory) )?` + aPath + ` (?:that |which )?(?:contains?|containing|holds?|mentions?|mentioning|includes?|have|has|with) (?:the )?(?:words?|text|phrase|string|term)? ?\S`)
	holdingHan = words.MustCompile(`^(?:请问|请|帮我|看看|查一?下|找出?)*` + aPath + `\s*(?:目录|文件夹)?(?:里面?|下面?|中)?(?:的)?(?:有)?(?:哪些|什么|哪个|哪几个)文件(?:里面?|中)?(?:含有?|包含|有|提到|写了?)`)
	intoText   = words.MustCompile(`(?i)\bgrep\b|\b(?:search\w*|find\w*|match\w*)\b[^.]{0,60}\b(?:contents?|text (?:of|in|within)|inside files|lines)\b`)
)

// onServer are the tools here that work on files by their paths.
func (x *Index) onServer() []*cards.Entry {
	if x.behind != nil {
		x = x.behind.index
	}
	return slices.DeleteFunc(slices.Clone(x.entries), func(e *cards.Entry) bool { return !takesPath(e) })
}

// infoOf is a question about a file besides its text, as its tool would be asked; "" for any other, and where no such tool is.
func (x *Index) infoOf(text string) string {
	m, put := infoEng.FindStringSubmatch(text), "get file info of "
	if m == nil {
		m, put = infoHan.FindStringSubmatch(text), "获取文件信息 "
	}
	if m == nil || !slices.ContainsFunc(x.onServer(), func(e *cards.Entry) bool {
		return e.Reads() && infoTool.MatchString(strings.ReplaceAll(e.Name, "_", " "))
	}) {
		return ""
	}
	return put + m[1]
}

// notInto says that no tool here looks into the files of a folder for a word; "" for any other request, and where one does.
func (x *Index) notInto(g *goal) string {
	m := holdingEng.FindStringSubmatch(g.text)
	if m == nil {
		m = holdingHan.FindStringSubmatch(g.text)
	}
	tools := x.onServer()
	if m == nil || len(tools) == 0 || slices.ContainsFunc(tools, func(e *cards.Entry) bool {
		return e.Reads() && intoText.MatchString(strings.ReplaceAll(e.Name, "_", " ")+" "+e.Description)
	}) {
		return ""
	}
	return words.Say(g.lang, "哪些文件里有这样的字，这里没有工具能查：连接的服务器只按文件名查找。可以做的：列出 %[1]s 的文件，再看看其中一个的内容。",
		"Which files hold that cannot be told: the connected server finds files by their names only, and no tool here looks into all of them. What can be done: list the files in %[1]s, and show one of them.", m[1])
}
