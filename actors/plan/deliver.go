package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// documents is the tag of agents and tools that make files of what was found.
const documents = "documents"

// delivers reports whether somebody on offer makes documents.
func (x *Index) delivers() bool {
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool { return e.IsAgent() && slices.Contains(e.Tags, documents) })
}

const (
	fileHan = `(?:报告|报表|[日周月季年]报|简报|表格|幻灯片|演示文稿|(?i:ppt|excel|word|pdf|csv|markdown|html)(?:文件|文档|表格|报告)?|文档|网页)`
	fileEng = `(?:(?:pdf|excel|word|power ?points?|ppt|csv|markdown|html)(?: (?:files?|sheets?|spreadsheets?|workbooks?|tables?|reports?|documents?|slides?|decks?|presentations?|pages?))?|reports?|slides?|(?:slide )?decks?|presentations?|spreadsheets?|workbooks?|documents?|web ?page)`
	// foundEng is what was found before, in so many words.
	foundEng = `(?:(?:the|these|those|this|that|all(?: of)?(?: the| these| those)?|my|our|your)(?: above)? (?:results?|findings|answers?|figures|numbers|output)(?: above| so far)?|(?:all (?:of )?|everything )?the (?:above|foregoing)|(?:all (?:that )?|everything (?:that )?|what(?:ever)? )you(?:'ve)? found|all (?:of )?(?:that|this|it))`
	makeHan  = `(?:做成|弄成|搞成|制成|转换成|转换为|转为|整理成|整理为|生成|导出成|导出为|导出到|导出|输出成|输出为|汇总成|汇总为|写成|转成|变成|放到|放进|保存成|保存为|保存到|另存为|存成|存为|存到|做)`
)

