package search

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/knowledge"
)

// Query is one question to all engines and folders.
type Query struct {
	Dimension string `json:"dimension"` // which side of the topic it is about
	Text      string `json:"query"`
	Round     int    `json:"round"` // 1 is the first

	free bool // in a model's words, which need not be the question's
}

// dimension is a side of a topic, and the words to ask for it with: the first at once, the next ones when these find nothing.
type dimension struct{ zh, en []string }

func (d dimension) words(language string) []string {
	if language == "zh" {
		return d.zh
	}
	return d.en
}

func dim(zh, en string) dimension { return dimension{strings.Split(zh, "|"), strings.Split(en, "|")} }

// kind is a kind of topic: what tells it, and which sides it has. The first kind whose words stand in the topic is taken, so the narrow ones come first.
type kind struct {
	name  string
	tells *regexp.Regexp
	dims  []dimension
}

var kinds = []kind{
	{"rule", regexp.MustCompile(`(?i)规则|规定|规范|政策|法规|法律|条例|资质|处罚|违规|纠纷|退货|退款|运费|发票|\b(rules?|polic(y|ies)|regulations?|laws?|legal|compliance|refunds?|disputes?|penalt(y|ies))\b`), []dimension{
		dim("规定|要求|标准", "requirements|conditions"), dim("责任|由谁承担|赔付", "who is responsible|liability|who pays"),
		dim("时限|期限|多少天", "time limits|deadline|days"), dim("处罚|违规后果|扣分", "penalties|consequences|fines"),
	}},
	{"company", regexp.MustCompile(`(?i)股票|股价|财报|估值|上市公司|集团|市值|营收|\b(stocks?|shares?|earnings|valuation|annual report|market cap)\b`), []dimension{
		dim("财务数据|营收 利润|财报", "financial data|revenue profit|earnings"), dim("行业趋势|行业前景", "industry trends|outlook"), dim("竞争格局|竞争对手|市场份额", "competition|competitors|market share"),
		dim("估值|市盈率|目标价", "valuation|price earnings|target price"), dim("市场情绪|分析师评级|新闻", "market sentiment|analyst ratings|news"),
	}},
	{"howto", regexp.MustCompile(`(?i)怎么|怎样|如何|步骤|教程|攻略|\b(how to|how do|how can|steps|tutorial|guide)\b`), []dimension{
		dim("步骤|方法|流程", "steps|procedure|instructions"), dim("条件|要求|准备", "requirements|prerequisites|conditions"), dim("注意事项|常见问题|错误", "pitfalls|common mistakes|tips"),
	}},
	{"technology", regexp.MustCompile(`(?i)技术|原理|架构|算法|大模型|框架|协议|芯片|开源|\b(technolog(y|ies)|algorithms?|architecture|frameworks?|protocols?|chips?|open source|machine learning|AI)\b`), []dimension{
		dim("原理|架构|机制", "how it works|architecture|principles"), dim("应用|案例|场景", "applications|use cases|examples"), dim("优缺点|局限|对比", "advantages limitations|drawbacks|comparison"), dim("最新进展|趋势|发布", "latest developments|trends|release"),
	}},
	{"market", regexp.MustCompile(`(?i)市场|行业|产业|赛道|销量|品类|\b(market|industry|sector|sales|demand)\b`), []dimension{
		dim("市场规模|销售额|增长率", "market size|sales|growth rate"), dim("发展趋势|前景|预测", "trends|outlook|forecast"), dim("竞争格局|主要品牌|市场份额", "competition|leading brands|market share"),
		dim("用户需求|消费者|人群", "consumer demand|customers|demographics"), dim("政策|标准|监管", "policy|standards|regulation"),
	}},
	{"product", regexp.MustCompile(`(?i)评测|测评|口碑|推荐|值得买|哪款|性价比|型号|\b(reviews?|best|worth buying|which .* buy)\b`), []dimension{
		dim("价格|多少钱", "price|cost"), dim("评测|口碑|评价", "reviews|ratings|opinions"), dim("参数|规格|功能", "specifications|features"), dim("缺点|故障|投诉", "problems|complaints|drawbacks"),
	}},
	{"person", regexp.MustCompile(`(?i)是谁|生平|履历|创始人|\b(who is|who was|biography|founder of)\b`), []dimension{
		dim("简介|履历|经历", "biography|career"), dim("成就|作品|贡献", "achievements|works"), dim("近况|最新", "latest|recent"), dim("评价|争议", "criticism|reception"),
	}},
	{"event", regexp.MustCompile(`(?i)事件|事故|发布会|选举|大会|战争|地震|\b(accident|election|incident|war|earthquake|launch|conference)\b`), []dimension{
		dim("经过|时间线", "what happened|timeline"), dim("原因|背景", "causes|background"), dim("影响|后果|损失", "impact|consequences"), dim("回应|各方反应|评论", "reactions|statements"),
	}},
}

