package bus

import (
	"errors"
	"os"
	"path/filepath"
)

// replaceFile writes a file for its owner only, whole or not at all, also when the power is cut.
func replaceFile(path string, body []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // mode 0600
	if err != nil {
		return err
	}
	if _, err = tmp.Write(body); err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return err
	}
	// Not every system syncs a folder; then the old file may come back after a power cut, whole.
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// syncFile waits until a file that somebody wrote is on disk.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // some systems sync only for those who may write
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
