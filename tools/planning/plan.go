// Package planning is the tool with which a mind keeps the plan of what it does where people see it: it writes the steps down, marks how
// far they are, and ends the plan. It plans nothing itself and carries nothing out; the planner of an agent has a plan of its own.
//
// The plan is the result of the newest call of the tool, which stands in the log like any other: nothing is kept here, and whoever goes on
// after a crash finds it.
package planning

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// What one plan may hold.
const (
	maxSteps = 50
	maxText  = 500 // characters of a step, a title, a note
	maxTitle = 40  // characters before a colon that count as the title of a step
)

// Plan is a plan as it stands after a call. It is what a person sees.
type Plan struct {
	Title string `json:"title"`
	// Steps are in order; their ids are their numbers, from 1.
	Steps []Step `json:"steps"`
	// Finished: nothing is done for it any more, whether or not all steps are completed.
	Finished bool `json:"finished,omitempty"`
}

// Step is one step of a plan.
type Step struct {
	ID          string         `json:"id"`
	Title       string         `json:"title"`
	Description string         `json:"description,omitempty"`
	Status      bus.StepStatus `json:"status"` // not_started, in_progress, completed or blocked
	Note        string         `json:"note,omitempty"`
}

// Command is what the tool is asked.
type Command struct {
	Command    string         `json:"command"`
	Title      string         `json:"title"`
	Steps      []string       `json:"steps"`
	StepIndex  int            `json:"step_index"` // from 1
	StepStatus bus.StepStatus `json:"step_status"`
	StepNotes  string         `json:"step_notes"`
}

// apply gives the plan after a command; before is nil when there is none. It changes nothing of before. The error is worded for who planned.
func apply(before *Plan, c Command) (*Plan, *bus.Error) {
	wrong := func(format string, a ...any) (*Plan, *bus.Error) {
		return nil, &bus.Error{Code: bus.CodeInvalidParameter, Message: fmt.Sprintf(format, a...)}
	}
	open := before != nil && !before.Finished
	switch {
	case c.Command == "create" && open:
		return wrong("there is a plan already, %q with %d steps; update it, or finish it before you create another", before.Title, len(before.Steps))
	case c.Command == "create" && (strings.TrimSpace(c.Title) == "" || len(c.Steps) == 0):
		return wrong("create needs a title and the steps")
	case c.Command != "create" && !open:
		return wrong("there is no plan to %s; create one first", c.Command)
	case len(c.Steps) > maxSteps:
		return wrong("%d steps are too many to be followed; at most %d", len(c.Steps), maxSteps)
	}
	p := &Plan{Title: short(c.Title)}
	if before != nil && c.Command != "create" {
		p.Title, p.Steps = before.Title, append([]Step(nil), before.Steps...)
	}
	switch c.Command {
	case "create":
		p.Steps = steps(c.Steps, nil)
	case "update":
		if strings.TrimSpace(c.Title) == "" && len(c.Steps) == 0 {
			return wrong("update needs a title, steps, or both")
		}
		if t := short(c.Title); t != "" {
			p.Title = t
		}
		if len(c.Steps) > 0 {
			p.Steps = steps(c.Steps, before.Steps)
		}
	case "mark_step":
		if c.StepIndex < 1 || c.StepIndex > len(p.Steps) {
			return wrong("step_index is %d; the plan has the steps 1 to %d", c.StepIndex, len(p.Steps))
		}
		if c.StepStatus == "" && c.StepNotes == "" {
			return wrong("mark_step needs step_status, step_notes, or both")
		}
		s := &p.Steps[c.StepIndex-1]
		if c.StepStatus != "" {
			s.Status = c.StepStatus
		}
		if n := short(c.StepNotes); n != "" {
			s.Note = n
		}
	case "finish":
		p.Finished = true
	}
	for _, s := range p.Steps {
		if s.Title == "" {
			return wrong("step %s says nothing", s.ID)
		}
	}
	return p, nil
}

// numbered is the number before a step, in the words that people and models write it with.
var numbered = regexp.MustCompile(`^\s*(?:(?:执行顺序|步骤|第|(?i:step))\s*)?\d{1,3}\s*(?:步|[.、:：)）])\s*`)

// steps reads steps written as "执行顺序1. 标题：描述", "1. title: description" or just as text. One that stood in the plan before, in the same
// words, keeps its status and its note.
func steps(texts []string, before []Step) []Step {
	out := make([]Step, len(texts))
	used := map[int]bool{}
	for i, text := range texts {
		text = short(numbered.ReplaceAllString(text, ""))
		s := Step{ID: fmt.Sprint(i + 1), Title: text, Status: bus.NotStarted}
		at, size := strings.Index(text, "："), len("：")
		if latin := strings.Index(text, ": "); at < 0 || latin >= 0 && latin < at {
			at, size = latin, 2
		}
		if at > 0 && utf8.RuneCountInString(text[:at]) <= maxTitle {
			s.Title, s.Description = strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+size:])
		}
		for k, old := range before {
			if !used[k] && old.Title == s.Title && old.Description == s.Description {
				s.Status, s.Note, used[k] = old.Status, old.Note, true
				break
			}
		}
		out[i] = s
	}
	return out
}

// short is a text on one line, cut when it is long.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxText {
		text = string([]rune(text)[:maxText]) + "…"
	}
	return text
}

// told says how far a plan is.
func (p *Plan) told(language string) string {
	done := 0
	var next string
	for _, s := range p.Steps {
		if s.Status == bus.StepCompleted {
			done++
		} else if next == "" {
			next = s.ID + " " + s.Title
		}
	}
	switch {
	case language == "zh" && p.Finished:
		return fmt.Sprintf("计划结束，完成 %d/%d 步。", done, len(p.Steps))
	case p.Finished:
		return fmt.Sprintf("The plan is over, with %d of %d steps completed.", done, len(p.Steps))
	case next == "" && language == "zh":
		return fmt.Sprintf("%d 步都已完成，可以结束计划。", done)
	case next == "":
		return fmt.Sprintf("All %d steps are completed; the plan can be finished.", done)
	case language == "zh":
		return fmt.Sprintf("完成 %d/%d 步，下一步：%s。", done, len(p.Steps), next)
	}
	return fmt.Sprintf("%d of %d steps completed; next: %s.", done, len(p.Steps), next)
}
