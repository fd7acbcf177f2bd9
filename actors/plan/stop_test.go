package plan

import (
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// What is said of goods is not their name.
func TestGoodsHaveNoName(t *testing.T) {
	h := newTeam(t)
	for _, request := range []string{"哪些货快没了", "哪些货快卖完了", "哪些货将卖完", "哪些货马上卖完了", "哪些货即将售罄", "什么货刚卖光", "哪些货已经见底了", "哪些货还够卖", "哪些货要补了"} {
		h.ask(t, request)
		for _, l := range h.log {
			if n, ok := l.args["sku_name"]; ok {
				t.Errorf("%s: %v", request, n)
			}
		}
	}
	for run, want := range map[string]string{"货架快没了": "货架", "水货快没了": "水货", "货快没了": ""} {
		got := ""
		for _, p := range words.ContentRuns(run, words.LightHan) {
			got += p.Text
		}
		if got != want {
			t.Errorf("%s: %q, want %q", run, got, want)
		}
	}
}
