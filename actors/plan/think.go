package plan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/bus"
)

// round is the work of one call of Think.
type round struct {
	x  *Index
	in Input
	g  goal
	ex *Explain
	// targets are the terminal tools; best the plan that leads to them.
	targets []*target
	unmet   []clause
	best    solution
	ready   []bus.Action    // what this round dispatches
	done    map[string]Done // by key
}

// Think decides the next round of a task from all that is known. Called again with the results of its actions in in.Done it
// plans anew, so the plan follows what was observed. It never repeats a call that ended.
func (x *Index) Think(in Input) Outcome {
	r := &round{x: x, in: in, g: x.understand(in), done: map[string]Done{}}
	r.ex = r.g.explain()
	out := r.think()
	out.Explain = r.ex
	out.Critique = r.critique()
	return out
}

func (r *round) think() Outcome {
	x, g := r.x, &r.g
	if len(r.in.Done) == 0 && g.how == "" && len(g.given) == 0 && SmallTalk(g.text) {
		return Outcome{Thought: say(g.lang, "只是寒暄，不需要工具。", "Small talk; no tool is needed."), Answer: x.introduce(g.lang, g.text)}
	}
	for _, d := range r.in.Done {
		r.done[key(d.Action)] = d
	}
	r.targets, r.unmet = x.targets(g, r.barred(), r.ex)
	if len(r.targets) == 0 {
		if a := r.compose(); a != "" {
			return Outcome{Thought: say(g.lang, "能查的都查过了，按已有的结果回答。", "All that can be tried was tried; answering from what there is."), Answer: a}
		}
		return Outcome{Thought: say(g.lang, "没有合适的工具。", "No tool fits."), Answer: x.cannot(g.lang, g.text)}
	}
	r.best = x.solve(g, r.targets)
	r.ex.Search, r.ex.Cost, r.ex.Expanded, r.ex.Bounded = r.best.String(), round3(max(0, r.best.cost)), r.best.expanded, r.best.bounded

	actions, ask, steps := r.next()
	r.ready = actions
	out := Outcome{Actions: actions, Ask: ask}
	if len(steps) > 1 || r.in.Mode == bus.Plan {
		out.Plan = &bus.PlanBody{Title: short(g.text, 60), Steps: steps}
	}
	switch {
	case ask != nil:
		out.Actions = nil
		out.Thought = r.thought(nil, say(g.lang, "还缺少只有用户知道的信息，先反问。", "A fact is missing that only the user has; asking."))
	case len(actions) > 0:
		out.Thought = r.thought(actions, "")
	default:
		if out.Answer = r.compose(); out.Answer == "" {
			out.Answer = say(g.lang, "工具给出的结果里没有可以回答这个问题的内容。", "What the tools gave holds no answer to this.")
		}
		out.Thought = r.thought(nil, say(g.lang, "结果已经足够，整理成回答。", "The results are enough; composing the answer."))
	}
	return out
}

// key identifies a call: the same tool with the same arguments is the same call.
func key(a bus.Action) string {
	if a.JobDesc != "" {
		return a.ToolName + "\x00" + a.JobDesc
	}
	var v any
	if len(a.Parameter) == 0 || json.Unmarshal(a.Parameter, &v) != nil || v == nil {
		v = map[string]any{}
	}
	canonical, err := json.Marshal(v)
	if err != nil {
		return a.ToolName
	}
	return a.ToolName + "\x00" + string(canonical)
}

// maxTries is how often a call that failed for a passing reason is made again.
const maxTries = 2

// barred are the tools that failed for good in this task, with the reason: another path is looked for.
func (r *round) barred() map[string]string {
	out := map[string]string{}
	tries := map[string]int{}
	for _, d := range r.in.Done {
		if d.Status != bus.Failed {
			continue
		}
		k := key(d.Action)
		tries[k]++
		if d.Error == nil || !d.Error.Retryable || tries[k] >= maxTries {
			out[d.Action.ToolName] = "failed in this task: " + reason(d)
		}
	}
	return out
}

func reason(d Done) string {
	if d.Error != nil {
		return short(d.Error.Message, 200)
	}
	return string(d.Status)
}

