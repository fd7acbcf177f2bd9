package tools

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Folders that killed processes have left go with the next one; those of calls under way, of other kinds, and files, stay.
func TestScratchSweeps(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	old := time.Now().Add(-2 * scratchLife)
	left := map[string]bool{"hmap-table-1": false, "hmap-table-young": true, "hmap-other-1": true, "hmap-tables": true}
	for name := range left {
		dir := filepath.Join(os.TempDir(), name)
		if err := os.MkdirAll(filepath.Join(dir, "in", "it"), 0o700); err != nil {
			t.Fatal(err)
		}
		if name != "hmap-table-young" {
			if err := os.Chtimes(dir, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	outside := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(os.TempDir(), "hmap-table-link")); err != nil {
		t.Fatal(err)
	}
	dir, err := Scratch("table")
	if err != nil {
		t.Fatal(err)
	}
	left[filepath.Base(dir)], left["hmap-table-link"] = true, true
	for name, stays := range left {
		if _, err := os.Lstat(filepath.Join(os.TempDir(), name)); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}
