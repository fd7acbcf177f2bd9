package wishes

import (
	"fmt"
	"testing"
)

// One figure against another of the same thing, in the ways that people say it.
func TestReadOther(t *testing.T) {
	for text, want := range map[string]string{
		"which products cost more to make than they sell for":   "cost > 1 price",
		"products that sell for less than they cost":            "price < 1 cost",
		"products priced below cost":                            "price < 1 cost",
		"products sold below cost":                              "price < 1 cost",
		"how many products cost less than half their price":     "cost < 1/2 price",
		"products whose price is more than twice the cost":      "price > 2 cost",
		"whose cost is over 60% of the price":                   "cost > 3/5 price",
		"prices no higher than their cost":                      "price <= 1 cost",
		"售价低于成本的商品":                                             "price < 1 cost",
		"成本比售价还高的商品":                                            "cost > 1 price",
		"卖得比进价便宜的商品":                                            "price < 1 cost",
		"成本超过售价一半的商品":                                           "cost > 1/2 price",
		"售价不到成本的两倍":                                             "price < 2 cost",
		"成本比售价的60%还高":                                           "cost > 3/5 price",
		"售价不低于成本的三倍":                                            "price >= 3 cost",
		"products that cost more than 100":                      "",
		"which products cost more than last year":               "",
		"售价超过100元的商品":                                           "",
		"库存低于10的商品":                                             "",
		"did prices rise more than sales":                       "",
		"what do customers who cost us more than they bring do": "",
	} {
		got := ""
		if o, ok := ReadOther(text); ok {
			sign := "<"
			if o.Over {
				sign = ">"
			}
			if o.Equal {
				sign += "="
			}
			got = fmt.Sprintf("%s %s %s %s", o.One, sign, o.Times.RatString(), o.Than)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
