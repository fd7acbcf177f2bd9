package shop

import (
	"slices"
	"strings"
)

// spoken is what merchants say in English for words of the shop: the first is used in English sentences, all are understood
// and offered on the cards. Words of categories stand beside them, in catalogue.
var spoken = []struct {
	chinese string
	english []string
}{
	// Kinds of products within a category.
	{"威士忌", []string{"whisky", "whiskey", "scotch"}}, {"干邑", []string{"cognac", "brandy"}}, {"朗姆", []string{"rum"}},
	{"干红", []string{"red wine"}}, {"干白", []string{"white wine"}}, {"积木", []string{"building block", "toy brick"}},
	{"毛绒小熊", []string{"teddy bear", "plush bear"}}, {"遥控越野车", []string{"remote control car", "rc car"}}, {"拼图", []string{"puzzle", "jigsaw"}},
	{"降噪", []string{"noise cancelling"}}, {"跑鞋", []string{"running shoe"}}, {"徒步鞋", []string{"hiking shoe", "hiking boot"}},
	{"胶囊", []string{"capsule coffee machine"}}, {"手冲", []string{"pour over set"}}, {"焖烧杯", []string{"food jar"}},
}

// terms are the shop's fixed values in English: states, channels, methods, cities, events. The first of several that are the
// same in Chinese would win, so each stands once.
var terms = map[string]string{
	"待付款": "awaiting payment", "待发货": "awaiting shipment", "已发货": "shipped", "已完成": "completed", "已取消": "cancelled", "已付款": "paid",
	"未发货": "unshipped", "未完成": "not completed", "未签收": "not delivered", "未退款": "not refunded", "未开票": "not invoiced", "未同意": "not approved", "全部": "all",
	"待处理": "pending", "已同意": "approved", "已拒绝": "refused", "同意": "approve", "拒绝": "refuse",
	"待开": "not yet issued", "已开": "issued", "未申请": "not requested", "仅退款": "refund only", "退货退款": "return and refund",
	"日": "day", "周": "week", "月": "month", "商品": "product", "类目": "category", "品牌": "brand", "城市": "city", "小时": "hour", "周几": "weekday", "年内月份": "month-of-year", "周末": "weekend", "工作日": "weekdays", "新老客": "new or returning", "没卖出": "unsold", "新客": "new", "老客": "returning",
	"1月": "January", "2月": "February", "3月": "March", "4月": "April", "5月": "May", "6月": "June", "7月": "July", "8月": "August", "9月": "September", "10月": "October", "11月": "November", "12月": "December",
	"周一": "Monday", "周二": "Tuesday", "周三": "Wednesday", "周四": "Thursday", "周五": "Friday", "周六": "Saturday", "周日": "Sunday", "快递公司": "carrier", "在途": "under way", "即将到期": "due", "状态": "state", "原因": "reason", "类型": "kind",
	"七天无理由退货": "returned within seven days", "不想要了": "no longer wanted", "与描述不符": "not as described", "外包装破损": "damaged packaging", "少配件": "missing parts",
	"尺寸不合适": "wrong size", "质量问题": "poor quality", "降价补差": "price difference",
	"搜索推广": "search ads", "推荐推广": "recommendation ads", "直播": "live streaming", "站外社媒": "social media",
	"上周同日": "the same weekday a week before", "近八周同日均值": "the mean of the same weekday over eight weeks",
	"霍尔特-温特斯加法": "Holt-Winters smoothing", "去年同期乘增长": "the same days of last year times growth",
	"已揽收": "picked up", "运输中": "in transit", "到达目的地城市": "arrived in the city of destination", "派送中": "out for delivery", "已签收": "delivered",
	"华东转运中心": "East China hub", "全店": "the whole shop",
	"北京": "Beijing", "上海": "Shanghai", "广州": "Guangzhou", "深圳": "Shenzhen", "杭州": "Hangzhou", "南京": "Nanjing", "成都": "Chengdu", "武汉": "Wuhan",
	"西安": "Xi'an", "青岛": "Qingdao", "厦门": "Xiamen", "长沙": "Changsha", "大连": "Dalian", "乌鲁木齐": "Urumqi", "拉萨": "Lhasa",
	"广东": "Guangdong", "浙江": "Zhejiang", "江苏": "Jiangsu", "四川": "Sichuan", "湖北": "Hubei", "陕西": "Shaanxi", "山东": "Shandong", "福建": "Fujian",
	"顺丰": "SF Express", "中通": "ZTO", "圆通": "YTO", "申通": "STO", "韵达": "Yunda", "极兔": "J&T", "京东快递": "JD Logistics", "邮政": "China Post",
	"顺路速运": "Shunlu Express", "鸿雁物流": "Hongyan Logistics", "北辰快递": "Beichen Express",
	"降价": "lower the price", "提价": "raise the price", "保持": "keep the price", "数据不足": "not enough data",
	"凌晨": "early morning", "上午": "morning", "中午": "noon", "下午": "afternoon", "晚上": "evening",
	"免运费": "free shipping", "付运费": "charged for shipping", "有优惠": "discounted", "没有优惠": "without discount", "进行中": "running", "未开始": "not begun", "已结束": "ended",
	"湖南": "Hunan", "辽宁": "Liaoning", "新疆": "Xinjiang", "西藏": "Tibet",
}

