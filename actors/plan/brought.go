package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// noFile is what it costs to take a request to the files of a session when it speaks of none: what the house knows by itself goes before.
const noFile = 0.8

// notBrought is what it costs a tool that takes no file when one came with the request.
const notBrought = 2.4

var fileWords = words.MustCompile(`(?i)文件|表格|数据表|附件|上传|这[张个份]表|\b(?:files?|tables?|spreadsheets?|sheets?|csv|xlsx?|excel|json|sqlite|uploads?|uploaded|attach\w*|datasets?)\b`)

// speaksOfFiles reports whether a request, what was told beside it or an earlier turn speaks of a file.
func speaksOfFiles(g *goal) bool {
	return g.filed || fileWords.MatchString(g.text) || fileWords.MatchString(g.context) || slices.ContainsFunc(g.facts, func(f facts.Fact) bool { return f.Kind == facts.Path })
}

// ofHouse: what is asked for is the house's own, whatever file came with it.
var ofHouse = words.MustCompile(`(?i)我们?的?(?:店|订单|客户|商品|库存)|本店|店里|店铺|店内|系统里|后台|\b(?:(?:my|our|the) (?:shop|store|orders?|customers?|stock|inventory)|in the (?:shop|store|system))\b`)

// broughtWith: the names of the files that came with a request stand at its end, before what was put to it later.
var broughtWith = words.MustCompile(`\s*(?:（[^（）]+）|\([^()]+\))\s*(?:$|[,，])`)

// brought reports whether a file came with the request, which then is about it, unless it names something of the house.
func (g *goal) brought() bool {
	m := broughtWith.FindStringIndex(g.text)
	return m != nil && facts.FileName.MatchString(" "+g.text[m[0]:]) && !ofHouse.MatchString(g.text) && !slices.ContainsFunc(g.facts, func(f facts.Fact) bool {
		return f.End <= m[0] && (f.Kind == facts.Digits || f.Kind == facts.Phone || f.Kind == facts.Person)
	})
}

// oneQuestion leaves questions that are asked of the file in one breath one clause, for they share its name, and what is said last may be of all: how much revenue and
// how many orders per region (sales.csv).
func (g *goal) oneQuestion() {
	if !g.brought() {
		return
	}
	asks := func(c wishes.Clause) bool { return c.Question && !c.Policy && !c.Advice && len(c.Change) == 0 }
	end := broughtWith.FindStringIndex(g.text)[0]
	for i := 1; i < len(g.clauses); i++ {
		a, b := g.clauses[i-1], g.clauses[i]
		added := b.Start >= end && len(b.Change) == 0 && !wantsDocument(b.Text) // to the question, behind the file's name
		if !added && (!asks(a) || !asks(b) || !sideBySide.MatchString(g.text[min(a.End, b.Start):b.Start])) || a.End > b.Start {
			continue
		}
		whole := wishes.Span(g.text, a.Start, b.End)
		whole.After = a.After
		whole.Classify(g.text)
		g.clauses = slices.Replace(g.clauses, i-1, i+1, whole)
		i--
	}
}

// ofTrade: a word for what any shop keeps books of. Neither bonuses nor bananas are asked of one.
var ofTrade = words.MustCompile(`(?i)订单|下单|销售|销量|卖|买|营业额|营收|收入|毛利|利润|商品|产品|货|库存|客户|顾客|会员|退款|发票|售价|价格|单价|推广|物流|快递|包裹|\b(?:orders?|sales?|sold|sell\w*|revenues?|turnover|profits?|margins?|products?|goods|items?|customers?|buyers?|bought|purchas\w*|refund\w*|return(?:s|ed)|invoices?|stock|inventory|prices?|ship(?:ped|ments?|ping)|parcels?|campaigns?)\b`)

// orOfShop adds to what a file could not answer how the house is asked in its place: a question about the file last spoken of may have been meant for that. A job says it
// whose answer goes to the user as it is.
func (r *round) orOfShop(answer string) string {
	g := r.g
	m := broughtWith.FindStringIndex(g.text)
	if m == nil || m[1] < len(g.text) || !g.job || !g.brought() || !missed.MatchString(answer) || inSQL.MatchString(g.text) || !tableFile.MatchString(g.text[m[0]:]) || !ofTrade.MatchString(g.text[:m[0]]) {
		return answer
	}
	return answer + "\n\n" + words.Say(g.lang, "这是对文件的提问；如果问的是店铺，请说：我们店%s。", "This was asked of the file; if the shop is meant, say: %s in our shop.", strings.TrimRight(g.text[:m[0]], "?？。. "))
}

// askedSame reports whether two tools that look into files were asked the same of the same file, by the names of their own parameters.
func (x *Index) askedSame(a, b Done) bool {
	values := func(d Done) (out []string) {
		args, _ := argumentMap(d.Action)
		for _, v := range args {
			out = append(out, fmt.Sprint(v))
		}
		return out
	}
	few, many := values(a), values(b)
	if len(few) > len(many) { // one of them may have a choice of its own beside the question
		few, many = many, few
	}
	e, o := x.byName[a.Action.ToolName], x.byName[b.Action.ToolName]
	return e != nil && o != nil && e.OfFiles() && o.OfFiles() && len(few) > 1 && !slices.ContainsFunc(few, func(v string) bool { return !slices.Contains(many, v) })
}

// looksInto reports whether the request names a file of rows to look into, as sales.csv 里哪个月最高 does.
func (g *goal) looksInto() bool {
	return !ofHouse.MatchString(g.text) && slices.ContainsFunc(g.facts, func(f facts.Fact) bool {
		return f.Kind == facts.Path && tableFile.MatchString(f.Text) && !toKeep.MatchString(g.text[:f.Start])
	})
}

// toKeep: before the name of a file, what shall be put into it: 把订单存到 a.csv, save the orders in a.csv.
var toKeep = words.MustCompile(`(?i)存|导出|输出|写|生成|制作|做成|\b(?:save|store|write|export|put|create|make|generate|produce|dump)\b`)

// tableFile: a file of rows, which is asked and not read.
var tableFile = words.MustCompile(`(?i)\.(?:csv|tsv|xlsx?|xlsm|jsonl?|ndjson|sqlite3?|db|parquet)\b`)

// readsOut asks for what stands in a file as it stands there.
var readsOut = words.MustCompile(`(?i)读|打开|内容|原文|全文|原样|\b(?:read|open|contents?|raw|text|print|cat)\b`)

// takesFile reports whether a parameter holds a file that the request names.
func (g *goal) takesFile(bound map[string]fields.Binding) bool {
	for _, b := range bound {
		if b.Used >= 0 && b.Used < len(g.facts) && g.facts[b.Used].Kind == facts.Path {
			return true
		}
	}
	return false
}
