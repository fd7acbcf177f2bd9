package learn

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/bus/bustest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// write puts a call into the log: as much of it as is given, with or without its end.
func write(t *testing.T, b *bus.Bus, task string, last uint64, ended bool, records ...bus.Record) uint64 {
	t.Helper()
	if ended {
		records = append(records, bus.Record{Kind: bus.KindResponse, Time: day, Status: bus.OK})
	}
	for _, r := range records {
		r.Session, r.Task, r.Call = "s", task, task
		var err error
		if last, err = b.Append(t.Context(), &r, last); err != nil {
			t.Fatal(err)
		}
	}
	return last
}

// one is a call that searched.
func one() []bus.Record {
	return asked(day, "x").thinks(act("", "search", `{}`)).gets(0, "search", `{}`, orders).records
}

func learned(t *testing.T, k *Book) float64 {
	t.Helper()
	if _, err := k.Learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tool := range k.Lessons().AllTools() {
		if tool.Name == "search" {
			return tool.Calls
		}
	}
	return 0
}

// Each call that ended counts once, whoever learned it and however its records are spread over the times of learning.
func TestEachCallCountsOnce(t *testing.T) {
	b := bustest.New(t)
	here, there := Open(b), Open(b)
	if n := learned(t, here); n != 0 {
		t.Errorf("an empty log: %v", n)
	}
	write(t, b, "t1", 0, true, one()...)
	last := write(t, b, "t2", 0, false, one()...)
	if n := learned(t, here); n != 1 {
		t.Errorf("one has ended, one runs: %v", n)
	}
	if news, err := there.Refresh(t.Context()); err != nil || !news || there.Lessons().Seq == 0 {
		t.Errorf("the other node has not read it: %v %v", news, err)
	}
	write(t, b, "t2", last, true)
	write(t, b, "t3", 0, true, one()...)
	if n := learned(t, there); n != 3 {
		t.Errorf("three have ended: %v", n)
	}
	if news, err := here.Refresh(t.Context()); err != nil || !news {
		t.Errorf("the first node does not hear of it: %v %v", news, err)
	}
	for range 2 {
		if n := learned(t, here); n != 3 {
			t.Errorf("learned twice: %v", n)
		}
	}
}

// Lessons are a cache: lost, damaged or of another program they are learned again, and a node that has them keeps them again.
func TestLostLessonsAreLearnedAgain(t *testing.T) {
	b := bustest.New(t)
	for i := range 3 {
		write(t, b, fmt.Sprintf("t%d", i), 0, true, one()...)
	}
	runs := Open(b)
	if n := learned(t, runs); n != 3 {
		t.Fatal(n)
	}
	js, err := jetstream.New(b.Conn())
	if err != nil {
		t.Fatal(err)
	}
	for name, lose := range map[string]func() error{
		"gone":    func() error { return purge(t.Context(), js) },
		"damaged": func() error { _, err := b.Cache(t.Context(), key, []byte(`{"format":1,"tools":[{]}`)); return err },
		"foreign": func() error { _, err := b.Cache(t.Context(), key, []byte(`{"format":9}`)); return err },
	} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		if n := learned(t, runs); n != 3 {
			t.Errorf("%s: the node that runs knows %v", name, n)
		}
		if n := learned(t, Open(b)); n != 3 {
			t.Errorf("%s: learned again: %v", name, n)
		}
	}
}

