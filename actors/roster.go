package actors

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/actors/vectors"
	"github.com/hmap-project/hmap/bus"
)

// roster is who an agent may call, at one moment. It does not change once made.
type roster struct {
	cards []bus.Card
	tools []bus.Card // that stand behind the agents among them
	by    map[string]*bus.Card
	names []string
	index *plan.Index
	// parameters are those of the cards.
	parameters *parameters
	whole      bool // the index has vectors of all cards
	less       variants
	// servers are the MCP servers behind the tools that are there, whoever may call them.
	servers []served
	took    time.Duration // to make the index

	// What it was made of.
	version uint64 // of the directory
	space   vectors.Version
	learned *plan.Evidence
}

// check says what is wrong with a tool's arguments, references filled in, worded for the mind.
func (r *roster) check(card *bus.Card, parameter json.RawMessage) *bus.Error {
	if p := r.index.CheckFilled(card.Name, parameter); p != nil {
		return &bus.Error{Code: p.Code, Message: p.Message}
	}
	return nil
}

// checked are actions that an index has found right, so that it is not asked again for those that run as they were wanted.
type checked struct {
	by      *plan.Index // nil: none
	actions []bus.Action
}

// or is [roster.check] for what was not found right by the roster's own index.
func (c *checked) or(r *roster, card *bus.Card, parameter json.RawMessage) *bus.Error {
	if c.by == r.index && slices.ContainsFunc(c.actions, func(a bus.Action) bool { return a.ToolName == card.Name && bytes.Equal(a.Parameter, parameter) }) {
		return nil
	}
	return r.check(card, parameter)
}

// now is the roster for the directory as it is. While the node drains it stays: the others may be ending as well, and a task shall not
// hear that they never were. An index of all cards is made only when a card that this agent may call has come, gone or changed, or when their
// vectors have come; for 4,000 cards that takes a second or two, for which now waits.
func (d *desk) now() *roster {
	if r := d.roster.Load(); d.fresh(r) {
		return r
	}
	d.making.Lock()
	defer d.making.Unlock()
	old := d.roster.Load()
	if d.fresh(old) {
		return old
	}
	// Asked for before the cards are, so that what comes meanwhile makes the roster stale.
	version, space, learned := d.dir.Version(), d.space(), d.evidence()
	all := d.dir.Cards()
	cards, tools := d.offered(all)
	same := func(a, b bus.Card) bool { return reflect.DeepEqual(a, b) } // cheap for one instance: its schemas are the same slices
	var r roster
	if old != nil && !d.renewed(old, space) && slices.EqualFunc(cards, old.cards, same) && slices.EqualFunc(tools, old.tools, same) {
		r = *old
	} else {
		r = d.make(cards, tools, d.agent.Name)
	}
	if r.learned != learned {
		r.index = r.index.Knowing(learned)
	}
	r.version, r.space, r.learned = version, space, learned
	r.less, r.servers = variants{map[string]*roster{}}, serversOf(all)
	d.roster.Store(&r)
	return &r
}

// atOnce is how long an actor may wait for a new roster; nobody notices so little.
const atOnce = 20 * time.Millisecond

// soon is the roster for those who may not wait: as it is, or as it was a moment ago when it takes long to make a new one, which happens beside.
func (d *desk) soon() *roster {
	if r := d.roster.Load(); r != nil && r.took > atOnce {
		return r
	}
	return d.now()
}

// fresh reports whether nothing has changed since a roster was made.
func (d *desk) fresh(r *roster) bool {
	if r == nil {
		return false
	}
	return d.taking.Err() != nil || r.version == d.dir.Version() && r.learned == d.evidence() && !d.renewed(r, d.space())
}

// renewed reports whether there are vectors now that the roster's index was made without.
func (d *desk) renewed(r *roster, now vectors.Version) bool {
	return r.space.Space != now.Space || !r.whole && r.space.Complete != now.Complete
}

func (d *desk) space() vectors.Version {
	if d.vectors == nil {
		return vectors.Version{}
	}
	return d.vectors.Version()
}

// make reads the cards into a new index, whose vectors are kept under a name.
func (d *desk) make(cards, tools []bus.Card, deck string) roster {
	r := roster{cards: cards, tools: tools, by: map[string]*bus.Card{}, parameters: &parameters{by: map[string][]string{}}}
	for i := range cards {
		r.by[cards[i].Name], r.names = &cards[i], append(r.names, cards[i].Name)
	}
	o := plan.Options{Tools: tools, Reader: d.reader, Phrases: d.phrases}
	e := embedder{from: d.vectors}
	if d.vectors != nil {
		e.deck, o.Embed = d.vectors.Deck(deck), e.embed
	}
	begun := time.Now()
	r.index = plan.NewIndex(cards, o)
	r.whole, r.took, e.made = !e.missing, time.Since(begun), true
	return r
}

// embedder is asked by one index: for its cards while it is made, which never waits, then for what requests say.
type embedder struct {
	from    *vectors.Store
	deck    *vectors.Deck // of the index
	made    bool
	missing bool // some cards have no vectors yet
	length  int  // of the cards' vectors; 0: the index has none
}

func (e *embedder) embed(texts []string) [][]float32 {
	if !e.made {
		out := e.deck.Cards(texts)
		e.missing = e.missing || out == nil
		for _, v := range out {
			e.length = max(e.length, len(v))
		}
		return out
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if v := e.from.Text(text); len(v) == e.length {
			out[i] = v
		}
	}
	return out
}

// keepRosters makes new rosters when cards or their vectors come, go or change, so that the next question need not wait for it, until ctx ends.
func (t *Team) keepRosters(ctx context.Context) {
	for {
		changed := t.dir.Changed()
		var vectors <-chan struct{}
		if t.vectors != nil {
			vectors = t.vectors.Changed()
		}
		for _, d := range t.desks {
			if ctx.Err() != nil { // each takes its time
				return
			}
			d.now()
		}
		t.yieldSaved()
		select {
		case <-changed:
		case <-vectors:
		case <-ctx.Done():
			return
		}
		if !pause(ctx, atOnce) { // many come at the same moment
			return
		}
	}
}

// savedWithin is how long a team waits to hear of the saved tools before it takes tasks all the same.
const savedWithin = 3 * time.Second
