package plan

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// folding is a reckoning laid on the columns of a list that a tool returns.
type folding struct {
	reckoning
	key  string // of the list in what the tool returns; "" when that is the list
	list *field
	by   *field // nil: every row counts for itself
	of   *field // the column measured; nil: the rows are counted
	card string // what the card says of itself: the list may be of what it speaks of
	// grouped: the tool has put the rows together itself, as one of its parameters tells it to, and by is what they are called there.
	grouped bool
}

// sameNouns are words for one thing, by which people and cards call a column. They are knowledge of the languages, not of any catalogue.
var sameNouns = [][]string{ // the first [things] are of things
	strings.Fields("客户 买家 顾客 用户 会员 人 buyer customer client shopper consumer"),
	strings.Fields("商品 产品 货品 款 product item goods"), strings.Fields("订单 order"),
	strings.Fields("城市 地区 省份 省 地方 地 市 city province region area place"),
	strings.Fields("状态 state status"), strings.Fields("原因 理由 reason cause"), strings.Fields("类型 种类 type kind"),
	strings.Fields("类目 品类 类别 分类 category"), strings.Fields("渠道 平台 channel"), strings.Fields("品牌 牌子 brand"),
	strings.Fields("快递 快递公司 承运商 物流公司 carrier courier"),
	strings.Fields("天 日 日期 day date"), strings.Fields("周 星期 week"), strings.Fields("月 月份 month"),
}

// things is how many of [sameNouns] name things that have an id; the others name what these are put together by.
const things = 3

var (
	onlyName   = regexp.MustCompile(`(?i)^(?:的|姓名|名称|名字|名|\s|full name|name)*$`)
	tellsApart = regexp.MustCompile(`(?i)编号|单号|电话|手机|账号|号码|\b(?:id|phone|account|number|no|pin|code)\b`)
	money      = regexp.MustCompile(`(?i)元|金额|售价|单价|价格|成本|消费|花费|费用|销售额|CNY|USD|EUR|\b(?:amount|price|cost|spent|paid|total|revenue|fee|sales)\b`)
	lasting    = regexp.MustCompile(`(?i)小时|天数|时长|分钟|多久|\b(?:hours?|days?|minutes?|duration|age)\b`)
	priced     = regexp.MustCompile(`(?i)价|\b(?:price|cost|fee)\b`)
	whenField  = regexp.MustCompile(`(?i)时间|日期|\b(?:at|time|date|day|on)\b`)
	spentOn    = regexp.MustCompile(`(?i)花|消费|\bspen[dt]|spending\b`)
	paidFor    = regexp.MustCompile(`(?i)消费|花费|实付|\b(?:spent|paid)\b`)
)

// lay puts a reckoning on the columns of what a tool returns. lacks is what the rows do not tell and the request needs, as it calls it; ok is false when the
// tool lists nothing, or nothing need be worked out.
func (t reckoning) lay(e *entry) (f folding, lacks string, ok bool) {
	return t.layOn(e, func(*field) bool { return true })
}

// layOn puts it on those of the lists that are there.
func (t reckoning) layOn(e *entry, there func(*field) bool) (f folding, lacks string, ok bool) {
	best := -1
	grouped := e.groups(t.by) && slices.ContainsFunc(e.lists(), func(l *field) bool { return there(l) && !l.ofItsOwn(t.by) })
	for _, l := range e.lists() {
		g := folding{reckoning: t, key: l.Name, list: l, card: strings.ToLower(wording(e.Card))}
		if l == &e.result {
			g.key = ""
		}
		if !there(l) || grouped && l.ofItsOwn(t.by) {
			continue
		}
		if grouped {
			g.by, g.grouped = g.heads(), true
		} else if t.fold == foldMean && l.hasIDs() && calls(l.label("zh")+" "+l.label("en"), t.by) { // what a customer spends on average, of customers
			g.text, g.reckoning.by = strings.ReplaceAll(t.text, t.by, " "), ""
		}
		score, missing := g.columns()
		if grouped && (g.of == nil || g.of.shares(g.text) == 0) {
			missing = cmp.Or(missing, g.untold(&e.result))
			if missing == "" && g.of == nil { // the rows as they are, in the order in which the tool puts them
				g.fold, g.part = foldNone, false
			}
		}
		if !ok || score > best {
			f, lacks, best, ok = g, missing, score, true
		}
	}
	return f, lacks, ok
}

