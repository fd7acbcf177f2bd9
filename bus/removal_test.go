package bus

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A session that cannot be judged, or whose removal was cut off in the middle of anything, stops nobody.
func TestSweepPassesOverWhatItCannotJudge(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	log := must(b.js.Stream(ctx, LogStream))
	// Cut off in the middle of the purge, with a call that was given up with its task.
	last := write(t, b, Where{Session: "cut", Task: "t1", Call: "t1"}, 5, 0)
	write(t, b, Where{Session: "cut", Task: "t1", Call: "t1-1-0"}, 5, 0)
	last = must(b.Append(ctx, record("cut", "t1", "t1", KindResponse), last))
	must(0, b.swapJSON(ctx, b.removalSubject("cut"), removal{Seq: last}, 0))
	must(0, b.purge(ctx, LogStream, LogSubject("main", "cut", "*", "*"), 7))
	// Damaged, and nobody has accepted it.
	from := write(t, b, Where{Session: "damaged", Task: "t1", Call: "t1"}, 3, 0)
	must(0, log.DeleteMsg(ctx, from-1))
	keep(t, b, "damaged", time.Now().Add(-2*time.Hour))
	keep(t, b, "old", time.Now().Add(-time.Hour))
	talk(t, b, "old", "t9", "old")

	n, err := b.Sweep(ctx, Retention{Age: time.Nanosecond})
	if n != 1 || !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("it removed %d, %v", n, err)
	}
	for session, want := range map[string]int{"cut": 0, "damaged": 3, "old": 0} {
		if got := left(t, b, session); got != want {
			t.Errorf("%d messages are left of %s, want %d", got, session, want)
		}
	}
}

// A mark that nobody can read is as none.
func TestUnreadableMarkOfARemoval(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	talk(t, b, "s", "t1", "old")
	must(b.swap(ctx, b.removalSubject("s"), []byte(`{"seq":`), 0))
	must(0, b.endRemovals(ctx))
	if err := b.Remove(ctx, "s"); err != nil || left(t, b, "s") != 0 {
		t.Errorf("%v, %d left", err, left(t, b, "s"))
	}
}

// What was said to a task that waits in the queue is heeded, also when what the session was before is removed meanwhile. Once the task has begun
// or is gone, nothing is left of the mark.
func TestRemoveSparesWhatIsSaidToAQueuedTask(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	talk(t, b, "s", "t1", "old")
	must(b.Tell(ctx, "s", "t1", Input{Kind: Steer, Text: "old"}, ""))
	must(b.Submit(ctx, "master", Submission{Query: "delete everything", Session: "s", Task: "t2"}, ""))
	must(b.Tell(ctx, "s", "t2", Input{Kind: Cancel, By: "user"}, ""))
	must(b.Tell(ctx, "s", "nobody", Input{Kind: Cancel, By: "user"}, ""))
	must(0, b.Remove(ctx, "s"))
	job := takeOne(t, b, "master")
	if said := must(b.Said(ctx, "s", "t2", 0)); len(said) != 1 || said[0].Input.Kind != Cancel {
		t.Errorf("of what was said to a task of the queue there is %v", said)
	}
	if said := must(b.Said(ctx, "s", "t1", 0)); len(said) != 0 {
		t.Errorf("of what was said to a task that was removed there is %v", said)
	}
	must(0, b.endRemovals(ctx)) // the job is still somebody's
	if mark, _, _ := b.removal(ctx, "s"); !mark.Done {
		t.Errorf("the mark is %+v", mark)
	}
	talk(t, b, "s", "t2", "cancelled")
	must(0, job.msg.acked(ctx))
	must(0, b.endRemovals(ctx))
	if recs := must(b.Read(ctx, Where{Session: "s"}, 0)); len(recs) != 3 || left(t, b, "s") != 3 {
		t.Errorf("%d records and %d messages are left, want those of t2 and its input", len(recs), left(t, b, "s"))
	}
	if err := b.Remove(ctx, "s"); err != nil || left(t, b, "s") != 0 {
		t.Errorf("removed again: %v, %d left", err, left(t, b, "s"))
	}
}

