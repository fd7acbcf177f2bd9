// Package terminal is the window for people at a terminal: it shows the log of a task as a tree of thoughts, actions and
// observations while it grows, or again later, and takes answers.
package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Tree prints records as they come. Not safe for concurrent use.
type Tree struct {
	out   io.Writer
	color bool
	width int                          // characters of a thought or an observation; questions and the answer are never cut
	depth map[string]int               // of a call
	roles map[string]map[string]string // of tools, by call
	steps map[string]map[string]string // the lines of a plan as they were printed last, by call and step
	came  outcomes
}

// NewTree prints to out, with colours if color is set. full shows everything uncut.
func NewTree(out io.Writer, color, full bool) *Tree {
	width := 160
	if full {
		width = 1 << 30
	}
	return &Tree{out: out, color: color, width: width, depth: map[string]int{}, roles: map[string]map[string]string{}, steps: map[string]map[string]string{}, came: outcomes{}}
}

// Show prints one record. The answer of the root call is left to the caller.
func (t *Tree) Show(r bus.Record) {
	depth, ok := t.depth[r.Call]
	if !ok {
		if r.Parent != "" {
			depth = t.depth[r.Parent] + 1
		}
		t.depth[r.Call] = depth
	}
	t.came.fold(r)
	if r.HasRound() {
		t.round(depth, r)
	}
	switch r.Kind {
	case bus.KindRequest:
		if r.Request != nil && r.Parent == "" {
			t.line(depth, "1", "▸", r.Agent, r.Request.JobDesc)
		}
	case bus.KindClaim:
		t.line(depth, "33", "↻", r.Agent, fmt.Sprintf("node %s goes on (attempt %d)", r.Node, r.Attempt))
	case bus.KindPlan:
		t.plan(depth, r)
	case bus.KindResult:
		t.result(depth, r)
	case bus.KindAsk:
		if r.Ask != nil {
			if depth > 0 { // whoever called it asks the same, up to the root
				t.line(depth, "33", "?", r.Agent, r.Ask.Question)
				break
			}
			t.whole(depth, "33", "?", r.Agent, r.Ask.Question) // nobody agrees to what was cut away
		}
	case bus.KindInput:
		if r.Input != nil && r.Node == "" {
			t.line(depth, "33", "!", "user", strings.TrimSpace(string(r.Input.Kind)+" "+r.Input.Text))
		}
	case bus.KindResponse:
		if r.Call != r.Task || r.Status != bus.OK {
			break
		}
		if u := r.Usage; u != nil {
			mark, color, note := t.came.mark(r.Task)
			t.line(depth, color, mark, r.Agent, usage(*u)+note)
		}
	}
}

// round prints the round in a record.
func (t *Tree) round(depth int, r bus.Record) {
	t.employ(r)
	if r.Critique != "" {
		t.line(depth, "2", "◦", r.Agent, r.Critique)
	}
	answer := r.Answer
	if r.Kind == bus.KindResponse {
		answer = Text(r.Observation)
	}
	if r.Thought != "" && (len(r.ActionCode) > 0 || r.Thought != answer) {
		t.line(depth, "36", "●", r.Agent, r.Thought)
	}
	for _, a := range r.ActionCode {
		if a.ToolName == "finish" { // it brings the answer, which is shown
			continue
		}
		what := a.JobDesc
		if what == "" {
			what = string(a.Parameter)
		}
		trust := ""
		if a.TrustMode == 1 {
			trust = " (trusted)"
		}
		t.line(depth, "35", "→", t.who(r.Call, a.ToolName)+trust, what)
	}
}

func usage(u bus.Usage) string {
	count := func(n int, what string) string {
		if n != 1 {
			what += "s"
		}
		return fmt.Sprint(n, " ", what)
	}
	s := count(u.Rounds, "round") + ", " + count(u.Calls, "call")
	if n := u.InputTokens + u.OutputTokens; n > 0 {
		s += ", " + count(n, "token")
	}
	return s
}

func (t *Tree) result(depth int, r bus.Record) {
	took := ""
	if r.Millis > 0 {
		took = " (" + (time.Duration(r.Millis) * time.Millisecond).String() + ")"
	}
	if r.Status == bus.OK {
		if say, plan := kept(r); plan != nil {
			t.line(depth, "32", "←", t.who(r.Call, r.ToolName)+took, say)
			t.plan(depth, bus.Record{Agent: r.Agent, Call: r.Call, Plan: plan})
			return
		}
		t.line(depth, "32", "←", t.who(r.Call, r.ToolName)+took, Text(r.Observation))
		return
	}
	why := string(r.Status)
	if r.Error != nil {
		why = r.Error.Error()
	}
	t.line(depth, "31", "✗", t.who(r.Call, r.ToolName)+took, why)
}

// employ takes down the roles that tools have in a call; the first one stays.
func (t *Tree) employ(r bus.Record) {
	for tool, role := range r.Employees {
		if t.roles[r.Call] == nil {
			t.roles[r.Call] = map[string]string{}
		}
		if t.roles[r.Call][tool] == "" {
			t.roles[r.Call][tool] = role
		}
	}
}

// who is a tool with its role in a call, if it has one.
func (t *Tree) who(call, tool string) string {
	if role := t.roles[call][tool]; role != "" {
		return tool + " · " + role
	}
	return tool
}

// kept is the plan that a mind keeps with the tool planning, and how far it is; nil: the result is of another tool.
func kept(r bus.Record) (say string, plan *bus.PlanBody) {
	var o struct {
		Say  string        `json:"say"`
		Plan *bus.PlanBody `json:"plan"`
	}
	if r.ToolName != "planning" || json.Unmarshal(r.Observation, &o) != nil || o.Plan == nil || len(o.Plan.Steps) == 0 {
		return "", nil
	}
	return o.Say, o.Plan
}

var marks = map[bus.StepStatus]string{bus.NotStarted: "□", bus.InProgress: "▶", bus.StepCompleted: "■", bus.StepBlocked: "‖", bus.StepFailed: "✗"}

// plan prints a call's plan, and of the later ones what changed: with many steps the whole of each would bury what happens between them.
func (t *Tree) plan(depth int, r bus.Record) {
	if r.Plan == nil {
		return
	}
	before, now := t.steps[r.Call], map[string]string{"": r.Plan.Title} // no step has an empty id
	if before[""] != r.Plan.Title {
		t.line(depth, "34", "☰", r.Agent, r.Plan.Title)
	}
	for _, s := range r.Plan.Steps {
		text := strings.TrimSpace(s.Title + " " + s.Note)
		if now[s.ID] = string(s.Status) + text; now[s.ID] != before[s.ID] {
			t.line(depth+1, "34", marks[s.Status], s.ID, text)
		}
	}
	t.steps[r.Call] = now
}

// line prints a line that is cut when it is long.
func (t *Tree) line(depth int, color, mark, who, text string) {
	text = Line(text)
	if r := []rune(text); len(r) > t.width {
		text = string(r[:t.width]) + "…"
	}
	t.whole(depth, color, mark, who, text)
}

// whole prints a line as long as it is.
func (t *Tree) whole(depth int, color, mark, who, text string) {
	who = Line(who)
	if t.color {
		mark, who = "\x1b["+color+"m"+mark, who+"\x1b[0m"
	}
	indent := strings.Repeat("  ", depth)
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if i == 0 {
			fmt.Fprintf(t.out, "%s%s %s  %s\n", indent, mark, who, Line(line))
		} else if line = Line(line); line != "" { // behind a mark of ours, so that it cannot pass for a line of ours
			fmt.Fprintf(t.out, "%s  │ %s\n", indent, line)
		}
	}
}
