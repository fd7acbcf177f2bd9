package eval

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan"
)

func TestCards(t *testing.T) {
	for name, text := range map[string]string{
		"array":    `[{"name":"a"},{"name":"b"}]`,
		"lines":    "{\"name\":\"a\"}\n\n{\"name\":\"b\"}\n",
		"indented": "{\n \"name\": \"a\"\n}\n{\n \"name\": \"b\"\n}",
		"marked":   "\uFEFF[{\"name\":\"a\"},{\"name\":\"b\"}]",
	} {
		cards, left, err := Cards(strings.NewReader(text), "cards.json")
		if err != nil || len(left) > 0 || len(cards) != 2 || cards[1].Name != "b" || cards[1].Kind != "tool" {
			t.Errorf("%s: %v %v %v", name, cards, left, err)
		}
	}
}

// Others write tools in other words; a catalogue of theirs is taken as it is.
func TestCardsOfOthers(t *testing.T) {
	schema := `{"type":"object","properties":{"path":{"type":"string"}}}`
	for name, text := range map[string]string{
		"MCP":        `{"tools":[{"name":"a","inputSchema":` + schema + `,"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`,
		"MCP answer": `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":` + schema + `,"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}`,
		"OpenAI":     `[{"type":"function","function":{"name":"a","parameters":` + schema + `,"returns":{},"effect":"read"}}]`,
		"Anthropic":  `[{"name":"a","input_schema":` + schema + `,"output_schema":{},"effect":"read"}]`,
	} {
		cards, left, err := Cards(strings.NewReader(text), "cards.json")
		if err != nil || len(left) > 0 || len(cards) != 1 || cards[0].Name != "a" || string(cards[0].Parameters) != schema || cards[0].Returns == nil || cards[0].Effect != "read" {
			t.Errorf("%s: %v %v %v", name, cards, left, err)
		}
	}
}

// What is no JSON is told with its line; what is JSON and no card is left out with its line, and the others stay.
func TestBrokenCards(t *testing.T) {
	for text, want := range map[string]string{
		"[{\"name\":\"a\"},\n{\"name\" 1}]":     "line 2",
		"{\"name\":\"a\"}\n{\"name\":\n\n x}":   "line 4",
		"[{\"name\":\"a\"}\n {\"name\":\"b\"}]": "line 2",
		"[{\"name\":\"a\"},\n":                  "middle",
		"[{\"name\":\"a\"}]\n\nx":               "line 3",
		"[{\"name\":\"a\"}] {}":                 "follows",
		"\x00":                                  "line 1",
		"{\"name\":\"a\"}\n\x00{}":              "line 2",
		strings.Repeat("[", 100_000):            "depth",
	} {
		if _, _, err := Cards(strings.NewReader(text), "x.json"); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x.json, line ") {
			t.Errorf("%.40q: %v; should speak of %q", text, err, want)
		}
	}
	for _, text := range []string{"", " \n", "[]"} {
		if _, _, err := Cards(strings.NewReader(text), "x.json"); !errors.Is(err, ErrNoCards) {
			t.Errorf("%q: %v", text, err)
		}
	}
	cards, left, err := Cards(strings.NewReader("[{\"name\":\"a\"},\n7,\n{\"name\":\"c\",\"description\":[]},\n{\"name\":\"d\"}]"), "x.json")
	if err != nil || len(cards) != 2 || len(left) != 2 {
		t.Fatal(cards, left, err)
	}
	for i, want := range []string{"line 2: a JSON object is wanted", "line 3: description"} {
		if !strings.Contains(left[i].Reason, want) {
			t.Errorf("%q should say %q", left[i].Reason, want)
		}
	}
}

// endless is a text that never ends: what it holds again and again.
type endless []byte

func (e endless) Read(p []byte) (int, error) { return copy(p, e), nil }

// much of one sign, without an end.
func much(sign string) endless { return endless(strings.Repeat(sign, 64<<10)) }

func TestTooManyCards(t *testing.T) {
	if _, _, err := Cards(much(" "), "x.json"); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Error(err)
	}
}

