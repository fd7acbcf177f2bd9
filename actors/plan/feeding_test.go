package plan

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A tool is likelier to take what the one before it makes than the other way round, or from a stranger; of a large catalogue, and without the
// tools DAG, nothing is told.
func TestFeeding(t *testing.T) {
	card := func(name, says, takes, gives string) bus.Card {
		object := func(field string) json.RawMessage {
			return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%s},"required":[]}`, field))
		}
		return bus.Card{Name: name, Description: says, Parameters: object(takes), Returns: object(gives)}
	}
	cards := []bus.Card{
		card("cast_bell", "Cast a bell.", `"alloy":{"type":"string","description":"the alloy to cast it of, such as 'bronze'"}`, `"bell_id":{"type":"string","description":"the id of the bell that was cast"}`),
		card("tune_bell", "Tune a bell.", `"bell_id":{"type":"string","description":"the id of the bell to be tuned"}`, `"pitch":{"type":"number","description":"the pitch of the tuned bell, default unit: hertz"}`),
		card("rain_tomorrow", "Tell whether it rains.", `"town":{"type":"string","description":"the town"}`, `"rain":{"type":"boolean","description":"whether it will rain"}`),
	}
	survey := func(cards []bus.Card, o Options) *survey {
		x := NewIndex(cards, o)
		g := x.understand(Input{Request: "Cast a bell of bronze and tune it. Will it rain?", Now: now})
		return x.survey(&g)
	}
	s := survey(cards, Options{})
	f := s.feeding()
	of := func(p, t string) float64 { return f.likely(s.x.byName[p], s.x.byName[t]) }
	right := of("cast_bell", "tune_bell")
	if right < 0.5 {
		t.Errorf("tune_bell takes the bell of cast_bell with %.2f only", right)
	}
	for _, pair := range [][2]string{{"tune_bell", "cast_bell"}, {"rain_tomorrow", "tune_bell"}, {"cast_bell", "rain_tomorrow"}} {
		if v := of(pair[0], pair[1]); v > right/2 {
			t.Errorf("%s feeds %s with %.2f, the right one has %.2f", pair[0], pair[1], v, right)
		}
	}
	if survey(cards, Options{Without: Without{DAG: true}}).feeding() != nil {
		t.Error("it is told without the tools DAG")
	}
	for i := range smallHouse {
		cards = append(cards, card(fmt.Sprintf("t%d", i), "Count sheep.", "", ""))
	}
	if survey(cards, Options{}).feeding() != nil {
		t.Error("it is told of a large catalogue")
	}
}
