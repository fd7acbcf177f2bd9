package bus

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// takeOne takes one job and leaves the queue.
func takeOne(t *testing.T, b *Bus, agent string) *Job {
	t.Helper()
	for job, err := range b.Work(within(t), agent, make(chan struct{}, 1)) {
		if err != nil {
			t.Fatal(err)
		}
		return job
	}
	t.Fatal("no job came")
	return nil
}

func TestSubmitAndWork(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	r, err := b.Submit(ctx, "master", Submission{Query: "你好"}, "")
	if err != nil || !ValidToken(r.Session) || !ValidToken(r.Task) {
		t.Fatalf("%+v, %v", r, err)
	}
	job := takeOne(t, b, "master")
	s := job.Submission
	if s.Query != "你好" || s.Session != r.Session || s.Task != r.Task || job.Agent != "master" || job.Tries != 1 {
		t.Errorf("job %+v for receipt %+v", job, r)
	}
	if err := job.Accept(); err != nil {
		t.Fatal(err)
	}
	if err := job.Accept(); err != nil {
		t.Errorf("accepted twice: %v", err)
	}
	for must(b.js.Stream(ctx, TaskStream)).CachedInfo().State.Msgs != 0 { // ends by ctx when Accept takes nothing out
	}
}

func TestSubmitTwiceIsOnce(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	a := must(b.Submit(ctx, "master", Submission{Query: "q"}, "order 7"))
	c := must(beside(t, b).Submit(ctx, "master", Submission{Query: "q"}, "order 7"))
	d := must(b.Submit(ctx, "master", Submission{Query: "q"}, "order 8"))
	if a != c || a == d {
		t.Errorf("receipts %v, repeated %v, of another %v", a, c, d)
	}
	if n := must(b.js.Stream(ctx, TaskStream)).CachedInfo().State.Msgs; n != 2 {
		t.Errorf("%d jobs, want 2", n)
	}
}

func TestSubmitBusy(t *testing.T) {
	b := connect(t, Options{Server: startServer(t, ServerOptions{NoSync: true}), MaxQueue: 2})
	ctx := within(t)
	for range 2 {
		must(b.Submit(ctx, "master", Submission{Query: "q"}, ""))
	}
	if _, err := b.Submit(ctx, "master", Submission{Query: "q"}, ""); !errors.Is(err, ErrBusy) {
		t.Fatalf("a full queue: %v, want ErrBusy", err)
	}
	if err := takeOne(t, b, "master").Accept(); err != nil {
		t.Fatal(err)
	}
	for { // until the queue has heard it, or ctx ends
		if _, err := b.Submit(ctx, "master", Submission{Query: "q"}, ""); err == nil {
			break
		} else if !errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
	}
}

func TestSubmitRefuses(t *testing.T) {
	b := newBus(t)
	for _, c := range []struct {
		agent string
		s     Submission
		want  error
	}{
		{"a.b", Submission{Query: "q"}, ErrBadName},
		{"*", Submission{Query: "q"}, ErrBadName},
		{"master", Submission{Query: "q", Session: ".."}, ErrBadName},
		{"master", Submission{Query: "q", Task: strings.Repeat("x", 10_000)}, ErrBadName},
		{"master", Submission{Query: strings.Repeat("x", 2<<20)}, ErrTooLarge},
		{"master", Submission{Query: "q", HMAP: "7"}, ErrVersion},
	} {
		if _, err := b.Submit(within(t), c.agent, c.s, ""); !errors.Is(err, c.want) {
			t.Errorf("%s %.60v: %v, want %v", c.agent, c.s, err, c.want)
		}
	}
}

// Plain text from any client is a query; its ids come from its place in the queue, so that it keeps them when it comes again.
func TestWorkTextGetsStableIDs(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	must(b.js.Publish(ctx, TaskSubject("main", "master"), []byte("  我有多少订单是王萍萍买的?\n")))
	first := takeOne(t, b, "master")
	if err := first.Retry(0, nil); err != nil {
		t.Fatal(err)
	}
	again := takeOne(t, beside(t, b), "master")
	if s := again.Submission; s.Query != "我有多少订单是王萍萍买的?" || !ValidToken(s.Session) || s.Session != first.Submission.Session || s.Task != first.Submission.Task {
		t.Errorf("first %+v, then %+v", first.Submission, s)
	}
	if again.Tries != 2 {
		t.Errorf("tries %d, want 2", again.Tries)
	}
}

func TestWorkTakesNoMoreThanItsSlots(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	for i := range 5 {
		must(b.Submit(ctx, "master", Submission{Query: fmt.Sprint(i)}, ""))
	}
	slots := make(chan struct{}, 2)
	jobs := make(chan *Job, 5)
	go func() {
		defer close(jobs)
		for job := range b.Work(ctx, "master", slots) {
			jobs <- job
		}
	}()
	<-jobs
	<-jobs
	// Both slots are taken, so another node gets the third: this one must not have fetched it.
	other := beside(t, b)
	if job := takeOne(t, other, "master"); job.Submission.Query != "2" {
		t.Errorf("the other node got %q, want the third", job.Submission.Query)
	}
	<-slots
	if job := <-jobs; job.Submission.Query != "3" {
		t.Errorf("with a slot free: %q", job.Submission.Query)
	}
	b.Close()
	for range jobs {
		t.Error("a job without a slot")
	}
}

