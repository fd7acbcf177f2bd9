package vectors

import "github.com/hmap-project/hmap/bus"

const (
	// cacheShare is how much of the cache of the bus vectors may take; the rest is for lessons and for those of a model before.
	cacheShare = bus.CacheBytes / 8 * 7
	// perEntry is what an entry of the cache takes beside its numbers: its subject and the frame of a message.
	perEntry = 200
)

// Deck is the cards of one index. What the newest deck of each name holds stays in memory.
type Deck struct {
	store *Store
	names map[name]bool // empty when there is no room for it
}

// Deck begins one. whose says whose index it is for; the deck of that name before counts no more.
func (s *Store) Deck(whose string) *Deck {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &Deck{s, map[name]bool{}}
	s.decks[whose] = d
	return d
}

// Cards adds cards by their texts, and gives their vectors, or nil when some are not there yet; these are asked for beside. A text that the model refuses
// has a nil vector. It never waits. A deck that finds no room beside the others goes without: what came in for it would drive out what they need, and be
// asked for again, for ever.
func (d *Deck) Cards(texts []string) [][]float32 {
	s := d.store
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		d.names[s.name(clip(text))] = true
	}
	if most := s.most(); s.claims(most) > most {
		if !s.crowded {
			s.crowded = true
			s.o.Log.Warn("there are more cards than vectors can be kept for; some agents find their tools without", "cards", len(d.names), "most", most)
		}
		clear(d.names)
		s.unwant()
		return nil
	}
	out, missing := make([][]float32, len(texts)), false
	for i, text := range texts {
		text = clip(text)
		n := s.name(text)
		v, known := s.cards[n]
		if out[i] = v; !known {
			missing = true
			s.want(n, text)
		}
	}
	if missing || s.length == 0 {
		return nil
	}
	return out
}

// most is how many vectors are held, here and in the cache: more would be asked for again at each start. Called with the lock held, as all below.
func (s *Store) most() int {
	if s.length == 0 {
		return maxCards
	}
	return min(maxCards, cacheShare/(4*s.length+perEntry))
}

// claims is how many texts the decks hold, exactly where it is more than most.
func (s *Store) claims(most int) int {
	sum := 0
	for _, d := range s.decks {
		sum += len(d.names)
	}
	if sum <= most {
		return sum
	}
	all := map[name]bool{}
	for _, d := range s.decks {
		for n := range d.names {
			all[n] = true
		}
	}
	return len(all)
}

func (s *Store) claimed(n name) bool {
	for _, d := range s.decks {
		if d.names[n] {
			return true
		}
	}
	return false
}

// unwant drops what was to be asked for and no deck holds any more.
func (s *Store) unwant() {
	for n := range s.wanted {
		if !s.claimed(n) {
			delete(s.wanted, n)
		}
	}
	s.settle()
}

// measure takes the length of vectors as it is now. Where fewer find room than were thought, the decks are dealt anew: the first comes first.
func (s *Store) measure(length int) {
	s.length = length
	if most := s.most(); s.claims(most) > most {
		clear(s.decks)
		s.unwant()
	}
}

// have takes a vector of a card in; when there is no room, what no deck holds goes.
func (s *Store) have(n name, v []float32) {
	delete(s.wanted, n)
	if _, there := s.cards[n]; !there && len(s.cards) >= maxCards {
		for old := range s.cards {
			if !s.claimed(old) {
				delete(s.cards, old)
			}
		}
		if len(s.cards) >= maxCards {
			return
		}
	}
	s.cards[n] = v
}
