package knowledge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
	"github.com/hmap-project/hmap/tools"
)

// Over the bus, behind its actor: the card is accepted, and what is returned holds the card's own schema.
func TestToolOnTheBus(t *testing.T) {
	b := bustest.New(t)
	engine, err := actor.NewEngine(actor.NewEngineConfig())
	if err != nil {
		t.Fatal(err)
	}
	host := tools.NewHost(b, engine, tools.Options{})
	defer func() {
		if err := host.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if err := host.Add(Tool(open(t, Rules(), Options{}))); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"偏远地区发出了又不要了，运费谁承担": "https://rule.jd.com/rule/ruleDetail.action?ruleId=3727&type=0&btype=1",
		"怎么做红烧肉": `"found":false`,
	} {
		parameter, err := json.Marshal(map[string]any{"query": []string{query}})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := b.Call(t.Context(), bus.Request{Session: "s", Task: "t", Call: "t-1-0", ToolName: "search_rules", Parameter: parameter}, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(answer.Observation), `\u0026`, "&")
		if answer.Status != bus.OK || !strings.Contains(text, want) {
			t.Errorf("%s: %s %s %v", query, answer.Status, text, answer.Error)
		}
	}
}
