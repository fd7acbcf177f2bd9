package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// Why a figure went up or down no tool tells: they tell the figures. Who asks for it hears that, and where the difference can be seen; a list of the figure alone would
// look like an answer.

var (
	whyOf    = words.MustCompile(`(?i)为什么|为啥|为何|什么原因|怎么(?:会|就|突然|忽然|这么)|\b(?:why|how come|what (?:caused|made)|(?:what is|what's|what are) the reasons?)\b`)
	went     = words.MustCompile(`(?i)[变下上](?:多|少|高|低|好|差|降|涨|升|跌|滑)|[涨跌降掉]|增长|增加|减少|这么[多少高低好差惨]|不好|不行|[多少高低差]了|\b(?:f[ae]ll(?:en|ing)?|drop(?:s|ped|ping)?|down|up|low(?:er)?|high(?:er)?|bad|poor|slow|weak|r[io]se[ns]?|increas\w+|decreas\w+|declin\w+|grew|grow\w*|worse|better|fewer|less|more)\b`)
	wentWhat = words.MustCompile(`(?i)销售额|销量|销售|营业额|业绩|生意|订单[数量]?|单量|客单价|毛利率?|利润|\b(?:sales|revenue|turnover|orders|profits?|margins?|business)\b`)
)

// ofWhy says, of a question why a figure that a card speaks of went up or down, that nothing here tells it, and what can be asked instead; "" for any other.
func (x *Index) ofWhy(g *goal) string {
	text := facts.Quoted.ReplaceAllString(g.text, " ")
	at := whyOf.FindStringIndex(text)
	if at == nil || len(g.clauses) != 1 || g.clauses[0].Policy || len(g.clauses[0].Change) > 0 || len(g.acts) > 0 || speaksOfFiles(g) || elsewhereTold.MatchString(text) || !went.MatchString(text[at[1]:]) && !went.MatchString(text[:at[0]]) {
		return ""
	}
	of := wentWhat.FindString(text)
	if of == "" || !x.speaks(of) || slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Kind == facts.Digits || f.Kind == facts.Path }) || wishes.ReadReckoning(text).Superlative() {
		return ""
	}
	days := words.Say(g.lang, "上个月", "last month")
	for _, f := range g.facts {
		if _, ok := f.Value.(facts.Period); ok && f.Kind == facts.Date && f.From == "" {
			days = strings.TrimSpace(f.Text)
			break
		}
	}
	return words.Say(g.lang, "没有查：这里的工具给出数，不给出原因，「为什么」答不了。差在哪里可以这样看：「%[2]s%[1]s环比」，或者「%[2]s各商品的%[1]s」、「%[2]s各城市的%[1]s」。",
		"Not looked up: the tools here tell figures, and not why they are so. Where the difference lies can be seen by “%[1]s %[2]s compared with the one before”, or “%[1]s %[2]s by product” and “by city”.", of, days)
}