// solve finds the cheapest plan that gives the targets what they need.
func (x *Index) solve(g *goal, targets []*target) solution {
	bound := map[*entry]map[string]binding{}
	var goals []*entry
	for _, t := range targets {
		goals = append(goals, t.e)
		bound[t.e] = t.bound
	}
	whole := clause{text: g.text, end: len(g.text)}
	pool := x.pool(g, targets)
	bindings := func(e *entry) map[string]binding {
		if b, ok := bound[e]; ok {
			return b
		}
		b := x.bind(e, g, whole)
		bound[e] = b
		return b
	}
	memo := map[need][]option{}
	p := problem{goals: goals, bound: x.options.Bound, greedy: x.options.Without.Optimiser}
	if p.bound <= 0 {
		p.bound = defaultBound
	}
	p.needs = func(e *entry) []need {
		var out []need
		for _, f := range e.required() {
			out = append(out, need{e, f})
		}
		if f := e.oneOf(bindings(e)); f != nil {
			out = append(out, need{e, f})
		}
		return out
	}
	p.fixed = func(e *entry) float64 {
		if slices.Contains(goals, e) {
			return 0
		}
		c := costTool + e.Cost
		if e.IsAgent() {
			if c *= 2; !g.names() {
				c += costAsk
			}
		} else if len(e.params) > 0 && !informed(bindings(e)) {
			c += costAsk // a list of everything tells nothing about what the user means
		}
		return c
	}
	p.options = func(n need) []option {
		if os, ok := memo[n]; ok {
			return os
		}
		var os []option
		if b, ok := bindings(n.taker)[n.field.Name]; ok {
			os = append(os, option{known: &b, cost: (1 - b.sure) * costUnsure})
		}
		if !x.options.Without.DAG && n.field.observable(n.taker) {
			for _, e := range pool {
				if e.Name == n.taker.Name || !e.reads() {
					continue
				}
				if e.IsAgent() {
					if !n.taker.IsAgent() && e.canTell(n.field) {
						os = append(os, option{provider: e, cost: costUnsure / 2})
					}
					continue
				}
				if ed, ok := x.shape.best(e, n.taker, n.field, minInsert); ok {
					os = append(os, option{provider: e, edge: ed, cost: (1 - ed.sure) * costUnsure})
				}
			}
		}
		os = append(os, option{cost: costAsk})
		slices.SortStableFunc(os, func(a, b option) int {
			switch {
			case a.cost < b.cost:
				return -1
			case a.cost > b.cost:
				return 1
			}
			return 0
		})
		memo[n] = os
		return os
	}
	return p.solve()
}

// observable reports whether the field may be filled from an observation: what a change consists in (the new state, the text
// to send, the price to set) is the user's to say, only what it is done to may be looked up.
func (f *field) observable(taker *entry) bool {
	return len(f.Needs) > 0 || f.Sort == sortID || f.Sort == sortPhone || f.Sort == sortPerson || taker.reads() && f.Sort != sortEnum
}

// minInsert is how sure an edge must be to bring in a tool that nobody asked for.
const minInsert = 0.5

// canTell reports whether an agent may find out what the field wants: a value that can be read out of its words again, of a
// kind that it speaks about.
func (e *entry) canTell(f *field) bool {
	if f.Sort != sortID && f.Sort != sortPhone || f.Sort == sortID && f.Pattern == nil && len(f.Lengths) == 0 {
		return false
	}
	for _, w := range content(f.head()) {
		if e.vocab[w] {
			return true
		}
	}
	return false
}

// names reports whether the user named anything that something else can be found by.
func (g *goal) names() bool {
	for _, f := range g.facts {
		switch f.kind {
		case factPerson, factPhone, factDigits, factCode, factQuote:
			return true
		}
	}
	return false
}

// informed reports whether a call would carry anything that the user said.
func informed(bs map[string]binding) bool {
	for _, b := range bs {
		if b.why != "default" && b.why != "enum" && b.why != "question" && b.why != "boolean" && b.why != "date" {
			return true
		}
	}
	return false
}

