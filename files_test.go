package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/hmap-project/hmap/bus"
)

// Files of a session are listed and fetched from the command line, without a server; nothing is overwritten that nobody named.
func TestFilesCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, b := bare(t, dir, "")
	f, err := b.Files().Put(t.Context(), "销售.csv", "text/csv", "", strings.NewReader("日期,额\n2026-01-01,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	odd, err := b.Files().Put(t.Context(), "..", "", "\x1b[31mred", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	r := bus.Record{Kind: bus.KindRequest, Session: "s1", Task: "t1", Call: "t1", Agent: "master"}
	r.Request = &bus.Request{Session: "s1", Task: "t1", Call: "t1", ToolName: "master", JobDesc: "x", Files: []bus.File{f, odd}}
	if _, err := b.Append(t.Context(), &r, 0); err != nil {
		t.Fatal(err)
	}
	b.Close()
	s.Stop()

	out, errs, code := hmap(t, dir, "files", "s1")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != 0 || len(lines) != 3 || !strings.HasPrefix(lines[1], f.Ref) || !strings.Contains(lines[1], "销售.csv") || strings.Contains(out, "\x1b") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code = hmap(t, dir, "files", "list", "s1", "--json"); code != 0 || !strings.Contains(out, `"name": "销售.csv"`) {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code = hmap(t, dir, "files", "get", "销售.csv", "--session", "s1", "-o", "-"); code != 0 || out != "日期,额\n2026-01-01,5\n" {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code = hmap(t, dir, "files", "get", "-o", "-", "other.csv", "--session", "s1"); code != exitFailed || !strings.Contains(errs, "session s1 has no file other.csv; it has ") || !strings.Contains(errs, "销售.csv") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code = hmap(t, dir, "files", "get", "s1", "销售.csv", "-o", "-"); code != 0 || out != "日期,额\n2026-01-01,5\n" { // as files list names them
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code = hmap(t, dir, "files", "nobody"); code != exitFailed || !strings.Contains(errs, "no session") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if out, errs, code = hmap(t, dir, "files", "get", f.Ref, "-o", "-"); code != 0 || out != "日期,额\n2026-01-01,5\n" {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	to := filepath.Join(dir, "here.csv")
	if out, errs, code = hmap(t, dir, "files", "get", f.Ref, "-o", to); code != 0 || !strings.Contains(out, "(24 bytes)") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if body, err := os.ReadFile(to); err != nil || len(body) != 24 {
		t.Error(len(body), err)
	}
	if out, errs, code = hmap(t, dir, "files", "get", "obj:nothing", "-o", to); code != exitFailed || !strings.Contains(errs, "no file obj:nothing") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if body, err := os.ReadFile(to); err != nil || len(body) != 24 {
		t.Error("what was not fetched replaced a file", len(body), err)
	}
}

// Every file that cannot be brought is told, and nothing is asked without it.
func TestAskFilesThatAreNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	large := filepath.Join(dir, "large.csv")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, bus.MaxFile+1); err != nil {
		t.Fatal(err)
	}
	_, errs, code := hmap(t, dir, "ask", "--file", filepath.Join(dir, "none.csv"), "--file", dir, "--file", large, "--file", filepath.Join(dir, "nowhere.csv"), "x")
	for _, want := range []string{"none.csv: no such file", dir + " is a folder", "large.csv is larger than 64 MiB", "nowhere.csv: no such file"} {
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%d, no %q:\n%s", code, want, errs)
		}
	}
}

// What was brought for a request that is refused is not kept.
func TestAskFileRefused(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	config, file := filepath.Join(dir, "small.yaml"), filepath.Join(dir, "a.csv")
	for name, text := range map[string]string{config: "limits: {queue: 1}\n", file: "a,b\n1,2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, b := bare(t, dir, "127.0.0.1:0")
	if _, err := b.Submit(t.Context(), "master", bus.Submission{Query: "first"}, ""); err != nil {
		t.Fatal(err)
	}
	out, errs, code := hmap(t, dir, "--config", config, "ask", "--file", file, "x")
	if code != exitFailed || !strings.Contains(errs, "limits.queue") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	js, err := jetstream.New(b.Conn())
	if err != nil {
		t.Fatal(err)
	}
	store, err := js.Stream(t.Context(), "OBJ_"+bus.FilesStore)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := store.Info(t.Context()); err != nil || info.State.Msgs != 0 {
		t.Errorf("%+v are left, %v", info.State, err)
	}
}
