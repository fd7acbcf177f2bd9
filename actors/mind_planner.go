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
			return strings.ReplaceAll(request, f.Name, f.Spoken())
		case !strings.Contains(answer, "("+f.Ref+")") && len(names) < maxNamed:
			names = append(names, f.Spoken())
		}
	}
	if len(names) == 0 || strings.TrimSpace(request) == "" || plan.OfFiles(request) {
		return request
	}
	return bracketed(request, names)
}

func bracketed(request string, names []string) string {
	if plan.Language(request) == "en" {
		return request + " (" + strings.Join(names, ", ") + ")"
	}
	return request + "（" + strings.Join(names, "，") + "）"
}

// meant is a request, which brings and names no file, with the file of an earlier turn that it is about, and with what was asked of that before where it only goes on
// with it. false: it is about none.
func meant(v *View) (words string, ok bool) {
	if len(v.Request.Files) > 0 {
		return "", false
	}
	said := v.Request.JobDesc
	t := spokenOf(v)
	if t.file == nil {
		return "", false
	}
	if t.last {
		if words, ok = v.Index.GoesOn(t.asked, said, *t.file, v.Now); ok {
			return ofFile(words, *t.file), true
		}
	}
	ok = v.Index.OfFile(said, *t.file, t.last, v.Now) ||
		v.Index.OnlyFile(plan.Input{Request: said, Now: v.Now, Language: v.Language, Files: filesOf(v), History: historyOf(v.Turns)}, *t.file, t.last)
	return withFiles(said, []bus.File{*t.file}, ""), ok
}

// ofFile is a question that names its file: one that goes on with none before it does not yet.
func ofFile(words string, f bus.File) string {
	if strings.Contains(words, f.Spoken()) {
		return words
	}
	return bracketed(words, []string{f.Spoken()})
}

// topic is the file that a session has spoken of.
type topic struct {
	file  *bus.File // the one last brought or asked; nil: none
	asked string    // the last question about it that was answered, with what later turns added to it; "": there is none
	last  bool      // nothing else was spoken of since
}

// spokenOf reads the turns in order. A question that the file could not answer leaves it the topic, and the question before it the one to go on with.
func spokenOf(v *View) (now topic) {
	for _, turn := range v.Turns {
		var f *bus.File
		made := false
		for i := range turn.Files {
			switch {
			case strings.Contains(turn.Answer, "("+turn.Files[i].Ref+")"):
				made = true
			case turn.Files[i].Description != "":
				f = &turn.Files[i]
			}
		}
		goesOn, on := "", false
		if now.file != nil && now.last {
			goesOn, on = v.Index.GoesOn(now.asked, turn.Request, *now.file, v.Now)
		}
		switch {
		case f != nil:
			whole := withFiles(turn.Request, turn.Files, turn.Answer)
			if strings.Contains(turn.Request, f.Name) { // it names it in its midst; what is added stands behind its name
				whole, on = bracketed(whole, []string{f.Spoken()}), false
			}
			if on && f.Ref == now.file.Ref {
				whole = ofFile(goesOn, *f)
			}
			if plan.Missed(turn.Answer) { // which nothing goes on with
				if whole = ""; now.file != nil && f.Ref == now.file.Ref {
					whole = now.asked
				}
			}
			now = topic{f, whole, true}
		case now.file == nil || made || plan.SmallTalk(turn.Request): // a document of what was found
		default:
			now.last = now.last && (on || v.Index.OfFile(turn.Request, *now.file, true, v.Now))
		}
	}
	return now
}

// inputOf is what the planner may know of a call.
func inputOf(v *View) plan.Input {
	mode := v.Request.Mode
	if mode == "" || mode == bus.Auto {
		mode = bus.Mode(v.Agent.Mode) // auto: the planner sees for itself how many steps it takes
	}
	words, turns := v.Request.JobDesc, v.Turns
	if v.Request.Parent == "" {
		if whole, ok := meant(v); ok {
			words, turns = whole, nil
		} else {
			words = withFiles(words, v.Request.Files, "")
		}
	}
	if plan.WithFile(words) { // a question of its own, whatever was asked before
		turns = nil
	}
	in := plan.Input{
		Request: words, Job: v.Request.Parent != "", Context: v.Request.Context, Now: v.Now, Language: v.Language, Mode: mode,
		Output: v.Request.Output, Steering: v.Steering, Parallel: v.Parallel,
	}
	in.Files = filesOf(v)
	in.History = historyOf(turns)
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

// historyOf is what the planner may know of earlier turns.
func historyOf(turns []memory.Turn) (all []plan.Turn) {
	for _, t := range turns {
		all = append(all, plan.Turn{Request: withFiles(t.Request, t.Files, t.Answer), Answer: t.Answer, Ask: t.Ask, Refused: t.Refused})
	}
	return all
}

// filesOf are the names of the session's files, as they are spoken, in the order in which they came or were changed last.
func filesOf(v *View) (names []string) {
	add := func(files []bus.File) {
		for _, f := range files {
			name := f.Spoken()
			names = append(slices.DeleteFunc(names, func(n string) bool { return n == name }), name)
		}
	}
	for _, t := range v.Turns {
		add(t.Files)
	}
	add(v.Request.Files)
	return names
}

// madeBy are the files that a call made, without those that it was asked about.
func madeBy(v *View, a Acted) []bus.File {
	return slices.DeleteFunc(slices.Clone(a.Result.Files), func(f bus.File) bool {
		there := func(g bus.File) bool { return g.Ref == f.Ref }
		return slices.ContainsFunc(v.Request.Files, there) || slices.ContainsFunc(v.Turns, func(t memory.Turn) bool { return slices.ContainsFunc(t.Files, there) })
	})
}
