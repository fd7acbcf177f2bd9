package drill

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// play lets the mind work on a script, with tools that answer by the function; it gives the last word and all labels called, in order.
func play(t *testing.T, query string, answer func(c Called, n int) string) (last string, called []string) {
	t.Helper()
	talk := []Said{{Role: "system", Text: "x"}, {Role: "user", Text: mark + `{"agent":"old","do":[]}`}, {Role: "assistant", Text: "an earlier turn"}, {Role: "user", Text: query}}
	for n := range 100 {
		move := Next(talk, func(name string) bool { return false })
		if len(move.Calls) == 0 {
			return move.Text, called
		}
		said := Said{Role: "assistant", Text: move.Text}
		var results []Said
		for i, c := range move.Calls {
			c.ID = fmt.Sprintf("c%d-%d", n, i)
			said.Calls = append(said.Calls, c)
			var d Deed
			if err := json.Unmarshal([]byte(strings.Replace(c.Arguments, "job_desc", "label", 1)), &d); err != nil {
				t.Fatalf("%s: %v", c.Arguments, err)
			}
			called = append(called, d.Label)
			results = append(results, Said{Role: "tool", ID: c.ID, Text: answer(c, n)})
		}
		talk = append(append(talk, said), results...)
	}
	t.Fatal("it never ends")
	return "", nil
}

// Whatever the tools answer, a job ends, in order, and says what it saw.
func TestMindPlaysItsScript(t *testing.T) {
	job := Job{Agent: left, Do: [][]Deed{{{Tool: toolLook, Label: "a"}, {Tool: toolPut, Label: "b", Wait: true}}, {{Tool: toolFire, Label: "c"}}}}
	for _, c := range []struct {
		name, done, order string
		failed            map[string]string
		answer            func(Called, int) string
	}{
		{"well", "a b c", "a b c", nil, func(Called, int) string { return `{"label":"x"}` }},
		{"not begun, then done", "a b c", "a b a b c c", nil, func(c Called, n int) string {
			if n == 0 || n == 2 {
				return "error unavailable: nobody listens"
			}
			return "{}"
		}},
		{"in doubt is not tried again", "a b", "a b c", map[string]string{"c": "in_doubt"}, func(c Called, n int) string {
			if c.Name == toolFire {
				return "error in_doubt: nobody knows"
			}
			return "{}"
		}},
		{"put aside is not tried", "a b c", "a b b c", nil, func(c Called, n int) string {
			if c.Name == toolPut && n == 0 {
				return "(put aside: not carried out)"
			}
			return "{}"
		}},
	} {
		last, called := play(t, words(job), c.answer)
		d, ok := parseDone([]byte(last))
		if !ok || strings.Join(d.Done, " ") != c.done || strings.Join(called, " ") != c.order {
			t.Errorf("%s: %s after %v", c.name, last, called)
		}
		for label, code := range c.failed {
			if d.Failed[label] != code {
				t.Errorf("%s: %s", c.name, last)
			}
		}
	}
}

// The master hands every job out once, asks first, and joins what came back. Any script ends.
func TestMindOfTheMaster(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 100 {
		s := compose(r, fmt.Sprint("m", i))
		last, _ := play(t, s.Query(), func(c Called, _ int) string {
			if c.Name == "ask_user" {
				return "the red one"
			}
			var args struct{ Job_desc string }
			if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
				t.Fatal(err)
			}
			done, _ := play(t, args.Job_desc, func(Called, int) string { return "{}" })
			return done
		})
		d, ok := parseDone([]byte(last))
		var labels []string
		for _, deed := range s.deeds() {
			labels = append(labels, deed.Label)
		}
		if !ok || !slices.Equal(d.Done, labels) || (s.Ask != "") != (d.Answer == "the red one") {
			t.Errorf("%s\n%s", s.Query(), last)
		}
	}
	for _, words := range []string{"hello", mark, mark + "{", mark + `{"jobs":7}`} {
		if move := Next([]Said{{Role: "user", Text: words}}, nil); move.Text == "" || len(move.Calls) > 0 {
			t.Errorf("%q: %v", words, move)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add(`{"jobs":[[{"agent":"drill_left","do":[[{"tool":"drill_look","label":"a"}]]}]]}`, "error busy: x")
	f.Add(`{"agent":"drill_left","do":[[{"tool":"drill_look","label":"a"}]]}`, `{"done":[]}`)
	f.Fuzz(func(t *testing.T, script, result string) {
		talk := []Said{{Role: "user", Text: mark + script}}
		for n := range 4 {
			move := Next(talk, func(string) bool { return true })
			if move.Text == "" {
				t.Fatal("it says nothing")
			}
			for i := range move.Calls {
				move.Calls[i].ID = fmt.Sprint(n, "-", i)
				talk = append(talk, Said{Role: "tool", ID: move.Calls[i].ID, Text: result})
			}
			talk = append(talk, Said{Role: "assistant", Text: move.Text, Calls: move.Calls})
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("hmap.main.log.s.t.c", []byte(`{"kind":"round"}`))
	f.Add("hmap.main.input.s.t", []byte(`{"kind":"answer","ask":"a"}`))
	f.Fuzz(func(t *testing.T, subject string, body []byte) {
		one, ok := parse(subject, body)
		if again, _ := parse(subject, body); ok && glimpse(one) != glimpse(again) {
			t.Error("one record, two sums")
		}
		parseDone(body)
	})
}
