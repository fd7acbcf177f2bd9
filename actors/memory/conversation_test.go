package memory

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/actors/round"
	"github.com/hmap-project/hmap/bus"
)

func request(task, text string, seq uint64) bus.Record {
	return bus.Record{Kind: bus.KindRequest, Task: task, Call: task, Seq: seq, Time: at(seq), Request: &bus.Request{JobDesc: text}}
}

func response(task, text string, seq uint64) bus.Record {
	return bus.Record{Kind: bus.KindResponse, Task: task, Call: task, Seq: seq, Time: at(seq), Status: bus.OK, Observation: []byte(`"` + text + `"`)}
}

func at(seq uint64) time.Time { return time.Unix(int64(seq), 0).UTC() }

func fold(records ...bus.Record) *Conversation {
	c := &Conversation{}
	for _, r := range records {
		c.Fold(r)
	}
	return c
}

func TestFold(t *testing.T) {
	c := fold(
		request("t1", "one", 1),
		bus.Record{Kind: bus.KindRequest, Task: "t1", Call: "t1-1-0", Seq: 2, Request: &bus.Request{JobDesc: "of a clerk"}},
		bus.Record{Kind: bus.KindResponse, Task: "t1", Call: "t1-1-0", Seq: 3, Status: bus.OK, Observation: []byte(`"clerk's"`)},
		response("t1", "first", 4),
		request("t2", "two", 5),
		bus.Record{Kind: bus.KindAsk, Task: "t2", Call: "t2", Seq: 6, Ask: &bus.Ask{ID: "t2-1-0", Question: "which?"}},
	)
	if len(c.Turns) != 2 || c.Turns[0].Request != "one" || c.Turns[0].Answer != "first" || c.Turns[1].Ask == nil || c.Turns[1].Ended() {
		t.Fatalf("%+v", c.Turns)
	}
	if c.Title != "one" || c.Tasks != 2 || c.Seq != 6 || !c.First.Equal(at(1)) || !c.Last.Equal(at(5)) {
		t.Errorf("%+v", c.Session)
	}
	answer := bus.Record{Kind: bus.KindInput, Task: "t2", Call: "t2", Seq: 7, Input: &bus.Input{Kind: bus.Answer, Ask: "t2-1-0", Text: "this one"}}
	for range 2 { // a record that is in it already changes nothing
		c.Fold(answer)
		c.Fold(response("t2", "second", 8))
	}
	if last := c.Turns[1]; last.Ask != nil || last.Answer != "second" || last.Request != "two\nthis one" || !last.Ended() {
		t.Errorf("%+v", last)
	}
	if c.Fold(request("t1", "one", 1)); c.Seq != 8 || c.Tasks != 2 {
		t.Errorf("an old record moved it: %+v", c.Snapshot)
	}
	if before := c.Before("t2"); len(before) != 1 || before[0].Task != "t1" {
		t.Errorf("%+v", before)
	}
	if before := c.Before("t9"); len(before) != 2 {
		t.Errorf("of a task that is not in it yet: %+v", before)
	}
}

