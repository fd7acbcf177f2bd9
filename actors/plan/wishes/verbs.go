package wishes

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// VerbWord is how a text that begins with a verb of a group writes it.
func VerbWord(text, group string) string {
	word := string(words.FirstRune(text))
	if !words.IsHan(words.FirstRune(text)) {
		word, _, _ = strings.Cut(text, " ")
		return word
	}
	for _, g := range ChangeGroups {
		for _, v := range g {
			if g[0] == group && len(v) > len(word) && strings.HasPrefix(text, v) {
				word = v
			}
		}
	}
	return word
}

// VerbLength is how many bytes of a text the verb of a group takes that it begins with; 0 when it begins with none.
func VerbLength(group, text string) int {
	most := 0
	for _, g := range ChangeGroups {
		if g[0] != group {
			continue
		}
		for _, v := range g {
			if words.IsHan(words.FirstRune(v)) && strings.HasPrefix(text, v) {
				most = max(most, len(v))
			}
		}
	}
	if ps := words.Pieces(words.Clip(text, 40)); most == 0 && len(ps) > 0 && !ps[0].Han && ps[0].Start == 0 && deeds[words.Stem(strings.ToLower(ps[0].Text))] &&
		!strings.HasSuffix(ps[0].Text, "ed") { // "open" and "shipped" may name a state
		most = ps[0].End
	}
	return most
}

// IsVerb reports whether a text is nothing but a verb of change, so that no thing is called that.
func IsVerb(s string) bool {
	return slices.ContainsFunc(ChangeGroups, func(g []string) bool { return slices.Contains(g, strings.ToLower(s)) })
}

// endsInVerb reports whether a Han text ends in a verb of change, behind which its thing stands: 补货羽绒服.
func endsInVerb(s string) bool {
	for _, g := range ChangeGroups {
		for _, v := range g {
			if words.IsHan(words.FirstRune(v)) && strings.HasSuffix(s, v) {
				return true
			}
		}
	}
	return false
}

// ChangeGroups are the verbs that change something, both languages in one group. A tool that changes something may only be
// planned when the request names its verb, so that no question ever does harm.
var ChangeGroups = [][]string{
	{"cancel", "取消", "撤销", "作废", "revoke"},
	{"change", "modify", "update", "edit", "replace", "修改", "编辑", "替换", "更改", "改成", "改为", "变更", "更新", "改到", "改一下", "调整", "adjust", "set", "设置", "设为", "标记", "mark",
		"lower", "raise", "reduce", "increase", "decrease", "降到", "降至", "降为", "涨到", "涨至", "涨价到", "降价到", "调到", "调至", "调为", "调成", "调低", "调高", "提到", "提高到", "补到", "补货到"},
	{"confirm", "确认"},
	{"delete", "remove", "删除", "删掉", "移除", "清空"},
	{"approve", "accept", "agree", "同意", "批准", "审批", "审核通过", "通过退", "通过这", "准许"},
	{"reject", "refuse", "deny", "拒绝", "驳回"},
	{"refund", "退款", "退钱"},
	{"return", "退货"},
	{"exchange", "换货"},
	{"ship", "deliver", "dispatch", "发货", "发出"},
	{"urge", "expedite", "hurry", "rush", "chase", "催", "加急", "urgent"},
	{"create", "add", "append", "新建", "创建", "新增", "添加", "追加"},
	{"send", "notify", "message", "发送", "通知", "发给", "发短信", "发消息", "发邮件", "写邮件", "发封", "发信息", "发一条", "发条", "发个", "写信", "写一条", "写条", "写一封", "写封", "写给", "告知", "转告", "write", "回复", "答复", "reply"},
	{"submit", "propose", "提交", "提报", "申报", "报名", "发起", "launch", "start"},
	{"apply", "申请"},
	{"issue", "开票", "开发票", "开具", "补开"},
	{"pay", "付款", "支付", "打款", "transfer", "转账"},
	{"book", "reserve", "schedule", "预约", "预订"},
	{"close", "关闭"},
	{"delist", "unlist", "下架"}, // products are; no order is closed for it
	{"hide", "conceal", "隐藏", "屏蔽"},
	{"pause", "disable", "freeze", "暂停", "停用", "冻结"},
	{"open", "上架", "启用", "enable"},
	{"restock", "replenish", "补货", "入库"},
	{"place", "下单"},
	{"save", "保存", "写入", "写进", "写文件", "写到", "存成", "存为", "存到"},
}