// general is any other topic.
var general = kind{"general", nil, []dimension{
	dim("概况|介绍|定义", "overview|introduction|definition"), dim("背景|原因|历史", "background|causes|history"), dim("现状|数据|案例", "current state|figures|examples"), dim("影响|趋势|意义", "impact|trends|outlook"),
}}

// topic is what a search is for.
type topic struct {
	asked    string // as it was said
	language string // zh or en
	core     string // without what only asks for a search
	kind     string
	dims     []dimension
}

// asks are the words that ask for a search and say nothing of what for.
var (
	asksZh = regexp.MustCompile(`^(?:(?:请|麻烦|帮我|帮忙|替我|给我|我想|我要|想要?|能不能|可以|你)*(?:(?:深度|深入|全面|详细|系统|上网|在?网上|联网|全网)?地?(?:调研|研究|搜索|检索|搜集|收集|查找|查询|调查|了解|搜|查|找|整理|分析|写|做|出具?|生成|总结)(?:一下|一份|一篇|一个|下)?(?:并|和|、|再)?)+)(?:关于|有关|对|：|:|，|,)?\s*`)
	tailZh = regexp.MustCompile(`(?:的?(?:相关|有关)?(?:资料|信息|情况|内容|报告|调研报告|研究报告|综述|文章|问题)|进行(?:调研|研究|分析|搜索))?(?:[，,、。；;！!\s]*(?:并|要|请)?(?:给出?|附上|带上?|注明|标注|列出|写明|说明|要有|附|标)(?:明|出)?(?:引用|出处|来源|参考资料|参考文献|链接)+)*[。.！!？?\s]*$`)
	asksEn = regexp.MustCompile(`(?i)^(?:(?:please|can you|could you|would you|i want you to|i want to|i need(?: you)? to|help me(?: to)?|let's|kindly)\s+)*(?:(?:do|make|write|give me|prepare|produce|run)\s+(?:a|an|some)?\s*(?:deep|thorough|detailed|short|quick|brief)?\s*(?:research|search|report|study|summary|overview|investigation)\s*(?:on|about|of|into|for)?|(?:deeply |thoroughly )?(?:research|investigate|search(?: the web| online)?(?: for)?|look (?:up|into)(?: on the web| online| on the internet)?|find out(?: about)?|find (?:information|material|sources) (?:on|about)|study|explore|collect (?:information|material) (?:on|about)))\s+`)
	tailEn = regexp.MustCompile(`(?i)[\s,;]*(?:and\s+)?(?:with|give|cite|citing|including|list|add)\s+(?:me\s+)?(?:the\s+|your\s+|all\s+)?(?:sources?|citations?|references?|links?)\s*[.!?\s]*$`)
	ends   = regexp.MustCompile(`[。.！!？?\s，,；;：:]+$`)
)

// named is the kind of a topic whose sides the request names itself.
const named = "named"

// naming finds the sides that a request names itself.
var naming = []*regexp.Regexp{
	regexp.MustCompile(`[，,]?\s*(?:从|按|分)([^，。,；;从按分]{2,60}?)(?:等)?(?:这|几|[二两三四五六七八\d])*个?(?:方面|角度|维度|层面)(?:来|去|进行)?\s*`),
	regexp.MustCompile(`[，,]?\s*(?:包括|包含|涵盖|重点(?:看|关注)?)[:：]?([^。；;]{2,80})$`),
	regexp.MustCompile(`(?i)[,;]?\s*\b(?:in terms of|with regard to|covering|focusing on|from the aspects of|including)\s+([^.;?]{3,120})`),
}

var listed = regexp.MustCompile(`(?i)[、，,/]|和|与|以及|及|\s+and\s+|\s+&\s+`)

// understand reads a topic by rules.
func understand(asked string) topic {
	t := topic{asked: strings.TrimSpace(asked), language: tools.Language(asked)}
	core := asksEn.ReplaceAllString(asksZh.ReplaceAllString(t.asked, ""), "")
	for _, r := range []*regexp.Regexp{tailZh, tailEn, ends} {
		if rest := strings.TrimSpace(r.ReplaceAllString(core, "")); rest != "" {
			core = rest
		}
	}
	t.kind = general.name
	t.dims = general.dims
	for _, k := range kinds {
		if k.tells.MatchString(core) {
			t.kind, t.dims = k.name, k.dims
			break
		}
	}
	for _, r := range naming {
		m := r.FindStringSubmatchIndex(core)
		if m == nil {
			continue
		}
		var dims []dimension
		for _, word := range listed.Split(core[m[2]:m[3]], -1) {
			word = strings.Trim(ends.ReplaceAllString(strings.TrimSpace(word), ""), " 等")
			if word != "" && len([]rune(word)) <= 40 && len(dims) < maxDimensions {
				dims = append(dims, called(word))
			}
		}
		rest := strings.TrimSpace(core[:m[0]] + " " + core[m[1]:])
		for _, r := range []*regexp.Regexp{asksZh, tailZh, ends} {
			if less := strings.TrimSpace(r.ReplaceAllString(rest, "")); less != "" {
				rest = less
			}
		}
		if len(dims) > 1 && knowledge.Subject(rest) != "" {
			core, t.dims, t.kind = rest, dims, named
			break
		}
	}
	t.core = core
	return t
}

