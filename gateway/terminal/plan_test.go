package terminal

import (
	"bytes"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// TestPlanShowsWhatChanged: the first plan of a call is shown whole, a later one by its steps that are new or stand otherwise.
func TestPlanShowsWhatChanged(t *testing.T) {
	var out bytes.Buffer
	tree := NewTree(&out, false, false)
	plan := func(call string, steps ...bus.Step) {
		tree.Show(bus.Record{Kind: bus.KindPlan, Call: call, Agent: "orders", Plan: &bus.PlanBody{Title: "list and cancel", Steps: steps}})
	}
	list, cancel := bus.Step{ID: "s1", Title: "list", Status: bus.InProgress}, bus.Step{ID: "s2", Title: "cancel", Status: bus.NotStarted}
	plan("t1", list, cancel)
	list.Status = bus.StepCompleted
	plan("t1", list, cancel)
	cancel.Title, cancel.Status = "cancel: 1", bus.InProgress
	plan("t1", list, cancel, bus.Step{ID: "s3", Title: "cancel: 2", Status: bus.InProgress})
	plan("t2", list)
	want := `☰ orders  list and cancel
  ▶ s1  list
  □ s2  cancel
  ■ s1  list
  ▶ s2  cancel: 1
  ▶ s3  cancel: 2
☰ orders  list and cancel
  ■ s1  list
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
