package round

import (
	"encoding/json"
	"reflect"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hmap-project/hmap/bus"
)

// fataler is what *testing.T, *testing.B and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

var start = time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)

// world is a log, the state that followed it live, and what a decision depends on besides.
type world struct {
	state State
	log   []bus.Record // as stored, in the order in which they were folded
	cards map[string]bus.Card
	now   time.Time
	lang  string
	seq   uint64
}

func newWorld() *world {
	return &world{cards: map[string]bus.Card{}, now: start, lang: "en"}
}

func (w *world) terms() Terms {
	return Terms{
		Now:      w.now,
		Language: w.lang,
		AskTTL:   time.Hour,
		Card: func(name string) *bus.Card {
			if c, ok := w.cards[name]; ok {
				return &c
			}
			return nil
		},
		Names: func() []string {
			var names []string
			for n := range w.cards {
				names = append(names, n)
			}
			slices.Sort(names)
			return names
		},
		Check: func(c *bus.Card, parameter json.RawMessage) *bus.Error {
			var schema struct {
				Required []string `json:"required"`
			}
			var args map[string]json.RawMessage
			_ = json.Unmarshal(c.Parameters, &schema)
			_ = json.Unmarshal(parameter, &args)
			for _, name := range schema.Required {
				if args[name] == nil {
					return &bus.Error{Code: bus.CodeInvalidParameter, Message: c.Name + " needs " + name}
				}
			}
			return nil
		},
	}
}

// fold gives a record its place in the log and folds it. seq 0: the next place.
func (w *world) fold(t fataler, r bus.Record, seq uint64) {
	t.Helper()
	if seq == 0 {
		w.seq++
		seq = w.seq
	}
	r.Seq = seq
	if r.Time.IsZero() {
		r.Time = w.now
	}
	if r.Node == "" && r.Kind != bus.KindInput {
		r.Node = "n1"
	}
	w.log = append(w.log, stored(t, r))
	w.state.Fold(&r)
}

// stored is a record as it comes back from the log.
func stored(t fataler, r bus.Record) bus.Record {
	t.Helper()
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatalf("record does not encode: %v", err)
	}
	var back bus.Record
	if err := json.Unmarshal(body, &back); err != nil {
		t.Fatalf("record does not decode: %v", err)
	}
	back.Seq = r.Seq
	return back
}

// replay folds the log in its own order, every record times times.
func replay(log []bus.Record, times int) *State {
	ordered := slices.SortedStableFunc(slices.Values(log), func(a, b bus.Record) int { return int(a.Seq) - int(b.Seq) })
	s := &State{}
	for _, r := range ordered {
		for range times {
			s.Fold(&r)
		}
	}
	return s
}

// check holds the live state against everything that must be true of every state.
func (w *world) check(t fataler) Due {
	t.Helper()
	due := w.state.Due(w.terms())
	if again := w.state.Due(w.terms()); !same(t, due, again) {
		t.Fatalf("two looks at one state differ:\n%s", cmp.Diff(shown(t, due), shown(t, again)))
	}
	for times := 1; times <= 2; times++ {
		s := replay(w.log, times)
		if d := s.Due(w.terms()); !same(t, due, d) {
			t.Fatalf("a replay (each record %d times) decides otherwise (-live +replay):\n%s", times, cmp.Diff(shown(t, due), shown(t, d)))
		}
		if live, back := shown(t, w.state.OpenAsks()), shown(t, s.OpenAsks()); live != back || w.state.Used() != s.Used() || w.state.Known() != s.Known() {
			t.Fatalf("a replay (each record %d times) comes to another state", times)
		}
		if untouched := replay(w.log, times); !reflect.DeepEqual(s, untouched) {
			t.Fatalf("Due changed the state")
		}
	}
	responses := 0
	for _, r := range w.log {
		if r.Kind == bus.KindResponse {
			responses++
		}
	}
	nothing := due.Write == nil && due.Think == nil && len(due.Calls) == 0 && len(due.Waiting) == 0
	switch {
	case responses > 1:
		t.Fatalf("%d responses", responses)
	case w.state.Ended() && !nothing:
		t.Fatalf("something is due after the response: %s", shown(t, due))
	case !w.state.Ended() && w.state.Call != "" && nothing:
		t.Fatalf("dead: it has not ended, and nothing is due")
	case due.Write != nil && due.Write.Kind == bus.KindResponse && (due.Think != nil || len(due.Calls) > 0):
		t.Fatalf("a thought or call is due beside the response")
	}
	keys := map[string]bool{}
	for _, c := range due.Calls {
		if keys[c.Key] {
			t.Fatalf("two calls have the key %s", c.Key)
		}
		keys[c.Key] = true
		if a := w.state.Find(c.Request.Call); a.effect == bus.Unsafe && (a.intentSeq < w.state.claimed || a.doubted == a.intentSeq) {
			t.Fatalf("%s may have had its unsafe effect, and is called again", c.Request.Call)
		}
	}
	w.checkPlan(t)
	return due
}

