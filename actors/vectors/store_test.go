package vectors

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/actors/model"
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// endpoint is an embedding model over HTTP. What it does can be changed while it runs.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	length int
	asked  []string
	says   func(texts []string) int // an HTTP status to refuse with; 0: answer
	held   chan struct{}            // answers wait for it; nil: they do not
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{length: 8, says: func([]string) int { return 0 }}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || !strings.HasSuffix(r.URL.Path, "/embeddings") {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		e.mu.Lock()
		e.asked = append(e.asked, q.Input...)
		status, length, held := e.says(q.Input), e.length, e.held
		e.mu.Unlock()
		if held != nil {
			select {
			case <-held:
			case <-r.Context().Done():
				return
			}
		}
		if status != 0 {
			http.Error(w, `{"error":{"message":"not now"}}`, status)
			return
		}
		type datum struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		var data []datum
		for i, text := range q.Input {
			v := make([]float32, length)
			for _, c := range []byte(text) {
				v[int(c)%length] += 1
			}
			data = append(data, datum{i, v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) set(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
}

func (e *endpoint) times(text string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, a := range e.asked {
		if a == text {
			n++
		}
	}
	return n
}

func start(t *testing.T, b *bus.Bus, e *endpoint, name string, wait time.Duration) *Store {
	t.Helper()
	c, err := model.New(model.Options{BaseURL: e.URL + "/v1", Model: name, Retries: -1, Timeout: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	s := Start(t.Context(), b, Options{Space: c.Space(), Ask: c.Embed, Wait: wait})
	t.Cleanup(s.Stop)
	return s
}

// cards waits until all cards have their vectors.
func cards(t *testing.T, s *Store, texts []string) [][]float32 {
	t.Helper()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for end := time.Now().Add(40 * time.Second); ; <-look.C {
		if out := s.Deck("").Cards(texts); out != nil {
			return out
		}
		if time.Now().After(end) {
			t.Fatalf("%d cards still have no vectors", len(texts))
		}
	}
}

func texts(n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("card %d: does the thing %d", i, i))
	}
	return all
}

// Vectors come in behind the work, are kept for other nodes and the next start, and asked for once.
func TestCards(t *testing.T) {
	b, e := bustest.New(t), newEndpoint(t)
	all := texts(73)
	s := start(t, b, e, "m", 0)
	before := s.Version()
	if s.Deck("").Cards(all) != nil {
		t.Fatal("there are vectors that nobody asked for")
	}
	got := cards(t, s, all)
	if len(got) != len(all) || len(got[0]) != 8 || s.Version().Complete == before.Complete || s.Version().Space != before.Space {
		t.Errorf("%d vectors, version %+v was %+v", len(got), s.Version(), before)
	}
	s.Stop()
	if s.Text("anything") != nil {
		t.Error("a store that has ended asks")
	}
	other := cards(t, start(t, b, e, "m", 0), append(slices.Clone(all), "one more"))
	for i, text := range all {
		if !slices.Equal(got[i], other[i]) {
			t.Fatalf("%s has another vector after a start: %v, was %v", text, other[i], got[i])
		}
		if n := e.times(text); n != 1 {
			t.Fatalf("%s was asked for %d times", text, n)
		}
	}
	cards(t, start(t, b, e, "another model", 0), all[:3])
	if n := e.times(all[0]); n != 2 {
		t.Errorf("another model shares the vectors: asked %d times", n)
	}
}

// What comes to be wanted while the model is asked is looked for in the cache first, too.
func TestWantedWhileTheModelIsAsked(t *testing.T) {
	b, e := bustest.New(t), newEndpoint(t)
	kept := texts(3)
	cards(t, start(t, b, e, "m", 0), kept)
	held, asked := make(chan struct{}), make(chan struct{}, 1)
	e.set(func() {
		e.held = held
		e.says = func([]string) int { asked <- struct{}{}; return 0 }
	})
	s := start(t, b, e, "m", 0)
	s.Deck("").Cards([]string{"a new one"})
	<-asked
	s.Deck("").Cards(kept)
	close(held)
	cards(t, s, append(kept, "a new one"))
	for _, text := range kept {
		if n := e.times(text); n != 1 {
			t.Errorf("%s was asked for %d times", text, n)
		}
	}
}

// Entries of the cache that are damaged, foreign, or lie under another key are asked for again.
func TestDamagedEntriesAreMadeAgain(t *testing.T) {
	b, e := bustest.New(t), newEndpoint(t)
	all := texts(5)
	s := start(t, b, e, "m", 0)
	want := cards(t, s, all)
	s.Stop()
	key := func(i int) string { return s.key(s.name(all[i])) }
	body := func(i int) []byte {
		got, _, err := b.Cached(t.Context(), key(i))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(got)
	}
	flipped := body(0)
	flipped[10] ^= 1
	for i, bad := range [][]byte{flipped, []byte("a text"), body(4), body(3)[:12]} {
		if _, err := b.Cache(t.Context(), key(i), bad); err != nil {
			t.Fatal(err)
		}
	}
	got := cards(t, start(t, b, e, "m", 0), all)
	for i := range all {
		if n := e.times(all[i]); !slices.Equal(got[i], want[i]) || n != 2 && i < 4 || n != 1 && i == 4 {
			t.Errorf("entry %d: asked %d times, %v, want %v", i, n, got[i], want[i])
		}
	}
}

// A model that refuses one text costs only that card its vector, wherever it stands.
func TestRefusedText(t *testing.T) {
	for _, bad := range []int{0, 13} {
		b, e := bustest.New(t), newEndpoint(t)
		all := texts(25)
		e.set(func() {
			e.says = func(in []string) int {
				if slices.Contains(in, all[bad]) {
					return http.StatusBadRequest
				}
				return 0
			}
		})
		got := cards(t, start(t, b, e, "m", 0), all)
		for i, v := range got {
			if (v == nil) != (i == bad) {
				t.Errorf("card %d: %v", i, v)
			}
		}
	}
}

// Neither a model that is down nor one that is slow holds up a thought: it is waited for once, then not for a while, and cards come when it is back.
func TestDownOrSlow(t *testing.T) {
	b, e := bustest.New(t), newEndpoint(t)
	e.set(func() { e.says = func([]string) int { return http.StatusServiceUnavailable } })
	s := start(t, b, e, "m", time.Minute) // longer than the test may take: it must not be used up
	if s.Deck("").Cards(texts(3)) != nil || s.Text("one") != nil || s.Text("two") != nil {
		t.Error("a vector from nowhere")
	}
	if e.times("two") != 0 {
		t.Error("asked again although it failed just now")
	}
	e.set(func() { e.says = func([]string) int { return 0 } })
	cards(t, s, texts(3))

	slow := newEndpoint(t)
	held := make(chan struct{})
	slow.set(func() { slow.held = held })
	s = start(t, b, slow, "slow", time.Millisecond)
	if s.Text("one") != nil || s.Text("two") != nil || slow.times("two") != 0 {
		t.Error("a model that did not answer in time is waited for again")
	}
	close(held)
	over, v := s.flight("one")
	if over != nil {
		<-over
	}
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for ; v == nil; <-look.C {
		_, v = s.flight("one")
	}
	if s.Text("one") == nil || slow.times("one") != 1 {
		t.Error("what came late is not kept")
	}
}

// A model whose vectors have become longer begins anew: nothing of both is ever compared.
func TestOtherLength(t *testing.T) {
	b, e := bustest.New(t), newEndpoint(t)
	all := texts(12)
	s := start(t, b, e, "m", time.Minute)
	cards(t, s, all)
	before := s.Version()
	e.set(func() { e.length = 5 })
	if v := s.Text("a request"); len(v) != 5 {
		t.Fatalf("%v", v)
	}
	if s.Version().Space == before.Space {
		t.Error("indexes are not told")
	}
	for _, v := range cards(t, s, all) {
		if len(v) != 5 {
			t.Fatalf("still %v", v)
		}
	}
	s.Stop()
	for _, v := range cards(t, start(t, b, e, "m", time.Minute), all) {
		if len(v) != 5 {
			t.Fatalf("after a start %v", v)
		}
	}
}

// A cache that is gone fails nothing: vectors are asked for.
func TestWithoutCache(t *testing.T) {
	b, e := bustest.New(t), newEndpoint(t)
	js, err := jetstream.New(b.Conn())
	if err == nil {
		err = js.DeleteStream(t.Context(), "KV_"+bus.CacheBucket)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := cards(t, start(t, b, e, "m", 0), texts(3)); len(got) != 3 {
		t.Errorf("%v", got)
	}
}

func TestBounds(t *testing.T) {
	s := &Store{wake: make(chan struct{}, 1), cards: map[name][]float32{}, decks: map[string]*Deck{}, changed: make(chan struct{}), wanted: map[name]string{}, texts: map[string][]float32{}}
	for i := range 3 * maxWanted {
		s.Deck("").Cards([]string{fmt.Sprint("text ", i)})
	}
	if len(s.wanted) > maxWanted || len(s.order) > maxWanted {
		t.Errorf("%d wanted", len(s.wanted))
	}
	for i := range 2 * maxCards {
		s.have(name(fmt.Sprint(i)), []float32{1})
	}
	if len(s.cards) > maxCards {
		t.Errorf("%d cards", len(s.cards))
	}
	if got := clip(strings.Repeat("好", maxText)); len(got) > maxText || !strings.HasPrefix(got, "好好") || strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%d bytes", len(got))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("k", encode("k", []float32{0.6, 0.8}))
	f.Add("k", []byte(magic+"12345678"))
	f.Fuzz(func(t *testing.T, key string, body []byte) {
		v := decode(key, body)
		if v == nil {
			return
		}
		if unit(v) == nil || string(encode(key, v)) != string(body) {
			t.Errorf("%v", v)
		}
	})
}