// A job whose Accept was lost, of a task that has ended and was removed before it comes again, is not begun again.
func TestLostAcceptAndARemoval(t *testing.T) {
	for _, again := range []bool{false, true} { // the session is removed once more meanwhile
		b := newBus(t)
		ctx := within(t)
		r := must(b.Submit(ctx, "master", Submission{Query: "pay"}, ""))
		job := takeOne(t, b, "master") // Accept is lost
		w := Where{Session: r.Session, Task: r.Task, Call: r.Task}
		talk(t, b, r.Session, r.Task, "pay")
		must(0, b.Remove(ctx, r.Session))
		if again {
			talk(t, b, r.Session, "t2", "other")
			must(0, b.Remove(ctx, r.Session))
		}
		must(0, b.endRemovals(ctx))
		must(0, job.Retry(0, nil)) // as the server does after a while
		job = takeOne(t, b, "master")
		if job.Tries != 2 || !job.begun(ctx) {
			t.Errorf("taken %d times, begun %v", job.Tries, job.begun(ctx))
		}
		begun := must(b.Append(ctx, ask(r.Session, r.Task, "pay"), 0)) // what its taker finds: nothing
		if gone, err := job.Removed(ctx, begun); !gone || err != nil {
			t.Errorf("removed %v, %v", gone, err)
		}
		if _, err := b.Last(ctx, w); !errors.Is(err, ErrNotFound) {
			t.Errorf("what was begun of it is there: %v", err)
		}
		must(0, b.nc.Flush())
		for queue := must(b.queued(ctx)); queue.Msgs > 0; queue = must(b.queued(ctx)) {
			if ctx.Err() != nil {
				t.Fatal("the job is still in the queue")
			}
		}
		must(0, b.endRemovals(ctx))
		if n := left(t, b, r.Session); n != 0 {
			t.Errorf("%d messages are left", n)
		}
	}
}

// Only a task that was removed counts as such: one that waited in the queue, or was submitted anew under the same name, begins.
func TestRemovedIsNobodyElse(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	must(b.Submit(ctx, "other", Submission{Query: "stays in the queue"}, ""))
	talk(t, b, "s", "t1", "old")
	must(b.Submit(ctx, "master", Submission{Query: "waits", Session: "s", Task: "t2"}, ""))
	must(0, b.Remove(ctx, "s"))
	must(b.Submit(ctx, "master", Submission{Query: "anew", Session: "s", Task: "t1"}, ""))
	for _, task := range []string{"t2", "t1"} {
		must(0, takeOne(t, b, "master").Retry(0, nil))
		job := takeOne(t, b, "master")
		if job.Submission.Task != task || job.Tries != 2 {
			t.Fatalf("%s comes, %d times", job.Submission.Task, job.Tries)
		}
		if gone, err := job.Removed(ctx, 1); gone || err != nil {
			t.Errorf("%s: removed %v, %v", task, gone, err)
		}
		must(0, job.msg.acked(ctx))
	}
}

func TestMarkOfARemovalIsBounded(t *testing.T) {
	var recs []Record
	for n := range markTasks + 10 {
		recs = append(recs, Record{Task: fmt.Sprint("t", n), Kind: KindRequest, Node: "n"})
	}
	tasks := removal{Tasks: []string{"before", "t7"}}.with(recs)
	if len(tasks) != markTasks || tasks[len(tasks)-1] != recs[len(recs)-1].Task {
		t.Errorf("%d tasks, the last %s", len(tasks), tasks[len(tasks)-1])
	}
}

