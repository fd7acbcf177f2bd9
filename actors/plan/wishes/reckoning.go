package wishes

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// A figure that no tool works out but that follows from the rows that one lists: how much these are on average, the cheapest one, how many of
// each city, the one from Shanghai. It is read from the words of the request here, laid on the columns that the card declares
// , worked out exactly and worded (package figures). Nothing is called for it: it is a fold over what was observed.

// Fold is what is made of the rows.
type Fold int

const (
	FoldNone  Fold = iota // they are only picked by a condition
	FoldCount             // how many
	FoldSum
	FoldMean
	FoldMost  // those with the most of something, the most first
	FoldLeast // the least first
)

// Reckoning is a fold as a request words it.
type Reckoning struct {
	Fold Fold
	N    int    // of FoldMost and FoldLeast: how many are asked for; 0: not said
	By   string // what the rows are put together by, as the request names it; "" when they are not
	Hint string // what kind of column a superlative is about: gain, price, date, long, many; "" when it does not say
	Part bool   // as parts of the whole
	Both bool   // what comes first and what comes last, and how far they are apart
	Text string // the words of the request without those read here: they name the column
}

var (
	meanWords = words.MustCompile(`(?i)平均|均价|人均|\b(?:on average|average|mean|avg)\b`)
	sumWords  = words.MustCompile(`(?i)总共|一共|合计|总计|总和|总额|总金额|加起来|加总|求和|\b(?:in total|total|sum|altogether|in all|added? up|combined)\b`)
	partWords = words.MustCompile(`(?i)占比|比例|占[^，。,；？?\s]{0,10}?(?:多少|几成|百分之几|多大比[例重]|的?比[例重])|百分之几|其中的?[^，。,；？?\s]{1,14}?(?:有|占了?|是|卖了?|为)?(?:多少|几)[个单件笔台]?|\bhow much of (?:our|the|all|total|my)\b|\bhow (?:much|many) of (?:it|them|that|those|these)\b|\b(?:share|percentage|proportion|per ?cent|fraction)\b`)
	// MostWords asks for what comes first in something.
	MostWords = words.MustCompile(`(?i)最(?:多|高|大|贵|久|长|晚|慢|新|重|能?[赚挣]钱?)|\b(?:most expensive|most recent|priciest|dearest|highest|largest|biggest|greatest|longest|slowest|latest|newest|heaviest|maximum|max|most)\b`)
	// figureBest is the most of a figure that is named, as 最好 alone is not: 最好明天发.
	figureBest = words.MustCompile(`[量额率]最[好旺佳]`)
	// LeastWord asks for what comes last.
	LeastWord = words.MustCompile(`(?i)最(?:少|低|小|便宜|短|快|早|旧|老|轻|差|不[赚挣]钱?)|\b(?:least expensive|cheapest|lowest|smallest|fewest|shortest|fastest|quickest|earliest|oldest|lightest|worst|minimum|min|least)\b`)
	// bothEnds: 最贵的和最便宜的, from the cheapest to the dearest.
	bothEnds = words.MustCompile(`(?i)` + apart(`最(?:多|高|大|贵|久|长|重)`, `[^，。；？]{0,12}?(?:和|与|跟|同|比|及|、|到|至)[^，。；？]{0,6}?`, `最(?:少|低|小|便宜|短|轻)`) + `|` +
		apart(`\b(?:most expensive|priciest|dearest|highest|largest|biggest|longest|heaviest|most)\b`, `[^,.;?]{0,40}?\b(?:and|to|than|with|from|vs\.?|versus)\b[^,.;?]{0,12}?`, `\b(?:least expensive|cheapest|lowest|smallest|fewest|shortest|lightest|least)\b`))
	// atMost and atLeast bound something and ask for nothing.
	boundWord = words.MustCompile(`(?i)\bat (?:the )?(?:most|least|latest|earliest)\b|最[多少](?:\s*\d|是?[一二三四五六七八九十两]+[个件单天元])|最(?:多|少)(?:可以|能)`)
	// FirstN asks for so many of the first.
	FirstN = words.MustCompile(`(?i)(?:前|排名前|top)\s*(\d{1,3}|[一二三四五六七八九十两]{1,3})\s*(?:名|个|位|件|款|种|单|笔|条|大)?|最\p{Han}{1,2}的\s*(\d{1,3}|[一二三四五六七八九十两]{1,3})\s*[名个位件款种单笔条]|\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:most|least|highest|lowest|largest|biggest|smallest|cheapest|dearest|priciest|longest|shortest|latest|newest|oldest|earliest|fewest|best|worst|top)\b|\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\s+[a-z]+s\s+(?:with|that have|have|has) (?:the )?(?:most|least|highest|lowest|largest|biggest|smallest|longest|shortest|fewest)\b|\b(?:best|worst|top)[ -]?(?:selling |sold |earning )?(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b|\btop (two|three|four|five|six|seven|eight|nine|ten)\b|\b(?:cheapest|dearest|priciest|highest|lowest|largest|biggest|smallest|longest|shortest|latest|newest|oldest|earliest|most (?:expensive|recent))\s+(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b`)

	groupHan    = words.MustCompile(`按照?(?:每一?[个位种]?|各个?)?(\p{Han}{1,6}?)(?:来|去)?(?:分组|分类|分别|统计|汇总|分布|分|看|算|列)|(?:每一?|各)(?:个|位|种|款|家|条|座|笔)?(\p{Han}{1,8}?)(?:的|有|各|分别|平均|一共|总共|共|多少|几|买|卖|花|下|$|[，,。？?])|(?:哪|什么)(?:一|几)?(?:个|位|种|款|家|座|类)?(\p{Han}{1,4}?)(?:里|的|退|买|订|下|花|卖|消费|占|有|贡献|购|最)`)
	groupTop    = words.MustCompile(`(?i)\btop (?:\d{1,3} |(?:two|three|four|five|six|seven|eight|nine|ten) )?([a-z]+)|前(?:\d{1,3}|[一二三四五六七八九十]{1,3})(?:名|个|位|款|种|大)?的?(\p{Han}{2})`)
	topBy       = words.MustCompile(`(?i)\b(?:top|best|worst|bottom) (?:\d{1,3} |(?:two|three|four|five|six|seven|eight|nine|ten) )?([a-z]+) by\b`)
	groupSpread = words.MustCompile(`(\p{Han}{2})的?(?:分布|构成)`)
	groupEnd    = words.MustCompile(`按照?(?:每一?[个位种]?|各个?)?(\p{Han}{1,6}?)(?:$|[，,。；;？?])`)
	// groupLast: what comes first in something stands behind that: 卖得最多的城市, best selling category.
	groupLast = words.MustCompile(`(?i)最(?:多|高|大|好|少|低|小|差|火|畅销|[能不]?[赚挣]钱?)的(?:是?哪一?[个位种款家]|[一那]个)?(\p{Han}{1,3})|(?:[卖销]得?|销量|销售额|营业额|毛利率?|利润率?|退款率)最\p{Han}{1,2}的[前\d一二两三四五六七八九十]{1,3}[个位种款家](\p{Han}{1,3})|\b(?:best|top|most|least|highest|lowest|worst)[- ](?:selling|sold|earning|profitable|spending|ordering|stocked)\s+([a-z]+)`)
	groupEng  = words.MustCompile(`(?i)\b(?:grouped |broken down |split |counted )?by (?:the |each )?([a-z]+(?: state| name)?)|\b(?:per|for each|in each|of each|from each|each) ([a-z]+)|\bwhich ([a-z]+)(?:['’]s)?\s+(?:\w+\s+)*?(?:most|worst|least|highest|lowest|largest|biggest|fewest|smallest|longest)\b`)
	// loses asks which goods bring no money; a campaign that does not is a kind of its own.
	loses   = words.MustCompile(`(?i)(?:哪[些个种款]|什么)(商品|产品|类目|品类|品牌|货)(?:是|在|卖得?|都|会|最)*(?:亏本?钱?|赔本?钱?|不[赚挣]钱|没[赚挣]钱)[的了]?|(?:亏[本钱损]|赔[本钱]|不[赚挣]钱|没[赚挣]钱)的(商品|产品|类目|品类|品牌)|\b(?:which|what) (product|item|brand)(?:s|ies|y)?(?: of ours| do we have)?(?: that)? (?:are |is )?(?:los(?:e|es|ing) (?:us )?money|(?:being )?sold at a loss|sell(?:s|ing)? at a loss|unprofitable|not profitable|not making money|make no money)|\b(?:unprofitable|loss-making|money-losing) (product|item|brand)s?`)
	whoMost = words.MustCompile(`(?i)谁[^，,。]{0,12}最|\bwho\b.{0,40}\b(?:most|least|fewest)\b`)
	hints   = []struct {
		kind string
		re   *words.Pattern
	}{
		{"many", words.MustCompile(`(?i)\bby (?:the )?(?:number|count|amount) of\b|(?:次数|数量|单数|订单数)(?:前|排|最)`)},
		{"gain", words.MustCompile(`(?i)最[能不]?[赚挣]|[赚挣]得?(?:钱)?最|\b(?:profitable|lucrative)\b|\bearn(?:s|ed)?\b.{0,20}\bmost\b|\b(?:makes?|made|making)\b.{0,20}\bmost money\b`)},
		{"price", words.MustCompile(`(?i)贵|便宜|均价|expensive|priciest|dearest|cheapest`)},
		{"long", words.MustCompile(`(?i)最[久长短快慢]|longest|shortest|fastest|quickest|slowest`)},
		{"date", words.MustCompile(`(?i)最[晚新早旧]|最近的\s*(?:\d{1,3}|[一二三四五六七八九十两]{1,3})\s*[名个位件款种单笔条]|latest|newest|recent|earliest|oldest`)},
		{"many", words.MustCompile(`(?i)最[多少]|most|fewest|least`)},
	}
)

