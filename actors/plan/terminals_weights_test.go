package plan

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
	"github.com/hmap-project/hmap/bus"
)

type trial struct {
	id    string
	x     *Index
	text  string
	gold  []string
	half  int
	group string
	s     *survey
}

func partOf(id string) int { h := fnv.New32a(); h.Write([]byte(id)); return int(h.Sum32()>>3) % 2 }

// renamed hides the names of cards.
func renamed(cs []bus.Card) []bus.Card {
	out := slices.Clone(cs)
	for i := range out {
		h := fnv.New32a()
		h.Write([]byte(out[i].Name))
		out[i].Name = fmt.Sprintf("t%08x", h.Sum32())
	}
	return out
}

func examples(t *testing.T, o Options) []*trial {
	var out []*trial
	type row struct {
		ID, Request string
		ToolsUsed   []string `json:"tools_used"`
	}
	cards := rows[bus.Card](t, "seal-tools/catalogue.jsonl")
	hidden := renamed(cards)
	new := map[string]string{}
	for i := range cards {
		new[cards[i].Name] = hidden[i].Name
	}
	x, y := NewIndex(cards, o), NewIndex(hidden, o)
	for _, r := range rows[row](t, "seal-tools/dev.jsonl") {
		out = append(out, &trial{r.ID, x, r.Request, r.ToolsUsed, partOf(r.ID), "seal", nil})
		var g []string
		for _, u := range r.ToolsUsed {
			g = append(g, new[u])
		}
		out = append(out, &trial{r.ID, y, r.Request, g, partOf(r.ID), "seal-hidden", nil})
	}
	gold := map[string][]Call{}
	for _, g := range rows[nesGold](t, "nestools/gold.jsonl") {
		gold[g.ID] = g.Calls
	}
	for _, r := range rows[nesRow](t, "nestools/requests.jsonl") {
		tools, _, _ := names(gold[r.ID])
		slices.Sort(tools)
		tools = slices.Compact(tools)
		out = append(out, &trial{r.ID, NewIndex(r.Tools, o), r.Request, tools, partOf(r.ID), "nes", nil})
		hid := renamed(r.Tools)
		var g []string
		for i, c := range r.Tools {
			if slices.Contains(tools, c.Name) {
				g = append(g, hid[i].Name)
			}
		}
		out = append(out, &trial{r.ID, NewIndex(hid, o), r.Request, g, partOf(r.ID), "nes-hidden", nil})
	}
	return out
}

// both are the features of the contest in one row; there is one constant.
func both(c [contests]float64, f *[fits]float64) []float64 {
	return append(c[:], f[1:]...)
}

type sampleRow struct {
	f []float64
	y float64
	w float64
}

func (e *trial) survey() *survey {
	if e.s == nil {
		g := e.x.understand(Input{Request: e.text, Now: now})
		e.s = e.x.survey(&g)
	}
	e.s.reset()
	return e.s
}

// rest orders what was not taken.
func (s *survey) rest() {
	ps := map[*candidate]float64{}
	for _, c := range s.candidates {
		ps[c] = s.judge(c) + words.Either[float64](c.taken, 2, 0)
	}
	slices.SortStableFunc(s.candidates, func(a, b *candidate) int { return cmp.Compare(ps[b], ps[a]) })
}

// reset weighs the candidates anew.
func (s *survey) reset() {
	clear(s.claimed)
	for _, c := range s.candidates {
		c.taken = false
		c.weigh()
	}
	s.order()
}

