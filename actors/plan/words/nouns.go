package words

import (
	"slices"
	"strings"
)

// SameNouns are words for one thing, by which people and cards call a column. They are knowledge of the languages, not of any catalogue.
var SameNouns = [][]string{ // the first [Things] are of things
	strings.Fields("客户 买家 顾客 用户 会员 人 buyer customer client shopper consumer"),
	strings.Fields("商品 产品 货品 款 product item goods"), strings.Fields("订单 order"),
	strings.Fields("城市 地区 省份 省 地方 地 市 city province region area place"),
	strings.Fields("状态 state status"), strings.Fields("原因 理由 reason cause"), strings.Fields("类型 种类 type kind"),
	strings.Fields("类目 品类 类别 分类 category"), strings.Fields("渠道 平台 channel"), strings.Fields("品牌 牌子 brand"),
	strings.Fields("快递 快递公司 承运商 物流公司 carrier courier"),
	strings.Fields("天 日 日期 day date"), strings.Fields("周 星期 week"), strings.Fields("月 月份 month"),
	strings.Fields("小时 时段 钟头 hour"), strings.Fields("周几 星期几 礼拜几 weekday"), strings.Fields("周末 weekend"), strings.Fields("年内月份 month-of-year"),
}

// Things is how many of [SameNouns] name things that have an id; the others name what these are put together by.
const Things = 3

var (
	// OnlyName is what may follow a noun in the name of a column that is still called by it.
	OnlyName = MustCompile(`(?i)^(?:的|姓名|名称|名字|名|\s|full name|name)*$`)
)

// LessNoun takes a noun, or another word for it, out of a label; false when it is not there.
func LessNoun(label, noun string) (string, bool) {
	for _, n := range AlsoCalled(noun) {
		if IsHan(FirstRune(n)) {
			if strings.Contains(label, n) && (len([]rune(n)) > 1 || label == n) {
				return strings.Replace(label, n, "", 1), true
			}
			continue
		}
		rest, found := "", false
		for _, w := range strings.Fields(strings.ToLower(label)) {
			if Stem(w) == Stem(n) {
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

// Mentions reports whether a noun, or another word for it, stands in a text.
func Mentions(text, noun string) bool {
	for _, word := range strings.Fields(text) {
		if _, ok := LessNoun(word, noun); ok {
			return true
		}
	}
	return false
}

// AlsoCalled are the words for what a noun names, itself first.
func AlsoCalled(noun string) []string {
	out := []string{strings.ToLower(noun)}
	for _, set := range SameNouns {
		if slices.ContainsFunc(set, func(s string) bool { return s == out[0] || !IsHan(FirstRune(s)) && Stem(s) == Stem(out[0]) }) {
			out = append(out, set...)
		}
	}
	return out
}
