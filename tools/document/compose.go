package document

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hmap-project/hmap/tools/document/outline"
)

// Passage is something to put into a document: a question with its answer, or a result.
type Passage struct {
	// Heading is what was asked, in short; empty for none.
	Heading string
	// Asked is the whole request, where the heading is not; else empty.
	Asked string
	// Text is Markdown; its tables become tables of the document.
	Text string
	// Results are JSON values that may hold all rows of a table of which Text shows the first.
	Results []json.RawMessage
}

// more is the line below a table that says how many rows it leaves out.
var more = regexp.MustCompile(`^(?:另有 ([\d,]+) 行(?:，见文件。)?|([\d,]+) more(?: rows)?(?: are in the file\.)?)$`)

// maxComposed is how many sections are composed at most; the last says that there was more.
const maxComposed = 200

// Compose makes sections of passages, with no model: texts stay as they are, tables get all their rows back, and tables that a chart can show get one.
//
// Parts that came to nothing beside others are told by name at the end. The parts within one of several passages stay in it, under headings of their own.
func Compose(o *outline.Outline, passages []Passage) {
	var failed []string
	defer func() {
		if n := len(failed); n > 0 && len(o.Sections) < maxComposed {
			o.Sections = append(o.Sections, outline.Section{Heading: o.Words("没有结果的部分", "Parts without a result"), Text: strings.Join(failed, "\n")})
		}
	}()
	for _, p := range passages {
		p.Text = unneeded.ReplaceAllString(p.Text, "")
		if p.Asked != "" {
			p.Text = "> " + escape(p.Asked) + "\n\n" + p.Text
		}
		var sections []outline.Section
		for _, piece := range pieces(p.Text) {
			part := p
			part.Text = piece
			sections = append(sections, compose(o, part, len(passages) > 1)...)
		}
		sections = bare(sections, len(passages) > 1)
		if good := slices.DeleteFunc(slices.Clone(sections), vain); len(good) > 0 {
			for _, s := range sections {
				if vain(s) {
					failed = append(failed, "- **"+escape(s.Heading)+"** "+s.Text)
				}
			}
			sections = good
		}
		for _, s := range sections {
			if len(o.Sections) == maxComposed {
				last := &o.Sections[maxComposed-1]
				last.Text += "\n\n" + o.Words("（其余内容从略）", "(the rest is left out)")
				return
			}
			o.Sections = append(o.Sections, s)
		}
	}
}

// pieces part a text that is too long for a section, between paragraphs where it has some.
func pieces(text string) []string {
	const most = outline.MaxText / 2 // written again, a text may be longer
	var out []string
	for len(text) > most {
		at := strings.LastIndex(text[:most], "\n\n")
		if at <= 0 {
			for at = most; at > 0 && !utf8.RuneStart(text[at]); at-- {
			}
		}
		out, text = append(out, text[:at]), text[at:]
	}
	return append(out, text)
}

// unneeded is what an answer says of files that lie beside it, which no document can open, and the query language of a table.
var unneeded = regexp.MustCompile(`(?m)^(?:文件：|Files:)[ \t]*\n+(?:- \[[^\n]*\]\(obj:[^\n]*(?:\n|\z))+|^SQL(?:：|: ?).*$`)

// vain reports whether a section says no more than that nothing came of what it is about.
func vain(s outline.Section) bool {
	return len(s.Tables)+len(s.Charts)+len(s.Pictures) == 0 && saysNone.MatchString(s.Text)
}

var saysNone = regexp.MustCompile(`^(?:没能完成|没有执行|抱歉，我没有能|This could not be done|Not done|Sorry, I have no tool)`)

// bare leaves out a first section that only leads in to the next one, and begins that with its text: nobody wants a slide of one line.
// Beside other passages all that it leads in to is one section.
func bare(sections []outline.Section, nested bool) []outline.Section {
	if len(sections) < 2 || len(sections[0].Tables)+len(sections[0].Charts) > 0 || outline.Width(sections[0].Text) > maxLead || !leadsIn.MatchString(sections[0].Text) || vain(sections[1]) {
		return sections
	}
	lead, next := sections[0], &sections[1]
	if lead.Heading != "" && next.Heading != "" {
		lead.Text += "\n\n### " + escape(next.Heading)
	}
	next.Text = strings.TrimSpace(lead.Text + "\n\n" + next.Text)
	next.Heading = cmp.Or(lead.Heading, next.Heading)
	for sections = sections[1:]; nested && len(sections) > 1; sections = slices.Delete(sections, 1, 2) {
		more := sections[1]
		if len(more.Tables)+len(more.Charts)+len(sections[0].Tables) > 0 || len(sections[0].Text)+len(more.Text) > outline.MaxText/4 {
			break
		}
		sections[0].Text += "\n\n### " + escape(more.Heading) + "\n\n" + more.Text
	}
	return sections
}

