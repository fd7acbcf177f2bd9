package plan

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// slotReader fills slots: it reads the values that a request tells for the parameters of tools whose cards say little of what they take. It
// weighs all stretches of words against all parameters of a tool together, since each word is told of one thing; [Index.bind], which reads
// each parameter by rules, is one of the signs it goes by. It reads texts with spaces between the words.
type slotReader struct {
	w *weave
	*wording
}

// wording is what a text says, whatever it is read for.
type wording struct {
	text   string
	tokens []token
	spans  []span // of words
	lists  []span
	ofTool map[*cards.Entry][]bool // by token
	near   map[*fields.Field]*nearby
	named  []float64 // by token, see people
	placed []float64 // by token, see places
}

func (x *Index) wording(s string) *wording {
	r := &wording{text: s, tokens: x.tokens(s), ofTool: map[*cards.Entry][]bool{}, near: map[*fields.Field]*nearby{}}
	r.spans, r.lists = wordSpans(s, r.tokens), listSpans(s, r.tokens)
	return r
}

// slot is a parameter with all that may be its value.
type slot struct {
	e       *cards.Entry
	f       *fields.Field
	clause  wishes.Clause // where the request speaks of the tool
	words   vector        // of the clause
	near    *nearby
	leave   [leaveTraits]float64
	fillers []filler
	odds    []float64 // of no value, then of the fillers; they add up to 1
}

// filler is a span with its traits as a value of a parameter.
type filler struct {
	span
	traits [spanTraits]float64
}

// spoken reports whether more than the learned weights speaks for it: the rules, or the end that it stands at.
func (f *filler) spoken() bool { return f.traits[spanKept] > 0 || f.traits[itsEnd] > 0 }

// same is one for fillers of the same value.
func (f *filler) same() string { return fmt.Sprint(f.value) }

func (w *weave) slotReader() *slotReader {
	if w.reader == nil {
		w.reader = &slotReader{w, w.x.wording(w.g.text)}
	}
	return w.reader
}

// Bounds of the reading of one tool, whose parameters beyond are read by the rules alone.
const (
	maxReadings = 20_000 // stretches of words held against parameters
	maxSlots    = 64     // parameters, see looked
)

// slots of a tool that the request speaks of in a clause, and of which the plain reading found so much; of the parameters that are meant.
func (r *slotReader) slots(e *cards.Entry, c wishes.Clause, bound map[string]fields.Binding, meant func(*fields.Field) bool) []*slot {
	var out []*slot
	said := r.w.x.shape.vector(words.Content(c.Text)...)
	found := func(f *fields.Field) bool { return bound[f.Name].Sure > 0 }
	for _, f := range (&looked{most: maxSlots}).takesOf(e, found) {
		if meant(f) && (len(out)+1)*(len(r.spans)+len(r.lists)) <= maxReadings {
			s := &slot{e: e, f: f, clause: c, words: said, near: r.nearby(f)}
			r.read(s, bound)
			out = append(out, s)
		}
	}
	return out
}

// read collects what may be the value of a parameter.
func (r *slotReader) read(s *slot, bound map[string]fields.Binding) {
	b, found := bound[s.f.Name]
	s.leave = r.leaveTraits(s, b)
	kept := false
	for _, v := range r.spansFor(s.f) {
		s.fillers = append(s.fillers, filler{v, r.traits(s, v, b, found)})
		kept = kept || found && reflect.DeepEqual(v.value, b.Value)
	}
	if !found || kept || len(r.tokens) == 0 {
		return
	}
	v := span{to: 1, value: b.Value, kind: ofFact, fact: -1, sure: b.Sure} // what the plain reading found otherwise
	start, end := -1, -1
	if b.Used >= 0 && b.Used < len(r.w.g.facts) && r.w.g.facts[b.Used].From == "" {
		v.fact, start, end = b.Used, r.w.g.facts[b.Used].Start, r.w.g.facts[b.Used].End
	} else if text, ok := b.Value.(string); ok && text != "" {
		start = strings.Index(r.w.g.text, text)
		end = start + len(text)
	}
	if from, to := r.over(start, end); start >= 0 && to > from {
		v.from, v.to = from, to
		if v.fact < 0 && (r.tokens[from].start < start || r.tokens[to-1].end > end && withoutOwner(r.tokens[to-1].low) == r.tokens[to-1].low) {
			return // 7f9c of payments-7f9c
		}
	}
	s.fillers = append(s.fillers, filler{v, r.traits(s, v, b, found)})
}

