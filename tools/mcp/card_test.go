package mcp

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

func TestTerms(t *testing.T) {
	for hints, want := range map[string]string{
		`{}`: "unsafe ask", `{"readOnlyHint":true}`: "read never", `{"readOnlyHint":false}`: "unsafe ask", `{"idempotentHint":true}`: "idempotent ask",
		`{"idempotentHint":true,"destructiveHint":true}`: "idempotent ask", `{"idempotentHint":true,"destructiveHint":false}`: "idempotent never", `{"destructiveHint":false}`: "unsafe ask",
	} {
		one := tool{Name: "t"}
		if err := json.Unmarshal([]byte(hints), &one.Annotations); err != nil {
			t.Fatal(err)
		}
		effect, approval := terms(&Server{}, &one)
		if got := string(effect) + " " + approval; got != want {
			t.Errorf("%s: %s, want %s", hints, got, want)
		}
		if _, approval := terms(&Server{Approval: "ask"}, &one); approval != "ask" {
			t.Errorf("%s: the configuration wants to be asked", hints)
		}
		effect, approval = terms(&Server{Effects: map[string]bus.Effect{"t": bus.Read}}, &one)
		if effect != bus.Read || approval != "never" {
			t.Errorf("%s: the configuration knows it for read: %s %s", hints, effect, approval)
		}
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("x", 62)
	seen := map[string]string{}
	for _, name := range []string{"a", "a_b", "a.b", "a b", "a__b", "-", long, long + "y", long + "z", "查询", "查", "*", ">", ""} {
		got := Name("srv", name)
		if !bus.ValidToken(got) || !strings.HasPrefix(got, "srv__") {
			t.Errorf("%q: %q", name, got)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("%q and %q are both %s", name, other, got)
		}
		seen[got] = name
	}
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{`1`: 0, `{}`: 1, `{"a":[{"b":"]}]}\"{{{"}]}`: 3, `"[[["`: 0, `[[],[[]]]`: 3} {
		if got := depth([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// Whatever a server says of a tool becomes a card that holds, or an error.
func FuzzCard(f *testing.F) {
	for _, kind := range []string{"odd-names", "bombs", "lies"} {
		var page struct{ Tools []json.RawMessage }
		if err := json.Unmarshal([]byte(tellTools(kind, "")), &page); err != nil {
			f.Fatal(err)
		}
		for _, text := range page.Tools {
			if len(text) < 2000 {
				f.Add(string(text))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		var one tool
		if json.Unmarshal([]byte(text), &one) != nil {
			return
		}
		c, err := card(&Server{Name: "srv", Agents: []string{"toolbox"}}, &one)
		if err != nil {
			return
		}
		if !bus.ValidToken(c.Name) || c.Description == "" || !utf8.ValidString(c.Description) || !json.Valid(c.Parameters) || c.Server() != "srv" {
			t.Errorf("%+v", c)
		}
	})
}
