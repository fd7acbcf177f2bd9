package actors

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/learn"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

// looking is a clerk who looks one key up, and then the value that he found.
func looking(t *testing.T) *scripted.Server {
	return scripted.New(t, play(map[string][]scripted.Step{
		"master": {scripted.Calls(handOver("clerk", "look it up")), scripted.Text("done")},
		"clerk": {scripted.Calls(scripted.Call{Name: "look", Arguments: `{"key":"first"}`}), scripted.Calls(scripted.Call{Name: "post", Arguments: `{"to":"v-first"}`}),
			scripted.Text("done")},
	}))
}

var valueTo = plan.Edge{Provider: "look", Field: "value", Taker: "post", Parameter: "to"}

func (h *house) knows() *plan.Evidence {
	if v := h.team.evidence.Load(); v != nil {
		return v
	}
	return &plan.Evidence{}
}

// What tasks show is in the evidence that the planner of the next one is given, on every node, once; and nothing that was said before changes.
func TestLearnsFromTheLog(t *testing.T) {
	t.Parallel()
	o := setup{server: bustest.Server(t), model: looking(t), learn: time.Millisecond}
	o.node = "one"
	one := open(t, o)
	o.node = "two"
	two := open(t, o)
	w := one.submit(bus.Submission{Query: "look and post it"})
	one.response(w)
	before := mustJSON(one.records(w))
	known := func(n int) func() bool {
		return func() bool {
			for _, h := range []*house{one, two} {
				if v := h.knows(); v.Tools["look"].Calls != n || v.Edges[valueTo].Worked != n {
					return false
				}
			}
			return true
		}
	}
	eventually(t, "both nodes know of the first task", func() bool { two.team.taught(); one.team.taught(); return known(1)() })
	for _, h := range []*house{one, two} {
		for name, d := range h.team.desks {
			if got := d.now(); got.index == nil || got.learned != h.team.evidence.Load() {
				t.Errorf("the index of %s goes by other evidence", name)
			}
		}
	}
	next := two.submit(bus.Submission{Query: "look and post it"})
	two.response(next)
	eventually(t, "both nodes know of both tasks, once", func() bool { two.team.taught(); one.team.taught(); return known(2)() })
	if after := mustJSON(one.records(w)); !bytes.Equal(before, after) {
		t.Errorf("the first task's records changed:\n%s\n%s", before, after)
	}
	if err := learn.Forget(t.Context(), one.bus); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both nodes have forgotten", func() bool { two.team.taught(); one.team.taught(); return known(0)() })
}

// Without learning nothing is read and nothing is kept.
func TestLearningOff(t *testing.T) {
	t.Parallel()
	h := open(t, setup{model: looking(t)})
	w := h.submit(bus.Submission{Query: "look and post it"})
	h.response(w)
	h.closed(w)
	if h.team.evidence.Load() != nil {
		t.Error("something was learned")
	}
	if _, _, err := h.bus.Cached(t.Context(), "lessons"); err == nil {
		t.Error("lessons are kept")
	}
}

// A tool that joins while the house runs is found by the next question, and one that leaves is not offered; what others do makes no new index.
func TestToolsJoinAndLeave(t *testing.T) {
	t.Parallel()
	h := open(t, setup{})
	d := h.team.desks["master"]
	found := func() bool {
		f := d.now().index.Find("how warm is the greenhouse", 1)
		return len(f) > 0 && f[0].Card.Name == "thermometer"
	}
	if found() {
		t.Fatal("it is there before it came")
	}
	one := d.now()
	serve := func(card bus.Card) *bus.Service {
		t.Helper()
		s, err := h.bus.Serve(card, func(in *bus.Incoming) {
			if err := in.Respond(bus.Response{Status: bus.OK, Observation: json.RawMessage(`{"degrees":21}`)}); err != nil {
				t.Error(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	stranger := serve(bus.Card{Name: "stranger", Kind: "tool", Description: "nobody here may call it", Effect: bus.Read})
	eventually(t, "the stranger is in the directory", func() bool { _, ok := h.team.dir.Get("stranger"); return ok })
	if d.now().index != one.index {
		t.Error("a tool that the agent may not call makes a new index")
	}
	defer stranger.Stop()
	thermometer := serve(bus.Card{Name: "thermometer", Kind: "tool", Description: "how warm it is in the greenhouse", Effect: bus.Read, Tags: []string{"master"}})
	eventually(t, "the thermometer is in the directory", func() bool { _, ok := h.team.dir.Get("thermometer"); return ok })
	if !found() {
		t.Error("it is there and not found")
	}
	w := h.submit(bus.Submission{Query: "how warm is it in the greenhouse"})
	if r := h.response(w); !bytes.Contains(r.Observation, []byte("21")) {
		t.Errorf("the next question: %s", h.log(w))
	}
	thermometer.Stop()
	eventually(t, "the thermometer is gone", func() bool { _, ok := h.team.dir.Get("thermometer"); return !ok })
	if found() {
		t.Error("it is gone and still found")
	}
}
