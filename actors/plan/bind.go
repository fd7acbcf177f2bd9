package plan

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// binding is a value for a parameter, and how sure it is.
type binding struct {
	value any
	sure  float64 // 0–1
	why   string
	used  int // index of the fact in the list it came from; -1 for none
	weak  bool
	more  []any // further values named beside it; one call each
}

// needSure is what a parameter asks of a binding: an optional one is better left out than guessed.
const (
	sureRequired = 0.3
	sureOptional = 0.55
)

// bind gives values to the parameters of e from what is known, the surest first, each fact once.
func (x *Index) bind(e *entry, g *goal, c clause) map[string]binding {
	out := map[string]binding{}
	for i := range e.params {
		f := &e.params[i]
		if v, ok := x.passageGiven(e, f, g); ok {
			out[f.Name] = binding{value: v, sure: 1, why: "answer", used: -1}
		} else if text, ok := g.given[f.Name]; ok {
			if v, ok := x.fromAnswer(f, text, g); ok {
				out[f.Name] = binding{value: v, sure: 1, why: "answer", used: -1}
			}
		}
	}
	facts := append(slices.Clone(g.facts), g.extra...)
	x.bindFacts(e, g, c, facts, out)
	for _, read := range []func(*entry, *field, *goal, clause, []fact) (binding, bool){x.bindTold, x.bindKnown, x.bindRest} {
		for i := range e.params {
			f := &e.params[i]
			if _, ok := out[f.Name]; ok {
				continue
			}
			if b, ok := read(e, f, g, c, facts); ok && (!b.weak || !spent(out, b.value)) {
				out[f.Name] = b
			}
		}
	}
	e.onlyOne(out)
	return out
}

// spent reports whether another parameter has the value already.
func spent(out map[string]binding, v any) bool {
	for _, b := range out {
		if b.value == v && b.why != "question" {
			return true
		}
	}
	return false
}

// onlyOne drops a parameter whose place another one has taken: the less sure, and words before declared formats.
func (e *entry) onlyOne(out map[string]binding) {
	for i := range e.params {
		f := &e.params[i]
		b, ok := out[f.Name]
		if !ok || f.Required {
			continue
		}
		for _, o := range e.instead(f) {
			if other, ok := out[o.Name]; ok && (other.sure > b.sure || other.sure == b.sure && f.Format == "" && len(f.Instead) > 0 && len(o.Instead) == 0) {
				delete(out, f.Name)
			}
		}
	}
}

// oneOf is the parameter to ask for when the card says that one of several is enough and none is known; else nil.
func (e *entry) oneOf(known map[string]binding) *field {
	for i := range e.params {
		f := &e.params[i]
		if !f.OneOf || f.Required {
			continue
		}
		if _, ok := known[f.Name]; ok {
			continue
		}
		given := false
		for _, o := range e.instead(f) {
			_, ok := known[o.Name]
			given = given || ok
		}
		if !given {
			return f
		}
	}
	return e.conditional(known)
}

// conditional is the parameter that the schema only asks for in view of the others, such as the reason of a refusal; nil when nothing is
// missing, or more than that is wrong.
func (e *entry) conditional(known map[string]binding) *field {
	if e.validator == nil || len(known) == 0 {
		return nil
	}
	for _, f := range e.required() {
		if _, ok := known[f.Name]; !ok {
			return nil
		}
	}
	args := map[string]any{}
	for name, b := range known {
		args[name] = b.value
	}
	given, err := readArguments(arguments(args))
	if err != nil {
		return nil
	}
	var v *jsonschema.ValidationError
	if !errors.As(e.validator.Validate(given), &v) {
		return nil
	}
	for _, leaf := range leaves(v, nil) {
		if lacks, ok := leaf.ErrorKind.(*kind.Required); ok && len(leaf.InstanceLocation) == 0 {
			for _, name := range lacks.Missing {
				if f := e.param(name); f != nil {
					return f
				}
			}
		}
	}
	return nil
}

