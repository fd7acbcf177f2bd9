package plan

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
	"weak"

	"github.com/hmap-project/hmap/bus"
)

// Reader reads cards for several indexes, each card once for as long as one of them has it: agents of a house are offered much the same, and of their cards
// one changes at a time. The zero value is ready. It is safe for concurrent use.
type Reader struct {
	mu   sync.Mutex
	had  map[reading]weak.Pointer[entry] // gone when no index has it
	most int                             // readings before those that are gone are swept out
}

// reading is a hash of a card and of how it was read.
type reading [sha256.Size]byte

// entry is a card as newEntry reads it; what an index writes into it is its own.
func (r *Reader) entry(c bus.Card, o Options) (*entry, error) {
	if r == nil {
		return newEntry(c, o)
	}
	body, err := json.Marshal(struct {
		bus.Card
		AnyName bool
	}{c, o.AnyName})
	if err != nil { // a schema that is no JSON: newEntry says so
		return newEntry(c, o)
	}
	of := reading(sha256.Sum256(body))
	e := r.find(of)
	if e == nil {
		if e, err = newEntry(c, o); err != nil {
			return nil, err
		}
		r.keep(of, e)
	}
	own := *e
	own.first, own.terms = e, slices.Clone(e.terms)
	return &own, nil
}

func (r *Reader) find(of reading) *entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.had[of].Value()
}

func (r *Reader) keep(of reading, e *entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.had == nil {
		r.had = map[reading]weak.Pointer[entry]{}
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