// ofTime follows a number of the last months, which is none of things: 最近的两个月.
var ofTime = words.MustCompile(`^(?:月|星期|小时|季度|礼拜)`)

// countNames are small numbers in words.
var countNames = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}

// MaxFolded is how many groups or rows a superlative names at most.
const MaxFolded = 100

// foldWords are the English words without one of which nothing is read here.
var foldWords = words.Set(`average mean avg total sum altogether all added add combined share percentage percent cent proportion fraction most least maximum minimum max min recent
latest best worst lose loses losing loss unprofitable profitable money by per each daily weekly monthly hourly new first returning repeat existing regular loyal top which who many number count time hour hours morning mornings afternoon afternoons evening evenings night nights daytime weekday weekdays weekend weekends busiest`)

// mayFold reports whether a text holds any word that a fold is asked for by. Most requests hold none, and need no closer look.
func mayFold(text string) bool {
	if words.Wide(text) {
		return true
	}
	for _, p := range words.Pieces(text) {
		if w := strings.ToLower(p.Text); foldWords[w] || strings.HasSuffix(w, "est") {
			return true
		}
	}
	return false
}

// apart joins two expressions in either order.
func apart(one, between, other string) string {
	return one + between + other + `|` + other + between + one
}

// ReadReckoning reads which fold a text asks for.
func ReadReckoning(text string) Reckoning {
	if !mayFold(text) {
		return Reckoning{Text: text}
	}
	if m := thenOfThem.FindStringIndex(text); m != nil && (MostWords.MatchString(text[:m[0]]) || LeastWord.MatchString(text[:m[0]]) || FirstN.MatchString(text[:m[0]])) {
		text = text[:m[0]]
	}
	t := Reckoning{Text: CostsPrice(boundWord.ReplaceAllString(text, " "))}
	cut := func(re *words.Pattern) bool {
		if !re.MatchString(t.Text) {
			return false
		}
		t.Text = re.ReplaceAllString(t.Text, " ")
		return true
	}
	whole := t.Text
	if m := FirstN.FindStringSubmatch(whole); m != nil && !ofTime.MatchString(whole[strings.Index(whole, m[0])+len(m[0]):]) {
		said := strings.Join(m[1:], "")
		if n, ok := words.Number(said); ok {
			t.N = n
		} else {
			t.N = countNames[strings.ToLower(said)]
		}
		t.N = min(t.N, MaxFolded)
	}
	t.By = groupOf(whole)
	if m := loses.FindStringSubmatch(whole); t.By == "" && m != nil { // those that earn least, as far as they earn
		t.By, t.Fold, t.Hint = strings.ToLower(strings.Join(m[1:], "")), FoldLeast, "gain"
		t.Text = loses.ReplaceAllString(t.Text, " "+t.By+" ")
		return t
	}
	for _, h := range hints {
		if h.re.MatchString(whole) {
			t.Hint = h.kind
			break
		}
	}
	t.Part = cut(partWords)
	switch {
	case bothEnds.MatchString(whole) && t.N == 0 && cut(LeastWord) && cut(MostWords):
		t.Fold, t.Both = FoldLeast, true
	case cut(LeastWord):
		t.Fold = FoldLeast
	case cut(MostWords), t.N > 0, figureBest.MatchString(whole):
		t.Fold = FoldMost
	case cut(meanWords):
		t.Fold = FoldMean
	case CountHan.MatchString(whole) && !MoneyWords.MatchString(whole) || CountEng.MatchString(whole):
		t.Fold = FoldCount
	case cut(sumWords):
		t.Fold = FoldSum
	case t.Part:
		t.Fold = FoldCount
	}
	if !t.Superlative() {
		t.Hint = ""
	}
	return t
}

