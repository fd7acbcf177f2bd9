package bus

import (
	"strings"
	"testing"
)

// What a task asked long ago and was told is not asked again.
func TestAsks(t *testing.T) {
	ask := func(id string) Record {
		return Record{Kind: KindAsk, Task: "t", Call: "t", Child: id, Ask: &Ask{ID: id, Kind: Approval}}
	}
	in := func(kind InputKind, id string) Record {
		return Record{Kind: KindInput, Task: "t", Call: "t", Input: &Input{Kind: kind, Ask: id}}
	}
	child := ask("c")
	child.Call = "t-1-0"
	for _, c := range []struct {
		name    string
		records []Record
		open    string
	}{
		{"none", nil, ""},
		{"two", []Record{ask("a"), ask("b")}, "a b"},
		{"named", []Record{ask("a"), ask("b"), in(Approve, "b")}, "a"},
		{"unnamed is the oldest", []Record{ask("a"), ask("b"), in(Answer, "")}, "b"},
		{"unknown", []Record{ask("a"), in(Approve, "x")}, "a"},
		{"too early", []Record{in(Approve, "a"), ask("a")}, "a"},
		{"steered", []Record{ask("a"), in(Steer, "")}, "a"},
		{"cancelled", []Record{ask("a"), ask("b"), in(Cancel, "")}, ""},
		{"expired", []Record{ask("a"), in(Expire, "a")}, ""},
		{"result", []Record{ask("a"), ask("b"), {Kind: KindResult, Task: "t", Call: "t", Child: "a"}}, "b"},
		{"again", []Record{ask("a"), ask("a")}, "a"},
		{"of a child call", []Record{child}, ""},
		{"ended", []Record{ask("a"), {Kind: KindResponse, Task: "t", Call: "t"}}, ""},
		{"empty bodies", []Record{{Kind: KindAsk, Task: "t", Call: "t"}, {Kind: KindInput, Task: "t", Call: "t"}}, ""},
	} {
		a := OpenAsks(c.records)
		var open []string
		for _, o := range a {
			open = append(open, o.ID)
		}
		oldest := ""
		if first := a.Find(""); first != nil {
			oldest = first.ID
		}
		if got := strings.Join(open, " "); got != c.open || !strings.HasPrefix(got, oldest) || (oldest == "") != (got == "") || a.Find("x") != nil {
			t.Errorf("%s: open are %q, want %q", c.name, got, c.open)
		}
	}
}
