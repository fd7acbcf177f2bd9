package plan

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/render"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// part is what one call adds to the answer.
type part struct {
	heading string
	text    string
}

// compose makes the answer from the observations of the terminal tools: nothing stands in it that no observation says. ""
// when nothing was observed.
func (r *round) compose() string {
	var parts []part
	var vain []Done
	calls := r.latest()
	held := r.compared(calls)
	for _, d := range calls {
		if t := r.behind(d); !r.terminal(d) || t != nil && t.told {
			continue
		}
		if no := refusedWith(d, calls); len(no) > 1 || len(no) == 1 && r.among(d, calls) != "" { // told once for all of them
			if key(no[0].Action) == key(d.Action) {
				parts = append(parts, part{"", r.refusals(no, calls)})
			}
			continue
		}
		p := part{r.heading(d, calls), r.warned(d, calls)}
		if d.Status != bus.OK && slices.ContainsFunc(parts, func(o part) bool { return o.text == p.text }) {
			continue // another tool failed for the same reason
		}
		if d.Status != bus.OK && slices.ContainsFunc(vain, func(o Done) bool { return r.x.askedSame(o, d) }) {
			continue // and this one was asked the same of the same file: one reason is enough
		}
		if d.Status != bus.OK {
			vain = append(vain, d)
		}
		parts = append(parts, p)
	}
	hindered := false
	for _, t := range r.targets {
		hindered = hindered || len(r.hindered[t.e]) > 0
	}
	if len(parts)+len(r.notDone) == 0 && !hindered && held == "" { // only providers ran, and what they found was not enough to go on
		for _, d := range calls {
			if d.Status != bus.OK || empty(d.Observation) {
				return r.orOfShop(r.told(d))
			}
			parts = append(parts, part{r.heading(d, calls), r.told(d)})
		}
	}
	if len(parts)+len(r.notDone) == 0 && !hindered && held == "" {
		return ""
	}
	for _, c := range r.unmet {
		if a := r.g.act(c); a != nil && a.Do.Undoable() {
			continue
		}
		parts = append(parts, part{strip(c.Text), words.Say(r.g.lang, "这一部分我没有合适的工具。", "I have no tool for this part.")})
	}
	var b strings.Builder
	if held != "" {
		b.WriteString(held + "\n\n")
	}
	if len(parts) == 1 {
		b.WriteString(parts[0].text + "\n\n")
		parts = nil
	}
	for _, p := range parts {
		if p.heading != "" {
			b.WriteString("**" + p.heading + "**\n\n")
		}
		b.WriteString(p.text + "\n\n")
	}
	if s := r.besides(calls); s != "" {
		b.WriteString(s + "\n\n")
	}
	for _, t := range r.targets {
		if s := r.hindrances(t); s != "" {
			b.WriteString(s + "\n\n")
		}
		if s := r.left(t); s != "" && slices.ContainsFunc(calls, func(d Done) bool { return d.Action.ToolName == t.e.Name && !refused(d) }) {
			b.WriteString(s + "\n\n")
		}
		switch {
		case !r.idle(t) && !r.passedOver(t):
		case t.stuck:
			b.WriteString(words.Say(r.g.lang, "没有执行：%s。它前面的一步没有完成。", "Not done: %s. What comes before it could not be done.", strip(r.g.wording(t.clause))) + "\n\n")
		default:
			b.WriteString(words.Say(r.g.lang, "没有执行：%s。前面没有找到可以这样处理的对象。", "Not done: %s. Nothing was found to do it to.", strip(r.g.wording(t.clause))) + "\n\n")
		}
	}
	if s := r.onDisk(); s != "" {
		b.WriteString(s + "\n\n")
	}
	if no := r.undone(); no != "" {
		b.WriteString(no + "\n\n")
	}
	for _, s := range r.notDone {
		b.WriteString(s + "\n\n")
	}
	return r.orOfShop(strings.TrimSpace(b.String()))
}

