package plan

import (
	"maps"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/figures"
	"github.com/hmap-project/hmap/actors/plan/words"
)

var (
	// filed: a document is wanted of what is found.
	filed = words.MustCompile(`(?i)` + makeHan + `[^，,。；！？]{0,8}?` + fileHan + `|\b(?:in ?to|to|as|in)\s+(?:an? |some )?` + fileEng + `\b`)
)

// lengthen asks for all rows where the wish needs them: for a figure of all, for what is picked from them, and for a document.
func (r *round) lengthen() {
	all := filed.MatchString(r.in.Request)
	for _, t := range r.targets {
		f := t.e.Length()
		if f == nil || !all && (!t.clause.Figure.NeedsAll() || figures.TellsMean(t.clause.Figure, t.e)) && len(r.unused(t)) == 0 && !r.wantsAll(t) {
			continue
		}
		if said, ok := t.bound[f.Name]; all && ok && said.Used >= 0 && !t.clause.Figure.NeedsAll() && len(r.unused(t)) == 0 {
			continue // a document of the last ten is one of ten
		}
		rows := f.Most
		if n := t.clause.Figure.N; n > 0 && !all && len(r.unused(t)) == 0 && slices.ContainsFunc(slices.Collect(maps.Values(t.bound)), func(b fields.Binding) bool { return b.Why == figures.InOrderOf }) {
			rows = min(n, rows) // the tool puts the first ones first
		}
		for _, bound := range []*map[string]fields.Binding{&t.bound, &t.against} {
			if *bound != nil {
				*bound = maps.Clone(*bound)
				(*bound)[f.Name] = fields.Binding{Value: rows, Sure: 1, Why: "all rows", Used: -1}
			}
		}
	}
}

// allRows asks for a whole list: 列出所有缺货的商品, show all late orders.
var allRows = words.MustCompile(`(?i)全部|所有|完整的?(?:列表|清单|名单)|一个不[漏落少]|\ball(?: rows)?\b|\bevery\b|\b(?:full|complete|whole|entire) list\b`)

// furtherRows is a turn that wants nothing but what a list left out: 剩下的呢, and the rest, list all of them.
var furtherRows = words.MustCompile(`(?i)^(?:那么?|然后|请|再|把|给我|帮我|[，,\s])*(?:(?:(?:列出|显示|看看?|查看|说说)?(?:剩下|剩余|其余|余下|后面|没列出来|没显示)的?(?:那?些|几个|\d+\s*[个单条笔种]|订单|商品|客户|退款)?|还有|更多|继续|下一页|全部|所有的?|都|完整的?(?:列表|清单|名单)?)(?:也|都|全|给我|全部)*(?:列(?:出来?|一下|完|全)?|显示(?:出来)?|看看?|说(?:完|一下)?|有?[是]?(?:哪些|什么|谁|哪几个))*(?:呢|吗|吧|了)?)\s*[?？。!！]*$` +
	`|^(?:and |now |then |please |can you |could you |show |list |give |see |display |what about |what are |how about |me |the )*(?:rest|remaining|remainder|others|other ones|all of them|them all|all of (?:these|those|it)|all rows|all|everything|full list|whole list|complete list|entire list|more|next page|next ones?|continue|go on)(?: (?:ones|rows|orders|products|items|customers|refunds))?(?: of (?:them|these|those|the list|it))?(?:,? please)?\s*[?.!]*$`)

// wholeList is the earlier request of which a list was shown in part, for all of it; "" when a turn wants anything else, or nothing was left out.
func wholeList(text string, history []earlier) string {
	if len([]rune(text)) > maxBare*2 || !furtherRows.MatchString(text) {
		return ""
	}
	turn, l := lastList(history)
	if l == nil || !l.cut || turn < len(history)-1 || history[turn].closed() || strings.Contains(history[turn].Request, "\n") {
		return ""
	}
	base := history[turn].Request
	return strings.TrimRight(base, "?？。.！! ") + words.Either(words.Language(base) == "zh", "，全部", ", all rows")
}

// wantsAll reports whether all rows of what a target lists shall be seen, and no figure of them; what goes on to a change is bounded by that.
func (r *round) wantsAll(t *target) bool {
	return (allRows.MatchString(t.clause.Text) || holdsOther(t.clause.Text)) && !t.clause.Figure.Asked() && len(t.clause.Change) == 0 && !slices.ContainsFunc(r.targets, func(o *target) bool { return o.reaches(t) && o != t })
}

// most is how many rows of what a call found are shown: as many as the user says, all if these are asked for, within what a later turn can still read; 0: as
// many as always.
func (r *round) most(d Done) int {
	for _, t := range r.targets {
		if f := t.e.Length(); t.e.Name == d.Action.ToolName && f != nil {
			b, ok := t.bound[f.Name]
			n, whole := b.Value.(int64)
			switch {
			case r.wantsAll(t):
				return maxListed
			case ok && whole && b.Why != "all rows" && b.Used >= 0:
				return int(min(n, maxListed))
			}
		}
	}
	return 0
}
