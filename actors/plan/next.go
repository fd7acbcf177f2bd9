package plan

import (
	"maps"
	"slices"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/bus"
)

// next turns the plan into what can run now, what must be asked, and the steps as they stand.
func (r *round) next() (actions []bus.Action, ask *bus.Ask, steps []bus.Step) {
	var missing []solver.Need
	state := map[*cards.Entry]bus.StepStatus{}
	barred := r.barred()
	for _, e := range r.best.Ordered() {
		state[e] = bus.NotStarted
		calls, gaps, wait := r.calls(e)
		for _, b := range r.best.After[e] {
			if state[b] != bus.StepCompleted {
				wait = true
				if state[b] == bus.StepFailed || state[b] == bus.StepBlocked {
					state[e] = bus.StepBlocked
				}
			}
		}
		for _, p := range r.best.Providers(e) {
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
			_, runs := r.running[key(a)]
			switch {
			case runs:
				todo++
			case !ok, d.Status == bus.Failed && barred[e.Name] == "" && retry(d) && r.tries(a) < maxTries:
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
	actions = r.noted(r.started(r.together(actions, state), state))
	steps = r.steps(actions, state)
	if !r.g.cut && r.g.left == "" && len(actions) == 1 && len(r.best.Tools) == 1 && len(r.in.Done)+len(r.running) == 0 && r.x.byName[actions[0].ToolName].IsAgent() && len(r.unmet) == 0 && r.onDisk() == "" {
		actions[0].TrustMode = 1 // its answer is the answer
	}
	if len(actions) == 0 && len(r.running) > 0 {
		return nil, nil, steps
	}
	if len(actions) == 0 && len(missing) > 0 {
		ask = r.question(missing)
	} else if ask = r.which(actions); ask != nil {
		actions = nil
	}
	return actions, ask, steps
}

// together keeps a change back while another one by the same tool only waits for what is being looked up, so that leave is asked for both at once.
func (r *round) together(actions []bus.Action, state map[*cards.Entry]bus.StepStatus) []bus.Action {
	waits := map[string]bool{}
	for _, t := range r.targets {
		waits[t.e.Name] = waits[t.e.Name] || !t.e.Reads() && !t.e.IsAgent() && state[t.e] == bus.NotStarted
	}
	now := slices.DeleteFunc(slices.Clone(actions), func(a bus.Action) bool { return waits[a.ToolName] })
	if len(now)+len(r.running) == 0 || len(now) == len(actions) { // what is left waits for these
		return actions
	}
	for _, t := range r.targets {
		if waits[t.e.Name] && state[t.e] == bus.InProgress {
			state[t.e] = bus.NotStarted
		}
	}
	return now
}

func retry(d Done) bool { return d.Error != nil && d.Error.Retryable }

func (r *round) target(e *cards.Entry) *target {
	for _, t := range r.targets {
		if t.e == e {
			return t
		}
	}
	return nil
}

// maxFan is how many calls one step may become when its provider found several things; the answer says what was left.
const maxFan = 20

// calls are the calls of one tool of the plan. gaps are the parameters that only the user can tell; wait: a provider has not
// ended yet. A provider that found several things makes several calls.
func (r *round) calls(e *cards.Entry) (out []bus.Action, gaps []solver.Need, wait bool) {
	if t := r.target(e); t != nil && r.idle(t) {
		return nil, nil, false
	}
	return r.planned(e)
}

// planned are the calls of a tool whether there is something to do them to or not.
func (r *round) planned(e *cards.Entry) (out []bus.Action, gaps []solver.Need, wait bool) {
	if e.IsAgent() {
		return []bus.Action{{ToolName: e.Name, JobDesc: r.jobOf(e)}}, nil, false
	}
	base := map[string]any{}
	t := r.target(e)
	var bs map[string]fields.Binding
	if t != nil {
		bs = t.bound
	} else if bs = r.looks[e]; bs == nil {
		bs = r.x.bind(e, &r.g, wishes.Clause{Text: r.g.text, End: len(r.g.text)})
	}
	for name, b := range bs {
		base[name] = b.Value
	}
	fan := r.against(t, r.widened(e, bs, []map[string]any{base}))
	for _, c := range r.best.Choices {
		if c.Taker != e {
			continue
		}
		switch {
		case c.Known != nil:
		case c.Provider == nil:
			gaps = append(gaps, c.Need)
		default:
			values, ok := r.observed(c)
			if !ok {
				return nil, gaps, true
			}
			values = r.meant(c, values)
			if len(values) == 0 && guessed(c) { // it does not tell that after all
				gaps = append(gaps, c.Need)
				continue
			}
			if len(values) == 0 { // nothing to go on with, so nothing to ask about
				return nil, nil, false
			}
			if len(values) > maxFan {
				able, not := r.able(c, values)
				values = append(able, not...)[:maxFan] // those that it cannot be done to are told of, if there is room for them
			}
			var wider []map[string]any
			for _, args := range fan {
				for _, v := range values {
					m := map[string]any{}
					for k, v := range args {
						m[k] = v
					}
					m[c.Field.Name] = v
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
		if !e.Reads() && slices.ContainsFunc(slices.Collect(maps.Values(args)), r.g.spares) {
			continue
		}
		if t != nil && t.relative() {
			if args = maps.Clone(args); !r.reckoned(t, args) {
				continue
			}
		}
		out = append(out, bus.Action{ToolName: e.Name, Parameter: fields.Arguments(args)})
	}
	return r.possible(e, out), nil, false
}

func (r *round) targetNamed(name string) bool {
	for _, t := range r.targets {
		if t.e.Name == name {
			return true
		}
	}
	return false
}
