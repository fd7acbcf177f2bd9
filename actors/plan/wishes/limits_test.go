package wishes

import (
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
)

// What a comparison says, also when it is denied: a change is made to what it picks.
func TestComparisons(t *testing.T) {
	for sign, all := range map[string][]string{
		">": {"价格超过了", "有没有超过", "stock exceeds ", "over ", "more than ¥"},
		"≥": {"库存不小于", "价格大于或等于", "不会低于", "并不低于", "不低于", "至少", "满", "≥", ">= ", "not less than ", "isn't under ", "never below ", "cannot be below ", "greater than or equal to "},
		"<": {"不满", "没到", "不到", "不足", "低于", "fewer than ", "below "},
		"≤": {"小于等于", "没超过", "没有超过", "未超过", "不超过 ¥", "有没有库存不超过", "≤", "=< ", "not more than ", "no more than ", "isn't above ", "not exceeding ", "less than or equal to ", "at most "},
	} {
		for _, said := range all {
			text := said + "5"
			l, ok := LimitIn(text, facts.Fact{Kind: facts.Number, Start: len(said), End: len(text), Text: "5", Value: facts.Amount{N: 5}})
			got := map[bool]string{l.Over: ">", l.Under: "<"}[true]
			if l.Equal {
				got = map[string]string{">": "≥", "<": "≤"}[got]
			}
			if !ok || l.Over == l.Under || got != sign {
				t.Errorf("%s: %q, want %s", text, got, sign)
			}
		}
	}
}

// The words of a stretch are those between its ends and no more.
func TestWordsOfAStretch(t *testing.T) {
	for said, want := range map[string]string{"300到500元的商品有哪些": "300到500元", "200到400之间的": "200到400之间", "fryers between 200 and 400 yuan": "between 200 and 400 yuan"} {
		for _, f := range facts.Read(said, time.Time{}, func(string) bool { return false }) {
			if l, ok := LimitIn(said, f); ok && !l.Second {
				if got := said[l.Start:l.End]; got != want {
					t.Errorf("%s: %q", said, got)
				}
				want = ""
			}
		}
		if want != "" {
			t.Errorf("%s: no limit", said)
		}
	}
}
