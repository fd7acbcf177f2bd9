package round

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who is asked to agree reads all of what he agrees to, in his language.
func TestApprovalSaysAllOfIt(t *testing.T) {
	none := func(json.RawMessage) sight { return sight{} }
	card := &bus.Card{Name: "cancel", Description: "取消一个待付款或待发货的订单，已付的钱全额退回，库存恢复。要有订单编号。 " +
		"Cancel an order that is not shipped, by its id; money goes back in full."}
	for language, want := range map[string]string{
		"en": "This needs your approval: Cancel an order that is not shipped, by its id; money goes back in full (order id: 7)",
		"zh": "需要您同意：取消一个待付款或待发货的订单，已付的钱全额退回，库存恢复（order_id：7）",
	} {
		if got := (Terms{Language: language}).words().mayI(card, []*filled{{parameter: json.RawMessage(`{"order_id":7}`)}}, "", none); got != want {
			t.Errorf("%s: %s", language, got)
		}
	}
	card.Description = strings.Repeat("x", 5000)
	if got := words(false).mayI(card, []*filled{{}}, "", none); len(got) > 400 {
		t.Errorf("a description without end: %d bytes", len(got))
	}
}
