package vectors

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hmap-project/hmap/bus"
)

const (
	// batch is how many texts are asked for at once; the smallest limit known among vendors.
	batch = 10
	// oneByOne is how many entries are read from the cache singly; of more, all of the space are read.
	oneByOne = 50
	// After a failure the model is left alone for a second, and twice as long each time, for a minute at most.
	leastPause, mostPause = time.Second, time.Minute
	// keepWithin is how long the cache is waited for.
	keepWithin = 2 * time.Second
)

// run gets the vectors of cards that are wanted, from the cache or from the model.
func (s *Store) run() {
	f := fill{store: s}
	for s.ctx.Err() == nil {
		wanted := s.next(maxWanted, nil)
		if len(wanted) == 0 {
			select {
			case <-s.wake:
			case <-s.ctx.Done():
			}
			continue
		}
		if err := s.recall(wanted); err != nil && s.ctx.Err() == nil {
			s.o.Log.Warn("vectors of cards cannot be read from the cache; they are asked for again", "error", err)
		}
		f.all(wanted)
	}
}

// next gives the first n texts that are wanted, by name in their order; of nil: of all of them.
func (s *Store) next(n int, of map[name]bool) (names []name) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range s.order {
		if len(names) == n {
			break
		}
		if of == nil || of[name] {
			names = append(names, name)
		}
	}
	return names
}

// recall takes from the cache what it has. What is damaged, foreign, or of another length counts as missing.
func (s *Store) recall(wanted []name) error {
	found := map[name][]float32{}
	newest := 0
	take := func(n name, body []byte) {
		if v := decode(s.key(n), body); v != nil {
			found[n], newest = v, len(v)
		}
	}
	if len(wanted) > oneByOne {
		want := map[name]bool{}
		for _, n := range wanted {
			want[n] = true
		}
		if err := s.bus.AllCached(s.ctx, s.prefix(), func(last string, body []byte) {
			if want[name(last)] {
				take(name(last), body)
			}
		}); err != nil {
			return err
		}
	} else {
		for _, n := range wanted {
			body, _, err := s.bus.Cached(s.ctx, s.key(n))
			if err != nil && !errors.Is(err, bus.ErrNotFound) {
				return err
			}
			take(n, body)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.length == 0 && newest > 0 {
		s.measure(newest) // what was written last is what the model gives now
	}
	for n, v := range found {
		if len(v) == s.length {
			s.have(n, v)
		}
	}
	s.settle()
	return nil
}

// settle puts the order right after vectors came, and says so when nothing is wanted any more. Called with the lock held.
func (s *Store) settle() {
	left := s.order[:0]
	for _, n := range s.order {
		if _, wanted := s.wanted[n]; wanted {
			left = append(left, n)
		}
	}
	had := len(s.order) > 0
	if s.order = left; had && len(left) == 0 {
		s.version.Complete++
		s.grown()
	}
}

// fill asks the model for what the cache has not.
type fill struct {
	store *Store
	ever  bool          // it has answered
	alone int           // so many texts are asked for one by one, since one of them was refused
	wait  time.Duration // after the next failure
	told  int
}

// all goes on until none of these is wanted or the store ends. What comes to be wanted meanwhile may be in the cache.
func (f *fill) all(wanted []name) {
	s := f.store
	these := map[name]bool{}
	for _, n := range wanted {
		these[n] = true
	}
	total, done := len(s.next(maxWanted, these)), 0
	for s.ctx.Err() == nil {
		n := batch
		if f.alone > 0 {
			n = 1
		}
		names := s.next(n, these)
		if len(names) == 0 {
			break
		}
		got, err := s.fetch(names)
		if err == nil && !s.keep(names, got) {
			err = errors.New("its vectors change their length")
		}
		done += len(names)
		switch e := new(bus.Error); {
		case err == nil:
			f.ever, f.wait, f.alone = true, 0, max(f.alone-1, 0)
			if total >= 10*batch && done*4/total > f.told {
				f.told = done * 4 / total
				s.o.Log.Info("vectors of cards come in", "done", done, "of", total)
			}
			continue
		case errors.As(err, &e) && !e.Retryable && len(names) > 1:
			f.alone, done = len(names), done-len(names)
			continue
		case errors.As(err, &e) && !e.Retryable && f.ever:
			f.alone = max(f.alone-1, 0)
			s.o.Log.Warn("the embedding model refuses the text of a card; it is found without a vector", "error", err)
			s.refuse(names[0])
			continue
		case s.ctx.Err() != nil:
			return
		case f.wait == 0:
			s.o.Log.Warn("the embedding model does not answer; agents plan without it, and it is asked again", "error", err)
		}
		done -= len(names)
		s.putOff(names[0]) // what may be wrong with it alone keeps nobody else waiting
		f.wait = min(max(2*f.wait, leastPause), mostPause)
		select {
		case <-time.After(f.wait):
		case <-s.ctx.Done():
		}
	}
	f.told = 0
}

// fetch asks the model for texts that are wanted.
func (s *Store) fetch(names []name) ([][]float32, error) {
	texts := make([]string, len(names))
	s.mu.Lock()
	for i, n := range names {
		texts[i] = s.wanted[n]
	}
	s.mu.Unlock()
	return s.ask(s.ctx, texts)
}

// ask gives the model's vectors with length 1. When they have become longer or shorter, all that there are are forgotten: they cannot be compared.
func (s *Store) ask(ctx context.Context, texts []string) ([][]float32, error) {
	got, err := s.o.Ask(ctx, texts)
	if err == nil && len(got) != len(texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(got), len(texts))
	}
	if err != nil {
		return nil, err
	}
	for i := range got {
		if got[i] = unit(got[i]); got[i] == nil || len(got[i]) != len(got[0]) {
			return nil, errors.New("vectors without a direction, or of different lengths")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if length := len(got[0]); length != s.length {
		if s.length != 0 {
			s.o.Log.Warn("the vectors of the embedding model have another length; those of all cards are asked for again", "was", s.length, "is", length)
			clear(s.cards)
			clear(s.texts)
			s.version.Space++
			s.grown()
		}
		s.measure(length)
	}
	return got, nil
}

// keep takes vectors in, and puts them into the cache for others; false: they are of a length that counts no more. What cannot be put there is only
// asked for once more one day.
func (s *Store) keep(names []name, got [][]float32) bool {
	for i, n := range names {
		key := s.key(n)
		ctx, cancel := context.WithTimeout(s.ctx, keepWithin)
		_, err := s.bus.Cache(ctx, key, encode(key, got[i]))
		cancel()
		if err != nil && s.ctx.Err() == nil {
			s.o.Log.Warn("a vector cannot be kept", "error", err)
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(got[0]) != s.length {
		return false
	}
	for i, n := range names {
		s.have(n, got[i])
	}
	s.settle()
	return true
}

// putOff moves a text to the end of those that are wanted.
func (s *Store) putOff(n name) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.order, n); i >= 0 {
		s.order = append(slices.Delete(s.order, i, i+1), n)
	}
}

// refuse notes that a card goes without a vector.
func (s *Store) refuse(n name) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.have(n, nil)
	s.settle()
}
