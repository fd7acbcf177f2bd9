package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpu is the processor time that a process has taken so far, of all its threads, its own and the kernel's for it. It is read from
// outside, by the process's CPU clock (clock_getcpuclockid(3)), which counts nanoseconds where /proc/PID/stat counts ticks of 10 ms.
func cpu(pid int) (time.Duration, error) {
	const scheduled = 2 // CPUCLOCK_SCHED of the kernel: time on a processor
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
		return 0, fmt.Errorf("CPU clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// memory gives what of a process is resident, and the most that was since [forget], in KiB.
func memory(pid int) (now, peak int, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	if now, err = field(status, "VmRSS:"); err != nil {
		return 0, 0, err
	}
	peak, err = field(status, "VmHWM:")
	return now, peak, err
}

func field(status []byte, name string) (int, error) {
	_, rest, ok := bytes.Cut(status, []byte(name))
	fields := bytes.Fields(rest)
	if !ok || len(fields) == 0 {
		return 0, fmt.Errorf("no %s in the status of the process", name)
	}
	return strconv.Atoi(string(fields[0]))
}

// forget lets the peak of a process begin anew (proc(5), clear_refs).
func forget(pid int) error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
}
