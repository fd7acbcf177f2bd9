package vectors

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus/bustest"
)

// counted is a store whose model gives vectors of a length and counts the texts it is asked for; said is its log.
func counted(t *testing.T, length int) (s *Store, asked *atomic.Int64, said *bytes.Buffer) {
	asked, said = new(atomic.Int64), new(bytes.Buffer)
	v := make([]float32, length)
	v[0] = 1
	s = Start(t.Context(), bustest.New(t), Options{Space: "m", Log: slog.New(slog.NewTextHandler(said, nil)), Ask: func(_ context.Context, texts []string) ([][]float32, error) {
		asked.Add(int64(len(texts)))
		out := make([][]float32, len(texts))
		for i := range out {
			out[i] = v
		}
		return out, nil
	}})
	t.Cleanup(s.Stop)
	return s, asked, said
}

// settled asks for a deck's cards whenever the store changes, until they are there or nothing is wanted any more.
func settled(t *testing.T, s *Store, whose string, texts []string) [][]float32 {
	t.Helper()
	for range 10 {
		changed := s.Changed()
		out := s.Deck(whose).Cards(texts)
		s.mu.Lock()
		rests := len(s.wanted) == 0
		s.mu.Unlock()
		if out != nil || rests {
			return out
		}
		select {
		case <-changed:
		case <-time.After(time.Minute):
			t.Fatal("the store never settles")
		}
	}
	t.Fatal("the store goes round and round")
	return nil
}

// More cards than there is room for do without vectors; it is said once, nothing is paid for, and those who have theirs keep them.
func TestMoreCardsThanRoom(t *testing.T) {
	s, asked, said := counted(t, 2)
	few, many := texts(500), texts(maxCards+1)
	if settled(t, s, "a", few) == nil {
		t.Fatal("a few cards have no vectors")
	}
	for range 3 {
		if settled(t, s, "b", many) != nil {
			t.Fatal("there is room for all")
		}
	}
	if n := asked.Load(); n != 500 || s.Deck("a").Cards(few) == nil {
		t.Errorf("%d texts were asked for", n)
	}
	s.Stop()
	if n := strings.Count(said.String(), "more cards than"); n != 1 {
		t.Errorf("said %d times: %s", n, said)
	}
}

// Long vectors find room for fewer, which shows when the first come: then no more are asked for than the cache holds.
func TestLongVectors(t *testing.T) {
	s, asked, _ := counted(t, maxLength)
	all := texts(1200) // 64 KiB each: the cache has room for less than 900
	if settled(t, s, "a", all) != nil {
		t.Fatal("there is room for all")
	}
	if n := asked.Load(); n > batch {
		t.Errorf("%d were asked for", n)
	}
	if settled(t, s, "b", all[:200]) == nil {
		t.Error("there is no room for a few")
	}
}

// Cards that came and went make room for others.
func TestCardsThatWentMakeRoom(t *testing.T) {
	s, _, said := counted(t, 2)
	for version, n := range []int{maxCards, maxCards / 16} {
		cards := make([]string, n)
		for i := range cards {
			cards[i] = fmt.Sprintf("version %d of %d", version, i)
		}
		if settled(t, s, "a", cards) == nil {
			t.Errorf("the cards of version %d have no vectors", version)
		}
	}
	s.Stop()
	if strings.Contains(said.String(), "more cards than") {
		t.Error(said)
	}
}
