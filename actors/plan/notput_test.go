package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/gloss"
)

// How an answer shall be put picks nothing: the tool is called all the same, the unit is the value of no parameter, and that it was not heeded is told as what it is. A tool that
// takes the unit gets it.
func TestNotPut(t *testing.T) {
	weather := bus.Card{Name: "get_weather", Kind: "tool", Description: "Current weather of a city.", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"Name of the city"}}}`),
		Returns:    json.RawMessage(`{"type":"object","properties":{"temperature":{"type":"number"},"summary":{"type":"string"}}}`)}
	distance := bus.Card{Name: "get_distance", Kind: "tool", Description: "Distance between two cities.", Effect: bus.Read,
		Parameters: json.RawMessage(`{"type":"object","required":["from_city","to_city"],"properties":{"from_city":{"type":"string"},"to_city":{"type":"string"}}}`)}
	withUnit := weather
	withUnit.Parameters = json.RawMessage(`{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"Name of the city"},"unit":{"type":"string","enum":["celsius","fahrenheit"]}}}`)
	for _, c := range []struct{ request, tool, with, put string }{
		{"weather in Paris in Fahrenheit", "get_weather", `{"city":"Paris"}`, "in Fahrenheit"}, {"巴黎的天气，用华氏度", "get_weather", `{"city":"巴黎"}`, "华氏度"},
		{"distance from Paris to Rome in miles", "get_distance", `{"from_city":"Paris","to_city":"Rome"}`, "in miles"}, {"weather in Paris in one sentence", "get_weather", `{"city":"Paris"}`, "in one sentence"},
		{"用一句话说说巴黎的天气", "get_weather", `{"city":"巴黎"}`, "一句话"}, {"weather in Paris", "get_weather", `{"city":"Paris"}`, ""},
	} {
		x := NewIndex([]bus.Card{gloss.Card(weather), gloss.Card(distance)}, Options{})
		in := ask(c.request)
		out := x.Think(in)
		if len(out.Actions) != 1 || out.Actions[0].ToolName != c.tool || string(out.Actions[0].Parameter) != c.with {
			t.Errorf("%s: %s", c.request, told(out))
			continue
		}
		in.Done = []Done{{Action: out.Actions[0], Status: bus.OK, Observation: json.RawMessage(`{"temperature":12,"summary":"12 degrees, 1100 away"}`)}}
		if out = x.Think(in); (c.put == "") == (strings.Contains(out.Answer, "not put") || strings.Contains(out.Answer, "没有照")) || !strings.Contains(out.Answer, c.put) || strings.Contains(out.Answer, "limited") || strings.Contains(out.Answer, "筛选") {
			t.Errorf("%s: %s", c.request, out.Answer)
		}
	}
	in := ask("weather in Paris in Fahrenheit")
	x := NewIndex([]bus.Card{withUnit}, Options{})
	out := x.Think(in)
	if len(out.Actions) != 1 || !strings.Contains(string(out.Actions[0].Parameter), `"unit":"fahrenheit"`) {
		t.Fatal(told(out))
	}
	in.Done = []Done{{Action: out.Actions[0], Status: bus.OK, Observation: json.RawMessage(`{"temperature":53}`)}}
	if out = x.Think(in); strings.Contains(out.Answer, "ote:") {
		t.Error(out.Answer)
	}
}
