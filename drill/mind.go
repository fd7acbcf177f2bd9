package drill

import (
	"encoding/json"
	"slices"
	"strings"
)

// Said is one message of a conversation with the model, as the OpenAI protocol has it.
type Said struct {
	Role  string // system, user, assistant, tool
	Text  string
	Calls []Called // of an assistant
	ID    string   // of a tool message: the call that it answers
}

// Called is a function that the model called, or is to call.
type Called struct {
	ID, Name  string
	Arguments string // JSON
}

// Move is what the model says next: calls, or a text.
type Move struct {
	Text  string
	Calls []Called
}

// tries is how often a deed that was not begun is tried; the house refuses a third time itself.
const tries = 2

// Next plays the script that the conversation began with. It keeps nothing: what was done stands in the conversation, so any model
// process goes on where another was killed. offers tells whether a function may be called.
func Next(talk []Said, offers func(name string) bool) Move {
	begin := -1
	for i, m := range talk {
		if m.Role == "user" && strings.HasPrefix(m.Text, mark) {
			begin = i
		}
	}
	if begin < 0 {
		return Move{Text: "Nothing to do."}
	}
	body := []byte(strings.TrimPrefix(talk[begin].Text, mark))
	talk = talk[begin+1:]
	var job Job
	if json.Unmarshal(body, &job) == nil && job.Agent != "" {
		return job.next(read(talk))
	}
	var s Script
	if json.Unmarshal(body, &s) != nil {
		return Move{Text: "Nothing that can be read."}
	}
	return s.next(read(talk), offers)
}

// seen is what a conversation shows of one thing that was to be done: the calls, and what came back.
type seen struct {
	times   int
	pending bool
	ok      bool
	text    string
	code    string // of the last failure
}

// read sorts a conversation by what each call was for: the label of a deed, the words of a job, the question.
func read(talk []Said) map[string]seen {
	results := map[string]string{}
	for _, m := range talk {
		if m.Role == "tool" {
			results[m.ID] = m.Text
		}
	}
	all := map[string]seen{}
	for _, m := range talk {
		for _, c := range m.Calls {
			var args struct{ Label, Job_desc, Question string }
			if json.Unmarshal([]byte(c.Arguments), &args) != nil {
				continue
			}
			key := args.Label + args.Job_desc + args.Question
			text, answered := results[c.ID]
			if strings.HasPrefix(text, "(put aside") { // it was never called
				continue
			}
			s := all[key]
			s.times++
			s.pending = !answered || strings.HasPrefix(text, "(still running")
			if code, failed := strings.CutPrefix(text, "error "); failed {
				s.code, _, _ = strings.Cut(code, ":")
			} else if !s.pending {
				s.ok, s.text = true, text
			}
			all[key] = s
		}
	}
	return all
}

// begun tells of an error code whether the deed may have been done: then nobody but a person may have it done again.
func begun(code string) bool {
	return !slices.Contains([]string{"unknown_tool", "busy", "invalid_parameter", "unavailable"}, code)
}

// open reports whether a thing is still to be done.
func (s seen) open() bool {
	return !s.ok && !s.pending && s.times < tries && (s.times == 0 || !begun(s.code))
}

func (j Job) next(all map[string]seen) Move {
	for _, stage := range j.Do {
		var calls []Called
		waits := false
		for _, d := range stage {
			s := all[d.Label]
			waits = waits || s.pending
			if s.open() {
				calls = append(calls, Called{Name: d.Tool, Arguments: d.arguments(len(calls) > 0 && all[stage[0].Label].times == 0)})
			}
		}
		if len(calls) > 0 {
			return Move{Text: "Going on.", Calls: calls}
		}
		if waits {
			return Move{Text: "Waiting."}
		}
	}
	out := Done{Done: []string{}, Failed: map[string]string{}}
	for _, stage := range j.Do {
		for _, d := range stage {
			if s := all[d.Label]; s.ok {
				out.Done = append(out.Done, d.Label)
			} else {
				out.Failed[d.Label] = s.code
			}
		}
	}
	return out.move()
}

// arguments are those of the tool. A deed that waits takes its argument "from" out of the observation of the first one.
func (d Deed) arguments(afterFirst bool) string {
	args := map[string]any{"label": d.Label, "before": d.Before, "after": d.After, "hang": d.Hang}
	if d.Odd != "" {
		args["odd"] = d.Odd
	}
	if d.Wait && afterFirst {
		args["from"] = "$t1.label"
	}
	b, err := json.Marshal(args)
	if err != nil {
		return "{}" // strings and numbers always encode
	}
	return string(b)
}

func (s Script) next(all map[string]seen, offers func(string) bool) Move {
	if s.Ask != "" && all[s.Ask].open() {
		return Move{Text: "Asking first.", Calls: []Called{{Name: "ask_user", Arguments: object(map[string]any{"question": s.Ask})}}}
	}
	for _, stage := range s.Jobs {
		var calls []Called
		waits := false
		for _, j := range stage {
			was := all[words(j)]
			waits = waits || was.pending
			if was.open() {
				calls = append(calls, Called{Name: j.Agent, Arguments: object(map[string]any{"job_desc": words(j)})})
			}
		}
		if len(calls) > 0 {
			if offers("plan") && len(all) == 0 {
				calls = append([]Called{s.plan()}, calls...)
			}
			return Move{Text: "Handing out.", Calls: calls}
		}
		if waits {
			return Move{Text: "Waiting."}
		}
	}
	out := Done{Done: []string{}, Failed: map[string]string{}}
	if s.Ask != "" {
		out.Answer = all[s.Ask].text
	}
	for _, stage := range s.Jobs {
		for _, j := range stage {
			was := all[words(j)]
			if d, ok := parseDone([]byte(was.text)); ok {
				out.Done = append(out.Done, d.Done...)
				for label, code := range d.Failed {
					out.Failed[label] = code
				}
				continue
			}
			for _, stage := range j.Do {
				for _, d := range stage {
					out.Failed[d.Label] = "job " + was.code
				}
			}
		}
	}
	return out.move()
}

// plan is the script as a call of the reserved function plan: a step for each job, after those of the stage before.
func (s Script) plan() Called {
	var steps []map[string]any
	var before, now []string
	for i, stage := range s.Jobs {
		before, now = now, nil
		for k, j := range stage {
			id := string(rune('a'+i)) + string(rune('a'+k))
			now = append(now, id)
			steps = append(steps, map[string]any{"id": id, "title": j.Agent, "after": append([]string{}, before...)})
		}
	}
	return Called{Name: "plan", Arguments: object(map[string]any{"title": "drill", "steps": steps})}
}

func (d Done) move() Move {
	b, err := json.Marshal(d)
	if err != nil {
		return Move{Text: "{}"} // strings always encode
	}
	return Move{Text: string(b)}
}

func object(v map[string]any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{}" // strings and numbers always encode
	}
	return string(b)
}