// concluded is the response with the round r in it, if that is all that r comes to. It holds it against what r and the response would come to
// as two records.
func (w *world) concluded(t fataler, r bus.Record) *bus.Record {
	t.Helper()
	end := w.state.Concluded(&r, w.terms())
	if len(r.ActionCode) > 0 {
		if end != nil {
			t.Fatalf("a round with actions is taken for the last: %s", shown(t, end))
		}
		return nil
	}
	two := &world{cards: w.cards, now: w.now, lang: w.lang, seq: w.seq, log: slices.Clone(w.log), state: *replay(w.log, 1)}
	two.fold(t, r, 0)
	due := two.state.Due(w.terms())
	ends := due.Write != nil && due.Write.Kind == bus.KindResponse && due.Write.Status == bus.OK
	if ends != (end != nil) {
		t.Fatalf("concluded: %t; as two records: %t: %s", end != nil, ends, shown(t, due))
	}
	if end == nil {
		return nil
	}
	two.fold(t, *due.Write, 0)
	one := &world{cards: w.cards, now: w.now, lang: w.lang, seq: w.seq, log: slices.Clone(w.log), state: *replay(w.log, 1)}
	one.fold(t, *end, 0)
	if one.state.Used() != two.state.Used() || !one.state.Ended() || !two.state.Ended() {
		t.Fatalf("one record comes to %+v, two to %+v", one.state.Used(), two.state.Used())
	}
	bare := *one.state.Response
	bare.Seq, bare.Round, bare.Thought, bare.Critique, bare.Model, bare.Seen, bare.Heard, bare.Millis = two.state.Response.Seq, 0, "", "", "", 0, 0, 0
	last, other := *one.state.last(), *two.state.last()
	last.Seq, last.Answer, other.Answer = other.Seq, "", ""
	last.Grant = other.Grant // of a round without agents nobody asks
	if a, b := shown(t, bare), shown(t, two.state.Response); a != b {
		t.Fatalf("the responses differ:\n%s", cmp.Diff(a, b))
	}
	if a, b := shown(t, last), shown(t, other); a != b || Text(one.state.Response.Observation) != one.state.last().Answer {
		t.Fatalf("the last rounds differ:\n%s", cmp.Diff(a, b))
	}
	return end
}

// checkPlan: a step is completed only by an ok result, and never when the newest actions for it failed.
func (w *world) checkPlan(t fataler) {
	t.Helper()
	if w.state.Plan == nil {
		return
	}
	for _, step := range w.state.Plan.Steps {
		if step.Status != bus.StepCompleted {
			continue
		}
		var ok bool
		for _, r := range w.log {
			if r.Kind != bus.KindResult {
				continue
			}
			if a := w.state.Find(r.Child); a != nil && a.Step == step.ID && a.Result.Seq == r.Seq {
				ok = ok || r.Status == bus.OK
			}
		}
		if !ok {
			t.Fatalf("step %s is completed, and no result of it is ok", step.ID)
		}
	}
}

func shown(t fataler, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatalf("does not encode: %v", err)
	}
	return string(b)
}

// same compares as JSON: the log keeps no spaces between tokens.
func same(t fataler, a, b Due) bool {
	t.Helper()
	return shown(t, a) == shown(t, b)
}
