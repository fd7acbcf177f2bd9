package actors

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/plan"
	"github.com/hmap-project/hmap/bus"
)

// Over agents, too, the planner is right where it is sure, and it is sure of many requests: it chooses them by their tools, and those of one
// agent are no rivals of each other.
func TestSureOfAgentsIsRight(t *testing.T) {
	t.Parallel()
	var all []bus.Card
	raw, err := os.ReadFile("plan/testdata/house.json")
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	owner := map[string][]string{} // agents by the name of a tool
	var agents, tools []bus.Card
	for _, c := range all {
		if c.IsAgent() && c.Name != "master" {
			agents = append(agents, c)
		} else if !c.IsAgent() {
			tools = append(tools, c)
		}
	}
	for _, c := range tools {
		for _, a := range agents {
			if slices.Contains(c.Tags, a.Name) {
				owner[c.Name] = append(owner[c.Name], a.Name)
			}
		}
	}
	if raw, err = os.ReadFile("plan/testdata/asked.txt"); err != nil {
		t.Fatal(err)
	}
	x := plan.NewIndex(agents, plan.Options{Tools: tools})
	named := regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`)
	sure, wrong, lines := 0, 0, 0
	for line := range strings.Lines(string(raw)) {
		request, wanted, found := strings.Cut(strings.TrimSpace(line), " | ")
		if !found || strings.HasPrefix(line, "#") || strings.Contains(wanted, "}, ") || !named.MatchString(wanted) {
			continue
		}
		lines++
		var right []string
		for _, name := range named.FindAllString(strings.ReplaceAll(wanted, "/", " "), -1) {
			right = append(right, owner[name]...)
		}
		v := &View{Language: Language(request), Index: x, Cards: agents, Now: time.Now(), Request: bus.Request{JobDesc: request}}
		out := x.Think(inputOf(v))
		if doubt(v, out) != "" {
			continue
		}
		sure++
		if chosen := out.Explain.Clauses[0].Chosen; !slices.Contains(right, chosen) {
			wrong++
			t.Logf("%s: sure of %s, wanted %v", request, chosen, right)
		}
	}
	t.Logf("sure of %d of %d requests, %d of them wrong", sure, lines, wrong)
	if 3*sure < lines || 50*wrong > sure {
		t.Errorf("sure of %d of %d requests, %d of them wrong", sure, lines, wrong)
	}
}
