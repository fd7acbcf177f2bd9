package tools

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// scratchLife is longer than any call takes: a folder that nothing was put into or taken out of for as long is nobody's any more.
const scratchLife = time.Hour

// Scratch makes a folder of its own for the files of one call, in the system's folder for such files. kind is a word for its name; the caller removes
// it. A process that is killed cannot: what such ones left behind of the kind goes when the next folder is made.
func Scratch(kind string) (string, error) {
	SweepScratch(kind)
	return os.MkdirTemp("", scratchName(kind))
}

// SweepScratch removes the folders of a kind that are an hour old; a house calls it when it begins.
func SweepScratch(kind string) {
	entries, err := os.ReadDir(os.TempDir())
	if err != nil {
		return // MkdirTemp tells it better
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchName(kind)) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > scratchLife {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), e.Name())) // another user's cannot be, and need not
		}
	}
}

func scratchName(kind string) string { return "hmap-" + kind + "-" }
