package actors

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/staff"
	"github.com/hmap-project/hmap/bus"
)

// clerkLooks is a model for a Master who hands the request to the clerk, and a clerk who looks two things up, one after the other.
func clerkLooks(t *testing.T) *scripted.Server {
	t.Helper()
	return scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		n := observed(r)
		switch {
		case who(r) == "master" && n == 0:
			return scripted.Calls(handOver("clerk", r.Last("user")))
		case who(r) == "clerk" && n < 2:
			return scripted.Calls(scripted.Call{Name: "look", Arguments: fmt.Sprintf(`{"key":"a%d"}`, n)})
		}
		return scripted.Text("looked at it")
	}))
}

// named are the role names that each round of a task gives, by call and round; rounds that give none are left out.
func named(records []bus.Record) map[string]map[string]string {
	out := map[string]map[string]string{}
	for _, r := range records {
		if len(r.Employees) > 0 {
			out[fmt.Sprintf("%s %d", r.Agent, r.Round)] = r.Employees
		}
	}
	return out
}

// A model chooses names for the scene: once in a call that uses tools, all of them, at temperature 0. Tasks at the same time, and calls of the
// same task, have names of their own.
func TestEmployees(t *testing.T) {
	t.Parallel()
	namer := scripted.New(t, scripted.React(func(r scripted.Request) scripted.Step {
		out := map[string]string{}
		for _, tool := range []string{"look", "send", "hold", "post"} {
			if asked := r.Last("user"); strings.Contains(asked, "- "+tool+": ") {
				_, scene, _ := strings.Cut(asked, "Task: ")
				out[tool] = strings.ToUpper(tool[:1]) + " of " + strings.Fields(scene)[0]
			}
		}
		return scripted.Text("```json\n" + string(mustJSON(out)) + "\n```")
	}))
	h := open(t, setup{model: clerkLooks(t), namer: namer})
	scenes := []string{"harbour", "orchard", "theatre"}
	tasks := map[string]bus.Where{}
	for _, scene := range scenes {
		tasks[scene] = h.submit(bus.Submission{Query: scene + " things, please", Session: "s1"})
	}
	for _, scene := range scenes {
		if r := h.response(tasks[scene]); r.Status != bus.OK {
			t.Fatal(brief(r))
		}
		want := map[string]map[string]string{"clerk 1": {"look": "L of " + scene, "send": "S of " + scene, "hold": "H of " + scene, "post": "P of " + scene}}
		if got := named(h.records(tasks[scene])); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\nwant %v", scene, got, want)
		}
	}
	asked := namer.Requests()
	if len(asked) != len(scenes) {
		t.Errorf("names were asked for %d times in %d calls that use tools", len(asked), len(scenes))
	}
	for _, r := range asked {
		if r.Temperature == nil || *r.Temperature != 0 {
			t.Errorf("temperature %v", r.Temperature)
		}
	}
}

// What a model names badly, or not at all, has its built-in name; the task goes on.
func TestEmployeesBuiltIn(t *testing.T) {
	clerk := []bus.Card{{Name: "hold", Kind: "tool"}, {Name: "look", Kind: "tool"}, {Name: "post", Kind: "tool"}, {Name: "send", Kind: "tool"}}
	built := staff.Names(clerk, "en")
	with := func(tool, role string) map[string]string {
		out := maps.Clone(built)
		out[tool] = role
		return out
	}
	for name, c := range map[string]struct {
		answer scripted.Step
		want   map[string]string
	}{
		"no model at all":   {scripted.Step{}, built},
		"it fails":          {scripted.Refuse(500, "out of order"), built},
		"no JSON":           {scripted.Text("I would rather not"), built},
		"cut off":           {scripted.Unfinished(`{"look":"Seer"`), built},
		"one of four":       {scripted.Text(`{"look":"Seer"}`), with("look", "Seer")},
		"one is far longer": {scripted.Text(`{"look":"Seer","send":"The one who sends what is to be sent"}`), with("look", "Seer")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := setup{model: clerkLooks(t)}
			if name != "no model at all" {
				answer := c.answer
				o.namer = scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return answer }))
			}
			h := open(t, o)
			w := h.submit(bus.Submission{Query: "two things, please"})
			if r := h.response(w); r.Status != bus.OK {
				t.Fatal(brief(r))
			}
			if got := named(h.records(w)); !reflect.DeepEqual(got, map[string]map[string]string{"clerk 1": c.want}) {
				t.Errorf("%v\nwant %v", got, c.want)
			}
		})
	}
}

// Who wants no roles, and who uses no tool, has none, and no model is asked for any.
func TestNoEmployees(t *testing.T) {
	for name, o := range map[string]setup{
		"off":     {model: clerkLooks(t), nameless: true},
		"no tool": {model: scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text("good morning to you") }))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o.namer = scripted.New(t)
			h := open(t, o)
			w := h.submit(bus.Submission{Query: "two things, please"})
			if r := h.response(w); r.Status != bus.OK {
				t.Fatal(brief(r))
			}
			if got := named(h.records(w)); len(got) > 0 {
				t.Errorf("%v", got)
			}
			if n := len(o.namer.Requests()); n > 0 {
				t.Errorf("names were asked for %d times", n)
			}
		})
	}
}

// A tool that comes while a call goes on gets a name when it is used; the others keep theirs.
func TestEmployeesLater(t *testing.T) {
	t.Parallel()
	card := func(name string) bus.Card { return bus.Card{Name: name, Kind: "tool", Description: "d"} }
	team := &Team{}
	v := &View{Language: "zh", Cards: []bus.Card{card("a__read_file"), card("orders")}}
	v.Cards[1].Kind = "agent"
	use := func(names ...string) map[string]string {
		var th Thought
		for _, n := range names {
			th.Actions = append(th.Actions, bus.Action{ToolName: n, Parameter: json.RawMessage(`{}`)})
		}
		team.employ(t.Context(), v, &th)
		return th.Employees
	}
	if got := use("orders", "ask_user"); got != nil {
		t.Errorf("an agent and a reserved tool are %v", got)
	}
	first := use("a__read_file")
	if want := map[string]string{"a__read_file": "文件查阅员"}; !reflect.DeepEqual(first, want) {
		t.Fatalf("%v, want %v", first, want)
	}
	v.Employees, v.Cards = first, append(v.Cards, card("b__write_file"), card("c__list_files"))
	if got, want := use("a__read_file", "b__write_file"), map[string]string{"b__write_file": "文件撰写员"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := use("a__read_file"); got != nil {
		t.Errorf("named again: %v", got)
	}
	v.Employees = nil
	for i := range 2 * namedAtOnce {
		v.Cards = append(v.Cards, card(fmt.Sprintf("tool%d", i)))
	}
	if got := slices.Sorted(maps.Keys(use("tool7", "tool9"))); !slices.Equal(got, []string{"tool7", "tool9"}) {
		t.Errorf("of very many tools these are named: %v", got)
	}
}
