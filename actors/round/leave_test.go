package round

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who is asked to agree sees what a change replaces, as far as the call has seen it: of the thing that is named, and no other.
func TestApprovalShowsWhatIsReplaced(t *testing.T) {
	card := &bus.Card{Name: "set_stock", Description: "Set the stock.", Parameters: json.RawMessage(
		`{"properties":{"sku":{"type":"string"},"stock":{"type":"integer","x-present":"find.stock"},"shelf":{"type":"string","x-present":7}}}`)}
	shown := func(status bus.Status, observation string) *Round {
		return &Round{Acts: []*Act{{Action: bus.Action{ToolName: "find"}, Result: &bus.Record{Status: status, Observation: json.RawMessage(observation)}}}}
	}
	goods := `{"goods":[{"sku":"A","stock":71},{"sku":"B","stock":9007199254740993}],"note":"A"}`
	for _, c := range []struct {
		seen *Round
		with string
		want string
	}{
		{shown(bus.OK, goods), `{"sku":"A","stock":171}`, "sku: A, stock: 71 → 171"},
		{shown(bus.OK, goods), `{"sku":"B","stock":1}`, "sku: B, stock: 9007199254740993 → 1"},
		{shown(bus.OK, goods), `{"sku":"C","stock":1}`, "sku: C, stock: 1"},
		{shown(bus.OK, goods), `{"sku":"A","stock":71}`, "sku: A, stock: 71"},
		{shown(bus.Failed, goods), `{"sku":"A","stock":171}`, "sku: A, stock: 171"},
		{shown(bus.OK, `"A"`), `{"sku":"A","stock":171}`, "sku: A, stock: 171"},
		{shown(bus.OK, `{`), `{"sku":"A","stock":171,"shelf":"x"}`, "shelf: x, sku: A, stock: 171"},
	} {
		s := &State{Rounds: []*Round{c.seen}}
		got := words(false).wanted(card, json.RawMessage(c.with), "", s.present(card, json.RawMessage(c.with)))
		if got != "Set the stock ("+c.want+")" {
			t.Errorf("%s: %s", c.with, got)
		}
	}
}