// warned is what a call gave, after the line that says what it does not hold to. Of several calls for one clause only the
// first says it.
func (r *round) warned(d Done, calls []Done) string {
	text := r.told(d)
	if d.Status != bus.OK {
		return text
	}
	t := r.behind(d)
	if t == nil {
		return text
	}
	work := r.work(t, d)
	if no := cmp.Or(r.notLeftOut(t, d, work.held), r.undoneUnknown(t)); no != "" {
		return no
	}
	if work.text != "" {
		text = work.text
		r.ex.Worked = append(r.ex.Worked, work.how)
	}
	if line := r.overBar(t, d); line != "" {
		text = strings.TrimSpace(line + "\n\n" + r.inShort(d))
	} else if line := r.figureFirst(t, d); line != "" && work.text == "" {
		text = line + "\n\n" + text
	}
	if line := r.heldAgainst(t, d); line != "" {
		text = line + "\n\n" + text
	}
	for _, c := range calls {
		if c.Action.ToolName == d.Action.ToolName {
			if key(c.Action) != key(d.Action) {
				return text
			}
			break
		}
	}
	if line := r.ignored(t, !empty(d.Observation), work.held); line != "" {
		return line + "\n\n" + text
	}
	return text
}

// told words how one call came out.
func (r *round) told(d Done) string {
	text := ""
	switch {
	case d.Status == bus.OK && (empty(d.Observation) || r.foreign(d)):
		text = r.nothing(d)
	case d.Status == bus.OK:
		text = r.render(d)
	default:
		return r.failure(d)
	}
	made := slices.DeleteFunc(slices.Clone(d.Files), func(f bus.File) bool {
		return strings.Contains(text, "("+f.Ref+")") || r.x.askedOf(d, f) // an agent's answer lists its own
	})
	if len(made) > 0 {
		text += "\n\n" + files(made, r.g.lang)
	}
	return strings.TrimSpace(text)
}

// foreign reports whether a tool says in another language than the request's that it found nothing.
func (r *round) foreign(d Done) bool {
	var m map[string]any
	if json.Unmarshal(d.Observation, &m) != nil || m["found"] != false {
		return false
	}
	text := render.Writer{Lang: r.g.lang}.Lead(m)
	return text != "" && r.g.lang == "en" && words.Language(text) != r.g.lang
}

// heading names the part of the answer that a call gives: by the clause behind it, or, where one tool was called several
// times, by what the calls differ in.
func (r *round) heading(d Done, calls []Done) string {
	if among := r.among(d, calls); among != "" {
		return among
	}
	if t := r.behind(d); t != nil && strip(r.g.wording(t.clause)) != "" {
		return strip(r.g.wording(t.clause))
	}
	if d.Status != bus.OK { // what it would have done is no heading for that it failed
		return ""
	}
	return r.title(d.Action)
}

// strip makes a heading of a clause.
func strip(s string) string {
	s = strings.Trim(s, " \n，,。.；;?？!！")
	if strings.Count(s, "`")%2 == 1 { // a clause that runs code ends where the code begins
		s = strings.TrimSuffix(s, "`")
	}
	return words.Short(strings.TrimRight(s, " :："), 60)
}

// among lists the arguments in which a call differs from the other calls of the same tool; "" when there are none.
func (r *round) among(d Done, calls []Done) string {
	e := r.x.byName[d.Action.ToolName]
	mine, ok := argumentMap(d.Action)
	if e == nil || !ok {
		return ""
	}
	var out []string
	for i := range e.Params {
		f := &e.Params[i]
		v := fields.Scalar(mine[f.Name], r.g.lang)
		if v != "" && slices.ContainsFunc(calls, func(o Done) bool {
			other, _ := argumentMap(o.Action)
			return o.Action.ToolName == d.Action.ToolName && fields.Scalar(other[f.Name], r.g.lang) != v
		}) {
			out = append(out, f.Label(r.g.lang)+" "+words.Short(v, 40))
		}
	}
	return strings.Join(out, words.Say(r.g.lang, "，", ", "))
}

// argumentMap reads the arguments of a tool call; false for a call of an agent.
func argumentMap(a bus.Action) (map[string]any, bool) {
	v, err := fields.Decode(a.Parameter)
	m, ok := v.(map[string]any)
	return m, err == nil && ok
}

