package plan

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// now is a Saturday, so that weeks, months and quarters have ends on both sides.
var now = time.Date(2026, 5, 16, 10, 30, 0, 0, time.FixedZone("CST", 8*3600))

func cards(t testing.TB, file string) []bus.Card {
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

func index(t testing.TB, file string) *Index {
	t.Helper()
	x := NewIndex(cards(t, file), Options{})
	if len(x.Rejects) > 0 {
		t.Fatalf("rejected: %v", x.Rejects)
	}
	return x
}

func ask(request string) Input { return Input{Request: request, Now: now} }
