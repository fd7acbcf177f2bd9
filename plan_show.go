package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/gateway/terminal"
)

// outcome is one round of the planner as JSON.
type outcome struct {
	Thought string        `json:"thought"`
	Actions []bus.Action  `json:"actions,omitempty"`
	Ask     *bus.Ask      `json:"ask,omitempty"`
	Answer  string        `json:"answer,omitempty"`
	Plan    *bus.PlanBody `json:"plan,omitempty"`
	Explain *plan.Explain `json:"explain,omitempty"`
}

func asJSON(out plan.Outcome, explain bool) outcome {
	o := outcome{Thought: out.Thought, Actions: out.Actions, Ask: out.Ask, Answer: out.Answer, Plan: out.Plan}
	if explain {
		o.Explain = out.Explain
	}
	return o
}

// planLook is what a planner said, as text for a person who reads lang, "zh" or "en". It is to be cleaned before it is printed.
type planLook struct {
	strings.Builder
	lang string
}

// say gives the text in the reader's language.
func (l *planLook) say(zh, en string) string {
	if l.lang == "zh" {
		return zh
	}
	return en
}

func (l *planLook) head(zh, en string) {
	if l.Len() > 0 {
		l.WriteString("\n")
	}
	l.WriteString(l.say(zh, en) + "\n")
}

// outcome shows the next round.
func (l *planLook) outcome(out plan.Outcome) {
	l.WriteString(out.Thought + "\n")
	if len(out.Actions) > 0 {
		l.head("调用", "Calls")
		rows := [][]string{}
		for i, a := range out.Actions {
			what := a.JobDesc
			if what == "" {
				what = string(a.Parameter)
			}
			rows = append(rows, []string{orNumber(a.ID, i), a.ToolName, l.after(a.After), what})
		}
		l.table(rows)
	}
	if q := out.Ask; q != nil {
		l.head("反问", "Asks")
		l.WriteString("  " + terminal.Line(q.Question) + "\n")
		if len(q.Options) > 0 {
			l.WriteString("  " + terminal.Line(strings.Join(q.Options, " · ")) + "\n")
		}
		if q.ToolName != "" {
			l.table([][]string{{q.ToolName, q.Parameter, string(q.Arguments)}})
		}
	}
	if out.Answer != "" {
		l.head("回答", "Answer")
		l.WriteString("  " + strings.ReplaceAll(out.Answer, "\n", "\n  ") + "\n")
	}
	if p := out.Plan; p != nil && len(p.Steps) > 0 {
		l.head("计划", "Plan")
		rows := [][]string{}
		for _, s := range p.Steps {
			rows = append(rows, []string{s.ID, l.after(s.After), s.Title})
		}
		l.table(rows)
	}
}

// calls shows a full plan.
func (l *planLook) calls(calls []plan.Call, bounded bool) {
	l.head("全部调用", "All calls")
	if len(calls) == 0 {
		l.WriteString("  " + l.say("没有合适的工具。", "No tool fits.") + "\n")
	}
	rows := [][]string{}
	for i, c := range calls {
		names := make([]string, 0, len(c.Parameter))
		for name := range c.Parameter {
			names = append(names, name)
		}
		slices.Sort(names)
		head := []string{"$" + strconv.Itoa(i), c.ToolName}
		for _, name := range names {
			rows = append(rows, append(head, name, fmt.Sprint(c.Parameter[name])))
			head = []string{"", ""}
		}
		if len(names) == 0 {
			rows = append(rows, head)
		}
	}
	l.table(rows)
	if bounded {
		l.WriteString("  " + l.say("工作量到了上限，这是到此为止最好的计划。", "The work reached its bound; this is the best plan so far.") + "\n")
	}
}

func (l *planLook) after(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return l.say("等 ", "after ") + strings.Join(ids, ", ")
}

func orNumber(id string, i int) string {
	if id != "" {
		return id
	}
	return strconv.Itoa(i + 1)
}

// widest is how many columns of the terminal a cell may take.
const widest = 100

// table prints rows under each other, indented, each column as wide as its widest cell. A Chinese character takes two columns.
func (l *planLook) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			row[i] = cut(terminal.Line(cell), widest)
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(row[i]))
		}
	}
	for _, row := range rows {
		line := "  "
		for i, cell := range row {
			if widths[i] > 0 { // an empty column is none
				line += cell + strings.Repeat(" ", widths[i]-columns(cell)+2)
			}
		}
		l.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// columns is how wide a text is on a terminal, where a Chinese character takes two columns, and a mark on a letter none.
func columns(s string) int {
	n := 0
	for _, r := range s {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.Is(unicode.Mn, r):
		case kind == width.EastAsianWide, kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// cut shortens a text to some columns.
func cut(s string, to int) string {
	if columns(s) <= to {
		return s
	}
	n := 1 // for the ellipsis
	for i, r := range s {
		if n += columns(string(r)); n > to {
			return s[:i] + "…"
		}
	}
	return s
}
