package gateway

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/hmap-project/hmap/bus"
)

func TestQueueKeepsRoomForRecords(t *testing.T) {
	started := 0
	q := newQueue(4, 100, func() { started++ })
	frame := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	if !q.put(frame(500)) {
		t.Fatal("an empty queue takes a frame of any size")
	}
	if q.put(frame(1)) || q.offer(frame(1)) {
		t.Fatal("more bytes than the queue may hold")
	}
	if got, _ := q.take(nil); len(got) != 1 {
		t.Fatal("take empties the queue")
	}
	for i, want := range []bool{true, true, false} { // live text: half of the four frames
		if q.offer(frame(1)) != want {
			t.Errorf("offer %d: not %v", i, want)
		}
	}
	if q.put(frame(1), frame(1), frame(1)) {
		t.Error("three frames found room for two")
	}
	for i, want := range []bool{true, true, false} { // records: the rest
		if q.put(frame(1)) != want {
			t.Errorf("put %d: not %v", i, want)
		}
	}
	if started != 1 {
		t.Errorf("%d writers", started)
	}
	q.shutWith(frame(1))
	q.shutWith(frame(1))
	if q.put(frame(1)) || q.offer(frame(1)) || q.wait(frame(1), nil) {
		t.Error("a frame went in behind the last one")
	}
	if got, last := q.take(nil); len(got) != 5 || last {
		t.Errorf("%d frames at the end", len(got))
	}
	if got, last := q.take(nil); len(got) != 0 || !last {
		t.Error("the end was not told")
	}
}

// One writer at a time, and always one when there is something to write.
func TestQueueStartsAWriterWhenThereIsNone(t *testing.T) {
	started := 0
	q := newQueue(100, 100, func() { started++ })
	for n := 1; n <= 3; n++ {
		q.put([]byte("a"))
		q.put([]byte("b"))
		if started != n {
			t.Fatalf("%d writers, not %d", started, n)
		}
		got, _ := q.take(nil)
		q.put([]byte("c"))
		got, _ = q.take(got)
		if string(bytes.Join(got, nil)) != "c" || started != n {
			t.Fatalf("%q, %d writers", got, started)
		}
		if got, last := q.take(got); got != nil || last {
			t.Fatalf("%q %v", got, last)
		}
	}
}

func TestQueueLetsHistoryWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(2, 100, func() {})
		done := make(chan struct{})
		entered := make(chan bool, 1)
		q.put([]byte("a"))
		go func() { entered <- q.wait([]byte("b"), done) }()
		synctest.Wait()
		if len(entered) != 0 {
			t.Fatal("history went in above half")
		}
		q.take(nil)
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

func newFollowerAt(pos uint64, frames int) *follower {
	return &follower{out: newQueue(frames, 1<<20, func() {}), pos: pos, known: true}
}

// Who joins with less than the topic remembers has to read the log, and gets the rest from what it remembers then.
func TestJoinerTooFarBehindReadsOn(t *testing.T) {
	topic := &topic{session: "s1", members: map[*follower]struct{}{}}
	f := newFollowerAt(49, 1000)
	if joined, lacks, err := topic.meet(f); joined || lacks != nil || err != nil {
		t.Fatalf("nothing was read yet: %v %d %v", joined, len(lacks), err)
	}
	topic.start(0, nil)
	const last = recentFrames + 50
	for seq := uint64(1); seq <= last; seq++ {
		topic.deliver(&bus.Record{Kind: bus.KindRound, Session: "s1", Seq: seq})
	}
	if joined, lacks, err := topic.meet(f); joined || lacks != nil || err != nil {
		t.Fatalf("record 50 is forgotten: %v %d %v", joined, len(lacks), err)
	}
	f.pos = 50
	joined, lacks, err := topic.meet(f)
	if joined || err != nil || len(lacks) != recentFrames || lacks[0].seq != 51 || !bytes.Contains(lacks[0].frame, []byte(`"seq":51`)) {
		t.Fatalf("%v, %d records: %v", joined, len(lacks), err)
	}
	f.pos = last
	if joined, lacks, err = topic.meet(f); !joined || lacks != nil || err != nil {
		t.Fatalf("%v, %d records: %v", joined, len(lacks), err)
	}
	if got, _ := f.out.take(nil); len(got) != 1 || !bytes.Contains(got[0], []byte("caught_up")) {
		t.Fatalf("%q", got)
	}
	f.lost = func(uint64, string) {}
	topic.breakUp(errBroken)
	if _, _, err := topic.meet(newFollowerAt(last, 1000)); err == nil {
		t.Fatal("joined a broken topic")
	}
}

