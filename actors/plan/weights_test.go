package plan

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

// halfOf splits a set by the hashes of its ids.
func halfOf(id string) int {
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32()>>7) % 2
}

// mute is the row with names of tools and fields that say nothing.
func (r nesRow) mute(calls []Call) (nesRow, []Call) {
	tools := slices.Clone(r.Tools)
	for i := range tools {
		c := &tools[i]
		c.Name, c.Parameters, c.Returns = opaque(c.Name), muteSchema(c.Parameters), muteSchema(c.Returns)
	}
	r.Tools = tools
	out := slices.Clone(calls)
	for i, c := range out {
		out[i].ToolName, out[i].Parameter = opaque(c.ToolName), map[string]any{}
		for name, v := range c.Parameter {
			if s, ok := v.(string); ok {
				if at, path, ok := strings.Cut(s, "."); ok && strings.HasPrefix(at, "$") && words.AllDigits(at[1:]) {
					v = at + "." + opaque(path)
				}
			}
			out[i].Parameter[opaque(name)] = v
		}
	}
	return r, out
}

func muteSchema(raw json.RawMessage) json.RawMessage {
	var s map[string]any
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	if ps, ok := s["properties"].(map[string]any); ok {
		muted := map[string]any{}
		for name, v := range ps {
			muted[opaque(name)] = v
		}
		s["properties"] = muted
	}
	if names, ok := s["required"].([]any); ok {
		for i, n := range names {
			names[i] = opaque(fmt.Sprint(n))
		}
	}
	out, err := json.Marshal(s)
	if err != nil {
		return raw
	}
	return out
}

// opaque is a name of seven letters in place of another.
func opaque(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	out := ""
	for n := h.Sum32(); len(out) < 7; n /= 26 {
		out += string(rune('a' + n%26))
	}
	return out
}

// lesson is one row with its right tools given: the ways of its parameters, and which of them are right.
type lesson struct {
	*weave
	order  []*cards.Entry // as the request speaks of them
	gold   map[*fields.Field]int
	faulty bool // its gold names fields that the cards do not have: counted, not learned from
	refs   int  // of the gold
}

func (r nesRow) lesson(calls []Call) *lesson {
	used, refs, _ := names(calls)
	right := map[string]string{}
	for _, s := range refs {
		to, from, _ := strings.Cut(s, "=")
		right[to] = from
	}
	x := NewIndex(slices.DeleteFunc(slices.Clone(r.Tools), func(c bus.Card) bool { return !slices.Contains(used, c.Name) }), Options{})
	g := x.understand(Input{Request: r.Request, Now: now})
	g.clauses = wishes.Splitter{Verbs: x.verbs, Loose: true}.Clauses(g.text)
	chosen, _ := x.terminals(&g)
	l := &lesson{weave: x.weave(&g, chosen), gold: map[*fields.Field]int{}, refs: len(refs)}
	l.order = slices.Clone(l.asked)
	found := 0
	for _, g := range l.all() {
		l.gold[g.Field] = slices.IndexFunc(g.links, func(k *link) bool {
			return right[g.Taker.Name+"."+g.Field.Name] == k.provider.Name+"."+k.path
		})
		found += int(bit(l.gold[g.Field] >= 0))
	}
	l.faulty = found < len(right)
	return l
}

// all gaps of the tools asked for.
func (w *weave) all() []*gap {
	var out []*gap
	for _, t := range w.asked {
		out = append(out, w.gaps[t]...)
	}
	return out
}

// forget takes back what an earlier look found.
func (l *lesson) forget() {
	l.reorder(slices.Clone(l.order))
	for _, g := range l.all() {
		for _, k := range g.links {
			k.traits[elsewhere] = 0
			k.traits[twinTakes] = 0
		}
		g.own[twinTold] = 0
	}
}

// weights of the traits: those of own, then those of edges.
type weights [ownTraits + edgeTraits]float64

// scores of the way without an edge, then of the links.
func (w *weights) scores(g *gap) []float64 {
	dot := func(w, x []float64) (sum float64) {
		for i := range x {
			sum += w[i] * x[i]
		}
		return sum
	}
	out := []float64{dot(w[:], g.own[:])}
	for _, l := range g.links {
		out = append(out, dot(w[ownTraits:], l.traits[:]))
	}
	return out
}

// learn finds the weights under which the right ways are the likeliest at the second look, when the first is taken with the same
// weights: by turns.
func learn(ls []*lesson) *weights {
	w := newton(ls)
	for range 3 {
		look(ls, w)
		w = newton(ls)
	}
	return w
}

func look(ls []*lesson, w *weights) {
	for _, l := range ls {
		l.forget()
		l.look(w.scores, false)
	}
}

// prior is the inverse variance of the weights before anything is learned. From 0.3 to 1 the figures hardly change.
const prior = 0.5

// loss is −ln of the probability of the weights and of the right ways.
func loss(ls []*lesson, w *weights) (sum float64) {
	for _, v := range w {
		sum += prior * v * v / 2
	}
	for _, l := range ls {
		for _, g := range l.all() {
			if !l.faulty {
				sum -= math.Log(likely(w.scores(g))[l.gold[g.Field]+1])
			}
		}
	}
	return sum
}