// toChinese and toEnglish are made of the tables above. Keys of toChinese are plain.
var toChinese, toEnglish = func() (zh, en map[string]string) {
	zh, en = map[string]string{}, map[string]string{}
	add := func(chinese string, english ...string) {
		en[chinese] = english[0]
		for _, w := range english {
			zh[plain(w)], zh[plain(plural(w))] = chinese, chinese
		}
	}
	for _, l := range catalogue {
		add(l.category, l.english...)
	}
	for _, s := range spoken {
		add(s.chinese, s.english...)
	}
	for chinese, word := range terms {
		add(chinese, word)
	}
	return zh, en
}()

// unmarked takes away what people leave out: Xi'an is Xian.
var unmarked = strings.NewReplacer("-", " ", "'", "", "’", "")

// plain is a word as it is compared: small letters, single spaces, no hyphens and apostrophes.
func plain(s string) string {
	return strings.Join(strings.Fields(unmarked.Replace(strings.ToLower(s))), " ")
}

// plural is the plural of an English noun that is not one already.
func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ss"), strings.HasSuffix(noun, "sh"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "x"):
		return noun + "es"
	case strings.HasSuffix(noun, "s"):
		return noun
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ey") && !strings.HasSuffix(noun, "oy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// english is the English of a word of the shop, a customer's name in Latin letters, or the word itself.
func english(word string) string {
	if en, ok := toEnglish[word]; ok {
		return en
	}
	if name := romanised(word); name != "" {
		return name
	}
	if en, ok := toEnglish[townName(word)]; ok { // 广东省广州市
		return en
	}
	return word
}

// chinese is the word of the shop that an English one stands for, or the word itself.
func chinese(word string) string {
	if zh, ok := toChinese[plain(word)]; ok {
		return zh
	}
	return strings.TrimSpace(word)
}

// chineseWithin puts the shop's word for the longest run of English words that is known: 「air fryer 4L」 is 「空气炸锅 4L」.
func chineseWithin(text string) string {
	fields := strings.Fields(text)
	for n := min(len(fields), 4); n > 0; n-- {
		for i := 0; i+n <= len(fields); i++ {
			if zh, ok := toChinese[plain(strings.Join(fields[i:i+n], " "))]; ok {
				return strings.Join(slices.Concat(fields[:i], []string{zh}, fields[i+n:]), " ")
			}
		}
	}
	return strings.TrimSpace(text)
}

// englishWords are the words for which a card's examples may stand, singular and plural.
func englishWords(chinese string) []any {
	var out []any
	add := func(words []string) {
		for _, w := range words {
			out = append(out, w)
			if p := plural(w); p != w {
				out = append(out, p)
			}
		}
	}
	for _, l := range catalogue {
		if l.category == chinese {
			add(l.english)
		}
	}
	for _, s := range spoken {
		if s.chinese == chinese {
			add(s.english)
		}
	}
	if word, ok := terms[chinese]; ok {
		out = append(out, word)
		if bare := strings.ReplaceAll(word, "'", ""); bare != word {
			out = append(out, bare)
		}
	}
	return out
}