// The ways to ask for a document of something: 把王萍萍的订单做成一份表格; 做一份王萍萍订单的报告; 王萍萍买了哪些订单？做成PPT; and English ones.
var (
	turnHan  = words.MustCompile(`^(?:请|麻烦|帮我|给我|你|，|\s)*(?:把|将)([^。；！\n]{2,120}?)(?:都|全部|一起)?(` + makeHan + `[^，,。；！？]{0,8}?` + fileHan + `[^，,]{0,10})$`)
	aboutHan = words.MustCompile(`^(?:请|麻烦|帮我|你|，|\s)*(?:给我)?(?:给我|我要|来|做|制作|生成|写|出|整理|导出|输出)(?:一下)?((?:[一几两]?[份个张页篇])?)(?:关于|有关)?([^。；！\n]{2,120}?)的?(` + fileHan + `)[。.!！]?$`)
	thenHan  = words.MustCompile(`^([^\n]{2,300}?)(?:[，,。；;？?\s]+(?:然后|并且|并|再|最后|同时|请|帮我|给我|，)*|(?:然后|并且?|再|最后|同时)+)(` + makeHan + `[^，,。；！？的]{0,6}?` + fileHan + `[^，,]{0,6})$`)
	intoHan  = words.MustCompile(`^(?:请|麻烦|帮我|给我|你|，|\s)*([^，,。；！？\n]{2,120}?)(?:都|全部|一起)?((?:做成|弄成|搞成|制成|转换[成为]|转为|整理[成为到]|导出[成为到]|输出[成为到]|汇总[成为到]|写成|转成|变成|放[到进]|存[成为到]|保存[成为到])[^，,。；！？的]{0,8}?` + fileHan + `[^，,]{0,6})$`)
	outHan   = words.MustCompile(`^(?:请|麻烦|帮我|给我|你|，|\s)*(导出|输出|整理|汇总)(?:一下)?([^，,。；！？\n]{2,120}?)([成为到][^，,。；！？的]{0,6}?` + fileHan + `[^，,]{0,6})$`)
	turnEng  = words.MustCompile(`(?i)^(?:please |can you |could you )*(?:export|turn|put|make|convert|write|save|show(?: me)?|give me|send me|get me|I (?:want|need)|I'd like|I would like|list) (.{3,200}?) (?:in ?to|to|as|in) ((?:an? |some )?` + fileEng + `)[.!?]?$`)
	aboutEng = words.MustCompile(`(?i)^(?:please |can you |could you )*(?:make|create|write|generate|prepare|build|give)(?: me)? ((?:an? |some )?` + fileEng + `) (?:of|on|about|for|from|with) (.{3,200}?)[.!?]?$`)
	// tradeEng says what the document is of before its kind: make a sales report for air fryers.
	tradeEng = words.MustCompile(`(?i)^(?:please |can you |could you )*(?:make|create|write|generate|prepare|build)(?: me)? an? ((?:[a-z]+ ){1,2})(` + fileEng + `)((?: (?:of|on|about|for|from|in|this|last)\b.{0,200}?)?)[.!?]?$`)
	thenEng  = words.MustCompile(`(?i)^(.{3,300}?)[,.?;]?\s+(?:and |then |and then |, )+(?:please )?(?:export|turn|put|make|convert|write|save) (?:it|them|this|that|the results?|everything)?\s*(?:in ?to|to|as|in)? ?((?:an? |some )?` + fileEng + `)(?: of (?:it|them|that))?[.!?]?$`)
	// asEng says at the end as what a question is to be answered: total revenue by city, as a web page.
	asEng   = words.MustCompile(`(?i)^(.{3,300}?),? (?:as|in the form of) ((?:an? |some )?` + fileEng + `)[.!?]?$`)
	bareHan = words.MustCompile(`^(?:请|麻烦|帮我|给我|你|我要|再|，|\s)*(?:` + makeHan + `|制作|来|出|整理|输出|给我|我要)(?:一下)?([一几两]?[份个张页篇])?(` + fileHan + `)(?:给我|吧|一下)?[。.!！]?$`)
	bareEng = words.MustCompile(`(?i)^(?:please |can you |could you |now )*(?:(?:make|create|write|generate|prepare|build|give)(?: me)?|(?:export|turn|put|convert|save|make|write|show(?: me)?|give me|send me|get me|(?:can|could) I (?:have|get)|I (?:want|need)|I'd like)(?: (?:it|this|that|these|those|them|` + foundEng + `))?(?: in ?to| to| as| in)|as|in) ((?:an? |some )?` + fileEng + `)(?: (?:of|from|with|about) (?:it|this|that|these|those|them|everything|` + foundEng + `))?,?(?: please)?[.!?]?$`)

	// bareTool*: 存成工具, make it a tool: of what was just done, as nothing else is named. The group is the name, if there is one.
	bareToolHan = words.MustCompile(`^(?:请|麻烦|帮我|给我|你|也|再|，|\s)*(?:把?(?:它们?|这个|这些|这))?(?:也|都)?(?:存|保存|另存|做|变|转|封装)(?:成|为)(?:一?个)?(?:新的?|我的)?工具(?:吧|一下)?((?:[，,\s]*(?:名字|名称|取名|命名|就?叫|[a-z]\w*_).{0,60})?)[。.!！]?$`)
	bareToolEng = words.MustCompile(`(?i)^(?:please |can you |could you |now )*(?:(?:save|keep|store)(?: (?:it|this|that|these|them|the steps))? as|(?:turn|convert|make) (?:it|this|that|these|them|the steps)(?: in ?to)?) (?:an? )?(?:new |reusable )?tool((?:,? (?:please|called|named|with the name|and (?:call|name) it|[a-z]+_).{0,60})?)[.!?]*$`)

	// there is what stands in the conversation already, and need not be found first.
	thereHan = words.MustCompile(`上面|以上|上述|刚才|刚刚|前面|之前|这些|那些|这个|那个|这次|它|对话|会话|聊天|查到的|结果|^(?:数据|内容|信息|一[份个张]|(?:全部|所有)的?(?:数据|内容|信息)?)$`)
	thereEng = words.MustCompile(`(?i)^(?:it|this|that|these|those|them|everything|the (?:results?|above|answer|conversation|chat|data|findings))\b|\b(?:above|so far|you found|conversation)\b`)
	// askedHan asks how it is done, or whether it can be.
	askedHan = words.MustCompile(`怎么|怎样|如何|为什么|为何|能不能|能否|可不可以|可以|是否|不要|别|不用`)
	// asking is a request that begins with what shall be done.
	askingHan = words.MustCompile(`^(?:请|帮我|查|看|找|搜|统计|预测|预估|分析|推荐|建议|对比|比较|列|算|计算|汇总|评估|运行|执行|跑)`)
	askingEng = words.MustCompile(`(?i)^(?:find|list|show|get|count|forecast|predict|compare|what|which|who|how|when|where|analy[sz]e|check|track|search|summari[sz]e|tell|run|execute|compute|calculate)\b`)
)

