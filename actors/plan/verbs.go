package plan

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// changeGroups are the verbs that change something, both languages in one group. A tool that changes something may only be
// planned when the request names its verb, so that no question ever does harm.
var changeGroups = [][]string{
	{"cancel", "取消", "撤销", "作废", "revoke"},
	{"change", "modify", "update", "edit", "replace", "修改", "编辑", "替换", "更改", "改成", "改为", "变更", "更新", "改到", "改一下", "调整", "adjust", "set", "设置", "设为", "标记", "mark",
		"lower", "raise", "reduce", "increase", "decrease", "降到", "降至", "降为", "涨到", "涨至", "涨价到", "降价到", "调到", "调至", "调为", "调成", "调低", "调高", "提到", "提高到", "补到", "补货到"},
	{"confirm", "确认"},
	{"delete", "remove", "删除", "删掉", "移除"},
	{"approve", "accept", "agree", "同意", "批准", "审批", "审核通过", "通过退", "通过这", "准许"},
	{"reject", "refuse", "deny", "拒绝", "驳回"},
	{"refund", "退款", "退钱"},
	{"return", "退货"},
	{"exchange", "换货"},
	{"ship", "deliver", "dispatch", "发货", "发出"},
	{"urge", "expedite", "hurry", "rush", "催", "加急", "urgent"},
	{"create", "add", "append", "新建", "创建", "新增", "添加", "追加"},
	{"send", "notify", "message", "发送", "通知", "发给", "发短信", "发消息", "发信息", "发一条", "发条", "发个", "写信", "写一条", "写条", "写一封", "写封", "写给", "告知", "转告", "write", "回复", "答复", "reply"},
	{"submit", "propose", "提交", "提报", "申报", "报名", "发起", "launch", "start"},
	{"apply", "申请"},
	{"issue", "开票", "开发票", "开具", "补开"},
	{"pay", "付款", "支付", "打款", "transfer", "转账"},
	{"book", "reserve", "schedule", "预约", "预订"},
	{"close", "关闭", "下架", "暂停", "停用", "pause", "disable", "freeze", "冻结"},
	{"open", "上架", "启用", "enable"},
	{"restock", "replenish", "补货", "入库"},
	{"place", "下单"},
	{"save", "保存", "写入", "写进", "写文件", "写到", "存成", "存为", "存到"},
}

// stateMark: 已发货, 待退款 name a state, not a wish.
var stateMark = regexp.MustCompile(`(?:已经?|未|待|没有?|超时未|不|被|已被)$`)

// thingMark: 退款率, 发货时间 name a thing, not a wish.
var thingMark = regexp.MustCompile(`^(?:按照?\p{Han}{1,6}(?:分组|分类|统计|汇总|分布|排)|率|单号?(?:[^\d\s]|$)|金额|额|数|量|记录|政策|规则|规定|进度|状态|情况|列表|原因|流程|次数|时间|比例|名单|明细|统计)`)

// thingWords do the same after an English verb: refund rate.
var thingWords = stems(`rate rates status policy policies rule rules progress history list amount amounts number count reason reasons time times statistics`)

// deeds are the verbs that such words make things of; 修改状态 and "change status" are wishes.
var deeds = set(`回复 答复 退款 退钱 退货 换货 发货 付款 支付 打款 转账 取消 审批 开票 refund return exchange ship cancel`)