// ofItsOwn reports whether the rows of a list are things, or put together by something else than a noun names: they are not those that the tool puts
// together as it is told.
func (f *field) ofItsOwn(noun string) bool {
	if f.hasIDs() {
		return true
	}
	h := (&folding{list: f}).heads()
	return h != nil && h.goesFor(noun) < 2 && slices.ContainsFunc(sameNouns, func(set []string) bool { return h.goesFor(set[0]) > 1 })
}

// heads is the column that says of what a row is that the tool put together: the first one of text. nil when there is none.
func (g *folding) heads() *field {
	for _, c := range g.inPlace() {
		if c.Type == "string" {
			return c
		}
	}
	return nil
}

// untold is what a text wants to know of rows that a tool put together and that they do not tell, though the tool tells it of all of them, or another
// one tells it: 退款 of 退款按城市统计 where the rows are sales, 商品 of 各类目有多少商品. "" when there is nothing such.
func (g *folding) untold(result *field) string {
	text := strings.ReplaceAll(g.text, g.reckoning.by, " ")
	for _, w := range content(text) {
		tells := func(f *field) bool {
			return slices.Contains(content(f.label("zh")+" "+f.label("en")), w) && (rateOf.MatchString(text) || !rateOf.MatchString(f.label("zh")+" "+f.label("en")))
		}
		for i := range result.Fields {
			if f := &result.Fields[i]; (f.Type == "number" || f.Type == "integer") && tells(f) && !slices.ContainsFunc(g.list.Fields, func(c field) bool { return tells(&c) }) {
				return ifText(isHan(firstRune(w)), w, f.label("en"))
			}
		}
	}
	if g.fold != foldCount {
		return ""
	}
	for _, set := range sameNouns {
		if tellsTime(set[0]) || slices.Contains(set, strings.ToLower(g.reckoning.by)) {
			continue
		}
		for _, noun := range set {
			if isHan(firstRune(noun)) && len([]rune(noun)) > 1 && strings.Contains(text, noun) || !isHan(firstRune(noun)) && calls(strings.ToLower(text), noun) {
				return noun
			}
		}
	}
	return ""
}

// columns finds what the reckoning speaks of among the columns; the score is how many of these it names. lacks is what no column tells.
func (g *folding) columns() (score int, lacks string) {
	text := g.text
	if g.reckoning.by != "" {
		most := 0
		for i := range g.list.Fields {
			c := &g.list.Fields[i]
			if n := c.goesFor(g.reckoning.by); !g.grouped && n > most && (g.fold != foldMean || c.Sort != sortID) && (c.Type == "string" || c.Type == "") {
				g.by, most = c, n
			}
		}
		switch {
		case g.by != nil:
			score += 2
		case g.fold != foldMean && g.sorting() != nil: // 按金额排
			g.of = g.sorting()
			g.fold, g.reckoning.by, g.n = ifFold(g.fold == foldLeast, foldLeast, foldMost), "", ifThen(g.n > 0, g.n, maxFolded)
			return 1, ""
		case calls(g.list.label("zh")+" "+g.list.label("en")+" "+g.list.Name, g.reckoning.by): // which order is the dearest: the rows are orders
		default:
			lacks = g.reckoning.by
		}
		text = strings.ReplaceAll(text, g.reckoning.by, " ")
	}
	switch {
	case g.fold == foldNone && g.reckoning.by == "":
	case g.fold == foldNone: // by reason: of what is named, or how many
		g.fold = foldCount
		if c := g.measure(text); c != nil && (c.shares(text) > 0 || moneyWords.MatchString(text)) {
			g.of, g.fold = c, foldSum
			score++
		}
	case g.fold == foldCount:
		if c := g.measure(text); c != nil && g.by != nil && c.Type == "integer" { // rows that are sums themselves
			g.of, g.fold = c, foldSum
			score++
		}
	default:
		if g.of = g.measure(text); g.of != nil {
			score++
		} else if g.hint == "many" && !g.grouped && g.unknown(text) != "" {
			if lacks == "" {
				lacks = g.unknown(text)
			}
		} else if g.n > 0 && g.hint == "" { // the first ones, as the tool puts them
		} else if g.by == nil || g.fold == foldMean || g.fold == foldSum {
			if lacks == "" {
				lacks = strings.Trim(strings.Join(content(text), " "), " ")
			}
			if g.by == nil {
				g.fold = foldNone
			} else {
				g.fold = foldCount
			}
		}
	}
	if g.by == nil && g.list.hasIDs() { // of things one by one, where a tool also lists what they come to together
		score++
	}
	if g.by != nil && g.of != nil && !g.grouped && tellsTime(g.reckoning.by) && g.of.counts() { // orders per day are not those of the customers by their last day
		return 0, g.reckoning.by
	}
	return score, lacks
}

