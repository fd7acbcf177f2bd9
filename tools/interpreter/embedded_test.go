package interpreter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A release in a folder that cannot be written to is used as it lies there; where there is none the error says so.
func TestReleaseInAReadOnlyFolder(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "cache", "cpython-3")
	if hold, err := keep(home); err != nil || hold == nil {
		t.Fatal(hold, err)
	} else if err := hold.Close(); err != nil {
		t.Error(err)
	}
	// What stands for no right to write, which a test that runs as root has everywhere: the lock cannot be opened.
	if err := os.Remove(home + ".lock"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(home+".lock", 0o755); err != nil {
		t.Fatal(err)
	}
	if hold, err := keep(home); err == nil || !strings.Contains(err.Error(), "not unpacked yet, and its folder cannot be written to") {
		t.Error(hold, err)
	}
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	if hold, err := keep(home); err != nil || hold != nil {
		t.Error(hold, err)
	}
}
