package plan

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/fields"
)

// Traits of a span as the value of a parameter. Each is a number near 0–1 that any request yields: none knows a word of any set. Their
// weights are learned, see slotweights.go.
const (
	spanKept     = iota // how sure the plain reading is of the same value, see [Index.bind]
	spanHere            // it stands where the request speaks of the tool
	spanQuoted          // it stands in quotes
	spanProper          // each word begins with a capital
	spanNoDigits        // the parameter takes an id, and it has no digit
	spanLong            // more than three words
	beforeName          // how much of the parameter's name the words before it mean, less the farther off
	beforeTold          // how like what is told of the parameter they are
	behindName          // and the words behind it
	behindTold
	insideName // the mean over its own words
	insideTold
	insideEqual // its last word is in the parameter's name
	insideLike  // likeness of a word of it to an example
	isExample   // it is one
	afterPrep   // it stands behind a preposition that goes before such parameters
	otherPrep   // the preposition goes before others
	cutLeft     // something ends before it: the text, a mark, a linking word
	cutRight    // something begins behind it
	cutBoth     // both, with no linking word in between
	ofTool      // share of its words that the tool is called by
	inPlace     // it stands as far into the stretch as the parameter into the card
	factSuits   // how well a fact's kind suits
	properName  // the parameter takes a person, and its words begin with capitals
	properPlace // it takes a place, and so they do
	isFact
	isList
	manySide   // how many things the list has
	outdoneBy  // how likely another parameter of the tool has its words, by a first look
	twinHas    // how likely a parameter of another tool has the same value, times how alike the parameters are
	partOfName // a longer name goes on on either side
	factOfName // a fact in the midst of a name
	afterTo    // plain words behind "to": a deed
	afterAnd   // or where a wish begins
	unheard    // share of its words that are strange
	ofFraction // it is the fraction of a percentage
	aboveMean  // how much nearer to the parameter's name than the mean of the request
	belowTop   // how much less near than the nearest
	noName     // the parameter takes a person, and no word is like a person's name
	noPlace    // the parameter takes a place, and no word is like one's name
	itsName    // the parameter's own name stands right behind: the Sales department
	itsEnd     // it stands at the end that the parameter takes: from A to B
	wrongEnd   // it stands at the other
	spanTraits
)

// Traits of a parameter that takes no value from the request.
const (
	leaveAlways = iota
	leaveRequired
	leaveKept // how sure the plain reading is of a value
	leaveNumber
	leaveList
	leaveID
	leaveFed    // likeness of the parameter to what another tool returns
	leaveMany   // how many parameters there are
	leaveSpoken // share of its name that the stretch has
	leaveUnfed  // of one that must be given, how unlike it is to all that is returned
	leaveTraits
)

// leaveTraits of a slot whose plain reading is b.
func (r *slotReader) leaveTraits(s *slot, b fields.Binding) (x [leaveTraits]float64) {
	f := s.f
	x[leaveAlways] = 1
	x[leaveRequired] = bit(f.Required)
	x[leaveKept] = b.Sure
	x[leaveNumber] = bit(f.Sort == fields.Number)
	x[leaveList] = bit(f.IsList())
	x[leaveID] = bit(f.Sort == fields.ID)
	x[leaveMany] = float64(min(len(s.e.Params), 6)) / 6
	x[leaveSpoken] = covered(r.w.field(f).called, s.words)
	for _, o := range r.w.asked {
		if o == s.e {
			continue
		}
		fields.Walk(o.Gives, "", func(_ string, g *fields.Field) {
			if typesFit(g, f) > 0 {
				x[leaveFed] = max(x[leaveFed], r.w.alike(g, f))
			}
		})
	}
	x[leaveUnfed] = bit(f.Required) * (1 - x[leaveFed]) * (1 - x[leaveFed])
	return x
}

// traits of a span as the value of a slot; b is what the plain reading found, if it did.
func (r *slotReader) traits(s *slot, v span, b fields.Binding, found bool) (x [spanTraits]float64) {
	ts, f := r.tokens, s.f
	first, last := &ts[v.from], &ts[v.to-1]
	share := 1 / float64(v.to-v.from)
	capitals, digits := 0.0, false
	for _, t := range ts[v.from:v.to] {
		capitals += bit(t.capital) * share
		digits = digits || t.digits
		x[unheard] += bit(t.strange) * share
	}
	proper := v.to > v.from && !slices.ContainsFunc(ts[v.from:v.to], func(t token) bool { return !t.capital })
	if found && reflect.DeepEqual(b.Value, v.value) {
		x[spanKept] = b.Sure
	}
	x[spanHere] = bit(first.start >= s.clause.Start && last.end <= s.clause.End)
	x[spanQuoted] = bit(first.quoted && v.to-v.from == 1)
	x[spanProper] = bit(proper)
	x[spanNoDigits] = bit(f.Sort == fields.ID && v.kind != ofFact && !digits)
	x[spanLong] = bit(v.to-v.from > 3)
	x[properName] = bit(f.Sort == fields.Person) * capitals
	x[properPlace] = s.near.preps["in"] * capitals
	x[isFact] = bit(v.kind == ofFact)
	x[factSuits] = v.sure
	x[ofFraction] = bit(v.fraction)
	x[isList] = bit(v.kind == ofList)
	if list, ok := v.value.([]any); ok && v.kind == ofList {
		x[manySide] = float64(min(len(list), 6)) / 6
	}
	if text, ok := v.value.(string); ok {
		x[isExample] = bit(slices.ContainsFunc(f.Examples, func(e string) bool { return strings.EqualFold(e, text) }))
	}
	if s.clause.End > s.clause.Start {
		into := float64(first.start-s.clause.Start) / float64(s.clause.End-s.clause.Start)
		x[inPlace] = 1 - math.Abs(min(max(into, 0), 1)-(float64(f.Place)+0.5)/float64(max(1, len(s.e.Params))))
	}
	r.bounded(&x, v, capitals == 0 && !digits && !first.quoted)
	r.around(&x, s, v)
	r.within(&x, s, v)
	if s.near.side != fields.SideUnknown && f.Sort != fields.Date {
		said := r.sideSaid(v)
		x[itsEnd], x[wrongEnd] = bit(said == s.near.side), bit(said == s.near.side.Other())
	}
	return x
}

