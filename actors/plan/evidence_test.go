package plan

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/cards"
	"github.com/hmap-project/hmap/bus"
)

// twoProviders is a shop in which two tools, equal but for their names, find the parcel of an order.
func twoProviders(v *Evidence) *Index {
	tool := func(name, desc, params, returns string) bus.Card {
		return bus.Card{Name: name, Kind: "tool", Effect: bus.Read, Description: desc, Parameters: json.RawMessage(params), Returns: json.RawMessage(returns)}
	}
	order := `{"type":"object","properties":{"order":{"type":"string","description":"12位纯数字"}},"required":["order"]}`
	parcel := `{"type":"object","properties":{"parcel":{"type":"string","description":"包裹号","x-provides":"parcel"}}}`
	return NewIndex([]bus.Card{
		tool("find_one", "查对应关系", order, parcel),
		tool("find_two", "查对应关系", order, parcel),
		tool("track", "跟踪物流轨迹", `{"type":"object","properties":{"parcel":{"type":"string","description":"包裹号","x-needs":"parcel"}},"required":["parcel"]}`, `{}`),
	}, Options{Evidence: v})
}

func edges(one, two Tries) *Evidence {
	return &Evidence{Edges: map[Edge]Tries{
		{"find_one", "parcel", "track", "parcel"}: one,
		{"find_two", "parcel", "track", "parcel"}: two,
	}}
}

func tools(one, two Record) *Evidence {
	return &Evidence{Tools: map[string]Record{"find_one": one, "find_two": two}}
}

func TestEvidenceChoosesTheProvider(t *testing.T) {
	for name, c := range map[string]struct {
		evidence *Evidence
		want     string
	}{
		"nothing known":       {nil, "find_one"},
		"nothing seen":        {&Evidence{}, "find_one"},
		"of other tools":      {&Evidence{Edges: map[Edge]Tries{{"a", "b", "c", "d"}: {Failed: 9}}, Tools: map[string]Record{"a": {Calls: 9, Failed: 9}}}, "find_one"},
		"the edge failed":     {edges(Tries{Failed: 5}, Tries{Worked: 5}), "find_two"},
		"the other failed":    {edges(Tries{Worked: 5}, Tries{Failed: 5}), "find_one"},
		"the tool fails":      {tools(Record{Calls: 10, Failed: 6}, Record{Calls: 10}), "find_two"},
		"the tool is slow":    {tools(Record{Calls: 10, Seconds: 90}, Record{Calls: 10, Seconds: 9}), "find_two"},
		"the tool costs":      {tools(Record{Calls: 10, Cost: 5}, Record{Calls: 10}), "find_two"},
		"numbers of no sense": {tools(Record{Calls: 1, Failed: -7, Seconds: -1, Cost: -1}, Record{Calls: -3, Failed: 1 << 40}), "find_one"},
	} {
		a, _ := one(t, twoProviders(c.evidence).Think(ask("跟踪物流轨迹，220250529136")))
		if a.ToolName != c.want {
			t.Errorf("%s: %s was called, want %s", name, a.ToolName, c.want)
		}
	}
}