var leadsIn = regexp.MustCompile(`[:：]$`)

// maxLead is how wide a text is at most that only leads in.
const maxLead = 120

func compose(o *outline.Outline, p Passage, nested bool) []outline.Section {
	sections := []outline.Section{{Heading: outline.Line(p.Heading)}}
	last := func() *outline.Section { return &sections[len(sections)-1] }
	var text strings.Builder
	flush := func() { // the text so far belongs to the last section
		last().Text = strings.TrimSpace(last().Text + "\n\n" + text.String())
		text.Reset()
	}
	begin := func(heading string) {
		flush()
		if l := last(); l.Text == "" && len(l.Tables) == 0 && (l.Heading == "" || len(sections) > 1) {
			l.Heading = heading
			return
		}
		sections = append(sections, outline.Section{Heading: heading})
	}
	blocks := outline.Blocks(p.Text, 0)
	title := "" // of the table that comes next
	for i, b := range blocks {
		switch {
		case b.Kind == outline.Heading && b.Level <= 3 && !nested, b.Kind == outline.Paragraph && titleLike(b):
			begin(outline.Line(strings.TrimRight(outline.Plain(b.Runs), ":： ")))
		case b.Kind == outline.Grid:
			t := *b.Table
			t.Title, title = title, ""
			if i+1 < len(blocks) {
				t.Total = omitted(blocks[i+1]) + len(t.Rows)
			}
			t = even(whole(even(t), p.Results))
			if c, ok := derive(t); ok && len(last().Charts) < 2 {
				last().Charts = append(last().Charts, c)
			}
			last().Tables = append(last().Tables, t)
		case i+1 < len(blocks) && blocks[i+1].Kind == outline.Grid && leads(b):
			if title = outline.Line(strings.TrimRight(outline.Plain(b.Runs), ":： ")); onlyRows.MatchString(title) {
				title = "" // it says nothing that one does not see
			}
		case omitted(b) > 0 && i > 0 && blocks[i-1].Kind == outline.Grid:
		default:
			text.WriteString(passage(o, b))
		}
	}
	flush()
	return slices.DeleteFunc(sections, func(s outline.Section) bool { return s.Text == "" && len(s.Tables) == 0 })
}

var onlyRows = regexp.MustCompile(`^(?:共 [\d,]+ 行|[\d,]+ rows?)$`)

// leads reports whether a paragraph is what the table below it is called: 分周预测：
func leads(b outline.Block) bool {
	text := strings.TrimSpace(outline.Plain(b.Runs))
	return b.Kind == outline.Paragraph && outline.Width(text) <= 60 && (strings.HasSuffix(text, "：") || strings.HasSuffix(text, ":"))
}

// titleLike reports whether a paragraph is one short line in bold: what stands for a heading in answers.
func titleLike(b outline.Block) bool {
	return len(b.Runs) == 1 && b.Runs[0].Bold && outline.Width(b.Runs[0].Text) <= 80 && !strings.ContainsAny(b.Runs[0].Text, "。！\n")
}

// omitted is how many rows a line says are left out.
func omitted(b outline.Block) int {
	if b.Kind != outline.Paragraph {
		return 0
	}
	m := more.FindStringSubmatch(strings.TrimSpace(outline.Plain(b.Runs)))
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1]+m[2], ",", ""))
	if err != nil || n > 1<<30 {
		return 0
	}
	return n
}

// even makes all rows of a table as long as its head.
func even(t outline.Table) outline.Table {
	o := outline.Outline{Sections: []outline.Section{{Tables: []outline.Table{t}}}}
	o.Clean()
	return o.Sections[0].Tables[0]
}

