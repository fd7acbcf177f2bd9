package bus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// savedTool is one with two steps, the second of which uses what the first brought.
func savedTool() SavedTool {
	return SavedTool{
		Name: "notify_buyer", Description: "Finds an order and writes to its buyer.", Agent: "orders", Effect: Unsafe,
		Parameters: json.RawMessage(`{"type":"object","required":["order"],"properties":{"order":{"type":"string"},"text":{"type":"string","default":"sorry"},"cc":{"type":"string"}}}`),
		Steps: []SavedStep{
			{ID: "s1", ToolName: "order_detail", Parameter: json.RawMessage(`{"order_id":"$args.order","costs":"$$5"}`)},
			{ID: "s2", After: []string{"s1"}, ToolName: "send", Parameter: json.RawMessage(`{"to":"$s1.buyers.0.id","text":"$args.text","cc":"$args.cc","list":["$args.cc"]}`)},
		},
	}
}

func TestSavedToolBinds(t *testing.T) {
	tool := savedTool()
	if err := tool.Check(); err != nil {
		t.Fatal(err)
	}
	actions, err := tool.Bind(json.RawMessage(`{"order":"$s1.secret"}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"costs":"$$5","order_id":"$$s1.secret"}`, `{"list":[],"text":"sorry","to":"$s1.buyers.0.id"}`} {
		if got := string(actions[i].Parameter); got != want {
			t.Errorf("step %d: %s, want %s", i+1, got, want)
		}
		if actions[i].TrustMode != 1 {
			t.Errorf("step %d would be thought about", i+1)
		}
	}
	given, err := FillReferences(actions[1].Parameter, func(id, path string) (any, error) {
		return Dig(json.RawMessage(`{"buyers":[{"id":"b7"}]}`), path)
	})
	if want := `{"list":[],"text":"sorry","to":"b7"}`; err != nil || string(given) != want {
		t.Errorf("%s, want %s: %v", given, want, err)
	}
	if given, err = FillReferences(actions[0].Parameter, nil); err != nil || string(given) != `{"costs":"$5","order_id":"$s1.secret"}` {
		t.Errorf("%s %v: what a user said must refer to nothing", given, err)
	}
	for _, nothing := range []string{"", " ", "{}", "null"} {
		if _, err := tool.Bind(json.RawMessage(nothing)); err == nil || !strings.Contains(err.Error(), "order") {
			t.Errorf("%q, a required argument is missing: %v", nothing, err)
		}
	}
	if c := tool.Card(); c.Effect != Idempotent || !c.IsSaved() || c.NeedsApproval() {
		t.Errorf("%+v", c)
	}
}

func TestSavedToolRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*SavedTool)
		says   string
	}{
		"no name":           {func(s *SavedTool) { s.Name = "" }, "name"},
		"reserved":          {func(s *SavedTool) { s.Name = "ask_user" }, "name"},
		"as MCP":            {func(s *SavedTool) { s.Name = "files__read" }, "name"},
		"subject":           {func(s *SavedTool) { s.Name = "a.b>" }, "name"},
		"long":              {func(s *SavedTool) { s.Name = strings.Repeat("a", 49) }, "name"},
		"itself":            {func(s *SavedTool) { s.Steps[0].ToolName = s.Name }, "cannot call"},
		"asks":              {func(s *SavedTool) { s.Steps[0].ToolName = "finish" }, "cannot call"},
		"no steps":          {func(s *SavedTool) { s.Steps = nil }, "0 steps"},
		"many steps":        {func(s *SavedTool) { s.Steps = make([]SavedStep, 32) }, "32 steps"},
		"effect":            {func(s *SavedTool) { s.Effect = "harmless" }, "effect"},
		"twice":             {func(s *SavedTool) { s.Steps[1].ID = "s1" }, "id"},
		"args":              {func(s *SavedTool) { s.Steps[1].ID = "args" }, "id"},
		"later":             {func(s *SavedTool) { s.Steps[0].After = []string{"s2"} }, "earlier"},
		"refers later":      {func(s *SavedTool) { s.Steps[0].Parameter = json.RawMessage(`{"a":["$s2.x"]}`) }, "earlier"},
		"unknown parameter": {func(s *SavedTool) { s.Steps[0].Parameter = json.RawMessage(`{"a":"$args.nothing"}`) }, "names no parameter"},
		"no object":         {func(s *SavedTool) { s.Steps[0].Parameter = json.RawMessage(`[1]`) }, "object"},
		"schema":            {func(s *SavedTool) { s.Parameters = json.RawMessage(`{"type":"array"}`) }, "object"},
		"elsewhere":         {func(s *SavedTool) { s.Parameters = json.RawMessage(`{"type":"object","$ref":"http://127.0.0.1/x"}`) }, "parameters"},
		"bomb": {func(s *SavedTool) {
			s.Parameters = json.RawMessage(`{"type":"object","properties":` + strings.Repeat(`{"a":{"properties":`, 70) + `{}` + strings.Repeat(`}}`, 70) + `}`)
		}, "deep"},
		"large": {func(s *SavedTool) {
			s.Returns = json.RawMessage(`{"description":"` + strings.Repeat("x", 30<<10) + `"}`)
		}, "bytes"},
		"huge code": {func(s *SavedTool) {
			s.Steps[0].Parameter = json.RawMessage(`{"a":"` + strings.Repeat("x", 300<<10) + `"}`)
		}, "bytes"},
		"description": {func(s *SavedTool) { s.Description = strings.Repeat("x", 3000) }, "description"},
	} {
		tool := savedTool()
		c.change(&tool)
		if err := tool.Check(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want a word of %q", name, err, c.says)
		}
	}
	for _, body := range []string{`{"name":"a_b","more":1}`, `[]`, `{} {}`, ``, strings.Repeat(" ", 300<<10)} {
		if _, err := ParseSavedTool([]byte(body)); err == nil {
			t.Errorf("%.40q was taken", body)
		}
	}
}

