package fields

import (
	"slices"
	"testing"
)

func TestLabel(t *testing.T) {
	for _, c := range []struct {
		field  string
		zh, en string
	}{
		{`{"title":"订单编号","x-title-en":"Order"}`, "订单编号", "Order"},
		{`{"title":"订单编号"}`, "订单编号", "a field"},
		{`{"description":"订单编号：12位纯数字"}`, "订单编号", "a field"},
		{`{"description":"开始日期。YYYY-MM-DD"}`, "开始日期", "a field"},
		{`{"description":"要查的问题。 The question in the user's words."}`, "要查的问题", "The question in the user's words"},
		{`{}`, "a field", "a field"},
	} {
		s, err := ReadSchema([]byte(c.field))
		if err != nil {
			t.Fatal(err)
		}
		f := New("a_field", s, false, 0)
		if zh, en := f.Label("zh"), f.Label("en"); zh != c.zh || en != c.en {
			t.Errorf("%s: %q and %q", c.field, zh, en)
		}
	}
}

func TestPropertiesKeepTheirOrder(t *testing.T) {
	s, err := ReadSchema([]byte(`{"properties":{"z":{},"a":{"type":"string"},"m":true,"a":{"type":"integer"}},"required":["m"]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := New("", s, false, 0)
	if got := Keys(map[string]any{"a": 1, "m": 1, "z": 1, "b": 1}, &f); !slices.Equal(got, []string{"z", "a", "m", "b"}) {
		t.Errorf("order %v", got)
	}
	if a := Child(&f, "a"); a.Type != "integer" {
		t.Errorf("of a name that occurs twice the last counts, got %q", a.Type)
	}
}

// Schemas come from other people's cards.
func FuzzSchema(f *testing.F) {
	for _, s := range []string{`{"properties":{"a":{"items":{"properties":{"b":true}}},"a":null}}`, `{"properties":[]}`, `{"properties":null,"items":7}`, `{"title":"x","x-title-en":"y","required":["q"]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := ReadSchema([]byte(raw))
		if err != nil {
			return
		}
		top := New("", s, false, 0)
		places := map[int]bool{}
		for _, sub := range top.Fields {
			if places[sub.Place] || sub.Label("en") == "" && sub.Name != "" {
				t.Errorf("%q: field %+v", raw, sub)
			}
			places[sub.Place] = true
		}
	})
}

// A value that stands beside a parameter's name is taken whole.
func TestNamedValue(t *testing.T) {
	f := New("address", Schema{Type: "string", Title: "收货地址"}, false, 0)
	for text, want := range map[string]string{
		"把订单316123105676的收货地址改成上海市浦东新区张江路1号": "上海市浦东新区张江路1号", "地址是什么": "", "查一下收货地址": "",
		"把订单316123105676的收货地址改成别人的地址": "", "把收货地址改成新地址": "", "change the address of order 316123105676 to another address": "", "把收货地址改成新华路1号": "新华路1号",
	} {
		if got := f.CalledFor(text); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
