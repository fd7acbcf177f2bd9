package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/configs"
	"github.com/hmap-project/hmap/prompts"
)

// thinker is the mind that asks a language model. The planner keeps what it is shown short, checks what it plans, and leads it, advises
// it or stands in for it as the configuration says.
type thinker struct {
	model   *model.Client
	small   small
	prompts *prompts.Set
	limits  configs.Limits
	mind    configs.Mind
	notes   notebook
	helps   helps
}

// mindOf is the mind of an agent: the planner alone where its model cannot be used.
func (o *Options) mindOf(a configs.Agent) Mind {
	m := o.Models[a.Model]
	if m == nil {
		return planner{}
	}
	s := o.Mind.Steps
	return &thinker{
		model: m, prompts: o.Prompts, limits: o.Limits, mind: o.Mind,
		small: small{goal: o.Models[s.Goal], arguments: o.Models[s.Arguments], answer: o.Models[s.Answer], shorten: o.Models[s.Shorten]},
	}
}

// Think has the planner act where it leads and is sure, and else asks the model. The critique says which of them thought and why.
func (t *thinker) Think(ctx context.Context, v *View) (Thought, error) {
	w := sayer(v.Language)
	advice, why := "", ""
	var used bus.Usage
	switch t.mind.Planner {
	case configs.PlannerFirst:
		if !led(v) {
			break
		}
		led, doubt, spent := t.lead(ctx, v)
		if doubt == "" {
			return led, nil
		}
		used, why = spent, w("规划器没有把握（"+doubt+"），由模型来想", "the planner is not sure ("+doubt+"); the model thinks")
	case configs.PlannerAdvise:
		advice = proposal(v)
	}
	fallback := t.mind.Fallback && t.planner()
	if fallback && time.Since(t.model.Down()) < rest {
		if own, ok := standIn(v); ok {
			own.Usage, own.Critique = used, remarks(own.Critique, w("模型刚刚失败过，由规划器代替", "the model failed a moment ago; the planner stands in"))
			return own, nil
		}
	}
	out, err := t.ask(ctx, v, advice)
	out.Usage = out.Usage.Add(used)
	if err == nil {
		out.Critique = remarks(out.Critique, why)
		return out, nil
	}
	if ctx.Err() == nil && fallback {
		if own, ok := standIn(v); ok {
			own.Usage, own.Critique = out.Usage, remarks(own.Critique, w("模型失败，由规划器代替：", "the model failed; the planner stands in: ")+reason(err))
			return own, nil
		}
	}
	return Thought{Usage: out.Usage}, err
}

// rest is how long a model that failed is not waited for again where the planner can stand in: all its tries take many seconds.
const rest = 15 * time.Second

// planner reports whether the planner may have a say.
func (t *thinker) planner() bool {
	return t.mind.Planner == configs.PlannerFirst || t.mind.Planner == configs.PlannerAdvise
}

// led reports whether the planner has thought all rounds so far: who began goes on, for neither knows the other's plan.
func led(v *View) bool {
	for _, r := range v.Rounds {
		if r.Model != "" {
			return false
		}
	}
	return true
}

// proposal is what the planner would do next, where it is sure of that; else "".
func proposal(v *View) string {
	out := v.Index.Think(inputOf(v))
	if len(out.Actions) == 0 || doubt(v, out) != "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(out.Thought)
	for _, a := range out.Actions {
		fmt.Fprintf(&b, "\n- %s %s%s", a.ToolName, a.Parameter, a.JobDesc)
	}
	return memory.Shorten(b.String(), 1000)
}

// standIn is what the planner does in the place of a model that fails. Not ok: it could only say that it does not know.
func standIn(v *View) (Thought, bool) {
	out := v.Index.Think(inputOf(v))
	own := thoughtOf(out)
	found := len(v.Rounds) > 0 || plan.SmallTalk(v.Request.JobDesc)
	return own, len(own.Actions) > 0 || own.Answer != "" && found
}

// reason is an error in few words.
func reason(err error) string {
	e := new(bus.Error)
	if errors.As(err, &e) {
		return memory.Shorten(e.Message, 160)
	}
	return memory.Shorten(err.Error(), 160)
}

// remarks are those that say something, one after the other.
func remarks(all ...string) string {
	var said []string
	for _, s := range all {
		if s = strings.TrimSpace(s); s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, " · ")
}