// hasIDs reports whether the rows of a list are things that have an id.
func (f *field) hasIDs() bool {
	return slices.ContainsFunc(f.Fields, func(c field) bool { return c.Sort == sortID })
}

// counts reports whether the figures of a column are numbers of things, each of which has a day of its own: the orders of a customer.
func (f *field) counts() bool {
	return f.Type == "integer" && howManyOf.MatchString(f.label("zh")+" "+f.Name) && f.Desc != "件"
}

var howManyOf = regexp.MustCompile(`(?i)数$|数\s|^count|_count$|\bnumber of\b`)

// howManyOfThem: a number of things is wanted, which is no other figure that there happens to be.
var howManyOfThem = regexp.MustCompile(`(?i)(?:几|多少)\s*[件个单款种人次名位]|\bhow many\b`)

// sorting is the column by whose figures the rows are wanted in order; nil when what they are put together by names none.
func (g *folding) sorting() *field {
	noun := g.reckoning.by
	if c := g.measure(noun); c != nil && (c.shares(noun) > 0 || moneyWords.MatchString(noun)) {
		return c
	}
	return nil
}

// unknown is what a text counts that is not what the list holds: 退货 of 哪个商品退货最多 in a list of products sold. "" when it counts what is listed.
func (g *folding) unknown(text string) string {
	said := strings.ToLower(g.list.label("zh") + " " + g.list.label("en") + " " + g.list.Desc)
	if g.by != nil { // 退货 of 哪个商品退货最多 in a list of refunds, which tells the product
		said += " " + g.card
	}
	for _, p := range pieces(text) {
		if !p.han {
			if w := strings.ToLower(p.text); !stopEnglish[w] && !lightEnglish[w] && !latinVerbs[w] && !digits(w) && !calls(said, w) && monthNumber(w) == 0 {
				return p.text
			}
			continue
		}
		for _, r := range contentRuns(p.text, lightHan) {
			if ws := pairs(r.text); len([]rune(r.text)) > 1 && !slices.ContainsFunc(ws, func(w string) bool { return strings.Contains(said, w) }) {
				return r.text
			}
		}
	}
	return ""
}