// A worker that leaves gives back at once what was on its way, and the slot it held.
func TestWorkLeavesNothingBehind(t *testing.T) {
	b := newBus(t)
	slots := make(chan struct{}, 1)
	ctx := within(t)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range b.Work(ctx, "master", slots) {
			t.Error("a job from an empty queue")
		}
	}()
	for n := 0; len(slots) == 0; n++ { // until it waits at the queue
		if !pause(ctx, n) {
			t.Fatal("it takes no slot")
		}
	}
	b.Close()
	<-ended
	if len(slots) != 0 {
		t.Error("a slot is still taken")
	}
}

func TestRetryWaits(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	must(b.Submit(within(t), "master", Submission{Query: "q"}, ""))
	begin := time.Now()
	if err := takeOne(t, b, "master").Retry(300*time.Millisecond, nil); err != nil {
		t.Fatal(err)
	}
	takeOne(t, b, "master")
	if d := time.Since(begin); d < 300*time.Millisecond {
		t.Errorf("came again after %v", d)
	}
}

// A task that is in the log is never a dead letter of the queue, however often its job was taken: that would leave it without an end.
func TestJobOfABegunTaskIsNotPoison(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	r := must(b.Submit(ctx, "master", Submission{Query: "begun by a node that died"}, ""))
	must(b.Append(ctx, &Record{Kind: KindRequest, Session: r.Session, Task: r.Task, Call: r.Task, Agent: "master", Request: &Request{JobDesc: "x"}}, 0))
	for n := range MaxTries + 2 {
		job := takeOne(t, b, "master")
		if job.Submission.Task != r.Task || job.Tries != n+1 {
			t.Fatalf("try %d of %q, want %d", job.Tries, job.Submission.Task, n+1)
		}
		if err := job.Retry(0, errors.New("its node has not noted it yet")); err != nil {
			t.Fatal(err)
		}
	}
	if dead := must(b.DeadLetters(ctx)); len(dead) != 0 {
		t.Errorf("dead letters %+v", dead)
	}
}

// A queue or a log that cannot be read for longer than a moment is told, though whoever reads goes on: else a node that does nothing looks idle.
func TestReadingThatFailsIsTold(t *testing.T) {
	t.Parallel()
	warned := make(chan string, 16)
	b := must(Connect(within(t), Options{Server: startServer(t, ServerOptions{NoSync: true}), Log: slog.New(warnings{slog.DiscardHandler, warned})}))
	t.Cleanup(b.Close)
	for _, stream := range []string{TaskStream, LogStream} {
		if err := b.js.DeleteStream(within(t), stream); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(within(t))
	var reading sync.WaitGroup
	defer reading.Wait()
	defer cancel()
	reading.Go(func() {
		for range b.Work(ctx, "master", make(chan struct{}, 1)) {
		}
	})
	reading.Go(func() {
		for range b.Inputs(ctx) {
		}
	})
	for want := []string{"the queue", "for inputs"}; len(want) > 0; {
		select {
		case said := <-warned:
			want = slices.DeleteFunc(want, func(w string) bool { return strings.Contains(said, w) })
		case <-ctx.Done():
			t.Fatalf("nothing is said of %v", want)
		}
	}
}

// warnings passes on what is logged as a warning.
type warnings struct {
	slog.Handler
	to chan<- string
}

func (w warnings) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }

func (w warnings) Handle(_ context.Context, r slog.Record) error {
	select {
	case w.to <- r.Message:
	default:
	}
	return nil
}

// What lies on a subject that nobody reads is not stored, and who stores it is told: else it would fill the queue for good, and nobody would know.
func TestSubjectsThatNobodyReads(t *testing.T) {
	t.Parallel()
	s := startServer(t, ServerOptions{NoSync: true})
	b := connect(t, Options{Server: s, MaxQueue: 3})
	ctx := within(t)
	for _, name := range []string{LogStream, TaskStream} { // as a node of before made them
		c := must(b.js.Stream(ctx, name)).CachedInfo().Config
		for i, subject := range c.Subjects {
			c.Subjects[i] = strings.Join(strings.Split(subject, ".")[:3], ".") + ".>"
		}
		must(b.js.UpdateStream(ctx, c))
	}
	before := must(b.js.Publish(ctx, "hmap.main.log.s.t", []byte("{}"))).Sequence
	for range 3 { // which fill the queue
		must(b.js.Publish(ctx, "hmap.main.task.master.x", []byte("{}")))
	}
	b = connect(t, Options{Server: s})
	for _, subject := range []string{"hmap.main.task.master.x", "hmap.main.task", "hmap.main.log.s.t", "hmap.main.log.s.t.c.x", "hmap.main.input.s", "hmap.main.input.s.t.c"} {
		if _, err := b.js.Publish(ctx, subject, []byte("{}"), jetstream.WithRetryAttempts(0)); !errors.Is(err, jetstream.ErrNoStreamResponse) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	if _, err := b.getRaw(ctx, LogStream, map[string]any{"seq": before}); err != nil {
		t.Errorf("what was stored before: %v", err)
	}
	for range 3 {
		must(b.Submit(ctx, "master", Submission{Query: "x"}, ""))
	}
}
