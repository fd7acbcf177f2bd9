package main

import (
	"os"
	"path/filepath"

	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/files"
	"github.com/hmap-project/hmap/tools/interpreter"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
	"github.com/hmap-project/hmap/tools/planning"
	"github.com/hmap-project/hmap/tools/saved"
)

// Code runs in this program started anew, which must then do nothing else, whoever starts it: main or a test.
func init() { interpreter.Enter() }

// pythonCache is where the embedded Python is unpacked: in the data folder, or, since code of root's runs as nobody, where everybody may look.
func pythonCache(data string) string {
	if os.Geteuid() == 0 {
		return "/var/cache/hmap"
	}
	return filepath.Join(data, "cache")
}

// handTools are the tools for any session, whatever the shop: code, files, plans, and the saving of tools.
func (h *house) handTools() []tools.Tool {
	c := h.config.Interpreter
	code := interpreter.New(interpreter.Options{
		Python: c.Python, Cache: pythonCache(h.config.Data), Keep: c.Files, AtOnce: c.AtOnce, Log: h.log,
		Limits: sandbox.Limits{Time: c.Time, Memory: c.Memory, Disk: c.Disk, Output: c.Output},
	})
	return append(files.Tools(), code.Tool(), saved.Tool(h.bus), planning.Tool(h.bus))
}