// fill reads again what the request tells the tools asked for.
func (w *weave) fill() {
	if w.x.options.Without.Model || len(w.asked) == 0 {
		return
	}
	if !words.HasHan(w.g.text) {
		w.fillSlots()
	}
	for _, e := range w.asked {
		w.x.signed(e, planned(e, w.g), w.where[e].Clause, w.where[e].bound)
	}
}

// fillSlots does so by what is learned.
func (w *weave) fillSlots() {
	r := w.slotReader()
	var tools [][]*slot
	for _, e := range w.asked {
		at := w.where[e]
		if at.plain == nil {
			at.plain = at.bound
		}
		ss := r.slots(e, at.Clause, at.plain, fillable)
		contend(ss, (*slot).scores)
		tools = append(tools, ss)
	}
	r.twins(tools)
	picked := decide(tools, (*slot).scores)
	for i, e := range w.asked {
		w.where[e].bound = w.filled(tools[i], picked, w.where[e].plain)
	}
}

// filled is what the plain reading found, with the slots filled anew.
func (w *weave) filled(ss []*slot, picked map[*slot]int, plain map[string]fields.Binding) map[string]fields.Binding {
	out := maps.Clone(plain)
	for _, s := range ss {
		if k, ok := picked[s]; ok {
			out[s.f.Name] = s.binding(k, plain, w.g)
		} else {
			delete(out, s.f.Name)
		}
	}
	return out
}

// binding is that of a filler, which may be what the plain reading found.
func (s *slot) binding(k int, plain map[string]fields.Binding, g *goal) fields.Binding {
	v := &s.fillers[k]
	b, ok := plain[s.f.Name]
	if !ok || !reflect.DeepEqual(b.Value, v.value) {
		b = fields.Binding{Value: v.value, Why: slotWords, Used: v.fact}
		if v.fact >= 0 {
			b.Why = facts.KindNames[g.facts[v.fact].Kind]
		}
	}
	if b.Why == facts.KindNames[facts.Proper] || b.Why == facts.KindNames[facts.Person] {
		b.Why = slotWords // more than its capitals says that it is one
	}
	b.Sure = 1 - s.odds[0]
	return b
}

// slotWords is why a value is bound that a slot was filled with by the words around it.
const slotWords = "words"

// Thresholds of a choice. From 0.3 to 0.6 the first hardly changes a figure.
const (
	leastFilled = 0.5  // how likely a parameter has a value in the request at least
	leastSpare  = 0.1  // and how likely what nothing else takes
	leastFact   = 0.25 // and a fact or a list of things that nothing else takes
)

