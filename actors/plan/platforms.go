package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

const platformNames = `(?:抖音|快手|小红书|淘宝|天猫|拼多多|唯品会|朋友圈|公众号|视频号|微信|微博|百度|知乎|b站|哔哩哔哩|今日头条|巨量(?:引擎|千川)?|直通车|\b(?:tiktok|douyin|kuaishou|xiaohongshu|taobao|tmall|pinduoduo|wechat|weibo|baidu|bilibili|facebook|instagram|google|youtube|amazon|shopee|lazada|temu|twitter|pinterest)\b)`

var (
	// platforms are where others advertise and sell; a house that has figures of one says so on a card.
	platforms = words.MustCompile(`(?i)` + platformNames)
	// things are what somebody may have bought there, behind its name: 京东的待发货订单; without them 京东 may be a carrier, or a kind of shop that rules are about.
	thingsThere = words.MustCompile(`(?i)(` + platformNames + `|京东|\bjd(?:\.com)?)(?:商城|平台|旗舰店)?(?:上|里)?(?:来|下|买)?(?:的|\s)\s*\p{Han}{0,4}(?:订单|单子|退款|买家|客户|销售额|销量|orders?\b|refunds?\b|buyers?\b|customers?\b|sales\b)|\b(?:orders?|refunds?|buyers?|customers?|sales) (?:from|on|of|in) (` + platformNames + `|jd(?:\.com)?)\b`)
	// ofFigures asks what was spent there or came from there.
	ofFigures = words.MustCompile(`(?i)投放|推广|广告|营销|花费|花了|花多少|费用|投入|回报|渠道|引流|带来|订单|销售额|销量|卖[了得出]|成交|转化|曝光|点击|\broi\b|\b(?:ads?|adverts?|advertising|campaigns?|spend|spent|cost|costs|channel|sales|sold|sell|orders|revenue|turnover|traffic|clicks|impressions|brought|bring)\b`)
	// elsewhereTold are questions that documents answer, and the web.
	elsewhereTold = words.MustCompile(`(?i)规则|规定|条文|政策|资质|调研|研究|搜索?一下|网上|新闻|攻略|怎么(?:做|投|开|玩)|如何|\b(?:rules?|polic(?:y|ies)|research|web|news|look up|how (?:to|do|can|should))\b`)
)

// ofPlatform says, of a question for figures of a platform that no card speaks of, that there are none, and which channels there are; of a change to what was bought on
// one, that nothing keeps that. "" for any other.
func (x *Index) ofPlatform(g *goal) string {
	text := facts.Quoted.ReplaceAllString(g.text, " ")
	there := ""
	if m := thingsThere.FindStringSubmatchIndex(g.text); m != nil && !overlaps(toldOrQuoted(g.text), m[0], m[1]) {
		if there = g.text[max(m[2], m[4]):max(m[3], m[5])]; x.takesValue(there) {
			there = ""
		}
	}
	if slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return len(c.Change) > 0 }) {
		if there == "" || !x.speaks("订单") {
			return ""
		}
		return words.Say(g.lang, "没有执行：这里没有记是从哪个平台来的，分不出哪些是「%s」的。请用店里有的条件来说，比如状态、日期、城市、商品或买家。",
			"Not done: nothing here keeps on which platform something was bought, so that it cannot be told which are of “%s”. Say which by what is kept: state, days, city, product or buyer.", there)
	}
	if slices.ContainsFunc(g.clauses, func(c wishes.Clause) bool { return c.Policy }) || len(g.acts) > 0 || speaksOfFiles(g) || elsewhereTold.MatchString(text) || !ofFigures.MatchString(text) {
		return ""
	}
	var named []string
	for _, m := range append(platforms.FindAllString(text, -1), there) {
		if said := words.Say(g.lang, "「%s」", "“%s”", m); (m == there || !x.speaks(m)) && m != "" && !slices.Contains(named, said) {
			named = append(named, said)
		}
	}
	known := x.channels(g.lang)
	if len(named) == 0 || len(known) == 0 {
		return ""
	}
	return words.Say(g.lang, "没有算出来：这里没有%s的数据。推广的渠道有%s；可以问其中一个，比如「%s花了多少钱」，或者问「各渠道的花费」。",
		"This is not worked out: there are no figures of %s here. The channels of campaigns are %s. Ask for one of them, as in “what did %s cost”, or for the cost by channel.",
		strings.Join(named, words.Say(g.lang, "、", " or ")), strings.Join(known, words.Say(g.lang, "、", ", ")), known[0])
}

// takesValue reports whether a tool that looks takes a value, by that very name.
func (x *Index) takesValue(v string) bool {
	if x.behind != nil {
		x = x.behind.index
	}
	return slices.ContainsFunc(x.entries, func(e *cards.Entry) bool {
		return e.Reads() && slices.ContainsFunc(e.Params, func(f fields.Field) bool { return slices.Contains(f.Enum, v) || slices.Contains(f.Examples, v) })
	})
}

// channels are the values of the parameter that takes a channel, in one language; nil where no card has one that tells its values.
func (x *Index) channels(lang string) []string {
	if x.behind != nil {
		x = x.behind.index
	}
	for _, e := range x.entries {
		f := e.Param("channel")
		if f == nil || !e.Reads() {
			continue
		}
		var out []string
		for _, v := range f.Examples {
			if words.IsHan(words.FirstRune(v)) == (lang == "zh") {
				out = append(out, v)
			}
		}
		if len(out) > 0 {
			slices.Sort(out)
			return out
		}
	}
	return nil
}
