package bus

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPenalties(t *testing.T) {
	b := newBus(t)
	soon := time.Now().Add(time.Hour)
	var all sync.WaitGroup
	for _, server := range []string{"a", "b", "c"} { // at the same time: none is lost
		all.Go(func() {
			if err := b.Penalize(t.Context(), "s1", server, Penalty{soon, "it hung"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for server, until := range map[string]time.Time{"a": soon.Add(-time.Minute), "past": time.Now().Add(-time.Second)} {
		if err := b.Penalize(t.Context(), "s1", server, Penalty{until, "again"}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := b.Penalties(t.Context(), "s1")
	if err != nil || len(got) != 3 || got["a"].Why != "it hung" || !got["b"].Until.Equal(soon) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := b.Penalties(t.Context(), "s2"); err != nil || got != nil {
		t.Errorf("another session: %v, %v", got, err)
	}
	every, err := b.PenaltiesOfAll(t.Context())
	if err != nil || len(every) != 1 || len(every["s1"]) != 3 {
		t.Errorf("%v, %v", every, err)
	}
	if _, err := b.Cache(t.Context(), "penalty.s1", []byte("]")); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Penalties(t.Context(), "s1"); err != nil || got != nil {
		t.Errorf("damaged: %v, %v", got, err)
	}
	if _, err := b.Cache(t.Context(), "penalty.s1", nil); err != nil { // somebody has deleted it
		t.Fatal(err)
	}
	if err := b.Penalize(within(t), "s1", "a", Penalty{soon, "it hung"}); err != nil {
		t.Errorf("in the place of deleted ones: %v", err)
	}
	if err := b.Penalize(t.Context(), "s.>", "a", Penalty{}); err == nil {
		t.Error("a session that is no token")
	}
}

// A card must not keep everybody's directory busy for minutes.
func TestDeepSchema(t *testing.T) {
	schema := func(n int) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{"x":` + strings.Repeat(`{"items":`, n) + `{}` + strings.Repeat(`}`, n) + `}}`)
	}
	if err := checkSchema(schema(1500), true); err == nil || !strings.Contains(err.Error(), "deep") {
		t.Error(err)
	}
	if err := checkSchema(schema(20), true); err != nil {
		t.Error(err)
	}
}

func TestServerOfCard(t *testing.T) {
	for want, tags := range map[string][]string{"files": {"toolbox", "mcp:files"}, "": {"mcp:a.b", "mcp", "mcp:"}} {
		if got := (Card{Tags: tags}).Server(); got != want {
			t.Errorf("%v: %q, want %q", tags, got, want)
		}
	}
}