// latest keeps the last try of each call.
func (r *round) latest() []Done {
	at := map[string]int{}
	var out []Done
	for _, d := range r.in.Done {
		if r.superseded(d) {
			continue
		}
		k := key(d.Action)
		if i, ok := at[k]; ok {
			out[i] = d
			continue
		}
		at[k] = len(out)
		out = append(out, d)
	}
	return out
}

// terminal reports whether a call was made for its own sake, not to fill a parameter.
func (r *round) terminal(d Done) bool {
	if len(r.targets) == 0 || r.targetNamed(d.Action.ToolName) {
		return true
	}
	if r.looked(d) {
		return d.Status != bus.OK && !r.down(d.Action.ToolName)
	}
	return d.Status != bus.OK && !r.served()
}

// served reports whether every clause has come to a result, so that a call that failed was replaced by another one.
func (r *round) served() bool {
	return !slices.ContainsFunc(r.g.clauses, func(c wishes.Clause) bool {
		return !slices.ContainsFunc(r.targets, func(t *target) bool {
			return t.clause.Start <= c.Start && c.End <= t.clause.End &&
				slices.ContainsFunc(r.in.Done, func(o Done) bool { return o.Action.ToolName == t.e.Name && o.Status == bus.OK })
		})
	})
}

// counts reports whether the clause behind a call asks for a number.
func (r *round) counts(d Done) bool {
	for _, t := range r.targets {
		if t.e.Name == d.Action.ToolName {
			return t.clause.Count
		}
	}
	return false
}

// nothing says that nothing was found, and by what it was looked for.
func (r *round) nothing(d Done) string {
	var by []string
	args, _ := argumentMap(d.Action)
	if e := r.x.byName[d.Action.ToolName]; e != nil {
		for i := range e.Params {
			f := &e.Params[i]
			if v := fields.Scalar(args[f.Name], r.g.lang); v != "" {
				by = append(by, f.Label(r.g.lang)+words.Say(r.g.lang, "：", ": ")+words.Short(v, 60))
			}
		}
	}
	if len(by) == 0 {
		return words.Say(r.g.lang, "没有找到相关的结果。", "Nothing was found.")
	}
	return words.Say(r.g.lang, "没有找到符合条件的结果（%s）。", "Nothing was found for %s.", strings.Join(by, words.Say(r.g.lang, "，", ", ")))
}

// empty reports whether an observation holds nothing: null, no text, no entries, or an object whose lists are all empty and
// whose counts are all zero.
func empty(raw json.RawMessage) bool {
	v, err := fields.Decode(raw)
	return err != nil || hollow(v)
}

func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		lists := false
		for _, e := range v {
			if l, ok := e.([]any); ok {
				lists = true
				if len(l) > 0 {
					return false
				}
			}
		}
		if !lists {
			return len(v) == 0
		}
		for _, e := range v {
			if s, ok := e.(string); ok && strings.TrimSpace(s) != "" {
				return false
			}
			if n, ok := e.(json.Number); ok && n.String() != "0" {
				return false
			}
		}
		return true
	}
	return false
}

// files lists artifacts by name.
func files(fs []bus.File, lang string) string {
	var b strings.Builder
	b.WriteString(words.Say(lang, "文件：\n", "Files:\n"))
	for _, f := range fs {
		b.WriteString("- [" + f.Name + "](" + f.Ref + ") " + f.Description + "\n")
	}
	return b.String()
}

// render words one observation by its shape, with the names that the tool's returns schema gives.
func (r *round) render(d Done) string {
	v, err := fields.Decode(d.Observation)
	if err != nil {
		return strings.TrimSpace(string(d.Observation))
	}
	w := render.Writer{Lang: r.g.lang, Asked: strings.ToLower(r.g.text), Count: r.counts(d), Tables: r.in.Output == "table", Most: r.most(d)}
	var f *fields.Field
	if e := r.x.byName[d.Action.ToolName]; e != nil && len(e.Returns) > 0 {
		f = &e.Result
	} else if e != nil {
		shape := fields.Shape(d.Observation)
		f = &shape
	}
	return strings.TrimSpace(w.Value(v, f, 0))
}

// plain is an observation as text.
func plain(raw json.RawMessage) string {
	v, err := fields.Decode(raw)
	if err != nil {
		return string(raw)
	}
	w := render.Writer{}
	return w.Value(v, nil, 0)
}
