package document

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// reportTool is the tool of this package. What it says is about documents, and belongs into none.
const reportTool = "report_tool"

// Talk is what a session's log says, for documents.
type Talk struct{ tasks []*job }

// job is one task of a session.
type job struct {
	id, request string
	answer      *bus.Record  // the response of the root call, when it ended well
	found       []bus.Record // what the agents and tools that it called directly brought
	results     []json.RawMessage
	drafts      []outline.Section // sections that are written and in no document yet
	makers      map[string]bool   // calls in which a document was made, or could not be
	tallies     map[string]tally  // by call
	busy        map[string]bool   // calls that asked a tool or an agent, or in which a model thought
}

// tally counts how what a call asked of others came out.
type tally struct{ well, ill int }

func (t tally) vain() bool { return t.ill > 0 && t.well == 0 }

// count notes a result. An agent of which all that it tried failed answers all the same, and says no more than that.
func (j *job) count(r *bus.Record) {
	t := j.tallies[r.Call]
	if r.Status == bus.OK && !j.tallies[r.Child].vain() && !hollow(r.Observation) {
		t.well++
	} else {
		t.ill++
	}
	j.tallies[r.Call] = t
}

// vain reports whether all that a task tried failed or found nothing.
func (j *job) vain() bool { return j.tallies[j.id].vain() && len(j.drafts) == 0 }

// pointsBack reports whether a task was itself about what had been found before it. When it came to nothing, that is still what is meant later.
func (j *job) pointsBack() bool {
	return there.MatchString(j.request) || backward.MatchString(j.request)
}

// refused reports whether a task came to no more than that somebody did not agree to a change: what was found before it stays what is meant.
func (j *job) refused() bool {
	return j.answer != nil && saysRefused.MatchString(prose(j.answer.Observation))
}

// saysRefused is the whole answer of such a task.
var saysRefused = regexp.MustCompile(`^(?:好的，没有执行|All right, not done)[^\n]*\s*$`)

// backward: a request that says no more of its object than that it was spoken of, draw that as a chart, 把它画成饼图.
var backward = regexp.MustCompile(`(?i)^(?:please |can you |could you |now )*[a-z]+ (?:that|it|this|these|those|them)\b|^(?:请|再|帮我|给我)*(?:把|将)(?:它|这|那)`)

// idle reports whether a task was answered without that anything was tried: a greeting, or that nothing here can do it.
func (j *job) idle() bool { return j.answer != nil && len(j.busy)+len(j.drafts) == 0 }

// hollow reports whether a result says that there is nothing: found is false, or its lists are empty, its numbers zero, and all that it has to say is a summary of that.
func hollow(observation json.RawMessage) bool {
	var m map[string]any
	if json.Unmarshal(observation, &m) != nil {
		return false
	}
	if found, told := m["found"].(bool); told {
		return !found
	}
	counts := 0
	for name, v := range m {
		switch v := v.(type) {
		case nil:
		case []any:
			if counts++; len(v) > 0 {
				return false
			}
		case float64:
			if counts++; v != 0 {
				return false
			}
		case string:
			if v != "" && !slices.Contains([]string{"summary", "summary_en", "note", "note_en"}, name) {
				return false
			}
		default:
			return false
		}
	}
	return counts > 0
}

