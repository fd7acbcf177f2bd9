package plan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

var (
	// freeText are names of parameters whose value may be any sentence, also a question.
	freeText = words.MustCompile(`(?i)content|message|text|note|reason|remark|subject|query|question|desc|comment|job`)
	// idNamed are names of parameters that take an id, and longCode is what one looks like: words without any are none.
	idNamed  = words.MustCompile(`(?i)(?:_id|_no|_pin|_number|waybill|^id|^code)$`)
	longCode = words.MustCompile(`\d{4}|[A-Za-z]\d|\d[A-Za-z]`)
	// asksOf: 它的物流呢, 第二个呢.
	asksOf = words.MustCompile(`[它他她这那第].*呢\s*[?？]?$`)
)

// Stands reports whether words said while an ask is open are a request of their own, and neither its answer nor a value that it wants: a
// question, or a wish with a verb. They are a new turn then, and the ask stays open.
func Stands(text string, a bus.Ask) bool {
	for _, o := range a.Options {
		if words.Holds(text, o) {
			return false
		}
	}
	if a.Kind != bus.Approval && a.Parameter != "" && !fields.IsQueryName.MatchString(a.Parameter) && ownRequest(text, a) {
		return true
	}
	if a.Kind != bus.Approval && (a.Parameter == "" || freeText.MatchString(a.Parameter)) {
		return false
	}
	if a.Kind != bus.Approval && len(a.Options) == 0 && otherWish(text, a) {
		return true
	}
	if m := corrects.FindStringSubmatch(text); m != nil && (idNamed.MatchString(a.Parameter) || placeInHan.MatchString(a.Parameter) || placeInEnglish.MatchString(a.Parameter)) && !longCode.MatchString(text) && (wishes.Splitter{}).Begins(strings.Join(m[1:], "")) { // 不对，催第二个
		return true
	}
	if wishes.QuestionHan.MatchString(text) || wishes.QuestionEng.MatchString(text) || asksOf.MatchString(text) {
		return true
	}
	if named := idNamed.MatchString(a.Parameter); named && !longCode.MatchString(text) && (wishes.Splitter{}).Begins(text) {
		return true
	}
	// A wish in the middle of a question may still tell the value that is wanted: 帮我开一家卖洋酒的店.
	return (a.Kind == bus.Approval || len(a.Options) > 0 && foreign(text, a)) && wishes.Splitter{}.Begins(text)
}

var (
	// looksFirst: words that begin with a wish to be shown something.
	looksFirst = words.MustCompile(`(?i)^(?:请|麻烦|帮我|帮忙|给我|我想|我要|先|再|你|[，,])*\s*(?:查|看|列出|列一?下|统计|搜|找|显示|读取|读一?下|打开|导出|汇总|预测|分析)|^(?:please |could you |can you |now |first )*(?:show|list|find|search|check|display|count|view|see|track|look|retrieve|fetch|read|open|forecast|export|analy[sz]e)\b`)
	// toReader: words that speak to who reads a message.
	toReader    = words.MustCompile(`(?i)[您你]们?(?:的|好|收)|\byours?\b`)
	houseThings = words.MustCompile(`(?i)订单|物流|库存|退款|文件|销量|销售额|商品|客户|买家|\b(?:orders?|parcels?|stock|refunds?|files?|sales|products?|customers?|buyers?)\b`)
)

// ownRequest reports whether words are a request by themselves that no parameter could want as its value: to look at something of the house, or to change what
// is named by an id or a file's name that the question does not speak of. A message to somebody speaks to its reader, and is none.
func ownRequest(text string, a bus.Ask) bool {
	if insteadOf.MatchString(text) || toReader.MatchString(text) {
		return false
	}
	named := append(words.LongNumber.FindAllString(text, -1), facts.FileName.FindAllString(" "+text, -1)...)
	if looksFirst.MatchString(text) {
		return len(named) > 0 && !fields.PathField.MatchString(a.Parameter) || houseThings.MatchString(text) && len(words.Content(text)) >= 2
	}
	asked := a.Question + string(a.Arguments)
	return wishes.Splitter{}.Begins(text) && !idNamed.MatchString(a.Parameter) && slices.ContainsFunc(named, func(n string) bool {
		n = strings.TrimSpace(n)
		before := words.Content(words.Before(text, strings.Index(text, n))) // the waybill that it is asked for beside the carrier
		spoken := func(w string) bool { return slices.Contains(words.Content(a.Question), w) }
		return !strings.Contains(asked, n) && !slices.ContainsFunc(before[max(0, len(before)-2):], spoken)
	})
}