// verbAt finds where a group's verb first stands in a text; -1 when it does not.
func verbAt(s string, latin map[string]int, group []string) int {
	at := -1
	for _, v := range group {
		i := -1
		if isHan(firstRune(v)) {
			for from := 0; ; {
				j, end := verbIn(s, v, from)
				if j < 0 {
					break
				}
				if !stateMark.MatchString(before(s, j)) && !doneMark.MatchString(s[end:]) && !(deeds[v] && thingMark.MatchString(s[end:])) {
					i = j
					break
				}
				from = end
			}
		} else if j, ok := latin[stem(v)]; ok {
			i = j
		}
		if i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// verbIn finds a Han verb in a text from a byte on, also with a measure between verb and thing: 开张发票, 退个款, 发一下货. -1 when it is not there.
func verbIn(s, v string, from int) (start, end int) {
	verb := string(firstRune(v))
	thing := v[len(verb):]
	for at := from; ; {
		i := strings.Index(s[at:], verb)
		if i < 0 {
			return -1, -1
		}
		i += at
		at = i + len(verb)
		rest := s[at:]
		if strings.HasPrefix(rest, thing) {
			return i, at + len(thing)
		}
		if thing == "" || !measured[v] {
			continue
		}
		if m := aMeasure.FindString(rest); m != "" && strings.HasPrefix(rest[len(m):], thing) {
			return i, at + len(m) + len(thing)
		}
	}
}

// measured are the verbs made of a verb and its thing, which a measure may part.
var measured = set(`退款 退钱 退货 换货 发货 开票 开发票 付款 打款 转账 补货 下单 发消息 发短信 发信息 发通知`)

var aMeasure = regexp.MustCompile(`^一?(?:[张个份笔单次下条]|一)`)

// doneMark: 发货晚了的订单, 取消了的 and 发货超时 tell of what has happened, and wish for nothing.
var doneMark = regexp.MustCompile(`^(?:[^，。,；？?]{0,4}[了过]的|(?:得?(?:太|很|有点|比较)?(?:晚|迟|慢)|超时|逾期|延迟|失败)(?:了|的|$|[，。,？?]))`)

// changeVerbs names the groups (by their first verb) that a text holds, with the place of the first.
func changeVerbs(s string) map[string]int {
	latin := map[string]int{}
	ps := pieces(s)
	for i, p := range ps {
		if i+1 < len(ps) && deeds[stem(strings.ToLower(p.text))] && thingWords[stem(strings.ToLower(ps[i+1].text))] && strings.TrimSpace(s[p.end:ps[i+1].start]) == "" {
			continue
		}
		if low := strings.ToLower(p.text); i == 0 && deeds[stem(low)] && low == stem(low)+"s" { // refunds by city: nobody commands so
			continue
		}
		if w := stem(strings.ToLower(p.text)); !p.han {
			if _, ok := latin[w]; !ok {
				latin[w] = p.start
			}
		}
	}
	out := map[string]int{}
	for _, g := range changeGroups {
		if i := verbAt(s, latin, g); i >= 0 {
			out[g[0]] = i
		}
	}
	if adjusting.may(s) {
		if m := adjusting.FindStringSubmatchIndex(s); m != nil && !strings.Contains(s[:m[0]], "比") { // 比 A 便宜 5 元的 tells of things
			if _, ok := out["change"]; !ok {
				out["change"] = max(m[0], m[3]) // behind the sign that is looked at before it
			}
		}
	}
	return out
}

// first is the verb that stands first; "" when there is none.
func first(verbs map[string]int) string {
	out := ""
	for v, i := range verbs {
		if out == "" || i < verbs[out] || i == verbs[out] && v < out {
			out = v
		}
	}
	return out
}

// readVerb: before a verb of change it turns that into the thing looked at, as in 查一下退款进度 or "list refunds".
var readVerb = regexp.MustCompile(`(?i)查|看|列|统计|找|搜|显示|有哪些|多少|导出|汇总|预测|分析|\b(?:list|show|find|get|search|check|display|count|view|see|track|tell|give me|look|retrieve|fetch)\b`)

// wished are the changes that a clause asks for: none when it is a question, unless a polite one to us, and none that only
// name what is looked at. own is the clause as [ownWish] leaves it.
func wished(text, own string, question bool) map[string]int {
	if question && !politeAsk.MatchString(text) {
		return nil
	}
	out := changeVerbs(commanded(own))
	if len(out) == 0 && !tellOthers.may(own) {
		return out
	}
	if m := readVerb.FindStringIndex(own); m != nil {
		for v, i := range out {
			if i > m[0] {
				delete(out, v)
			}
		}
	}
	if m := ofTheirs.FindStringIndex(own); m != nil && !endorsed.MatchString(text) {
		for v, i := range out {
			if i > m[0] {
				delete(out, v)
			}
		}
	}
	if m := tellOthers.FindStringIndex(own); m != nil {
		for v, i := range out { // what is told is no wish
			if i > m[0] {
				delete(out, v)
			}
		}
		out["send"] = m[0]
	}
	return out
}

// tellOthers: to tell somebody else something is to write to them.
var tellOthers = hinted{regexp.MustCompile(`(?i)\b(?:tell|inform|notify|message|text|email|apologi[sz]e to|write to|let|reply to|answer|respond to)\s+(?:the|their|his|her|him|them|all|each|every|both|those|these|my|our|this|that|buyers?|customers?|clients?)\b|(?:告诉|通知|联系|提醒)(?:一下)?(?:[^我，。,\s]|$)|(?:回复|答复|回话给|回(?:一?[条个]|个)?(?:消息|信|话)给?)(?:一下|给)?[^，。,；？?]{0,24}?(?:买家|顾客|客户|用户|收货人|他们?|她们?|对方|人家)|(?:跟|给|对|向|和)[^，。,；？?]{0,24}?(?:买家|顾客|客户|用户|收货人|收件人|他们?|她们?|对方|人家)说(?:一?声|一下|明)?[^了过的]`), []string{"tell", "inform", "notify", "message", "text", "email", "apologi", "write", "let ", "reply", "answer", "respond"}}

// withoutVerbs is a text without the verbs of change.
func withoutVerbs(s string) string {
	s = adjusting.ReplaceAllString(s, "$1 ")
	for _, g := range changeGroups {
		for _, v := range g {
			if isHan(firstRune(v)) {
				s = strings.ReplaceAll(s, v, " ")
			}
		}
	}
	b := []byte(s)
	for _, p := range pieces(s) {
		if !p.han && changing[stem(strings.ToLower(p.text))] {
			copy(b[p.start:p.end], strings.Repeat(" ", p.end-p.start))
		}
	}
	return string(b)
}

// changing are the stems of the English verbs of change.
var changing = func() map[string]bool {
	out := map[string]bool{}
	for _, g := range changeGroups {
		for _, v := range g {
			out[stem(v)] = true
		}
	}
	return out
}()

// commanded is a text without the English words that only look like a wish: "pending refunds" and "the return of goods" name things.
// A verb that wishes for a change has no ending and stands at the beginning, behind "to", "and", "please", a comma, or a person.
func commanded(text string) string {
	b := []byte(text)
	begins := true
	for _, p := range pieces(text) {
		w := strings.ToLower(p.text)
		if p.han {
			begins = true
			continue
		}
		if lead := before(text, p.start); !begins && changing[stem(w)] && (!wishLead.MatchString(lead) || stillTo.MatchString(lead)) && !strings.HasSuffix(w, "ed") {
			for i := p.start; i < p.end; i++ {
				b[i] = ' '
			}
		}
		begins = false
	}
	return string(b)
}

// wishLead: what may stand before a verb that wishes.
var wishLead = regexp.MustCompile(`(?i)(?:\b(?:to|and|then|also|please|pls|plz|kindly|you|i|we|just|now|so|help|let's|lets|me|go|ahead|must|should|will|want|need|urgently|immediately|could|can|would|first|finally|next|with|it|its?|but|only|instead)\s+|[^\w\s'’-]\s*)$`)

// stillTo stands before a verb that tells the state of things: orders waiting to ship.
var stillTo = regexp.MustCompile(`(?i)\b(?:waiting|awaiting|due|yet|still|left|scheduled|ready) to\s+$`)

// verbsOf are the changes a tool makes: the verbs of its name and of its allowed values, and the first one of its
// description. Later verbs of a description tell conditions (催促派送一个已发货的订单).
func (e *entry) verbsOf() map[string]bool {
	out := map[string]bool{}
	for v := range changeVerbs(e.Name) {
		out[v] = true
	}
	if e.IsAgent() {
		for v := range changeVerbs(e.Description + " " + strings.Join(e.Skills, " ")) {
			out[v] = true
		}
		return out
	}
	if v := first(changeVerbs(e.name("zh"))); v != "" {
		out[v] = true
	}
	if e.Effect != "" && e.Effect != bus.Read { // its tags are other names of what it does
		for v := range changeVerbs(strings.Join(e.Tags, ", ")) {
			out[v] = true
		}
	}
	for _, f := range e.params {
		if f.Required {
			for _, value := range f.Enum {
				for v := range changeVerbs(value) {
					out[v] = true
				}
			}
		}
	}
	return out
}

// mayChange reports whether the clause asks for the change that the tool makes.
func (c clause) mayChange(e *entry) bool {
	for v := range c.change {
		if e.verbs[v] {
			return true
		}
	}
	return c.says(e)
}

// orVerb: "Move or rename files" has two verbs for what it does.
var orVerb = regexp.MustCompile(`^(?:[\w ]{1,60}: )?([A-Za-z]+) (?:or|and) ([A-Za-z]+)\b`)

// says reports whether the clause has the verb of a tool that has none of [changeGroups]: the first word of its name, behind that of a
// server, or what a tag says of a thing that is a tag too (移动文件, 文件); or the whole of such a tag (加一行, 一行).
func (c clause) says(e *entry) bool {
	return !e.reads() && !e.IsAgent() && e.saidIn(c.text) && // the cheap ones first: it is asked of each card
		!c.policy && (!c.question || politeAsk.MatchString(c.text)) && !readVerb.MatchString(c.text) && e.saidIn(ownWish(c.text))
}

// saidIn looks for the verb in a text as it stands.
func (e *entry) saidIn(text string) bool {
	known := len(e.verbs) > 0
	own := e.Name
	if _, behind, ok := strings.Cut(own, "__"); ok {
		own = behind
	}
	if name := pieces(own); len(name) > 0 && !known {
		verbs := []string{stem(strings.ToLower(name[0].text))}
		if m := orVerb.FindStringSubmatch(e.Description); m != nil && stem(strings.ToLower(m[1])) == verbs[0] {
			verbs = append(verbs, stem(strings.ToLower(m[2])))
		}
		if slices.ContainsFunc(pieces(text), func(p piece) bool { return slices.Contains(verbs, stem(strings.ToLower(p.text))) }) {
			return true
		}
	}
	return slices.ContainsFunc(e.Tags, func(thing string) bool {
		return isHan(firstRune(thing)) && slices.ContainsFunc(e.Tags, func(tag string) bool {
			verb, ok := strings.CutSuffix(tag, thing)
			if n := utf8.RuneCountInString(verb); n == 1 { // a verb of one sign is one only with its thing
				return ok && strings.Contains(text, tag)
			}
			return ok && !known && verb != "" && strings.Contains(text, verb)
		})
	})
}
