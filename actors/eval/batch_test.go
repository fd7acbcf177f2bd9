package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// wood is a house of two tools, the second of which takes what the first returns.
func wood() (*plan.Index, error) {
	tool := func(name, takes, gives string) bus.Card {
		return bus.Card{
			Name: name, Kind: "tool", Description: name + " a thing",
			Parameters: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","x-needs":%q}},"required":[%[1]q]}`, takes, takes)),
			Returns:    json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","x-provides":%q}}}`, gives, gives)),
		}
	}
	return plan.NewIndex([]bus.Card{tool("carve", "wood", "figure"), tool("paint", "figure", "picture")}, plan.Options{}), nil
}

// run plans a text and gives the lines written.
func run(t testing.TB, b Batch, text string) (out []string, planned, failed int) {
	t.Helper()
	var w bytes.Buffer
	planned, failed, err := b.Run(context.Background(), strings.NewReader(text), &w)
	if err != nil {
		t.Fatal(err)
	}
	if w.Len() > 0 {
		out = strings.Split(strings.TrimSuffix(w.String(), "\n"), "\n")
	}
	return out, planned, failed
}

func TestBatch(t *testing.T) {
	var left []string
	b := Batch{House: wood, Now: Now, Rejected: func(line int, r plan.Reject) { left = append(left, fmt.Sprint(line, " ", r.Name)) }}
	out, planned, failed := run(t, b, strings.Join([]string{
		`{"id":"a","request":"carve a thing and paint a thing"}`,
		`{"id":2,"request":"bake bread","tools":[{"name":"bake","description":"bake bread"},{"name":"no name"},{"name":"wrong","tags":1}]}`,
		``,
		`{"request":"carve a thing","other":[1,2]}`,
		`{"id":"c"`,
		`{"id":"d","request":" "}`,
		`{"id":"e","request":7}`,
		`{"id":"f","request":"x","tools":{}}`,
		`{"id":"g","request":"x","tools":[]}`,
		`{"id":"h","request":"x","tools":[{"name":"no name"}]}`,
		`[]`,
		"\x00",
		`{"id":"<i>","request":"carve a thing"}`,
	}, "\n"))
	for i, want := range []string{
		`{"id":"a","calls":[{"tool_name":"carve","parameter":{}},{"tool_name":"paint","parameter":{"figure":"$0.figure"}}]}`,
		`{"id":2,"calls":[{"tool_name":"bake","parameter":{}}]}`,
		`{"calls":[{"tool_name":"carve"`,
		`{"error":"line 5: `,
		`{"id":"d","error":"line 6: \"request\" is empty`,
		`{"id":"e","error":"line 7: request has the wrong type (number)"}`,
		`{"id":"f","error":"line 8: \"tools\" is no array of cards"}`,
		`{"id":"g","error":"line 9: no card that can be used in its tools"}`,
		`{"id":"h","error":"line 10: no card that can be used in its tools: no name: `,
		`{"error":"line 11: a JSON object is wanted`,
		`{"error":"line 12: invalid character`,
		`{"id":"<i>","calls":[{"tool_name":"carve"`,
	} {
		if i >= len(out) || !strings.HasPrefix(out[i], want) {
			t.Errorf("line %d should begin with %s:\n%s", i+1, want, strings.Join(out, "\n"))
		}
	}
	if planned != 4 || failed != 8 || len(out) != 12 {
		t.Errorf("%d planned, %d failed, %d lines", planned, failed, len(out))
	}
	if got := fmt.Sprint(left); got != "[2 wrong 2 no name 10 no name]" {
		t.Errorf("left out: %s", got)
	}
}

