package actors

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// meanings is an embedding model to which a zebra is what is looked up, and which answers once it is let.
func meanings(t *testing.T, let <-chan struct{}) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-let:
		case <-r.Context().Done():
			return
		}
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		var data []map[string]any
		for i, text := range q.Input {
			v := []float32{0, 1}
			if strings.Contains(text, "zebra") || strings.HasPrefix(text, "look") {
				v = []float32{1, 0}
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"data": data}); err != nil {
			t.Log(err) // nobody waits any more
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// The house plans at once without the vectors of an embedding model, and with them when they have come; a card that joins has its own soon, and meanwhile
// all are found as without.
func TestVectorsComeIn(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	h := open(t, setup{embed: meanings(t, let)})
	d := h.team.desks["clerk"]
	first := d.now()
	if f := first.index.Find("zebra", 1); len(f) > 0 {
		t.Fatalf("%s is found without vectors", f[0].Card.Name)
	}
	if f := first.index.Find("a thing by its key", 1); len(f) == 0 || f[0].Card.Name != "look" {
		t.Fatalf("without vectors: %+v", f)
	}
	close(let)
	byMeaning := func() bool {
		f := d.now().index.Find("zebra", 1)
		return len(f) > 0 && f[0].Card.Name == "look" && f[0].Why.Embedding > 0.9
	}
	eventually(t, "it is found by what it means", byMeaning)
	whole := d.now()
	if d.now() != whole || !whole.whole {
		t.Error("the index is made again although nothing has changed")
	}
	s, err := h.bus.Serve(bus.Card{Name: "newcomer", Kind: "tool", Description: "weighs things", Effect: bus.Read, Tags: []string{"clerk"}}, func(in *bus.Incoming) {})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	eventually(t, "the newcomer is in the directory", func() bool { _, ok := h.team.dir.Get("newcomer"); return ok })
	if f := d.now().index.Find("weighs things", 1); len(f) == 0 || f[0].Card.Name != "newcomer" {
		t.Error("the newcomer is not found")
	}
	eventually(t, "all have vectors again", func() bool { return d.now().whole && byMeaning() })
}
