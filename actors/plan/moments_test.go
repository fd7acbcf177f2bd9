package plan

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A day and a time of day make one moment for a stranger's calendar, and two times its beginning and end.
func TestMoments(t *testing.T) {
	x := NewIndex([]bus.Card{
		{Name: "create_event", Kind: "tool", Effect: bus.Unsafe, Description: "Create a calendar event", Parameters: json.RawMessage(`{"type":"object","properties":{"summary":{"type":"string","description":"Title of the event"},"start":{"type":"string","format":"date-time","description":"Start time"},"end":{"type":"string","format":"date-time","description":"End time"},"attendees":{"type":"array","items":{"type":"string"},"description":"Who comes, email addresses"}},"required":["summary","start","end"]}`)},
		{Name: "set_reminder", Kind: "tool", Effect: bus.Unsafe, Description: "Set a reminder", Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string","description":"What to be reminded of"},"time":{"type":"string","format":"date-time","description":"When"}},"required":["text","time"]}`)},
	}, Options{})
	day := now.Format("2006-01-02")
	next := now.AddDate(0, 0, 1).Format("2006-01-02")
	zone := now.Format("Z07:00")
	for request, want := range map[string]map[string]any{
		`create an event "Team sync" tomorrow from 10:00 to 11:00`:                             {"summary": "Team sync", "start": next + "T10:00:00" + zone, "end": next + "T11:00:00" + zone},
		`set a reminder "call mum" today at 23:30`:                                             {"text": "call mum", "time": day + "T23:30:00" + zone},
		`set a reminder "call mum" at 00:01`:                                                   {"text": "call mum", "time": next + "T00:01:00" + zone},
		`create an event "Plan" tomorrow from 10:00 to 11:00 with ann@acme.io and bob@acme.io`: {"summary": "Plan", "end": next + "T11:00:00" + zone, "attendees": []any{"ann@acme.io", "bob@acme.io"}},
	} {
		out := x.Think(ask(request))
		if len(out.Actions) != 1 {
			t.Errorf("%s: %s", request, told(out))
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(out.Actions[0].Parameter, &got); err != nil {
			t.Fatal(err)
		}
		for name, v := range want {
			if !reflect.DeepEqual(got[name], v) {
				t.Errorf("%s: %s is %v, not %v", request, name, got[name], v)
			}
		}
	}
	if out := x.Think(ask(`create an event "Team sync" tomorrow at 10:00`)); out.Ask == nil || out.Ask.Parameter != "end" {
		t.Errorf("an end that nobody tells is asked for: %s", told(out))
	}
}
