package actors

import (
	"context"
	"slices"
	"time"

	"github.com/hmap-project/hmap/actors/memory"
	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/actors/staff"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/prompts"
)

// Employees says how the tools of a call get the role names by which people see them; zero: each gets its built-in one.
type Employees struct {
	Off bool
	// Model chooses names that fit what the call is to do: it is asked once in a call, before the first round that uses a tool. Its
	// temperature should be 0. nil: the built-in names.
	Model *model.Client
}

const (
	// namedAtOnce is how many tools are named before they are used: an agent that may use more is not shown all of them either.
	namedAtOnce = 2 * offered
	// namesWithin is how long a model's names are waited for; the round waits as long.
	namesWithin = 5 * time.Second
)

// employ gives role names to the tools that the call may use, once it uses one: in the first such round to all of them, later to those that
// have come since. The log keeps them with the round, so whoever looks at the call, now or later, sees the same.
func (t *Team) employ(ctx context.Context, v *View, th *Thought) {
	o := t.o.Employees
	if o.Off || len(th.Actions) == 0 {
		return
	}
	isNew := func(c bus.Card) bool { return !c.IsAgent() && v.Employees[c.Name] == "" }
	var used []bus.Card
	for _, c := range v.Cards {
		if isNew(c) && slices.ContainsFunc(th.Actions, func(a bus.Action) bool { return a.ToolName == c.Name }) {
			used = append(used, c)
		}
	}
	if len(used) == 0 {
		return
	}
	named, first := used, len(v.Employees) == 0
	if first && len(v.Cards) <= namedAtOnce {
		named = v.Cards
	}
	if !first || o.Model == nil || time.Since(o.Model.Down()) < rest {
		th.Employees = staff.Names(named, v.Language)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, namesWithin)
	defer cancel()
	r, err := o.Model.Ask(ctx, t.roles(v, named))
	th.Usage = th.Usage.Add(r.Usage)
	if err != nil {
		t.log.Debug("actors: role names are the built-in ones", "call", v.Request.Call, "error", err)
	}
	th.Employees, _ = staff.Chosen(r.JSON, named, v.Language)
}

// roles asks for the role names of tools.
func (t *Team) roles(v *View, named []bus.Card) model.Prompt {
	text, err := t.o.Prompts.Text(v.Language, "employees", prompts.Vars{
		Name: v.Agent.Name, Title: v.Agent.Title[v.Language], Task: memory.Shorten(v.Request.JobDesc, 1000), Text: staff.List(named),
	})
	if err != nil { // only when a template of the user's fails on this text
		text = staff.List(named)
	}
	return model.Prompt{Language: v.Language, Schema: staff.Schema(named), Messages: []model.Message{{Role: "user", Text: text}}}
}