// Read folds the records of a session, in their order.
func Read(records []bus.Record) *Talk {
	t := &Talk{}
	at := map[string]*job{}
	for _, r := range records {
		j := at[r.Task]
		if j == nil {
			j = &job{id: r.Task, makers: map[string]bool{}, tallies: map[string]tally{}, busy: map[string]bool{}}
			at[r.Task], t.tasks = j, append(t.tasks, j)
		}
		root := r.Call == r.Task
		if r.Kind == bus.KindResult && r.ToolName != reportTool && r.ToolName != "ask_user" {
			j.count(&r)
		}
		switch {
		case r.Model != "", r.Kind == bus.KindResult && r.ToolName != "ask_user":
			j.busy[r.Call] = true
		case r.Kind == bus.KindResponse && !root && !j.busy[r.Call]: // nothing came of asking this agent
			j.tallies[r.Call] = tally{ill: 1}
		}
		switch {
		case r.Kind == bus.KindRequest && root && r.Request != nil:
			j.request = r.Request.JobDesc
		case r.Kind == bus.KindResult && r.ToolName == reportTool:
			var wish Wish
			switch {
			case r.Status != bus.OK: // why there is no document is no content either
				j.makers[r.Call] = true
			case json.Unmarshal(r.Parameter, &wish) != nil:
			case wish.Draft:
				j.drafts = append(j.drafts, wish.Sections...)
			default:
				j.makers[r.Call], j.drafts = true, nil // they are in the document
			}
		case r.Kind == bus.KindResult && r.Status == bus.OK:
			if root {
				j.found = append(j.found, r)
			}
			if !isText(r.Observation) {
				j.results = append(j.results, r.Observation)
			}
		case r.Kind == bus.KindResponse && root && r.Status == bus.OK:
			j.answer = &r
		}
	}
	return t
}

// Whole is an outline of all that the records of a session say: each request with its answer, who worked on them, and the day of the last in zone. It is empty when
// nothing was found: that nothing was is no document.
func Whole(records []bus.Record, zone *time.Location) *outline.Outline {
	t := Read(records)
	o := &outline.Outline{Title: t.Title("")}
	o.Language = tools.Language(o.Title)
	if n := len(records); n > 0 {
		o.Date = records[n-1].Time.In(zone).Format(time.DateOnly)
	}
	if !slices.ContainsFunc(t.tasks, func(j *job) bool { return j.answer != nil && !j.vain() && !j.idle() }) {
		return o
	}
	passages := t.Passages()
	if n := len(passages); n > 1 {
		o.Title = title(o, passages)
	}
	Compose(o, passages)
	headed(o)
	worked(o, records)
	return o
}

// title is that of a document of several passages: the first, and how many there are besides.
func title(o *outline.Outline, passages []Passage) string {
	n := 0
	for _, p := range passages {
		if p.Heading != "" && p.Heading != passages[0].Heading && p.Heading != noResult(o) {
			n++
		}
	}
	if n == 0 {
		return o.Title
	}
	if o.Language == "zh" {
		return fmt.Sprintf("%s 等 %d 项", o.Title, n+1)
	}
	return fmt.Sprintf("%s and %d more", o.Title, n)
}

// Title is what a session is about: its first request that something was found for, or that of one task.
func (t *Talk) Title(task string) string {
	for _, found := range []bool{true, false} {
		for _, j := range t.tasks {
			if j.id == task || task == "" && (!found || j.answer != nil && !j.vain() && !j.idle()) {
				return subject(j.request)
			}
		}
	}
	return ""
}

// request is what a task was asked for, in the user's words.
func (t *Talk) request(task string) string {
	for _, j := range t.tasks {
		if j.id == task {
			return j.request
		}
	}
	return ""
}

// Passages are what a document of the whole session holds: each request with its answer. Of what came to nothing it has the request, in a list at the end.
func (t *Talk) Passages() []Passage {
	var out []Passage
	var failed []string
	for _, j := range t.tasks {
		switch {
		case j.answer == nil || !j.vain() && !j.idle():
			out = append(out, j.passages()...)
		case j.vain() && len(j.makers) == 0:
			failed = append(failed, "- "+escape(subject(j.request)))
		}
	}
	if len(out) > 0 && len(failed) > 0 {
		o := outline.Outline{Language: tools.Language(t.Title(""))}
		out = append(out, Passage{Heading: noResult(&o), Text: strings.Join(failed, "\n")})
	}
	return out
}

func noResult(o *outline.Outline) string {
	return o.Words("没有结果的问题", "Questions without a result")
}