// Of two tools that can do what is asked for, the one is called that fares better; one that fails is called where no other can.
func TestEvidenceChoosesTheTool(t *testing.T) {
	read := func(name, desc string) bus.Card {
		return bus.Card{Name: name, Kind: "tool", Effect: bus.Read, Description: desc, Parameters: json.RawMessage(
			`{"type":"object","properties":{"city":{"type":"string","description":"the city 城市","examples":["Paris","北京"]}},"required":["city"]}`)}
	}
	weather := "The weather of a city: temperature and rain. 城市的天气"
	fails := Record{Calls: 8, Failed: 8}
	for name, c := range map[string]struct {
		one, two string // what the tools are for
		evidence *Evidence
		want     string

		outweighs bool // what the names of the two say
	}{
		"nothing known":    {weather, weather, nil, "find_one", false},
		"the first fails":  {weather, weather, tools(fails, Record{Calls: 3}), "find_two", true},
		"and that is all":  {weather, weather, tools(fails, Record{}), "find_two", true},
		"the second fails": {weather, weather, tools(Record{Calls: 3}, fails), "find_one", true},
		"both fail":        {weather, weather, tools(fails, fails), "find_one", false},
		"is slow":          {weather, weather, tools(Record{Calls: 8, Seconds: 64}, Record{Calls: 8}), "find_two", false},
		"costs":            {weather, weather, tools(Record{Calls: 8, Cost: 4}, Record{Calls: 8}), "find_two", false},
		"no other can":     {weather, "The mayor of a city. 城市的市长", tools(fails, Record{Calls: 8}), "find_one", true},
	} {
		cards := []bus.Card{read("find_one", c.one), read("find_two", c.two)}
		for name, of := range map[string]string{"hotels": "酒店", "museums": "博物馆", "trains": "火车", "schools": "学校"} {
			cards = append(cards, read(name, "The "+name+" of a city. 城市的"+of))
		}
		x := NewIndex(cards, Options{Evidence: c.evidence})
		for _, request := range []string{"What is the weather in Paris?", "北京的天气怎么样？"} {
			if a, _ := one(t, x.Think(ask(request))); a.ToolName != c.want {
				t.Errorf("%s: %s: %s was called, want %s", name, request, a.ToolName, c.want)
			}
			// A whole plan hears a difference in the names of the two, and only failures outweigh it.
			all := x.PlanAll(ask(request))
			if len(all) == 0 || !strings.HasPrefix(all[0].ToolName, "find_") || c.outweighs && all[0].ToolName != c.want {
				t.Errorf("%s: %s: planned %+v, want %s", name, request, all, c.want)
			}
		}
	}
}

func TestEvidenceHasAJSONForm(t *testing.T) {
	v := Evidence{
		Tools: map[string]Record{"a": {Calls: 3, Failed: 1, Seconds: 1.5, Cost: 0.25}},
		Edges: map[Edge]Tries{{"a", "rows>.id", "b", "x.y"}: {Worked: 1}, {"a", "", "b", "y"}: {Failed: 2}},
	}
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var back Evidence
	if err := json.Unmarshal(raw, &back); err != nil || !reflect.DeepEqual(v, back) {
		t.Errorf("%s came back as %+v, %v", raw, back, err)
	}
	for _, bad := range []string{"", "a", "a.b", "a.b>c", "ab>c.d"} {
		if err := new(Edge).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was read as an edge", bad)
		}
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add(`{"tools":{"find_one":{"calls":2,"failed":1}},"edges":{"find_one.parcel>track.parcel":{"failed":3}}}`)
	f.Add(`{"tools":{"find_one":{"calls":-9223372036854775808,"seconds":1e308,"cost":-1e308}}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		var v Evidence
		if json.Unmarshal([]byte(raw), &v) != nil {
			return
		}
		x := twoProviders(&v)
		for _, e := range x.entries {
			if c := v.tool(e); math.IsNaN(c) || c < 0 {
				t.Errorf("%s: %s costs %v", raw, e.Name, c)
			}
		}
		x.Think(ask("跟踪物流轨迹，220250529136"))
	})
}

// A price below zero is none: a card cannot pay its way past one that needs nobody's approval.
func TestNoPriceBelowZero(t *testing.T) {
	dear := &cards.Entry{Card: bus.Card{Name: "paid", Cost: -5, Approval: "ask"}}
	free := &cards.Entry{Card: bus.Card{Name: "free"}}
	x := twoProviders(nil)
	if bid, fair := x.toll(dear, nil, false).sum(), x.toll(free, nil, false).sum(); bid != fair+costAsk {
		t.Errorf("the bidder costs %v, the fair one %v", bid, fair)
	}
}