// businessHan is what a report is about when it is of the business as a whole: 上个月的经营(报告), 十月的运营分析. dueHan is one that is due each day, week
// or month, of which of them it may say nothing: dueOf.
var (
	businessHan = words.MustCompile(`(?:经营|运营|营业|生意|业绩)(?:分析|总结|汇总|数据)?$`)
	dueHan      = words.MustCompile(`([日周月季年])报`)
	// savedHan and formatHan are other ways to say what kind of file it shall be: 保存为Word; …的报告，PDF格式.
	savedHan  = words.MustCompile(`^(?:保存|另存|存)[成为到]`)
	formatHan = words.MustCompile(`(?i)^(.{2,200}?(?:报告|报表|[日周月季年]报|简报))[，, （(]*(?:要|用|以)?(ppt|excel|word|pdf|csv|markdown|html)(?:的)?格式[)）的]*$`)
	// writingEng is the wish to write one before what it is of: write a sales report for May, and make it a PDF.
	writingEng = words.MustCompile(`(?i)^(?:make|write|create|prepare|generate)(?: me)? an? `)
	dueOf      = map[string]string{"日": "今天", "周": "本周", "月": "本月", "季": "本季度", "年": "今年"}
)

// onlyPeriod reports whether a text names a stretch of time and nothing else.
func onlyPeriod(s string) bool {
	for _, f := range facts.Read(s, time.Date(2000, 6, 15, 0, 0, 0, 0, time.UTC), nil) { // which one it is does not matter here
		if _, is := f.Value.(facts.Period); is && f.Start == 0 && f.End == len(s) {
			return true
		}
	}
	return false
}

// delivering is what it is worth to make documents where nothing but a document of what is there is wanted: 把整个对话做成网页 is about no address.
const delivering = 5.0

// wantsDocument reports whether a text asks for a document of what is there or of a file, and for nothing else. A report of a file may be one of its figures.
func wantsDocument(text string) bool {
	_, text = formOf(strings.TrimSpace(text))
	if m := turnHan.FindStringSubmatch(text); m != nil {
		return thereHan.MatchString(strings.Trim(m[1], " 的")) || isFile(trimFile(m[1])) && kindNamed.MatchString(m[2])
	}
	if m := turnEng.FindStringSubmatch(text); m != nil {
		return thereEng.MatchString(m[1]) || isFile(trimFile(m[1])) && kindNamed.MatchString(m[2])
	}
	for _, p := range []*words.Pattern{intoHan, outHan} {
		if m := p.FindStringSubmatch(text); m != nil && isFile(trimFile(m[len(m)-2])) && kindNamed.MatchString(m[len(m)-1]) {
			return true
		}
	}
	if m := aboutHan.FindStringSubmatch(text); m != nil {
		return isFile(trimFile(m[2])) && kindNamed.MatchString(m[3])
	}
	m := aboutEng.FindStringSubmatch(text)
	return m != nil && (thereEng.MatchString(m[2]) || isFile(trimFile(m[2])) && kindNamed.MatchString(m[1]))
}