// What is switched off holds for tools that come with the request.
func TestBatchWithout(t *testing.T) {
	tools := `[{"name":"carve","description":"carve a thing","returns":{"type":"object","properties":{"figure":{"type":"string","x-provides":"f"}}}},
		{"name":"paint","description":"paint a thing","parameters":{"type":"object","properties":{"figure":{"type":"string","x-needs":"f"}},"required":["figure"]}}]`
	line := fmt.Sprintf(`{"request":"carve a thing and paint a thing","tools":%s}`, strings.ReplaceAll(tools, "\n", ""))
	with, _, _ := run(t, Batch{Now: Now}, line)
	without, _, _ := run(t, Batch{Now: Now, Options: plan.Options{Without: plan.Without{DAG: true}}}, line)
	if !strings.Contains(with[0], "$0.figure") || strings.Contains(without[0], "$0.figure") {
		t.Errorf("with the DAG %s, without %s", with, without)
	}
}

// The house is asked for at most once, and only when somebody needs it; without one, such a request fails and the others do not.
func TestBatchWithoutHouse(t *testing.T) {
	var asked atomic.Int32
	b := Batch{Now: Now, House: func() (*plan.Index, error) { asked.Add(1); return nil, errors.New("nobody is there") }}
	own := `{"request":"bake bread","tools":[{"name":"bake","description":"bake bread"}]}`
	run(t, b, own)
	if asked.Load() > 0 {
		t.Error("the house was asked for a request with tools of its own")
	}
	out, planned, failed := run(t, b, own+"\n"+strings.Repeat(`{"id":1,"request":"x"}`+"\n", 20))
	if planned != 1 || failed != 20 || out[3] != `{"id":1,"error":"line 4: nobody is there"}` || asked.Load() != 1 {
		t.Errorf("%d planned, %d failed, %d times asked: %s", planned, failed, asked.Load(), out)
	}
}

// A defect of the planner is the error of the request that met it.
func TestBatchDefect(t *testing.T) {
	b := Batch{Now: Now, House: func() (*plan.Index, error) { panic("no index") }}
	out, planned, failed := run(t, b, `{"id":1,"request":"x"}`+"\n"+`{"request":"bake bread","tools":[{"name":"bake","description":"bake bread"}]}`)
	if planned != 1 || failed != 1 || out[0] != `{"id":1,"error":"line 1: a defect of the planner: no index"}` {
		t.Errorf("%d planned, %d failed: %s", planned, failed, out)
	}
}

// Each request gets its answer before the next one is written, so that a program may talk with the command through pipes.
func TestBatchStreams(t *testing.T) {
	in, w := io.Pipe()
	r, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, _, err := Batch{House: wood, Now: Now}.Run(context.Background(), in, out)
		ended <- err
	}()
	d := json.NewDecoder(r)
	for i := range 5 {
		if _, err := fmt.Fprintf(w, "{\"id\":%d,\"request\":\"carve a thing\"}\n", i); err != nil {
			t.Fatal(err)
		}
		var got struct{ ID int }
		if err := d.Decode(&got); err != nil || got.ID != i {
			t.Fatal(got, err)
		}
	}
	w.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// full is a writer that fails after some lines.
type full struct{ left int }

func (b *full) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

func TestBatchEnds(t *testing.T) {
	text := strings.Repeat(`{"request":"carve a thing"}`+"\n", 1_000_000)
	endless := strings.NewReader(text)
	planned, _, err := Batch{House: wood, Now: Now}.Run(context.Background(), endless, &full{left: 3})
	if planned != 3 || err == nil || err.Error() != "the disk is full" {
		t.Errorf("%d planned, %v", planned, err)
	}
	if endless.Len() == 0 {
		t.Error("it read on although nothing could be written")
	}
	endless.Reset(text)
	ctx, cancel := context.WithCancel(context.Background())
	b := Batch{House: wood, Now: Now, Wrote: func(planned, _ int) { cancel() }}
	if planned, _, err := b.Run(ctx, endless, io.Discard); !errors.Is(err, context.Canceled) || planned == 0 || endless.Len() == 0 {
		t.Errorf("%d planned, %v, %d bytes left", planned, err, endless.Len())
	}
}

