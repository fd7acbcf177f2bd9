package plan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// houseCards are the cards of the house of 28 tools, agents and all.
func houseCards(t testing.TB) (cards []bus.Card) {
	x := newTeam(t).index["master"]
	for _, e := range append(x.behind.index.entries, x.entries...) {
		cards = append(cards, e.Card)
	}
	return cards
}

// Indexes that share a reader are what they are without: made beside each other, of other cards, in another order.
func TestReaderChangesNothing(t *testing.T) {
	cards := houseCards(t)
	var r Reader
	var beside sync.WaitGroup
	for from := range 8 {
		beside.Go(func() {
			some := append(append([]bus.Card{}, cards[from:]...), cards[:from/2]...)
			alone, shared := NewIndex(some, Options{}), NewIndex(some, Options{Reader: &r})
			for _, text := range []string{"找出发货超时的订单，然后给买家写一条道歉消息", "cancel the order of Wang Pingping"} {
				want, got := alone.Think(ask(text)), shared.Think(ask(text))
				if !reflect.DeepEqual(got, want) {
					t.Errorf("from %d, %s: %+v, want %+v", from, text, got, want)
				}
			}
		})
	}
	beside.Wait()
}

// A card is read once for as long as an index has it, and anew when anything of it changes; what no index has any more is let go.
func TestReaderReadsOnce(t *testing.T) {
	card := bus.Card{Name: "track", Kind: "tool", Description: "Follow a parcel.", Parameters: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}}}`)}
	var r Reader
	one, two := NewIndex([]bus.Card{card}, Options{Reader: &r}), NewIndex([]bus.Card{{Name: "other"}, card}, Options{Reader: &r})
	if a, b := one.byName["track"], two.byName["track"]; a.Validator != b.Validator || a.N == b.N || &a.Terms[0] == &b.Terms[0] {
		t.Error("read twice, or an index's own part is shared")
	}
	changed := card
	changed.Parameters = json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"}}}`)
	if x := NewIndex([]bus.Card{changed}, Options{Reader: &r}); x.byName["track"].Params[0].Type != "integer" {
		t.Error("a card that changed is not read anew")
	}
	odd := bus.Card{Name: "名字"}
	if x := NewIndex([]bus.Card{odd}, Options{Reader: &r, AnyName: true}); len(x.Rejects) != 0 {
		t.Error(x.Rejects)
	}
	if x := NewIndex([]bus.Card{odd, {Name: "bad", Parameters: json.RawMessage(`{`)}}, Options{Reader: &r}); len(x.Rejects) != 2 {
		t.Error(x.Rejects)
	}
	for i := range 1000 {
		if NewIndex([]bus.Card{{Name: fmt.Sprint("t", i)}}, Options{Reader: &r}); i%100 == 0 {
			runtime.GC()
		}
	}
	if n := len(r.had); n > 600 {
		t.Errorf("%d readings are kept", n)
	}
	runtime.KeepAlive(one)
}

// What a house costs to read whose 13 indexes have the same cards, each reading them or all together.
func BenchmarkReader(b *testing.B) {
	cards := houseCards(b)
	for name, reader := range map[string]func() *Reader{"each": func() *Reader { return nil }, "together": func() *Reader { return new(Reader) }} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := reader()
				for range 13 {
					NewIndex(cards, Options{Reader: r})
				}
			}
		})
	}
}
