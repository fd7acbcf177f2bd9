package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// What a stranger's card says that it has nothing of is told, with what it does tell, and nothing is called for it; a house whose other card has it asks that one. An
// expression that cannot be read says nothing.
func TestCardsThatLackSomething(t *testing.T) {
	rooms := bus.Card{Name: "list_rooms", Kind: "tool", Effect: bus.Read, Description: "List the rooms of the hotel with their prices. 列出酒店的房间和价格。",
		Parameters: json.RawMessage(`{"type":"object","properties":{"floor":{"type":"integer","description":"the floor"}}}`),
		Returns: json.RawMessage(`{"type":"object","properties":{"rooms":{"type":"array","title":"房间","items":{"type":"object","properties":{"room":{"type":"string","title":"房号","x-title-en":"Room"},"price":{"type":"number","title":"价格","x-title-en":"Price"}}}}},
			"x-lacks":[{"asked":"(?i)停车|\\bparking\\b","zh":"停车位","en":"parking"},{"asked":"(","en":"nothing"},{"asked":"","en":"nothing"}]}`)}
	x := NewIndex([]bus.Card{rooms}, Options{})
	for request, want := range map[string]string{
		"how many parking lots are there": "no figures of parking", "停车位有多少个": "没有停车位的数据。", "which rooms have parking": "tells: Room, Price",
	} {
		if out := x.Think(Input{Request: request, Now: now}); !strings.Contains(out.Answer, want) || len(out.Actions) > 0 {
			t.Errorf("%s: %+v", request, out)
		}
	}
	if out := x.Think(Input{Request: "list the rooms", Now: now}); len(out.Actions) != 1 {
		t.Errorf("%+v", out)
	}
	parking := bus.Card{Name: "parking_lots", Kind: "tool", Effect: bus.Read, Description: "Count the parking lots. 停车位有多少。", Parameters: json.RawMessage(`{"type":"object"}`)}
	if out := NewIndex([]bus.Card{rooms, parking}, Options{}).Think(Input{Request: "how many parking lots are there", Now: now}); len(out.Actions) != 1 || out.Actions[0].ToolName != "parking_lots" {
		t.Errorf("%+v", out)
	}
}

// What the shop keeps nothing of is on its cards: a house without the shop says nothing of it.
func TestLackingIsOfTheHouse(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"买家用什么付款方式最多": "没有付款方式的数据", "average age of our customers": "age, sex", "本月销售目标还差多少": "目标", "how much did we pay the couriers": "carriers", "which colour sells best": "colours", "coupons used last month": "coupons",
	} {
		if said := h.ask(t, request); !strings.Contains(said, want) || len(h.log) > 0 {
			t.Errorf("%s: %s: %s", request, h.told(), said)
		}
	}
}
