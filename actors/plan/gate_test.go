package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// reader is the card of a tool that takes and returns fields told as "name: description", a required one marked with "!".
func reader(name, about string, takes, gives []string) bus.Card {
	object := func(fields []string) json.RawMessage {
		properties, required := map[string]any{}, []string{}
		for _, f := range fields {
			n, d, _ := strings.Cut(f, ": ")
			if strings.HasSuffix(n, "!") {
				n = strings.TrimSuffix(n, "!")
				required = append(required, n)
			}
			properties[n] = map[string]any{"type": "string", "description": d}
		}
		raw, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
		return raw
	}
	return bus.Card{Name: name, Kind: "tool", Effect: bus.Read, Description: about, Parameters: object(takes), Returns: object(gives)}
}

// A tool that nobody asked for comes in only when it is clearly right. Each catalogue holds the tool asked for, and others that
// look as if they could help it.
func TestNobodyAskedForThem(t *testing.T) {
	track := reader("track_parcel", "Track where a parcel is now", []string{"parcel_id!: ID of the parcel"}, []string{"place: where the parcel is"})
	find := reader("find_parcels", "Find the parcels of a person", []string{"person!: name of the person"}, []string{"parcel_id: ID of the parcel"})
	changes := reader("make_parcel", "Make a new parcel", []string{"person!: name of the person"}, []string{"parcel_id: ID of the parcel"})
	changes.Effect = bus.Unsafe
	silent := changes
	silent.Name, silent.Description, silent.Effect = "create_parcel", "Create a parcel", ""
	details := reader("parcel_details", "Details of a parcel", []string{"parcel_id!: ID of the parcel"}, []string{"parcel_id: ID of the parcel", "weight: weight of the parcel"})
	everything := reader("all_things", "Lists all things", nil, []string{"parcel_id: ID of the parcel", "person: name of the person"})
	vague := reader("weather", "The weather of a person's town", []string{"person: name of the person"}, []string{"id: ID", "name: name", "code: code"})
	guarded := find
	guarded.Name, guarded.Approval = "a_find_parcels", "ask"
	other := reader("find_invoices", "Find the invoices of a person", []string{"person!: name of the person"}, []string{"invoice_id: ID of the invoice"})
	for _, c := range []struct {
		name  string
		cards []bus.Card
		first string // the tool that runs first; "" when the user is asked
	}{
		{"nothing else", nil, ""},
		{"clearly right", []bus.Card{find}, "find_parcels"},
		{"it changes something", []bus.Card{changes, silent}, ""},
		{"it gives back what it must be given", []bus.Card{details}, ""},
		{"a list of everything", []bus.Card{everything}, ""},
		{"a list of everything beside the right one", []bus.Card{everything, find}, "find_parcels"},
		{"fields that could be anything", []bus.Card{vague}, ""},
		{"a person must approve it, so the user may as well be asked", []bus.Card{guarded}, ""},
		{"nobody need approve the other one", []bus.Card{guarded, find}, "find_parcels"},
		{"another thing's id", []bus.Card{other}, ""},
		{"all of them", []bus.Card{changes, silent, details, everything, vague, other, find}, "find_parcels"},
	} {
		out := NewIndex(append([]bus.Card{track}, c.cards...), Options{}).Think(ask("Track the parcel of Mary Smith"))
		got := ""
		if len(out.Actions) > 0 {
			got = out.Actions[0].ToolName
		}
		if got != c.first || got == "" && (out.Ask == nil || out.Ask.Parameter != "parcel_id") {
			t.Errorf("%s: %s; %s", c.name, told(out), out.Explain.Search)
		}
	}
}

// Thirty tools that do the same are one choice, made the same way every time, and a chain is followed as long as it is surer
// and cheaper than a question.
func TestManyProviders(t *testing.T) {
	cards := []bus.Card{reader("track_parcel", "Track where a parcel is now", []string{"parcel_id!: ID of the parcel"}, nil)}
	for i := range 30 {
		cards = append(cards, reader(fmt.Sprintf("find_parcels_%02d", 29-i), "Find the parcels of a person", []string{"person!: name of the person"}, []string{"parcel_id: ID of the parcel"}))
	}
	out := NewIndex(cards, Options{}).Think(ask("Track the parcel of Mary Smith"))
	if a, _ := one(t, out); a.ToolName != "find_parcels_00" || len(out.Plan.Steps) != 2 {
		t.Errorf("planned %s", told(out))
	}
	cards = []bus.Card{
		reader("track_parcel", "Track where a parcel is now", []string{"parcel_id!: ID of the parcel"}, nil),
		reader("find_parcels", "Find the parcels of an account", []string{"account_number!: number of the account"}, []string{"parcel_id: ID of the parcel"}),
		reader("find_accounts", "Find the account of a person", []string{"person!: name of the person"}, []string{"account_number: number of the account"}),
	}
	out = NewIndex(cards, Options{}).Think(ask("Track the parcel of Mary Smith"))
	if a, _ := one(t, out); a.ToolName != "find_accounts" || len(out.Plan.Steps) != 3 {
		t.Errorf("planned %s; %s", told(out), out.Explain.Search)
	}
}

