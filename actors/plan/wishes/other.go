package wishes

import (
	"math/big"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// Other holds one figure of a row against another of the same row: 售价低于成本, products that cost more to make than they sell for, 成本不到售价的一半. Start and End
// are of its words in the text.
type Other struct {
	One, Than   string   // the two figures, each by a name that a column may have: price, cost, stock, sold
	Over, Equal bool     // the one must be more than the other, else less; or equal to it
	Times       *big.Rat // how many times the other: half of it, 1 where nothing is said
	Start, End  int
}

const (
	oneHan   = `(售价|价格|标价|卖价|定价|单价|成本价?|进货价|进价|库存|卖得|卖的(?:价钱?)?)`
	thanHan  = `(售价|价格|标价|卖价|定价|单价|成本价?|进货价|进价|日均销量)`
	timesHan = `(?:的)?(一半|半价|三分之[一二]|四分之[一三]|[两二三四五六七八九十\d.]+倍|\d{1,3}(?:\.\d+)?[%％]|[一二三四五六七八九]成)?`
	oneEng   = `\b(prices?|priced|costs?|costing|sells?|selling|sold|charged?)\b(?: (?:is|are|was|were|at|for|that|goes|lies|price|us|me|it|to (?:make|buy|produce|us)))*`
	timesEng = `(?: (half|twice|double|two thirds|a third|one third|a quarter|one quarter|(?:\d+(?:\.\d+)?|two|three|four|five) times|\d{1,3}(?:\.\d+)?(?:%| per ?cent)))?`
	thanEng  = `(?: (?:of|its|their|the|our|what|they|it|we|you|is|are|that))* (cost price|costs?|prices?|sells?|selling price|sold|charge)\b(?: (?:for|at|us|me|to make))*`
)

var (
	otherHan     = words.MustCompile(oneHan + `(?:还|都|竟然|居然|已经?)*(不?[低高]于|[小大]于|不到|不足|[少多]于|没到|超[过出])(?:了)?` + thanHan + timesHan)
	otherThanHan = words.MustCompile(oneHan + `(?:还|都)?比` + thanHan + timesHan + `(?:还|都|要)*([低高贵少多大小]|便宜)`)
	otherEng     = words.MustCompile(`(?i)` + oneEng + ` ((?:no |not )?(?:lower|less|cheaper|smaller|higher|more|greater|dearer)(?: (?:to (?:make|buy|produce)|money))? than|below|under|beneath|above|over|exceeds?)` + timesEng + thanEng)
)

// figuresCalled are what the figures are called, by the words that name them; the first is how [Other] calls it, the others are names of columns.
var figuresCalled = []struct {
	said   *words.Pattern
	called []string
}{
	{words.MustCompile(`(?i)^(?:cost|成本|进)`), []string{"cost", "成本", "进价"}},
	{words.MustCompile(`(?i)^库存`), []string{"stock", "库存"}},
	{words.MustCompile(`(?i)^日均销量`), []string{"sold", "日均销量"}},
	{words.MustCompile(``), []string{"price", "售价", "价格", "单价"}},
}

// FigureCalled is the figure that words name, with the names that its column may have.
func FigureCalled(said string) []string {
	for _, n := range figuresCalled {
		if n.said.MatchString(said) {
			return n.called
		}
	}
	return nil
}

// ReadOther reads such words; ok is false where there are none.
func ReadOther(text string) (o Other, ok bool) {
	var one, than, how, times string
	if m := otherThanHan.FindStringSubmatchIndex(text); m != nil {
		at := func(i int) string { return text[max(0, m[2*i]):max(0, m[2*i+1])] }
		one, than, times, how, o.Start, o.End = at(1), at(2), at(3), at(4), m[0], m[1]
	} else if m := otherHan.FindStringSubmatchIndex(text); m != nil {
		at := func(i int) string { return text[max(0, m[2*i]):max(0, m[2*i+1])] }
		one, how, than, times, o.Start, o.End = at(1), at(2), at(3), at(4), m[0], m[1]
	} else if m := otherEng.FindStringSubmatchIndex(text); m != nil {
		at := func(i int) string { return strings.ToLower(text[max(0, m[2*i]):max(0, m[2*i+1])]) }
		one, how, times, than, o.Start, o.End = at(1), at(2), at(3), at(4), m[0], m[1]
	} else {
		return o, false
	}
	o.One, o.Than, o.Times = FigureCalled(one)[0], FigureCalled(than)[0], factor(times)
	o.Over = strings.ContainsAny(how, "高大贵多") || strings.HasPrefix(how, "超") || strings.Contains(how, "higher") || strings.Contains(how, "more") || strings.Contains(how, "greater") || strings.Contains(how, "dearer") || strings.Contains(how, "above") || strings.Contains(how, "over") || strings.Contains(how, "exceed")
	if strings.HasPrefix(how, "不低") || strings.HasPrefix(how, "不高") || strings.HasPrefix(how, "no ") || strings.HasPrefix(how, "not ") {
		o.Over, o.Equal = !o.Over, true
	}
	return o, o.One != o.Than && o.Times != nil
}

// factor reads how many times something is meant; nil: it is not known.
func factor(said string) *big.Rat {
	if times, ok := map[string]*big.Rat{"": big.NewRat(1, 1), "一半": big.NewRat(1, 2), "半价": big.NewRat(1, 2), "half": big.NewRat(1, 2), "twice": big.NewRat(2, 1), "double": big.NewRat(2, 1), "三分之一": big.NewRat(1, 3),
		"三分之二": big.NewRat(2, 3), "四分之一": big.NewRat(1, 4), "四分之三": big.NewRat(3, 4), "a third": big.NewRat(1, 3), "one third": big.NewRat(1, 3), "two thirds": big.NewRat(2, 3), "a quarter": big.NewRat(1, 4), "one quarter": big.NewRat(1, 4)}[said]; ok {
		return times
	}
	share := strings.NewReplacer("％", "", "%", "", " percent", "", " per cent", "").Replace(said)
	n, unit := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(share, " times"), "倍"), "成"), int64(1)
	switch {
	case share != said:
		unit = 100
	case strings.HasSuffix(said, "成"):
		unit = 10
	}
	v, ok := new(big.Rat).SetString(n)
	if i, small := words.Number(n); !ok && small {
		v, ok = big.NewRat(int64(i), 1), true
	}
	if !ok || v.Sign() <= 0 {
		return nil
	}
	return v.Quo(v, big.NewRat(unit, 1))
}
