package actors

import (
	"strings"
	"testing"

	"github.com/hmap-project/hmap/actors/mask"
	"github.com/hmap-project/hmap/actors/model/scripted"
	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

// A task about a person is done while no model, large or small, is told who it is: the tool gets the number, the log and the answer have it, and
// what was asked of models has not. In both strategies.
func TestMasked(t *testing.T) {
	const phone, mark = "13812345678", "<mobile-1>"
	for _, strategy := range strategies {
		t.Run(string(strategy), func(t *testing.T) {
			t.Parallel()
			rules, err := mask.New(mask.Options{Kinds: mask.Kinds, Names: []string{"Wang Pingping"}})
			if err != nil {
				t.Fatal(err)
			}
			m := scripted.New(t,
				wants(strategy, tool("look", `{"key":"`+mark+`"}`)),
				says(strategy, "The value of "+mark+" is v-"+mark+", says <name-1>."))
			namer := scripted.New(t, scripted.React(func(scripted.Request) scripted.Step { return scripted.Text(`{"look":"Clerk of ` + mark + `"}`) }))
			h := open(t, setup{model: m, strategy: strategy, agents: soloist, mask: rules, namer: namer})
			w := h.submit(bus.Submission{Query: "What does Wang Pingping of " + phone + " have?"})
			r := h.response(w)
			if want := "The value of " + phone + " is v-" + phone + ", says Wang Pingping."; r.Status != bus.OK || round.Text(r.Observation) != want {
				t.Fatal(brief(r))
			}
			if done := h.ledger.all(); len(done) != 1 || done[0] != "look "+phone {
				t.Errorf("the tool heard %v", done)
			}
			for _, s := range []*scripted.Server{m, namer} {
				for _, q := range s.Requests() {
					if body := string(q.Body); strings.Contains(body, phone) || strings.Contains(body, "Wang") || !strings.Contains(body, mark) {
						t.Errorf("a model is asked: %s", body)
					}
				}
			}
			for _, rec := range h.records(w) {
				if rec.Kind == bus.KindRound && strings.Contains(string(mustJSON(rec)), "mobile-1") && len(rec.Employees) == 0 {
					t.Errorf("the log has a placeholder: %s", mustJSON(rec))
				}
			}
		})
	}
}
