package plan

import (
	"strings"
	"testing"
)

func TestEveryMatterIsAClause(t *testing.T) {
	for _, file := range []string{"shop.json", "agents.json"} {
		x := index(t, file)
		for request, want := range map[string]string{
			"预测下个月手机销量，还有洋酒开店资质":                                                             "预测下个月手机销量|洋酒开店资质",
			"看看空气炸锅的库存，另外运费规则":                                                               "看看空气炸锅的库存|运费规则",
			"Forecast next month's sales of air fryers, and say whether to lower the price.": "Forecast next month's sales of air fryers|say whether to lower the price.",
			"空气炸锅还有多少库存":                                                                     "空气炸锅还有多少库存",
		} {
			var got []string
			for _, c := range x.Think(ask(request)).Explain.Clauses {
				got = append(got, c.Text)
			}
			if strings.Join(got, "|") != want {
				t.Errorf("%s: %q", request, got)
			}
		}
	}
	out := index(t, "agents.json").Think(ask("预测下个月手机销量，还有洋酒开店资质"))
	if len(out.Actions) != 2 || out.Actions[0].ToolName != "forecast" || out.Actions[1].ToolName != "rules" {
		t.Errorf("planned %s", told(out))
	}
}

func TestClauseWithoutAToolIsNamed(t *testing.T) {
	got := answered(t, "shop.json", "看看空气炸锅的库存，然后写一首诗", `[{"sku_name":"空气炸锅","left":3}]`)
	holdsAll(t, got, "**写一首诗**\n\n这一部分我没有合适的工具。", "空气炸锅")
}
