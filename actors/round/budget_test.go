package round

import (
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// The time in which persons were waited for is counted once, and the same whether an answer is heard before or after the result that was
// written behind it.
func TestWaitedInAnyOrder(t *testing.T) {
	begun := time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)
	at := func(minute int) time.Time { return begun.Add(time.Duration(minute) * time.Minute) }
	a, b := bus.ChildID("t", 1, 0), bus.ChildID("t", 1, 1)
	log := []bus.Record{
		{Seq: 1, Kind: bus.KindRequest, Agent: "master", Request: &bus.Request{JobDesc: "x", Budget: &bus.Budget{Seconds: 600}}},
		{Seq: 2, Kind: bus.KindRound, Time: at(1), Round: 1, ActionCode: []bus.Action{{ToolName: "pay", ID: "a"}, {ToolName: "pay", ID: "b"}}},
		{Seq: 3, Kind: bus.KindAsk, Time: at(2), Child: a, Ask: &bus.Ask{ID: a, Kind: bus.Approval}},
		{Seq: 4, Kind: bus.KindAsk, Time: at(3), Child: b, Ask: &bus.Ask{ID: b, Kind: bus.Approval}},
		{Seq: 5, Kind: bus.KindInput, Time: at(8), Input: &bus.Input{Kind: bus.Approve, Ask: a}},
		{Seq: 6, Kind: bus.KindResult, Time: at(20), Child: a, Status: bus.OK},
		{Seq: 7, Kind: bus.KindInput, Time: at(9), Input: &bus.Input{Kind: bus.Approve, Ask: b}},
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 5, 4, 6}} {
		var s State
		for _, i := range order {
			r := log[i]
			r.Session, r.Task, r.Call = "s", "t", "t"
			if r.Kind != bus.KindInput {
				r.Node = "n"
			}
			if r.Time.IsZero() {
				r.Time = begun
			}
			s.Fold(&r)
		}
		if got, want := s.deadline(at(30)), at(10+7); !got.Equal(want) {
			t.Errorf("heard as %v: it must end by %v, want %v", order, got.Sub(begun), want.Sub(begun))
		}
	}
}
