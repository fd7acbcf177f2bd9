package facts

import (
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// The commonest Chinese surnames, over nine in ten people, and the usual two-sign ones.
var surnames = words.Set(`王 李 张 刘 陈 杨 黄 赵 吴 周 徐 孙 马 朱 胡 郭 何 高 林 罗 郑 梁 谢 宋 唐 许 韩 冯 邓 曹 彭 曾 肖 田 董 萧 袁 潘 于 蒋 蔡 余 杜 叶 程 苏 魏 吕 丁 任 沈 姚
卢 姜 崔 钟 谭 陆 汪 范 金 石 廖 贾 夏 韦 付 傅 方 白 邹 孟 熊 秦 邱 江 尹 薛 闫 段 雷 侯 龙 史 陶 黎 贺 顾 毛 郝 龚 邵 万 钱 严 覃 武 戴 莫 孔 向 汤 温 康 施 文 牛 樊 葛
邢 安 齐 易 乔 伍 庞 颜 倪 庄 聂 章 鲁 岳 翟 殷 詹 申 欧 耿 关 兰 焦 俞 左 柳 甘 祝 包 宁 尚 符 舒 阮 柯 纪 梅 童 凌 毕 单 季 裴 霍 涂 成 苗 谷 盛 曲 翁 冉 骆 蓝 路 游 辛
靳 管 柴 蒙 鲍 华 喻 祁 蒲 房 滕 屈 饶 解 牟 艾 尤 阳 时 穆 农 司 卓 古 吉 缪 简 车 项 连 芦 麦 褚 娄 窦 戚 岑 景 党 宫 费 卜 冷 晏 席 卫 米 柏 宗 瞿 桂 全 佟 应 臧 闵
苟 邬 边 卞 姬 师 和 仇 栾 隋 商 刁 沙 荣 巫 寇 桑 郎 甄 丛 仲 虞 敖 巩 明 佘 池 查 麻 苑 迟 邝
欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 司徒 令狐 夏侯 南宫`)

// Context that makes a name of signs that could be one. Without it a surname's sign is just a sign.
var (
	beforeName = words.MustCompile(`(?:客户|买家|顾客|用户|收货人|收件人|联系人|姓名|名字|会员|叫做?|名为|叫|是|人|给|找|查询|查|搜|帮|问|知道|了解|关于|一下|[看查找搜]下|看看|由|和|把|将|为|取消|同意|拒绝|驳回|修改|催|列出|列举|列|显示|展示|看|统计|导出|汇总|除了|、|，|,|：|:|“|"|「|^|\s)$`)
	afterName  = words.MustCompile(`^(?:的?(?:\d{1,2}月份?|最近|[上本]个?[周月]|这个?[周月]|[昨今前]天|[去今]年)[^，。,？?]{0,6}(?:订单|单|包裹|快递|退款|退货|发票|记录)|有[^，。,？?]{0,6}(?:订单|单|包裹|快递|退款|退货|发票)|买|购|下的|下了|下过|下单|拍|订购|预订|先生|女士|小姐|名下|(?:最近|上|本|这|今|昨|去|前|一共|总共|都|还)?(?:[^，。,？?]{0,6})(?:买|下单|下过|下了|订购|购买|申请)|(?:这个|那个)?(?:的|这|那|所有|全部)(?:[^，。,？?]{0,8})?(?:订单|单子|单|包裹|快递|物流|货|退款|退货|售后|发票|手机|电话|地址|账号|记录|信息|资料|消费|购买))`)
	strongName = words.MustCompile(`(?:客户|买家|顾客|收货人|收件人|联系人|姓名|名字|名字叫|叫做?|名为)(?:是|为|：|:)?\s*$`)
	// ofSomebody stands before whose something is, in English: orders of 李建国.
	ofSomebody = words.MustCompile(`(?i)\b(?:(?:orders?|refunds?|returns?|parcels?|shipments?|invoices?|addresse?s?|phone(?: number)?|purchases|account|records?) (?:of|from|by|for)|(?:bought|ordered|placed|made|returned) by|did|has|does|buyer|customer|client|named|called) $`)
	// toWhom and isTold stand around somebody who gets a message, or something else: 给邓晨刚发消息, 给邓晨刚送一份礼品.
	toWhom    = words.MustCompile(`(?:给|向|跟|对|通知|告诉|告知|提醒|回复|答复)(?:\p{Han}{2,4}?(?:以及|[和与跟及、])){0,3}$`)
	isTold    = words.MustCompile(`^(?:也|再|都|另外)?(?:(?:发|写|寄|留|回|捎)(?:去|个|一?下|一?[条封份则])?[^，,。；;！!？?]{0,10}?(?:消息|短信|信|信息|通知|留言|话|邮件|道歉)|说|讲|打个?电话|道个?歉|[，,：:]|一?[声下]|(?:发放?|赠送?|送|寄)[^货，,。；;！!？?]|[一两三]张)`)
	alone     = words.MustCompile(`(?:^|[，,\n])\s*$`)
	endsName  = words.MustCompile(`^(?:$|[，。,.？?！!的\s、]|呢|吗|买|下|购|有|在|退|最近|上|今|昨)`)
	latinName = words.MustCompile(`\b[A-Z][a-z]+(?:[ -][A-Z][a-z']+){1,3}\b`)
	latinOne  = words.MustCompile(`(?:\b(?:by|from|of|for|customer|buyer|client|named|called|Mr\.?|Ms\.?|Mrs\.?|did|has|does)\s+)([A-Z][a-z]{1,20})\b`)
	// LatinLower is a name in small letters, known by the words around it.
	LatinLower = words.MustCompile(`\b(?:did|has|does)\s+([a-z]{2,12} [a-z]{2,16})\s+(?:place|placed|buy|bought|order|ordered|purchase|purchased|spend|spent|return|returned)\b|\b(?:placed|bought|ordered|purchased|made)\s+by\s+([a-z]{2,12} [a-z]{2,16})\b`)
)

// headOfFigure begins a line that tells which row comes first in a figure: Lowest Stock: ….
var headOfFigure = words.MustCompile(`^(?:Highest|Lowest|Best|Worst|Total|Average) `)

// notName are second and third signs that end a name, and words that look like one.
const notName = "谁所的了是我你他她它们单货品店商价量额格包装期间时在买卖下过有没和与给要想看查退换用吗呢吧些个件款这那哪几多少不啊就都还也说做会能可已把被让到去来等及或从向"

// Persons finds names of people: Chinese by surname and context, Latin by capitals and context. known tells terms of the
// catalogue, which are not names.
func Persons(s string, known func(string) bool) []Fact {
	var out []Fact
	add := func(start, end int) {
		if s[start:end] == "凌晨" { // a part of the day, though 凌 is a surname
			return
		}
		for _, f := range out {
			if start < f.End && f.Start < end {
				return
			}
		}
		for _, of := range []string{"'s", "’s"} { // Zhang Yuhua's refunds
			if strings.HasSuffix(s[start:end], of) {
				end -= len(of)
			}
		}
		out = append(out, Fact{Kind: Person, Text: s[start:end], Value: s[start:end], Start: start, End: end})
	}
	for _, p := range words.Pieces(s) {
		if !p.Han {
			continue
		}
		for at := p.Start; at < p.End; {
			_, size := utf8.DecodeRuneInString(s[at:])
			if end, ok := hanName(s, at, p.End, known); ok {
				add(at, end)
				at = end
				continue
			}
			at += size
		}
	}
	for i := 0; i < len(out); i++ { // whoever stands beside somebody
		if start, end, ok := nameBeside(s, out[i].Start, known); ok {
			add(start, end)
		}
	}
	for _, m := range latinName.FindAllStringIndex(s, 20) {
		start, end := m[0], m[1]
		for {
			first, rest, more := strings.Cut(s[start:end], " ")
			if !words.LatinVerbs[strings.ToLower(first)] || !more {
				break
			}
			start = end - len(rest)
		}
		if strings.ContainsAny(s[start:end], " -") && !headOfFigure.MatchString(s[start:end]) {
			add(start, end)
		}
	}
	for _, m := range latinOne.FindAllStringSubmatchIndex(s, 20) {
		if w := strings.ToLower(s[m[2]:m[3]]); !words.LatinVerbs[w] && !known(words.Stem(w)) && MonthNumber(w) == 0 {
			add(m[2], m[3])
		}
	}
	for _, m := range LatinLower.FindAllStringSubmatchIndex(s, 20) {
		for g := 1; g <= 2; g++ {
			if m[2*g] >= 0 && !words.LatinVerbs[strings.Fields(s[m[2*g]:m[2*g+1]])[0]] {
				add(m[2*g], m[2*g+1])
			}
		}
	}
	ByPlace(out)
	return out
}

// joinedTo: what joins two names.
var joinedTo = words.MustCompile(`(?:以及|[和与跟及、])$`)

// nameBeside reads the Chinese name that is joined to the one at byte at of s: 李建国 of 李建国和王萍萍.
func nameBeside(s string, at int, known func(string) bool) (start, end int, ok bool) {
	end = at - len(joinedTo.FindString(words.Before(s, at)))
	if end == at {
		return 0, 0, false
	}
	for _, n := range []int{3, 2, 4} {
		start = end
		for range n {
			r, size := utf8.DecodeLastRuneInString(s[:start])
			if !words.IsHan(r) {
				start = -1
				break
			}
			start -= size
		}
		if start < 0 {
			continue
		}
		rs := []rune(s[start:end])
		family := 1
		if n == 4 || n == 3 && surnames[string(rs[:2])] {
			family = 2
		}
		if surnames[string(rs[:family])] && !strings.ContainsAny(string(rs[family:]), notName) && !words.WordsHan[string(rs)] && !looksKnown(string(rs), known) && beforeName.MatchString(words.Before(s, start)) {
			return start, end, true
		}
	}
	return 0, 0, false
}

// joinsOn: what joins a name to the one before it.
var joinsOn = words.MustCompile(`^(?:以及|[和与跟及、])`)

// NameBehind reads the Chinese name that is joined to the one that ends at byte at of s: 邓晨刚 of 王秀和邓晨刚各发一条.
func NameBehind(s string, at int, known func(string) bool) (start, end int, ok bool) {
	start = at + len(joinsOn.FindString(s[at:]))
	if start == at {
		return 0, 0, false
	}
	rs := []rune(words.Clip(s[start:], 40))
	family := 1
	if len(rs) > 2 && surnames[string(rs[:2])] {
		family = 2
	}
	for n := family + 2; n > family; n-- {
		if len(rs) < n || !surnames[string(rs[:family])] {
			continue
		}
		name := string(rs[:n])
		if given := string(rs[family:n]); strings.ContainsAny(given, notName) || words.StopHan[string(rs[n-1])] || !words.IsHan(rs[n-1]) || words.WordsHan[name] || looksKnown(name, known) {
			continue
		}
		return start, start + len(name), true
	}
	return 0, 0, false
}

// alsoVerbs are rare surnames that are verbs far more often.
var alsoVerbs = map[rune]bool{'查': true, '付': true, '祝': true}

// hanName reads a Chinese name that begins at byte at of s and ends before limit.
func hanName(s string, at, limit int, known func(string) bool) (end int, ok bool) {
	rest := []rune(s[at:limit])
	family := 0
	if strings.HasPrefix(s[at:], "查一下") || strings.HasPrefix(s[at:], "查一查") { // the verb, not a surname
		return 0, false
	}
	if len(rest) > 2 && alsoVerbs[rest[0]] && surnames[string(rest[1])] && !strings.ContainsRune(notName, rest[2]) && !strongName.MatchString(words.Before(s, at)) { // 查唐娟 is told to look for 唐娟
		return 0, false
	}
	if len(rest) > 2 && surnames[string(rest[:2])] {
		family = 2
	} else if surnames[string(rest[0])] {
		family = 1
	}
	if family == 0 {
		return 0, false
	}
	strong := strongName.MatchString(words.Before(s, at)) || ofSomebody.MatchString(words.Before(s, at))
	if !strong && !beforeName.MatchString(words.Before(s, at)) && !toWhom.MatchString(words.Before(s, at)) {
		return 0, false
	}
	for given := 2; given >= 1; given-- {
		n := family + given
		if len(rest) < n {
			continue
		}
		name := string(rest[:n])
		if strings.ContainsAny(string(rest[family:n]), notName) || words.WordsHan[name] || looksKnown(name, known) {
			continue
		}
		after := s[at+len(name) : min(len(s), at+len(name)+64)]
		if afterName.MatchString(after) || toWhom.MatchString(words.Before(s, at)) && isTold.MatchString(after) || (strong && endsName.MatchString(after)) || after == "" && alone.MatchString(words.Before(s, at)) {
			return at + len(name), true
		}
	}
	return 0, false
}

// looksKnown reports whether any pair of signs of the name is a term of the catalogue.
func looksKnown(name string, known func(string) bool) bool {
	for _, p := range words.Pairs(name) {
		if known(p) || words.StopHan[p] || words.WordsHan[p] {
			return true
		}
	}
	return false
}
