package bus

import (
	"slices"
	"testing"
	"time"
)

// What was said to tasks that never came to be, or were removed before, goes by itself after its hour, for no session has it; what was said to those that
// are, or wait in the queue, stays.
func TestWordsToNobodyGo(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	ctx := within(t)
	tell := func(session, task string) uint64 {
		return must(b.Tell(ctx, session, task, Input{Kind: Steer, Text: "x"}, ""))
	}
	tell("typo", "t1")
	tell("typo", "t1")
	talk(t, b, "gone", "t2", "x")
	must(0, b.Remove(ctx, "gone"))
	tell("gone", "t2")
	talk(t, b, "s", "t3", "x")
	kept := []uint64{tell("s", "t3")}
	for _, subject := range []string{"hmap.main.input.s.t3!", "hmap.main.input.s.*"} {
		must(b.publish(ctx, message(subject, "", []byte("{}")), nil))
	}
	must(b.Submit(ctx, "master", Submission{Query: "x", Session: "s", Task: "t4"}, ""))
	kept = append(kept, tell("s", "t4"))
	elsewhere := connect(t, Options{Server: b.o.Server, Tenant: "elsewhere"})
	kept = append(kept, must(elsewhere.Tell(ctx, "typo", "t1", Input{Kind: Steer, Text: "x"}, "")))
	left := func() (all []uint64) {
		for m, err := range b.tail(ctx, LogStream, []string{"hmap.*.input.>"}, 0) {
			if must(m, err).caughtUp {
				return all
			}
			all = append(all, m.seq)
		}
		return nil
	}
	all := left()
	for _, step := range []struct {
		before time.Time
		want   []uint64
	}{
		{time.Now().Add(-saidFor), all}, // all of it is too young
		{time.Now().Add(time.Hour), kept},
		{time.Now().Add(time.Hour), kept},
	} {
		if err := b.dropUnheard(ctx, step.before); err != nil {
			t.Fatal(err)
		}
		if now := left(); !slices.Equal(now, step.want) {
			t.Errorf("there is %d of %d, want %d", now, all, step.want)
		}
	}
	// What the queue held then is judged when it no longer does: that task was taken out, and never began.
	for job, err := range b.Work(ctx, "master", make(chan struct{}, 1)) {
		must(0, must(job, err).Accept())
		break
	}
	for must(b.queued(ctx)).Msgs > 0 {
		if !pause(ctx, 0) {
			t.Fatal("the queue holds what was accepted")
		}
	}
	must(0, b.dropUnheard(ctx, time.Now().Add(time.Hour)))
	if now := left(); !slices.Equal(now, []uint64{kept[0], kept[2]}) {
		t.Errorf("there is %d of %d", now, kept)
	}
}
