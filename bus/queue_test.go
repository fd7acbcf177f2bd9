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

func TestPoisonBecomesADeadLetter(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	must(b.Submit(ctx, "master", Submission{Query: "poison", Session: "s", Task: "t"}, ""))
	for try := 1; try <= MaxTries; try++ {
		job := takeOne(t, b, "master")
		if job.Tries != try {
			t.Fatalf("try %d says it is %d", try, job.Tries)
		}
		if err := job.Retry(0, errors.New("the executor fell over")); err != nil {
			t.Fatal(err)
		}
	}
	dead := must(b.DeadLetters(ctx))
	if len(dead) != 1 || dead[0].Cause != "the executor fell over" || dead[0].Tries != MaxTries || dead[0].Agent != "master" || dead[0].Time.IsZero() {
		t.Fatalf("dead letters %+v", dead)
	}
	if err := b.Resend(ctx, dead[0].Seq, []byte(`{"query":"cured","session":"s","task":"t2"}`)); err != nil {
		t.Fatal(err)
	}
	if job := takeOne(t, b, "master"); job.Submission.Query != "cured" || job.Tries != 1 {
		t.Errorf("sent again: %+v", job)
	}
	if left := must(b.DeadLetters(ctx)); len(left) != 0 {
		t.Errorf("still dead: %+v", left)
	}
	if err := b.Resend(ctx, dead[0].Seq, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("sent twice: %v, want ErrNotFound", err)
	}
}

// A dead letter that was taken away can be written again, and taken away again.
func TestBuriedAgain(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	s, cause := Submission{Query: "poison", Session: "s", Task: "t"}, errors.New("five executors")
	for range 3 {
		seq := must(b.Bury(ctx, "master", s, 5, cause))
		if again := must(b.Bury(ctx, "master", s, 5, cause)); again != seq {
			t.Errorf("the same task is in %d and in %d", seq, again)
		}
		if dead := must(b.DeadLetters(ctx)); len(dead) != 1 || dead[0].Seq != seq {
			t.Fatalf("dead letters %+v", dead)
		}
		for range 2 {
			if err := b.Unbury(ctx, seq); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A job whose takers all vanished without deciding; giving it back under the verbs' feet spares the test the 30 s each time.
func TestPoisonThatNobodyLivedToDecide(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	must(b.Submit(ctx, "master", Submission{Query: "poison"}, ""))
	for range MaxTries {
		if err := takeOne(t, b, "master").msg.nak(0); err != nil {
			t.Fatal(err)
		}
	}
	must(b.Submit(ctx, "master", Submission{Query: "good"}, ""))
	if job := takeOne(t, b, "master"); job.Submission.Query != "good" {
		t.Fatalf("try %d of %q", job.Tries, job.Submission.Query)
	}
	dead := must(b.DeadLetters(ctx))
	if len(dead) != 1 || !strings.Contains(dead[0].Cause, CodePoison) || dead[0].Tries != MaxTries+1 {
		t.Errorf("dead letters %+v", dead)
	}
}

// What cannot be a submission goes to the dead letters by itself, and the worker goes on.
func TestWorkRejectsBadBodies(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	bad := []struct{ body, cause string }{
		{"{", "invalid_request"},
		{`{"query":7}`, "invalid_request"},
		{`{"query":"q"} {"query":"q"}`, "invalid_request"},
		{`{"query":"q","session":"*"}`, "session"},
		{`{"query":"q","task":"a b"}`, "task"},
		{`{"query":"q","task":"` + strings.Repeat("x", 10_000) + `"}`, "task"},
		{`{"query":"q","hmap":"2"}`, "unsupported"},
		{`{"query":"q","mode":"dream"}`, "mode"},
		{`{"query":"q","budget":{"tokens":-1}}`, "budget"},
		{`{"query":"q","reply_to":"$JS.API.STREAM.DELETE.HMAP_LOG"}`, "reply_to"},
		{`{"query":"q","reply_to":"hmap.main.log.s.t.t"}`, "reply_to"},
		{`{"query":"  "}`, "query"},
		{"\xff\xfe", "UTF-8"},
		{"", "empty"},
	}
	for _, x := range bad {
		must(b.js.Publish(ctx, TaskSubject("main", "master"), []byte(x.body)))
	}
	must(b.Submit(ctx, "master", Submission{Query: "good"}, ""))
	if job := takeOne(t, b, "master"); job.Submission.Query != "good" {
		t.Fatalf("got %+v", job.Submission)
	}
	dead := must(b.DeadLetters(ctx))
	if len(dead) != len(bad) {
		t.Fatalf("%d dead letters, want %d", len(dead), len(bad))
	}
	for i, x := range bad {
		if !strings.Contains(dead[i].Cause, x.cause) {
			t.Errorf("%.60q: cause %q, want something of %q", x.body, dead[i].Cause, x.cause)
		}
		if whole := must(b.DeadLetter(ctx, dead[i].Seq)); string(whole.Body) != x.body {
			t.Errorf("%.60q: kept %.60q", x.body, whole.Body)
		}
	}
}

func TestRejectKeepsABodyThatFillsTheMessage(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	must(b.js.Publish(ctx, TaskSubject("main", "master"), []byte("{"+strings.Repeat("x", 1<<20-200))))
	must(b.Submit(ctx, "master", Submission{Query: "good"}, ""))
	takeOne(t, b, "master")
	dead := must(b.DeadLetters(ctx))
	if len(dead) != 1 || !strings.Contains(dead[0].Cause, "cut") || len(dead[0].Body) == 0 {
		t.Errorf("%d dead letters, %+v", len(dead), dead[0].Cause)
	}
}

func TestRejectTellsWhoWaits(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	inbox := b.nc.NewInbox()
	sub := must(b.nc.SubscribeSync(inbox))
	must(b.Submit(ctx, "master", Submission{Query: "q", Task: "t9", ReplyTo: inbox}, ""))
	if err := takeOne(t, b, "master").Reject(ctx, &Error{Code: CodeForbidden, Message: "not you"}); err != nil {
		t.Fatal(err)
	}
	m, err := sub.NextMsgWithContext(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parseResponse(m.Data, "t9")
	if err != nil || r.Status != Failed || r.Error.Code != CodeForbidden {
		t.Errorf("%+v, %v", r, err)
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
