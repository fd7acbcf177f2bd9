//go:build unix

package eval

import (
	"syscall"
	"time"
)

// processor is how long processors have worked for this process, its garbage collector included; 0 when the system does not say.
func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
