package round

import (
	"reflect"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Names of tools are folded from the rounds that gave them; the first one of a tool stays, and who has read the state keeps what he read.
func TestEmployeesAreFolded(t *testing.T) {
	var s State
	s.Fold(&bus.Record{Seq: 1, Kind: bus.KindRequest, Session: "s", Task: "t", Call: "t", Agent: "a", Attempt: 1, Request: &bus.Request{}})
	s.Fold(&bus.Record{Seq: 2, Kind: bus.KindRound, Call: "t", Round: 1, Employees: map[string]string{"look": "Seer"}})
	read := s.Employees
	s.Fold(&bus.Record{Seq: 3, Kind: bus.KindRound, Call: "t", Round: 2})
	s.Fold(&bus.Record{Seq: 4, Kind: bus.KindRound, Call: "t", Round: 3, Employees: map[string]string{"look": "Watchman", "send": "Messenger"}})
	if want := map[string]string{"look": "Seer", "send": "Messenger"}; !reflect.DeepEqual(s.Employees, want) {
		t.Errorf("%v, want %v", s.Employees, want)
	}
	if want := map[string]string{"look": "Seer"}; !reflect.DeepEqual(read, want) {
		t.Errorf("what was read before is now %v", read)
	}
}
