package figures

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// SoldMost: whatever it is that comes first, it does so by what was sold.
var SoldMost = words.MustCompile(`(?i)[卖销]|\b(?:sold|sells?|selling)\b`)

// Folding is a reckoning laid on the columns of a list that a tool returns.
type Folding struct {
	wishes.Reckoning
	Key  string // of the list in what the tool returns; "" when that is the list
	List *fields.Field
	By   *fields.Field // nil: every row counts for itself
	Of   *fields.Field // the column measured; nil: the rows are counted
	card string        // what the card says of itself: the list may be of what it speaks of
	// grouped: the tool has put the rows together itself, as one of its parameters tells it to, and by is what they are called there.
	Grouped bool
}

var (
	tellsApart = words.MustCompile(`(?i)编号|单号|电话|手机|账号|号码|\b(?:id|phone|account|number|no|pin|code)\b`)
	// Money is in the name of a figure that is a sum of money.
	Money   = words.MustCompile(`(?i)元|金额|售价|单价|价格|成本|消费|花费|费用|销售额|CNY|USD|EUR|\b(?:amount|price|cost|spent|paid|total|revenue|fee|sales)\b`)
	lasting = words.MustCompile(`(?i)小时|天数|时长|分钟|多久|\b(?:hours?|days?|minutes?|duration|age)\b`)
	// Priced is in the name of a price.
	Priced    = words.MustCompile(`(?i)价|\b(?:price|cost|fee)\b`)
	whenField = words.MustCompile(`(?i)时间|日期|\b(?:at|time|date|day|on)\b`)
	spentOn   = words.MustCompile(`(?i)花|消费|付|\bspen[dt]|spending\b|\bpa(?:y|ys|id)\b`)
	gained    = words.MustCompile(`(?i)利润|盈亏|\b(?:profit|margin)\b`)
	// SoldFor is in the name of what was sold, in money.
	SoldFor  = words.MustCompile(`(?i)销售额|\b(?:sales|revenue)\b`)
	ordering = words.MustCompile(`(?i)下(?:过|了)?(?:的)?单|\b(?:orders? (?:the )?(?:most|least)|ordered|ordering)\b`)
	paidFor  = words.MustCompile(`(?i)消费|花费|实付|\b(?:spent|paid)\b`)
	// sold: something was, and how much of it brought is asked.
	sold = words.MustCompile(`(?i)[卖销]|\b(?:sell|sells|sold|selling)\b`)
	// soldUnits: what was sold is counted, not what it brought.
	soldUnits = words.MustCompile(`(?i)销量|销售(?:量|数量|件数)|[卖售]出?的?(?:数量|件数)|\b(?:units?|pieces|sales volume)\b`)
)

// counted is a text with the name of the column that counts what was sold, where it asks for that in other words: units sold.
func counted(text string) string {
	if soldUnits.MatchString(text) {
		text += " 销量 pieces"
	}
	return text
}

// Lay puts a reckoning on the columns of what a tool returns. lacks is what the rows do not tell and the request needs, as it calls it; ok is false when the
// tool lists nothing, or nothing need be worked out.
func Lay(t wishes.Reckoning, e *cards.Entry) (f Folding, lacks string, ok bool) {
	return LayOn(t, e, func(*fields.Field) bool { return true })
}

