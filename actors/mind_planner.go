package actors

import (
	"context"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// planner is the mind that needs no language model.
type planner struct{}

// Think plans with rules, retrieval, the tools DAG and the optimiser. It never fails and does not wait.
func (planner) Think(_ context.Context, v *View) (Thought, error) {
	return thoughtOf(v.Index.Think(inputOf(v))), nil
}

// thoughtOf is what the planner came to, as a thought.
func thoughtOf(out plan.Outcome) Thought {
	t := Thought{Thought: out.Thought, Critique: out.Critique, Actions: out.Actions, Answer: out.Answer, Plan: out.Plan}
	if out.Ask != nil {
		t.Actions = append(t.Actions, askUser(*out.Ask))
	}
	return t
}

// maxNamed is how many of the files that came with a request are named in it.
const maxNamed = 3

// withFiles names the files that came with a request, where its own words name none of them: the planner knows only words. What the answer links to
// was made by the task.
func withFiles(request string, files []bus.File, answer string) string {
	var names []string
	for _, f := range files {
		switch {
		case strings.Contains(request, f.Name):
			return request
		case !strings.Contains(answer, "("+f.Ref+")") && len(names) < maxNamed:
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 || strings.TrimSpace(request) == "" {
		return request
	}
	if plan.Language(request) == "en" {
		return request + " (" + strings.Join(names, ", ") + ")"
	}
	return request + "（" + strings.Join(names, "，") + "）"
}

// meant is the file of an earlier turn that a request is about, which brings and names none. false: it is about none.
func meant(v *View) (bus.File, bool) {
	if len(v.Request.Files) > 0 {
		return bus.File{}, false
	}
	last := true // nothing else was spoken of since
	for _, t := range slices.Backward(v.Turns) {
		made := 0
		for _, f := range slices.Backward(t.Files) {
			switch {
			case strings.Contains(t.Answer, "("+f.Ref+")"):
				made++
			case f.Description != "": // the one last brought
				return f, v.Index.OfFile(v.Request.JobDesc, f, last, v.Now)
			}
		}
		last = last && made > 0 // a document of what was found
	}
	return bus.File{}, false
}

// inputOf is what the planner may know of a call.
func inputOf(v *View) plan.Input {
	mode := v.Request.Mode
	if mode == "" || mode == bus.Auto {
		mode = bus.Mode(v.Agent.Mode) // auto: the planner sees for itself how many steps it takes
	}
	words, turns := v.Request.JobDesc, v.Turns
	if v.Request.Parent == "" {
		files := v.Request.Files
		if f, ok := meant(v); ok {
			files = []bus.File{f}
		}
		words = withFiles(words, files, "")
	}
	if plan.WithFile(words) { // a question of its own, whatever was asked before
		turns = nil
	}
	in := plan.Input{
		Request: words, Job: v.Request.Parent != "", Context: v.Request.Context, Now: v.Now, Language: v.Language, Mode: mode,
		Output: v.Request.Output, Steering: v.Steering, Parallel: v.Parallel,
	}
	for _, t := range turns {
		in.History = append(in.History, plan.Turn{Request: withFiles(t.Request, t.Files, t.Answer), Answer: t.Answer, Ask: t.Ask, Refused: t.Refused})
	}
	for _, a := range v.Answers {
		if a.Ask.Kind == bus.Question && a.Input.Kind == bus.Answer {
			in.Answers = append(in.Answers, plan.Answer{Ask: a.Ask, Text: a.Input.Text})
		}
	}
	for _, r := range v.Rounds {
		for _, a := range r.Acts {
			if a.ToolName == round.AskUser || a.ToolName == round.Finish {
				continue
			}
			if a.Running {
				in.Running = append(in.Running, a.Action)
			}
			if a.Result == nil {
				continue
			}
			done := a.Action
			done.Parameter = a.Result.Parameter
			in.Done = append(in.Done, plan.Done{
				Action: done, Call: a.Child, Status: a.Result.Status, Observation: a.Result.Observation,
				Error: a.Result.Error, Files: madeBy(v, a),
			})
		}
	}
	return in
}

// madeBy are the files that a call made, without those that it was asked about.
func madeBy(v *View, a Acted) []bus.File {
	return slices.DeleteFunc(slices.Clone(a.Result.Files), func(f bus.File) bool {
		there := func(g bus.File) bool { return g.Ref == f.Ref }
		return slices.ContainsFunc(v.Request.Files, there) || slices.ContainsFunc(v.Turns, func(t memory.Turn) bool { return slices.ContainsFunc(t.Files, there) })
	})
}