// measure is the column that a text means to measure; nil when it is none or may be several.
func (g *folding) measure(text string) *field {
	var best *field
	most, numbers, sums := 0, []*field(nil), []*field(nil)
	inMoney := moneyWords.MatchString(text) || g.hint == "price"
	sameName := slices.ContainsFunc(g.list.Fields, func(c field) bool { return c.label("zh") == g.list.label("zh") }) // 库存 in a list of that name
	if g.hint != "long" && !sameName {                                                                                // of the things listed: 超时订单最多 means no hours
		text = strings.NewReplacer(g.list.label("zh"), " ", strings.ToLower(g.list.label("en")), " ").Replace(strings.ToLower(text))
	}
	for i := range g.list.Fields {
		c := &g.list.Fields[i]
		about := c.label("zh") + " " + c.label("en") + " " + strings.ReplaceAll(c.Name, "_", " ") + " " + c.Desc
		if g.hint == "date" {
			if c.Type == "string" && (c.Sort == sortDate || whenField.MatchString(about)) && c.shares(text)+1 > most {
				best, most = c, c.shares(text)+1
			}
			continue
		}
		if c.Type != "number" && c.Type != "integer" || c.Sort == sortID || len(c.Provides) > 0 {
			continue
		}
		if averageOf.MatchString(about) && c.shares(text) == 0 || rateOf.MatchString(about) && (c.shares(text) == 0 || !rateOf.MatchString(text)) { // nothing that it does not name is a mean, and what was refunded is no rate
			continue
		}
		numbers = append(numbers, c)
		if money.MatchString(about) {
			sums = append(sums, c)
		}
		n := 2 * c.shares(text)
		switch {
		case g.hint == "price" && priced.MatchString(about), g.hint == "long" && lasting.MatchString(about):
			n += 3
		case spentOn.MatchString(text) && paidFor.MatchString(about):
			n += 3
		case inMoney && money.MatchString(about):
			n++
		}
		if inMoney && !money.MatchString(about) { // late orders, in money: not the hours that they are late
			n = 0
		}
		if n > most || n == most && n > 0 && c.Place < best.Place {
			best, most = c, n
		}
	}
	switch {
	case best != nil || g.hint == "many" || g.hint == "date" || howManyOfThem.MatchString(text) && !inMoney:
		return best
	case len(sums) == 1:
		return sums[0]
	case len(numbers) == 1:
		return numbers[0]
	}
	return nil
}

// shares is how many words of a text a column is called by.
func (f *field) shares(text string) int {
	said := content(text)
	n := 0
	for _, w := range slices.Compact(slices.Sorted(slices.Values(content(f.label("zh") + " " + f.label("en") + " " + f.Name)))) {
		if slices.Contains(said, w) {
			n++
		}
	}
	return n
}

// goesFor is how well a noun names a column: 0 not at all; 客户 names 客户姓名 better than 客户电话.
func (f *field) goesFor(noun string) int {
	best := 0
	for _, label := range []string{f.label("zh"), f.label("en"), strings.ReplaceAll(f.Name, "_", " ")} {
		rest, ok := lessNoun(label, noun)
		switch {
		case !ok:
		case onlyName.MatchString(rest):
			best = max(best, 4)
		case len(alsoCalled(strings.TrimSpace(rest))) > 1: // 订单状态 is a state, and no order
		case tellsApart.MatchString(label):
			best = max(best, 1)
		default:
			best = max(best, 2)
		}
	}
	if best == 0 && f.Type == "string" && (f.Sort == sortDate || whenField.MatchString(f.label("zh")+" "+f.label("en"))) && tellsTime(noun) {
		return 1
	}
	return best
}

// lessNoun takes a noun, or another word for it, out of a label; false when it is not there.
func lessNoun(label, noun string) (string, bool) {
	for _, n := range alsoCalled(noun) {
		if isHan(firstRune(n)) {
			if strings.Contains(label, n) && (len([]rune(n)) > 1 || label == n) {
				return strings.Replace(label, n, "", 1), true
			}
			continue
		}
		rest, found := "", false
		for _, w := range strings.Fields(strings.ToLower(label)) {
			if stem(w) == stem(n) {
				found = true
			} else {
				rest += " " + w
			}
		}
		if found {
			return rest, true
		}
	}
	return "", false
}

// calls reports whether a noun, or another word for it, stands in a text.
func calls(text, noun string) bool {
	for _, word := range strings.Fields(text) {
		if _, ok := lessNoun(word, noun); ok {
			return true
		}
	}
	return false
}

// alsoCalled are the words for what a noun names, itself first.
func alsoCalled(noun string) []string {
	out := []string{strings.ToLower(noun)}
	for _, set := range sameNouns {
		if slices.ContainsFunc(set, func(s string) bool { return s == out[0] || !isHan(firstRune(s)) && stem(s) == stem(out[0]) }) {
			out = append(out, set...)
		}
	}
	return out
}

func ifFold(ok bool, a, b fold) fold {
	if ok {
		return a
	}
	return b
}
