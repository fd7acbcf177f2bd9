package actors

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/bus"
)

// A tool is told the language of the person, through agents whose jobs a model words in another one.
func TestToolsHearTheLanguage(t *testing.T) {
	t.Parallel()
	for query, language := range map[string]string{"what is the value of a?": "en", "键a的值是多少？": "zh"} {
		for _, s := range strategies {
			job := map[string]string{"en": "查一下键a的值", "zh": "look up a"}[language]
			m := scripted.New(t, wants(s, bus.Action{ToolName: "clerk", JobDesc: job}), wants(s, tool("read", `{"key":"a"}`)), says(s, "done"), says(s, "done"))
			agents := append(testAgents[:0:0], testAgents...)
			agents[1].Tools = []string{"read"}
			h := open(t, setup{model: m, strategy: s, agents: agents})
			heard := make(chan string, 1)
			other, err := bus.Connect(t.Context(), bus.Options{Server: h.server})
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			card := bus.Card{Name: "read", Kind: "tool", Description: "reads a key", Effect: bus.Read, Parameters: json.RawMessage(`{"type":"object"}`)}
			if _, err := other.Serve(card, func(in *bus.Incoming) {
				heard <- in.Request.Language
				if err := in.Respond(bus.Response{Status: bus.OK, Observation: json.RawMessage(`"v"`)}); err != nil {
					t.Error(err)
				}
			}); err != nil {
				t.Fatal(err)
			}
			if err := h.team.dir.Await(t.Context(), "read"); err != nil {
				t.Fatal(err)
			}
			if r := h.response(h.submit(bus.Submission{Query: query})); r.Status != bus.OK {
				t.Fatal(brief(r))
			}
			if got := <-heard; got != language {
				t.Errorf("%s, %s: told %q", query, s, got)
			}
		}
	}
}
