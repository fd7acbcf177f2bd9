package plan

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

var update = flag.Bool("update", false, "write the expected answers of testdata anew")

// TestAnswers compares whole answers with testdata/answers.txt, since how they read as a whole is what people judge.
func TestAnswers(t *testing.T) {
	const file = "testdata/answers.txt"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(raw), "\n== ")
	indexes := map[string]*Index{}
	for i, s := range sections[1:] {
		head, want, _ := strings.Cut(s, "\n--\n")
		lines := strings.Split(head, "\n")
		t.Run(lines[0], func(t *testing.T) {
			if indexes[lines[1]] == nil {
				indexes[lines[1]] = index(t, lines[1])
			}
			got := answerTo(t, indexes[lines[1]], lines[2], lines[3:])
			if *update {
				sections[i+1] = head + "\n--\n" + got + "\n"
			} else if got != strings.TrimSpace(want) {
				t.Errorf("answered:\n%s\n\nwanted:\n%s", got, want)
			}
		})
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(sections, "\n== ")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// answerTo thinks a request through, giving every call of a tool the observation that is set for it. On the way it holds
// every round to what a thought and a critique may be.
func answerTo(t *testing.T, x *Index, request string, observations []string) string {
	t.Helper()
	in := ask(request)
	for round := 1; round < 6; round++ {
		out := x.Think(in)
		for _, text := range []string{out.Thought, out.Critique} {
			if n := len([]rune(text)); n > 200 || strings.Contains(text, `{"`) || strings.Count(text, request) > 1 {
				t.Errorf("%d signs: %s", n, text)
			}
		}
		t.Logf("thought: %s critique: %s", out.Thought, out.Critique)
		if out.Answer != "" {
			return out.Answer
		}
		for i, a := range out.Actions {
			found := false
			for _, o := range observations {
				if tool, observation, _ := strings.Cut(o, " "); tool == a.ToolName {
					found = true
					in.Done = append(in.Done, Done{Action: a, Call: bus.ChildID("t", round, i), Status: bus.OK, Observation: json.RawMessage(observation)})
				}
			}
			if !found {
				t.Fatalf("no observation is set for %s", told(out))
			}
		}
		if len(out.Actions) == 0 {
			t.Fatalf("no actions: %s", told(out))
		}
	}
	t.Fatal("no answer after five rounds")
	return ""
}

func TestOutputTable(t *testing.T) {
	x := index(t, "summaries.json")
	in := ask("订单316123105676的快递到哪了")
	in.Output = "table"
	in = did(in, x.Think(in), `{"carrier":"顺丰|速运","place":"北京","delivered":true}`)
	if got, want := x.Think(in).Answer, "| 项目 | 内容 |\n| --- | --- |\n| 当前位置 | 北京 |\n| 快递公司 | 顺丰\\|速运 |\n| 已签收 | 是 |"; got != want {
		t.Errorf("answered:\n%s\nwanted:\n%s", got, want)
	}
}

// A file that was made is listed once: by the one whose text does not name it yet.
func TestFilesAreListedOnce(t *testing.T) {
	x := index(t, "shop.json")
	for _, said := range []string{"15 orders", "15 orders\n\nFiles:\n- [o.csv](obj:1) orders"} {
		in := ask("我有多少订单是王萍萍买的?")
		in = did(in, x.Think(in), `"`+strings.ReplaceAll(said, "\n", `\n`)+`"`)
		in.Done[0].Files = []bus.File{{Ref: "obj:1", Name: "o.csv", Description: "orders"}}
		if out := x.Think(in); strings.Count(out.Answer, "obj:1") != 1 {
			t.Errorf("%s", out.Answer)
		}
	}
}
