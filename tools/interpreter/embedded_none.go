//go:build !cpython

package interpreter

import "errors"

const release = ""

func unpack(string) error { return errors.ErrUnsupported }