func FuzzRemoval(f *testing.F) {
	f.Add([]byte(`{"seq":7,"queue":3,"tasks":["t1"],"done":true}`))
	f.Add([]byte(`{"seq":7}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, ok := parseRemoval(body)
		if ok != (r.Seq > 0) || !ok && (r.Done || r.Tasks != nil) {
			t.Errorf("%v: %+v", ok, r)
		}
	})
}

// Who took a job and stood still for longer than he had (a stopped process, a paused machine) begins a task that another has carried out and
// somebody removed since: the log does not know it any more, and he finds out before he does anything.
func TestSleeperDoesNotRepeatARemovedTask(t *testing.T) {
	for name, sleeper := range map[string]int{"the first taker": 0, "the second taker": 1} {
		b := newBus(t)
		ctx := within(t)
		r := must(b.Submit(ctx, "master", Submission{Query: "pay"}, ""))
		takers := []*Job{takeOne(t, b, "master"), nil}
		must(0, takers[0].Retry(0, nil)) // as the server does after a while
		takers[1] = takeOne(t, beside(t, b), "master")
		talk(t, b, r.Session, r.Task, "pay")
		must(0, takers[1-sleeper].msg.acked(ctx))
		must(0, b.Remove(ctx, r.Session))

		late := takers[sleeper]
		late.stored, late.asked = late.stored.Add(-decideWithin), late.asked.Add(-decideWithin)
		begun := must(b.Append(ctx, ask(r.Session, r.Task, "pay"), 0))
		if gone, err := late.Removed(ctx, begun); !gone || err != nil {
			t.Errorf("%s begins it again: %v, %v", name, gone, err)
		}
		if n := left(t, b, r.Session); n != 0 {
			t.Errorf("%s: %d messages are left", name, n)
		}
	}
}

// Who began a task and stood still until others took him for dead finds the job gone: they have claimed the task and gone on with it, and it is not taken
// out of the log as one that was removed.
func TestSleeperLeavesAClaimedTaskAlone(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	r := must(b.Submit(ctx, "master", Submission{Query: "pay"}, ""))
	sleeper := takeOne(t, b, "master")
	begun := must(b.Append(ctx, ask(r.Session, r.Task, "pay"), 0))
	must(0, sleeper.Retry(0, nil)) // as the server does after a while
	other := beside(t, b)
	next := takeOne(t, other, "master")
	claim := must(other.Append(ctx, &Record{Kind: KindClaim, Session: r.Session, Task: r.Task, Call: r.Task, Agent: "master", Attempt: 2}, begun))
	must(0, next.msg.acked(ctx))

	sleeper.stored, sleeper.asked = sleeper.stored.Add(-decideWithin), sleeper.asked.Add(-decideWithin)
	if gone, err := sleeper.Removed(ctx, begun); gone || !errors.Is(err, ErrFenced) {
		t.Errorf("removed %v, %v", gone, err)
	}
	if recs := must(b.Read(ctx, Where{Session: r.Session, Task: r.Task}, 0)); len(recs) != 2 || recs[1].Seq != claim {
		t.Errorf("the log has %v", recs)
	}
}

// A node stands still just before it keeps the first snapshot of a session, and the session is removed meanwhile. A session that begins anew under the
// same name is kept all the same, and not with what a replica that lags still has of the old one.
func TestSnapshotFromBeforeTheRemoval(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	last := talk(t, b, "s", "t1", "old")
	late := Snapshot{Session: Session{ID: "s", Tasks: 1}}
	must(0, b.Remove(ctx, "s"))
	if err := b.KeepSnapshot(ctx, &late); !errors.Is(err, ErrFenced) {
		t.Errorf("a snapshot from before the removal: %v", err)
	}
	if list, _, err := b.Sessions(ctx, 0, 10); len(list) != 0 || err != nil {
		t.Errorf("the list: %v, %v", list, err)
	}
	anew := must(b.Snapshot(ctx, "s"))
	if anew.Seq != last {
		t.Errorf("read on from %d, its records up to %d are gone", anew.Seq, last)
	}
	anew.Tasks = 1
	must(0, b.KeepSnapshot(ctx, &anew))
	if list, _, err := b.Sessions(ctx, 0, 10); len(list) != 1 || err != nil {
		t.Errorf("the list with the one begun anew: %v, %v", list, err)
	}
}

// The removal of a session was cut off behind the purge, and the same task is submitted and begun anew before a sweep ends it.
func TestTaskBegunAnewOutlivesTheRemoval(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	last := talk(t, b, "s", "t1", "old")
	must(b.Tell(ctx, "s", "t1", Input{Kind: Cancel, By: "user"}, ""))
	must(0, b.swapJSON(ctx, b.removalSubject("s"), removal{Seq: last + 1, Queue: must(b.queued(ctx)).LastSeq, Tasks: []string{"t1"}}, 0))
	must(0, b.purge(ctx, LogStream, LogSubject("main", "s", "*", "*"), last)) // killed here
	seq := must(b.Append(ctx, ask("s", "t1", "anew"), 0))
	must(0, b.endRemovals(ctx))
	r := record("s", "t1", "t1", KindRound)
	r.Round = 1
	if _, err := b.Append(ctx, r, seq); err != nil {
		t.Errorf("its next record: %v", err)
	}
	if said := must(b.Said(ctx, "s", "t1", 0)); len(said) != 0 {
		t.Errorf("what was said to the old one is heard by the new: %+v", said)
	}
}