// Catalogues and requests that are meant to hurt give an answer or an error.
func TestBatchHostile(t *testing.T) {
	var many []bus.Card
	for i := range 10_000 {
		many = append(many, bus.Card{Name: fmt.Sprintf("tool_%d", i), Description: fmt.Sprintf("does thing %d", i), Parameters: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`)})
	}
	line := func(request string, cards any) string {
		text, err := json.Marshal(map[string]any{"request": request, "tools": cards})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	schema := func(s string) json.RawMessage { return json.RawMessage(s) }
	feeds := func(name, takes, gives string) map[string]any {
		return map[string]any{
			"name": name, "description": name + " it",
			"parameters": schema(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string"}},"required":[%[1]q]}`, takes)),
			"returns":    schema(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string"}}}`, gives)),
		}
	}
	ok, wrong := `"calls":[{`, `"error":"`
	for name, c := range map[string]struct{ line, want string }{
		"10,000 tools":      {line("do thing 77", many), ok},
		"100 kB request":    {line(strings.Repeat("carve it, ", 10_000), []any{feeds("carve", "wood", "figure")}), ok},
		"cycle":             {line("carve it and paint it", []any{feeds("carve", "a", "b"), feeds("paint", "b", "a")}), ok},
		"feeds itself":      {line("carve it", []any{feeds("carve", "a", "a")}), ok},
		"one name twice":    {line("carve it", []any{feeds("carve", "a", "b"), feeds("carve", "b", "a")}), ok},
		"no schemas":        {line("carve it", []any{map[string]any{"name": "carve"}}), ok},
		"$ref to a network": {line("carve it", []any{map[string]any{"name": "carve", "parameters": schema(`{"$ref":"http://127.0.0.1:1/x"}`)}}), wrong},
		"$ref to itself":    {line("carve it", []any{map[string]any{"name": "carve", "parameters": schema(`{"type":"object","properties":{"a":{"$ref":"#"}}}`)}}), ok},
		"NUL":               {line("carve\x00it", []any{feeds("car\x00ve", "a", "b")}), wrong},
		"deep":              {`{"request":"x","tools":` + strings.Repeat("[", 1_000_000), wrong},
		"50 MB":             {strings.Repeat("x", 50<<20), wrong},
	} {
		out, _, _ := run(t, Batch{Now: Now}, c.line)
		if len(out) != 1 || !strings.Contains(out[0], c.want) || len(out[0]) > 20_000 {
			t.Errorf("%s: %.300q, should have %s", name, out, c.want)
		}
	}
}

// Whatever comes in, each line that is not blank gives one line of JSON with calls or an error, in order, and calls refer to earlier calls only.
func FuzzBatch(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"request":"carve a thing and paint a thing"}`, "{}\n\n[]\n\x00", `{"request":"carve","tools":[{"name":"carve","parameters":{"type":"object"}}]}`,
		`{"id":{"a":[]},"request":"x","context":"y","tools":null}`, `{"id":1e999,"request":"\ud800"}`, "{\"request\":\"a\"}\r\n{\"request\":\"b\"}", `{"ID":1,"Request":"x","request":"y"}`,
		"\u2028\n\u00a0\n{\"request\":\"x\"}",
	} {
		f.Add(s)
	}
	b := Batch{House: wood, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	f.Fuzz(func(t *testing.T, text string) {
		wanted := 0
		for _, l := range strings.Split(text, "\n") {
			if strings.TrimSpace(l) != "" {
				wanted++
			}
		}
		out, planned, failed := run(t, b, text)
		if len(out) != wanted || planned+failed != wanted {
			t.Fatalf("%d lines, %d planned and %d failed, for %d", len(out), planned, failed, wanted)
		}
		for _, line := range out {
			var got struct {
				Calls []plan.Call
				Error string
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil || (got.Calls == nil) == (got.Error == "") {
				t.Fatalf("%v: %q", err, line)
			}
			for i, c := range got.Calls {
				for _, v := range c.Parameter {
					if j, _, ok := reference(v); ok && j >= i && !strings.Contains(text, "$") {
						t.Fatalf("call %d refers to %d: %s", i, j, line)
					}
				}
			}
		}
	})
}
