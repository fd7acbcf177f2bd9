package plan

import (
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/solver"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// A change is made only to things within all limits of the request. What finds them is a tool that a clause asked for or one that was brought in; each
// limit is a parameter of its call, or held against a column of its rows, or nobody can tell whether it holds: then it is asked (ask.go) or refused.

// serves reports whether a choice finds what a change is made to: it fills that, or a look before it.
func (r *round) serves(c solver.Choice) bool {
	_, look := r.looks[c.Taker]
	return look || !c.Taker.Reads()
}

// pointed makes a change that points at what a clause before it finds, 这些, take its things from there and from nowhere else.
func (r *round) pointed() {
	for _, t := range r.targets {
		if t.e.Reads() || t.e.IsAgent() || r.g.owns(t.clause) || r.chosen(t.e) || !pointsAt.MatchString(t.clause.Text) && !pointsAtOne.MatchString(t.clause.Text) {
			continue
		}
		for _, w := range t.waits {
			names := func(name string) bool {
				f := t.e.Param(name)
				return f != nil && len(f.Needs) > 0 && (f.Required || f.OneOf)
			}
			if w.e.IsAgent() || !w.e.Reads() || slices.ContainsFunc(r.best.Choices, func(c solver.Choice) bool { return c.Taker == t.e && c.Provider == w.e && names(c.Field.Name) }) {
				continue
			}
			var found *solver.Choice
			for i := range t.e.Params {
				f := &t.e.Params[i]
				if ed, ok := r.x.shape.best(w.e, t.e, f, minInsert); ok && names(f.Name) && (found == nil || f.Sort == fields.ID && f.Pattern != nil) {
					found = &solver.Choice{Need: solver.Need{Taker: t.e, Field: f}, Option: solver.Option{Provider: w.e, Edge: ed}}
				}
			}
			if found == nil {
				continue
			}
			r.best.Choices = append(slices.DeleteFunc(r.best.Choices, func(c solver.Choice) bool { return c.Taker == t.e && names(c.Field.Name) }), *found)
			for name := range t.bound {
				if names(name) {
					delete(t.bound, name)
				}
			}
			r.best.Tools = slices.DeleteFunc(r.best.Tools, func(e *cards.Entry) bool {
				return r.target(e) == nil && !slices.ContainsFunc(r.best.Choices, func(c solver.Choice) bool { return c.Provider == e })
			})
			break
		}
	}
}

// sought is what the things of a choice are looked for by: the clause that asked for them or, where a tool was brought in that no clause asked for, the
// clause of the change that they are for. nil: they are for no change.
func (r *round) sought(c solver.Choice) *target {
	if t := r.target(c.Provider); t != nil {
		return t
	}
	t := r.target(c.Taker)
	if t == nil || t.e.Reads() || c.Provider.IsAgent() {
		return nil
	}
	bound := r.looks[c.Provider]
	if bound == nil {
		bound = r.x.bind(c.Provider, &r.g, wishes.Clause{Text: r.g.text, End: len(r.g.text)})
	}
	return &target{clause: t.clause, e: c.Provider, bound: bound, sake: t}
}

// picked are the values of a choice in what its provider found: of the rows within all limits of the clause that they are looked for by. A limit is a
// parameter of that call, or held against a column of its rows; loose are those that are neither.
func (r *round) picked(c solver.Choice, d Done) (values []any, loose []facts.Fact) {
	if guessed(c) {
		v, err := fields.Decode(d.Observation)
		return words.Either(err == nil, digName(v, c.Field.Name), nil), nil
	}
	t := r.sought(c)
	if t == nil || c.Provider.IsAgent() {
		return dig(d.Observation, c.Edge.Path), nil
	}
	list, rest := "", c.Edge.Path
	if !c.Provider.Result.IsList() {
		list, rest, _ = strings.Cut(c.Edge.Path, ".")
	}
	loose = r.unused(t)
	if r.serves(c) {
		loose = append(loose, r.unknown(t, loose, c.Taker)...)
	}
	loose = slices.DeleteFunc(loose, func(f facts.Fact) bool { // of several that are named side by side each has a call
		return slices.ContainsFunc(r.latest(), func(o Done) bool {
			args, ok := argumentMap(o.Action)
			return ok && o.Action.ToolName == c.Provider.Name && slices.Contains(Scalars(args), f.Text)
		})
	})
	s, held, lacks, ok := r.sheet(t, d, list)
	if !ok {
		return dig(d.Observation, c.Edge.Path), loose
	}
	loose = slices.DeleteFunc(loose, func(f facts.Fact) bool {
		return slices.ContainsFunc(held, func(h facts.Fact) bool { return h.Start == f.Start && h.Text == f.Text })
	})
	narrowed := len(s.Where) > 0
	if (s.Superlative() || s.Sorted && s.Of == nil) && r.serves(c) { // sorted by what no column tells: the first as they stand
		narrowed = true
		if !s.First(r.allowedWhen(c), lacks, t.sake == nil && r.meansThem(c.Taker)) {
			f := facts.Fact{Kind: facts.Quote, Text: strings.TrimSpace(wishes.MostWords.FindString(t.clause.Text) + wishes.LeastWord.FindString(t.clause.Text))}
			if s.Tied {
				f.Value = tied(len(s.Rows))
			}
			loose = append(loose, f)
		}
	}
	if !narrowed {
		return dig(d.Observation, c.Edge.Path), loose
	}
	return digIn(s.Rows, rest), loose
}

// tied is how many things come first where fewer are wanted, and the last of them are equal.
type tied int

// meansThem reports whether a change is wished for all that a clause before it lists: for these.
func (r *round) meansThem(taker *cards.Entry) bool {
	if t := r.target(taker); t != nil {
		return pointsAt.MatchString(t.clause.Text)
	}
	return slices.ContainsFunc(r.best.Choices, func(c solver.Choice) bool { return c.Provider == taker && r.meansThem(c.Taker) })
}

var (
	// saidOf stands before what things are said to be; ofWorth are judgements that no row tells, 卖得不好的.
	saidOf     = words.MustCompile(`(?i)\b(?:(?:that|which|who)(?:\s+(?:is|are|was|were|has|have|had|been|got|get|gets|did|do|does|not|never))*|with|without|having|for|about)\s+(?:an?\s+|the\s+|no\s+|only\s+)?$|\b(?:n['’]t|is|are|was|were|been)\s+$`)
	verbBefore = words.MustCompile(`^(?:把|将|给|对|列出|找出|的)+`)
	ofWorth    = words.MustCompile(`(?i)(?:[^最，。,\s]{0,4}(?:不好|不行|[好差坏烂糟慢快旺]|难卖|滞销|畅销|冷门|热门))的|\b(?:bad|poor|good|great|popular|unpopular|slow|fast|well|badly|poorly)\b(?:[- ](?:selling|moving|sold|rated|reviewed|reviews?|ratings?))?`)
)

// namesThings reports whether a word is one for the things that a tool changes.
func namesThings(e *cards.Entry, word string) bool {
	return slices.ContainsFunc(e.Params, func(f fields.Field) bool { return len(f.Needs) > 0 && namedIn(&f, word, "en") != "" })
}

// takes reports whether an argument of a target's call, or one of the words that a card has for it, holds a word.
func (t *target) takes(w string) bool {
	for name, b := range t.bound {
		said := spoken(b.Value)
		if f := t.e.Param(name); f != nil {
			for _, v := range spoken(b.Value) {
				said = append(append(said, f.Means[v]...), f.Called[v]...)
			}
		}
		if slices.ContainsFunc(said, func(s string) bool { return slices.Contains(words.Content(s), w) || strings.EqualFold(s, w) }) {
			return true
		}
	}
	return false
}

// unknown are the words by which the things for a change are limited and that nothing here knows: badly rated ones, those 卖得不好的. taker is what is told of
// the things.
func (r *round) unknown(t *target, known []facts.Fact, taker *cards.Entry) (out []facts.Fact) {
	vocab := t.e.Vocab
	begin, end := t.clause.Start, t.clause.End
	if cue, _, ok := wishes.Reason(r.g.plain[begin:end]); ok && len(wishes.ChangeVerbs(r.g.plain[begin:begin+cue])) > 0 { // why it is done tells nothing of which
		end = begin + cue
	}
	found := r.g.facts
	ranks := func(w string) bool { // the two with the least stock
		_, number := words.Number(w)
		return t.clause.Figure.Superlative() && (number && t.clause.Figure.N > 0 || w == wishes.LeastWord.FindString(w) || w == wishes.MostWords.FindString(w))
	}
	add := func(from, to int) {
		if ranks(r.g.text[from:to]) {
			return
		}
		from += len(verbBefore.FindString(r.g.text[from:to]))
		f := facts.Fact{Kind: facts.Quote, Text: strings.TrimSpace(r.g.text[from:to]), Value: r.g.text[from:to], Start: from, End: to}
		if !says(t.bound, f.Text) && !slices.ContainsFunc(append(slices.Clone(known), out...), func(o facts.Fact) bool { return o.Start < to && from < o.End }) &&
			!slices.ContainsFunc(found, func(o facts.Fact) bool { return o.From == "" && o.Start < to && from < o.End && o.Kind != facts.Proper }) {
			out = append(out, f)
		}
	}
	for _, s := range wishes.Rests(r.g.plain, begin, end, found, r.x.trade, vocab) {
		if saidOf.MatchString(words.Before(r.g.text, s.Start)) {
			add(s.Start, s.End)
		}
	}
	if t.sake != nil { // late orders of somebody, where what finds his orders knows nothing of late ones
		for _, s := range wishes.Rests(r.g.plain, begin, end, found, vocab, t.sake.e.Vocab) {
			if limitAfter.MatchString(r.g.plain[s.End:]) {
				add(s.Start, s.End)
			}
		}
		taker = t.sake.e
	}
	ps := words.Pieces(blanked(r.g.plain[begin:end], wishes.MostWords, wishes.LeastWord))
	for i, p := range ps[:max(len(ps)-1, 0)] { // and so where they are listed first
		w := words.Stem(strings.ToLower(p.Text))
		if !p.Han && !words.StopEnglish[strings.ToLower(p.Text)] && !wishes.Changing[w] && !wishes.WishVerbs[w] && !words.AllDigits(w) && !vocab[w] && !taker.Vocab[w] && !t.takes(w) && namesThings(taker, ps[i+1].Text) {
			add(begin+p.Start, begin+p.End)
		}
	}
	for _, m := range ofWorth.FindAllStringIndex(r.g.plain[begin:end], -1) {
		add(begin+m[0], begin+m[1])
	}
	return out
}
