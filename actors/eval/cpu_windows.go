package eval

import (
	"syscall"
	"time"
)

// processor is how long processors have worked for this process, its garbage collector included; 0 when the system does not say.
func processor() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	me, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(me, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	hundreds := func(f syscall.Filetime) int64 { return int64(f.HighDateTime)<<32 | int64(f.LowDateTime) } // of nanoseconds
	return time.Duration(100 * (hundreds(kernel) + hundreds(user)))
}
