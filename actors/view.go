package actors

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
)

// Mind thinks one round. Think may take long, ends when ctx does, and must be safe from many goroutines. Its error is a
// *bus.Error when the mind failed for good.
type Mind interface {
	Think(ctx context.Context, v *View) (Thought, error)
}

// View is what a mind sees of a call: a copy, so that it may read it while the call goes on.
type View struct {
	Agent    configs.Agent
	Request  bus.Request
	Language string // zh or en
	Mode     bus.Mode
	Now      time.Time // when the call was asked for, in the house's zone: what "today" is counted from
	Round    int
	Left     bus.Budget
	Parallel int           // calls that run at the same time, see [plan.Input]
	Turns    []memory.Turn // the conversation before this task, oldest first
	Rounds   []Past
	Plan     *bus.PlanBody
	Answers  []round.Answered
	Steering []string
	// Employees are the role names that tools have in this call so far, by tool; only read.
	Employees map[string]string

	// Cards are who may be called now; Index is the planner's over them.
	Cards []bus.Card
	Index *plan.Index
	// parameters keeps those of the cards for all who look at the same; nil: each looks for itself.
	parameters *parameters
	// Live takes text while it is being written; never nil.
	Live func(channel, text string)
}

// Past is a round that was thought before, with what came of it.
type Past struct {
	Thought, Critique, Answer string
	Model                     string // who thought it; "": the planner
	Acts                      []Acted
}

// Acted is an action with its result; without one it still runs or was put aside.
type Acted struct {
	bus.Action
	Child   string
	Result  *bus.Record
	Running bool
}

// Thought is one round as a mind thought it: actions, or an answer, or a question to the user.
type Thought struct {
	Thought, Critique string
	Actions           []bus.Action
	Answer            string
	Plan              *bus.PlanBody
	Model             string
	Usage             bus.Usage
	// Employees are role names given in this round, by tool.
	Employees map[string]string

	// checked is the index by which all of the actions were found right; nil: nobody looked.
	checked *plan.Index
}

// look copies what a mind may see out of the state.
func look(s *round.State) *View {
	v := &View{Request: s.Request, Plan: s.Plan, Answers: slices.Clone(s.Answers), Employees: s.Employees}
	for _, w := range s.Steering {
		v.Steering = append(v.Steering, w.Text)
	}
	for _, r := range s.Rounds {
		p := Past{Thought: r.Thought, Critique: r.Critique, Answer: r.Answer, Model: r.Model}
		for _, a := range r.Acts {
			p.Acts = append(p.Acts, Acted{Action: a.Action, Child: a.Child, Result: a.Result, Running: a.Running()})
		}
		v.Rounds = append(v.Rounds, p)
	}
	return v
}

// Language is that of a request, see [plan.Language].
func Language(text string) string { return plan.Language(text) }

// spoken is the language of the person behind a request: that which the caller names, else that of the job.
func spoken(r *bus.Request) string {
	if r.Language == "zh" || r.Language == "en" {
		return r.Language
	}
	return Language(r.JobDesc)
}

// spokenAfter is [spoken] of a request behind earlier turns, oldest first: a number, or PPT, is in no language, and is answered in that of what was said before it.
func spokenAfter(r *bus.Request, turns []memory.Turn) string {
	if r.Language != "" || plan.TellsLanguage(r.JobDesc) {
		return spoken(r)
	}
	for _, t := range slices.Backward(turns) {
		for _, said := range slices.Backward(strings.Split(t.Request, "\n")) { // what was answered since stands behind the request
			if plan.TellsLanguage(said) {
				return Language(said)
			}
		}
	}
	return spoken(r)
}

// askUser is a question to the user as the action that asks it.
func askUser(a bus.Ask) bus.Action {
	p, err := json.Marshal(struct {
		Question  string   `json:"question"`
		Options   []string `json:"options,omitempty"`
		Parameter string   `json:"parameter,omitempty"`
		ToolName  string   `json:"tool_name,omitempty"`
	}{a.Question, a.Options, a.Parameter, a.ToolName})
	if err != nil {
		p = nil // strings always encode
	}
	return bus.Action{ToolName: round.AskUser, Parameter: p}
}