// thenOfThem is what is asked of those that come first in something else: 订单最多的客户是谁，他们各花了多少.
var thenOfThem = words.MustCompile(`(?i)[，,;；。？?]\s*(?:他们?|她们?|它们?|这些人?|分别|各自?|都|每一?[个人位种])[^，,;；。]*$|[,;?]?\s+(?:and\s+)?(?:how (?:much|many|often)|what|when|where|which)\b(?: \w+){0,3} (?:they|each|he|she|them|these|those)\b[^,;]*$`)

// groupOf is the noun by which a text wants things put together; "" when it does not.
func groupOf(text string) string {
	if whoMost.MatchString(text) {
		return words.Either(words.Language(text) == "zh", "客户", "customer")
	}
	for _, g := range groupTimes {
		if g.re.MatchString(aWeekOf.ReplaceAllString(meanOfTime.ReplaceAllString(text, " "), " ")) {
			return words.Either(words.Language(text) == "zh", g.han, g.english)
		}
	}
	if m := topBy.FindStringSubmatch(text); m != nil && len(words.AlsoCalled(m[1])) > 1 {
		return m[1]
	}
	for _, re := range []*words.Pattern{groupHan, groupSpread, groupEnd, groupEng, groupTop, groupLast} {
		for _, m := range re.FindAllStringSubmatch(text, 8) {
			for _, noun := range m[1:] {
				if _, number := words.Number(noun); number { // which two have least
					continue
				}
				if noun = leadingNoun(strings.TrimRight(strings.TrimSpace(noun), "被会能都给还")); noun != "" && !strings.HasPrefix(noun, "些") && !deedOf.MatchString(noun) && !noGroup[strings.ToLower(noun)] && !byOrder.MatchString(m[0]) && (re == groupHan || re == groupEng || len(words.AlsoCalled(noun)) > 1) {
					return noun
				}
			}
		}
	}
	return ""
}

