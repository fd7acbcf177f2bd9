package plan

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// A question in words that no other tool knows and somebody's own texts do is one to these texts; what the house knows stays its own.
func TestTexts(t *testing.T) {
	t.Parallel()
	all, agents := cardsOfHouse(t)
	documents := bus.Card{
		Name: "search_documents", Kind: "tool", Effect: bus.Read, Tags: []string{"researcher", "手册", "handbook", "员工手册"},
		Description: "在用户自己的资料里查找，引用原文并给出出处。资料有《员工手册》。 Looks up the user's own documents, and quotes what they say.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string","title":"问题","x-title-en":"Question","description":"要查的问题，用用户的原话。 The question in the user's words.",
			"x-holds":"员工入职满一年后享受带薪假期 年假十天 婚假三天 产假 食堂午餐每餐补贴 班车早上七点半从东门发车 退货 订单 the office hangzhou closes ten evening visitors sign reception parental leave weeks orders shipped"}},"required":["query"]}`),
		Returns: json.RawMessage(`{"type":"object","properties":{"found":{"type":"boolean"},"answer":{"type":"string"}}}`),
	}
	mine := []bus.Card{documents}
	for _, c := range all {
		if !c.IsAgent() && slices.Contains(c.Tags, "researcher") {
			mine = append(mine, c)
		}
	}
	researcher := NewIndex(mine, Options{})
	x := NewIndex(agents, Options{Tools: append(all, documents)})
	for request, want := range map[string]string{
		"年假有几天": "researcher", "婚假有几天？": "researcher", "午餐补贴多少": "researcher", "班车几点发车": "researcher", "when does the office close?": "researcher", "where do visitors sign in": "researcher",
		"How many weeks of parental leave do we get?": "researcher", "产假多久": "researcher",
		"我有多少订单是王萍萍买的?": "orders", "待发货的订单有哪些": "orders", "How many orders were shipped last week?": "orders", "空气炸锅的库存": "pricing", "昨天退货的有几单": "aftersales",
	} {
		out := x.Think(Input{Request: request, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != want {
			t.Errorf("%s: %s %q, want %s", request, told(out), out.Answer, want)
		}
		if want != "researcher" {
			continue
		}
		out = researcher.Think(Input{Request: request, Job: true, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != documents.Name {
			t.Errorf("%s: the researcher %s %q", request, told(out), out.Answer)
		}
	}
	// Research wants more than these texts, whatever they hold.
	for _, request := range []string{"调研年假十天的规定", "research parental leave"} {
		out := researcher.Think(Input{Request: request, Job: true, Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "deep_search" {
			t.Errorf("%s: the researcher %s %q", request, told(out), out.Answer)
		}
	}
}
