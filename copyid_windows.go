package main

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// copyID names a file by its machine and path: processes that may share it as a SQLite database get the same name.
func copyID(file string) string {
	host, _ := os.Hostname()
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	sum := sha256.Sum256([]byte(host + " " + file))
	return hex.EncodeToString(sum[:6])
}