// pool are the tools that may provide: the targets, then all of a small house, else the nearest to the request.
func (x *Index) pool(g *goal, targets []*target) []*entry {
	var out []*entry
	names := map[string]bool{}
	for _, t := range targets {
		out = append(out, t.e)
		names[t.e.Name] = true
	}
	rest := x.entries
	if len(rest) > smallHouse {
		rest = nil
		for _, r := range x.rank(g.text) {
			if len(rest) == 24 {
				break
			}
			rest = append(rest, r.e)
		}
	}
	for _, e := range rest {
		if !names[e.Name] {
			out = append(out, e)
		}
	}
	return out
}

// next turns the plan into what can run now, what must be asked, and the steps as they stand.
func (r *round) next() (actions []bus.Action, ask *bus.Ask, steps []bus.Step) {
	g := &r.g
	var missing []need
	state := map[*entry]bus.StepStatus{}
	barred := r.barred()
	for _, e := range r.best.ordered() {
		state[e] = bus.NotStarted
		t := r.target(e)
		calls, gaps, wait := r.calls(e)
		if t != nil && t.clause.after {
			if before := r.before(t); before != nil && state[before] != bus.StepCompleted {
				wait = true
				if state[before] == bus.StepFailed || state[before] == bus.StepBlocked {
					state[e] = bus.StepBlocked
				}
			}
		}
		for _, p := range r.best.providers(e) {
			if state[p] == bus.StepFailed || state[p] == bus.StepBlocked {
				state[e], wait = bus.StepBlocked, true
			}
		}
		missing = append(missing, gaps...)
		if len(gaps) > 0 || wait {
			if len(gaps) > 0 && !wait {
				state[e] = bus.StepBlocked
			}
			continue
		}
		todo, failed, finished := 0, 0, 0
		for _, a := range calls {
			d, ok := r.done[key(a)]
			switch {
			case !ok, d.Status == bus.Failed && barred[e.Name] == "" && retry(d):
				actions = append(actions, a)
				todo++
			case d.Status == bus.OK:
				finished++
			default:
				failed++
			}
		}
		switch {
		case todo > 0:
			state[e] = bus.InProgress
		case finished > 0:
			state[e] = bus.StepCompleted
		case failed > 0:
			state[e] = bus.StepFailed
		default:
			state[e] = bus.StepBlocked // its provider gave nothing to go on with
		}
	}
	if len(actions) > MaxActions {
		actions = actions[:MaxActions]
	}
	steps = r.steps(actions, state)
	if len(actions) == 1 && len(r.best.tools) == 1 && len(r.in.Done) == 0 && r.x.byName[actions[0].ToolName].IsAgent() && len(r.unmet) == 0 {
		actions[0].TrustMode = 1 // its answer is the answer
	}
	if len(actions) == 0 && len(missing) > 0 {
		ask = r.question(missing)
	} else if ask = r.which(actions); ask != nil {
		actions = nil
	}
	_ = g
	return actions, ask, steps
}

func retry(d Done) bool { return d.Error != nil && d.Error.Retryable }

func (r *round) target(e *entry) *target {
	for _, t := range r.targets {
		if t.e == e {
			return t
		}
	}
	return nil
}

// before is the target of the clause before.
func (r *round) before(t *target) *entry {
	for i, o := range r.targets {
		if o == t && i > 0 {
			return r.targets[i-1].e
		}
	}
	return nil
}

// maxFan is how many calls one step may become when its provider found several things.
const maxFan = 5

