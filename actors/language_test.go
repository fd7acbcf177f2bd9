package actors

import (
	"encoding/json"
	"testing"

	"github.com/hmap-project/hmap/actors/memory"
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

// What is in no language is answered in that of what was said before it, whichever way a conversation turned last.
func TestNoLanguageIsThatBefore(t *testing.T) {
	turns := func(said ...string) (all []memory.Turn) {
		for _, s := range said {
			all = append(all, memory.Turn{Request: s})
		}
		return all
	}
	for _, c := range []struct {
		said  string
		turns []memory.Turn
		want  string
	}{
		{"281067154231", turns("待发货的订单有哪些"), "zh"}, {"PPT", turns("上个月的销售额"), "zh"}, {"ok", turns("上个月的销售额", "PPT"), "zh"}, {"PPT", turns("sales last month"), "en"},
		{"PPT", turns("上个月的销售额", "and the month before?"), "en"}, {"PPT", turns("sales last month", "取消订单\n281067154231"), "zh"}, {"281067154231", turns("cancel an order\n那就算了"), "zh"},
		{"by city", turns("上个月的销售额"), "en"}, {"按城市", turns("sales last month"), "zh"}, {"281067154231", nil, "en"},
	} {
		if got := spokenAfter(&bus.Request{JobDesc: c.said}, c.turns); got != c.want {
			t.Errorf("%s after %v: %s", c.said, c.turns, got)
		}
	}
	if got := spokenAfter(&bus.Request{JobDesc: "281067154231", Language: "en"}, turns("待发货的订单有哪些")); got != "en" {
		t.Error("a caller says in which language, and is not heard")
	}
}
