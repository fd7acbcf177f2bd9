package document

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// An exported session says who worked on it: the roles that the log gave, each with its tool, whoever failed left out.
func TestWhoWorkedOnIt(t *testing.T) {
	result := func(call, tool string, status bus.Status) bus.Record {
		return bus.Record{Kind: bus.KindResult, Task: "t", Call: call, ToolName: tool, Status: status, Observation: json.RawMessage(`"x"`)}
	}
	records := []bus.Record{
		{Kind: bus.KindRequest, Task: "t", Call: "t", Request: &bus.Request{JobDesc: "what sells?"}},
		{Kind: bus.KindRound, Task: "t", Call: "t-1-0", Employees: map[string]string{"look": "Seer", "send": "Messenger", "report_tool": "Writer"}},
		result("t-1-0", "look", bus.OK), result("t-1-0", "send", bus.Failed), result("t-1-0", "look", bus.OK), result("t-1-0", "report_tool", bus.OK),
		result("t-1-1", "look", bus.OK), // of a call in which nobody has a role
		{Kind: bus.KindResponse, Task: "t", Call: "t", Status: bus.OK, Observation: json.RawMessage(`"Kettles sell."`)},
	}
	o := Whole(records, time.UTC)
	last := o.Sections[len(o.Sections)-1]
	if last.Heading != "Who worked on it" || len(last.Tables) != 1 || len(last.Tables[0].Rows) != 1 {
		t.Fatalf("%+v", o.Sections)
	}
	row, err := json.Marshal(last.Tables[0].Rows[0])
	if err != nil || string(row) != `["Seer","look",2]` {
		t.Errorf("%s %v", row, err)
	}
	for i := range records {
		records[i].Employees = nil
	}
	if o := Whole(records, time.UTC); strings.Contains(o.Sections[len(o.Sections)-1].Heading, "Who") {
		t.Errorf("%+v", o.Sections)
	}
	if o := Whole(records[:2], time.UTC); len(o.Sections) > 0 {
		t.Errorf("nothing was answered: %+v", o.Sections)
	}
}
