package bus

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// One alone, or any number together; who lets go by closing lets the next one in, and a file that somebody left there holds nobody up.
func TestLockFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(path, []byte("left by a dead one"), 0o600); err != nil {
		t.Fatal(err)
	}
	take := func(shared bool) *os.File {
		t.Helper()
		f, err := LockFile(path, shared)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	refused := func(shared bool) {
		t.Helper()
		if f, err := LockFile(path, shared); f != nil || !errors.Is(err, ErrLocked) {
			t.Errorf("shared %v: %v %v", shared, f, err)
		}
	}
	release := func(f *os.File) {
		t.Helper()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	alone := take(false)
	refused(false)
	refused(true)
	release(alone)
	one, other := take(true), take(true)
	refused(false)
	release(one)
	refused(false)
	release(other)
	release(take(false))
	if _, err := LockFile(filepath.Join(t.TempDir(), "nowhere", "lock"), false); err == nil || errors.Is(err, ErrLocked) {
		t.Error(err)
	}
}