// In a large house the provider is found by what is lacking, even if the request does not speak of it and many others are nearer.
func TestFarProvider(t *testing.T) {
	cards := []bus.Card{
		reader("track_parcel", "Track where a parcel is now", []string{"waybill_id!: ID of the waybill"}, nil),
		reader("consignments", "What the carriers hold for a recipient", []string{"recipient!: name of the person who receives it"}, []string{"waybill_id: ID of the waybill"}),
	}
	for i := range 200 {
		cards = append(cards, reader(fmt.Sprintf("mary_smith_%d", i), fmt.Sprintf("Chapter %d of the book Mary Smith", i), nil, nil))
	}
	out := NewIndex(cards, Options{}).Think(ask("Track where the parcel of Mary Smith is now"))
	if a, _ := one(t, out); a.ToolName != "consignments" {
		t.Errorf("planned %s; %s", told(out), out.Explain.Search)
	}
}

// What is sure enough to look something up is not always sure enough to change it.
func TestChangesNeedSurerProviders(t *testing.T) {
	between := 0
	for _, gives := range []string{"parcel_id: ID of the parcel", "parcel_id: what was sent", "parcel: ID", "parcel_code: code of the thing sent", "sent_parcel_id: ID", "parcel: the parcel"} {
		take := reader("cancel_parcel", "Cancel a parcel", []string{"parcel_id!: ID of the parcel"}, nil)
		find := reader("find_parcels", "Find the parcels of a person", []string{"person!: name of the person"}, []string{gives})
		for _, effect := range []bus.Effect{bus.Read, bus.Unsafe} {
			take.Effect = effect
			x := NewIndex([]bus.Card{take, find}, Options{})
			taker := x.byName["cancel_parcel"]
			ed, _ := x.shape.best(x.byName["find_parcels"], taker, taker.Required()[0], 0)
			if ed.Sure >= minInsert && ed.Sure < minChange {
				between++
			}
			least := map[bus.Effect]float64{bus.Read: minInsert, bus.Unsafe: minChange}[effect]
			out := x.Think(ask("Cancel the parcel of Mary Smith"))
			if got := out.Explain.Plan != nil && len(out.Explain.Plan.Tools) == 2; got != (ed.Sure >= least) {
				t.Errorf("%s, %s: an edge of %.2f is taken: %v; %s", gives, effect, ed.Sure, got, told(out))
			}
		}
	}
	if between == 0 {
		t.Error("no edge lay between the two: the test sees nothing")
	}
}

// What a change shall put in place is the user's to say: a look at the thing, or at others, tells only what is there now.
func TestChangeIsNotFilledFromWhatIs(t *testing.T) {
	h := newTeam(t)
	for request, want := range map[string]string{
		"给281063663568发货，运单号 SF1234567890123":                   "carrier",
		"修改订单 281063663568 的收货地址":                               "address",
		"change the address of order 281063663568":              "address",
		"给281063663568发货":                                       "carrier",
		"ship order 281063663568 via ZTO, waybill ZT1234567890": "",
	} {
		h.ask(t, request)
		got := ""
		if h.asked != nil {
			got = h.asked.Parameter
		}
		if got != want || want != "" && len(h.log) > 1 {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}

// Nor is it read from what another agent found: the words of a result are no carrier and no waybill.
func TestChangeIsNotFilledFromResults(t *testing.T) {
	for _, request := range []string{"list unshipped orders of Wang Pingping, then ship them", "列出王萍萍待发货的订单，然后给这些订单发货"} {
		h := newTeam(t)
		h.says["list_orders"] = `{"summary":"1 个。","summary_en":"There is 1 Order.","count":1,"orders":[{"order_id":"281063663568","state":"待发货"}]}`
		h.ask(t, request)
		if h.asked == nil || h.asked.ToolName != "ship_order" || h.asked.Parameter != "carrier" {
			t.Errorf("%s: %s", request, h.told())
		}
	}
}
