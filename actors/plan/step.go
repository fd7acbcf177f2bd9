package plan

import (
	"strconv"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// steps lists what was done, what runs now and what comes later, and names the actions after their steps.
func (r *round) steps(actions []bus.Action, state map[*entry]bus.StepStatus) []bus.Step {
	var out []bus.Step
	ids := map[string]string{} // tool → its last step
	settled := map[string]int{}
	for _, d := range r.in.Done {
		id := d.Action.Step
		if id == "" {
			id = "s" + strconv.Itoa(len(out)+1)
		}
		s := bus.Step{ID: id, Title: r.title(d.Action), Status: bus.StepCompleted}
		if d.Status != bus.OK {
			s.Status, s.Note = bus.StepFailed, reason(d)
		} else if empty(d.Observation) {
			s.Note = say(r.g.lang, "没有结果", "nothing found")
		}
		if i, ok := settled[id]; ok { // tried again: the last try counts
			out[i] = s
			continue
		}
		settled[id] = len(out)
		ids[d.Action.ToolName] = id
		out = append(out, s)
	}
	next := len(out)
	for _, e := range r.best.ordered() {
		if state[e] == bus.StepCompleted || state[e] == bus.StepFailed {
			continue
		}
		var after []string
		for _, p := range r.best.providers(e) {
			if id := ids[p.Name]; id != "" {
				after = append(after, id)
			}
		}
		if t := r.target(e); t != nil && t.clause.after {
			if b := r.before(t); b != nil && ids[b.Name] != "" {
				after = append(after, ids[b.Name])
			}
		}
		running := false
		for i := range actions {
			if actions[i].ToolName != e.Name || actions[i].Step != "" {
				continue
			}
			running = true
			id := ""
			if d, ok := r.done[key(actions[i])]; ok {
				id = d.Action.Step // the same step, tried again
			}
			if j, ok := settled[id]; ok && id != "" {
				out[j].Status, out[j].Note = bus.InProgress, say(r.g.lang, "重试", "trying again")
			} else {
				next++
				id = "s" + strconv.Itoa(next)
				out = append(out, bus.Step{ID: id, Title: r.title(actions[i]), Status: bus.InProgress, After: after})
			}
			actions[i].Step = id
			actions[i].ID = "t" + strings.TrimPrefix(id, "s")
			ids[e.Name] = id
		}
		if running {
			continue
		}
		next++
		id := "s" + strconv.Itoa(next)
		ids[e.Name] = id
		out = append(out, bus.Step{ID: id, Title: r.title(bus.Action{ToolName: e.Name, JobDesc: r.jobOf(e)}), Status: state[e], After: after})
	}
	for _, c := range r.unmet {
		next++
		out = append(out, bus.Step{ID: "s" + strconv.Itoa(next), Title: short(c.text, 60), Status: bus.StepBlocked, Note: say(r.g.lang, "没有合适的工具", "no tool fits")})
	}
	if len(out) == 1 && len(actions) == 1 && len(r.in.Done) == 0 && r.in.Mode != bus.Plan {
		actions[0].ID, actions[0].Step = "", ""
	}
	return out
}

func (r *round) jobOf(e *entry) string {
	if !e.IsAgent() {
		return ""
	}
	if t := r.target(e); t != nil {
		return r.job(t)
	}
	for _, c := range r.best.choices { // it was brought in to find something out
		if c.provider == e {
			var about []string
			for _, f := range r.g.facts {
				if f.kind != factNumber && f.kind != factDate {
					about = append(about, f.text)
				}
			}
			return say(r.g.lang, "查一下%s的%s", "Find the %[2]s of %[1]s", strings.Join(about, say(r.g.lang, "、", ", ")), c.field.label(r.g.lang))
		}
	}
	return r.g.text
}

// title names an action for people.
func (r *round) title(a bus.Action) string {
	if a.JobDesc != "" {
		text, _, _ := strings.Cut(a.JobDesc, "\n")
		return short(text, 60)
	}
	e := r.x.byName[a.ToolName]
	if e == nil {
		return a.ToolName
	}
	return short(e.called(r.g.lang), 60)
}

// job words what an agent shall do: the whole request when it is the only one, else its clause with the things that the
// other clauses named, and the whole request as context.
func (r *round) job(t *target) string {
	if t == nil {
		return r.g.text
	}
	if len(r.targets) == 1 && len(r.unmet) == 0 {
		return r.g.text
	}
	c := t.clause
	text := strings.TrimRight(c.text, "。；;. ")
	trade := map[string]bool{}
	for _, e := range r.x.entries {
		for w := range e.vocab {
			trade[w] = true
		}
	}
	if len(within(r.g.facts, c.start, c.end)) == 0 && residue(r.g.text, c.start, c.end, r.g.facts, trade) == "" {
		if about := r.about(c, trade); len(about) > 0 {
			if r.g.lang == "zh" {
				text += "（" + strings.Join(about, "，") + "）"
			} else {
				text += " (" + strings.Join(about, ", ") + ")"
			}
		}
	}
	context := r.g.text
	if t.clause.after {
		for _, d := range r.in.Done {
			if d.Status == bus.OK && d.Action.JobDesc != "" && r.before(t) != nil && d.Action.ToolName == r.before(t).Name {
				context += say(r.g.lang, "\n已有结果：", "\nResult so far: ") + short(plain(d.Observation), 1500)
			}
		}
	}
	return text + say(r.g.lang, "\n背景：", "\nContext: ") + context
}

// about lists the things and days that the other clauses speak of.
func (r *round) about(c clause, trade map[string]bool) []string {
	var out []string
	add := func(s string) {
		for _, o := range out {
			if o == s {
				return
			}
		}
		if len(out) < 6 {
			out = append(out, s)
		}
	}
	for _, o := range r.g.clauses {
		if o.start == c.start {
			continue
		}
		for _, s := range residues(r.g.text, o.start, o.end, r.g.facts, trade) {
			add(s)
		}
		for _, f := range within(r.g.facts, o.start, o.end) {
			if f.kind != factNumber {
				add(f.text)
			}
		}
	}
	return out
}

func (r *round) targetNamed(name string) bool {
	for _, t := range r.targets {
		if t.e.Name == name {
			return true
		}
	}
	return false
}