// groupTimes are the questions for an hour, a weekday, the weekend or what old customers buy, which no noun of a column names: 几点下单的人最多, 周末卖得比平时好吗.
var groupTimes = []struct {
	re           *words.Pattern
	han, english string
}{
	{words.MustCompile(`(?i)(?:一|每|全)年(?:里|中|之中|当中)?的?(?:哪一?个?|几|什么|各个?)月|\bmonths? of the year\b`), "年内月份", "month-of-year"},
	{words.MustCompile(`(?i)(?:几点钟?|什么时候|什么时间|哪个?(?:时段|时间段?|钟头|小时))[^，。,]{0,12}(?:最|多|好|旺|集中)|最(?:多|少|好|旺|忙|集中)的(?:[^，。,]{0,4}(?:时段|时间段|钟头|小时)|是?(?:在|一天(?:里|中)?的?)?几点)|(?:各个?|每个?|分|按)(?:时段|小时|钟头)|\bwhat time of (?:the )?day\b|\b(?:which|what|busiest|best|peak) hours?\b|\b(?:by|per) hour\b|\bhours? of the day\b`), "小时", "hour"},
	{words.MustCompile(`(?i)(?:周几|星期几|礼拜几|一周(?:里|中|内|之中)?的?(?:哪一?天|每天))[^，。,]{0,12}(?:最|多|好|高|少|差|$)|(?:按|各个?|分)(?:周几|星期几|礼拜几)|\b(?:which|what|best|busiest) (?:weekday|day of the week)\b|\bby (?:weekday|day of (?:the )?week)\b|\bdays? of the week\b`), "周几", "weekday"},
	{words.MustCompile(`(?i)(?:周末|双休日)[^，。,]{0,16}(?:平时|平日|工作日|周中)|(?:平时|平日|工作日|周中)[^，。,]{0,16}(?:周末|双休日)|\bweekends?\b.{0,40}\b(?:weekdays?|week days?|working days|rest of the week|during the week|normal days|other days)\b|\b(?:weekdays?|week days?|working days)\b.{0,40}\bweekends?\b|\b(?:more|better|less|worse) (?:on|at) (?:the )?weekends?\b`), "周末", "weekend"},
	{words.MustCompile(`(?i)(?:早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜间|半夜|凌晨|白天)[^，。；;]{0,12}(?:早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜间|半夜|凌晨|白天)|\b(?:morning|afternoon|evening|night|daytime)s?\b.{0,30}\b(?:or|than|vs\.?|versus|and)\b.{0,20}\b(?:morning|afternoon|evening|night|daytime)s?\b`), "小时", "hour"},
	{words.MustCompile(`(?i)\bhourly\b`), "小时", "hour"}, {words.MustCompile(`(?i)\bdaily\b`), "天", "day"}, {words.MustCompile(`(?i)\bweekly\b`), "周", "week"}, {words.MustCompile(`(?i)\bmonthly\b`), "月", "month"},
	{words.MustCompile(`(?i)\b(?:revenue|sales|turnover|profits?|margins?|income|(?:average )?order value|average orders?|aov|spending|refund rate)\b.{0,40}\b(?:new|first-time|returning|repeat|existing|regular|loyal|old) (?:customers?|buyers?|clients?)\b|\b(?:new|first-time|returning|repeat|existing|regular|loyal|old) (?:customers?|buyers?|clients?)\b.{0,40}\b(?:revenue|sales|turnover|profits?|margins?|income|(?:average )?order value|average orders?|aov|spending|refund rate)\b|(?:新|老|回头)(?:客户|顾客|买家|用户|客)[^，。,；;？?]{0,12}(?:销售额|营业额|流水|收入|毛利|利润|客单价|退款率|业绩|生意|贡献)|(?:销售额|营业额|流水|收入|毛利|利润|客单价|退款率|业绩|生意|贡献)[^，。,；;？?]{0,12}(?:新|老|回头)(?:客户|顾客|买家|用户|客)`), "新老客", "new or returning"},
}