// demand are the words around what a document shall be about: 把王萍萍的订单做成一份报告 is about 王萍萍的订单.
var demand = []*regexp.Regexp{
	regexp.MustCompile(`^([^\n]{2,300}?)[，,。；;？?\s]+(?:然后|并且|并|再|最后|请|帮我|给我|把结果|把它|把这些|，)*(?:做成|整理成|生成|导出|输出|汇总成|写成|转成|保存[成为到]|另存为|存[成为到])[^，,。；！？]{0,24}$`),
	regexp.MustCompile(`(?i)^(.{3,300}?)[,.?;]?\s+(?:and |then |and then )+(?:please )?(?:export|turn|put|make|convert|write|save) .{0,60}$`),
	regexp.MustCompile(`^(?:请|帮我|麻烦|给我|你|，|,|\s)*(?:把|将)(.{2,80}?)(?:的?(?:结果|数据|信息|内容))?(?:都|全部|一起)?(?:做成|做|整理成|整理|生成|导出成|导出为|导出|输出成|输出为|写成|汇总成|转成|变成|放到|放进).*$`),
	regexp.MustCompile(`^(?:请|帮我|麻烦|给我|，|,|\s)*([^，,。；！？\n]{2,120}?)(?:都|全部|一起)?(?:然后|并且?|再|最后|同时)*(?:做成|整理[成为到]|导出[成为到]|输出[成为到]|汇总[成为到]|写成|转成|放[到进]|存成)[^，,。；！？]{0,8}?(?i:报告|报表|表格|幻灯片|演示文稿|文档|网页|ppt|excel|word|pdf|csv|markdown|html)[^，,]{0,6}$`),
	regexp.MustCompile(`^(?:请|帮我|麻烦|给我|，|,|\s)*(?:做|生成|写|出|导出|整理)(?:一份|一个|份|个)?(?:关于)?([^成为].{1,79}?)的?(?:报告|报表|表格|幻灯片|文档|PPT|ppt|excel|Excel|EXCEL|word|Word|PDF|pdf)$`),
	regexp.MustCompile(`(?i)^(?:please\s+)?(?:make|create|write|generate|prepare|export|turn|put)\s+(?:me\s+)?(?:a|an|the)?\s*(?:report|slides?|deck|presentation|spreadsheet|table|document|pdf)\s+(?:of|on|about|for|from|with)\s+(.{2,120}?)[.!]?$`),
	regexp.MustCompile(`(?i)^(?:please\s+)?(?:make|turn|put|export|write)\s+(.{2,120}?)\s+(?:into|as|to)\s+(?:a|an)?\s*(?:report|slides?|deck|presentation|powerpoint|ppt|spreadsheet|excel|table|document|word|pdf|markdown|html)\b.*$`),
}

// maxSubject is how wide a title that nobody gave may be.
const maxSubject = 60

// subject is what a request is about, as a title: of a long one its first sentence, or as much of it as goes on one line.
func subject(request string) string {
	whole := topic(request)
	if outline.Width(whole) <= maxSubject {
		return whole
	}
	line := strings.TrimSuffix(outline.Clip(whole, maxSubject), "…")
	if at := sentenceEnd.FindStringIndex(line); at != nil && outline.Width(line[:at[0]]) >= maxSubject/5 {
		return line[:at[0]]
	}
	if at := clauseEnd.FindAllStringIndex(line, -1); len(at) > 0 && outline.Width(line[:at[len(at)-1][0]]) >= maxSubject/3 {
		line = line[:at[len(at)-1][0]]
	} else if i := strings.LastIndex(line, " "); outline.Width(line[:max(i, 0)]) >= maxSubject/2 {
		line = line[:i]
	}
	return strings.TrimRight(line, " ，,、；;：:") + "…"
}

var (
	sentenceEnd = regexp.MustCompile(`[。！？!?；;]|\.(?:\s|$)`)
	clauseEnd   = regexp.MustCompile(`[，：]|[,:](?:\s|$)`)
)

// topic is what a request for a document is about; the request itself when that cannot be told.
func topic(request string) string {
	request = outline.Line(request)
	if at := ofDocument.FindStringIndex(request); at != nil && formatWords.MatchString(request[:at[0]]) {
		request = request[:at[0]]
	}
	request = formatBehind.ReplaceAllString(request, "")
	for _, d := range demand {
		if m := d.FindStringSubmatch(request); m != nil {
			request = m[1]
			break
		}
	}
	if plain := polite.ReplaceAllString(request, ""); utf8.RuneCountInString(plain) >= 2 {
		request = plain
	}
	if plain := wishBefore.ReplaceAllString(request, ""); utf8.RuneCountInString(plain) >= 3 {
		request = plain
	}
	if plain := drawn.ReplaceAllString(request, ""); utf8.RuneCountInString(plain) >= 3 {
		request = plain
	}
	return strings.TrimRight(strings.TrimSpace(request), "?？。.!！,，")
}