// Of are the passages for a document that is asked for in a task: what that task has found so far; if it has found nothing, the newest task before
// it that did, or, with all, everything before.
func (t *Talk) Of(task string, all bool) []Passage {
	end := slices.IndexFunc(t.tasks, func(j *job) bool { return j.id == task })
	if end < 0 {
		end = len(t.tasks) - 1
	}
	var out []Passage
	for i := end; i >= 0; i-- {
		if t.tasks[i].refused() {
			continue
		}
		if t.tasks[i].vain() && !all {
			if t.tasks[i].pointsBack() {
				continue
			}
			break // what was found before that is not what is meant
		}
		if found := t.tasks[i].passages(); len(found) > 0 && !t.tasks[i].idle() {
			out = append(found, out...)
			if !all {
				break
			}
		}
	}
	return out
}

// before is what was asked for before a task, in short; "" when it is the first.
func (t *Talk) before(task string) string {
	if at := slices.IndexFunc(t.tasks, func(j *job) bool { return j.id == task }); at > 0 {
		return subject(t.tasks[at-1].request)
	}
	return ""
}

// Drafts are the sections that were written in a task and are in no document yet.
func (t *Talk) Drafts(task string) []outline.Section {
	for _, j := range t.tasks {
		if j.id == task {
			return slices.Clone(j.drafts)
		}
	}
	return nil
}

// Unfinished are the drafts of the task before one, when its writer came to no end, and what that task was about: they are what is asked for then.
// nil when it did, or wrote none.
func (t *Talk) Unfinished(task string) (drafts []outline.Section, title string) {
	at := slices.IndexFunc(t.tasks, func(j *job) bool { return j.id == task })
	if at < 1 || len(t.tasks[at].found) > 0 || len(t.tasks[at-1].drafts) == 0 {
		return nil, ""
	}
	return slices.Clone(t.tasks[at-1].drafts), subject(t.tasks[at-1].request)
}

// passages are what one task found: its answer, or, while there is none or it speaks of a document, what its agents brought.
func (j *job) passages() []Passage {
	if j.answer != nil && len(j.makers) == 0 {
		if text := prose(j.answer.Observation); text != "" {
			return []Passage{j.headed(Passage{Text: text, Results: j.results})}
		}
	}
	var out []Passage
	for _, r := range j.found {
		if text := prose(r.Observation); text != "" && !j.makers[r.Child] {
			out = append(out, Passage{Heading: wanted(r.JobDesc), Text: text, Results: j.results})
		}
	}
	if len(out) == 1 || len(out) > 0 && out[0].Heading == "" {
		out[0] = j.headed(out[0])
	}
	return out
}

// headed is a passage below what its task was asked for, with the whole request where that is too long for a heading.
func (j *job) headed(p Passage) Passage {
	p.Heading = subject(j.request)
	if p.Heading != topic(j.request) {
		p.Asked = outline.Clip(strings.Join(strings.Fields(j.request), " "), maxAsked)
	}
	return p
}

// maxAsked is how wide a request is told at most, above its answer.
const maxAsked = 1200

// wanted is what a job is about: its first line (what follows is the background), without the verb that a planner puts before a bare thing.
func wanted(job string) string {
	job, _, _ = strings.Cut(job, "\n")
	return subject(strings.TrimPrefix(strings.TrimPrefix(job, "查"), "Find "))
}

func isText(raw json.RawMessage) bool { return strings.HasPrefix(strings.TrimSpace(string(raw)), `"`) }

// prose is an observation as Markdown: a text is one already, of an object the summary and its lists.
func prose(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text)
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	var b strings.Builder
	if o, ok := v.(map[string]any); ok {
		for _, name := range []string{"summary", "answer", "text", "note"} {
			if s, ok := o[name].(string); ok && s != "" {
				b.WriteString(escape(s) + "\n\n")
			}
		}
	}
	lists(v, 0, func(rows []map[string]any) {
		t := tableOf(rows)
		b.WriteString(pipes(&outline.Outline{}, t))
	})
	return strings.TrimSpace(b.String())
}
