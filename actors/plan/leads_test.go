package plan

import (
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// Who asks for research gets it, also of what a rule says; sources are how it is answered, and no wish of their own.
func TestResearchIsAskedFor(t *testing.T) {
	query := []byte(`{"type":"object","required":["query"],"properties":{"query":{"type":"string"}}}`)
	x := NewIndex([]bus.Card{
		{Name: "search_rules", Kind: "tool", Description: "在店铺规则中检索：运费、纠纷、处罚、退货。 Search the shop rules: freight, disputes, penalties.", Parameters: query, Effect: bus.Read, Tags: []string{"规则", "运费", "rules"}},
		{Name: "deep_search", Kind: "tool", Description: "深度搜索：就一个主题调研资料。 Deep research on a topic.", Parameters: query, Effect: bus.Read, Tags: []string{"调研", "深度搜索", "research"}},
	}, Options{})
	for request, want := range map[string]string{
		"运费谁承担":                                            "search_rules",
		"运费纠纷怎么处理，给出处":                                     "search_rules",
		"调研一下运费纠纷怎么处理，并给出处":                                "deep_search",
		"请帮我深度搜索运费纠纷的处罚":                                   "deep_search",
		"what are the rules on freight disputes":           "search_rules",
		"please research freight disputes, with sources":   "deep_search",
		"research what the rules say of freight penalties": "deep_search",
	} {
		out := x.Think(ask(request))
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want {
			t.Errorf("%s: %v", request, out.Actions)
		}
	}
}

// Research is a wish of its own behind another one.
func TestResearchBesideAnotherWish(t *testing.T) {
	t.Parallel()
	index, err := houseIndex()
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]string{
		"What was the revenue last month, and research how freight disputes are handled": "forecast researcher",
		"Research how freight disputes are handled and show the revenue last month":      "researcher forecast",
		"how many orders did Wang Pingping place, and investigate freight disputes":      "orders researcher",
		"列出王萍萍的订单并调研运费纠纷的处理办法":                                                           "orders researcher",
	} {
		out, got := index["master"].Think(ask(request)), ""
		for _, a := range out.Actions {
			got += " " + a.ToolName
		}
		if got != " "+want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}
