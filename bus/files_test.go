package bus

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

func TestFiles(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	content := bytes.Repeat([]byte("报告\n"), 50_000) // several chunks
	f, err := b.Files().Put(ctx, "../报告.md", "text/markdown", "of June", iotest.HalfReader(bytes.NewReader(content)))
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "报告.md" || f.Bytes != int64(len(content)) || !strings.HasPrefix(f.Ref, "obj:") {
		t.Errorf("put %+v", f)
	}
	r, got, err := beside(t, b).Files().Get(ctx, f.Ref)
	if err != nil {
		t.Fatal(err)
	}
	back, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil || !bytes.Equal(back, content) || got != f {
		t.Errorf("got %+v and %d bytes, %v", got, len(back), err)
	}
	elsewhere := connect(t, Options{Server: b.o.Server, Tenant: "elsewhere"})
	for _, ref := range []string{f.Ref} {
		if _, _, err := elsewhere.Files().Get(ctx, ref); !errors.Is(err, ErrNotFound) {
			t.Errorf("another tenant gets %s: %v", ref, err)
		}
	}
	for _, ref := range []string{"", "obj:", "obj:none", "obj:../" + f.Ref, strings.TrimPrefix(f.Ref, "obj:"), "obj:*"} {
		if _, _, err := b.Files().Get(ctx, ref); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v, want ErrNotFound", ref, err)
		}
	}
	if err := b.Files().Delete(ctx, f.Ref); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Files().Get(ctx, f.Ref); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted: %v, want ErrNotFound", err)
	}
	if err := b.Files().Delete(ctx, f.Ref); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleted twice: %v, want ErrNotFound", err)
	}
	if s := must(b.js.Stream(ctx, "OBJ_"+FilesStore)).CachedInfo().State; s.Msgs != 0 {
		t.Errorf("%d messages are left", s.Msgs)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

type readerFunc func()

func (f readerFunc) Read([]byte) (int, error) { f(); return 0, io.EOF }

// What fails in the middle, or never ends, leaves nothing in the store.
func TestFilesCut(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	var cut io.Reader
	for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF} { // the second is what a body that is cut off ends in
		cut = io.MultiReader(bytes.NewReader(make([]byte, 300<<10)), iotest.ErrReader(broken))
		if f, err := b.Files().Put(ctx, "f", "", "", cut); !errors.Is(err, broken) {
			t.Errorf("%+v, %v, want the reader's error, %v", f, err, broken)
		}
	}
	if _, err := b.Files().Put(ctx, "f", "", "", endless{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v, want ErrTooLarge", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cut = io.MultiReader(bytes.NewReader(make([]byte, 300<<10)), readerFunc(func() { cancel() }), endless{})
	if _, err := b.Files().Put(gone, "f", "", "", cut); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want Canceled", err)
	}
	if s := must(b.js.Stream(ctx, "OBJ_"+FilesStore)).CachedInfo().State; s.Msgs != 0 {
		t.Errorf("%d messages are left", s.Msgs)
	}
}

// Many files at once leave no goroutine behind, which TestMain looks for: one in eighty did when nats.go stored them.
func TestFilesAtOnce(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for range 60 {
				if _, err := b.Files().Put(ctx, "f", "", "", strings.NewReader("x")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"": "file", "..": "file", "/": "file", "a/b.txt": "b.txt", `c:\x\y.doc`: "y.doc", "a\x00b\n.txt": "ab.txt", "报告.md": "报告.md",
		strings.Repeat("长", 100) + ".html": strings.Repeat("长", 65) + ".html", "\xff": "file",
	} {
		if got := fileName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
