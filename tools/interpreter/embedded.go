package interpreter

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Embedded, as [Options.Python], is the CPython that programs built with the tag cpython have in them.
const Embedded = "embedded"

// embedded is that Python, unpacked on disk: in a folder of its release that is there whole or not at all, so that any number of processes
// may want it at once. It sees nothing of the system but the C library.
func embedded(cache string) (*installed, error) {
	switch {
	case release == "":
		return nil, errors.New("this program was built without a Python of its own (go build -tags cpython)")
	case cache == "":
		return nil, errors.New("there is no folder to unpack the embedded Python in")
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return nil, err
	}
	home := filepath.Join(cache, unpacked+release+"-"+runtime.GOOS+"-"+runtime.GOARCH)
	hold, err := keep(home)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(home); err != nil {
		if err := unpackInto(cache, home); err != nil {
			return nil, fmt.Errorf("unpack the embedded Python: %w", err)
		}
	}
	tidy(cache, home)
	path := filepath.Join(home, "bin", "python3") // as it is called it looks for its library beside it
	needs, err := needed(path)
	if err != nil {
		return nil, err
	}
	return &installed{Path: path, Show: append(needs, home), Bare: true, hold: hold}, nil
}

// keep keeps others from removing a release as long as the file is open. nil: it lies in a folder that cannot be written to, from which nobody removes it. The
// error says what is in the way.
func keep(home string) (*os.File, error) {
	err := os.MkdirAll(filepath.Dir(home), 0o755)
	if err == nil {
		var hold *os.File
		if hold, err = bus.LockFile(home+".lock", true); err == nil {
			return hold, nil
		}
	}
	if errors.Is(err, bus.ErrLocked) {
		return nil, errors.New("the embedded Python is being removed by another hmap; try again")
	}
	if info, gone := os.Stat(home); gone == nil && info.IsDir() {
		return nil, nil
	}
	return nil, fmt.Errorf("the embedded Python is not unpacked yet, and its folder cannot be written to: %w", err)
}

const (
	unpacked = "cpython-"    // begins the names of folders with a release
	partly   = ".unpacking-" // and of those that are being unpacked, or removed
)

// tidy removes the releases that no process uses any more: each that does holds the lock of its own, shared.
func tidy(cache, home string) {
	all, err := os.ReadDir(cache)
	if err != nil {
		return
	}
	for _, e := range all {
		path := filepath.Join(cache, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), unpacked) || path == home {
			continue
		}
		lock, err := bus.LockFile(path+".lock", false)
		if err != nil {
			continue
		}
		if away, err := os.MkdirTemp(cache, partly); err == nil { // whole, and at once: nobody shall find half of one
			if os.Rename(path, filepath.Join(away, "old")) == nil {
				_ = os.RemoveAll(away)
			} else {
				_ = os.Remove(away)
			}
		}
		_ = lock.Close()
	}
}

// unpackInto makes home. Of several that do so at once the first is taken, and what a dead one left is removed.
func unpackInto(cache, home string) error {
	if left, err := filepath.Glob(filepath.Join(cache, partly+"*")); err == nil {
		for _, path := range left {
			if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > time.Hour {
				_ = os.RemoveAll(path) // the next one will try again
			}
		}
	}
	own, err := os.MkdirTemp(cache, partly)
	if err != nil {
		return err
	}
	defer os.RemoveAll(own)
	made := filepath.Join(own, "python")
	if err := unpack(made); err != nil {
		return err
	}
	if err := os.Rename(made, home); err != nil {
		if _, there := os.Stat(home); there != nil {
			return err
		}
	}
	return nil
}

// libraryFolders are where Linux keeps the C library, on the machines that there is an embedded Python for.
var libraryFolders = []string{"/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"}

// needed are the files that a program of Linux is loaded with: its loader and the shared libraries that it names, with the links that lead
// to them. None elsewhere.
func needed(program string) ([]string, error) {
	if runtime.GOOS != "linux" {
		return nil, nil
	}
	f, err := elf.Open(program)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.ImportedLibraries()
	if err != nil {
		return nil, err
	}
	var show []string
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			text, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
			if err != nil {
				return nil, err
			}
			show = append(show, chain(strings.TrimRight(string(text), "\x00"))...)
		}
	}
	for _, name := range names {
		i := slices.IndexFunc(libraryFolders, func(dir string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err == nil
		})
		if i >= 0 {
			show = append(show, chain(filepath.Join(libraryFolders[i], name))...)
		}
	}
	return show, nil
}

// chain is a path and, while it is a link, where it leads.
func chain(path string) (out []string) {
	for range 8 {
		out = append(out, path)
		to, err := os.Readlink(path)
		if err != nil {
			return out
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return out
}
