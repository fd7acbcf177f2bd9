package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
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
			b.WriteString(g.how + words.Say(g.lang, "。", ". "))
		}
		b.WriteString(words.Say(g.lang, "目标：%s。", "Goal: %s. ", words.Short(strings.TrimRight(strings.ReplaceAll(g.said(), "\n", " "), "。.?？ "), 70)))
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
			b.WriteString(words.Say(g.lang, "；", ". "))
		}
		b.WriteString(r.why(r.x.byName[name], calls[name], room))
	}
	if len(tools) > 0 {
		b.WriteString(words.Say(g.lang, "。", ". "))
		if n := r.later(); n > 0 {
			b.WriteString(words.Say(g.lang, "之后还有 %d 步。", "%d more to follow.", n))
		}
	}
	return words.Short(b.String()+end, maxThought)
}

// waiting says whose results are still to come.
func (r *round) waiting() string {
	var names []string
	for _, a := range r.in.Running {
		if !slices.Contains(names, a.ToolName) {
			names = append(names, a.ToolName)
		}
	}
	return words.Short(words.Say(r.g.lang, "还在等 %s 的结果。", "Waiting for %s.", strings.Join(names, words.Say(r.g.lang, "、", ", "))), maxThought)
}

// later is how many tools of the plan come after this round.
func (r *round) later() int {
	if len(r.in.Done) > 0 {
		return 0
	}
	n := 0
	for _, e := range r.best.Tools {
		if !slices.ContainsFunc(r.ready, func(a bus.Action) bool { return a.ToolName == e.Name }) {
			n++
		}
	}
	return n
}

// why says in about room runes what a tool is called for: what it does, with what, and what should come of it.
func (r *round) why(e *cards.Entry, calls []bus.Action, room int) string {
	lang := r.g.lang
	does := words.Short(e.Gist(lang), max(12, room/3))
	switch {
	case e.IsAgent() && r.targetNamed(e.Name) && lang == "zh":
		return fmt.Sprintf("交给 %s：这属于%s，期待它查清后回答", e.Name, does)
	case e.IsAgent() && r.targetNamed(e.Name):
		return fmt.Sprintf("Handed to %s (%s), whose answer is expected", e.Name, strings.TrimPrefix(words.Short(e.Ability(lang), 60), e.Name+": "))
	case e.IsAgent():
		return words.Say(lang, "先请 %s（%s）查明后面要用的信息", "First %s (%s) finds out what the next step needs", e.Name, does)
	}
	text := words.Say(lang, "调用 %s（%s）", "Call %s (%s)", e.Name, does)
	if !r.targetNamed(e.Name) {
		text = words.Say(lang, "先调用 %s（%s），取得后面要用的信息", "First call %s (%s) for what the next step needs", e.Name, does)
	}
	if with := r.with(e, calls, max(12, room/2)); with != "" {
		text += words.Say(lang, "，按%s", " with %s", with)
	}
	var expected []string
	for _, f := range e.Yields() {
		if label := f.Label(lang); len(expected) < 3 && !slices.Contains(expected, label) { // a list and its length may be called alike
			expected = append(expected, label)
		}
	}
	if len(expected) == 0 || !r.targetNamed(e.Name) {
		return text
	}
	return text + words.Say(lang, "，期待得到%s", ", expecting %s", words.Short(strings.Join(expected, words.Say(lang, "、", ", ")), max(12, room/3)))
}

// with words the arguments of calls of one tool.
func (r *round) with(e *cards.Entry, calls []bus.Action, room int) string {
	if len(calls) > 1 {
		return words.Say(r.g.lang, "%d 项分别进行", "each of %d things", len(calls))
	}
	args, _ := argumentMap(calls[0])
	var out []string
	for i := range e.Params {
		f := &e.Params[i]
		v := fields.Scalar(args[f.Name], r.g.lang)
		switch {
		case v == "":
		case f.Sort == fields.Query && strings.Contains(r.g.text, v): // the goal has just been said
			out = append(out, words.Say(r.g.lang, "用户的原话", "the user's words"))
		default:
			out = append(out, f.Within(r.g.lang)+words.Say(r.g.lang, "「%s」", " “%s”", words.Short(v, 30)))
		}
	}
	return words.Short(strings.Join(out, words.Say(r.g.lang, "、", ", ")), room)
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
	return words.Short(strings.Join(parts, words.Say(r.g.lang, "；", "; ")), maxThought-1) + words.Say(r.g.lang, "。", ".")
}

func (r *round) judge(d Done) string {
	lang, name := r.g.lang, d.Action.ToolName
	switch {
	case d.Status == bus.Cancelled:
		return words.Say(lang, "%s 被取消", "%s was cancelled", name)
	case d.Status != bus.OK:
		return words.Say(lang, "%s 失败：%s", "%s failed: %s", name, strings.TrimRight(words.Short(reason(d), 80), "。."))
	case empty(d.Observation):
		return words.Say(lang, "%s 没有返回内容", "%s found nothing", name)
	case r.targetNamed(name):
		return words.Say(lang, "%s 给出了所问的结果", "%s holds what was asked", name) + r.size(d.Observation)
	}
	return words.Say(lang, "%s 给出了下一步要用的信息", "%s holds what the next step needs", name) + r.size(d.Observation)
}

// size says how many things an observation lists; "" when it lists none.
func (r *round) size(raw json.RawMessage) string {
	v, _ := fields.Decode(raw)
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
	return words.Say(r.g.lang, "（%d 条）", " (%d)", n)
}

// roundOf is the part of a child's id that names its round; see bus.ChildID.
func roundOf(call string) string {
	if i := strings.LastIndexByte(call, '-'); i > 0 {
		return call[:i]
	}
	return ""
}