func TestSavedShape(t *testing.T) {
	shape, err := Shape(json.RawMessage(`{"n":3,"rows":[{"id":"a","paid":true},{"id":7}],"note":null}`))
	if want := `{"n":"number","note":"null","rows":[{"id":"string","paid":"boolean"}]}`; err != nil || string(shape) != want {
		t.Fatalf("%s, want %s: %v", shape, want, err)
	}
	for value, says := range map[string]string{
		`{"n":4,"rows":[]}`:       "",
		`{"n":null,"note":"new"}`: "",
		`{"n":"4"}`:               "result.n was a number",
		`{"rows":[{"id":5}]}`:     "result.rows[0].id was a string",
		`{"rows":{}}`:             "result.rows was a list",
		`{"other":1}`:             "none of the fields",
		`"no"`:                    "was an object",
		`{`:                       "no JSON",
	} {
		if got := Unlike(json.RawMessage(value), shape); (got == "") != (says == "") || !strings.Contains(got, says) {
			t.Errorf("%s: %q, want %q", value, got, says)
		}
	}
}

// What is saved is there for all nodes and after a restart, has one number a version, also past a removal, and of two that take a name at once one gets it.
func TestSavedToolsAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := StartServer(ServerOptions{Dir: dir, NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	open := func(node string) *Bus {
		b, err := Connect(t.Context(), Options{Server: s, Node: node})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	a, b := open("a"), open("b")
	first := make(chan SavedTool, 16)
	go func() {
		defer close(first)
		for tool, err := range b.FollowTools(t.Context()) {
			if err != nil {
				return
			}
			first <- tool
		}
	}()
	if tool := <-first; tool.Name != "" {
		t.Fatalf("%+v before anything was saved", tool)
	}
	var wg sync.WaitGroup
	errs := make([]error, 2)
	for i, node := range []*Bus{a, b} {
		wg.Go(func() {
			tool := savedTool()
			tool.Description = fmt.Sprint(i)
			_, errs[i] = node.KeepTool(t.Context(), tool, 0)
		})
	}
	wg.Wait()
	if won := errs[0] == nil; won == (errs[1] == nil) || !errors.Is(errors.Join(errs...), ErrFenced) {
		t.Fatalf("two at once: %v", errs)
	}
	tool, err := b.SavedTool(t.Context(), "notify_buyer")
	if err != nil || tool.Version != 1 || tool.Saved.IsZero() {
		t.Fatalf("%+v %v", tool, err)
	}
	if heard := <-first; heard.Version != 1 {
		t.Errorf("heard of %+v", heard)
	}
	tool.Description = "changed"
	if _, err := a.KeepTool(t.Context(), tool, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := b.KeepTool(t.Context(), tool, 1); !errors.Is(err, ErrFenced) {
		t.Errorf("over a version that is past: %v", err)
	}
	if heard := <-first; heard.Version != 2 || heard.Description != "changed" {
		t.Errorf("heard of %+v", heard)
	}
	if err := a.RemoveTool(t.Context(), "notify_buyer"); err != nil {
		t.Fatal(err)
	}
	if heard := <-first; !heard.Gone {
		t.Errorf("heard of %+v", heard)
	}
	if err := b.RemoveTool(t.Context(), "notify_buyer"); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if _, err := b.SavedTool(t.Context(), "notify_buyer"); !errors.Is(err, ErrNotFound) {
		t.Errorf("after the removal: %v", err)
	}
	if again, err := b.KeepTool(t.Context(), savedTool(), 0); err != nil || again.Version != 4 {
		t.Errorf("saved again: version %d %v", again.Version, err)
	}
	a.Close()
	b.Close()
	s.Stop()
	if s, err = StartServer(ServerOptions{Dir: dir, NoSync: true}); err != nil {
		t.Fatal(err)
	}
	defer s.Stop()
	b = open("c")
	defer b.Close()
	if all, err := b.SavedTools(t.Context()); err != nil || len(all) != 1 || all[0].Version != 4 {
		t.Errorf("after a restart: %+v %v", all, err)
	}
	// What another program wrote is no tool, and harms nobody.
	if _, err := b.swap(t.Context(), b.savedSubject("other"), []byte(`{"name":"notify_buyer"}`), 0); err != nil {
		t.Fatal(err)
	}
	if all, err := b.SavedTools(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("beside a damaged one: %+v %v", all, err)
	}
	if _, err := b.KeepTool(t.Context(), func() SavedTool { o := savedTool(); o.Name = "other"; return o }(), 0); err != nil {
		t.Errorf("in the place of a damaged one: %v", err)
	}
}

func FuzzSavedTool(f *testing.F) {
	whole, err := json.Marshal(savedTool())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, []byte(`{"order":"o1"}`))
	f.Add([]byte(`{"name":"x_y","description":"d","agent":"a","effect":"read","steps":[{"id":"s","tool_name":"t","parameter":{"a":"$args.b"}}]}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, body, arguments []byte) {
		tool, err := ParseSavedTool(body)
		if err != nil {
			return
		}
		if again, err := json.Marshal(tool); err != nil {
			t.Fatal(err)
		} else if _, err := ParseSavedTool(again); err != nil {
			t.Fatalf("%s is refused once written: %v", again, err)
		}
		actions, err := tool.Bind(arguments)
		if err != nil {
			return
		}
		for _, a := range actions { // what is left refers to steps, whatever the arguments say
			_, _ = FillReferences(a.Parameter, func(id, path string) (any, error) {
				for _, s := range tool.Steps {
					if s.ID == id {
						return nil, nil
					}
				}
				t.Fatalf("$%s%s in %s", id, path, a.Parameter)
				return nil, nil
			})
		}
	})
}
