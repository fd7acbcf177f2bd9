package plan

import (
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

// scant reports whether a card says of a parameter no more than a name, a type and some English words, as tools do that were written for a
// language model: the rules of [Index.bindRules] have little to go by there.
func scant(f *fields.Field) bool {
	return fillable(f) && f.Pattern == nil && f.Holds == "" && f.Present == "" && len(f.Needs)+len(f.Called)+len(f.When)+len(f.Lengths) == 0 && !words.HasHan(f.Title+f.Desc)
}

// bind gives values to the parameters of e from what is known: by the rules, and, where the card says little, by what is learned.
func (x *Index) bind(e *cards.Entry, g *goal, c wishes.Clause) map[string]fields.Binding {
	g = planned(e, g)
	out := x.bindRules(e, g, c)
	if x.options.Without.Model || e.IsAgent() {
		return out
	}
	x.bindScant(e, g, c, out)
	x.signed(e, g, c, out)
	return out
}

// bindScant adds what is learned, and what the marks of Chinese tell, to what the rules found.
func (x *Index) bindScant(e *cards.Entry, g *goal, c wishes.Clause, out map[string]fields.Binding) {
	if words.HasHan(g.text) {
		x.bindEnds(e, g, c, out)
		x.bindLabels(e, g, c, out)
		return
	}
	r := x.scantReader(e, g)
	ss := r.slots(e, c, out, func(f *fields.Field) bool { return scant(f) && out[f.Name].Why != "answer" })
	if len(ss) == 0 {
		return
	}
	becoming := words.Either(e.Reads(), x.becoming(g), nil)
	for _, s := range ss {
		s.fillers = slices.DeleteFunc(s.fillers, func(v filler) bool {
			return r.lies(v.span, becoming) || r.otherSort(s.f, v.span) || v.traits[itsName] == 0 && r.ofOthersName(ss, v.span)
		})
	}
	contend(ss, (*slot).scores)
	picked := decide([][]*slot{ss}, (*slot).scores)
	maps.DeleteFunc(picked, func(s *slot, k int) bool {
		least := words.Either(!s.f.Required && r.person(s, s.fillers[k].span), leastPerson, leastAlone)
		return s.odds[k+1] < least && !s.fillers[k].spoken()
	})
	for _, s := range ss { // what is told of one thing is told of no other
		b, ok := out[s.f.Name]
		if _, filled := picked[s]; !ok || filled {
			continue
		}
		for o, k := range picked {
			v := &o.fillers[k]
			if reflect.DeepEqual(b.Value, v.value) || v.fact >= 0 && b.Used == v.fact || r.shares(b, v.span) {
				delete(out, s.f.Name)
			}
		}
	}
	for _, s := range ss {
		if b, ok := out[s.f.Name]; ok && r.ofOtherSort(s.f, b) {
			delete(out, s.f.Name)
		}
	}
	for s, k := range picked {
		out[s.f.Name] = s.binding(k, out, g)
	}
	for _, s := range ss {
		if text := labelled(g.text, s.f); text != "" {
			out[s.f.Name] = fields.Binding{Value: text, Sure: sureLabel, Why: slotWords, Used: -1}
		}
	}
}

// plansAhead are words of tools for what is still to come.
var plansAhead = words.MustCompile(`(?i)\b(?:book|reserve|schedule|appointments?|calendar|events?|remind(?:ers?)?|trains?|flights?|trips?|travel|tickets?|forecast|showtimes?|meetings?|weather|on duty|free (?:time|slots?)|time slots?|availab\w*|busy)\b|预[订定约]|车票|机票|航班|余票|出诊|日程|日历|行程|提醒|会议|天气`)

// planned is the goal as a stranger's tool for what is still to come takes it.
func planned(e *cards.Entry, g *goal) *goal {
	if !slices.ContainsFunc(e.Params, func(f fields.Field) bool { return f.Sort == fields.Date && f.Title == "" }) || !plansAhead.MatchString(strings.ReplaceAll(e.Name, "_", " ")+" "+e.Description) {
		return g
	}
	ahead := *g
	ahead.facts = nil
	for _, f := range g.facts {
		ahead.facts = append(ahead.facts, facts.Ahead(f, g.now))
	}
	return &ahead
}

const (
	// leastAlone is how likely a value must be that is bound with nobody to look it over, and leastPerson a person's name for what takes none.
	leastAlone, leastPerson = 0.3, 0.6
	// sureLabel is how sure what stands behind the parameter's own name and a colon is.
	sureLabel = 0.9
)

// scantReader reads a goal for one tool.
func (x *Index) scantReader(e *cards.Entry, g *goal) *slotReader {
	if g.read == nil || g.read.text != g.text {
		g.read = x.wording(g.text)
	}
	w := &weave{x: x, g: g, asked: []*cards.Entry{e}, fields: map[*fields.Field]*sense{}, tools: map[*cards.Entry]*sense{}}
	return &slotReader{w, g.read}
}

// holdsTold reports whether a value that the words around it tell holds a text.
func holdsTold(bound map[string]fields.Binding, text string) bool {
	for _, b := range bound {
		if said, ok := b.Value.(string); ok && b.Why == slotWords && strings.Contains(said, text) {
			return true
		}
	}
	return false
}

// shares reports whether a text that is bound has words in common with a span.
func (r *slotReader) shares(b fields.Binding, v span) bool {
	said, ok := b.Value.(string)
	if !ok || said == "" || r.tokens[v.from].start >= len(r.text) {
		return false
	}
	for at := strings.Index(r.text, said); at >= 0; {
		if from, to := r.over(at, at+len(said)); from < v.to && v.from < to {
			return true
		}
		next := strings.Index(r.text[at+1:], said)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return false
}

// lies reports whether a span is a part of one of these places in the request.
func (w *wording) lies(v span, places [][2]int) bool {
	return v.from < v.to && v.to <= len(w.tokens) && slices.ContainsFunc(places, func(p [2]int) bool { return p[0] <= w.tokens[v.from].start && w.tokens[v.to-1].end <= p[1] })
}
