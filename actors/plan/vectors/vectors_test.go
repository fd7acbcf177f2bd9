package vectors

import (
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	e := English()
	at := func(w string) int {
		i, ok := e.Find(Stem(w))
		if !ok || string(e.at(i)) != Stem(w) {
			t.Fatalf("%s is at %d, %v", w, i, ok)
		}
		return i
	}
	for _, c := range []struct{ word, near, far string }{
		{"buy", "purchase", "weather"}, {"doctor", "physician", "invoice"}, {"car", "vehicle", "poem"},
		{"delete", "erase", "planet"}, {"salary", "wage", "virus"}, {"hotel", "accommodation", "algebra"},
	} {
		near, far := e.Near(at(c.word), at(c.near)), e.Near(at(c.word), at(c.far))
		t.Logf("%s: %s %.2f, %s %.2f", c.word, c.near, near, c.far, far)
		if near < 0.35 || near < far+0.2 {
			t.Errorf("%s is %.2f from %s and %.2f from %s", c.word, near, c.near, far, c.far)
		}
	}
	if same := e.Near(5, 5); same < 0.999 || same > 1.001 {
		t.Errorf("a word is %.3f from itself", same)
	}
}

func TestFind(t *testing.T) {
	e := English()
	for i := range e.n {
		if at, ok := e.Find(string(e.at(i))); !ok || at != i {
			t.Fatalf("%s is at %d, found at %d, %v", e.at(i), i, at, ok)
		}
	}
	for _, w := range []string{"", "a", "zzzzzz", "订单", "qxqxq"} {
		if at, ok := e.Find(w); ok {
			t.Errorf("%q is at %d", w, at)
		}
	}
}

func TestPack(t *testing.T) {
	table, err := open(Pack([]string{"ships", "order", "ship", "orders"}, [][]int8{{3, 4}, {127, -128}, {1, 1}, {2, 2}}))
	if err != nil {
		t.Fatal(err)
	}
	if i, ok := table.Find("ship"); !ok || i != 1 || table.n != 2 || table.Vector(i)[0] != 0.6 {
		t.Errorf("ship is at %d, %v, of %d", i, ok, table.n)
	}
	if _, err := open(Pack([]string{"a"}, [][]int8{{1}})[:8]); err == nil || !strings.Contains(err.Error(), "begins") {
		t.Errorf("cut off: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(packed[:100])
	f.Add(Pack([]string{"ships", "order"}, [][]int8{{3, 4}, {1, 2}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		if table, err := open(b); err == nil {
			table.Find("order")
			table.Near(0, table.n-1)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		English().Find("shipment")
	}
}