// instead lists the parameters that f names as doing its job.
func (e *entry) instead(f *field) []*field {
	var out []*field
	for i := range e.params {
		if o := &e.params[i]; o.Name != f.Name && (slices.Contains(f.Instead, o.Name) || o.Title != "" && slices.Contains(f.Instead, o.Title)) {
			out = append(out, o)
		}
	}
	return out
}

// offer is a fact that could fill a field.
type offer struct {
	field int
	fact  int
	sure  float64
	value any
}

// reaches reports whether a figure is what something becomes, and not by how much it changes: 改成多少件.
func (f *field) reaches() bool { return whatBecomes.MatchString(f.Title + " " + f.Desc) }

var (
	whatBecomes = regexp.MustCompile(`(?i)改成|改为|改到|调到|到多少|(?:^|\s)新\p{Han}|\bset to\b|\bnew (?:price|stock|value|amount|number|quantity)\b`)
	howMuch     = regexp.MustCompile(`(?i)(?:补货?|进货?|入库|增加|追加|添加?|加价?|涨价?|提价?|降价?|减少?|下调|上调|调高|调低|便宜|贵|扣除?|多|少)(?:了|上|掉)?\s*$|\b(?:by|add|restock|replenish|another|extra|plus|minus)\s+(?:CNY|RMB|¥|\$)?\s*$`)
	muchMore    = regexp.MustCompile(`(?i)^\s*(?:件|个|台|pieces?|units?|yuan|元|块)?\s*(?:\bmore\b|\bless\b|\bfewer\b|\bextra\b)`)
)

// byHowMuch reports whether a number tells by how much something shall change: 补货100件, restock 100, "by 10". What it then becomes is asked
// for, and never guessed.
func byHowMuch(s string, fa fact) bool {
	return howMuch.MatchString(before(s, fa.start)) || muchMore.MatchString(s[fa.end:])
}

