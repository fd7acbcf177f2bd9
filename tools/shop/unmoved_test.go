package shop

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools"
)

// agreed makes a change of which somebody was shown, when they agreed, what it replaces.
func agreed(t *testing.T, s *Shop, call, name, arguments string, present map[string]string) error {
	t.Helper()
	_, err := s.tool(t, name).Run(t.Context(), &tools.Call{Request: bus.Request{
		Call: call, ToolName: name, Parameter: json.RawMessage(arguments), Language: "en", Present: present}})
	return err
}

// What was agreed to is done to what was shown then, and to nothing that has become something else since.
func TestAChangeOfWhatHasMoved(t *testing.T) {
	s := newShop(t)
	sku := fillIn(t, s, `{"sku_id":"$sku","price":299.5}`)
	if err := agreed(t, s, "c1", "set_price", sku, nil); err != nil { // nobody was shown anything
		t.Fatal(err)
	}
	to := func(price string) string { return strings.Replace(sku, "299.5", price, 1) }
	for i, c := range []struct {
		call, tool, with string
		shown            map[string]string
		moved            string // what the refusal tells; "": it is made
	}{
		{"c2", "set_price", to("310"), map[string]string{"price": "288"}, "it was 288 when that was agreed to, and is 299.5 now"},
		{"c3", "set_price", to("310"), map[string]string{"price": "299.50"}, ""},
		{"c3", "set_price", to("310"), map[string]string{"price": "299.50"}, ""}, // the same call again
		{"c4", "set_price", to("310"), map[string]string{"price": "1"}, ""},      // it is there already
		{"c5", "set_price", to("320"), map[string]string{"sku_id": "x", "colour": "red"}, ""},
		{"c6", "set_stock", fillIn(t, s, `{"sku_id":"$sku","stock":5}`), map[string]string{"stock": "-1"}, "it was -1"},
		{"c7", "set_stock", `{"sku_id":"99999999999999","stock":5}`, map[string]string{"stock": "-1"}, "the shop has no"},
		{"c8", "change_order", fillIn(t, s, `{"order_id":"$done","note":"VIP"}`), map[string]string{"note": "never"}, "it was never"},
		{"c9", "change_order", fillIn(t, s, `{"order_id":"$done","note":"VIP"}`), map[string]string{"note": ""}, ""},
		{"c11", "change_order", fillIn(t, s, `{"order_id":"$done","note":"007"}`), map[string]string{"note": "VIP"}, ""},
		{"c12", "change_order", fillIn(t, s, `{"order_id":"$done","note":"new"}`), map[string]string{"note": "7"}, "it was 7"}, // a text is no number
		{"c10", "change_order_state", fillIn(t, s, `{"order_id":"$done","state":"待发货"}`), map[string]string{"state": "待付款"}, "and is completed now"},
	} {
		err := agreed(t, s, c.call, c.tool, c.with, c.shown)
		var e *bus.Error
		switch {
		case c.moved == "" && err != nil:
			t.Errorf("%d: %v", i, err)
		case c.moved != "" && (!errors.As(err, &e) || !strings.Contains(e.Message, c.moved) || (e.Code == bus.CodeChanged) != (c.call != "c7")):
			t.Errorf("%d: %v, want %q", i, err, c.moved)
		}
	}
}

// Each change whose card says where the value is seen that it replaces holds that against what was agreed to.
func TestWhatIsShownIsHeldTo(t *testing.T) {
	holding := map[string]replacing{"set_price": setPrice{}, "set_stock": setStock{}, "change_order": changeDelivery{}, "change_order_state": changeState{}}
	for at := range present {
		tool, parameter, _ := strings.Cut(at, ".")
		if parameter != "order_id" && holding[tool] == nil {
			t.Errorf("%s says x-present of %s and holds nobody to it", tool, parameter)
		}
	}
}
