package actors

import (
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// An id that nobody named stops a change however it is written, and what merely looks like one, or is being made, does not.
func TestUnfounded(t *testing.T) {
	cancel := changer("cancel", "cancel an order", `{"type":["integer","string","array"],"description":"order number"}`)
	plain := changer("cancel", "cancel an order", `{}`)
	typed := changer("cancel", "cancel an order", `{"type":["integer","string"],"x-needs":"order"}`)
	coupon := changer("create_coupon", "create a coupon", `{}`)
	for _, c := range []struct {
		card            bus.Card
		said, parameter string
		fault           bool
	}{
		{cancel, "cancel my last order", `{"order":"281063663568"}`, true},
		{cancel, "cancel my last order", `{"order":281063663568}`, true},
		{cancel, "cancel my last order", `{"order":[281063663568]}`, true},
		{cancel, "cancel my last order", `{"order":"４７１１４７１１４７１１"}`, true},
		{cancel, "cancel my last order", `{"order":"٤٧١١"}`, true},
		{cancel, "cancel my last order", `{"order":"4711"}`, true},
		{cancel, "cancel my last order", `{"order":"order 4711"}`, true},
		{cancel, "cancel my last order", `{"order":"#4711"}`, true},
		{cancel, "cancel my last order", `{"order":"A17"}`, true},
		{cancel, "cancel my last order", `{"order":4711}`, true},
		{plain, "cancel my last order", `{"order":281063663568}`, true},
		{plain, "cancel my last order", `{"order":"４７１１４７１１"}`, true},
		{typed, "cancel my last order", `{"order":7}`, true},
		{cancel, "cancel order 281063663568", `{"order":281063663568}`, false},
		{cancel, "cancel order ２８１０６３６６３５６８", `{"order":"281063663568"}`, false},
		{cancel, "cancel order 281063663568", `{"order":"２８１０ ６３６６ ３５６８"}`, false},
		{cancel, "cancel order A17", `{"order":"a17"}`, false},
		{cancel, "cancel #4711", `{"order":"order 4711"}`, false},
		{cancel, "cancel orders 4711 and 4712", `{"order":[4711,"4712"]}`, false},
		{cancel, "cancel my last order", `{"order":"$t1.key"}`, false},
		{cancel, "cancel my last order", `{"order":"my last order"}`, false},
		{plain, "cancel my last order", `{"order":1200}`, false},
		{coupon, "create a coupon for next summer", `{"order":"1","code":"SUMMER2027"}`, false},
		{coupon, "create a coupon for next summer", `{"order":"1","code":"281063663568"}`, true},
	} {
		v := &View{Language: "en", Index: plan.NewIndex([]bus.Card{c.card}, plan.Options{}), Now: time.Now(), Request: bus.Request{JobDesc: c.said}}
		if why := unfounded(&c.card, tool(c.card.Name, c.parameter), func() *known { return knownTo(v, "") }); (why != "") != c.fault {
			t.Errorf("%s, %s: %q", c.said, c.parameter, why)
		}
	}
}
