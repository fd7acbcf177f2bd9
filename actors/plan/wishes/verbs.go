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

// Unrefused is a text with spaces for what it refuses.
func Unrefused(s string) string {
	if takenBack.MatchString(s) {
		return strings.Repeat(" ", len(s))
	}
	out := []byte(s)
	for _, re := range []*words.Pattern{RefusalHan, RefusalEng} {
		Scopes(s, re, func(from, to int) { copy(out[from:to], strings.Repeat(" ", to-from)) }, func(int) *words.Pattern { return ThoughtEnds })
	}
	return string(out)
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

var (
	// Adjusting wishes for a change by how much, without a verb that [ChangeGroups] has.
	Adjusting = words.MustCompile(`(?i)(^|[^下上回])(?:(?:降|涨|提|加|减)价?|便宜|贵|下调|上调|调高|调低|提高|抬高|降低|压低|增加|减少|打|补|进)\s*[¥￥]?(?:百分之)?(?:\d+(?:\.\d+)?|[一二两三四五六七八九十百]{1,4})\s*(?:%|％|个点|折|元|块|件|个|台)|百分之[一二三四五六七八九十]{1,3}的?(?:降价|涨价)|\badd(?:ing)?\s+[$¥]?\d+(?:\.\d+)?%?\s+(?:more\s+)?(?:pieces?\s+|units?\s+|yuan\s+)?to\b|\b(?:cut|drop|discount|slash|bump|raise|lower|reduce|increase|decrease)\b[^.;?]{0,60}\bby\s+[$¥]?\d|\b(?:put|bring|mark|move|set|turn)\b[^.;?]{0,60}\b(?:up|down)\s+by\s+[$¥]?\d|\b(?:take|knock)\s+[$¥]?\d[^.;?]{0,20}\boff\b`)
)

// OfTheirs: what somebody else wants, asks or is answered is no wish of the user's.
var OfTheirs = words.MustCompile(`(?i)\b(?:he|she|they|(?:the|this|that) (?:buyer|customer|client)) (?:wants?|wanted|wishes|would like|['’]d like|asks?|asked|is asking|demands?|demanded|hopes?|hoped) (?:me |us )?(?:to|if|whether)\b|\bask(?:ed)? (?:him|her|them|the (?:buyer|customer|client)) (?:if|whether|why|how|when|what)\b|\b(?:reply|respond|explain|answer|promise|assure|remind|warn)\w*\s+(?:to\s+)?(?:him|her|them|the (?:buyer|customer|client))\b|(?:[他她]们?|客户|买家|顾客|用户|对方)(?:想要?|希望|打算|要求)`)

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

// stateMark: 已发货, 待退款 name a state, not a wish.
var stateMark = words.MustCompile(`(?:已经?|未|待|没有?|超时未|不|被|已被)$`)

// thingMark: 退款率, 发货时间 name a thing, not a wish.
var thingMark = words.MustCompile(`^(?:按照?\p{Han}{1,6}(?:分组|分类|统计|汇总|分布|排)|率|单号?(?:[^\d\s]|$)|金额|额|数|量|记录|政策|规则|规定|进度|状态|情况|列表|原因|流程|次数|时间|比例|占比|名单|明细|统计)`)

// limitedThing: 取消金额低于 100 的订单 wishes for it, 取消金额 names a thing.
var limitedThing = words.MustCompile(`^(?:总|实付)?(?:金额|总额|数量|时间)(?:在|为|是)?(?:低于|小于|少于|不到|不足|不超过|高于|大于|多于|超过|超出|早于|晚于|\s*\d)`)

// ofAKind stands behind a participle that tells which things are meant.
var ofAKind = words.MustCompile(`(?i)^ (?:refund |return )?(?:refunds|returns|requests|invoices|orders|parcels|packages|shipments|items|goods|products|ones)\b`)

// ThingWords do the same after an English verb: refund rate.
var ThingWords = words.Stems(`rate rates status policy policies rule rules progress history list amount amounts number count reason reasons time times statistics`)

// deeds are the verbs that such words make things of; 修改状态 and "change status" are wishes.
var deeds = words.Set(`回复 答复 退款 退钱 退货 换货 发货 付款 支付 打款 转账 取消 审批 开票 refund return exchange ship cancel`)

// decides are the verbs of who decides on what somebody else asked for, or sends it off.
var decides = words.Set(`同意 拒绝 驳回 批准 发出 寄出`)

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

// doneMark: 发货晚了的订单, 取消了的 and 发货超时 tell of what has happened, and wish for nothing.
var doneMark = words.MustCompile(`^(?:[^，。,；？?]{0,4}[了过]的|(?:得?(?:太|很|有点|比较)?(?:晚|迟|慢)|超时|逾期|延迟|失败)(?:了|的|$|[，。,？?]))`)

var (
	// notDone stands before what has not happened: not shipped, haven't been paid.
	notDone = words.MustCompile(`(?i)(?:\b(?:not|never)|n['’]t)(?:\s+(?:yet|been|being))*\s+$`)
	// ofState stands before a thing that is told by whether something has been done: 没有处理的退款申请.
	ofState   = words.MustCompile(`^(?:还)?(?:已经?|未|待|没有?|尚未)\p{Han}{2,3}的$`)
	afterName = words.MustCompile(`^(?:申请|单)?(?:$|[，。？?]|有)`)
)

// names reports whether a verb names a thing where it stands: 退款 of 没有处理的退款申请.
func names(v, before, behind string) bool {
	if v == "申请" {
		before, v = strings.TrimSuffix(before, "退款"), "退款"
	}
	return deeds[v] && v != "取消" && ofState.MatchString(before) && afterName.MatchString(behind)
}

var (
	// whichHan behind a verb makes what it says a kind of things, or asks something of them: 今年取消的订单, 取消订单的客户, 开票的订单占比. What is wished is told by 是.
	whichHan = words.MustCompile(`^(?:了|过)?的(?:[^话是时，。,：:\d\s]|$)|^(?:订单|单子|商品|包裹)的?(?:客户|买家|顾客|用户)|^(?:订单|单子|商品|包裹)的?(?:人|占比|比例|数量|数|总数|总额|金额|原因|情况|次数|名单|明细|列表)(?:$|[^\p{Han}]|[有是的])`)
	// howLongIt measures a deed: 发货超过48小时的订单.
	howLongIt = words.MustCompile(`^(?:了|用了|花了)?(?:超过|不到|不足|多于|少于)\s*\d+\s*个?(?:小时|天|工作日)`)
	// placesIt stands before the wish that an order be placed; behind a day, or somebody, it is told when, or by whom: 今天下单的.
	placesIt = words.MustCompile(`(?:^|[，。,；;！!？?\s]|[帮给替]我|请|[要想去来再先就能可]|以|马上|立刻|直接|重新|统一|自动)$`)
	isThis   = words.MustCompile(`^的[^是，。,；;]{0,8}是|^的(?:订单|退款单?|单子?)?(?:编?号)?[是：:]?\s*\d`)
	// itself: what was asked for, 上个月同意的退款, stands before nothing more.
	itself = words.MustCompile(`^(?:申请|单)?(?:$|[，。,；;？?])`)
)

// tellsWhich reports whether a verb of a deed between two texts tells which things are spoken of, and is no wish for the deed.
func tellsWhich(before, behind string) bool {
	return whichHan.MatchString(behind) && !isThis.MatchString(behind) || itself.MatchString(behind) && strings.HasSuffix(before, "的")
}

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

// urgesTo urges somebody to do what its group names.
var urgesTo = words.MustCompile(`催(?:一下|一催|促|他们?|她们?|买家|客户|顾客|卖家|仓库)*(付款|支付|打款|发货)`)

// notedAs sets a note; what it shall say, its group, is no wish.
var notedAs = words.MustCompile(`(?i)(?:备注|留言)(?:都|全部?|统一)*(?:[改换写设加添标]|更新|修改|变更)[成为到上作]?\s*[:：]?([^，,。；;！!？?\n]+)|\bnotes?\b[^,.;:\n]{0,60}?(?:\b(?:to|saying|as)\b|:)([^,.;\n]+)`)

// saidOtherwise are wishes for a change that are known by more than their verb: 给王萍萍退 20 元, 给订单 281065412730 备注送礼.
var saidOtherwise = map[string]*words.Pattern{
	"ship":   words.MustCompile(`\d{6,}[，,\s]*(?:用|走)?(发)\p{Han}{2,4}(?:快递|速运|物流)?[，,\s]*(?:运?单号)?[:：\s]*[A-Za-z]{0,4}\d{8,}|(?:都|全部?|统一)(?:用|走)\p{Han}{2,6}?(发)(?:货|了|掉|走|出去)+(?:吧|啊|呀)?\s*(?:$|[，。,；;！!])|(?:把|将)[^，。,；;？?]{0,30}?(?:订单|单子|包裹|货)(?:全|都|部|先|快|赶紧|马上|也)*(发)(?:了|掉|走)(?:吧|啊|呀)?\s*(?:$|[，。,；;！!])`),
	"refund": words.MustCompile(`(?:订单|单号?)\s*\d{6,}\s*(?:先|只|也)*(退(?:还|回)?)\s*[¥￥]?\d+(?:\.\d+)?\s*(?:元|块)|(?:给|把|将|请|帮我|为|替|^)[^，。,；;？?]{0,30}?(退(?:还|回|给)?)\s*[¥￥]?\d+(?:\.\d+)?\s*(?:元|块)`),
	"change": words.MustCompile(`(?:收货人|收件人|地址|电话|手机号?|备注|抬头|售?价格?|库存)(?:都|全|也|直接)*([改换])(?:成|为|到|上)?\s*[^\s，。的是？?了过动一不]|(?:都|全部?|统一)(备注)(?:上|成|为)?\s*[^\s，。的是？?了过]|(?:把|将)[^，。；;？?]{1,40}(?:收货人|收件人|地址|电话|手机号?|备注|抬头)([改换])(?:一下|掉|了)|^(?:请|麻烦|帮我|先|再)*(?:给|为|在)[^，。,；;？?的]{2,40}?((?:加上?|写上?|添上?)?[一]?[个条]?备注)(?:一下|上|了)?[:：，,]?\s*[^\s，。的是？?]`),
}

// adjustIt wishes that something becomes dearer or cheaper, and does not say by how much.
var adjustIt = words.MustCompile(`(?:把|将)[^，。,；;！!？?]{1,40}?((?:涨|降|提|减|加|调)价|打折)(?:吧|一下|一?点|一?些)?\s*(?:[，。,；;！!]|$)`)

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

// wished are the changes that a clause asks for: none when it is a question, unless a polite one to us, and none that only
// name what is looked at. own is the clause as [OwnWish] leaves it.
func wished(text, own string, question bool) map[string]int {
	if question && !PoliteAsk.MatchString(text) {
		return nil
	}
	out := ChangeVerbs(commanded(own))
	if len(out) == 0 && !TellOthers.MatchString(own) {
		return out
	}
	if m := ReadVerb.FindStringIndex(own); m != nil {
		for v, i := range out {
			if i > m[0] {
				delete(out, v)
			}
		}
	}
	if m := OfTheirs.FindStringIndex(own); m != nil && !endorsed.MatchString(text) {
		for v, i := range out {
			if i > m[0] {
				delete(out, v)
			}
		}
	}
	if m := TellOthers.FindStringIndex(own); m != nil {
		for v, i := range out { // what is told is no wish
			if i > m[0] {
				delete(out, v)
			}
		}
		out["send"] = m[0]
	}
	return out
}

// TellOthers: to tell somebody else something is to write to them.
var TellOthers = words.MustCompile(`(?i)\b(?:tell|inform|notify|message|text|email|apologi[sz]e to|write to|let|reply to|answer|respond to)\s+(?:the|their|his|her|him|them|all|each|every|both|those|these|my|our|this|that|buyers?|customers?|clients?)\b|\b(?:tell|inform|notify|message|write to|reply to)\s+` + capitals + `|(?:告诉|通知|联系|提醒)(?:一下)?(?:[^我，。,\s]|$)|(?:回复|答复|回话给|回(?:一?[条个]|个)?(?:消息|信|话)给?)(?:一下|给)?[^，。,；？?]{0,24}?(?:买家|顾客|客户|用户|收货人|他们?|她们?|对方|人家)|(?:跟|给|对|向|和)[^，。,；？?]{0,24}?(?:买家|顾客|客户|用户|收货人|收件人|他们?|她们?|对方|人家)说(?:一?声|一下|明)?[^了过的]`)

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

// commanded is a text without the English words that only look like a wish: "pending refunds" and "the return of goods" name things.
// A verb that wishes for a change has no ending and stands at the beginning, behind "to", "and", "please", a comma, or a person.
func commanded(text string) string {
	b := []byte(text)
	begins := true
	for _, p := range words.Pieces(text) {
		w := strings.ToLower(p.Text)
		if p.Han {
			begins = true
			continue
		}
		if lead := words.Before(text, p.Start); !begins && Changing[words.Stem(w)] && (!wishLead.MatchString(lead) || stillTo.MatchString(lead)) && !strings.HasSuffix(w, "ed") {
			for i := p.Start; i < p.End; i++ {
				b[i] = ' '
			}
		}
		begins = false
	}
	return string(b)
}

// wishLead: what may stand before a verb that wishes.
var wishLead = words.MustCompile(`(?i)(?:\b(?:to|and|then|also|please|pls|plz|kindly|you|i|we|just|now|so|help|let's|lets|me|go|ahead|must|should|will|want|need|urgently|immediately|could|can|would|first|finally|next|with|it|its?|but|only|instead)\s+|[^\w\s'’-]\s*)$`)

// stillTo stands before a verb that tells the state of things: orders waiting to ship.
var stillTo = words.MustCompile(`(?i)\b(?:waiting|awaiting|due|yet|still|left|scheduled|ready) to\s+$`)