// timely asks for a figure of each stretch of time by an adjective; meanOfTime, the average of a day, is one figure.
var (
	timely     = words.MustCompile(`(?i)\b(?:hourly|daily|weekly|monthly)\b`)
	meanOfTime = words.MustCompile(`(?i)\b(?:average|mean|avg\.?|median) (?:hourly|daily|weekly|monthly)\b|\b(?:hourly|daily|weekly|monthly) (?:average|mean|avg|median)\b`)
)

// aWeekOf is one week of all: 最近一周每天 asks of its days, and of no weekday.
var aWeekOf = words.MustCompile(`(?:最近|近|过去|上|这|前|本)一?个?(?:周|星期|礼拜)`)

// leadingNoun is the noun that a run of Chinese begins with, where what is measured follows it: 商品 of 商品库存, 省 of 省订单数.
func leadingNoun(run string) string {
	best := ""
	for _, set := range words.SameNouns {
		for _, n := range set {
			rest, ok := strings.CutPrefix(run, n)
			if ok && words.IsHan(words.FirstRune(n)) && len(n) > len(best) && len([]rune(rest)) > 1 && len(words.AlsoCalled(rest)) == 1 && !slices.Contains(set, run) && !words.OnlyName.MatchString(rest) {
				best = n
			}
		}
	}
	return words.Either(best == "", run, best)
}

