package wishes

import (
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan/facts"
	"github.com/hmap-project/hmap/actors/plan/words"
)

// now is a Saturday, so that weeks, months and quarters have ends on both sides.
var now = time.Date(2026, 5, 16, 10, 30, 0, 0, time.FixedZone("CST", 8*3600))

// A scrap of a word, what is only counted, and what somebody does are no names of things.
func TestScrapsAreNoNames(t *testing.T) {
	trade := map[string]bool{}
	for _, w := range words.Content("销售额 类目 降价 报告") {
		trade[w] = true
	}
	for s, want := range map[string]string{
		"本月和上个月比销售额涨了没":            "",
		"上个月各类目的销售额":               "",
		"空气炸锅降价十块":                 "空气炸锅",
		"把销售额写成一份总结":               "",
		"帮我订张票":                    "",
		"上海超过500元的订单":              "上海 订单",
		"whether she still wants":  "",
		"that they really like it": "",
		"the sales of blue boots":  "sales blue boots",
	} {
		var got []string
		for _, r := range Residues(s, 0, len(s), facts.Read(s, now, func(string) bool { return false }), trade) {
			if words.IsHan(words.FirstRune(r)) || strings.Contains(r, " ") || strings.Contains(want, r) {
				got = append(got, r)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q remains, want %q", s, got, want)
		}
	}
}