// kindNamed names a kind of file, and not only a report.
var kindNamed = words.MustCompile(`(?i)幻灯片|演示文稿|表格|文档|网页|ppt|excel|word|pdf|csv|markdown|html|\b(?:power ?points?|slides?|decks?|presentations?|spreadsheets?|workbooks?|documents?|web ?page)\b`)

// trimFile is the name of a file without the words around it: the file logo.png, 文件 logo.png.
func trimFile(s string) string { return strings.Trim(aroundFile.ReplaceAllString(s, ""), " 的里") }

var aroundFile = words.MustCompile(`(?i)^\s*(?:the |my |our )?(?:file|picture|image|文件|图片|这个文件)?\s*`)

// makes are words that want a document made, or had.
var makes = words.MustCompile(`(?i)` + makeHan + `|制作|整理|给我|[来出要弄发]|\b(?:make|create|write|generate|prepare|build|give|export|turn|put|convert|save|produce|send|get|into|as)\b`)

// asksAbout reports whether a clause only asks something about files of the kinds that a maker of documents makes: How do I learn Excel?
func asksAbout(c wishes.Clause, e *cards.Entry) bool {
	if !wishes.QuestionHan.MatchString(c.Text) && !wishes.QuestionEng.MatchString(c.Text) || makes.MatchString(c.Text) {
		return false
	}
	return slices.ContainsFunc(words.Content(c.Text), func(w string) bool { return !e.Vocab[w] && !e.TagTerms[w] })
}

// isFile reports whether a text is the name of a file and nothing else: it need not be found first.
func isFile(s string) bool {
	m := facts.FileName.FindString(" " + s)
	return m != "" && strings.TrimSpace(m) == s
}

// inTwo says a wish for a document of something that is not found yet in two: first what is to be found, then the document of it. So
// 把王萍萍的订单做成一份表格 is read like 查王萍萍的订单，然后把结果做成一份表格. A wish for a document of nothing in particular, 做成PPT, is for one of what was
// found before, and one for a tool, 存成工具, for one of what was done before. Other requests stay as they are, unless the output that was chosen beside them is a document.
// What the document shall be called and hold stands behind the wish for it.
func inTwo(request, output string) string {
	text := strings.TrimSpace(request)
	if len(text) > 600 {
		return request
	}
	if put := besideADocument(text, output); put != "" {
		return put
	}
	form, wish := formOf(text)
	if said := form.words(words.Language(text)); said != "" && wish != "" && !madeATool.MatchString(text) {
		if put := plainInTwo(wish, output); put != wish || wantsDocument(wish) {
			return put + said
		}
	}
	return plainInTwo(request, output)
}

