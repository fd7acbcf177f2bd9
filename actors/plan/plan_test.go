package plan

import (
	"encoding/json"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// now is a Saturday, so that weeks, months and quarters have ends on both sides.
var now = time.Date(2026, 5, 16, 10, 30, 0, 0, time.FixedZone("CST", 8*3600))

func cardsOf(t testing.TB, file string) []bus.Card {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []bus.Card
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// index is made once for each file: it never changes.
func index(t testing.TB, file string) *Index {
	t.Helper()
	if x, made := indexes.Load(file); made {
		return x.(*Index)
	}
	x := NewIndex(cardsOf(t, file), Options{})
	if len(x.Rejects) > 0 {
		t.Fatalf("rejected: %v", x.Rejects)
	}
	indexes.Store(file, x)
	return x
}

var indexes sync.Map // of *Index, by file

// lookedUp is the outcome after a look at what shall be changed found it.
func lookedUp(x *Index, in Input) Outcome {
	_, out := past(x, in)
	return out
}

// past thinks, and once more when the first round only looks at what shall be changed.
func past(x *Index, in Input) (Input, Outcome) {
	out := x.Think(in)
	if len(out.Actions) != 1 || len(out.Explain.Clauses) == 0 {
		return in, out
	}
	chosen, look := x.byName[out.Explain.Clauses[0].Chosen], x.byName[out.Actions[0].ToolName]
	if chosen == nil || chosen.Reads() || !look.Reads() || len(look.Required()) != 1 {
		return in, out
	}
	in = did(in, out, string(out.Actions[0].Parameter)) // it has the id that was asked for
	return in, x.Think(in)
}

func ask(request string) Input { return Input{Request: request, Now: now} }
