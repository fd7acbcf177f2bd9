package facts

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Things that a request may limit itself to or ask for beyond dates, ids and names: places, days that no rule knows,
// comparisons and rates. A tool that cannot take them must say so, so that they are read as facts, too.

// places are the provinces and the largest cities of China and the names by which English text calls them. They are knowledge
// of the language, not of any catalogue.
var places = strings.Fields(`北京 上海 天津 重庆 河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西
西藏 宁夏 新疆 香港 澳门 广州 深圳 杭州 成都 武汉 南京 苏州 西安 长沙 郑州 青岛 沈阳 大连 厦门 宁波 无锡 福州 济南 合肥 昆明 哈尔滨 长春 石家庄 南昌 贵阳 南宁 太原 兰州 海口 东莞
佛山 温州 泉州 常州 珠海 中山 惠州 乌鲁木齐 呼和浩特 银川 西宁 拉萨 三亚 烟台 徐州 南通 绍兴 嘉兴 金华 台州`)

var (
	// PlaceHan is a province or large city of China, as Chinese text names it.
	PlaceHan = words.MustCompile(`(?:` + strings.Join(places, "|") + `)(?:省|市)?`)
	placeEng = words.MustCompile(`\b(?:Beijing|Shanghai|Tianjin|Chongqing|Guangzhou|Shenzhen|Hangzhou|Chengdu|Wuhan|Nanjing|Suzhou|Xi'?an|Changsha|Zhengzhou|Qingdao|Shenyang|Dalian|Xiamen|Ningbo|Wuxi|Fuzhou|Jinan|Hefei|Kunming|Harbin|Guangdong|Zhejiang|Jiangsu|Sichuan|Fujian|Shandong|Hunan|Hubei|Henan|Hebei|Yunnan|Hainan|Tibet|Xinjiang|Hong Kong|Macau|Taiwan)\b`)
	// afterPlace: what follows a place that stands for itself; 北京烤鸭 is a thing to eat.
	afterPlace = words.MustCompile(`^(?:$|[^\p{Han}]|的|地区|那边|这边|一共|总共|有|客户|买家|顾客|用户|会员|订单|仓|上|本|这|今|昨|去|最近|近|卖|买|和|与|跟|比|、|退|哪|谁|几|多少|最|占|销|下[了过单]|发货|收货|平均|每|各)`)

	// unread are feasts that move with the moon or from year to year, which no rule here can turn into days.
	unread = words.MustCompile(`春节|中秋节?|端午节?|清明节?|元宵节?|七夕|重阳节?|除夕|过年|年货节|黑五|(?i:black friday|spring festival|lunar new year|chinese new year|mid-autumn(?: festival)?|easter|thanksgiving)`)
	// comparing: words that ask how one figure stands to another.
	comparing     = words.MustCompile(`环比|同比|(?i:\byear[- ](?:on|over)[- ]year\b|\bmonth[- ](?:on|over)[- ]month\b|\bYoY\b|\bMoM\b)`)
	beforeCompare = words.MustCompile(`(?i)(?:对比|相比|比|相较于?|较|compare[sd]? (?:to|with|against)|than|versus|vs\.?|against)\s*$`)
	// stretchBefore: compared to the 7 days before, 和之前 7 天相比: as many days as are said, up to the day before the first stretch.
	stretchBefore = words.MustCompile(`(?i)(?:\b(?:compared? (?:to|with|against)|comparison (?:to|with)|than|versus|vs\.?|against|and)\s+(?:in |during |over |of )?(?:the|those) (\d{1,4}|one|two|three|four|five|six|seven|ten|fourteen|thirty)[ -](day|week|month|quarter|year)s? (?:before|prior|earlier|preceding|previous)(?: (?:that|it|them|those|to that))?\b` +
		`|(?:[和跟与同比较]|对比|相比)(?:起)?(?:(?:再|更)?(?:之前|此前|以前|往前|前面|早前)|再?前)的?那?(\d{1,4}|[一二两三四五六七八九十]{1,3})个?(天|日|周|星期|礼拜|月|季度|年))`)
	// rates are figures of their own; what a tool counts does not answer for them.
	rates = words.MustCompile(`(?:退款|退货|转化|复购|点击|好评|差评|毛利|增长|签收|取消|支付|客诉|投诉)率|(?i:\b(?:refund|return|conversion|repurchase|cancellation|growth|profit) rate\b)`)
)

// beyond reads places, days that cannot be read, comparisons and rates. Dates that stand after a word of comparison become
// part of it: of 昨天比前天 only 昨天 limits anything.
func beyond(s string, dates []Fact) (out, rest []Fact) {
	find := func(re interface{ FindAllStringIndex(string, int) [][]int }, kind Kind, fits func(end int) bool) {
		for _, m := range re.FindAllStringIndex(s, 20) {
			if fits == nil || fits(m[1]) {
				out = append(out, Fact{Kind: kind, Text: s[m[0]:m[1]], Value: s[m[0]:m[1]], Start: m[0], End: m[1]})
			}
		}
	}
	if f, ok := theStretchBefore(s, dates); ok {
		out = append(out, f)
		dates = slices.DeleteFunc(slices.Clone(dates), func(d Fact) bool { return d.Start >= f.Start && d.Start < f.End })
	}
	for _, d := range dates {
		if m := beforeCompare.FindString(words.Before(s, d.Start)); m != "" {
			start := d.Start - len(m)
			out = append(out, Fact{Kind: Compare, Text: s[start:d.End], Value: d.Value, Start: start, End: d.End})
			continue
		}
		rest = append(rest, d)
	}
	find(comparing, Compare, nil)
	find(BeforeIt, Compare, nil)
	find(rates, Rate, nil)
	find(unread, Unread, nil)
	find(PlaceHan, Place, func(end int) bool { return afterPlace.MatchString(s[end:]) })
	find(placeEng, Place, nil)
	return out, rest
}

// theStretchBefore reads the days before a stretch that is said earlier, which it is held against. Without a stretch before it there is none.
func theStretchBefore(s string, dates []Fact) (Fact, bool) {
	m := stretchBefore.FindStringSubmatchIndex(s)
	if m == nil || len(dates) == 0 || dates[0].Start >= m[0] {
		return Fact{}, false
	}
	first, is := dates[0].Value.(Period)
	at := 2
	if m[at] < 0 {
		at = 6
	}
	n, ok := words.Number(strings.ToLower(s[m[at]:m[at+1]]))
	if !is || !ok || first.Open || n < 1 {
		return Fact{}, false
	}
	last := first.From.AddDate(0, 0, -1)
	p := stretch(n, strings.ToLower(s[m[at+2]:m[at+3]]), false, last)
	return Fact{Kind: Compare, Text: s[m[0]:m[1]], Value: p, Start: m[0], End: m[1]}, true
}