// plainInTwo is inTwo for a wish that says nothing of how the document shall be.
func plainInTwo(request, output string) string {
	text := strings.TrimSpace(request)
	file := ""
	if m := broughtWith.FindStringIndex(text); m != nil && facts.FileName.MatchString(" "+text[m[0]:]) { // what is there is the file that came with the request
		file, text = strings.Trim(text[m[0]:], " （）()"), text[:m[0]]
	}
	trim := func(s string) string { return strings.Trim(s, " ，,。.;；、的?？") }
	han := func(what, document string) string {
		what = trim(what)
		due := dueHan.MatchString(document)
		document = dueHan.ReplaceAllString(savedHan.ReplaceAllString(document, "导出成"), "报告")
		if m := bareHan.FindStringSubmatch(what); m != nil { // 做一份周报，导出成Word: the report is that document
			which := dueHan.FindStringSubmatch(m[2])
			if which == nil {
				return "把上面的结果" + document
			}
			what, due = dueOf[which[1]], true
		} else if m := aboutHan.FindStringSubmatch(what); m != nil {
			what, due = trim(m[2]), due || dueHan.MatchString(m[3])
		}
		if trade := businessHan.FindString(what); trade != "" {
			what = strings.TrimSuffix(what, trade) + string([]rune(trade)[:2]) + "情况"
		} else if due && onlyPeriod(what) {
			what += "的经营情况"
		}
		if file != "" && thereHan.MatchString(what) {
			return "分析 " + file + " 的数据，然后把结果" + document
		} else if file != "" {
			what += "（" + file + "）"
		} else if thereHan.MatchString(what) || isFile(trimFile(what)) {
			return request
		}
		if !askingHan.MatchString(what) && !wishes.QuestionHan.MatchString(what) {
			what = "查" + what
		}
		return what + "，然后把结果" + document
	}
	eng := func(what, document string) string {
		if what = trim(what); file != "" && thereEng.MatchString(what) {
			return "Analyse the data of " + file + ", then make the results into " + strings.TrimSpace(document)
		} else if file != "" {
			what += " (" + file + ")"
		} else if thereEng.MatchString(what) || isFile(trimFile(what)) {
			return request
		}
		if !askingEng.MatchString(what) {
			what = "Find " + writingEng.ReplaceAllString(what, "a ")
		}
		return what + ", then make the results into " + strings.TrimSpace(document)
	}
	if m := formatHan.FindStringSubmatch(text); m != nil {
		text = m[1] + "，导出成" + m[2]
	}
	if m := bareToolHan.FindStringSubmatch(text); m != nil {
		return "把刚才的步骤存成工具" + m[1]
	}
	if m := bareToolEng.FindStringSubmatch(text); m != nil {
		return "save these steps as a new tool" + m[1]
	}
	if kind := otherKind(text); kind != "" {
		return words.Say(words.Language(text), "把上面的结果做成"+kind, "make the results above into "+kind)
	}
	if m := bareHan.FindStringSubmatch(text); m != nil {
		if dueHan.MatchString(m[2]) {
			return han(text, "做成"+m[1]+m[2])
		}
		return "把上面的结果做成" + m[1] + m[2]
	}
	if m := bareEng.FindStringSubmatch(text); m != nil && file != "" {
		return eng("this", m[1])
	} else if m != nil {
		return "make the results above into " + m[1]
	}
	if m := turnHan.FindStringSubmatch(text); m != nil {
		return han(m[1], m[2])
	}
	if m := thenHan.FindStringSubmatch(text); m != nil {
		return han(m[1], m[2])
	}
	if m := outHan.FindStringSubmatch(text); m != nil {
		return han(m[2], m[1]+m[3])
	}
	if m := intoHan.FindStringSubmatch(text); m != nil && !askedHan.MatchString(m[1]) {
		return han(m[1], m[2])
	}
	if m := aboutHan.FindStringSubmatch(text); m != nil {
		return han(m[2], "做成一份"+m[3])
	}
	if m := thenEng.FindStringSubmatch(text); m != nil {
		return eng(m[1], m[2])
	}
	if m := turnEng.FindStringSubmatch(text); m != nil {
		return eng(m[1], m[2])
	}
	if m := aboutEng.FindStringSubmatch(text); m != nil {
		return eng(m[2], m[1])
	}
	if m := asEng.FindStringSubmatch(text); m != nil && (file != "" || askingEng.MatchString(m[1]) || strings.HasPrefix(text[len(m[1]):], ",")) {
		return eng(m[1], m[2])
	}
	if m := tradeEng.FindStringSubmatch(text); m != nil && ofTrade.MatchString(m[1]) {
		return eng(m[1]+strings.TrimSpace(m[3]), "a "+m[2])
	}
	document, chosen := outputs[output]
	if !chosen || text == "" || SmallTalk(text) || thereHan.MatchString(text) || thereEng.MatchString(text) {
		return request
	}
	if words.Language(text) == "zh" {
		return han(text, "做成"+document[0])
	}
	return eng(text, document[1])
}

// outputs are the output styles that are documents, in Chinese and English.
var outputs = map[string][2]string{"html": {"网页报告", "a web page"}, "ppt": {"PPT", "slides"}, "docs": {"Word文档", "a Word document"}}
