package bus

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func TestOpenTasks(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	ctx := within(t)
	if all := must(b.OpenTasks(ctx)); all != nil {
		t.Errorf("at first: %+v", all)
	}
	for _, x := range []OpenTask{
		{Session: "s", Task: "t1", Agent: "master"},
		{Session: "s", Task: "t2", Agent: "master"},
		{Session: "s", Task: "t1", Agent: "master", Node: "n9", Waiting: true, Expires: time.Unix(1, 0).UTC()},
	} {
		if err := b.MarkOpen(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := connect(t, Options{Server: b.o.Server, Tenant: "elsewhere"})
	if err := elsewhere.MarkOpen(ctx, OpenTask{Session: "s", Task: "t3"}); err != nil {
		t.Fatal(err)
	}
	all := must(b.OpenTasks(ctx))
	if len(all) != 2 || all[0].Task != "t2" || all[0].Node != b.Node() || all[0].Since.IsZero() || all[1].Task != "t1" || !all[1].Waiting || all[1].Node != "n9" {
		t.Fatalf("open %+v", all)
	}
	one, ok, err := b.OpenTask(ctx, "s", "t1")
	if err != nil || !ok || one != all[1] {
		t.Errorf("%+v, %v, %v", one, ok, err)
	}
	for range 2 { // twice is harmless
		if err := b.Unmark(ctx, "s", "t1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := b.OpenTask(ctx, "s", "t1"); ok || err != nil {
		t.Errorf("still open: %v, %v", ok, err)
	}
	if all := must(b.OpenTasks(ctx)); len(all) != 1 || all[0].Task != "t2" {
		t.Errorf("still open: %+v", all)
	}
	for s := must(b.js.Stream(ctx, openStream)); must(s.Info(ctx)).State.Msgs != 2; { // and nothing of what was taken out
		if !pause(ctx, 0) {
			t.Fatalf("the index keeps %d messages, want the two that are open", s.CachedInfo().State.Msgs)
		}
	}
	if err := b.MarkOpen(ctx, OpenTask{Session: "s", Task: ">"}); !errors.Is(err, ErrBadName) {
		t.Errorf("%v, want ErrBadName", err)
	}
	if err := b.Unmark(ctx, "*", ">"); !errors.Is(err, ErrBadName) {
		t.Errorf("%v, want ErrBadName", err)
	}
}

// A mark that was sent again, because no answer came, and whose first copy arrives late, is not put in the place of one that was made since: a task
// that runs would be taken for one that waits for a person, and nobody would take it over.
func TestLateCopyOfAMark(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	ctx := within(t)
	copies := make(chan *nats.Msg, 8)
	must(b.nc.ChanSubscribe(openSubject(b.openKey("s", "t1")), copies))
	for _, waiting := range []bool{true, false} {
		must(0, b.MarkOpen(ctx, OpenTask{Session: "s", Task: "t1", Agent: "master", Waiting: waiting}))
	}
	late := <-copies
	late.Reply = ""
	must(0, b.nc.PublishMsg(late))
	if now, there, err := b.OpenTask(ctx, "s", "t1"); err != nil || !there || now.Waiting {
		t.Errorf("after a mark that is old: %+v, %v, %v", now, there, err)
	}
	must(0, b.Unmark(ctx, "s", "t1"))
	must(0, b.nc.PublishMsg(late))
	if now, there, err := b.OpenTask(ctx, "s", "t1"); err != nil || there {
		t.Errorf("after it was taken out: %+v, %v, %v", now, there, err)
	}
}

// Whether a task may be noted as waiting its log decides, and not whose name stands in the index: a late mark of a node that was frozen may name that.
func TestMarkWaiting(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	ctx := within(t)
	other := connect(t, Options{Server: b.o.Server, Node: "other"})
	last := must(b.Append(ctx, record("s", "t", "t", KindRound), 0))
	open := OpenTask{Session: "s", Task: "t", Agent: "master"}
	for _, c := range []struct {
		what   string
		before func() error
		fenced bool
	}{
		{"open here", func() error { return b.MarkOpen(ctx, open) }, false},
		{"waiting here", func() error { return nil }, false},
		{"marked elsewhere", func() error { return other.MarkOpen(ctx, open) }, false},
		{"its mark was lost", func() error { return b.purge(ctx, openStream, openSubject(b.openKey("s", "t")), 0) }, false},
		{"taken over", func() error {
			_, err := other.Append(ctx, record("s", "t", "t", KindClaim), last)
			return errors.Join(err, other.MarkOpen(ctx, open))
		}, true},
		{"taken over and not marked yet", func() error { return b.MarkOpen(ctx, open) }, true},
		{"ended", func() error { return b.Unmark(ctx, "s", "t") }, true},
	} {
		must(0, c.before())
		was, _, _ := b.OpenTask(ctx, "s", "t")
		err := b.MarkWaiting(ctx, OpenTask{Session: "s", Task: "t", Agent: "master", Heard: 7}, last)
		if errors.Is(err, ErrFenced) != c.fenced || err != nil && !c.fenced {
			t.Errorf("%s: %v, want fenced %v", c.what, err, c.fenced)
		}
		if now, _, err := b.OpenTask(ctx, "s", "t"); err != nil || c.fenced && now != was || !c.fenced && (!now.Waiting || now.Heard != 7 || now.Node != b.Node()) {
			t.Errorf("%s: it was %+v and is %+v, %v", c.what, was, now, err)
		}
	}
	if err := b.MarkWaiting(ctx, OpenTask{Session: "s", Task: ">"}, last); !errors.Is(err, ErrBadName) {
		t.Error(err)
	}
}