// LayOn puts it on those of the lists that are there.
func LayOn(t wishes.Reckoning, e *cards.Entry, there func(*fields.Field) bool) (f Folding, lacks string, ok bool) {
	best := -1
	grouped := groupsBy(e, t.By) && slices.ContainsFunc(e.Lists(), func(l *fields.Field) bool { return there(l) && !ofItsOwn(l, t.By) })
	for _, l := range e.Lists() {
		g := Folding{Reckoning: t, Key: l.Name, List: l, card: strings.ToLower(cards.Wording(e.Card))}
		if l == &e.Result {
			g.Key = ""
		}
		if !there(l) || grouped && ofItsOwn(l, t.By) {
			continue
		}
		if grouped {
			g.By, g.Grouped = g.heads(), true
		} else if t.Fold == wishes.FoldMean && l.HasIDs() && words.Mentions(l.Label("zh")+" "+l.Label("en"), t.By) { // what a customer spends on average, of customers
			g.Text, g.Reckoning.By = strings.ReplaceAll(t.Text, t.By, " "), ""
		}
		score, missing := g.columns()
		if grouped && (g.Of == nil || g.Of.Shares(g.Text) == 0 && !(wishes.AsksMean(g.Text) && Quotient(g.Of))) {
			missing = cmp.Or(missing, g.untold(&e.Result))
			if missing == "" && g.Of == nil { // the rows as they are, in the order in which the tool puts them
				g.Fold, g.Part = wishes.FoldNone, false
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
func ofItsOwn(f *fields.Field, noun string) bool {
	if f.HasIDs() {
		return true
	}
	h := (&Folding{List: f}).heads()
	return h != nil && GoesFor(h, noun) < 2 && slices.ContainsFunc(words.SameNouns, func(set []string) bool { return GoesFor(h, set[0]) > 1 })
}

// heads is the column that says of what a row is that the tool put together: the first one of text. nil when there is none.
func (g *Folding) heads() *fields.Field {
	for _, c := range g.inPlace() {
		if c.Type == "string" {
			return c
		}
	}
	return nil
}

// untold is what a text wants to know of rows that a tool put together and that they do not tell, though the tool tells it of all of them, or another
// one tells it: 退款 of 退款按城市统计 where the rows are sales, 商品 of 各类目有多少商品. "" when there is nothing such.
func (g *Folding) untold(result *fields.Field) string {
	text := strings.ReplaceAll(g.Text, g.Reckoning.By, " ")
	for _, w := range words.Content(text) {
		tells := func(f *fields.Field) bool {
			return slices.Contains(words.Content(f.Label("zh")+" "+f.Label("en")), w) && (rateOf.MatchString(text) || !rateOf.MatchString(f.Label("zh")+" "+f.Label("en")))
		}
		for i := range result.Fields {
			if f := &result.Fields[i]; (f.Type == "number" || f.Type == "integer") && tells(f) && !slices.ContainsFunc(g.List.Fields, func(c fields.Field) bool { return tells(&c) }) {
				return words.Either(words.IsHan(words.FirstRune(w)), w, f.Label("en"))
			}
		}
	}
	if g.Fold != wishes.FoldCount && !(g.Hint == "many" && g.Of == nil) {
		return ""
	}
	for _, set := range words.SameNouns {
		if TellsTime(set[0]) || slices.Contains(set, strings.ToLower(g.Reckoning.By)) {
			continue
		}
		for _, noun := range set {
			if words.IsHan(words.FirstRune(noun)) && len([]rune(noun)) > 1 && strings.Contains(text, noun) || !words.IsHan(words.FirstRune(noun)) && words.Mentions(strings.ToLower(text), noun) {
				return noun
			}
		}
	}
	return ""
}

// columns finds what the reckoning speaks of among the columns; the score is how many of these it names. lacks is what no column tells.
func (g *Folding) columns() (score int, lacks string) {
	text := g.Text
	if g.Reckoning.By != "" {
		most := 0
		for i := range g.List.Fields {
			c := &g.List.Fields[i]
			if n := GoesFor(c, g.Reckoning.By); !g.Grouped && n > most && (g.Fold != wishes.FoldMean || c.Sort != fields.ID) && (c.Type == "string" || c.Type == "") {
				g.By, most = c, n
			}
		}
		switch {
		case g.By != nil:
			score += 2
		case g.Fold != wishes.FoldMean && g.sorting() != nil: // 按金额排
			g.Of = g.sorting()
			g.Fold, g.Reckoning.By, g.N = words.Either(g.Fold == wishes.FoldLeast, wishes.FoldLeast, wishes.FoldMost), "", words.Either(g.N > 0, g.N, wishes.MaxFolded)
			return words.Either(g.List.HasIDs(), 2, 1), "" // campaigns one by one, not what their channels come to
		case words.Mentions(g.List.Label("zh")+" "+g.List.Label("en")+" "+g.List.Name, g.Reckoning.By): // which order is the dearest: the rows are orders
		default:
			lacks = g.Reckoning.By
		}
		text = strings.ReplaceAll(text, g.Reckoning.By, " ")
	}
	switch {
	case g.Fold == wishes.FoldNone && g.Reckoning.By == "":
	case g.Fold == wishes.FoldNone: // by reason: of what is named, or how many
		g.Fold = wishes.FoldCount
		if c := g.measure(text); c != nil && (c.Shares(text) > 0 || wishes.MoneyWords.MatchString(text)) {
			g.Of, g.Fold = c, wishes.FoldSum
			score++
		}
	case g.Fold == wishes.FoldCount:
		if c := g.measure(text); c != nil && g.By != nil && c.Type == "integer" { // rows that are sums themselves
			g.Of, g.Fold = c, wishes.FoldSum
			score++
		}
	default:
		if g.Of = g.measure(text); g.Of != nil {
			score++
		} else if g.Hint == "many" && !g.Grouped && g.Unknown(text) != "" {
			lacks = cmp.Or(lacks, g.Unknown(text))
		} else if g.Hint == "gain" {
			lacks = cmp.Or(lacks, words.Either(words.Wide(g.Text), "利润", "profit"))
		} else if g.Hint == "long" {
			lacks = cmp.Or(lacks, words.Either(words.Wide(g.Text), "时长", "time it took"))
		} else if g.N > 0 && g.Hint == "" { // the first ones, as the tool puts them
		} else if g.By == nil || g.Fold == wishes.FoldMean || g.Fold == wishes.FoldSum {
			if lacks == "" {
				lacks = nouns(text)
			}
			if g.By == nil {
				g.Fold = wishes.FoldNone
			} else {
				g.Fold = wishes.FoldCount
			}
		}
	}
	if g.By == nil && g.List.HasIDs() { // of things one by one, where a tool also lists what they come to together
		score++
	}
	if g.By != nil && g.Of != nil && !g.Grouped && TellsTime(g.Reckoning.By) && counts(g.Of) { // orders per day are not those of the customers by their last day
		return 0, g.Reckoning.By
	}
	return score, lacks
}

// nouns are the words of a text that a column may be called by: 卖 and 个 of 平均卖了几个 are none.
func nouns(text string) string {
	var out []string
	for _, p := range words.Pieces(text) {
		low := strings.ToLower(p.Text)
		if !p.Han && !words.StopEnglish[low] && !words.LightEnglish[low] && !words.LatinVerbs[low] && !words.AllDigits(low) {
			out = append(out, p.Text)
		}
		if p.Han {
			for _, r := range words.ContentRuns(p.Text, words.LightHan) {
				if len([]rune(r.Text)) > 1 && !doing.MatchString(r.Text) {
					out = append(out, r.Text)
				}
			}
		}
	}
	return strings.Join(out, " ")
}

// doing are verbs and measure words, which are no columns.
var doing = words.MustCompile(`^(?:每?[天日周月年])?(?:卖[出掉了得过]?|买[了过的]?|下单|购买|订购|成交|发生|产生|带来|贡献|赚[了得到]?|花[了掉]?|有[了过]?|[几每]?[个件单笔条次位款种张天]|给出|得到|达到)$`)

// counts reports whether the figures of a column are numbers of things, each of which has a day of its own: the orders of a customer.
func counts(f *fields.Field) bool {
	return f.Type == "integer" && howManyOf.MatchString(f.Label("zh")+" "+f.Name) && f.Desc != "件"
}

var howManyOf = words.MustCompile(`(?i)数$|数\s|^count|_count$|\bnumber of\b`)

// howManyOfThem: a number of things is wanted, which is no other figure that there happens to be.
var howManyOfThem = words.MustCompile(`(?i)(?:几|多少)\s*[件个单款种人次名位]|\bhow many\b`)

// sorting is the column by whose figures the rows are wanted in order; nil when what they are put together by names none.
func (g *Folding) sorting() *fields.Field {
	noun := g.Reckoning.By
	if c := g.measure(noun); c != nil && (c.Shares(counted(noun)) > 0 || wishes.MoneyWords.MatchString(noun)) {
		return c
	}
	return nil
}

// Unknown is what a text counts that is not what the list holds: 退货 of 哪个商品退货最多 in a list of products sold. "" when it counts what is listed.
func (g *Folding) Unknown(text string) string {
	said := strings.ToLower(g.List.Label("zh") + " " + g.List.Label("en") + " " + g.List.Desc)
	if g.By != nil { // 退货 of 哪个商品退货最多 in a list of refunds, which tells the product
		said += " " + g.card
	}
	for _, p := range words.Pieces(text) {
		if !p.Han {
			if w := strings.ToLower(p.Text); !words.StopEnglish[w] && !words.LightEnglish[w] && !words.LatinVerbs[w] && !words.AllDigits(w) && !words.Mentions(said, w) && facts.MonthNumber(w) == 0 {
				return p.Text
			}
			continue
		}
		for _, r := range words.ContentRuns(p.Text, words.LightHan) {
			if ws := words.Pairs(r.Text); len([]rune(r.Text)) > 1 && !slices.ContainsFunc(ws, func(w string) bool { return strings.Contains(said, w) }) {
				return r.Text
			}
		}
	}
	return ""
}

// measure is the column that a text means to measure; nil when it is none or may be several.
func (g *Folding) measure(text string) *fields.Field {
	var best *fields.Field
	most, numbers, sums := 0, []*fields.Field(nil), []*fields.Field(nil)
	inMoney := wishes.MoneyWords.MatchString(text) || g.Hint == "price"
	sameName := slices.ContainsFunc(g.List.Fields, func(c fields.Field) bool { return c.Label("zh") == g.List.Label("zh") }) // 库存 in a list of that name
	if g.Hint != "long" && !sameName {                                                                                       // of the things listed: 超时订单最多 means no hours
		text = strings.NewReplacer(g.List.Label("zh"), " ", strings.ToLower(g.List.Label("en")), " ").Replace(strings.ToLower(text))
	}
	if ordering.MatchString(text) { // who orders most has most orders
		text += " 订单数 orders"
	}
	text = counted(text)
	for i := range g.List.Fields {
		c := &g.List.Fields[i]
		about := c.Label("zh") + " " + c.Label("en") + " " + strings.ReplaceAll(c.Name, "_", " ") + " " + c.Desc
		if g.Hint == "date" {
			if c.Type == "string" && (c.Sort == fields.Date || whenField.MatchString(about)) && c.Shares(text)+1 > most {
				best, most = c, c.Shares(text)+1
			}
			continue
		}
		if c.Type != "number" && c.Type != "integer" || c.Sort == fields.ID || len(c.Provides) > 0 {
			continue
		}
		if averageOf.MatchString(about) && c.Shares(text) == 0 && !wishes.AsksMean(text) && !(g.Hint == "long" && lasting.MatchString(about)) || rateOf.MatchString(about) && (c.Shares(text) == 0 || !rateOf.MatchString(text)) { // nothing that it does not name is a mean, and what was refunded is no rate
			continue
		}
		if g.Fold == wishes.FoldMean && howLong.MatchString(g.Text) && !lasting.MatchString(about) { // how long it takes on average is no sum of money
			continue
		}
		numbers = append(numbers, c)
		if Money.MatchString(about) {
			sums = append(sums, c)
		}
		n := 2 * c.Shares(text)
		if wishes.AsksMean(text) && averageOf.MatchString(about) { // 平均每单 of 平均每单金额哪个城市最高 is 客单价
			n += 3
		}
		switch {
		case g.Fold == wishes.FoldMean && g.Grouped && sold.MatchString(text) && !soldUnits.MatchString(text) && SoldFor.MatchString(c.Label("zh")+" "+c.Label("en")):
			n += 3
		case g.Hint == "gain" && gained.MatchString(about), (g.Fold == wishes.FoldLeast || g.Fold == wishes.FoldMost && g.N > 0) && SoldMost.MatchString(text) && !soldUnits.MatchString(text) && SoldFor.MatchString(c.Label("zh")+" "+c.Label("en")):
			n += 3
		case g.Hint == "gain":
			n = 0
		case g.Hint == "price" && Priced.MatchString(about), g.Hint == "long" && lasting.MatchString(about):
			n += 3
		case spentOn.MatchString(text) && paidFor.MatchString(about):
			n += 3
		case inMoney && Money.MatchString(about):
			n++
		}
		if inMoney && !Money.MatchString(about) { // late orders, in money: not the hours that they are late
			n = 0
		}
		if n > most || n == most && n > 0 && c.Place < best.Place {
			best, most = c, n
		}
	}
	switch {
	case best != nil || g.Hint == "many" || g.Hint == "date" || howManyOfThem.MatchString(text) && !inMoney:
		return best
	case g.Hint == "gain", g.Hint == "long", g.byAnother(text):
		return nil
	case len(sums) == 1:
		return sums[0]
	case len(numbers) == 1:
		return numbers[0]
	}
	return nil
}

// besideMost is what a text names beside its superlative, which is not there any more: 运费 of 运费最高的订单, freight of the highest freight.
var besideMost = words.MustCompile(`(?:^| ) +([a-z]+)[?.! ]*(?:$| (?:in|of|for|on|from|since|this|last|ever|so|among|by|today|yesterday)\b)|(\p{Han}{2}) (?:的|$)`)

// anyFigure names no figure of its own.
var anyFigure = words.MustCompile(`额|值|数|量|钱|款|价|[的个单位笔条家天月年周]$|^(?:values?|totals?|sums?|amounts?|numbers?|money|ones?|\w+ed|\w+ing)$`)

// byAnother reports whether a text measures by what it names beside its superlative, which is neither the things listed nor any figure whatever: the order
// with the highest freight is not the one that cost most.
func (g *Folding) byAnother(text string) bool {
	m := besideMost.FindStringSubmatch(text)
	if m == nil || g.Hint == "price" || m[2] != "" && !strings.Contains(g.card, m[2]) { // 北京 of 北京最多的 is no figure
		return false
	}
	noun, label := m[1]+m[2], g.List.Label("zh")+" "+g.List.Label("en")
	return !anyFigure.MatchString(noun) && len(words.Content(noun)) > 0 && !slices.ContainsFunc(append(words.AlsoCalled(noun), words.AlsoCalled(strings.TrimSuffix(noun, "s"))...), func(w string) bool {
		return words.Mentions(label, w)
	})
}

// GoesFor is how well a noun names a column: 0 not at all; 客户 names 客户姓名 better than 客户电话.
func GoesFor(f *fields.Field, noun string) int {
	best := 0
	for _, label := range []string{f.Label("zh"), f.Label("en"), strings.ReplaceAll(f.Name, "_", " ")} {
		rest, ok := words.LessNoun(label, noun)
		switch {
		case !ok:
		case words.OnlyName.MatchString(rest):
			best = max(best, 4)
		case len(words.AlsoCalled(strings.TrimSpace(rest))) > 1: // 订单状态 is a state, and no order, whatever it is called elsewhere
			if strings.HasSuffix(strings.ToLower(label), strings.ToLower(strings.TrimSpace(rest))) {
				return 0
			}
		case tellsApart.MatchString(label):
			best = max(best, 1)
		default:
			best = max(best, 2)
		}
	}
	if best == 0 && f.Type == "string" && (f.Sort == fields.Date || whenField.MatchString(f.Label("zh")+" "+f.Label("en"))) && TellsTime(noun) {
		return 1
	}
	return best
}
