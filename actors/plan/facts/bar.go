package facts

import (
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Bar is a figure of which it is asked whether another one lies above or below it: 上个月销售额超过20万了吗, did we sell more than 100 air fryers. It picks no rows, as
// 超过20万的订单 does, and is no wish for so many of them.
type Bar struct {
	N       float64
	Over    bool // above it; else below
	Equal   bool // or just as much
	Percent bool
	Unit    string // as it is said, or the word behind the number; ""
}

// Said is the bar in digits, with the sign of a share.
func (b Bar) Said() string {
	return strconv.FormatFloat(b.N, 'f', -1, 64) + words.Either(b.Percent, "%", "")
}

// Met reports whether a figure that stands to the bar by a sign (1 above it, 0 just so, -1 below) is as it is asked.
func (b Bar) Met(sign int) bool {
	return sign == 0 && b.Equal || sign > 0 && b.Over || sign < 0 && !b.Over
}

var (
	barHan = words.MustCompile(`(?:有没有|是不是|是否|到底|已经|总共|一共|都|在)*(超过|超出|超了?|高于|大于|多于|突破|破|低于|少于|小于|不到|没到|不足|不满|没过|达到|达|够|到|过|满|有|出|了)了?\s*[¥￥]?(?:CNY |RMB )?\s*(\d[\d,]*(?:\.\d+)?)\s*(万|千|百万|亿)?\s*(%|％|元|块钱?|[件个台瓶双部单笔张位款人家次])?`)
	barEng = words.MustCompile(`(?i)\b(more than|less than|fewer than|higher than|lower than|greater than|larger than|bigger than|smaller than|at least|over|above|under|below|exceed(?:s|ed|ing)?|surpass(?:es|ed)?|reach(?:es|ed)?|hit|top(?:s|ped)?|pass(?:es|ed)?|beat|break|broken?)\s+(?:the )?(?:mark of )?[¥￥$]?(?:CNY |RMB )?(\d[\d,]*(?:\.\d+)?)\s?(k|w|m|million|thousand)?\b\s?(%|percent\b|per cent\b|yuan\b|CNY\b|RMB\b|pieces\b|units\b|items\b)?`)
	// asksWhether is a sentence that asks whether something is so.
	asksWhetherHan = words.MustCompile(`吗|有没有|是否|是不是|了没|没有?(?:超过?|突破|到|达到?|低于)[^。！？!?]*吧|没有?\s*[?？]?\s*$|[?？]\s*$`)
	asksWhetherEng = words.MustCompile(`(?i)^(?:[^,?.!]{3,40},)?\s*(?:(?:and|so|ok|hey|hi|hello|please)[,\s]+)*(?:do|does|did|is|are|was|were|has|have|had)\b|\b(?:tell me|check|see|know) (?:if|whether)\b`)
	// asksWhich wishes for things or for a figure, and anyThing asks whether there is one of many of which the bar holds.
	asksWhichHan = words.MustCompile(`哪|谁|什么|多少|几|怎么|为什么|每|各|任何|可以|能不能|能否|应该|需要|必须|要不要|会不会|如果|的话|规则|规定|(?:有没有|有无|是否有|有)(?:人|客户|顾客|买家|用户|商品|产品|订单|退款|包裹|发票|类目|品牌|城市|活动|一?[天单个款种笔件])`)
	asksWhichEng = words.MustCompile(`(?i)\b(?:which|who|whose|what|how|when|where|why|any|anyone|anybody|anything|some|someone|somebody|every|each|all|if we|should|can|may|must|allowed|free|required|need|unless|an?)\b`)
	ifWhether    = words.MustCompile(`(?i)\b(?:tell me|check|see|know) (?:if|whether)\b`)
	// ofMany stands before a bar that picks among things, and ofThings behind it: 有没有超过5000的订单, are there orders over 3000.
	ofThings = words.MustCompile(`^[了过]?(?:及?以[上下])?的|^[^，。,;；?？]{0,12}(?:会|能|可|要|算|得)`)
	ofMany   = words.MustCompile(`(?i)\b(?:orders|refunds|products|goods|items|customers|buyers|parcels|shipments|invoices|days|weeks|months)(?: (?:that are|that were|worth|priced|with [a-z ]{2,20}))?\s*$`)
	hasThem  = words.MustCompile(`(?i)\b(?:there|have|got|get|see|for|on|of|with|buy|sell)\b`)
	// timesBehind makes it no sum but so long, or so heavy.
	timesBehind = words.MustCompile(`(?i)^\s?(?:[天日周年月时点号折克]|小时|分钟|公斤|千克|[ -]?(?:days?|weeks?|months?|years?|hours?|minutes?|kg|kilos?|times?)\b|['’.:/-]?\d)`)
	wordBehind  = words.MustCompile(`^\s?([A-Za-z]+)`)
	sentenceEnd = words.MustCompile(`[。！？!?；;\n]`)
)

// bars reads the figures that a text asks about whether another one is above or below.
func bars(s string) (out []Fact) {
	for _, han := range []bool{true, false} {
		re := words.Either(han, barHan, barEng)
		for _, m := range re.FindAllStringSubmatchIndex(s, 4) {
			group := func(i int) string {
				if m[2*i] < 0 {
					return ""
				}
				return s[m[2*i]:m[2*i+1]]
			}
			start, end := sentenceAround(s, m[0], m[1])
			lead, rest := s[start:m[0]], s[m[1]:end]
			if !words.Either(han, asksWhetherHan, asksWhetherEng).MatchString(s[start:end]) || words.Either(han, asksWhichHan, asksWhichEng).MatchString(ifWhether.ReplaceAllString(s[start:end], "")) ||
				ofThings.MatchString(rest) || timesBehind.MatchString(rest) || !han && ofMany.MatchString(lead) && hasThem.MatchString(lead) {
				continue
			}
			n, err := strconv.ParseFloat(strings.ReplaceAll(group(2), ",", ""), 64)
			if err != nil {
				continue
			}
			cmp, unit := strings.ToLower(group(1)), group(4)
			if weakBar.MatchString(cmp) && !endsAsking.MatchString(rest) && !asksIt.MatchString(s[m[0]:m[1]]) || (cmp == "出" || cmp == "了") && !gaveOut.MatchString(lead) {
				continue // 到 100 of 从 50 到 100, 拍了 3 件
			}
			b := Bar{N: n * scales[strings.ToLower(group(3))], Percent: strings.Contains(unit, "%") || unit == "％" || strings.HasPrefix(strings.ToLower(unit), "per"), Unit: unit}
			b.Over = !barUnder.MatchString(cmp)
			b.Equal = barEqual.MatchString(cmp)
			if w := wordBehind.FindStringSubmatch(rest); unit == "" && w != nil {
				b.Unit = w[1]
			}
			out = append(out, Fact{Kind: Compare, Text: strings.TrimSpace(s[m[0]:m[1]]), Value: b, Start: m[0], End: m[0] + len(strings.TrimRight(s[m[0]:m[1]], " "))})
		}
	}
	return out
}

var (
	barUnder = words.MustCompile(`^(?:低于|少于|小于|不[到足满]|没[到过]|less|fewer|lower|smaller|under|below)`)
	barEqual = words.MustCompile(`^(?:达到?|够|到|满|有|出|了|at least|reach|hit)`)
	// weakBar says something of a bar only where it is asked for, and gaveOut stands before the number of what was sold or the like.
	weakBar    = words.MustCompile(`^(?:有|到|过|达|够|满|出|了)$`)
	asksIt     = words.MustCompile(`^(?:有没有|是不是|是否)`)
	gaveOut    = words.MustCompile(`[卖销售赚花退收]$`)
	endsAsking = words.MustCompile(`^[了过]?(?:吗|没有?|么|[?？])`)
	scales     = map[string]float64{"": 1, "千": 1e3, "k": 1e3, "thousand": 1e3, "万": 1e4, "w": 1e4, "百万": 1e6, "m": 1e6, "million": 1e6, "亿": 1e8}
)

// sentenceAround is the sentence of a text that a stretch of it stands in, with the mark that ends it.
func sentenceAround(s string, from, to int) (start, end int) {
	for _, m := range sentenceEnd.FindAllStringIndex(s, -1) {
		if m[1] <= from {
			start = m[1]
		} else if m[0] >= to {
			return start, m[1]
		}
	}
	return start, len(s)
}
