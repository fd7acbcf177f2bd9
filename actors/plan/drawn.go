package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// How figures shall be shown is no thing to look up: the line chart of 今年每个月的销售额画个折线图 is no product. A tool that speaks of charts is given
// the words; for any other they name nothing, and the answer says that it has no such picture.

// drawnAs is a kind of chart with what is said around it; its groups are the kind.
var drawnAs = words.MustCompile(`(?i)(?:画|绘制?|做|生成|用|以)*(?:成|出|为)?(?:一?[张个幅])?((?:折线|曲线|柱状|柱形|条形|饼状?|饼形|面积|散点|雷达)图|图表)表?(?:来|的形式|方式)?(?:展示|表示|显示|呈现|画出来?|看)?|` +
	`(?:画|绘制?|做|生成)(?:成|出)?(?:一?[张个幅])?(图)(?:来?看|展示)?\s*(?:[，,。；;！!？?]|$)|` +
	`\b(?:(?:as|in|into) an? )?((?:line|bar|column|pie|area|scatter) (?:chart|graph|plot|diagram))s?\b|\b(?:as|in|into) an? (chart|graph)\b`)

// draws reports whether a tool may make something of the words for a chart: it speaks of charts itself, or is given files or what was found.
func draws(e *cards.Entry) bool {
	return e.IsAgent() || e.OfFiles() || e.Knowledge() || slices.Contains(e.Tags, documents) || chartWord.MatchString(e.Description) ||
		slices.ContainsFunc(e.Params, func(f fields.Field) bool { return chartWord.MatchString(f.Name + " " + f.Title + " " + f.Desc) })
}

var chartWord = words.MustCompile(`(?i)图表|[线状形饼]图|画图|作图|绘图|chart|\b(?:graph|plot|diagram)s?\b`)

// lessCharts are the facts of a text, with one for each kind of chart that it names, so that nothing remains of it for a tool that draws none.
func lessCharts(e *cards.Entry, text string, found []facts.Fact) []facts.Fact {
	charts := drawnAs.FindAllStringIndex(text, -1)
	if len(charts) == 0 || draws(e) {
		return found
	}
	for _, m := range charts {
		found = append(found, facts.Fact{Kind: facts.Said, Text: text[m[0]:m[1]], Start: m[0], End: m[1]})
	}
	return found
}

// undrawn is the kind of chart that is asked for and that the tool of a target does not draw; "" for none.
func (r *round) undrawn(t *target) string {
	text := r.g.text
	if len(r.targets) > 1 {
		text = t.clause.Text
	}
	if m := drawnAs.FindStringSubmatch(text); m != nil && !draws(t.e) {
		return strings.ToLower(strings.Join(m[1:], ""))
	}
	return ""
}
