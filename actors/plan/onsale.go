package plan

import (
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Whether a shop sells something is no question of how much of it was sold: 我们有没有卖iPhone, do we sell fridges. It is looked for by its name among the goods, in all of the
// words that are said of it, so that of a brand or a thing that the shop has not it is told that it has none.

var (
	onSaleHan = words.MustCompile(`^(?:请问|那么?|我们|咱们?|你们|您|店铺?里?|本店|这里|现在|都|是?不是|，|,|\s)*(?:(有没有|有无|是否|有没)?(?:有|在)?(?:卖|售卖|销售|出售|经营)(不卖)?(?:有|的)?([^，,。；;？?\n]{1,24}?)|(有没有|有)([^，,。；;？?\n]{1,24}?)(?:在?卖|出售|售卖))(吗|么|没有?|呢)?[\s?？。]*$`)
	onSaleEng = words.MustCompile(`(?i)^(?:(?:and|so|ok|hi|hello|please|tell me)[,\s]+)*(?:(?:do|does) (?:we|you(?: guys| folks| people)?|i|they|(?:the|our|your|this|my) (?:shop|store))(?: also| even| currently| still)?|(?:if|whether) (?:we|you|they|the shop|our shop)) (?:sell|carry|offer|stock|have) (?:any |an? |the |some )?([\w'’ -]{2,40}?)(?: (?:in (?:the|our|your) (?:shop|store)|at all|here|for sale|on sale))*\s*\??$`)
	haveEng   = words.MustCompile(`(?i)\b(?:have)\b`)
	forSale   = words.MustCompile(`(?i)\b(?:for|on) sale\b`)
	// notGoods tells of how something sold, of how much, or of what is no goods.
	notGoods = words.MustCompile(`(?i)^[出掉得了过完光断给多少到不]|多少|几|什么|哪|怎么|[了过得最]|钱|好吗|订单|退款|客户|库存|\b(?:more|less|well|better|best|most|out|to|at|than|enough|how|what|which|orders?|refunds?|customers?|on|it|them|that|this|those|these|anything|something|everything|online|abroad)\b`)
	// kindsOnly: 这种商品 of 有没有卖冰箱这种商品.
	kindsOnly = words.MustCompile(`(?:这一?[种类款个]|之类|那种)?的?(?:商品|产品|东西|货)?$`)
)

// onSale is a question whether the shop sells something as the wish to find it among the goods; "" for any other.
func (x *Index) onSale(g *goal) string {
	text := strings.TrimSpace(g.text)
	if g.fresh > 0 || g.lost != nil || len(text) > maxPointing || len(wishes.ChangeVerbs(text)) > 0 {
		return ""
	}
	what, zh := "", words.Language(text) == "zh"
	if m := onSaleHan.FindStringSubmatch(text); m != nil && (m[1]+m[2]+m[4] != "" || m[6] != "") {
		what, zh = strings.TrimSpace(m[3]+m[5]), true
		if trimmed := kindsOnly.ReplaceAllString(what, ""); trimmed != "" {
			what = trimmed
		}
	} else if m := onSaleEng.FindStringSubmatch(text); m != nil && (!haveEng.MatchString(text) || forSale.MatchString(text)) {
		what, zh = strings.TrimSpace(m[1]), false
	}
	if what == "" || notGoods.MatchString(what) {
		return ""
	}
	for _, f := range x.facts(what, g.now) {
		switch f.Kind {
		case facts.Known:
			if f.Text == what {
				return words.Either(zh, what+"的售价", "find products: "+what)
			}
		case facts.Proper, facts.Code:
		default:
			return ""
		}
	}
	return words.Either(zh, "商品「"+what+"」的售价", "find products “"+what+"”")
}