// A position that nobody has seen in this log is looked up there, and not believed.
func TestJoinerOfAnotherLogIsNotBelieved(t *testing.T) {
	topic := &topic{session: "s1", members: map[*follower]struct{}{}}
	topic.start(0, nil)
	for _, seq := range []uint64{3, 5, 9} {
		topic.deliver(&bus.Record{Session: "s1", Seq: seq})
	}
	for pos, want := range map[uint64]int{0: 3, 3: 2, 5: 1, 4: 0, 10: 0} {
		f := newFollowerAt(pos, 10)
		f.known = false
		if joined, lacks, _ := topic.meet(f); joined || len(lacks) != want {
			t.Errorf("after %d: joined %v, %d records, not %d", pos, joined, len(lacks), want)
		}
	}
}

// With many members, what comes during a rest goes with the next beat: records in order, live text that goes on as one frame.
func TestManyMembersAreServedInBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		topic := &topic{session: "s1", members: map[*follower]struct{}{}}
		topic.start(0, nil)
		all := make([]*follower, leastRest/restPerMember+1)
		for i := range all {
			all[i] = newFollowerAt(0, 100)
			topic.meet(all[i])
			all[i].out.take(nil)
		}
		say := func(offset int, text string) {
			topic.speak(bus.Live{Task: "t", Call: "c", Channel: "answer", Offset: offset, Text: text})
		}
		topic.deliver(&bus.Record{Session: "s1", Seq: 1})
		say(0, "一共")
		say(2, "买了")
		say(9, "x")
		topic.deliver(&bus.Record{Session: "s1", Seq: 2})
		topic.deliver(&bus.Record{Session: "s1", Seq: 3})
		for i, f := range all {
			if got, _ := f.out.take(nil); len(got) != 1 || !bytes.Contains(got[0], []byte(`"seq":1`)) {
				t.Fatalf("member %d got %q at once", i, got)
			}
		}
		time.Sleep(mostRest)
		synctest.Wait()
		for i, f := range all {
			got, _ := f.out.take(nil)
			if len(got) != 4 || !bytes.Contains(got[0], []byte(`"一共买了"`)) || !bytes.Contains(got[1], []byte(`"offset":9`)) ||
				!bytes.Contains(got[2], []byte(`"seq":2`)) || !bytes.Contains(got[3], []byte(`"seq":3`)) || f.pos != 3 {
				t.Fatalf("member %d got %q with the beat", i, got)
			}
		}
	})
}

// A batch that does not fit goes in as far as it does, and the place to resume is exact.
func TestMemberThatFallsBehindIsLostAtItsPlace(t *testing.T) {
	topic := &topic{session: "s1", members: map[*follower]struct{}{}}
	topic.start(0, nil)
	f := newFollowerAt(0, 3)
	var at uint64
	f.lost = func(pos uint64, _ string) { at = pos }
	topic.meet(f) // caught_up is the first frame
	var records []piece
	for seq := uint64(1); seq <= 4; seq++ {
		records = append(records, piece{sent: sent{seq, []byte{byte(seq)}}})
	}
	topic.give(records)
	if got, _ := f.out.take(nil); len(got) != 3 || at != 2 || len(topic.members) != 0 {
		t.Fatalf("%d frames, lost at %d, %d members", len(got), at, len(topic.members))
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
