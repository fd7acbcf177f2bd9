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
				if at, path, ok := strings.Cut(s, "."); ok && strings.HasPrefix(at, "$") && digits(at[1:]) {
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

// example is one parameter of the set: the traits of its way without an edge and of its edges, and which of them is right.
type example struct {
	own    [ownTraits]float64
	edges  [][edgeTraits]float64
	gold   int  // among edges; -1: none of them
	faulty bool // the gold of its row names fields that the cards do not have: counted, not learned from
}

// lesson are the examples of some rows. unseen references name fields that no card has, so that nobody can find them.
type lesson struct {
	examples []example
	unseen   int
}

// read adds a row with its right tools given.
func (l *lesson) read(r nesRow, calls []Call) {
	used, refs, _ := names(calls)
	right := map[string]string{}
	for _, s := range refs {
		to, from, _ := strings.Cut(s, "=")
		right[to] = from
	}
	x := NewIndex(slices.DeleteFunc(slices.Clone(r.Tools), func(c bus.Card) bool { return !slices.Contains(used, c.Name) }), Options{})
	has := map[string]bool{}
	for _, e := range x.entries {
		for _, f := range e.params {
			has[e.Name+"."+f.Name] = true
		}
		walk(e.returns, "", func(path string, _ *field) { has[e.Name+"."+path] = true })
	}
	faulty := false
	for to, from := range right {
		if !has[to] || !has[from] {
			faulty = true
			l.unseen++
		}
	}
	g := x.understand(Input{Request: r.Request, Now: now})
	g.clauses = splitter{verbs: x.verbs, loose: true}.clauses(g.text)
	chosen, _ := x.terminals(&g)
	w := x.weave(&g, chosen)
	for _, t := range w.asked {
		for i := range t.params {
			f := &t.params[i]
			e := example{own: w.ownTraits(t, f), gold: -1, faulty: faulty}
			for _, p := range w.asked {
				if p == t {
					continue
				}
				walk(p.returns, "", func(path string, r *field) {
					fit := typesFit(r, f)
					if fit == 0 {
						return
					}
					if right[t.Name+"."+f.Name] == p.Name+"."+path {
						e.gold = len(e.edges)
					}
					e.edges = append(e.edges, w.edgeTraits(p, r, t, f, fit))
				})
			}
			l.examples = append(l.examples, e)
		}
	}
}

// weights of the traits: those of own, then those of edges.
type weights [ownTraits + edgeTraits]float64

// scores of the way without an edge, then of the edges.
func (w *weights) scores(e example) []float64 {
	dot := func(w, x []float64) (sum float64) {
		for i := range x {
			sum += w[i] * x[i]
		}
		return sum
	}
	out := []float64{dot(w[:], e.own[:])}
	for _, x := range e.edges {
		out = append(out, dot(w[ownTraits:], x[:]))
	}
	return out
}

// learn finds the weights under which the right ways are the likeliest (conditional logit), by Adam with a Gaussian prior.
func (l *lesson) learn() *weights {
	const prior, steps = 1.0, 500
	var w, m, v weights
	for step := 1; step <= steps; step++ {
		var g weights
		for _, e := range l.examples {
			if e.faulty {
				continue
			}
			s := w.scores(e)
			top, z := slices.Max(s), 0.0
			for i := range s {
				s[i] = math.Exp(s[i] - top)
				z += s[i]
			}
			for i := range s {
				d := bit(i-1 == e.gold) - s[i]/z
				if i == 0 {
					for k, x := range e.own {
						g[k] += d * x
					}
					continue
				}
				for k, x := range e.edges[i-1] {
					g[ownTraits+k] += d * x
				}
			}
		}
		n := float64(step)
		for k := range g {
			g[k] -= prior * w[k]
			m[k] = 0.9*m[k] + 0.1*g[k]
			v[k] = 0.999*v[k] + 0.001*g[k]*g[k]
			w[k] += 0.1 / (1 + n/100) * m[k] / (1 - math.Pow(0.9, n)) / (math.Sqrt(v[k]/(1-math.Pow(0.999, n))) + 1e-9)
		}
	}
	return &w
}

// judge takes the likeliest way of each parameter by itself: mean −ln of the right ways, F1 of references.
func (l *lesson) judge(w *weights) (loss, f1 float64) {
	t := tally{gold: l.unseen}
	n := 0
	for _, e := range l.examples {
		s := w.scores(e)
		if z := 0.0; !e.faulty {
			for _, v := range s {
				z += math.Exp(v)
			}
			loss += math.Log(z) - s[e.gold+1]
			n++
		}
		taken := slices.Index(s, slices.Max(s)) - 1
		t.said += int(bit(taken >= 0))
		t.gold += int(bit(e.gold >= 0))
		t.right += int(bit(taken >= 0 && taken == e.gold))
	}
	return loss / float64(max(n, 1)), t.f1()
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
		var halves [2]lesson
		for _, r := range requests {
			calls := gold[r.ID]
			if kind == 1 {
				r, calls = r.mute(calls)
			}
			halves[halfOf(r.ID)].read(r, calls)
		}
		for i := range halves {
			w := halves[i].learn()
			loss, f1 := halves[i].judge(w)
			otherLoss, other := halves[1-i].judge(w)
			t.Logf("%s names, learned on half %d: −ln %.3f, nested F1 %.1f; on the other: %.3f, %.1f", name, i, loss, f1, otherLoss, other)
			if f1-other > 5 {
				t.Errorf("the weights are those of the rows, not of the kind: nested F1 %.1f where they were learned, %.1f elsewhere", f1, other)
			}
		}
		both := lesson{examples: slices.Concat(halves[0].examples, halves[1].examples)}
		learned[kind] = both.learn()
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
