package plan

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
		s, err := read([]byte(c.field))
		if err != nil {
			t.Fatal(err)
		}
		f := newField("a_field", s, false, 0)
		if zh, en := f.label("zh"), f.label("en"); zh != c.zh || en != c.en {
			t.Errorf("%s: %q and %q", c.field, zh, en)
		}
	}
}

func TestPropertiesKeepTheirOrder(t *testing.T) {
	s, err := read([]byte(`{"properties":{"z":{},"a":{"type":"string"},"m":true,"a":{"type":"integer"}},"required":["m"]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := newField("", s, false, 0)
	if got := keys(map[string]any{"a": 1, "m": 1, "z": 1, "b": 1}, &f); !slices.Equal(got, []string{"z", "a", "m", "b"}) {
		t.Errorf("order %v", got)
	}
	if a := child(&f, "a"); a.Type != "integer" {
		t.Errorf("of a name that occurs twice the last counts, got %q", a.Type)
	}
}

// Schemas come from other people's cards.
func FuzzSchema(f *testing.F) {
	for _, s := range []string{`{"properties":{"a":{"items":{"properties":{"b":true}}},"a":null}}`, `{"properties":[]}`, `{"properties":null,"items":7}`, `{"title":"x","x-title-en":"y","required":["q"]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s, err := read([]byte(raw))
		if err != nil {
			return
		}
		top := newField("", s, false, 0)
		places := map[int]bool{}
		for _, sub := range top.Fields {
			if places[sub.Place] || sub.label("en") == "" && sub.Name != "" {
				t.Errorf("%q: field %+v", raw, sub)
			}
			places[sub.Place] = true
		}
	})
}