// decide chooses the fillers of the slots of all tools, the surest first, each word once in a tool: what is taken can be no other's, and the odds
// of what is left are those that nothing taken is meant. What is said is said of something: what nothing takes fills the slot that more than the
// weights speaks for. The result is by slot, an index of its fillers.
func decide(tools [][]*slot, scores func(*slot) []float64) map[*slot]int {
	out := map[*slot]int{}
	for _, s := range slices.Concat(tools...) {
		s.odds = likely(scores(s))
	}
	for _, ss := range tools {
		left := slices.Clone(ss)
		for len(left) > 0 {
			best, at, k := 0.0, -1, 0
			for i, s := range left {
				if n, p := s.surest(); n >= 0 && p > best {
					best, at, k = p, i, n
				}
			}
			if at < 0 {
				break
			}
			took := left[at]
			out[took] = k
			left = slices.Delete(left, at, at+1)
			for _, s := range left {
				s.without(took.fillers[k].span)
			}
		}
	}
	for _, s := range slices.Concat(tools...) {
		if _, ok := out[s]; ok {
			continue
		}
		for k := range s.fillers {
			v := &s.fillers[k]
			said := v.spoken() && (s.f.Required || v.traits[itsEnd] > 0) || v.kind != ofWords && s.odds[k+1] >= leastFact
			if s.odds[k+1] < leastSpare || !said || v.traits[spanHere] == 0 {
				continue
			}
			if j, ok := out[s]; ok && s.odds[j+1] >= s.odds[k+1] {
				continue
			}
			taken := false
			for o, j := range out {
				taken = taken || o != s && v.clashes(o.fillers[j].span)
			}
			if !taken {
				out[s] = k
			}
		}
	}
	return out
}

// surest is the likeliest filler and its odds, where the slot is likely filled; -1: it is not.
func (s *slot) surest() (k int, odds float64) {
	if s.odds[0] > 1-leastFilled || len(s.fillers) == 0 {
		return -1, 0
	}
	odds = slices.Max(s.odds[1:])
	return slices.Index(s.odds[1:], odds), odds
}

// without takes the odds of what has words in common with a span away.
func (s *slot) without(taken span) {
	sum := s.odds[0]
	for k := range s.fillers {
		if s.fillers[k].clashes(taken) {
			s.odds[k+1] = 0
		}
		sum += s.odds[k+1]
	}
	for k := range s.odds {
		s.odds[k] /= sum
	}
}

// scores of having no value, then of each filler.
func (s *slot) scores() []float64 {
	out := []float64{dotted(s.leave[:], leaveWeights[:])}
	for k := range s.fillers {
		out = append(out, dotted(s.fillers[k].traits[:], spanWeights[:]))
	}
	return out
}

// contend gives each filler of a tool's slots how likely another of them has its words.
func contend(ss []*slot, scores func(*slot) []float64) {
	type claim struct {
		best, second float64
		by           *slot
	}
	var claims [maxTokens]claim
	for _, s := range ss {
		s.odds = likely(scores(s))
		for k, v := range s.fillers {
			p := s.odds[k+1]
			for t := v.from; t < v.to; t++ {
				switch c := &claims[t]; {
				case c.by == s:
					c.best = max(c.best, p)
				case p > c.best:
					*c = claim{p, c.best, s}
				default:
					c.second = max(c.second, p)
				}
			}
		}
	}
	for _, s := range ss {
		for k := range s.fillers {
			v := &s.fillers[k]
			v.traits[outdoneBy] = 0
			for _, c := range claims[v.from:v.to] {
				v.traits[outdoneBy] = max(v.traits[outdoneBy], words.Either(c.by == s, c.second, c.best))
			}
		}
	}
}

// leastTwin is how likely a value must be to speak for the same value of another tool.
const leastTwin = 0.1

// twins gives each filler how likely an alike parameter of another tool has the same value.
func (r *slotReader) twins(tools [][]*slot) {
	type taken struct {
		slot *slot
		odds float64
	}
	by := map[string][]taken{}
	for _, ss := range tools {
		for _, s := range ss {
			for k := range s.fillers {
				if p := s.odds[k+1]; p > leastTwin {
					v := s.fillers[k].same()
					by[v] = append(by[v], taken{s, p})
				}
			}
		}
	}
	for _, ss := range tools {
		for _, s := range ss {
			for k := range s.fillers {
				v := &s.fillers[k]
				v.traits[twinHas] = 0
				for _, t := range by[v.same()] {
					if t.slot.e != s.e {
						v.traits[twinHas] = max(v.traits[twinHas], t.odds*r.w.alike(t.slot.f, s.f))
					}
				}
			}
		}
	}
}