// bounded adds what the marks and words at the ends of a span tell; plain: of ordinary words.
func (r *slotReader) bounded(x *[spanTraits]float64, v span, plain bool) {
	ts := r.tokens
	first, last := &ts[v.from], &ts[v.to-1]
	begins := first.opens || v.from == 0 || ts[v.from-1].linking
	ends := v.to == len(ts) || ts[v.to].opens || ts[v.to].linking
	x[cutLeft], x[cutRight], x[cutBoth] = bit(begins || first.quoted), bit(ends || last.quoted), bit(begins && ends)
	name := func(k int) bool { return k >= 0 && k < len(ts) && !ts[k].quoted && (ts[k].capital || ts[k].digits) }
	goesOn := !first.opens && name(v.from-1) || v.to < len(ts) && !ts[v.to].opens && name(v.to)
	x[partOfName] = bit(v.part || v.kind != ofList && (first.capital || first.digits) && goesOn)
	if v.from == 0 {
		return
	}
	before := &ts[v.from-1]
	x[factOfName] = bit(v.kind == ofFact && !first.opens && before.capital)
	x[afterTo] = bit(plain && before.low == "to")
	x[afterAnd] = bit(plain && (slices.Contains([]string{"and", "then", "please"}, before.low) || first.opens && v.kind != ofList))
}

// Words around a span that are looked at.
const (
	maxBack, maxAhead = 5, 4 // all of them
	maxTold           = 3    // of those before it, the ones that are no linking words
)

// around adds what the words before and behind a span tell.
func (r *slotReader) around(x *[spanTraits]float64, s *slot, v span) {
	ts, n := r.tokens, s.near
	sentence := ts[v.from].sentence
	told := 0.0
	for k := v.from - 1; k >= max(0, v.from-maxBack) && ts[k].sentence == sentence && told < maxTold; k-- {
		if !ts[k].linking {
			told++
			x[beforeName] = max(x[beforeName], n.name[k]/told)
			x[beforeTold] = max(x[beforeTold], n.told[k]/told)
		}
	}
	told = 0
	for k := v.to; k < min(len(ts), v.to+maxAhead) && ts[k].sentence == sentence && !ts[k].opens; k++ {
		if !ts[k].linking {
			told++
			x[behindName] = max(x[behindName], n.name[k]/told)
			x[behindTold] = max(x[behindTold], n.told[k]/told)
		}
	}
	if v.from == 0 || ts[v.from].opens {
		return
	}
	k := v.from - 1
	for k > 0 && isArticle(ts[k].low) && !ts[k].opens {
		k--
	}
	if p, ok := n.preps[ts[k].low]; ok {
		x[afterPrep] = p
		for prep, q := range n.preps {
			if prep != ts[k].low {
				x[otherPrep] = max(x[otherPrep], q)
			}
		}
	}
}

// within adds what a span's own words tell.
func (r *slotReader) within(x *[spanTraits]float64, s *slot, v span) {
	n, called, people := s.near, r.toolWords(s.e), r.people()
	share := 1 / float64(v.to-v.from)
	places := r.places()
	raw, person, place := 0.0, 0.0, 0.0
	for k := v.from; k < v.to; k++ {
		x[insideName] += n.name[k] * share
		x[insideTold] += n.told[k] * share
		x[insideLike] = max(x[insideLike], n.example[k])
		x[ofTool] += bit(called[k]) * share
		raw, person = max(raw, n.raw[k]), max(person, people[k])
		place = max(place, places[k])
	}
	x[insideEqual] = bit(n.equal[v.to-1])
	if v.kind != ofFact {
		x[aboveMean], x[belowTop] = raw-n.mean, raw-n.top
		x[noName] = n.person * (1 - person)
		x[noPlace] = n.place * (1 - place)
	}
	x[itsName] = bit(v.to < len(r.tokens) && !r.tokens[v.to].opens && n.equal[v.to])
}
