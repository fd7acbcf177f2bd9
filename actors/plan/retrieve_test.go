package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

func TestFindWithInjectedEmbeddings(t *testing.T) {
	// Two cards without a word in common with the query; only the vectors know that a parcel is a shipment.
	cards := []bus.Card{
		{Name: "alpha", Kind: "tool", Description: "consignment whereabouts", Effect: bus.Read},
		{Name: "beta", Kind: "tool", Description: "monthly turnover", Effect: bus.Read},
	}
	embed := func(texts []string) [][]float32 {
		out := make([][]float32, len(texts))
		for i, s := range texts {
			if strings.Contains(s, "consignment") || strings.Contains(s, "parcel") {
				out[i] = []float32{1, 0.1}
			} else {
				out[i] = []float32{0.1, 1}
			}
		}
		return out
	}
	found := NewIndex(cards, Options{Embed: embed}).Find("my parcel", 2)
	if len(found) == 0 || found[0].Card.Name != "alpha" || found[0].Why.Embedding < 0.9 {
		t.Errorf("found %+v", found)
	}
	if found := NewIndex(cards, Options{Embed: embed, Without: Without{Embedding: true}}).Find("my parcel", 2); len(found) > 0 {
		t.Errorf("without embedding nothing is in common, found %+v", found)
	}
}

// An English question finds Chinese cards through what the cards' own names and descriptions teach.
func TestLexiconIsLearnedFromCards(t *testing.T) {
	x := index(t, "shop.json")
	var terms []string
	for _, m := range x.lexicon["order"] {
		terms = append(terms, m.term)
	}
	if !slices.Contains(terms, "订单") {
		t.Errorf("order means %v", terms)
	}
}

func TestWithout(t *testing.T) {
	cs := cardsOf(t, "shop.json")
	in := ask("王萍萍的包裹到哪里了")
	if out := NewIndex(cs, Options{}).Think(in); len(out.Actions) != 1 {
		t.Fatalf("planned %s", told(out))
	}
	if out := NewIndex(cs, Options{Without: Without{DAG: true}}).Think(in); out.Ask == nil || out.Ask.Parameter != "order_id" {
		t.Errorf("without the DAG the order must be asked for: %s", told(out))
	}
	if out := NewIndex(cs, Options{Without: Without{Model: true}}).Think(ask("查订单316123105676，再看看空气炸锅的库存")); out.Explain == nil || len(out.Explain.Clauses) != 1 || len(out.Explain.Facts) != 0 {
		t.Errorf("without the rules there is one clause and no fact: %+v", out.Explain)
	}
}