// A conversation that read the log up to a task's beginning and was given its end folds the rest of the log to the same.
func TestEndIsWhatTheLogSays(t *testing.T) {
	begun := []bus.Record{request("t1", "one", 1), response("t1", "first", 2), request("t2", "two", 3)}
	answered := bus.Record{Kind: bus.KindInput, Task: "t2", Call: "t2", Seq: 4, Time: at(4), Input: &bus.Input{Kind: bus.Answer, Text: "more"}}
	rest := []bus.Record{answered, response("t2", "second", 5), request("t3", "three", 6)}
	want := fold(append(begun, rest...)...)
	got := fold(begun...)
	for range 2 {
		got.End(Turn{Task: "t2", Request: "two\nmore", Answer: "second", Status: bus.OK, At: at(3), Seq: 5, ended: at(5)})
	}
	if got.Last != at(5) || got.Seq != 3 || got.Tasks != 2 {
		t.Errorf("%+v", got.Snapshot)
	}
	for _, r := range rest {
		got.Fold(r)
	}
	got.Turns[1].ended = time.Time{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestBound(t *testing.T) {
	c := &Conversation{}
	for i := range uint64(200) {
		task := fmt.Sprintf("t%d", i)
		c.Fold(request(task, "q", 2*i+1))
		if i != 3 { // it waits
			c.Fold(response(task, strings.Repeat("长", 10_000), 2*i+2))
		}
	}
	c.bound(100)
	if n := len(c.Turns); n < 16 || n > maxTurns+1 || c.Tasks != 200 {
		t.Errorf("%d turns of %d", n, c.Tasks)
	}
	if first := c.Turns[0]; first.Task != "t3" || first.Ended() {
		t.Errorf("a turn that has not ended was lost: %+v", first)
	}
	if last := c.Turns[len(c.Turns)-1]; last.Task != "t199" || len([]rune(last.Answer)) != newestText {
		t.Errorf("of the last turn %s %d characters", last.Task, len([]rune(last.Answer)))
	}
	c.Fold(request("t200", "the second one?", 500))
	if c.bound(100); len([]rune(c.Turns[len(c.Turns)-2].Answer)) != newestText {
		t.Error("a turn that begins takes the words of the one that it goes on with")
	}
	c.Turns = c.Turns[:len(c.Turns)-1]
	body, err := json.Marshal(c.Turns)
	if err != nil || len(body) > leastBytes*3 {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	short := len(c.Turns)
	c.bound(8000)
	if len(c.Turns) != short {
		t.Error("bounding twice changes something")
	}
}

func TestRestore(t *testing.T) {
	for memory, want := range map[string]uint64{"": 0, "nonsense": 0, `{"a":1}`: 0, `[]`: 7, `null`: 7, `[{"task":"t1"}]`: 7} {
		c := restore(bus.Snapshot{Session: bus.Session{ID: "s", Tasks: 4}, Seq: 7, Revision: 3, Memory: []byte(memory)})
		if c.Seq != want || c.Revision != 3 || c.ID != "s" || (c.Tasks == 4) != (want == 7) || c.Memory != nil {
			t.Errorf("%q: %+v", memory, c)
		}
	}
	if c := restore(bus.Snapshot{Seq: 7, Revision: 3}); c.Seq != 7 {
		t.Errorf("what is being removed is read again: %+v", c)
	}
}

func FuzzRestore(f *testing.F) {
	f.Add([]byte(`[{"task":"t1","request":"q","answer":"a","status":"ok","files":[{"ref":"obj:1"}],"seq":4}]`))
	f.Add([]byte(`[{}]`))
	f.Fuzz(func(_ *testing.T, memory []byte) {
		c := restore(bus.Snapshot{Revision: 1, Seq: 1, Memory: memory})
		c.bound(100)
		c.End(Turn{Task: "t1", Status: bus.OK, Seq: 9})
		c.Before("t1")
	})
}

// A word to an ask for leave is no part of what was wished, and that it was a no is kept, also when it is put in as a whole.
func TestLeaveIsNoPartOfTheRequest(t *testing.T) {
	for said, refused := range map[string]bool{"同意吧": false, "不要取消": true, "它的物流呢": false} {
		leave := bus.Ask{ID: "t1-1-0", Kind: bus.Approval, Question: "may I?"}
		in := bus.Input{Kind: bus.Answer, Ask: leave.ID, Text: said}
		c := Conversation{}
		c.Fold(bus.Record{Kind: bus.KindRequest, Task: "t1", Call: "t1", Seq: 1, Request: &bus.Request{JobDesc: "cancel it"}})
		c.Fold(bus.Record{Kind: bus.KindAsk, Task: "t1", Call: "t1", Seq: 2, Ask: &leave})
		c.Fold(bus.Record{Kind: bus.KindInput, Task: "t1", Call: "t1", Seq: 3, Input: &in})
		whole := TurnOf(&round.State{Task: "t1", Request: bus.Request{JobDesc: "cancel it"}, Answers: []round.Answered{{Ask: leave, Input: in}}, Response: &bus.Record{}})
		for _, turn := range []Turn{c.Turns[0], whole} {
			if turn.Request != "cancel it" || turn.Refused != refused {
				t.Errorf("%s: %+v", said, turn)
			}
		}
	}
}
