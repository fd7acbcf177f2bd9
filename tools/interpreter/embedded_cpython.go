//go:build cpython

package interpreter

import (
	"errors"
	"os"

	bundle "github.com/kluctl/go-embed-python/python"
)

// release is that of the module in go.mod; a test compares them.
const release = "3.14.6-20260610-1"

// unpack puts the embedded Python into a folder that is not there yet: 1.2 s for some 150 MB.
func unpack(dir string) error {
	_, err := bundle.NewEmbeddedPythonWithTmpDir(dir, false)
	return errors.Join(err, os.Remove(dir+".lock")) // which the library leaves
}
