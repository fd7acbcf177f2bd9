package plan

import (
	"regexp"
	"slices"
)

// noFile is what it costs to take a request to the files of a session when it speaks of none: what the house knows by itself goes before.
const noFile = 0.8

// notBrought is what it costs a tool that takes no file when one came with the request.
const notBrought = 2.4

var fileWords = regexp.MustCompile(`(?i)文件|表格|数据表|附件|上传|这[张个份]表|\b(?:files?|tables?|spreadsheets?|sheets?|csv|xlsx?|excel|json|sqlite|uploads?|uploaded|attach\w*|datasets?)\b`)

// speaksOfFiles reports whether a request, what was told beside it or an earlier turn speaks of a file.
func speaksOfFiles(g *goal) bool {
	return g.filed || fileWords.MatchString(g.text) || fileWords.MatchString(g.context) || slices.ContainsFunc(g.facts, func(f fact) bool { return f.kind == factPath })
}

// ofHouse: what is asked for is the house's own, whatever file came with it.
var ofHouse = regexp.MustCompile(`(?i)我们?的?(?:店|订单|客户|商品|库存)|本店|店里|店铺|店内|系统里|后台|\b(?:(?:my|our|the) (?:shop|store|orders?|customers?|stock|inventory)|in the (?:shop|store|system))\b`)

// broughtWith: the names of the files that came with a request stand at its end, before what was put to it later.
var broughtWith = regexp.MustCompile(`\s*(?:（[^（）]+）|\([^()]+\))\s*(?:$|[,，])`)

// brought reports whether a file came with the request, which then is about it, unless it names something of the house.
func (g *goal) brought() bool {
	m := broughtWith.FindStringIndex(g.text)
	return m != nil && reFile.MatchString(" "+g.text[m[0]:]) && !ofHouse.MatchString(g.text) && !slices.ContainsFunc(g.facts, func(f fact) bool {
		return f.end <= m[0] && (f.kind == factDigits || f.kind == factPhone || f.kind == factPerson)
	})
}

// looksInto reports whether the request names a file of rows to look into, as sales.csv 里哪个月最高 does.
func (g *goal) looksInto() bool {
	return !ofHouse.MatchString(g.text) && slices.ContainsFunc(g.facts, func(f fact) bool {
		return f.kind == factPath && tableFile.MatchString(f.text) && !toKeep.MatchString(g.text[:f.start])
	})
}

// toKeep: before the name of a file, what shall be put into it: 把订单存到 a.csv, save the orders in a.csv.
var toKeep = regexp.MustCompile(`(?i)存|导出|输出|写|生成|制作|做成|\b(?:save|store|write|export|put|create|make|generate|produce|dump)\b`)

// tableFile: a file of rows, which is asked and not read.
var tableFile = regexp.MustCompile(`(?i)\.(?:csv|tsv|xlsx?|xlsm|jsonl|ndjson|sqlite3?|db|parquet)\b`)

// takesFile reports whether a parameter holds a file that the request names.
func (g *goal) takesFile(bound map[string]binding) bool {
	for _, b := range bound {
		if b.used >= 0 && b.used < len(g.facts) && g.facts[b.used].kind == factPath {
			return true
		}
	}
	return false
}

// ofFiles reports whether a tool that looks works on files of the session beside a question.
func (e *entry) ofFiles() bool {
	return e.reads() && !e.IsAgent() && slices.ContainsFunc(e.params, func(f field) bool { return f.Name == "file" || f.Name == "files" })
}