// ofDocument is what a request says of the document itself, behind the wish for it: what it shall be called, and which columns it shall have.
var ofDocument = regexp.MustCompile(`(?i)[，,。；;\s]*(?:文件|文档|报告)?的?(?:大?标题|题目|文件名|名字|名称|取名|命名)[^。；;\n]{1,80}$|[，,。；;\s]*(?:只|仅)(?:需要|要|保留|留下?|包含|包括|含|放|显示|列出|导出|用)[^。；;\n]{1,120}$|` +
	`,? (?:and )?(?:(?:with|under|using) (?:the |a )?(?:title|heading|name)\b|(?:titled|entitled|called|named|headed) |(?:call|name|title) it ).{1,120}$|,? (?:with |but |and )*(?:only|just) .{1,120}$`)

// formatBehind is the kind of file behind the wish for it: 昨天的日报，PDF格式. wishBefore is the wish to make one before what it is: 写一份上周的周报, write a report for May.
var (
	formatBehind = regexp.MustCompile(`(?i)[，, （(]*(?:要|用|以)?(?:ppt|excel|word|pdf|csv|markdown|html)的?格式[)）的]*$`)
	wishBefore   = regexp.MustCompile(`(?i)^(?:做|写|出|来|要|我要|生成|制作|准备|弄|搞)?(?:出|成)?一?[份篇](?:关于|有关)?|^(?:make|write|create|prepare|generate)(?: me)? (?:an? |the |some )`)
)

// polite are words before a request that are no part of what it is about.
var polite = regexp.MustCompile(`(?i)^(?:(?:请问?|麻烦您?你?|劳驾|能不能|帮我|帮忙|给我|[你您]好)[，,！!\s]*)+|^(?:(?:please|can you|could you|would you|(?:be )?so kind (?:as to|and)|kindly|hi|hello)[, ]+)+|[\s,，.。!！?？]*(?:\bthank(?:s| you)\b|\bplease$|(?:非常|十分|先)?(?:谢谢|感谢)(?:您|你|了|啦|[！!。，,\s]|$))[^。.!！?？]*[\s.。!！]*$`)

// drawn is the wish for a picture before what a request is about: 画个图看看, draw a chart of.
var drawn = regexp.MustCompile(`(?i)^(?:用|画|绘制|做|来)[出成]?[一个张幅份]{0,2}\p{Han}{0,3}图表?[，,\s]*(?:来|并|给我)?(?:看看|看一?下|展示|显示|表示)(?:一下)?|^(?:show me|give me|(?:draw|plot|make|create)(?: me)?) (?:a|an|the) (?:\w+ )?(?:chart|graph|plot|diagram) (?:of|for|showing) `)

// there are words for what the conversation holds already: a document of it is named after what that was.
var there = regexp.MustCompile(`(?i)上面|以上|上述|刚才|前面|之前|这些|那些|^(?:这个|它|它们|结果|全部|所有).{0,6}$|对话|会话|结果$|\b(?:above|conversation|results?|everything)\b|^(?:再|也|请|帮我|给我)*(?:做成|做|整理成|导出|输出|生成|写成|转成|存成)|^(?:再|也)|^(?:it|this|that|these|those|them|all)$`)

// onlyForm reports whether a request names nothing but the form of a document, "as PDF please", 做成PPT: that is no title of one.
func onlyForm(request string) bool {
	return formatWords.MatchString(request) && !strings.ContainsFunc(ofForm.ReplaceAllString(formatWords.ReplaceAllString(request, " "), ""), unicode.IsLetter)
}

// ofForm are words around the name of a form.
var ofForm = regexp.MustCompile(`(?i)\b(?:as|an?|in|into|to|of|please|thanks?|you|thank|formats?|files?|forms?|versions?|documents?|me|give|make|get|want|need|would|like|i|i'd|the|it|this|that|these|them|all|everything|results?|export|save|convert|turn|put|write|create|generate|send|show|and|can|could|now|also|too|again|instead|rather|change|switch|use|no|not|sorry|actually|one|nice|short)\b|` +
	`请|麻烦|帮|做|整理|改|别|不要|不是|而是|还是|算了|那就?|生成|导出|输出|保存|存|转|变|写|换|发|来|出|要|想|给|我|您|你|成|为|把|将|它们?|这些|这个|是|上面|以上|刚才|全部|所有|结果|内容|的|一[份个张]|[份个张]|文件|格式|形式|版本?|再|也|都|吧|好|谢谢|一下|用|以`)
