package plan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// savedCard is a tool as it is saved from a request about two domains.
func savedCard() bus.Card {
	t := bus.SavedTool{
		Name: "forecast_and_price", Version: 2, Agent: "pricing", Effect: bus.Read, Description: "预测下个月「类目」的销量，并建议要不要降价。 Saved steps: forecast_sales, suggest_price.",
		Parameters: json.RawMessage(`{"type":"object","required":["category"],"properties":{"category":{"type":"string","title":"类目","examples":["空气炸锅","电饭煲","rice cookers"]},
			"from":{"type":"string","format":"date","title":"起始日期"},"to":{"type":"string","format":"date","title":"结束日期"}},"additionalProperties":false}`),
		Steps: []bus.SavedStep{{ID: "s1", ToolName: "forecast_sales"}},
	}
	return t.Card()
}

// A saved tool is called by its name, and by the request that it was made of with another thing in it; not by what only shares words with that.
func TestSavedToolIsCalled(t *testing.T) {
	pricing := newTeam(t).index["pricing"]
	var cards []bus.Card
	for _, e := range pricing.entries {
		cards = append(cards, e.Card)
	}
	master := newTeam(t).index["master"]
	var agents []bus.Card
	for _, e := range master.entries {
		agents = append(agents, e.Card)
	}
	own, all := NewIndex(append(cards, savedCard()), Options{}), NewIndex(agents, Options{Tools: append(master.options.Tools, savedCard())})
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for request, called := range map[string]bool{
		"用 forecast_and_price 看看下个月的电饭煲":                     true,
		"用forecast_and_price看看下个月的电饭煲":                       true,
		"run forecast_and_price for rice cookers next month": true,
		"预测下个月电饭煲的销量，并建议要不要降价":                               true,
		"电饭煲要不要降价":                                           false,
		"run forecast_and_prices for rice cookers":           false,
		"不要用 forecast_and_price，电饭煲要不要降价":                    false,
	} {
		out := own.Think(Input{Request: request, Now: now})
		got := len(out.Actions) == 1 && out.Actions[0].ToolName == "forecast_and_price"
		if got != called {
			t.Errorf("%s: %+v", request, out.Actions)
		}
		if !called {
			continue
		}
		var given map[string]string
		if err := json.Unmarshal(out.Actions[0].Parameter, &given); err != nil || given["category"] != "电饭煲" && given["category"] != "rice cookers" || given["from"] != "2026-12-01" || given["to"] != "2026-12-31" {
			t.Errorf("%s: %s %v", request, out.Actions[0].Parameter, err)
		}
		if len(out.Explain.Unused) > 0 {
			t.Errorf("%s: not used: %v", request, out.Explain.Unused)
		}
		out = all.Think(Input{Request: request, Now: now})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "pricing" || out.Actions[0].JobDesc != request {
			t.Errorf("%s: the Master does %+v", request, out.Actions)
		}
	}
}