// verbAt finds where a group's verb first stands in a text; -1 when it does not.
func verbAt(s string, latin map[string]int, group []string) int {
	at := -1
	for _, v := range group {
		i := -1
		if words.IsHan(words.FirstRune(v)) {
			for from := 0; ; {
				j, end := verbIn(s, v, from)
				if j < 0 {
					break
				}
				if !(strings.HasPrefix(v, "存") && strings.HasSuffix(s[:j], "库")) && !stateMark.MatchString(words.Before(s, j)) && !names(v, s[:j], s[end:]) && !((deeds[v] || decides[v]) && tellsWhich(s[:j], s[end:])) && !(v == "发货" && howLongIt.MatchString(s[end:])) && !(v == "下单" && !placesIt.MatchString(words.Before(s, j))) && !doneMark.MatchString(s[end:]) && !(deeds[v] && thingMark.MatchString(s[end:]) && !(v == "取消" && limitedThing.MatchString(s[end:]))) {
					i = j
					break
				}
				from = end
			}
		} else if j, ok := latin[words.Stem(v)]; ok {
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
	verb := string(words.FirstRune(v))
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
var measured = words.Set(`退款 退钱 退货 换货 发货 开票 开发票 付款 打款 转账 补货 下单 发消息 发短信 发信息 发通知`)

var aMeasure = words.MustCompile(`^一?(?:[张个份笔单次下条]|一)`)

// ChangeVerbs names the groups (by their first verb) that a text holds, with the place of the first.
func ChangeVerbs(s string) map[string]int {
	if m := notedAs.FindStringSubmatchIndex(s); m != nil { // 备注改成加急
		at := max(m[2], m[4])
		end := min(m[1], SaidUntil(s, at))
		s = s[:at] + strings.Repeat(" ", end-at) + s[end:]
	}
	latin := map[string]int{}
	ps := words.Pieces(s)
	for i, p := range ps {
		if i+1 < len(ps) && deeds[words.Stem(strings.ToLower(p.Text))] && ThingWords[words.Stem(strings.ToLower(ps[i+1].Text))] && strings.TrimSpace(s[p.End:ps[i+1].Start]) == "" {
			continue
		}
		if low := strings.ToLower(p.Text); i == 0 && deeds[words.Stem(low)] && low == words.Stem(low)+"s" { // refunds by city: nobody commands so
			continue
		}
		if strings.HasSuffix(p.Text, "ed") && notDone.MatchString(words.Before(s, p.Start)) { // orders not shipped
			continue
		}
		if strings.HasSuffix(strings.ToLower(p.Text), "ed") && ofAKind.MatchString(s[p.End:]) { // approved refunds: a kind of them, and no command
			continue
		}
		if w := words.Stem(strings.ToLower(p.Text)); !p.Han {
			if _, ok := latin[w]; !ok {
				latin[w] = p.Start
			}
		}
	}
	out := map[string]int{}
	for _, g := range ChangeGroups {
		if i := verbAt(s, latin, g); i >= 0 {
			out[g[0]] = i
		}
	}
	if m := adjustIt.FindStringSubmatchIndex(s); m != nil {
		if _, ok := out["change"]; !ok {
			out["change"] = m[2]
		}
	}
	for v, re := range saidOtherwise {
		if m := re.FindStringSubmatchIndex(s); m != nil {
			if _, ok := out[v]; !ok {
				for i := 2; i < len(m); i += 2 {
					out[v] = max(out[v], m[i])
				}
			}
		}
	}
	if m := urgesTo.FindStringSubmatchIndex(s); m != nil { // 催一下付款
		for _, v := range []string{"pay", "ship"} {
			if out[v] == m[2] {
				delete(out, v)
			}
		}
	}
	if m := Adjusting.FindStringSubmatchIndex(s); m != nil && !strings.Contains(s[:m[0]], "比") { // 比 A 便宜 5 元的 tells of things
		if _, ok := out["change"]; !ok {
			out["change"] = max(m[0], m[3]) // behind the sign that is looked at before it
		}
	}
	return out
}

// FirstVerb is the verb that stands first; "" when there is none.
func FirstVerb(verbs map[string]int) string {
	out := ""
	for v, i := range verbs {
		if out == "" || i < verbs[out] || i == verbs[out] && v < out {
			out = v
		}
	}
	return out
}

// ReadVerb: before a verb of change it turns that into the thing looked at, as in 查一下退款进度 or "list refunds".
var ReadVerb = words.MustCompile(`(?i)查|看|列|统计|找|搜|显示|有哪些|多少|导出|汇总|预测|分析|\b(?:list|show|find|get|search|check|display|count|view|see|track|tell|give me|look|retrieve|fetch)\b`)

// WithoutVerbs is a text without the verbs of change.
func WithoutVerbs(s string) string {
	s = Adjusting.ReplaceAllString(s, "$1 ")
	for _, g := range ChangeGroups {
		for _, v := range g {
			if words.IsHan(words.FirstRune(v)) {
				s = strings.ReplaceAll(s, v, " ")
			}
		}
	}
	b := []byte(s)
	for _, p := range words.Pieces(s) {
		if !p.Han && Changing[words.Stem(strings.ToLower(p.Text))] {
			copy(b[p.Start:p.End], strings.Repeat(" ", p.End-p.Start))
		}
	}
	return string(b)
}

// Changing are the stems of the English verbs of change.
var Changing = func() map[string]bool {
	out := map[string]bool{}
	for _, g := range ChangeGroups {
		for _, v := range g {
			out[words.Stem(v)] = true
		}
	}
	return out
}()
