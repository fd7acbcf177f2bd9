package interpreter

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hmap-project/hmap/bus"
)

// A release that nobody uses is removed; one that a process has is not, nor is what is none.
func TestTidy(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	at := func(name string) string { return filepath.Join(cache, name) }
	for _, name := range []string{"cpython-1", "cpython-2", "cpython-3", "other"} {
		if err := os.MkdirAll(filepath.Join(at(name), "bin"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	used, err := bus.LockFile(at("cpython-2.lock"), true)
	if err != nil {
		t.Fatal(err)
	}
	tidy(cache, at("cpython-3"))
	for name, want := range map[string]bool{"cpython-1": false, "cpython-2": true, "cpython-3": true, "other": true} {
		if _, err := os.Stat(at(name)); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", name, err, want)
		}
	}
	if err := used.Close(); err != nil {
		t.Fatal(err)
	}
	tidy(cache, at("cpython-3"))
	if _, err := os.Stat(at("cpython-2")); err == nil {
		t.Error("nobody uses it any more")
	}
	if left, err := filepath.Glob(at(partly + "*")); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