// byOrder: done by order of somebody, or in order.
var byOrder = words.MustCompile(`(?i)^by order$`)

// noGroup are words that stand where a group is named and name none.
var noGroup = words.Set(`是 为 多少 剩 还剩 剩下 还有 些 有 最近 目前 现在 这个 那个 这些 照 时 自 一 次 单 笔 我 你 个 some about far now mail email phone express today yesterday tomorrow then default hand the me you it
one is are was were them us him her mistake accident chance name number amount count other others`)

// deedOf is what is done with things, and none of them: 卖得 of 哪个卖得最好.
var deedOf = words.MustCompile(`^(?:热?[卖销买]|退|花|赚|亏|跑|涨|跌)[得的了过]?$`)

// MoneyWords ask for an amount of money.
var MoneyWords = words.MustCompile(`(?i)钱|金额|花费|消费|价|费用|营业额|销售额|\b(?:money|amounts?|prices?|spen[dt]|spending|pa(?:y|id)|worth|cost|revenue|value|CNY|yuan)\b`)

// AsksMean reports whether a text without the words of its fold asks for a mean: what is highest is one.
func AsksMean(text string) bool { return meanWords.MatchString(text) }

// Asked reports whether there is anything to work out beyond what a list shows by itself.
func (t Reckoning) Asked() bool { return t.Fold != FoldNone || t.By != "" || t.Part }

// Superlative reports whether what comes first or last is asked for.
func (t Reckoning) Superlative() bool { return t.Fold == FoldMost || t.Fold == FoldLeast }

// NeedsAll reports whether the figure is wrong when a list leaves rows out.
func (t Reckoning) NeedsAll() bool {
	return t.By != "" || t.Part || slices.Contains([]Fold{FoldSum, FoldMean, FoldMost, FoldLeast}, t.Fold)
}

// ByKind is the noun that rows are put together by where it is one for any column of its kind, and so names no thing: 原因 of 哪个原因的退款最多.
func (t Reckoning) ByKind() string {
	if len(words.AlsoCalled(t.By)) > 1 {
		return t.By
	}
	return ""
}

// Unfolded is a text without the words that only say what is made of the rows: they tell of no tool.
func Unfolded(s string) string {
	for _, re := range []*words.Pattern{meanWords, partWords, FirstN, timely} {
		s = re.ReplaceAllString(s, " ")
	}
	return s
}

// AsksPart reports whether a stretch of a text stands in words that ask for a share: 百分之 of 百分之几 names nothing.
func AsksPart(s string, start, end int) bool {
	return slices.ContainsFunc(partWords.FindAllStringIndex(s, 8), func(m []int) bool { return m[0] <= start && end <= m[1] })
}

// Earned is a text that asks for what its goods earn, in place of which of them lose money.
func Earned(s string) string {
	return loses.ReplaceAllStringFunc(s, func(m string) string {
		by := strings.Join(loses.FindStringSubmatch(m)[1:], "")
		return words.Say(words.Language(m), " "+by+"利润 ", " profit by "+by+" ")
	})
}