// bindFacts assigns typed facts to fields, the surest pair first.
func (x *Index) bindFacts(e *entry, g *goal, c clause, facts []fact, out map[string]binding) {
	var offers []offer
	limits := map[int]limit{} // by fact
	for j, fa := range facts {
		if l, ok := limitIn(g.text, fa); ok {
			limits[j] = l
		}
	}
	var sides map[int]side // by fact
	if e.replaces() {
		sides = passages(g.text, facts)
	}
	for i := range e.params {
		f := &e.params[i]
		if _, ok := out[f.Name]; ok {
			continue
		}
		for j, fa := range facts {
			v, sure := suits(f, fa)
			if sides != nil && sure > 0 && f.Side != sideUnknown && f.Side != sides[j] {
				continue // the wrong one of two, or nobody knows which: it is asked for
			}
			if look, _ := x.shownBy(f); look != nil && !e.reads() && (f.Type == "integer" || f.Type == "number") {
				if b, ok := howMuchBy(g.text, fa); ok {
					offers = append(offers, offer{i, j, 0.9, b})
					continue
				}
			}
			if sure <= 0 || f.Sort == sortText && fa.kind == factCode && longNumber.MatchString(fa.text) { // SL700000000613 names nothing in words
				continue
			}
			if f.Sort == sortList && fa.kind == factPath && !slices.ContainsFunc(facts, func(o fact) bool { return o.kind == factPath && o.text != fa.text }) {
				continue // one path is no list
			}
			if !e.reads() && fa.kind == factNumber && fa.from == "" && f.reaches() && byHowMuch(g.text, fa) {
				continue
			}
			if l, ok := limits[j]; ok && e.notLimited(f, g, fa, l) {
				continue
			}
			if f.saysRows() && fa.from == "" && (fa.start < c.start || fa.end > c.end || byHowMuch(g.text, fa)) {
				continue // how many are wanted of something else
			}
			if fa.kind == factDigits && f.Pattern == nil && len(f.Lengths) == 0 && (fa.from == "history" || e.patterned(fa.text)) {
				continue // a number whose shape says what it is, or of which nobody says here what it is: no account
			}
			if fa.from == "context" && fa.kind == factPath && slices.ContainsFunc(g.facts, func(o fact) bool { return o.kind == fa.kind && o.text == fa.text }) {
				continue // the request says it itself
			}
			if fa.kind == factPath && fa.from != "" && slices.Contains(e.Tags, documents) {
				continue // it is of what was found, and not of a file that was made on the way
			}
			near := 0.0
			text := g.text
			if elsewhere := fa.from == "context" || fa.from == "" && (fa.start < c.start || fa.end > c.end); elsewhere && fa.kind == factDate && !c.half && !pointsAt.MatchString(c.text) {
				continue // the days of another wish
			}
			if fa.from == "context" && sure >= 0.9 && !g.owns(c) {
				sure, text = 1, "" // what was handed on with the job is what the job is about
			} else if fa.from != "" {
				sure -= 0.15
				text = ""
			} else if fa.start < c.start || fa.end > c.end {
				sure -= 0.1
			}
			if text != "" {
				near = affinity(f, text, fa) - wrongWay(f, text, fa)
			}
			sure += near
			need := sureOptional
			if f.Required || f.OneOf && f.Sort == sortID {
				need = sureRequired
				sure += 0.05
			}
			if sure >= need {
				offers = append(offers, offer{i, j, min(sure, 1), v})
			}
		}
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.sure, a.sure) })
	used := map[int]bool{}
	for _, o := range offers {
		f := &e.params[o.field]
		if !f.Required && facts[o.fact].kind == factQuote && slices.ContainsFunc(offers, func(r offer) bool { return r.fact == o.fact && e.onlyFor(r, offers) }) {
			continue // what must be given comes before what may be left out
		}
		if used[o.fact] && facts[o.fact].kind != factDate {
			continue
		}
		if b, ok := out[f.Name]; ok {
			if f.Sort == sortList && b.used >= 0 { // a list takes all that suits it
				b.value = append(b.value.([]any), o.value)
				out[f.Name] = b
				used[o.fact] = true
			}
			continue
		}
		if f.Sort == sortDate && used[o.fact] && !f.isStart() && !f.isEnd() {
			continue
		}
		used[o.fact] = true
		v := o.value
		if f.Sort == sortList {
			v = []any{v}
		}
		out[f.Name] = binding{value: v, sure: o.sure, why: factNames[facts[o.fact].kind], used: o.fact}
	}
	e.onlyOne(out) // before the rest is looked at: a value whose place was taken is free again
	clear(used)
	for _, b := range out {
		used[b.used] = true
	}
	for i := range e.params {
		f := &e.params[i]
		if b, ok := out[f.Name]; ok {
			b.more = x.others(f, b, g, c, facts, used)
			out[f.Name] = b
		}
	}
}

// onlyFor reports whether an offer is the only one for a required parameter.
func (e *entry) onlyFor(r offer, offers []offer) bool {
	return e.params[r.field].Required && !slices.ContainsFunc(offers, func(o offer) bool { return o.field == r.field && o.fact != r.fact })
}

// patterned reports whether a parameter has a pattern that an id holds to.
func (e *entry) patterned(id string) bool {
	return slices.ContainsFunc(e.params, func(f field) bool { return f.Sort == sortID && f.Pattern != nil && f.Pattern.MatchString(id) })
}

// affinity is how well the words around a fact name the field, 0–0.4.
func affinity(f *field, s string, fa fact) float64 {
	before := s[max(0, fa.start-48):fa.start]
	after := s[fa.end:min(len(s), fa.end+18)]
	sum := 0.0
	ws := content(strings.ToValidUTF8(before, ""))
	for i := len(ws) - 1; i >= 0 && i >= len(ws)-6; i-- {
		if f.vocab[ws[i]] {
			sum += 0.25 / float64(len(ws)-i)
		}
	}
	for i, w := range content(strings.ToValidUTF8(after, "")) {
		if i < 2 && f.vocab[w] {
			sum += 0.1
		}
	}
	return min(sum, 0.4)
}

// arguments makes the JSON object of bindings, keys in order.
func arguments(bs map[string]any) json.RawMessage {
	if len(bs) == 0 {
		return json.RawMessage("{}")
	}
	raw, err := json.Marshal(bs)
	if err != nil {
		return json.RawMessage("{}") // only values that came out of JSON or of text stand here
	}
	return raw
}
