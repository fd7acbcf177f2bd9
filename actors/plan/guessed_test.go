package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// office without what its tools return, as most servers leave it out.
func officeUntold(t *testing.T) *Index {
	var cards []bus.Card
	for _, e := range strangers(t, office).entries {
		c := e.Card
		c.Returns = nil
		cards = append(cards, c)
	}
	return NewIndex(cards, Options{})
}

// A look-up by name is guessed to tell the id of the thing it is named after, and what its description lists.
func TestGuessedOfALookUp(t *testing.T) {
	for _, c := range []struct{ request, first, says, then string }{
		{"how many days of leave does Anna Schmidt have left?", `get_employee{"name":"Anna Schmidt"}`, `{"employee_id":"E101","name":"Anna Schmidt"}`, `get_leave_balance{"employee_id":"E101"}`},
		{"how many days of leave does Anna Schmidt have left?", `get_employee{"name":"Anna Schmidt"}`, `{"employee":{"id":"E101","name":"Anna Schmidt"}}`, `get_leave_balance{"employee_id":"E101"}`},
		{"how many days of leave does Anna Schmidt have left?", `get_employee{"name":"Anna Schmidt"}`, `{"employeeId":"E101","manager":{"employeeId":"E7"}}`, `get_leave_balance{"employee_id":"E101"}`},
		{"how many days of leave does Anna Schmidt have left?", `get_employee{"name":"Anna Schmidt"}`, `{"name":"Anna Schmidt"}`, "asks employee_id"},
		{"request annual leave for Erik Berg from 2026-12-01 to 2026-12-03", `get_employee{"name":"Erik Berg"}`, `{"employee_id":"E105"}`, `request_leave{"employee_id":"E105","end":"2026-12-03","start":"2026-12-01","type":"annual"}`},
		{"reset the password of Dina Roy", `get_employee{"name":"Dina Roy"}`, `{"id":"E104","email":"dina@acme.io"}`, `reset_password{"email":"dina@acme.io"}`},
		{"show ticket T-2", `get_ticket{"ticket_id":"T-2"}`, "", ""},
	} {
		x := officeUntold(t)
		in := Input{Request: c.request, Now: now}
		o := x.Think(in)
		if got := told(o); got != c.first {
			t.Errorf("%s: %s %v", c.request, got, o.Ask)
			continue
		}
		if c.says == "" {
			continue
		}
		o = x.Think(did(in, o, c.says))
		got := told(o)
		if o.Ask != nil && o.Ask.Parameter != "" && o.Ask.Kind == bus.Question {
			got = "asks " + o.Ask.Parameter
		}
		if got != c.then {
			t.Errorf("%s, %s: %s", c.request, c.says, got)
		}
	}
}

// What stands in the result is no limit that was passed over.
func TestSeenNamed(t *testing.T) {
	in := Input{Request: "what is the e-mail of Bob Lee", Now: now}
	x := officeUntold(t)
	for says, noted := range map[string]bool{`{"email":"bob@acme.io","name":"Bob Lee"}`: false, `{"name":"Bob Lee"}`: true} {
		o := x.Think(did(in, x.Think(in), says))
		if strings.Contains(o.Answer, "not limited") != noted {
			t.Errorf("%s: %s", says, o.Answer)
		}
	}
}

// What is named in a result is found wherever it stands, the nearest first.
func TestNamedInAResult(t *testing.T) {
	for _, c := range []struct {
		v    any
		want []any
	}{
		{map[string]any{"user_id": "1", "id": "2"}, []any{"1"}},
		{map[string]any{"users": []any{map[string]any{"id": "1"}, map[string]any{"id": "2"}}}, []any{"1", "2"}},
		{map[string]any{"a": map[string]any{"b": map[string]any{"c": map[string]any{"d": map[string]any{"e": map[string]any{"id": "1"}}}}}}, nil},
		{map[string]any{"id": nil, "user": map[string]any{"id": "3"}}, []any{"3"}},
		{map[string]any{"id": "5", "manager": map[string]any{"user_id": "9"}}, []any{"5"}},
		{map[string]any{"name": "Bob", "department": map[string]any{"id": "7"}}, nil},
		{map[string]any{"userId": "1", "user_id": "2", "USERID": "3"}, []any{"2"}},
		{map[string]any{"data": map[string]any{"users": []any{map[string]any{"id": "1", "boss": map[string]any{"id": "2"}}}}}, []any{"1"}},
		{"text", nil}, {nil, nil},
	} {
		if got := digName(c.v, "user_id"); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v", c.v, got)
		}
	}
}

// A wish in Chinese for a tool whose card is English, but for the tags: what the tags do not know may be all that was meant.
func TestKnownByTagsAlone(t *testing.T) {
	var cards []bus.Card
	for _, e := range strangers(t, office).entries {
		c := e.Card
		if strings.Contains(c.Name, "ticket") {
			c.Tags = []string{"工单", "列出工单"}
		}
		cards = append(cards, c)
	}
	x := NewIndex(cards, Options{})
	for request, want := range map[string]string{"列出所有工单": "list_tickets{}", "查一下工单T-1": `get_ticket{"ticket_id":"T-1"}`, "王芳昨天买了多少空气炸锅": "", "有哪些还没有人处理完的工单": ""} {
		if o := x.Think(Input{Request: request, Now: now, Job: true}); len(o.Actions)+len(want) > 0 && told(o) != want {
			t.Errorf("%s: %s", request, told(o))
		}
	}
}

// What a shop's owner says in passing is put in full where there are orders, and nowhere else.
func TestPassingWordsOfAShop(t *testing.T) {
	film := bus.Card{Name: "find_films", Kind: "tool", Effect: bus.Read, Description: "查找最热门的电影和影评。", Tags: []string{"最热门的电影"}}
	in := Input{Request: "最热门的电影有哪些", Now: now}
	if o := NewIndex([]bus.Card{film}, Options{}).Think(in); told(o) != "find_films" && told(o) != "find_films{}" || strings.Contains(o.Thought, "卖得最好") {
		t.Errorf("%s: %s", told(o), o.Thought)
	}
}
