//go:build linux

package terminal

import (
	"os"
	"testing"
)

func TestLively(t *testing.T) {
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	defer pty.Close()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		term string
		f    *os.File
		want bool
	}{{"xterm-256color", pty, true}, {"", pty, true}, {"dumb", pty, false}, {"xterm-256color", file, false}} {
		t.Setenv("TERM", c.term)
		if got := Lively(c.f); got != c.want {
			t.Errorf("TERM=%q, %s: lively %v, want %v", c.term, c.f.Name(), got, c.want)
		}
	}
}
