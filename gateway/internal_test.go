package gateway

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

func TestQueueKeepsRoomForRecords(t *testing.T) {
	q := newQueue(4, 100)
	frame := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	if !q.put(frame(500)) {
		t.Fatal("an empty queue takes a frame of any size")
	}
	if q.put(frame(1)) || q.offer(frame(1)) {
		t.Fatal("more bytes than the queue may hold")
	}
	if got := q.take(); len(got) != 1 || len(q.take()) != 0 {
		t.Fatal("take empties the queue")
	}
	for i, want := range []bool{true, true, false} { // live text: half of the four frames
		if q.offer(frame(1)) != want {
			t.Errorf("offer %d: not %v", i, want)
		}
	}
	for i, want := range []bool{true, true, false} { // records: the rest
		if q.put(frame(1)) != want {
			t.Errorf("put %d: not %v", i, want)
		}
	}
}

func TestQueueLetsHistoryWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(2, 100)
		done := make(chan struct{})
		entered := make(chan bool, 1)
		q.put([]byte("a"))
		go func() { entered <- q.wait([]byte("b"), done) }()
		synctest.Wait()
		if len(entered) != 0 {
			t.Fatal("history went in above half")
		}
		q.take()
		if !<-entered {
			t.Fatal("history did not go in after the queue was emptied")
		}
		go func() { entered <- q.wait([]byte("c"), done) }()
		synctest.Wait()
		close(done)
		if <-entered {
			t.Fatal("history went in after its reader had gone")
		}
	})
}

// Who joins with less than the topic remembers has to read on first, and gets the rest from what it remembers then.
func TestJoinerTooFarBehindReadsOn(t *testing.T) {
	h := newHub(t.Context(), nil, nil)
	topic := h.hold("s1")
	defer h.release(topic)
	topic.started = true
	const last = recentFrames + 50
	for seq := uint64(1); seq <= last; seq++ {
		topic.deliver(&bus.Record{Kind: bus.KindRound, Session: "s1", Seq: seq})
	}
	f := &follower{out: newQueue(1000, 1<<20), pos: 49}
	if joined, err := h.join(topic, f); joined || err != nil {
		t.Fatalf("record 50 is forgotten: %v %v", joined, err)
	}
	f.pos = 50
	if joined, err := h.join(topic, f); !joined || err != nil || f.pos != last {
		t.Fatalf("joined %v at %d: %v", joined, f.pos, err)
	}
	got := f.out.take()
	if len(got) != recentFrames+1 || !bytes.Contains(got[0], []byte(`"seq":51`)) || !bytes.Contains(got[recentFrames], []byte("caught_up")) {
		t.Fatalf("%d frames, the first %s", len(got), got[0])
	}
	f.lost = func(uint64, string) {}
	topic.breakUp()
	if _, err := h.join(topic, &follower{}); err == nil {
		t.Fatal("joined a broken topic")
	}
}

// Whatever comes in, the answer is a frame that may go to the bus, or an error that may be shown.
func FuzzParseFrame(f *testing.F) {
	for _, s := range []string{
		`{"type":"task","id":"0b9e3a6c-6d0e-4a53","query":"运费谁承担","mode":"auto","files":[{"ref":"obj:x"}],"budget":{"tokens":1}}`,
		`{"type":"follow","session":"s1","after":18446744073709551615}`,
		`{"type":"input","session":"s","task":"t","kind":"answer","ask":"t-1-0","text":"x"}`,
		`{"type":"cancel","session":"s","task":"t"}`,
		`{"type":"task","query":"\ud800","session":"*","task":">","reply_to":"$JS.API.>"}`,
		`{"type":"task","id":"` + strings.Repeat("x", 99) + `"}`, `[]`, `null`, ``, "\xff",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := parseFrame(data)
		if got.ID != "" && !bus.ValidToken(got.ID) {
			t.Fatalf("id %q", got.ID)
		}
		if err != nil {
			if err.Code == "" || err.Message == "" || len(err.Message) > 1000 || !utf8.ValidString(err.Message) {
				t.Fatalf("error %+v", err)
			}
			return
		}
		if sub := got.submission; got.Type == "task" {
			if strings.TrimSpace(sub.Query) == "" || len(sub.Query) > maxQuery || sub.ReplyTo != "" || sub.Session != "" && !bus.ValidToken(sub.Session) ||
				sub.Task != "" && !bus.ValidToken(sub.Task) {
				t.Fatalf("submission %+v", sub)
			}
			return
		}
		if !bus.ValidToken(got.Session) || len(got.Text) > maxQuery || got.Type != "follow" && got.Type != "unfollow" && !bus.ValidToken(got.Task) {
			t.Fatalf("frame %+v", got)
		}
	})
}
