//go:build unix

package learn

import (
	"syscall"
	"testing"
	"time"
)

// spent is the CPU time of this process: what a busy machine cannot change.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
