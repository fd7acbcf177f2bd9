package plan

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// span is a stretch of words of a request that may be the value of a parameter.
type span struct {
	from, to int // tokens
	value    any
	kind     spanKind
	fact     int     // of the facts of the request, that it was read of; -1: none
	sure     float64 // of a fact: how well its kind suits the parameter
	fraction bool    // of a percentage: 0.2 of 20 %
	part     bool    // of a name it is not the whole word: London of Europe/London
}

// clashes reports whether two spans have a word in common that can be told of one thing only: a stretch of days has two ends.
func (s span) clashes(o span) bool {
	return s.from < o.to && o.from < s.to && !(s.fact >= 0 && s.fact == o.fact && !reflect.DeepEqual(s.value, o.value))
}

type spanKind int

const (
	ofWords spanKind = iota // as they stand there
	ofFact                  // read: a date, an amount
	ofList                  // several things side by side
)

// Bounds of a value.
const (
	maxSpan     = 6   // words
	maxSpanText = 200 // bytes
	maxSide     = 12  // things side by side
	maxSideSpan = 4   // words of each of them
)

// wordSpans are the stretches of words that may be a name or a text: they begin and end with no linking word and go beyond no mark.
func wordSpans(s string, ts []token) []span {
	var out []span
	for i := range ts {
		if ts[i].linking {
			continue
		}
		for j := i; j < min(len(ts), i+maxSpan) && (j == i || !ts[j].opens); j++ {
			if text := withoutOwner(s[ts[i].start:ts[j].end]); !ts[j].linking && len(text) <= maxSpanText {
				out = append(out, span{from: i, to: j + 1, value: text, fact: -1})
			}
		}
	}
	return out
}

// listSpans are things that stand side by side, A, B and C, from each likely beginning of the first to each likely end of the last.
func listSpans(s string, ts []token) []span {
	var out []span
	for i := range ts {
		items := sideItems(ts, i)
		if len(items) < 2 {
			continue
		}
		var list []any
		for _, it := range items[:len(items)-1] {
			list = append(list, s[ts[it[0]].start:ts[it[1]-1].end])
		}
		last := items[len(items)-1]
		for end := last[0] + 1; end <= last[1]; end++ {
			if !ts[end-1].linking {
				out = append(out, span{from: i, to: end, kind: ofList, fact: -1, value: append(slices.Clone(list), s[ts[last[0]].start:ts[end-1].end])})
			}
		}
	}
	return out
}

// sideItems are the things side by side of which the first begins at a token: from and to of each.
func sideItems(ts []token, at int) [][2]int {
	var out [][2]int
	item := func() bool {
		from := at
		for at < min(len(ts), from+maxSideSpan) && !ts[at].linking && (at == from || !ts[at].opens) {
			at++
		}
		if at > from {
			out = append(out, [2]int{from, at})
		}
		return at > from
	}
	for len(out) < maxSide && item() && at < len(ts) {
		joined := slices.Contains([]string{"and", "or", "&"}, ts[at].low)
		if !joined && !ts[at].comma {
			break
		}
		if joined {
			at++
		}
		if at < len(ts) && isArticle(ts[at].low) {
			at++
		}
		if joined { // what stands behind "and" is the last
			item()
			break
		}
	}
	return out
}

func isArticle(w string) bool { return w == "the" || w == "a" || w == "an" }

// fillable reports whether a parameter's value may be any stretch of words or figure.
func fillable(f *fields.Field) bool {
	switch f.Sort {
	case fields.Text, fields.Person, fields.ID, fields.Date, fields.Number, fields.List, fields.Link:
		return len(f.Fields) == 0 && f.Limits == ""
	}
	return false
}

// factSpans are the facts of the request that suit a parameter.
func (r *slotReader) factSpans(f *fields.Field) []span {
	var out []span
	for i, fa := range r.w.g.facts {
		if fa.From != "" {
			continue
		}
		if f.SaysRows() && namesYear(r.text, fa) {
			continue
		}
		v, sure := fields.Suits(f, fa)
		a, amount := fa.Value.(facts.Amount)
		if sure == 0 && amount && (f.Type == "number" || f.Type == "integer" && a.N == math.Trunc(a.N)) { // any figure may be meant
			v, sure = a.N, slightly
			if f.Type == "integer" {
				v = int64(a.N)
			}
		}
		if sure == 0 {
			continue
		}
		s := span{value: v, kind: ofFact, fact: i, sure: sure}
		if s.from, s.to = r.over(fa.Start, fa.End); s.to <= s.from {
			continue
		}
		s.part = fa.Start > r.tokens[s.from].start || fa.End < r.tokens[s.to-1].start+len(withoutOwner(r.tokens[s.to-1].low))
		if amount && r.inCode(s) || !amount && s.part && fa.Kind == facts.Proper {
			continue // London of Europe/London, 11 of 11-204
		}
		if amount { // of 100 EUR the unit may be told to another parameter
			for s.to > s.from+1 && !r.tokens[s.to-1].digits {
				s.to--
			}
			for s.from < s.to-1 && !r.tokens[s.from].digits {
				s.from++
			}
		}
		if f.IsList() {
			s.value = []any{v}
		}
		out = append(out, s)
		if z, _ := v.(float64); amount && a.Percent && f.Type == "number" && z == a.N {
			s.value, s.sure, s.fraction = a.N/100, 0, true
			out = append(out, s)
		}
	}
	return out
}

// namesYear reports whether a number is a year, and not how many: from 2017.
func namesYear(s string, fa facts.Fact) bool {
	a, ok := fa.Value.(facts.Amount)
	return ok && a.Unit == "" && a.N == math.Trunc(a.N) && a.N >= 1900 && a.N < 2100 && beforeYear.MatchString(words.Before(s, fa.Start))
}

var beforeYear = words.MustCompile(`(?i)\b(?:in|from|since|of|year|after|before)\s*$`)

// inCode reports whether a figure stands in a word with other parts: 7 of payments-7f9c.
func (r *slotReader) inCode(s span) bool {
	w := r.tokens[s.from].low
	return s.part && strings.ContainsAny(strings.TrimLeft(w, "-+"), "-_/:#@")
}

// slightly is how well a figure suits a parameter when nothing speaks for it but that it is a figure.
const slightly = 0.01

// spansFor are all spans that may be the value of a parameter.
func (r *slotReader) spansFor(f *fields.Field) []span {
	out := r.factSpans(f)
	if numeric(f.Type) || f.Sort == fields.Date || f.Sort == fields.Link {
		return out
	}
	if !f.IsList() {
		return append(out, r.spans...)
	}
	out = append(out, r.lists...)
	for _, s := range r.spans {
		s.value = []any{s.value}
		out = append(out, s)
	}
	return out
}

// over are the tokens over a stretch of bytes.
func (r *slotReader) over(start, end int) (from, to int) {
	from = len(r.tokens)
	for i, t := range r.tokens {
		if t.start < end && start < t.end {
			from, to = min(from, i), i+1
		}
	}
	return min(from, to), to
}