func TestCatalogueFolder(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := Catalogue(dir); !errors.Is(err, ErrNoCards) {
		t.Error(err)
	}
	for name, text := range map[string]string{"b.jsonl": `{"name":"b"}`, "a.json": `[{"name":"a"}]`, "none.json": `[]`, "notes.txt": "no"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cards, _, err := Catalogue(dir)
	if err != nil || len(cards) != 2 || cards[0].Name != "a" {
		t.Error(cards, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c.json"), []byte("{\n!"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Catalogue(dir); err == nil || !strings.Contains(err.Error(), "c.json, line 2") {
		t.Error(err)
	}
	if _, _, err := Catalogue(filepath.Join(dir, "nosuch")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A line is read whole up to its bound; a longer one is skipped without being held, and the next one is read.
func TestLines(t *testing.T) {
	whole := strings.Repeat("x", MaxLine-1) // and its end
	l := newLines(io.MultiReader(strings.NewReader("a\n \n"+whole+"\n"), io.LimitReader(much("y"), 50<<20), strings.NewReader("\nb")))
	for i, want := range []string{"1 a", "3 " + whole, "4 too long", "5 b"} {
		line, err := l.next()
		got := fmt.Sprintf("%d %s", l.n, line)
		if errors.Is(err, errLong) {
			got = fmt.Sprintf("%d too long", l.n)
		} else if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%d: %.40q, want %.40q", i, got, want)
		}
	}
	if _, err := l.next(); err != io.EOF {
		t.Error(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := newLines(io.LimitReader(much("y"), 200<<20)).next(); !errors.Is(err, errLong) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
		t.Errorf("%d MiB were allocated for a line that is skipped", took>>20)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	requests := file("requests.jsonl", `{"id":1,"request":"paint","tools":[{"name":"paint"}]}`+"\n"+`{"id":"b","request":"carve","context":"oak"}`)
	tools := file("tools.json", `[{"name":"carve"}]`)
	s, err := Read(requests, file("gold.jsonl", `{"id":"b","tools_used":["carve"]}`+"\n"+`{"id":1,"calls":[{"tool_name":"paint","parameter":{"x":"$0.y"}}]}`), tools)
	if err != nil || len(s.Cases) != 2 || s.Cases[0].Wanted[0].Parameter["x"] != "$0.y" || s.Cases[1].Wanted[0].ToolName != "carve" || s.Cases[1].Context != "oak" {
		t.Fatalf("%+v %v", s, err)
	}
	for gold, want := range map[string]string{
		`{"id":1}`:                       "no plan for the id \"b\"",
		`{"id":1}` + "\n{":               "line 2",
		`{"id":1}` + "\n\n" + `{"id":1}`: "comes twice",
		`{"id":1}` + "\n" + `{"id":"b"}` + "\n" + `{"id":2}`: "without a request",
	} {
		if _, err := Read(requests, file("gold.jsonl", gold), tools); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; should speak of %q", gold, err, want)
		}
	}
	if _, err := Read(requests, file("gold.jsonl", "{\"id\":1}\n{\"id\":\"b\"}"), ""); err == nil || !strings.Contains(err.Error(), "has no tools") {
		t.Error(err)
	}
}

func TestTally(t *testing.T) {
	var y Tally
	y.Add([]string{"a", "a", "b"}, []string{"a", "c", "a", "a"})
	y.Add([]string{"d", "d"}, []string{"d"})
	if y != (Tally{3, 5, 5}) || y.F1() != 60 || y.Recall() != 60 {
		t.Error(y, y.F1(), y.Recall())
	}
	if (Tally{}).F1() != 0 {
		t.Error("F1 of nothing")
	}
}

// The order of calls changes nothing, which field of which tool does.
func TestTake(t *testing.T) {
	find := plan.Call{ToolName: "find", Parameter: map[string]any{"name": " Ann ", "limit": 1e6}}
	write := func(ref string) plan.Call {
		return plan.Call{ToolName: "write", Parameter: map[string]any{"to": ref, "text": "$5"}}
	}
	a, b := Take([]plan.Call{find, write("$0.mail")}), Take([]plan.Call{write("$1.mail"), find})
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("%v is not %v", a, b)
	}
	if want := "{[find write] [write.to=find.mail] [find.limit=1000000 find.name=ann write.text=$5]}"; fmt.Sprint(a) != want {
		t.Errorf("%v, want %s", a, want)
	}
	if wild := Take([]plan.Call{write("$7.mail")}); wild.References[0] != "write.to=.mail" {
		t.Errorf("a reference to nowhere counts as said: %v", wild)
	}
}

// Any text gives cards, cards left out, or an error that names its place.
func FuzzCards(f *testing.F) {
	for _, s := range []string{`[{"name":"a"},{"name":1}]`, "{\"name\":\"a\"}\n{}", "[\n1,", "\uFEFF[]", "[]x", "\x00", "{}]", `[[],{"parameters":{"$ref":"#"}}]`, "null", "[1}", "\f[{}]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cards, left, err := Cards(strings.NewReader(text), "x.json")
		switch {
		case err != nil && !strings.HasPrefix(err.Error(), "x.json"):
			t.Errorf("%q: %v", text, err)
		case err == nil && len(cards)+len(left) == 0:
			t.Errorf("%q: nothing, and no word about it", text)
		}
		for _, r := range left {
			if !strings.HasPrefix(r.Reason, "x.json, line ") {
				t.Errorf("%q: %s", text, r.Reason)
			}
		}
	})
}