// calls are the calls of one tool of the plan. gaps are the parameters that only the user can tell; wait: a provider has not
// ended yet. A provider that found several things makes several calls.
func (r *round) calls(e *entry) (out []bus.Action, gaps []need, wait bool) {
	if e.IsAgent() {
		return []bus.Action{{ToolName: e.Name, JobDesc: r.jobOf(e)}}, nil, false
	}
	base := map[string]any{}
	t := r.target(e)
	var bs map[string]binding
	if t != nil {
		bs = t.bound
	} else {
		bs = r.x.bind(e, &r.g, clause{text: r.g.text, end: len(r.g.text)})
	}
	for name, b := range bs {
		base[name] = b.value
	}
	fan := []map[string]any{base}
	for _, c := range r.best.choices {
		if c.taker != e {
			continue
		}
		switch {
		case c.known != nil:
		case c.provider == nil:
			gaps = append(gaps, c.need)
		default:
			values, ok := r.observed(c)
			if !ok {
				return nil, gaps, true
			}
			if len(values) > maxFan {
				values = values[:maxFan]
			}
			var wider []map[string]any
			for _, args := range fan {
				for _, v := range values {
					m := map[string]any{}
					for k, v := range args {
						m[k] = v
					}
					m[c.field.Name] = v
					wider = append(wider, m)
				}
			}
			fan = wider[:min(len(wider), maxFan)]
		}
	}
	if len(gaps) > 0 {
		return nil, gaps, false
	}
	for _, args := range fan {
		out = append(out, bus.Action{ToolName: e.Name, Parameter: arguments(args)})
	}
	return out, nil, false
}

// observed gives the values that a provider's observations hold for a choice; false while it has not ended.
func (r *round) observed(c choice) ([]any, bool) {
	calls, gaps, wait := r.calls(c.provider)
	if len(gaps) > 0 || wait {
		return nil, false
	}
	var out []any
	seen := map[string]bool{}
	for _, a := range calls {
		d, ok := r.done[key(a)]
		if !ok {
			return nil, false
		}
		if d.Status != bus.OK {
			continue
		}
		values := dig(d.Observation, c.edge.path)
		if c.provider.IsAgent() {
			values = r.spoken(d.Observation, c.field)
		}
		for _, v := range values {
			if s := fmt.Sprint(v); !seen[s] {
				seen[s] = true
				out = append(out, fit(c.field, v))
			}
		}
	}
	return out, true
}

// spoken reads the values of a field's kind out of what an agent said.
func (r *round) spoken(raw json.RawMessage, f *field) []any {
	var out []any
	for _, fa := range readFacts(clip(plain(raw), 4*MaxText), r.g.now, r.x.knows) {
		if v, sure := suits(f, fa); sure >= 0.9 {
			out = append(out, v)
		}
	}
	return out
}

// dig reads all values at a dotted path, through lists.
func dig(raw json.RawMessage, path string) []any {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	level := []any{v}
	for _, name := range strings.Split(path, ".") {
		var next []any
		for _, v := range flat(level) {
			if m, ok := v.(map[string]any); ok && m[name] != nil {
				next = append(next, m[name])
			}
		}
		level = next
	}
	var out []any
	for _, v := range level {
		switch v.(type) {
		case map[string]any:
		default:
			out = append(out, v)
		}
	}
	return out
}

// flat opens lists.
func flat(vs []any) []any {
	var out []any
	for _, v := range vs {
		if l, ok := v.([]any); ok {
			out = append(out, flat(l)...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// fit converts an observed value where the parameter's type asks for it.
func fit(f *field, v any) any {
	if n, ok := v.(float64); ok && f.Type == "string" {
		return strings.TrimSuffix(fmt.Sprintf("%.10g", n), ".0")
	}
	if _, list := v.([]any); f.isList() && !list {
		return []any{v}
	}
	return v
}

// which asks the user to choose when a change would be made to several things that a provider found.
func (r *round) which(actions []bus.Action) *bus.Ask {
	for _, t := range r.targets {
		if t.e.reads() {
			continue
		}
		var mine []bus.Action
		for _, a := range actions {
			if a.ToolName == t.e.Name {
				mine = append(mine, a)
			}
		}
		if len(mine) < 2 {
			continue
		}
		for _, c := range r.best.choices {
			if c.taker != t.e || c.provider == nil {
				continue
			}
			var options []string
			values, _ := r.observed(c)
			for _, v := range values {
				options = append(options, fmt.Sprint(v))
			}
			return &bus.Ask{
				Kind: bus.Question, Parameter: c.field.Name, ToolName: t.e.Name, Options: options[:min(len(options), 10)],
				Question: say(r.g.lang, "找到多个%s，要对哪一个执行「%s」？", "There are several values for %s; which one shall be used for “%s”?", c.field.label(r.g.lang), t.e.called(r.g.lang)),
			}
		}
	}
	return nil
}
