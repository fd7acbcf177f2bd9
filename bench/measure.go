package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// figures are what one run of a contender gave.
type figures struct {
	cpu        float64 // µs of processor time a task
	rate, wall float64 // tasks a second; seconds for all
	p50, p99   float64 // µs from handing a task over to having its answer
	// Memory in KiB a task, over what was resident before: the most; what was while all are held up; what was left after a rest.
	peak, held, left float64
}

const (
	// settle is how long a contender has, after the last answer, to finish what it does behind; that counts as well.
	settle = 200 * time.Millisecond
	// early is how long before the end of a hold is looked at what is resident.
	early = 2 * time.Second
)

// measure watches a process from outside while it carries out tasks. All memory that it does not use is given back first.
func (s *scene) measure(p *child, work func() ([]time.Duration, error)) (f figures, err error) {
	pid := p.cmd.Process.Pid
	time.Sleep(s.rest)
	if _, err := p.do(order{Collect: true}); err != nil {
		return f, err
	}
	before, _, err := memory(pid)
	if err != nil {
		return f, err
	}
	if err := forget(pid); err != nil {
		return f, err
	}
	held := make(chan int, 1)
	if s.hold > 0 {
		time.AfterFunc(s.hold-early, func() {
			now, _, _ := memory(pid) // if it cannot be read, the one after the end tells
			held <- now
		})
	} else {
		held <- before
	}
	cpuBefore, err := cpu(pid)
	if err != nil {
		return f, err
	}
	begun := time.Now()
	took, err := work()
	if err != nil {
		return f, err
	}
	wall := time.Since(begun)
	time.Sleep(settle)
	cpuAfter, err := cpu(pid)
	if err != nil {
		return f, err
	}
	_, peak, err := memory(pid)
	if err != nil {
		return f, err
	}
	time.Sleep(s.rest)
	if _, err := p.do(order{Collect: true}); err != nil {
		return f, err
	}
	left, _, err := memory(pid)
	if err != nil {
		return f, err
	}
	slices.Sort(took)
	n := float64(len(took))
	micros := func(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
	return figures{
		cpu: micros(cpuAfter-cpuBefore) / n, rate: n / wall.Seconds(), wall: wall.Seconds(),
		p50: micros(took[len(took)/2]), p99: micros(took[len(took)*99/100]),
		peak: float64(peak-before) / n, held: float64(<-held-before) / n, left: float64(left-before) / n,
	}, nil
}

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
