package plan

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// chance gives every text a vector that has nothing to do with it.
func chance(seed uint64) func([]string) [][]float32 {
	return func(texts []string) [][]float32 {
		out := make([][]float32, len(texts))
		for i, s := range texts {
			r := rand.New(rand.NewPCG(uint64(words.Bucket(s)), seed))
			for range 16 {
				out[i] = append(out[i], float32(r.NormFloat64()))
			}
		}
		return out
	}
}

// crude vectors are of words alone, as some small model's are; of a request they are another one's when lie is set.
func crude(cards int, lie bool) func([]string) [][]float32 {
	return func(texts []string) [][]float32 {
		out := make([][]float32, len(texts))
		for i, s := range texts {
			out[i] = make([]float32, 64)
			if lie && len(texts) != cards { // a request
				s = "late_shipments: overdue orders"
			}
			for _, g := range words.Grams(s) {
				out[i][g%64]++
			}
		}
		return out
	}
}

// A tool that is asked for by its own name is found whatever the vectors say, and requests lead to where they lead without them.
func TestVectorsAreBounded(t *testing.T) {
	cs := cardsOf(t, "shop.json")
	constant := func(texts []string) [][]float32 {
		out := make([][]float32, len(texts))
		for i := range out {
			out[i] = []float32{1, 1}
		}
		return out
	}
	for name, embed := range map[string]func([]string) [][]float32{
		"by chance": chance(1), "by another chance": chance(2), "all alike": constant, "crude": crude(len(cs), false), "crude and lying": crude(len(cs), true),
	} {
		x := NewIndex(cs, Options{Embed: embed})
		if believed := x.vectors != nil; believed != strings.HasPrefix(name, "crude") {
			t.Errorf("%s: believed is %v", name, believed)
		}
		for _, c := range cs {
			if found := x.Find(strings.ReplaceAll(c.Name, "_", " "), 1); len(found) == 0 || found[0].Card.Name != c.Name {
				t.Errorf("%s: %s is not found by its name: %+v", name, c.Name, found)
			}
		}
		for request, tool := range map[string]string{"取消订单316123105676": "cancel_order", "what is the stock of the air fryer": "stock", "王萍萍有多少订单": "search_order_code"} {
			if out := lookedUp(x, ask(request)); len(out.Actions) == 0 || out.Actions[0].ToolName != tool {
				t.Errorf("%s: %s: %s", name, request, told(out))
			}
		}
	}
}
