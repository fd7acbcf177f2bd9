package plan

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// form is what a document shall be called, and which columns its tables shall have: 做成Excel，标题叫《本周待办》，只要订单编号和金额两列. That is of the document, and limits
// nothing that is looked up for it.
type form struct {
	title   string
	columns []string
}

const (
	quotedName = `(?:《([^》\n]{1,80})》|「([^」\n]{1,80})」|“([^”\n]{1,80})”|"([^"\n]{1,80})"|'([^'\n]{1,80})'`
	lead       = `[，,。；;\s]*(?:并且?|同时|而且|然后)?[，,\s]*`
)

var (
	titleHan = words.MustCompile(lead + `(?:(?:文件|文档|报告|表格|网页)?的?(?:大?标题|题目|文件名|名字|名称|文件标题)(?:就?叫做?|取为|设为|设成|写成?|定为|改为|改成|用|是|为|[:：])?|(?:取名|起名|命名|题名)(?:叫做?|为|成)?|题为|就?叫做?)\s*` + quotedName + `|([^《「“"'，,。；;\n]{1,40}))`)
	titleEng = words.MustCompile(`(?i),? (?:and )?(?:(?:with|under|using|having) (?:the |a |its )?(?:file )?(?:title|heading|headline|name)(?: of)?:?|(?:titled|entitled|called|named|headed)|(?:give it|its|the) (?:the )?title(?: is| should be)?|(?:call|name|title) it) ` + quotedName + `|([^,.;"'“\n]{1,60}?))(,| with\b| and\b|[.;!]|$)`)

	columnsHan = words.MustCompile(lead + `(?:里面|其中|文件里|表里)?(?:只|仅)(?:需要|要|保留|留下?|包含|包括|含|放|显示|列出|导出|用)([^。；;\n]{1,120}?)(?:(?:这|那)?(?:[一二两三四五六七八九十\d]+|几)?个?(?:列|栏|字段)(?:就行|即可|就好|吧)?)[。.!！]?$`)
	justHan    = words.MustCompile(`[，,。；;\s]+(?:只|仅)(?:需要|要|保留|留下?|包含|包括|放|显示)([^。；;\n的月日周年前后\d]{1,60})[。.!！]?$`) // names, and no condition: 只要十月的
	columnsEng = words.MustCompile(`(?i),? (?:(?:and|but|with|keep|keeping|showing|show|using|containing|having|including) )*(?:only|just|nothing but)(?: with| keep| show| include)? ([^.;\n]{2,120}?)(?: columns?| fields?)?(?: please)?[.!]?$`)
	eachColumn = regexp.MustCompile(`(?i)\s*(?:、|，|,|;|；|/|和|与|及|以及|还有|跟|\band\b|&)\s*(?:and )?`)
	ofColumn   = words.MustCompile(`(?i)^(?:the )?(?:columns?|fields?|列|字段)?(?: for| of)?\s*(?:the )?[《「“"']*|\s*(?:columns?|fields?)$|[》」”"']+$|的?[列栏]$`)
)

// formOf takes out of a wish for a document what it shall be called and hold; the rest is the wish without it.
func formOf(text string) (form, string) {
	var f form
	if m := titleHan.FindStringSubmatchIndex(text); m != nil && m[0] > 0 {
		f.title, text = oneOf(text, m), text[:m[0]]+text[m[1]:]
	} else if m := titleEng.FindStringSubmatchIndex(text); m != nil {
		end := len(m) - 2 // what stands behind the title
		f.title, text = oneOf(text, m[:end]), text[:m[0]]+text[m[end]:]
	}
	for _, p := range []*words.Pattern{columnsHan, justHan, columnsEng} {
		m := p.FindStringSubmatchIndex(text)
		if m == nil || m[0] == 0 {
			continue
		}
		for _, c := range eachColumn.Split(text[m[2]:m[3]], -1) {
			if c = strings.TrimSpace(ofColumn.ReplaceAllString(ofColumn.ReplaceAllString(strings.TrimSpace(c), ""), "")); c != "" {
				f.columns = append(f.columns, c)
			}
		}
		text = text[:m[0]]
		break
	}
	return f, strings.TrimRight(strings.TrimSpace(text), "，,；; ")
}

// oneOf is the first group that matched.
func oneOf(text string, m []int) string {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return strings.TrimSpace(text[m[i]:m[i+1]])
		}
	}
	return ""
}

// words says a form behind a wish for a document; "" when nothing was said of it.
func (f form) words(lang string) string {
	quoted := func(open, end, between string) string { return open + strings.Join(f.columns, end+between+open) + end }
	var b strings.Builder
	if lang == "zh" {
		if f.title != "" {
			b.WriteString("，标题「" + f.title + "」")
		}
		if len(f.columns) > 0 {
			fmt.Fprintf(&b, "，只要列%s这%d列", quoted("「", "」", "、"), len(f.columns))
		}
		return b.String()
	}
	if f.title != "" {
		b.WriteString(" with the title “" + f.title + "”")
	}
	if len(f.columns) > 0 {
		b.WriteString(words.Either(f.title != "", " and only the columns ", " with only the columns ") + quoted("“", "”", ", "))
	}
	return b.String()
}
