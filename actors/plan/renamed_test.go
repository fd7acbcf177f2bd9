package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/fields"
	"github.com/hmap-project/hmap/bus"
)

// cardOf makes a card whose parameters are texts: name, description, then names and descriptions of parameters.
func cardOf(name, about string, params ...string) bus.Card {
	ps, names := map[string]any{}, []string{}
	for i := 0; i+1 < len(params); i += 2 {
		ps[params[i]] = map[string]any{"type": "string", "description": params[i+1]}
		names = append(names, params[i])
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": ps, "required": names})
	if err != nil {
		panic(err)
	}
	return bus.Card{Name: name, Description: about, Parameters: raw}
}

// Where the names of parameters say nothing, what is told of them finds their values.
func TestValuesOfParametersThatAreNumbered(t *testing.T) {
	for _, names := range [][2]string{{"p1", "p2"}, {"qzwxk", "vbnrt"}} {
		x := NewIndex([]bus.Card{cardOf("analyze_posts", "Analyze the sentiment of a post", names[0], "the social media platform", names[1], "the topic of the post")}, Options{})
		calls := x.PlanAll(Input{Request: "Analyze the sentiment of posts about electric cars on Twitter.", Now: now})
		if len(calls) != 1 || calls[0].Parameter[names[0]] != "Twitter" || calls[0].Parameter[names[1]] != "electric cars" {
			t.Errorf("%v: %v", names, calls)
		}
	}
}

// A badge that all tools wear is no verb, and no part of what they are called by.
func TestToolsThatWearABadge(t *testing.T) {
	var cards []bus.Card
	for _, c := range []string{"get_weather", "create_ticket", "cancel_booking", "translate_text", "find_route", "delete_note"} {
		verb, thing, _ := strings.Cut(c, "_")
		cards = append(cards, cardOf("svc_"+c, strings.ToUpper(verb[:1])+verb[1:]+" a "+thing+"."))
	}
	x := NewIndex(cards, Options{})
	for _, e := range x.entries {
		verb := strings.Split(e.Name, "_")[1]
		if got := x.nameVerb(e); !strings.HasPrefix(verb, got) || got == "" {
			t.Errorf("the verb of %s is %q", e.Name, got)
		}
		for _, term := range e.Terms {
			if term.Name && term.Term == "svc" {
				t.Errorf("%s is called by its badge", e.Name)
			}
		}
	}
	few := NewIndex(cards[:2], Options{})
	if len(few.entries[0].Terms) == 0 || !few.entries[0].Terms[0].Name {
		t.Error("of two names nobody can say what a badge is")
	}
}

// A parameter is of the same sort in whatever way its name is written.
func TestSortsByNamesInAnyStyle(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  fields.Sort
	}{
		{[]string{"account_number", "accountNumber", "account-number", "AccountNumber"}, fields.ID},
		{[]string{"customer_name", "customerName", "customer-name"}, fields.Person},
		{[]string{"day_of_visit", "dayOfVisit", "day-of-visit"}, fields.Date},
	} {
		for _, name := range c.names {
			x := NewIndex([]bus.Card{cardOf("t", "Do it.", name, "what it is about")}, Options{})
			if got := x.entries[0].Params[0].Sort; got != c.want {
				t.Errorf("%s is of sort %d, want %d", name, got, c.want)
			}
		}
	}
}
