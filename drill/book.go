package drill

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"sync"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Told is one task as its client knows it.
type Told struct {
	Name   string // the beginning of its labels
	Client string // how it was submitted
	Script Script
	// Session and Task are empty as long as nobody has told them.
	Session, Task string
	// Accepted is when the client was told that the task is taken; zero: never, so nothing was promised.
	Accepted time.Time
	// Ended is when the client saw its end; zero: never.
	Ended time.Time
	// Cancel: the client asked for its end before.
	Cancel bool
	// Answer is the response that came beside the log: to ask, or on reply_to. nil: none came.
	Answer *bus.Response
	// Replied are the words with which the script's question was answered.
	Replied string
}

// View is what a client saw of a session, in the order in which it came, across all its connections.
type View struct {
	Client  string
	Session string
	Seen    []Glimpse
	// Whole: the client was told at its end that there is nothing more, so that nothing of the log may be missing.
	Whole bool
}

// Glimpse is one record that a client saw: its place and a sum of what is in it.
type Glimpse struct{ Seq, Sum uint64 }

func glimpse(r bus.Record) Glimpse {
	r.Time = r.Time.UTC()
	body, err := json.Marshal(r)
	if err != nil {
		return Glimpse{Seq: r.Seq} // what was decoded encodes
	}
	h := fnv.New64a()
	_, _ = h.Write(body)
	return Glimpse{r.Seq, h.Sum64()}
}

// book is what all clients know, and what the drill did.
type book struct {
	mu       sync.Mutex
	tasks    []*Told
	views    []*View
	approved map[string]time.Time // when it was said first, by the id of the ask
	refused  map[string]time.Time
	counts   map[string]int // what was done, by name
	hostile  [][]byte       // bodies sent to the queue that are no task of the drill
	flooded  []*Told
	floods   []Flood
	left     []string // sessions that their clients have left
	removals []*Removal
	deaths   []Death
	diary    []string
	restarts []time.Duration // until a child was ready again
	begun    int
	ended    int
}

func newBook() *book {
	return &book{approved: map[string]time.Time{}, refused: map[string]time.Time{}, counts: map[string]int{}}
}

func (b *book) count(what string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[what] += n
}

// note writes down what the drill did, for whoever looks into a breach.
func (b *book) note(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.diary = append(b.diary, time.Now().UTC().Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

func (b *book) begin(t *Told) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tasks = append(b.tasks, t)
	b.begun++
}

func (b *book) view(v *View) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.views = append(b.views, v)
}

// change changes a task under the lock.
func (b *book) change(t *Told, f func(*Told)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(t)
}

func (b *book) finish(t *Told) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.Ended = time.Now()
	b.ended++
}

func (b *book) died(node string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deaths = append(b.deaths, Death{node, time.Now()})
}

// reply is what the person behind a task says to an ask. The same ask always gets the same word, and the book knows it.
func (b *book) reply(t *Told, a bus.Ask) bus.Input {
	h := fnv.New32a()
	_, _ = h.Write([]byte(a.ID))
	in := bus.Input{Kind: bus.Answer, Ask: a.ID, By: "drill"}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case a.Kind == bus.Question:
		in.Text = "the red one for " + t.Name
		t.Replied = in.Text
	case h.Sum32()%3 > 0:
		in.Kind = bus.Approve
		note(b.approved, a)
	default:
		in.Kind = bus.Refuse
		note(b.refused, a)
	}
	return in
}

// note notes when something was said to an ask, for its own call and for each other that it shows.
func note(when map[string]time.Time, a bus.Ask) {
	first(when, a.ID)
	for _, o := range a.Others {
		first(when, o.Call)
	}
}

// first notes when something was said, unless it was said before.
func first(said map[string]time.Time, ask string) {
	if _, ok := said[ask]; !ok {
		said[ask] = time.Now()
	}
}
