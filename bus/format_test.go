package bus

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unpack gives a data folder that an earlier version left: two sessions, of which the one's task has ended and the other's waits for an answer.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	dir := t.TempDir()
	for r := tar.NewReader(must(gzip.NewReader(f))); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o700)
		} else {
			err = os.WriteFile(path, must(io.ReadAll(r)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestUpgradeFromFormat0(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} { // also when its index of open tasks is gone
		dir := unpack(t, "format0.tar.gz")
		if lost {
			if err := os.RemoveAll(filepath.Join(dir, streamsFolder, openStream)); err != nil {
				t.Fatal(err)
			}
		}
		s := startServer(t, ServerOptions{Dir: dir})
		b := connect(t, Options{Server: s})
		ctx := within(t)
		if got := must(b.js.Stream(ctx, LogStream)).CachedInfo().Config.Metadata[formatKey]; got != "1" {
			t.Errorf("the stream has format %q", got)
		}
		if format, _, err := readFormat(dir); format != Format || err != nil {
			t.Errorf("the folder has format %d, %v", format, err)
		}
		done := must(b.Read(ctx, Where{Session: "s1"}, 0))
		if len(done) == 0 || done[len(done)-1].Kind != KindResponse || !strings.Contains(string(done[len(done)-1].Observation), "王萍萍") {
			t.Errorf("the task that had ended: %d records, the last %+v", len(done), done)
		}
		open := must(b.OpenTasks(ctx))
		if len(open) != 1 || open[0].Session != "s2" || open[0].Agent != "master" {
			t.Fatalf("open %+v", open)
		}
		// Its log goes on where it was.
		w := Where{"s2", open[0].Task, open[0].Task}
		before := must(b.Last(ctx, w))
		if before.Kind != KindAsk {
			t.Errorf("the task that waits ends with %+v", before)
		}
		next := record(w.Session, w.Task, w.Call, KindResponse)
		next.Status = OK
		if _, err := b.Append(ctx, next, before.Seq); err != nil {
			t.Error(err)
		}
		if recs, err := b.Read(ctx, w, 0); err != nil || recs[0].Kind != KindRequest {
			t.Errorf("%v, %v", recs, err)
		}
		b.Close()
		s.Stop()
	}
}

func TestNewerFormatIsRefused(t *testing.T) {
	dir := unpack(t, "format0.tar.gz")
	for content, want := range map[string]error{"2\n": ErrNewer, "99": ErrNewer} {
		if err := os.WriteFile(formatFile(dir), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := StartServer(ServerOptions{Dir: dir}); !errors.Is(err, want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("format %q: %v", content, err)
		}
	}
	if err := os.WriteFile(formatFile(dir), []byte("-1 or so"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := StartServer(ServerOptions{Dir: dir}); err == nil || !strings.Contains(err.Error(), formatFile(dir)) {
		t.Errorf("no number: %v", err)
	}
	if len(must(filepath.Glob(sealFile(dir)))) > 0 {
		t.Error("the folder was opened")
	}
}

// On a cluster an old node finds the format in the stream.
func TestNewerFormatOfAStreamIsRefused(t *testing.T) {
	b := newBus(t)
	config := must(b.js.Stream(within(t), LogStream)).CachedInfo().Config
	config.Metadata[formatKey] = "2"
	must(b.js.UpdateStream(within(t), config))
	other, err := Connect(within(t), Options{Server: b.o.Server})
	if err == nil {
		other.Close()
	}
	if !errors.Is(err, ErrNewer) {
		t.Errorf("%v, want ErrNewer", err)
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range []string{"", "0", "1\n", " 7 ", "-1", "99999999999999999999", "1.0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := parseFormat(s); n < 0 || err != nil && n != 0 {
			t.Errorf("%q: %d, %v", s, n, err)
		}
	})
}