// Lessons of a log that is gone hold, and what the new one teaches comes to them. What a replica has that lags is not news.
func TestOtherLogAndLaggingReplica(t *testing.T) {
	b := bustest.New(t)
	body, err := (&Lessons{Seq: 1 << 40}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Cache(t.Context(), key, body); err != nil {
		t.Fatal(err)
	}
	runs := Open(b)
	learned(t, runs)
	write(t, b, "t1", 0, true, one()...)
	if n := learned(t, runs); n != 1 {
		t.Errorf("of the new log it learned %v", n)
	}
	had := runs.Lessons()
	runs.revision += 10 // the cache has what is older
	if news, err := runs.Refresh(t.Context()); err != nil || news || runs.Lessons() != had {
		t.Errorf("older lessons are taken for news: %v %v", news, err)
	}
	write(t, b, "t2", 0, true, one()...)
	for range 2 { // fenced off, it takes what is there, and goes on from that
		if _, err := runs.Learn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := learned(t, runs); n != 2 {
		t.Errorf("after a fence: %v", n)
	}
}

func purge(ctx context.Context, js jetstream.JetStream) error {
	s, err := js.Stream(ctx, "KV_"+bus.CacheBucket)
	if err != nil {
		return err
	}
	return s.Purge(ctx)
}

func TestForget(t *testing.T) {
	b := bustest.New(t)
	write(t, b, "t1", 0, true, one()...)
	runs := Open(b)
	if n := learned(t, runs); n != 1 {
		t.Fatal(n)
	}
	if err := Forget(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]*Book{"a node that runs": runs, "a new one": Open(b)} {
		if n := learned(t, k); n != 0 {
			t.Errorf("%s knows %v", name, n)
		}
	}
	write(t, b, "t2", 0, true, one()...)
	if n := learned(t, runs); n != 1 {
		t.Errorf("what came later: %v", n)
	}
}

// A call that had results before all was forgotten, and ends after it, brings none of them back, nor their times.
func TestForgetHoldsForCallsUnderWay(t *testing.T) {
	b := bustest.New(t)
	write(t, b, "t0", 0, true, one()...)
	last := write(t, b, "t1", 0, false, one()...)
	forgot := time.Now()
	if err := Forget(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	late := asked(time.Now(), "x").thinks(act("", "search", `{}`)).gets(0, "search", `{}`, orders).records
	write(t, b, "t1", last, true, late[1:]...)
	k := Open(b)
	if n := learned(t, k); n != 1 {
		t.Errorf("%v results count, of which one came later", n)
	}
	if since := k.Lessons().Since; since.Before(forgot.Add(-time.Second)) {
		t.Errorf("since %v, forgotten %v", since, forgot)
	}
}

// What is learned hangs on nothing but the log: times that lie ahead of the server's clock are brought back to it.
func TestNoTimeFromTheFuture(t *testing.T) {
	b := bustest.New(t)
	write(t, b, "t1", 0, true, one()...)
	ahead := one()
	for i := range ahead {
		ahead[i].Time = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	write(t, b, "t2", 0, true, ahead...)
	k := Open(b)
	learned(t, k)
	if at := k.Lessons().At; at.After(time.Now()) {
		t.Errorf("the newest is of %v", at)
	}
}

// A gentle book rests between calls, too, however few records they have.
func TestGently(t *testing.T) {
	b := bustest.New(t)
	many := "[" + strings.TrimSuffix(strings.Repeat(`{"k":"abcd"},`, 1500), ",") + "]"
	for i := range 3 {
		c := asked(day, "x").thinks(act("", "search", `{}`))
		for range 10 {
			c.gets(0, "search", `{"name":"none of them"}`, many)
		}
		write(t, b, fmt.Sprint("t", i), 0, true, c.records...)
	}
	js, err := jetstream.New(b.Conn())
	if err != nil {
		t.Fatal(err)
	}
	spent := func(gently bool) time.Duration {
		if err := purge(t.Context(), js); err != nil {
			t.Fatal(err)
		}
		k := Open(b)
		k.Gently = gently
		begun := time.Now()
		if n := learned(t, k); n != 30 {
			t.Errorf("of 30 it learned %v", n)
		}
		return time.Since(begun)
	}
	fast, slow := spent(false), spent(true)
	for n := 0; n < 3 && slow < 2*fast; n++ { // other work on the machine may have held up the one that does not rest
		fast = min(fast, spent(false))
	}
	if slow < 2*fast {
		t.Errorf("gently %v, else %v", slow, fast)
	}
}

// What it costs to learn from a task of three rounds and two calls, with the reading of the log.
func BenchmarkLearn(b *testing.B) {
	on := bustest.New(b)
	task := asked(day, "x").thinks(act("", "search", `{}`)).gets(0, "search", `{"name":"王萍萍"}`, orders).
		thinks(act("", "track", `{"order_id":"2810-6999"}`)).gets(0, "track", `{"order_id":"2810-6999"}`, `{}`).thinks().records
	task = append(task, bus.Record{Kind: bus.KindResponse, Time: day, Status: bus.OK})
	const tasks = 2000
	for i := range tasks {
		last := uint64(0)
		for _, r := range task {
			r.Session, r.Task, r.Call = "s", fmt.Sprint(i), fmt.Sprint(i)
			var err error
			if last, err = on.Append(b.Context(), &r, last); err != nil {
				b.Fatal(err)
			}
		}
	}
	k := Open(on)
	k.read = true
	b.ResetTimer()
	begun := spent(b)
	for range b.N {
		k.lessons, k.revision = &Lessons{}, 0
		if _, err := k.Learn(b.Context()); err != nil && !b.Failed() {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((spent(b)-begun).Microseconds())/float64(b.N)/tasks, "cpu-µs/task")
}
