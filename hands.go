package main

import (
	"github.com/hmap-project/hmap/tools"
	"github.com/hmap-project/hmap/tools/files"
	"github.com/hmap-project/hmap/tools/interpreter"
	"github.com/hmap-project/hmap/tools/interpreter/sandbox"
	"github.com/hmap-project/hmap/tools/planning"
	"github.com/hmap-project/hmap/tools/saved"
)

// Code runs in this program started anew, which must then do nothing else, whoever starts it: main or a test.
func init() { interpreter.Enter() }

// handTools are the tools for any session, whatever the shop: code, files, plans, and the saving of tools.
func (h *house) handTools() []tools.Tool {
	c := h.config.Interpreter
	code := interpreter.New(interpreter.Options{
		Python: c.Python, Keep: c.Files, AtOnce: c.AtOnce, Log: h.log,
		Limits: sandbox.Limits{Time: c.Time, Memory: c.Memory, Disk: c.Disk, Output: c.Output},
	})
	return append(files.Tools(), code.Tool(), saved.Tool(h.bus), planning.Tool(h.bus))
}
