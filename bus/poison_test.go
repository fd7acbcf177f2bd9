package bus

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

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

// Another body is sent also where the first resending was cut off behind its queue; the same body is not sent twice.
func TestResendAnotherBody(t *testing.T) {
	t.Parallel()
	b := newBus(t)
	ctx := within(t)
	letter := Submission{Query: "cancel order 1", Session: "s", Task: "t"}
	first := must(b.Bury(ctx, "master", letter, 5, ErrBusy))
	dead := must(b.deadMessage(ctx, first))
	sends := func(body []byte) { // up to where the letter would be taken away
		t.Helper()
		if err := b.resend(ctx, "master", dead, body); err != nil {
			t.Fatal(err)
		}
	}
	sends(dead.Data)
	sends(dead.Data)
	if err := b.Resend(ctx, first, []byte(`{"query":"cancel order 2","session":"s"}`)); err != nil {
		t.Fatal(err)
	}
	got := []string{takeOne(t, b, "master").Submission.Query, takeOne(t, b, "master").Submission.Query}
	if !slices.Contains(got, "cancel order 1") || !slices.Contains(got, "cancel order 2") {
		t.Errorf("sent: %q", got)
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
		if whole := must(b.DeadLetter(ctx, dead[i].Seq)); string(whole.Body) != x.body || whole.Bytes != len(x.body) || dead[i].Bytes != len(x.body) {
			t.Errorf("%.60q: kept %.60q, %d bytes, and %d in the list", x.body, whole.Body, whole.Bytes, dead[i].Bytes)
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
