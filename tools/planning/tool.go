package planning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// Name is the name of the tool.
const Name = "planning"

// Stands is what the tool returns: the whole plan, and how far it is in a sentence.
type Stands struct {
	Plan Plan   `json:"plan"`
	Say  string `json:"say"`
}

// Tool is planning. It reads the log of the call that uses it: each has a plan of its own, so calls side by side do not meet.
func Tool(b *bus.Bus) tools.Tool { return tools.New(card(), keeper{b}.keep) }

func card() bus.Card {
	return bus.Card{
		Name: Name, Kind: "tool", Effect: bus.Read, Timeout: 20 * time.Second, Tags: []string{bus.ModelTag},
		Description: "Keeps your own plan of a task of several steps where the person sees it: create it before the first step, mark_step when a step begins, ends or is " +
			"blocked, update when the steps change, finish at the end. It carries nothing out. " +
			"记下并展示你自己对多步任务的计划与进度：先 create，每一步开始、完成或受阻时 mark_step，步骤变化时 update，最后 finish。本工具不执行任何步骤。",
		Parameters: json.RawMessage(`{"type":"object","required":["command"],"properties":{
			"command":{"type":"string","enum":["create","update","mark_step","finish"]},
			"title":{"type":"string","description":"what the plan is for; create needs it"},
			"steps":{"type":"array","items":{"type":"string"},"description":"all steps in order, each as \"执行顺序N. 标题：描述\" or \"N. title: description\"; create needs them. In update, steps in the same words keep their status"},
			"step_index":{"type":"integer","minimum":1,"description":"for mark_step: the number of the step, from 1"},
			"step_status":{"type":"string","enum":["not_started","in_progress","completed","blocked"]},
			"step_notes":{"type":"string","description":"for mark_step: what came of it, or what blocks it"}}}`),
		Returns: json.RawMessage(`{"type":"object","required":["plan","say"],"properties":{"say":{"type":"string"},"plan":{"type":"object","required":["title","steps"],"properties":{
			"title":{"type":"string"},"finished":{"type":"boolean"},"steps":{"type":"array","items":{"type":"object","required":["id","title","status"],"properties":{
			"id":{"type":"string"},"title":{"type":"string"},"description":{"type":"string"},"status":{"type":"string"},"note":{"type":"string"}}}}}}}}`),
	}
}

// keeper reads plans from the log.
type keeper struct{ bus *bus.Bus }

func (k keeper) keep(ctx context.Context, call *tools.Call, c Command) (*Stands, error) {
	before, err := k.before(ctx, &call.Request)
	if err != nil {
		return nil, fmt.Errorf("the plan so far: %w", err)
	}
	p, wrong := apply(before, c)
	if wrong != nil {
		return nil, wrong
	}
	return &Stands{Plan: *p, Say: p.told(call.Request.Language)}, nil
}

// before is the plan as the newest call of the tool in the same call left it; nil: there was none. A plan of another attempt of this very call
// does not count, so a repetition comes to the same.
func (k keeper) before(ctx context.Context, r *bus.Request) (*Plan, error) {
	if r.Parent == "" { // asked by no agent: there is no log to look into
		return nil, nil
	}
	records, err := k.read(ctx, bus.Where{Session: r.Session, Task: r.Task, Call: r.Parent})
	if err != nil {
		return nil, err
	}
	for _, rec := range slices.Backward(records) {
		var s Stands
		if rec.Kind == bus.KindResult && rec.ToolName == Name && rec.Status == bus.OK && rec.Child != r.Call && json.Unmarshal(rec.Observation, &s) == nil {
			return &s.Plan, nil
		}
	}
	return nil, nil
}

// again is how long is waited before a replica that lags is read once more.
const again = 20 * time.Millisecond

// read gives all records of a call: on a cluster the replica that answers may lag, and half a plan would be a wrong one.
func (k keeper) read(ctx context.Context, w bus.Where) ([]bus.Record, error) {
	last, err := k.bus.Last(ctx, w)
	if errors.Is(err, bus.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for {
		records, err := k.bus.Read(ctx, w, 0)
		if err != nil {
			return nil, err
		}
		if n := len(records); n > 0 && records[n-1].Seq >= last.Seq {
			return records, nil
		}
		select {
		case <-time.After(again):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
