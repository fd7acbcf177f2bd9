//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// lookEvery is how often memory is looked at. A process touches new memory at some 2 GB/s, so that 32 of them on two cores get some 80 MB
// beyond the bound.
const lookEvery = 20 * time.Millisecond

// keeper holds a running job to its bounds.
type keeper struct {
	pid    int
	kill   func() error
	limits Limits

	mu     sync.Mutex
	killed bool
	bound  Bound
}

// end kills the job, and so all its processes. The first reason counts.
func (k *keeper) end(b Bound) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.killed {
		k.killed, k.bound = true, b
	}
	_ = k.kill() // it may have ended by itself
}

// read hands on what the program writes, up to the bound, and kills a program that goes beyond.
func (k *keeper) read(from io.Reader, tell func([]byte)) {
	left := k.limits.Output
	text := make([]byte, 16<<10)
	for {
		n, err := from.Read(text)
		if fits := min(int64(n), left); fits > 0 && tell != nil {
			tell(text[:fits])
		}
		if left -= int64(n); left < 0 {
			left = 0
			k.end(Output)
		}
		if err != nil {
			return
		}
	}
}

// watch kills the job when its processes together take more memory than they may.
func (k *keeper) watch(ended <-chan struct{}) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	buffer := socketBuffer()
	for {
		select {
		case <-ended:
			return
		case <-tick.C:
			if resident(k.pid, 0)+sockets(k.pid)*buffer > k.limits.Memory {
				k.end(Memory)
			}
		}
	}
}

// socketBuffer is what a socket may hold that nobody has read, in bytes: memory of the kernel, which counts as no process's.
func socketBuffer() int64 {
	const usual = 208 << 10
	text, err := os.ReadFile("/proc/sys/net/core/wmem_default")
	if err != nil {
		return usual // in some containers it is not shown
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return usual
	}
	return n
}

// sockets are those of a job, which has a network namespace of its own; also those that are on their way from one process to another.
func sockets(pid int) (n int64) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/net/sockstat")
	if err != nil {
		return 0 // it has just ended
	}
	if _, err := fmt.Fscanf(bytes.NewReader(text), "sockets: used %d", &n); err != nil {
		return 0
	}
	return n
}

// resident is the memory of a process and of those it started, in bytes. Whoever loses its parent gets the first process of the namespace for
// one, so all are below that.
func resident(pid, depth int) (sum int64) {
	const deepest = 64 // more processes than a job may have
	proc := "/proc/" + strconv.Itoa(pid)
	text, err := os.ReadFile(proc + "/statm")
	if err != nil || depth > deepest {
		return 0 // it has just ended
	}
	var total, pages int64
	if _, err := fmt.Fscan(bytes.NewReader(text), &total, &pages); err == nil {
		sum = pages * int64(os.Getpagesize())
	}
	threads, err := os.ReadDir(proc + "/task")
	if err != nil {
		return sum
	}
	for _, t := range threads {
		children, err := os.ReadFile(proc + "/task/" + t.Name() + "/children")
		if err != nil {
			continue
		}
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				sum += resident(n, depth+1)
			}
		}
	}
	return sum
}

// judge says how the job ended.
func (k *keeper) judge(state *os.ProcessState, waited error) (Result, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r := Result{Exit: state.ExitCode(), Bound: k.bound}
	if exit := (*exec.ExitError)(nil); waited != nil && !errors.As(waited, &exit) {
		return r, fmt.Errorf("sandbox: %w", waited)
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		r.Bound = "" // it was done before it could be killed
		return r, nil
	}
	if r.Bound == "" {
		switch status.Signal() {
		case syscall.SIGXCPU:
			r.Bound = Time
		case syscall.SIGKILL: // by the kernel: its CPU time was up, or the machine has no memory
			r.Bound = Memory
			if state.UserTime()+state.SystemTime() >= k.limits.Time {
				r.Bound = Time
			}
		default:
			r.Signal = status.Signal().String()
		}
	}
	return r, nil
}
