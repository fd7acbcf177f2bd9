// Package crash gives tests what a kill leaves behind. It imports nothing of the bus, so that the bus's own tests can use it.
package crash

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Copy is a folder with what is in dir, as whoever writes there would leave it if it were killed now. The server goes on writing meanwhile: a file that
// it writes under a passing name and then renames may be gone before it is read, and is left out as a kill a moment later would have it.
func Copy(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != dir {
			return nil
		} else if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}