// train gives the weights learned from the halves that keep is true of.
func train(t *testing.T, ex []*trial, keep func(int) bool) {
	weight := func(e *trial) float64 {
		switch e.group {
		case "seal":
			return 1
		case "nes":
			return 1
		}
		return 0.3
	}
	// Where each card is best spoken of, to begin with.
	localWeights = [fits]float64{fitAlways: -4, fitName: 3, fitAbout: 2, fitShare: 2, fitEvidence: 0.5, fitVerbSame: 0.5, fitVerbMissed: -0.5, fitVerbClash: -0.5, fitBegins: 0.5}
	for round := range 3 {
		var rs []sampleRow
		cut, need := map[string]int{}, map[string]int{}
		for _, e := range ex {
			if !keep(e.half) {
				continue
			}
			s := e.survey()
			found := 0
			for _, c := range s.candidates {
				y := words.Either[float64](slices.Contains(e.gold, c.e.Name), 1, 0)
				if y == 1 {
					found++
				}
				rs = append(rs, sampleRow{c.fit()[:], y, weight(e)})
			}
			need[e.group] += len(e.gold)
			cut[e.group] += found
		}
		if round == 0 {
			t.Logf("candidates hold %v of %v", cut, need)
		}
		copy(localWeights[:], logistic(rs, 1))
	}
	for range 1 {
		var groups [][][]float64
		var ws []float64
		for _, e := range ex {
			if !keep(e.half) {
				continue
			}
			s := e.survey()
			for _, c := range s.candidates {
				if !slices.Contains(e.gold, c.e.Name) || c.why[c.best] == nil {
					continue
				}
				g := [][]float64{c.why[c.best][:]}
				for _, o := range s.candidates {
					if o != c && o.why[c.best] != nil && !slices.Contains(e.gold, o.e.Name) {
						g = append(g, o.why[c.best][:])
					}
				}
				groups = append(groups, g)
				ws = append(ws, weight(e))
			}
		}
		copy(rankWeights[:], listwise(groups, ws, 3))
	}
	var rs []sampleRow
	for round := range 3 {
		for _, e := range ex {
			if !keep(e.half) {
				continue
			}
			s := e.survey()
			row := func(c *candidate) {
				rs = append(rs, sampleRow{both(s.contest(c), c.fit()), words.Either[float64](slices.Contains(e.gold, c.e.Name), 1, 0), weight(e)})
			}
			if round == 0 {
				for _, c := range s.candidates {
					row(c)
					if slices.Contains(e.gold, c.e.Name) {
						s.take(c)
					}
				}
				continue
			}
			s.each = row
			s.choose()
			s.each = nil
			for _, c := range s.candidates {
				if !c.taken {
					row(c)
				}
			}
		}
		learned := logistic(rs, 1)
		copy(contestWeights[:], learned)
		copy(contestFits[1:], learned[contests:])
		if round == 0 {
			rs = nil
		}
	}
	bestF, bestBar := 0.0, 0.0
	for bar := 0.3; bar < 0.6; bar += 0.03 {
		chosenBar = bar
		f := 0.0
		for _, group := range []string{"seal", "nes"} {
			var tl tally
			for _, e := range ex {
				if e.group == group && keep(e.half) {
					s := e.survey()
					var got []string
					for _, c := range s.choose() {
						got = append(got, c.e.Name)
					}
					tl.add(got, e.gold)
				}
			}
			f += tl.f1()
		}
		if f > bestF {
			bestF, bestBar = f, bar
		}
	}
	chosenBar = bestBar
	t.Logf("bar %.2f", bestBar)
}

func share(ex []*trial, keep func(int) bool) string {
	tl := map[string]*tally{}
	rec, all := map[string]int{}, map[string]int{}
	for _, e := range ex {
		if !keep(e.half) {
			continue
		}
		if tl[e.group] == nil {
			tl[e.group] = &tally{}
		}
		s := e.survey()
		var got []string
		for _, c := range s.choose() {
			got = append(got, c.e.Name)
		}
		s.rest()
		tl[e.group].add(got, e.gold)
		for i, c := range s.candidates {
			if i < 10 && slices.Contains(e.gold, c.e.Name) {
				rec[e.group]++
			}
		}
		all[e.group] += len(e.gold)
	}
	out := ""
	for _, k := range []string{"seal", "seal-hidden", "nes", "nes-hidden"} {
		if v := tl[k]; v != nil {
			out += fmt.Sprintf(" | %s F1 %.1f (%d/%d/%d) r@10 %.1f", k, v.f1(), v.right, v.said, v.gold, 100*float64(rec[k])/float64(all[k]))
		}
	}
	return out
}

func TestTerminalWeights(t *testing.T) {
	if os.Getenv("HMAP_TRAIN") == "" {
		t.Skip("HMAP_TRAIN=1 learns the weights anew")
	}
	ex := examples(t, Options{})
	for h := range 2 {
		train(t, ex, func(k int) bool { return k == h })
		t.Logf("learned on %d: itself %s", h, share(ex, func(k int) bool { return k == h }))
		t.Logf("learned on %d: other %s", h, share(ex, func(k int) bool { return k != h }))
	}
	if os.Getenv("HMAP_TRAIN") != "halves" {
		train(t, ex, func(int) bool { return true })
		t.Logf("whole: %s", share(ex, func(k int) bool { return true }))
		saveWeights(t)
	}
}

// saveWeights puts the numbers that were learned in the place of those in the file.
func saveWeights(t *testing.T) {
	const file = "terminals_weights.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	numbers := slices.Concat(localWeights[:], rankWeights[:], contestWeights[:], contestFits[:])
	line := regexp.MustCompile(`(?m)^(\t\w+:\s+)-?[\d.]+,$`)
	n := 0
	text = line.ReplaceAllFunc(text, func(old []byte) []byte {
		n++
		return fmt.Appendf(nil, "%s%.3f,", line.FindSubmatch(old)[1], numbers[min(n, len(numbers))-1])
	})
	if n != len(numbers) {
		t.Fatalf("%s has lines for %d weights of %d; every one needs a line, with any number", file, n, len(numbers))
	}
	text = regexp.MustCompile(`chosenBar = [\d.]+`).ReplaceAll(text, fmt.Appendf(nil, "chosenBar = %.2f", chosenBar))
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
