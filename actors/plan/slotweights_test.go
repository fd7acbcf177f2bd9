package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/wishes"
	"github.com/hmap-project/hmap/bus"
)

// slotLesson is one row with its right tools given: the slots of its parameters, and what is right for them.
type slotLesson struct {
	reader *slotReader
	tools  [][]*slot
	gold   map[*slot]int    // 0: no value; else of fillers, from 1
	want   map[*slot]string // "": none
	golds  int              // literals of the gold
}

// trimmedLow is a value as the metric of literals compares it: trimmed, in small letters, numbers by what they are worth.
func trimmedLow(v any) string {
	switch v := v.(type) {
	case int64:
		return fmt.Sprint(float64(v))
	case json.Number:
		f, _ := v.Float64()
		return fmt.Sprint(f)
	case []any:
		out := ""
		for _, o := range v {
			out += "|" + trimmedLow(o)
		}
		return out
	}
	return strings.ToLower(strings.TrimSpace(fmt.Sprint(v)))
}

func reference(v any) bool {
	s, ok := v.(string)
	return ok && strings.HasPrefix(s, "$") && strings.Contains(s, ".")
}

func (r nesRow) slotLesson(calls []Call) *slotLesson {
	used, _, _ := names(calls)
	x := NewIndex(slices.DeleteFunc(slices.Clone(r.Tools), func(c bus.Card) bool { return !slices.Contains(used, c.Name) }), Options{})
	g := x.understand(Input{Request: r.Request, Now: now})
	g.clauses = wishes.Splitter{Verbs: x.verbs, Loose: true}.Clauses(g.text)
	chosen, _ := x.terminals(&g)
	w := x.weave(&g, chosen)
	l := &slotLesson{reader: w.slotReader(), gold: map[*slot]int{}, want: map[*slot]string{}}
	told := map[string]any{} // by tool and parameter
	for _, c := range calls {
		for name, v := range c.Parameter {
			if !reference(v) {
				told[c.ToolName+"."+name] = v
				l.golds++
			}
		}
	}
	for _, e := range w.asked {
		at := w.where[e]
		ss := l.reader.slots(e, at.Clause, at.plain, fillable)
		l.tools = append(l.tools, ss)
		for _, s := range ss {
			if v, ok := told[e.Name+"."+s.f.Name]; ok {
				l.want[s] = trimmedLow(v)
				l.gold[s] = s.find(l.want[s])
			}
		}
	}
	return l
}

// find is the filler with a value, rather where the tool is spoken of; 0: none.
func (s *slot) find(value string) (out int) {
	for i, v := range s.fillers {
		if trimmedLow(v.value) == value && (out == 0 || v.traits[spanHere] > s.fillers[out-1].traits[spanHere]) {
			out = i + 1
		}
	}
	return out
}

type slotWeights [spanTraits + leaveTraits]float64

func (w *slotWeights) scores(s *slot) []float64 {
	out := []float64{dotted(s.leave[:], w[spanTraits:])}
	for k := range s.fillers {
		out = append(out, dotted(s.fillers[k].traits[:], w[:]))
	}
	return out
}

// look gives the fillers the traits that come of a first look.
func (l *slotLesson) look(w *slotWeights) {
	l.forget()
	for _, ss := range l.tools {
		contend(ss, w.scores)
	}
	l.reader.twins(l.tools)
}

func (l *slotLesson) forget() {
	for _, s := range slices.Concat(l.tools...) {
		for k := range s.fillers {
			s.fillers[k].traits[outdoneBy], s.fillers[k].traits[twinHas] = 0, 0
		}
	}
}

// learnSlots finds the weights by turns, as [learn] does. That of two ends each has its own is believed before: the set hardly tells of it.
func learnSlots(ls []*slotLesson) *slotWeights {
	var believed slotWeights
	believed[itsEnd], believed[wrongEnd] = 3, -3
	var cs []choice
	for _, l := range ls {
		l.forget()
		for _, s := range slices.Concat(l.tools...) {
			c := choice{right: l.gold[s], options: []option{{from: int(spanTraits), traits: s.leave[:]}}}
			for k := range s.fillers {
				c.options = append(c.options, option{traits: s.fillers[k].traits[:]})
			}
			cs = append(cs, c)
		}
	}
	var w slotWeights
	copy(w[:], logit(cs, believed[:], 0.05))
	for range 3 {
		for _, l := range ls {
			l.look(&w)
		}
		copy(w[:], logit(cs, believed[:], 0.05))
	}
	return &w
}

// judgeSlots is the F1 of literals.
func judgeSlots(ls []*slotLesson, w *slotWeights) float64 {
	t := tally{}
	for _, l := range ls {
		t.gold += l.golds
		l.look(w)
		picked := decide(l.tools, w.scores)
		t.said += len(picked)
		for s, k := range picked {
			t.right += int(bit(trimmedLow(s.fillers[k].value) == l.want[s]))
		}
	}
	return t.f1()
}

// TestSlotWeights checks that what is learned on one half of the set serves the other half nearly as well. HMAP_LEARN=1 writes the weights
// learned on both halves to slotweights.go.
func TestSlotWeights(t *testing.T) {
	if !whole && os.Getenv("HMAP_LEARN") == "" {
		t.Skip("learning takes the whole set: HMAP_SETS=all")
	}
	gold := map[string][]Call{}
	for _, g := range rows[nesGold](t, "nestools/gold.jsonl") {
		gold[g.ID] = g.Calls
	}
	var halves [2][]*slotLesson
	for _, r := range rows[nesRow](t, "nestools/requests.jsonl") {
		half := &halves[halfOf(r.ID)]
		*half = append(*half, r.slotLesson(gold[r.ID]))
	}
	for i := range halves {
		w := learnSlots(halves[i])
		f1, other := judgeSlots(halves[i], w), judgeSlots(halves[1-i], w)
		t.Logf("learned on half %d: literal F1 %.1f; on the other %.1f", i, f1, other)
		if f1-other > 6 {
			t.Errorf("the weights are those of the rows, not of the kind: literal F1 %.1f where they were learned, %.1f elsewhere", f1, other)
		}
	}
	w := learnSlots(slices.Concat(halves[0], halves[1]))
	t.Logf("learned on both: literal F1 %.1f", judgeSlots(slices.Concat(halves[0], halves[1]), w))
	if os.Getenv("HMAP_LEARN") != "" {
		if err := os.WriteFile("slotweights.go", w.written(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// written is the file of weights with these numbers.
func (w *slotWeights) written() []byte {
	old, err := os.ReadFile("slotweights.go")
	if err != nil {
		panic(err)
	}
	lines := strings.Split(string(old), "\n")
	k := 0
	for i, line := range lines {
		if name, _, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(line, "\t") {
			lines[i] = fmt.Sprintf("%s: %.2f,", name, w[k])
			k++
		}
	}
	return []byte(strings.Join(lines, "\n"))
}
