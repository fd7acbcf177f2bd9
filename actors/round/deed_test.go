package round

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who is asked to agree reads what is done to what, as the card says it, with what it replaces in each row, and whatever the line does not say behind it. A card that says nothing
// that can be used is shown by its description.
func TestDeed(t *testing.T) {
	const deed = `"x-deed":{"zh":"改价：{name|id}，{price} 元","en":"Change a price: {name|id}, CNY {price}"},`
	card := func(top string) *bus.Card {
		return &bus.Card{Name: "set_price", Kind: "tool", Effect: bus.Idempotent, Description: "改一个商品的价格。 Change one price.", Parameters: json.RawMessage(
			`{` + top + `"properties":{"id":{"title":"编号","x-title-en":"Id"},"price":{"title":"新售价","x-title-en":"New price","x-present":"find.price"},"why":{"title":"原因","x-title-en":"Reason"}}}`)}
	}
	find := &bus.Card{Name: "find", Kind: "tool", Effect: bus.Read, Returns: json.RawMessage(`{"properties":{"goods":{"items":{"properties":{"id":{"title":"编号"},"name":{"title":"名称"},"kind":{"title":"类目","x-title-en":"Kind"}}}}}}`)}
	seen := &Round{Acts: []*Act{{Action: bus.Action{ToolName: "find"}, Result: &bus.Record{Status: bus.OK, Parameter: json.RawMessage(`{}`),
		Observation: json.RawMessage(`{"goods":[{"id":"A1","name":"电饭煲","price":245,"kind":"锅"},{"id":"B2","name":"水壶","price":99,"kind":"壶"}]}`)}}}}
	for _, c := range []struct {
		name, top, language string
		calls               []string
		want                []string
		not                 string
	}{
		{"one", deed, "zh", []string{`{"id":"A1","price":199}`}, []string{"需要您同意：改价：电饭煲，245 → 199 元（编号：A1）\n类目：锅"}, "名称"},
		{"English", deed, "en", []string{`{"id":"A1","price":199,"why":"sale"}`}, []string{"approval: Change a price: 电饭煲, CNY 245 → 199 (Id: A1, Reason: sale)\nKind: 锅"}, ""},
		{"several", deed, "zh", []string{`{"id":"A1","price":220.5}`, `{"id":"B2","price":89.1}`}, []string{"需要您同意：改价：\n1. 电饭煲，245 → 220.5 元（编号：A1）；类目：锅\n2. 水壶，99 → 89.1 元（编号：B2）；类目：壶\n"}, ""},
		{"to one price", deed, "zh", []string{`{"id":"A1","price":199,"why":"清仓"}`, `{"id":"B2","price":199,"why":"清仓"}`}, []string{"改价（原因：清仓）：\n1. 电饭煲，245 → 199 元（编号：A1）", "2. 水壶，99 → 199 元"}, ""},
		{"unseen", deed, "zh", []string{`{"id":"C3","price":199}`}, []string{"改价：C3，199 元"}, "→"},
		{"all alike", deed, "zh", []string{`{"id":"C3","price":199}`, `{"id":"D4","price":199}`}, []string{"（新售价：199）：\n1. 编号：C3\n2. 编号：D4\n"}, "199 元"},
		{"a hole stays empty", deed, "zh", []string{`{"id":"A1"}`}, []string{"改一个商品的价格（编号：A1）"}, "改价：电饭煲"},
		{"no deed", "", "zh", []string{`{"id":"A1","price":199}`}, []string{"改一个商品的价格（编号：A1，新售价：245 → 199）"}, ""},
		{"no text", `"x-deed":7,`, "en", []string{`{"id":"A1","price":199}`}, []string{"Change one price (Id: A1, New price: 245 → 199)"}, ""},
		{"no colon", `"x-deed":{"en":"do {id}"},`, "en", []string{`{"id":"A1","price":199}`}, []string{"Change one price"}, ""},
		{"a name in what is said once", `"x-deed":{"en":"do {id}: {price}"},`, "en", []string{`{"id":"A1","price":199}`}, []string{"Change one price"}, ""},
		{"the other language", `"x-deed":{"en":"do: {price}"},`, "zh", []string{`{"id":"A1","price":199}`}, []string{"改一个商品的价格"}, ""},
	} {
		s := &State{Rounds: []*Round{seen}}
		card := card(c.top)
		terms := Terms{Language: c.language, Card: func(name string) *bus.Card { return map[string]*bus.Card{"find": find, "set_price": card}[name] }}
		var calls []*filled
		for _, p := range c.calls {
			calls = append(calls, &filled{parameter: json.RawMessage(p)})
		}
		got := terms.words().mayI(card, calls, "", func(p json.RawMessage) sight { return s.sight(card, p, terms) })
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in:\n%s", c.name, want, got)
			}
		}
		if c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: %q in:\n%s", c.name, c.not, got)
		}
	}
}
