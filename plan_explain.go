package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/gateway/terminal"
)

// explain shows how an outcome came about, from the request to the alternatives.
func (l *planLook) explain(ex *plan.Explain) {
	l.head("理解", "Understood")
	l.WriteString("  " + terminal.Line(ex.Goal) + "\n")
	l.list(ex.Understood)
	for i, c := range ex.Clauses {
		l.clause(c)
		if i == 0 && len(c.Candidates) > 0 {
			l.list(l.say("（得分是选择的依据；覆盖是卡片认识的词在分句里的份额；其余是检索各路的分数。）",
				"(The score decides; fit is the share of the clause's words that the card knows; the others are the ways of retrieval.)"))
		}
	}
	if len(ex.Facts) > 0 {
		l.head("事实", "Facts")
		l.list(ex.Facts...)
	}
	if g := ex.Graph; g != nil {
		l.graph(g)
	}
	if p := ex.Plan; p != nil {
		l.head(fmt.Sprintf("选中的方案，代价 %.2f%s", p.Cost, l.seconds("，约 ", p.Seconds)), fmt.Sprintf("The plan chosen, at a cost of %.2f%s", p.Cost, l.seconds(", about ", p.Seconds)))
		l.planned(p)
	}
	for i, p := range ex.Alternatives {
		l.head(fmt.Sprintf("其他方案 %d，代价 %.2f%s", i+1, p.Cost, l.seconds("，约 ", p.Seconds)), fmt.Sprintf("Alternative %d, at a cost of %.2f%s", i+1, p.Cost, l.seconds(", about ", p.Seconds)))
		l.planned(&p)
		l.WriteString("  " + l.say("没有选它，因为：", "It lost because:") + "\n")
		rows := [][]string{}
		for _, r := range p.Lost {
			rows = append(rows, []string{"  " + signed(r.Cost), r.Text})
		}
		l.table(rows)
	}
	if ex.Expanded > 0 {
		found := l.say("最优", "the best there is")
		if ex.Bounded {
			found = fmt.Sprintf(l.say("到了上限，是到此为止最好的，离最优至多差 %.2f", "the bound was reached: the best so far, at most %.2f dearer than the best there may be"), ex.Gap)
		}
		l.head("搜索", "Search")
		l.list(fmt.Sprintf(l.say("展开了 %d 个状态；%s", "%d states expanded; %s"), ex.Expanded, found))
	}
	if len(ex.Unused) > 0 {
		l.head("没有用上的事实", "Facts that no call takes")
		l.list(ex.Unused...)
	}
}

// list prints a line for each text that is not empty.
func (l *planLook) list(texts ...string) {
	for _, t := range texts {
		if t != "" {
			l.WriteString("  " + terminal.Line(t) + "\n")
		}
	}
}

func (l *planLook) clause(c plan.ExplainClause) {
	l.head("分句「"+terminal.Line(c.Text)+"」", "Clause “"+terminal.Line(c.Text)+"”")
	head := []string{l.say("候选", "candidate"), l.say("得分", "score"), l.say("覆盖", "fit")}
	var signals []string // those that any candidate has
	for _, s := range [][3]string{{"words", "词", "words"}, {"grams", "字串", "n-grams"}, {"embedding", "向量", "vectors"}} {
		if slices.ContainsFunc(c.Candidates, func(k plan.ExplainCandidate) bool { return k.Signals[s[0]] != 0 }) {
			signals, head = append(signals, s[0]), append(head, l.say(s[1], s[2]))
		}
	}
	rows := [][]string{append(head, "")}
	for _, k := range c.Candidates {
		row := []string{k.Tool, number(k.Score), number(k.Fit)}
		for _, s := range signals {
			row = append(row, number(k.Signals[s]))
		}
		why := k.Lost
		if why == "" { // chosen, or the tool for which its agent was
			whose := ""
			if k.Tool != c.Chosen {
				whose = " " + c.Chosen
			}
			why = strings.TrimSpace(fmt.Sprintf(l.say("← 选中%s：%s", "← chosen%s: %s"), whose, c.Why))
		}
		rows = append(rows, append(row, why))
	}
	if len(c.Candidates) > 0 {
		l.table(rows)
	}
	if c.Chosen == "" {
		l.list(strings.TrimSpace(l.say("没有选工具。", "No tool chosen. ") + c.Why))
	}
}

func (l *planLook) graph(g *plan.ExplainGraph) {
	l.head("搜索过的图", "The graph searched")
	l.list(l.say("（代价最低的方案胜出：问用户最贵，多一次没有要求的调用次之，没有把握的值再次之。）",
		"(The cheapest plan wins: a question to the user costs most, then a call that was not asked for, then a value that is not sure.)"))
	rows := [][]string{}
	for _, t := range g.Tools {
		why := l.say("可供参数", "may provide")
		if t.Wished {
			why = l.say("请求要的", "asked for")
		}
		rows = append(rows, []string{t.Tool, why, l.cost(t.Cost), l.seconds("", t.Seconds)})
	}
	l.table(rows)
	if len(g.Fills) > 0 {
		l.WriteString("\n")
		l.fills(g.Fills)
	}
	if g.Omitted > 0 {
		l.list(fmt.Sprintf(l.say("……另有 %d 项没有列出", "… and %d more that are not listed"), g.Omitted))
	}
}

func (l *planLook) planned(p *plan.ExplainPlan) {
	rows := [][]string{}
	for i, t := range p.Tools {
		rows = append(rows, []string{fmt.Sprint(i+1, "."), t.Tool, l.after(t.After), l.cost(t.Cost), l.seconds("", t.Seconds)})
	}
	l.table(rows)
	l.fills(p.Fills)
}

// fills prints where values come from; a parameter is named once for all its ways.
func (l *planLook) fills(fills []plan.ExplainFill) {
	rows := [][]string{}
	last := ""
	for _, f := range fills {
		taker := f.Tool + "." + f.Parameter
		from := ""
		switch f.Source {
		case plan.SourceSaid:
			from = fmt.Sprintf(l.say("已知：「%s」（%s）", "known: “%s” (%s)"), f.Value, f.From)
		case plan.SourceTool:
			if from = f.From + "." + f.Field; f.Field == "" {
				from = f.From + l.say(" 的回答", "'s answer")
			}
		case plan.SourceAsk:
			from = l.say("问用户", "ask the user")
		}
		sure := ""
		if f.Sure > 0 {
			sure = fmt.Sprintf(l.say("把握 %.2f", "sure %.2f"), f.Sure)
		}
		if taker == last {
			taker = ""
		} else {
			last = taker
		}
		rows = append(rows, []string{taker, "← " + from, sure, l.cost(f.Cost)})
	}
	l.table(rows)
}

func (l *planLook) cost(c float64) string {
	if c == 0 {
		return ""
	}
	return fmt.Sprintf(l.say("代价 %.2f", "cost %.2f"), c)
}

func (l *planLook) seconds(before string, s float64) string {
	if s == 0 {
		return ""
	}
	return fmt.Sprintf("%s%.1f s", before, s)
}

func number(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", v)
}

func signed(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("%+.2f", v)
}
