package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// maxThought bounds a thought and a critique, in runes; what is quoted in them is cut long before.
const maxThought = 200

// thought says the goal, why these tools, and what is expected of them. After the first round the goal is not said again.
func (r *round) thought(actions []bus.Action, end string) string {
	g := &r.g
	var b strings.Builder
	if len(r.in.Done) == 0 {
		if g.how != "" {
			b.WriteString(g.how + say(g.lang, "。", ". "))
		}
		b.WriteString(say(g.lang, "目标：%s。", "Goal: %s. ", short(strings.TrimRight(strings.ReplaceAll(g.text, "\n", " "), "。.?？ "), 70)))
	}
	var tools []string
	calls := map[string][]bus.Action{}
	for _, a := range actions {
		if calls[a.ToolName] == nil {
			tools = append(tools, a.ToolName)
		}
		calls[a.ToolName] = append(calls[a.ToolName], a)
	}
	room := 100 / max(1, len(tools))
	for i, name := range tools {
		if i > 0 {
			b.WriteString(say(g.lang, "；", ". "))
		}
		b.WriteString(r.why(r.x.byName[name], calls[name], room))
	}
	if len(tools) > 0 {
		b.WriteString(say(g.lang, "。", ". "))
		if n := r.later(); n > 0 {
			b.WriteString(say(g.lang, "之后还有 %d 步。", "%d more to follow.", n))
		}
	}
	return short(b.String()+end, maxThought)
}

// waiting says whose results are still to come.
func (r *round) waiting() string {
	var names []string
	for _, a := range r.in.Running {
		if !slices.Contains(names, a.ToolName) {
			names = append(names, a.ToolName)
		}
	}
	return short(say(r.g.lang, "还在等 %s 的结果。", "Waiting for %s.", strings.Join(names, say(r.g.lang, "、", ", "))), maxThought)
}

// later is how many tools of the plan come after this round.
func (r *round) later() int {
	if len(r.in.Done) > 0 {
		return 0
	}
	n := 0
	for _, e := range r.best.tools {
		if !slices.ContainsFunc(r.ready, func(a bus.Action) bool { return a.ToolName == e.Name }) {
			n++
		}
	}
	return n
}

// why says in about room runes what a tool is called for: what it does, with what, and what should come of it.
func (r *round) why(e *entry, calls []bus.Action, room int) string {
	lang := r.g.lang
	does := short(e.gist(lang), max(12, room/3))
	switch {
	case e.IsAgent() && r.targetNamed(e.Name) && lang == "zh":
		return fmt.Sprintf("交给 %s：这属于%s，期待它查清后回答", e.Name, does)
	case e.IsAgent() && r.targetNamed(e.Name):
		return fmt.Sprintf("Handed to %s (%s), whose answer is expected", e.Name, strings.TrimPrefix(short(e.ability(lang), 60), e.Name+": "))
	case e.IsAgent():
		return say(lang, "先请 %s（%s）查明后面要用的信息", "First %s (%s) finds out what the next step needs", e.Name, does)
	}
	text := say(lang, "调用 %s（%s）", "Call %s (%s)", e.Name, does)
	if !r.targetNamed(e.Name) {
		text = say(lang, "先调用 %s（%s），取得后面要用的信息", "First call %s (%s) for what the next step needs", e.Name, does)
	}
	if with := r.with(e, calls, max(12, room/2)); with != "" {
		text += say(lang, "，按%s", " with %s", with)
	}
	var expected []string
	for _, f := range e.yields() {
		if len(expected) < 3 {
			expected = append(expected, f.label(lang))
		}
	}
	if len(expected) == 0 || !r.targetNamed(e.Name) {
		return text
	}
	return text + say(lang, "，期待得到%s", ", expecting %s", short(strings.Join(expected, say(lang, "、", ", ")), max(12, room/3)))
}

// with words the arguments of calls of one tool.
func (r *round) with(e *entry, calls []bus.Action, room int) string {
	if len(calls) > 1 {
		return say(r.g.lang, "%d 项分别进行", "each of %d things", len(calls))
	}
	args, _ := argumentMap(calls[0])
	var out []string
	for i := range e.params {
		f := &e.params[i]
		v := scalar(args[f.Name], r.g.lang)
		switch {
		case v == "":
		case f.Sort == sortQuery && strings.Contains(r.g.text, v): // the goal has just been said
			out = append(out, say(r.g.lang, "用户的原话", "the user's words"))
		default:
			out = append(out, f.label(r.g.lang)+say(r.g.lang, "「%s」", " “%s”", short(v, 30)))
		}
	}
	return short(strings.Join(out, say(r.g.lang, "、", ", ")), room)
}

// yields are the fields of a tool's result that people would name, in the order of its schema.
func (e *entry) yields() []*field {
	m := map[string]any{}
	for _, f := range e.returns {
		m[f.Name] = nil
	}
	var out []*field
	for _, k := range keys(m, &e.result) {
		if f := child(&e.result, k); f.Type != "boolean" && k != "note" && !strings.HasSuffix(k, "_en") {
			out = append(out, f)
		}
	}
	return out
}

// critique judges the observations of the last round; "" before the first.
func (r *round) critique() string {
	if len(r.in.Done) == 0 {
		return ""
	}
	var parts []string
	last := roundOf(r.in.Done[len(r.in.Done)-1].Call)
	for _, d := range r.in.Done {
		if roundOf(d.Call) == last {
			if p := r.judge(d); !slices.Contains(parts, p) { // of several calls of one tool each verdict is said once
				parts = append(parts, p)
			}
		}
	}
	return short(strings.Join(parts, say(r.g.lang, "；", "; ")), maxThought-1) + say(r.g.lang, "。", ".")
}

func (r *round) judge(d Done) string {
	lang, name := r.g.lang, d.Action.ToolName
	switch {
	case d.Status == bus.Cancelled:
		return say(lang, "%s 被取消", "%s was cancelled", name)
	case d.Status != bus.OK:
		return say(lang, "%s 失败：%s", "%s failed: %s", name, strings.TrimRight(short(reason(d), 80), "。."))
	case empty(d.Observation):
		return say(lang, "%s 没有返回内容", "%s found nothing", name)
	case r.targetNamed(name):
		return say(lang, "%s 给出了所问的结果", "%s holds what was asked", name) + r.size(d.Observation)
	}
	return say(lang, "%s 给出了下一步要用的信息", "%s holds what the next step needs", name) + r.size(d.Observation)
}

// size says how many things an observation lists; "" when it lists none.
func (r *round) size(raw json.RawMessage) string {
	v, _ := decode(raw)
	n := 0
	switch v := v.(type) {
	case []any:
		n = len(v)
	case map[string]any:
		for _, e := range v {
			if l, ok := e.([]any); ok {
				n = max(n, len(l))
			}
		}
	}
	if n == 0 {
		return ""
	}
	return say(r.g.lang, "（%d 条）", " (%d)", n)
}

// roundOf is the part of a child's id that names its round; see bus.ChildID.
func roundOf(call string) string {
	if i := strings.LastIndexByte(call, '-'); i > 0 {
		return call[:i]
	}
	return ""
}

// say picks the language and fills the values in.
func say(lang, zh, en string, args ...any) string {
	if lang == "zh" {
		en = zh
	}
	if len(args) == 0 {
		return en
	}
	return fmt.Sprintf(en, args...)
}
