package bus

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// What is brought and named by no submission goes after its day; what is named stays, however it was submitted, and so does what an agent made.
func TestBroughtFilesThatNobodyNames(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	bring := func(name string) File { return must(b.Files().Bring(ctx, name, "text/csv", strings.NewReader(name))) }
	forgotten, sent, piped := bring("forgotten.csv"), bring("sent.csv"), bring("piped.csv")
	made := must(b.Files().Put(ctx, "made.csv", "", "", strings.NewReader("made")))
	must(b.Submit(ctx, "nobody", Submission{Query: "q", Files: []File{sent, {Ref: "obj:"}, {Ref: "no reference"}}}, "")) // which waits in the queue
	if err := b.nc.Publish(TaskSubject("main", "master"), []byte(`{"query":"q","files":[{"ref":"`+piped.Ref+`"}]}`)); err != nil {
		t.Fatal(err)
	}
	for job, err := range b.Work(ctx, "master", make(chan struct{}, 1)) {
		if err = errors.Join(err, job.Accept()); err != nil {
			t.Fatal(err)
		}
		break
	}
	if n, err := b.dropUnnamed(ctx, time.Now().Add(-time.Hour)); n != 0 || err != nil {
		t.Errorf("before its day: %d %v", n, err)
	}
	if n, err := b.dropUnnamed(ctx, time.Now().Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("%d files removed, %v", n, err)
	}
	for _, c := range []struct {
		file File
		gone bool
	}{{forgotten, true}, {sent, false}, {piped, false}, {made, false}} {
		r, _, err := b.Files().Get(ctx, c.file.Ref)
		if errors.Is(err, ErrNotFound) != c.gone {
			t.Errorf("%s: %v", c.file.Name, err)
		}
		if err == nil {
			must(0, r.Close())
		}
	}
	if n, err := b.dropUnnamed(ctx, time.Now().Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("again: %d %v", n, err)
	}
}

// A submission that comes after a sweep has looked wins: the sweep finds the mark changed.
func TestNamedWhileItIsSwept(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	f := must(b.Files().Bring(ctx, "a.csv", "", strings.NewReader("a")))
	id := strings.TrimPrefix(f.Ref, refPrefix)
	mark, revision, err := b.Cached(ctx, broughtKey(f.Ref))
	if err != nil || len(mark) == 0 {
		t.Fatal(err)
	}
	if err := b.Files().named(ctx, []File{f}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Recache(ctx, broughtKey(f.Ref), mark, revision); !errors.Is(err, ErrFenced) {
		t.Errorf("the mark that the sweep read is swapped: %v", err)
	}
	if gone, err := b.dropBrought(ctx, id, time.Now().Add(time.Hour)); gone || err != nil {
		t.Errorf("%v %v", gone, err)
	}
}

// Each file of a submission is looked after by itself, so there is a bound.
func TestSubmissionOfTooManyFiles(t *testing.T) {
	b := newBus(t)
	for n, refused := range map[int]bool{MaxFiles: false, MaxFiles + 1: true} {
		s := Submission{Query: "q", Files: slices.Repeat([]File{{Ref: "obj:one", Name: "one.csv"}}, n)}
		if _, err := b.Submit(within(t), "a1", s, ""); (err != nil) != refused {
			t.Errorf("%d files: %v", n, err)
		}
	}
}
