package eval

import (
	"fmt"
	"strings"

	"github.com/hmap-project/hmap/actors/plan"
)

// Models are the names that [Without] takes, in the order of the ablation table.
var Models = []string{"embedding", "dag", "optimiser", "model"}

// Without switches the named models off. The error names the one that there is not.
func Without(names []string) (plan.Without, error) {
	var w plan.Without
	for _, name := range names {
		switch name {
		case "embedding":
			w.Embedding = true
		case "dag":
			w.DAG = true
		case "optimiser":
			w.Optimiser = true
		case "model":
			w.Model = true
		default:
			return w, fmt.Errorf("there is no model %.80q; want some of %s", name, strings.Join(Models, ","))
		}
	}
	return w, nil
}

// Ablation is one planner on all sets.
type Ablation struct {
	// Without are the models that were switched off; none: nil.
	Without []string `json:"without"`
	Scores  []Score  `json:"scores"`
}

// Table is the scores of several planners on the same sets as Markdown: a planner a row, a set a column, and at the end the times of the
// set with the largest catalogue, on the wall and in brackets of processors.
func Table(rows []Ablation) string {
	var lines [][]string
	for _, r := range rows {
		name := "all four models"
		if len(r.Without) > 0 {
			name = "without " + strings.Join(r.Without, ", ")
		}
		head, line := []string{"planner"}, []string{name}
		var timed Score
		for _, s := range r.Scores {
			what, figures := s.figures()
			head, line = append(head, s.Set+": "+what), append(line, figures)
			if s.Cards > timed.Cards {
				timed = s
			}
		}
		if timed.Cards > 0 {
			head = append(head, fmt.Sprintf("index of %d cards", timed.Cards), "plan p50 / p99")
			line = append(line, fmt.Sprintf("%.0f (%.0f) ms", timed.Index.Wall, timed.Index.Processor),
				fmt.Sprintf("%.1f / %.1f (%.1f / %.1f) ms", timed.P50.Wall, timed.P99.Wall, timed.P50.Processor, timed.P99.Processor))
		}
		if lines == nil {
			lines = append(lines, head)
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	for n, line := range lines {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if n == 0 {
			b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
		}
	}
	return b.String()
}

// figures are those that a set of its kind is judged by: what they are, and they.
func (s Score) figures() (what, figures string) {
	what, figures = "tool F1", fmt.Sprintf("%.1f", s.Tools.F1())
	if s.Nested.Wanted > 0 {
		what += " / nested F1 / exact / literal F1"
		figures += fmt.Sprintf(" / %.1f / %.1f %% / %.1f", s.Nested.F1(), 100*float64(s.Exact)/float64(max(s.Rows, 1)), s.Literals.F1())
	}
	if s.Recall.Wanted > 0 {
		what += " / recall@10"
		figures += fmt.Sprintf(" / %.1f", s.Recall.Recall())
	}
	return what, figures
}