// foreign reports whether a wish, behind the verb that it begins with, names at least two things, and none that the ask or its options speak of:
// 看看王萍萍的订单, where a product is to be chosen. One alone may be a choice in other words: 改便宜的那个.
func foreign(text string, a bus.Ask) bool {
	if insteadOf.MatchString(text) {
		return false
	}
	if len(placeInHan.FindString(text)+placeInEnglish.FindString(text)) > 0 && otherDeed(text, a) {
		return true
	}
	asked, about := words.Content(a.Question), []string(nil)
	for _, o := range a.Options {
		about = append(about, words.Content(o)...)
	}
	if m := wishes.WantHan.FindStringIndex(text); m != nil {
		text = text[m[1]:]
	} else if m := wishes.WantEng.FindStringIndex(text); m != nil {
		text = text[m[1]:]
	}
	named := slices.DeleteFunc(append(words.Content(text), words.LongNumber.FindAllString(text, -1)...), func(w string) bool {
		return utf8.RuneCountInString(w) < 2 || slices.Contains(asked, w) && !slices.Contains(about, w)
	})
	return len(named) >= 2 && !slices.ContainsFunc(named, func(w string) bool { return slices.Contains(about, w) })
}

var (
	// holdOf is what a command takes hold of: 把禾煮的价格改成…, 给订单 281065412730 备注…, the price of the kettle.
	holdOf = words.MustCompile(`(?i)^(?:请|麻烦|帮我|现在|先|再|另外|[，,])*(?:把|将|给)([^，,。；;]+)|\bof\s+(?:the\s+)?(.+?)(?:\s+(?:to|by|at)\b|$)`)
	// ofTheThing stands for what is spoken of, or for what of it shall change.
	ofTheThing = words.MustCompile(`(?i)^[这那该其它].*|新?(?:价格|售价|价钱|定价|库存|数量|地址|电话|手机号?|收货人|备注|抬头)|\b(?:that|this|it|price|stock)\b`)
	// numbered is a thing with its id, and what it is called.
	numbered = words.MustCompile(`(?i)(订单|退款|商品|包裹|\b(?:order|refund|product|parcel))(?:编号|单?号|\s+(?:id|no\.?|number))?[:：#\s]*(\d{6,})`)
)

// otherWish reports whether words that begin with a wish want another thing than a question is about, which wants no text: another change, or the same
// made to what it does not name. 把暖屿的价格改成 199, where the price of another product is asked for, is no 199 for that.
func otherWish(text string, a bus.Ask) bool {
	held := holdOf.FindStringSubmatch(text)
	if held == nil && !(wishes.Splitter{}).Begins(text) || insteadOf.MatchString(text) || toReader.MatchString(text) {
		return false
	}
	asked := a.Question + string(a.Arguments) + " " + strings.ReplaceAll(a.ToolName, "_", " ")
	verbs, theirs := wishes.ChangeVerbs(text), wishes.ChangeVerbs(asked)
	same, named := false, numbered.FindAllStringSubmatch(text, 5)
	for v := range verbs {
		_, there := theirs[v]
		same = same || there
	}
	for _, m := range named {
		called := append(words.AlsoCalled(m[1]), strings.ToLower(m[1]))
		if !slices.ContainsFunc(called, func(n string) bool { return strings.HasPrefix(a.Parameter, n) }) && !strings.Contains(asked, m[2]) {
			return true
		}
	}
	if len(verbs) > 0 && len(theirs) > 0 && !same && words.LongNumber.MatchString(text) {
		return true
	}
	if held == nil {
		return false
	}
	known := words.Content(asked)
	unknown := func(s string) bool {
		return slices.ContainsFunc(words.Content(s), func(w string) bool { return utf8.RuneCountInString(w) > 1 && !slices.Contains(known, w) })
	}
	if len(named) > 0 {
		return len(verbs) == 0 && unknown(numbered.ReplaceAllString(held[1]+held[2], " "))
	}
	object, _, _ := strings.Cut(strings.TrimSpace(wishes.WithoutVerbs(held[1]+held[2])), " ")
	object, _, _ = strings.Cut(object, "的")
	return unknown(ofTheThing.ReplaceAllString(object, " "))
}

// otherDeed reports whether a text wishes for a change that the question of an ask does not speak of: 取消前三个, where a price is to be changed. Another language
// than the question's is held to nothing but cancelling and sending, which no other change is called.
func otherDeed(text string, a bus.Ask) bool {
	asked := wishes.ChangeVerbs(a.Question + " " + strings.ReplaceAll(a.ToolName, "_", " "))
	for verb := range wishes.ChangeVerbs(text) {
		if _, there := asked[verb]; !there && len(asked) > 0 && (words.Language(text) == words.Language(a.Question) || verb == "cancel" || verb == "send") {
			return true
		}
	}
	return false
}
