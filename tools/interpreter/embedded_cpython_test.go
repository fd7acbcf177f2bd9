//go:build cpython

package interpreter

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// folder is one that everybody may look into, also when we are root: the test's own is not always.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "hmap-test-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// The Python that came with the program is unpacked once, by however many want it at the same time, and runs in the sandbox with nothing of
// the system to read or to start.
func TestEmbedded(t *testing.T) {
	able(t)
	cache := folder(t)
	var all sync.WaitGroup
	for range 3 { // each in the place of a process of its own
		all.Go(func() {
			p := python{wanted: Embedded, cache: cache}
			if got, err := p.find(t.Context(), slog.New(slog.DiscardHandler)); err != nil || !strings.HasPrefix(got.Path, cache) {
				t.Error(got, err)
			}
		})
	}
	all.Wait()
	if left, err := filepath.Glob(filepath.Join(cache, "*")); err != nil || len(left) != 2 || !strings.HasPrefix(filepath.Base(left[0]), unpacked+release) || left[1] != left[0]+".lock" {
		t.Errorf("%v %v", left, err)
	}
	r := newRoom(t, Options{Python: Embedded, Cache: cache})
	for code, want := range map[string]string{
		"import sys; '%d.%d.%d' % sys.version_info[:3]":                                                               strings.SplitN(release, "-", 2)[0],
		"import sqlite3, ssl, json, decimal, ctypes; sqlite3.connect(':memory:').execute('select 6*7').fetchone()[0]": "42",
		"import os; [p for p in ('/usr', '/bin/sh', '/etc', '/home', '/proc') if os.path.exists(p)]":                  "[]",
		"args['n'] + 1": "8",
	} {
		if o, _ := r.outcome(Arguments{Code: code, Arguments: []byte(`{"n":7}`)}); o.Answer != want {
			t.Errorf("%s gives %q, want %q", code, o.Answer, want)
		}
	}
}

// One that was cut off in the middle leaves nothing that is taken for whole.
func TestEmbeddedCutOff(t *testing.T) {
	cache := folder(t)
	if err := os.MkdirAll(filepath.Join(cache, partly+"1", "python", "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := embedded(cache); err != nil {
		t.Error(err)
	} else if _, err := os.Stat(got.Path); err != nil {
		t.Error(err)
	}
}

func TestEmbeddedRelease(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil || !strings.Contains(string(mod), "github.com/kluctl/go-embed-python v0.0.0-"+release+"\n") {
		t.Errorf("go.mod does not want release %s: %v", release, err)
	}
}
