// Package sandbox runs a program that nobody trusts: code that a model or a stranger wrote. It has a small machine of its own, made of what
// Linux gives every user, and no privilege is needed to make it.
//
// # What holds
//
// The program sees a root of its own: system folders to read, /work and /tmp in memory to write, no /proc, no device but null and
// urandom. It has no network, sees no process but its own, and holds no file, no variable and no privilege of ours. Every wall that
// matters is built twice: a mount namespace and Landlock in front of files, a network namespace and seccomp in front of sockets, a
// pid namespace and seccomp in front of other processes. Seccomp lets through only the system calls on a list, so what the next
// kernel brings is not there.
//
// When it ends, for whatever reason, every process of it has ended and nothing of it is on disk. That holds also when we are killed:
// then it is killed.
//
// Bounds: wall time, CPU time of each process, memory of each process (by the kernel) and of all together (looked at every 20 ms, so that several
// processes may get beyond it for that long), bytes and number of files, output, processes.
//
// # What does not
//
// A hole in the kernel is a hole here. World-readable files of /usr can be read. The CPU is shared: a program may use all of it for
// its time.
//
// # Where
//
// Linux from 5.13 with unprivileged user namespaces and Landlock, on amd64 and arm64. Elsewhere, and where a container or AppArmor
// forbids namespaces, [Run] says [ErrUnsafe] and runs nothing.
package sandbox

import (
	"errors"
	"os"
	"time"
)

// ErrUnsafe is wrapped by errors of [Run] on a machine where not every wall can be built. The program has not begun.
var ErrUnsafe = errors.New("no safe sandbox on this machine")

// Self is the path, inside, of the program that we are ourselves.
const Self = "/self"

// Dir is where files are put, where the program begins, and where it leaves what it has made.
const Dir = "/work"

// Job is a program to be run.
type Job struct {
	Args []string // Args[0] is the absolute path of the program, the same inside as outside, or Self
	Env  []string // all of it; nothing of ours is added
	// Show lists folders and files outside the system's own (/usr, /lib…) that the program may read, at the same path; what is not there is not shown. They must be readable for
	// everybody when we are root, for the program is nobody then.
	Show []string
	// Bare hides the system's own folders: the program sees Show and nothing else to read.
	Bare   bool
	Files  []File // what stands in /work at the start
	Limits Limits
	// Output is told what the program writes, standard output and error in one, as it comes and never from two goroutines at once; the bytes are its own only
	// for the time of the call. Together at most Limits.Output.
	Output func([]byte)
	// Collect looks at /work after the program has ended. It may hold anything: links, pipes, hostile names. nil: nobody looks.
	Collect func(work *os.Root) error
}

// Placed is when the files of a job were last written, as the program sees it: what it writes again is known by that, were it the same once more.
var Placed = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// File is a file of /work. Its name has no folder.
type File struct {
	Name string
	Data []byte
}

// Limits bound a job; zero fields mean the defaults named.
type Limits struct {
	Time      time.Duration // from start to end, and CPU time of each process; 60 s
	Memory    int64         // bytes of all processes together; 512 MiB
	Disk      int64         // bytes of all files together, which lie in memory; 64 MiB
	Files     int           // files, folders and links together; 1024
	Output    int64         // bytes; 256 KiB
	Processes int           // with threads; 32
}

// Filled are the limits with the defaults in the place of zeros.
func (l Limits) Filled() Limits {
	if l.Time <= 0 {
		l.Time = time.Minute
	}
	if l.Memory <= 0 {
		l.Memory = 512 << 20
	}
	if l.Disk <= 0 {
		l.Disk = 64 << 20
	}
	if l.Files <= 0 {
		l.Files = 1024
	}
	if l.Output <= 0 {
		l.Output = 256 << 10
	}
	if l.Processes <= 0 {
		l.Processes = 32
	}
	return l
}

// Bound is the limit that ended a job.
type Bound string

// The bounds. Files and bytes of /work are no ends: writing fails inside.
const (
	Time   Bound = "time"
	Memory Bound = "memory"
	Output Bound = "output"
)

// Result is how a job ended.
type Result struct {
	Exit   int           // the program's status; -1 when it was killed
	Bound  Bound         // what it was killed for; "": nothing of ours
	Signal string        // what killed it otherwise, e.g. "segmentation fault"; ""
	Took   time.Duration // wall time of the program, without the making of its walls
	CPU    time.Duration // of all its processes
}
