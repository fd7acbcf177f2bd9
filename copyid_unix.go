//go:build unix

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"syscall"
)

// copyID names a file as this machine's kernel knows it, so that two processes get the same name exactly when they may share the file as a
// SQLite database: its write-ahead log needs memory that both see. Containers with a common volume on one machine share it too.
func copyID(file string) string {
	machine, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		host, _ := os.Hostname() // what is left to tell machines apart where there is no /proc
		machine = []byte(host)
	}
	var s syscall.Stat_t
	if err := syscall.Stat(file, &s); err != nil {
		return "missing"
	}
	sum := sha256.Sum256(fmt.Appendf(machine, " %d %d", s.Dev, s.Ino))
	return hex.EncodeToString(sum[:6])
}
