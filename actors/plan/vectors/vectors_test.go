package vectors

import (
	"slices"
	"testing"
)

func TestNear(t *testing.T) {
	e := English()
	at := func(w string) int { return slices.Index(e.Words, w) }
	for _, c := range []struct{ word, near, far string }{
		{"buy", "purchase", "weather"}, {"doctor", "physician", "invoice"}, {"car", "vehicle", "poem"},
		{"delete", "erase", "planet"}, {"salary", "wage", "virus"}, {"hotel", "accommodation", "algebra"},
	} {
		near, far := e.Near(at(c.word), at(c.near)), e.Near(at(c.word), at(c.far))
		t.Logf("%s: %s %.2f, %s %.2f", c.word, c.near, near, c.far, far)
		if near < 0.4 || near < far+0.2 {
			t.Errorf("%s is %.2f from %s and %.2f from %s", c.word, near, c.near, far, c.far)
		}
	}
	if same := e.Near(5, 5); same < 0.999 || same > 1.001 {
		t.Errorf("a word is %.3f from itself", same)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(packed[:100])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) { open(b) })
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := open(packed); err != nil {
			b.Fatal(err)
		}
	}
}
