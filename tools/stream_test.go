package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// heard is a listener with the time at which it heard each segment.
type heard struct {
	begun time.Time
	said  []string
}

func (h *heard) tell(segment string) {
	h.said = append(h.said, fmt.Sprintf("%v %s", time.Since(h.begun), segment))
}

func TestStreamSegments(t *testing.T) {
	// write writes the pieces, one each 100 ms.
	write := func(s *Stream, pieces string) {
		for piece := range strings.SplitSeq(pieces, " ") {
			s.Write(piece)
			time.Sleep(100 * time.Millisecond) // of the bubble's clock
		}
	}
	for name, c := range map[string]struct {
		mode bus.StreamMode
		want []string
	}{
		"nothing said":    {bus.StreamMode{}, []string{"900ms abcdefghi"}},
		"general":         {bus.StreamMode{Mode: "general"}, []string{"900ms abcdefghi"}},
		"tokens":          {bus.StreamMode{Mode: "token", Token: 4}, []string{"300ms abcd", "700ms efgh", "900ms i"}},
		"first, then":     {bus.StreamMode{Mode: "token", First: 2, Token: 5}, []string{"100ms ab", "600ms cdefg", "900ms hi"}},
		"time":            {bus.StreamMode{Mode: "time", Time: 0.26}, []string{"260ms abc", "520ms def", "780ms gh", "900ms i"}},
		"first, and time": {bus.StreamMode{Mode: "time", First: 1, Time: 0.42}, []string{"0s a", "420ms bcde", "840ms fghi"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &heard{begun: time.Now()}
				s := newStream(c.mode, h.tell)
				write(s, "a b c d e f g h i")
				synctest.Wait()
				s.Close()
				s.Write("too late")
				s.Close()
				if !slices.Equal(h.said, c.want) {
					t.Errorf("heard %q\nwant  %q", h.said, c.want)
				}
			})
		})
	}
}

// Who writes nothing for long leaves nothing behind that waits: what is held is told when its time has come.
func TestStreamSilentWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{begun: time.Now()}
		s := newStream(bus.StreamMode{Mode: "time", Time: 1}, h.tell)
		s.Write("half a ")
		s.Write("sentence")
		time.Sleep(time.Hour)
		synctest.Wait()
		if want := []string{"1s half a sentence"}; !slices.Equal(h.said, want) {
			t.Fatalf("heard %q, want %q", h.said, want)
		}
		s.Close()
	})
}

// Segments of one token from a fast writer are put together, and nothing of it is lost.
func TestStreamPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all strings.Builder
		var last time.Time
		n := 0
		s := newStream(bus.StreamMode{Mode: "token", Token: 1}, func(segment string) {
			if n++; n > 1 && time.Since(last) < streamPause {
				t.Errorf("segment %d comes %v after the one before it", n, time.Since(last))
			}
			last = time.Now()
			all.WriteString(segment)
		})
		for range 1000 {
			s.Write("字")
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n < 15 || n > 21 || all.String() != strings.Repeat("字", 1000) {
			t.Errorf("%d segments with %d bytes", n, all.Len())
		}
		s.Close()
	})
}

// A text without end does not pile up, even when it is to come in one piece.
func TestStreamBound(t *testing.T) {
	told := 0
	s := newStream(bus.StreamMode{}, func(segment string) { told += len(segment) })
	for range 100 {
		s.Write(strings.Repeat("x", 4<<10))
	}
	if told < 100*4<<10-maxHeld {
		t.Errorf("%d bytes were told", told)
	}
}

func TestStreamFromManyGoroutines(t *testing.T) {
	told := 0
	s := newStream(bus.StreamMode{Mode: "token", Token: 3}, func(segment string) { told += len(segment) })
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				s.Write("ab")
			}
		})
	}
	all.Wait()
	s.Close()
	if told != 1600 {
		t.Errorf("%d bytes told of 1600", told)
	}
	(&Call{}).Stream().Write("nobody listens") // outside of a host
}

// What a tool writes comes to who waits in the segments that the request wants, else in those that the host is configured for.
func TestStreamOnTheBus(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Options{Streams: map[string]bus.StreamMode{"": {Mode: "token", Token: 100}, "poet": {Mode: "token", Token: 2}}})
	heard := make(chan string, 100)
	verse := func(ctx context.Context, call *Call) (any, error) {
		for _, piece := range []string{"床前", "明月光", "，疑是", "地上霜"} {
			call.Stream().Write(piece)
			if call.Request.ToolName == "poet" && call.Request.StreamMode == nil { // the others hear nothing before the end
				if got := await(t, "a segment", heard); got != piece {
					t.Errorf("heard %q, want %q", got, piece)
				}
			}
		}
		return "床前明月光，疑是地上霜", nil
	}
	w.add(bus.Card{Name: "poet"}, verse)
	w.add(bus.Card{Name: "clerk"}, verse)
	for name, want := range map[string][]string{"poet": {"床前", "明月光", "，疑是", "地上霜"}, "clerk": {"床前明月光，疑是地上霜"}, "poet general": {"床前明月光，疑是地上霜"}} {
		tool, mode, _ := strings.Cut(name, " ")
		r := bus.Request{Session: "s1", Task: "t1", Call: "c-" + tool + mode, ToolName: tool}
		if mode != "" {
			r.StreamMode = &bus.StreamMode{Mode: mode}
		}
		var said []string
		answer, err := w.bus.Call(t.Context(), r, func(p bus.Response) {
			if p.Text != "" {
				if said = append(said, p.Text); name == "poet" {
					heard <- p.Text
				}
			}
		})
		if err != nil || answer.Status != bus.OK || !slices.Equal(said, want) {
			t.Errorf("%s: heard %q, want %q (%v %v)", name, said, want, answer, err)
		}
	}
}
