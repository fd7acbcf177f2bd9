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
	out := []float64{dotted(g.own[:], w[:])}
	for _, l := range g.links {
		out = append(out, dotted(l.traits[:], w[ownTraits:]))
	}
	return out
}

// learn finds the weights under which the right ways are the likeliest at the second look, when the first is taken with the same
// weights: by turns.
func learn(ls []*lesson) *weights {
	w := fitted(ls)
	for range 3 {
		look(ls, w)
		w = fitted(ls)
	}
	return w
}

// fitted finds the weights under which the right ways are the likeliest.
func fitted(ls []*lesson) *weights {
	var cs []choice
	for _, l := range ls {
		for _, g := range l.all() {
			if l.faulty {
				continue
			}
			c := choice{right: l.gold[g.Field] + 1, options: []option{{traits: g.own[:]}}}
			for _, k := range g.links {
				c.options = append(c.options, option{from: int(ownTraits), traits: k.traits[:]})
			}
			cs = append(cs, c)
		}
	}
	var w weights
	copy(w[:], logit(cs, make([]float64, len(w)), 1e-4))
	return &w
}

func look(ls []*lesson, w *weights) {
	for _, l := range ls {
		l.forget()
		l.look(w.scores, false)
	}
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