// A saved tool is called by what people call it, too; one that was wished for and not kept is said not to be there.
func TestSavedToolByItsTitle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	saved := func(name, title string) bus.Card {
		s := bus.SavedTool{Name: name, Title: title, Version: 1, Agent: "logistics", Effect: bus.Read, Description: "上个月哪些订单发货超时。 保存的步骤：late_shipments。",
			Parameters: json.RawMessage(`{"type":"object","properties":{"from":{"type":"string","format":"date","title":"起始日期"},"to":{"type":"string","format":"date","title":"结束日期"}}}`),
			Steps:      []bus.SavedStep{{ID: "s1", ToolName: "late_shipments"}}}
		return s.Card()
	}
	team := newTeam(t)
	var tools, agents []bus.Card
	for _, e := range team.index["logistics"].entries {
		tools = append(tools, e.Card)
	}
	for _, e := range team.index["master"].entries {
		agents = append(agents, e.Card)
	}
	for request, c := range map[string]bus.Card{"用超时查询查九月的": saved("my_late_shipments", "超时查询"), "use late check for September": saved("late_check", "Late check")} {
		out := NewIndex(append([]bus.Card{c}, tools...), Options{}).Think(Input{Request: request, Now: now})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != c.Name || string(out.Actions[0].Parameter) != `{"from":"2026-09-01","to":"2026-09-30"}` || len(out.Explain.Unused) > 0 {
			t.Errorf("%s: %+v %v", request, out.Actions, out.Explain.Unused)
		}
		out = NewIndex(agents, Options{Tools: append(slices.Clone(team.index["master"].options.Tools), c)}).Think(Input{Request: request, Now: now})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "logistics" || out.Actions[0].JobDesc != request {
			t.Errorf("%s: the Master does %+v", request, out.Actions)
		}
		wished := []Turn{{Request: "上个月哪些订单发货超时", Answer: "有 50 个。"}, {Request: "把刚才的步骤存成工具，叫超时查询", Answer: "没有存成工具。"}, {Request: "save these steps as a tool called late check", Answer: "not saved"}}
		out = team.index["master"].Think(Input{Request: request, Now: now, History: wished})
		if len(out.Actions) > 0 || !strings.Contains(out.Answer, "没有叫「超时查询」的工具") && !strings.Contains(out.Answer, "no tool called “late check") {
			t.Errorf("%s, not kept: %s", request, told(out))
		}
	}
}

// The steps that shall be saved are those of the turn before, and not things that it listed.
func TestStepsToSaveAreNoRows(t *testing.T) {
	t.Parallel()
	h := newTeam(t)
	turn := Turn{Request: "list the refunds of last month", Answer: "There are 2 refund requests.\n\n| Order | Buyer |\n| --- | --- |\n| 281061887123 | 何浩伟 |\n| 281061887124 | 马轩 |"}
	for _, request := range []string{"save these steps as a tool called refund report", "把这些步骤存成工具，叫退款查询", "save them as a tool"} {
		out := h.index["master"].Think(Input{Request: request, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), History: []Turn{turn}})
		if len(out.Actions) != 1 || out.Actions[0].ToolName != "analyst" {
			t.Errorf("%s: %s", request, told(out))
		}
	}
}

// What a request says beyond the parameters of a saved tool makes it another request: code of its own is run, and a new tool's name calls nobody.
func TestSavedToolIsNotCalled(t *testing.T) {
	ofCode := bus.SavedTool{
		Name: "sum_to", Version: 1, Agent: "analyst", Effect: bus.Read, Description: "运行这段代码。 保存的步骤：code_interpreter。", Parameters: json.RawMessage(`{"type":"object","properties":{}}`),
		Steps: []bus.SavedStep{{ID: "s1", ToolName: "code_interpreter"}},
	}
	with := ofCode
	with.Parameters = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","default":10,"examples":[10]}}}`)
	english := ofCode
	english.Description = "run this code. Saved steps: code_interpreter."
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for name, saved := range map[string]bus.SavedTool{"of code": ofCode, "with a parameter": with, "English": english} {
		cards := []bus.Card{saved.Card()}
		for _, e := range newTeam(t).index["analyst"].entries {
			cards = append(cards, e.Card)
		}
		x := NewIndex(cards, Options{})
		for request, tool := range map[string]string{
			"运行这段代码：`print(3*4)`":                        "code_interpreter",
			"运行这段代码：```python\nprint(3*4)\n```":          "code_interpreter",
			"run this code: `print(3*4)`":                "code_interpreter",
			"运行代码 print(3*4)":                            "code_interpreter",
			"用 sum_to 算一下":                               "sum_to",
			"run sum_to":                                 "sum_to",
			"save these steps as a tool named sum_to":    "save_tool",
			"save these steps as a new tool, sum_to":     "save_tool",
			"把刚才的步骤存成工具，名字叫 sum_to":                      "save_tool",
			"use the tool named sum_to to run this code": "sum_to",
		} {
			out := x.Think(Input{Request: request, Now: now})
			got := ""
			if len(out.Actions) > 0 {
				got = out.Actions[0].ToolName
			}
			if got != tool || len(out.Actions) > 1 {
				t.Errorf("%s: %s: %+v, want %q", name, request, out.Actions, tool)
			}
		}
	}
}