// newton is conditional logit with a Gaussian prior, by Newton's method.
func newton(ls []*lesson) *weights {
	const n = len(weights{})
	var w weights
	at := loss(ls, &w)
	for range 30 {
		gradient, hessian := make([]float64, n), make([]float64, n*n)
		for k := range n {
			gradient[k] = -prior * w[k]
			hessian[k*n+k] = prior
		}
		for _, l := range ls {
			for _, g := range l.all() {
				if !l.faulty {
					slope(g, l.gold[g.Field]+1, likely(w.scores(g)), gradient, hessian)
				}
			}
		}
		by := solveSquare(hessian, gradient)
		gain := 0.0
		for step := 1.0; step > 1e-3 && gain == 0; step /= 2 {
			next := w
			for k := range next {
				next[k] += step * by[k]
			}
			if v := loss(ls, &next); v < at {
				gain, at, w = at-v, v, next
			}
		}
		if gain < 1e-4 {
			break
		}
	}
	return &w
}

// slope adds the first and second derivatives of −ln of the probability of the right way of a gap.
func slope(g *gap, right int, odds, gradient, hessian []float64) {
	n := len(gradient)
	mean := make([]float64, n)
	visit := func(i int, do func(k int, v float64)) {
		from, traits := 0, g.own[:]
		if i > 0 {
			from, traits = int(ownTraits), g.links[i-1].traits[:]
		}
		for k, v := range traits {
			if v != 0 {
				do(from+k, v)
			}
		}
	}
	for i, p := range odds {
		visit(i, func(a int, v float64) {
			gradient[a] += (bit(i == right) - p) * v
			mean[a] += p * v
			visit(i, func(b int, u float64) { hessian[a*n+b] += p * v * u })
		})
	}
	for a, v := range mean {
		if v != 0 {
			for b, u := range mean {
				hessian[a*n+b] -= v * u
			}
		}
	}
}

// solveSquare solves h x = g for a symmetric positive h, by Cholesky's method.
func solveSquare(h, g []float64) []float64 {
	n := len(g)
	l, x := slices.Clone(h), slices.Clone(g)
	for j := range n {
		for i := j; i < n; i++ {
			for k := range j {
				l[i*n+j] -= l[i*n+k] * l[j*n+k]
			}
			if i == j {
				l[j*n+j] = math.Sqrt(l[j*n+j])
			} else {
				l[i*n+j] /= l[j*n+j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= l[i*n+k] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= l[k*n+i] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	return x
}

// judge takes the likeliest way of each parameter by itself: mean −ln of the right ways, F1 of references.
func judge(ls []*lesson, w *weights) (mean, f1 float64) {
	look(ls, w)
	t, n := tally{}, 0
	for _, l := range ls {
		t.gold += l.refs
		for _, g := range l.all() {
			odds := likely(w.scores(g))
			if !l.faulty {
				mean -= math.Log(odds[l.gold[g.Field]+1])
				n++
			}
			taken := slices.Index(odds, slices.Max(odds)) - 1
			t.said += int(bit(taken >= 0))
			t.right += int(bit(taken >= 0 && taken == l.gold[g.Field]))
		}
	}
	return mean / float64(max(n, 1)), t.f1()
}

// TestWeights checks that what is learned on one half of the set serves the other half nearly as well, with the names as they
// are and with names that say nothing. HMAP_LEARN=1 writes the weights learned on both halves to weights.go.
func TestWeights(t *testing.T) {
	if !whole && os.Getenv("HMAP_LEARN") == "" {
		t.Skip("learning takes the whole set: HMAP_SETS=all")
	}
	gold := map[string][]Call{}
	for _, g := range rows[nesGold](t, "nestools/gold.jsonl") {
		gold[g.ID] = g.Calls
	}
	requests := rows[nesRow](t, "nestools/requests.jsonl")
	var learned [2]*weights
	for kind, name := range []string{"spoken", "mute"} {
		var halves [2][]*lesson
		for _, r := range requests {
			calls := gold[r.ID]
			if kind == 1 {
				r, calls = r.mute(calls)
			}
			half := &halves[halfOf(r.ID)]
			*half = append(*half, r.lesson(calls))
		}
		for i := range halves {
			w := learn(halves[i])
			loss, f1 := judge(halves[i], w)
			otherLoss, other := judge(halves[1-i], w)
			t.Logf("%s names, learned on half %d: −ln %.3f, nested F1 %.1f; on the other: %.3f, %.1f", name, i, loss, f1, otherLoss, other)
			if f1-other > 5 {
				t.Errorf("the weights are those of the rows, not of the kind: nested F1 %.1f where they were learned, %.1f elsewhere", f1, other)
			}
		}
		learned[kind] = learn(slices.Concat(halves[0], halves[1]))
	}
	if os.Getenv("HMAP_LEARN") != "" {
		if err := os.WriteFile("weights.go", writeWeights(learned), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// writeWeights puts the numbers into the file that has them.
func writeWeights(w [2]*weights) []byte {
	old, err := os.ReadFile("weights.go")
	if err != nil {
		panic(err)
	}
	lines := strings.Split(string(old), "\n")
	k := -1
	for i, line := range lines {
		switch name, _, ok := strings.Cut(line, ":"); {
		case strings.HasPrefix(line, "var edgeWeights"):
			k = int(ownTraits)
		case strings.HasPrefix(line, "var ownWeights"):
			k = 0
		case ok && strings.HasPrefix(line, "\t"):
			lines[i] = fmt.Sprintf("%s: {%.2f, %.2f},", name, w[0][k], w[1][k])
			k++
		}
	}
	return []byte(strings.Join(lines, "\n"))
}
