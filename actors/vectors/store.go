package vectors

import (
	"context"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

// Options of a [Store]. Space and Ask are required.
type Options struct {
	// Space names the model, and what else decides which vectors come. Each space has vectors of its own.
	Space string
	// Ask gives a vector for each text, in their order, all of the same length. It may block until ctx ends. A *bus.Error in its error that is not
	// retryable says that the same texts will fail again. Many goroutines call it.
	Ask func(ctx context.Context, texts []string) ([][]float32, error)
	// Wait is how long a text of a request is waited for; default 300 ms.
	Wait time.Duration
	Log  *slog.Logger
}

const (
	defaultWait = 300 * time.Millisecond
	// quiet is how long a model that was too slow, or failed, is not waited for.
	quiet = 10 * time.Second
	// within bounds one question to the model for a text of a request.
	within = 10 * time.Second
	// flights is how many texts of requests may be asked for at the same time; others do without.
	flights = 16
	// maxText is how many bytes of a text are sent; models read 512 tokens or more.
	maxText = 2000
	// What is held in memory: vectors of cards, of texts of requests, and texts of cards to be asked for. Beyond, some go; see [Deck.Cards].
	maxCards, maxTexts, maxWanted = 16_384, 1024, 8192
)

// Store is the vectors of one space as one node has them. Make one with [Start]. It is safe for concurrent use.
type Store struct {
	bus *bus.Bus
	o   Options

	ctx    context.Context // the store's life
	cancel context.CancelFunc
	work   sync.WaitGroup
	wake   chan struct{} // something is wanted; holds one

	mu      sync.Mutex
	length  int                      // of all vectors here; 0: none has come yet
	cards   map[name][]float32       // nil: the model refuses the text
	decks   map[string]*Deck         // the newest of each name
	crowded bool                     // it was told that a deck found no room
	wanted  map[name]string          // texts of cards to be asked for
	order   []name                   // of wanted
	texts   map[string][]float32     // of requests
	flying  map[string]chan struct{} // texts that are asked for now; closed when that is over
	resting time.Time                // until then the model is not waited for
	version Version
	changed chan struct{} // closed, and another one, when version grows
}

// Version says whether an index would be another one if it were made now.
type Version struct {
	Space    uint64 // grows when the model's vectors become others: then no index that has vectors is any good
	Complete uint64 // grows when all cards that were asked for have theirs: then one that lacked some may have all
}

// Start brings a store to life, until ctx ends or [Store.Stop].
func Start(ctx context.Context, b *bus.Bus, o Options) *Store {
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Store{
		bus: b, o: o, wake: make(chan struct{}, 1), cards: map[name][]float32{}, decks: map[string]*Deck{}, wanted: map[name]string{},
		texts: map[string][]float32{}, flying: map[string]chan struct{}{}, changed: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(ctx)
	s.work.Go(s.run)
	return s
}

// Stop ends all work and waits for it. Then there are the vectors that there were.
func (s *Store) Stop() {
	s.mu.Lock() // no flight begins behind it
	s.cancel()
	s.mu.Unlock()
	s.work.Wait()
}

// Version is asked often, and cheap.
func (s *Store) Version() Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// Changed is closed when the version is another one than now.
func (s *Store) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// grown tells that the version has grown. Called with the lock held.
func (s *Store) grown() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// want notes a text to be asked for. When there are too many, those wanted first go: whoever still needs them asks again.
func (s *Store) want(n name, text string) {
	if _, there := s.wanted[n]; !there {
		s.wanted[n], s.order = text, append(s.order, n)
		if len(s.order) > maxWanted {
			delete(s.wanted, s.order[0])
			s.order = s.order[1:]
		}
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Text gives the vector of a text of a request, or nil: it waits for it for [Options].Wait at most, and not at all while the model rests.
func (s *Store) Text(text string) []float32 {
	text = clip(text)
	over, v := s.flight(text)
	if over == nil {
		return v
	}
	late := time.NewTimer(s.o.Wait)
	defer late.Stop()
	select {
	case <-over:
	case <-late.C:
		s.rest()
	case <-s.ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts[text]
}

// flight gives the vector that is there; else over is closed when the text has been asked for, or nil when it is not.
func (s *Store) flight(text string) (over chan struct{}, v []float32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v = s.texts[text]; v != nil || s.ctx.Err() != nil || time.Now().Before(s.resting) {
		return nil, v
	}
	if over = s.flying[text]; over != nil || len(s.flying) >= flights {
		return over, nil
	}
	over = make(chan struct{})
	s.flying[text] = over
	s.work.Go(func() {
		defer close(over)
		ctx, cancel := context.WithTimeout(s.ctx, within)
		defer cancel()
		got, err := s.ask(ctx, []string{text})
		if err != nil {
			s.rest()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.flying, text)
		if err == nil {
			bound(s.texts, maxTexts-1)
			s.texts[text] = got[0]
		}
	})
	return over, nil
}

// rest leaves the model alone for a while.
func (s *Store) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resting = time.Now().Add(quiet)
}

// bound makes room in a map, whatever goes.
func bound[K comparable, V any](m map[K]V, most int) {
	for k := range m {
		if len(m) <= most {
			return
		}
		delete(m, k)
	}
}

// clip is the beginning of a text, of whole characters.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	n := maxText
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
