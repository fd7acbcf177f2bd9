package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// lexicon maps a Latin word to Han pairs and back, learned from the cards alone: order_id beside 订单编号, order_detail beside
// 订单详情 teach order ↔ 订单. So an English question finds a Chinese tool without a dictionary of ours.
type lexicon map[string][]meaning

type meaning struct {
	term   string
	weight float64 // 0–1
}

// newLexicon counts how often a word of a name stands beside a Han pair of its description. Only pairs seen at least twice,
// and that belong to few other words, are kept: two cards by chance are the price of small catalogues.
func newLexicon(entries []*cards.Entry) lexicon {
	type pair struct{ latin, han string }
	both := map[pair]int{}
	latin, han := map[string]int{}, map[string]int{}
	observe := func(name, desc string) {
		var ls, hs []string
		seen := map[string]bool{}
		for _, p := range words.Pieces(name) {
			if w := words.Stem(strings.ToLower(p.Text)); !p.Han && len(w) > 2 && !seen[w] && !words.StopEnglish[strings.ToLower(p.Text)] {
				seen[w] = true
				ls = append(ls, w)
			}
		}
		if len(ls) == 0 {
			return
		}
		for _, w := range words.Content(words.Clip(desc, 200)) {
			if words.IsHan([]rune(w)[0]) && !seen[w] {
				seen[w] = true
				hs = append(hs, w)
			}
		}
		if len(hs) == 0 {
			return
		}
		for _, h := range hs {
			han[h]++
		}
		for _, l := range ls {
			latin[l]++
			for _, h := range hs {
				both[pair{l, h}]++
			}
		}
	}
	for _, e := range entries {
		observe(e.Name, words.Head(e.Description)+" "+strings.Join(e.Tags, " "))
		for _, f := range e.Params {
			observe(f.Name, f.Head())
		}
		for _, f := range e.Gives {
			observe(f.Name, f.Head())
		}
	}
	x := lexicon{}
	for p, n := range both {
		if dice := 2 * float64(n) / float64(latin[p.latin]+han[p.han]); n >= 2 && dice >= 0.4 {
			x[p.latin] = append(x[p.latin], meaning{p.han, dice})
			x[p.han] = append(x[p.han], meaning{p.latin, dice})
		}
	}
	for w, ms := range x {
		slices.SortFunc(ms, func(a, b meaning) int {
			if c := cmp.Compare(b.weight, a.weight); c != 0 {
				return c
			}
			return strings.Compare(a.term, b.term)
		})
		x[w] = ms[:min(3, len(ms))]
	}
	return x
}

// widen adds the learned translations of the terms, at half their weight.
func (x lexicon) widen(terms map[string]float64, order *[]string) {
	for _, t := range slices.Clone(*order) {
		for _, m := range x[t] {
			if terms[m.term] == 0 {
				terms[m.term] = 0.5 * m.weight * terms[t]
				*order = append(*order, m.term)
			}
		}
	}
}
