package bus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrLocked: another process, or another part of this one, holds the file. See [LockFile].
var ErrLocked = errors.New("somebody else has it locked")

// LockFile opens a file, which is made when it is not there, and locks it until it is closed or the process ends, however it ends: no lock is
// ever left behind. Many may hold one that is shared, as long as nobody holds it alone. It does not wait: [ErrLocked] when it cannot
// be had now. The file stays; to remove it would let two have it, each its own.
func LockFile(path string, shared bool) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f, shared); err != nil {
		_ = f.Close()
		if errors.Is(err, ErrLocked) {
			return nil, ErrLocked
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// lockDir takes a data directory for this process.
func lockDir(dir string) (*os.File, error) {
	f, err := LockFile(filepath.Join(dir, "lock"), false)
	switch {
	case errors.Is(err, ErrLocked):
		return nil, inUse(dir)
	case err != nil:
		return nil, fmt.Errorf("data directory: %w", err)
	}
	return f, nil
}
