package plan

import (
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// example is one parameter of the set: its way without an edge, its edges, and which of them is right.
type example struct {
	row, half int
	own       [ownTraits]float64
	edges     [][edgeTraits]float64
	gold      int    // among edges; -1: none of them
	name      string // of the parameter
	names     []string
	faulty    bool // the row's gold names fields that its cards do not have
}

// halfOf splits a set by the hashes of its ids.
func halfOf(id string) int {
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32()>>7) % 2
}

// examples reads the set with the right tools given. blind takes all names of tools and fields for nothing.
func examples(t testing.TB) (out []example, missing int) {
	gold := map[string][]Call{}
	for _, g := range rows[nesGold](t, "nestools/gold.jsonl") {
		gold[g.ID] = g.Calls
	}
	for i, r := range rows[nesRow](t, "nestools/requests.jsonl") {
		used, refs, _ := names(gold[r.ID])
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
			faulty = faulty || !has[to] || !has[from]
			if !has[to] {
				missing++
			}
		}
		g := x.understand(Input{Request: r.Request, Now: now})
		g.clauses = splitter{verbs: x.verbs, loose: true}.clauses(g.text)
		w := x.weave(&g, x.terminals(&g))
		for _, e := range w.asked {
			for i2 := range e.params {
				f := &e.params[i2]
				ex := example{row: i, half: halfOf(r.ID), own: w.ownTraits(e, f), gold: -1, name: e.Name + "." + f.Name, faulty: faulty}
				for _, p := range w.asked {
					if p == e {
						continue
					}
					walk(p.returns, "", func(path string, rf *field) {
						fit := typesFit(rf, f)
						if fit == 0 {
							return
						}
						if right[ex.name] == p.Name+"."+path {
							ex.gold = len(ex.edges)
						}
						ex.edges = append(ex.edges, w.edgeTraits(p, rf, e, f, fit))
						ex.names = append(ex.names, p.Name+"."+path)
					})
				}
				if right[ex.name] != "" && ex.gold < 0 {
					missing++
				}
				out = append(out, ex)
			}
		}
	}
	return out, missing
}

// weights of the traits: those of own, then those of edges.
type weights [ownTraits + edgeTraits]float64

func (w *weights) scores(e example) []float64 {
	out := []float64{dotp(w[:ownTraits], e.own[:])}
	for _, x := range e.edges {
		out = append(out, dotp(w[ownTraits:], x[:]))
	}
	return out
}

// learn finds the weights under which the right ways are the likeliest (conditional logit), by Adam with a Gaussian prior.
func learn(set []example) weights {
	const prior = 1.0
	var w, m, v weights
	for step := 1; step <= 500; step++ {
		var g weights
		for _, e := range set {
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
		rate := 0.1 / (1 + float64(step)/100)
		for k := range g {
			g[k] -= prior * w[k]
			m[k] = 0.9*m[k] + 0.1*g[k]
			v[k] = 0.999*v[k] + 0.001*g[k]*g[k]
			w[k] += rate * m[k] / (1 - math.Pow(0.9, float64(step))) / (math.Sqrt(v[k]/(1-math.Pow(0.999, float64(step)))) + 1e-9)
		}
	}
	return w
}

// judge takes the likeliest way of each parameter by itself: mean −ln of the right ways, F1 of references.
func (w *weights) judge(set []example, missing int) (loss, f1 float64) {
	t := tally{gold: missing}
	n := 0
	for _, e := range set {
		s := w.scores(e)
		z := 0.0
		for _, v := range s {
			z += math.Exp(v)
		}
		if !e.faulty {
			loss += math.Log(z) - s[e.gold+1]
			n++
		}
		at := slices.Index(s, slices.Max(s)) - 1
		if at >= 0 {
			t.said++
		}
		if e.gold >= 0 {
			t.gold++
		}
		if at >= 0 && at == e.gold {
			t.right++
		}
	}
	return loss / float64(n), t.f1()
}

// TestWeights checks that weights learned on one half of the set serve the other half nearly as well, and that those in
// weights.go are the ones learned on both. HMAP_LEARN=1 writes them.
func TestWeights(t *testing.T) {
	all, missing := examples(t)
	for half := range 2 {
		var mine, other []example
		for _, e := range all {
			if e.half == half {
				mine = append(mine, e)
			} else {
				other = append(other, e)
			}
		}
		w := learn(mine)
		l1, f1 := w.judge(mine, missing/2)
		l2, f2 := w.judge(other, missing/2)
		t.Logf("learned on half %d: loss %.4f, nested F1 %.1f; on the other: loss %.4f, nested F1 %.1f", half, l1, f1, l2, f2)
	}
	w := learn(all)
	if os.Getenv("HMAP_LEARN") != "" {
		var b strings.Builder
		b.WriteString(weightsHead)
		fmt.Fprintf(&b, "var edgeWeights = [edgeTraits]float64{\n")
		for i, v := range w[ownTraits:] {
			fmt.Fprintf(&b, "\t%s: %.2f,\n", edgeNames[i], v)
		}
		fmt.Fprintf(&b, "}\n\nvar ownWeights = [ownTraits]float64{\n")
		for i, v := range w[:ownTraits] {
			fmt.Fprintf(&b, "\t%s: %.2f,\n", ownNames[i], v)
		}
		b.WriteString("}\n")
		if err := os.WriteFile("weights.go", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const weightsHead = `package plan

// The weights of the traits are the maximum of the likelihood of the right ways in the development part of NesTools with the right
// tools given, with a Gaussian prior of unit width. HMAP_LEARN=1 go test -run TestWeights ./actors/plan writes them anew and tells
// what weights learned on one half do on the other; gofmt -w actors/plan/weights.go aligns them.

`

var edgeNames = strings.Fields(`nameAlike toldAlike gramsAlike namesTool ofTaker outdone sameSort bothIDs yesNo backward apart pointsField pointsTool exampleTold converted`)

var ownNames = strings.Fields(`always boundSure factHere exampleHere wholeNumber aList trueFalse aDay aPerson firstOne lastOne manyOnes wordy`)