const maxDimensions = 8

// called is a side that a request names, with the other words that we know for it.
func called(word string) dimension {
	words := []string{word}
	for _, k := range append(slices.Clone(kinds), general) {
		for _, d := range k.dims {
			for _, all := range [][]string{d.zh, d.en} {
				if slices.Contains(all, strings.ToLower(word)) {
					for _, w := range all {
						if !slices.Contains(words, w) {
							words = append(words, w)
						}
					}
				}
			}
		}
	}
	return dimension{words, words}
}

// overview is the dimension of the question itself.
func (t topic) overview() string { return t.say("总体", "In general") }

func (t topic) say(zh, en string) string {
	if t.language == "zh" {
		return zh
	}
	return en
}

// queries are the first round's by rules: the question as it is, its sentences if there are several, and one for each side.
func (t topic) queries(most int) []Query {
	a := asked{}
	a.add(Query{Dimension: t.overview(), Text: t.core, Round: 1})
	if parts := questions(t.core); len(parts) > 1 {
		for _, p := range parts {
			a.add(Query{Dimension: p, Text: p, Round: 1})
		}
	}
	for _, p := range subjects(t.core) {
		a.add(Query{Dimension: p, Text: p, Round: 1})
	}
	about := strings.ToLower(t.core)
	for _, d := range t.dims {
		words := d.words(t.language)
		text := t.core
		if !strings.Contains(about, strings.ToLower(words[0])) {
			text += " " + words[0]
		}
		a.add(Query{Dimension: words[0], Text: text, Round: 1})
	}
	return a.all[:min(len(a.all), most)]
}

// questions are the questions in a text, when there are several.
func questions(text string) []string {
	var out []string
	for _, p := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("？?；;\n", r) }) {
		if p = strings.TrimSpace(p); knowledge.Subject(p) != "" {
			out = append(out, p)
		}
	}
	return out
}

var (
	between = regexp.MustCompile(`(?i)[、，,]\s*(?:and\s+)?|和|与|跟|及|对比|\s+(?:and|versus|vs\.?|compared (?:to|with))\s+`)
	compare = regexp.MustCompile(`(?i)(?:的|之间的?)*(?:区别|差别|差异|不同|对比|比较|优劣|异同|关系)(?:是什么|有哪些|在哪里?)?$|^(?:比较|对比)(?:一下)?\s*|^(?:the )?(?:differences? between|comparison (?:of|between)|compare)\s+`)
)

// subjects are the things that a question names side by side: two to four, and each of them one.
func subjects(core string) []string {
	var out []string
	for _, p := range between.Split(compare.ReplaceAllString(core, ""), -1) {
		p = strings.TrimSpace(p)
		n := len([]rune(strings.ReplaceAll(knowledge.Subject(p), " ", "")))
		if n < 3 && !strings.ContainsFunc(p, isHan) || n < 2 {
			return nil
		}
		out = append(out, p)
	}
	if len(out) < 2 || len(out) > 4 {
		return nil
	}
	return out
}

// again asks for what was not found in other words.
func (t topic) again(a *asked, missing []string, round, most int) []Query {
	from := len(a.all)
	for _, name := range missing {
		for _, d := range t.dims {
			words := d.words(t.language)
			if words[0] != name {
				continue
			}
			for _, w := range words[1:] {
				if len(a.all)-from < most && a.add(Query{Dimension: name, Text: t.core + " " + w, Round: round}) {
					break
				}
			}
		}
		if name == t.overview() {
			for _, less := range shorter(t.core) {
				if len(a.all)-from < most && a.add(Query{Dimension: name, Text: less, Round: round}) {
					break
				}
			}
		}
	}
	return a.all[from:]
}

// shorter are a question's words with one of them left out, the last one first: too many words find nothing.
func shorter(core string) []string {
	words := strings.Fields(knowledge.Subject(core))
	var out []string
	for i := len(words) - 1; i >= 0 && len(words) > 1 && len(words) < 12; i-- {
		out = append(out, strings.Join(append(append([]string{}, words[:i]...), words[i+1:]...), " "))
	}
	return out
}

// asked are all queries so far; none is asked twice, nor one that says nothing.
type asked struct {
	all   []Query
	terms []set
}

// add reports whether a query is a new one.
func (a *asked) add(q Query) bool {
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	words := termsOf(q.Text)
	if len(words) == 0 || len([]rune(q.Text)) > 300 {
		return false
	}
	for _, before := range a.terms {
		if words.in(before) == len(words) && len(words) == len(before) {
			return false
		}
	}
	a.all, a.terms = append(a.all, q), append(a.terms, words)
	return true
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
