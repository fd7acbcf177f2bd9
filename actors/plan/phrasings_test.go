package plan

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/plan/words"
)

// TestPhrasings counts how many natural requests, Chinese and English, lead to the right tools with the right arguments. The
// file holds requests of many kinds; the planner knows none of them. The bar is a ratchet: it only goes up.
func TestPhrasings(t *testing.T) {
	const bar = 0.96
	raw, err := os.ReadFile("testdata/phrasings.txt")
	if err != nil {
		t.Fatal(err)
	}
	x := index(t, "shop.json")
	right, all := 0, 0
	for _, line := range strings.Split(string(raw), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		all++
		part := strings.Split(line, " | ")
		for len(part) < 3 {
			part = append(part, "")
		}
		out := lookedUp(x, ask(part[0]))
		if miss := misses(x, out, strings.TrimSuffix(part[1], " |"), part[2]); miss != "" {
			t.Logf("%s\n\t%s\n\tplanned %s\n\t%s", part[0], miss, told(out), out.Explain.Search)
			continue
		}
		right++
	}
	t.Logf("right: %d of %d requests (%.0f %%)", right, all, 100*float64(right)/float64(all))
	if float64(right) < bar*float64(all) {
		t.Errorf("under the bar of %.0f %%", 100*bar)
	}
}

// misses says what of the expectation does not hold; "" when all does.
func misses(x *Index, out Outcome, tools, args string) string {
	tools = strings.TrimSpace(tools)
	if tools == "none" {
		if len(out.Actions) > 0 || out.Ask != nil {
			return "should have said that it cannot"
		}
		return ""
	}
	if p, ok := strings.CutPrefix(tools, "ask:"); ok {
		if out.Ask == nil || out.Ask.Parameter != p {
			return "should have asked for " + p
		}
		return ""
	}
	want := strings.Split(tools, ",")
	if len(out.Actions) < len(want) {
		return "wanted " + tools
	}
	for i, w := range want {
		first, last, chained := strings.Cut(w, ">")
		if !slices.Contains(strings.Split(first, "/"), out.Actions[i].ToolName) {
			return "wanted " + tools
		}
		if chained && !strings.Contains(out.Explain.Search, last+".") {
			return "wanted " + first + " to provide for " + last
		}
	}
	var got map[string]any
	if err := json.Unmarshal(out.Actions[len(want)-1].Parameter, &got); err != nil {
		return err.Error()
	}
	for _, a := range strings.FieldsFunc(args, func(r rune) bool { return r == ';' }) {
		k, v, _ := strings.Cut(strings.TrimSpace(a), "=")
		if have := fmt.Sprint(got[k]); have != v {
			return fmt.Sprintf("wanted %s=%s", k, v)
		}
	}
	if p := x.Check(out.Actions); len(p) > 0 {
		return "does not pass the check: " + p[0].Message
	}
	return ""
}

// told shows an outcome on one line.
func told(out Outcome) string {
	var parts []string
	for _, a := range out.Actions {
		parts = append(parts, a.ToolName+string(a.Parameter))
	}
	if out.Ask != nil {
		parts = append(parts, "ask "+out.Ask.ToolName+"."+out.Ask.Parameter)
	}
	if out.Answer != "" {
		parts = append(parts, "answer "+words.Short(out.Answer, 40))
	}
	return strings.Join(parts, " ")
}
