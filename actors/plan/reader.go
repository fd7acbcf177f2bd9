package plan

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
	"weak"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/bus"
)

// Reader reads cards for several indexes, each card once for as long as one of them has it: agents of a house are offered much the same, and of their cards
// one changes at a time. The zero value is ready. It is safe for concurrent use.
type Reader struct {
	mu   sync.Mutex
	had  map[reading]weak.Pointer[cards.Entry] // gone when no index has it
	most int                                   // readings before those that are gone are swept out
}

// reading is a hash of a card and of how it was read.
type reading [sha256.Size]byte

// entry is a card as cards.New reads it; what an index writes into it is its own.
func (r *Reader) entry(c bus.Card, anyName bool) (*cards.Entry, error) {
	if r == nil {
		return cards.New(c, anyName)
	}
	body, err := json.Marshal(struct {
		bus.Card
		AnyName bool
	}{c, anyName})
	if err != nil { // a schema that is no JSON: cards.New says so
		return cards.New(c, anyName)
	}
	of := reading(sha256.Sum256(body))
	e := r.find(of)
	if e == nil {
		if e, err = cards.New(c, anyName); err != nil {
			return nil, err
		}
		r.keep(of, e)
	}
	own := *e
	own.First, own.Terms = e, slices.Clone(e.Terms)
	return &own, nil
}

func (r *Reader) find(of reading) *cards.Entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.had[of].Value()
}

func (r *Reader) keep(of reading, e *cards.Entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.had == nil {
		r.had = map[reading]weak.Pointer[cards.Entry]{}
	}
	r.had[of] = weak.Make(e)
	if len(r.had) <= r.most {
		return
	}
	for of, e := range r.had {
		if e.Value() == nil {
			delete(r.had, of)
		}
	}
	r.most = 2*len(r.had) + 100
}
