//go:build amd64 || arm64

package sandbox

import "golang.org/x/sys/unix"

// Where things lie in struct seccomp_data; the arguments are 64 bits wide, and the low half comes first on both architectures.
const (
	atCall     = 0
	atArch     = 4
	atArgument = 16 // and 8 more for each further one
)

// allowed are the system calls of an ordinary program that works on files and thinks. Numbers differ by architecture, names hardly: what only amd64 has is
// in seccomp_linux_amd64.go.
var allowed = []uint32{
	// files
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV, unix.SYS_PREADV2,
	unix.SYS_PWRITEV2, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_LSEEK, unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS,
	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR,
	unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKNODAT, unix.SYS_FCHMOD, unix.SYS_FCHMODAT,
	unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UMASK, unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
	unix.SYS_UTIMENSAT, unix.SYS_FLOCK, unix.SYS_FCNTL, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2, unix.SYS_SENDFILE, unix.SYS_COPY_FILE_RANGE, unix.SYS_FADVISE64,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR,
	// memory
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_BRK, unix.SYS_MSYNC, unix.SYS_MINCORE, unix.SYS_MEMBARRIER,
	// threads, processes, signals; its own, for others it cannot see
	unix.SYS_FUTEX, unix.SYS_RSEQ, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY,
	unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER, unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_GETPRIORITY,
	unix.SYS_SETPRIORITY, unix.SYS_EXECVE, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGQUEUEINFO,
	unix.SYS_SIGALTSTACK, unix.SYS_RESTART_SYSCALL, unix.SYS_PRCTL, unix.SYS_PRLIMIT64, unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_SETSID, unix.SYS_SETPGID,
	unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID,
	unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS,
	// time and waiting
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETITIMER, unix.SYS_SETITIMER,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME,
	unix.SYS_TIMERFD_GETTIME, unix.SYS_EVENTFD2, unix.SYS_SIGNALFD4, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	// pairs of sockets, with which asyncio wakes itself
	unix.SYS_SENDTO, unix.SYS_RECVFROM, unix.SYS_SENDMSG, unix.SYS_RECVMSG, unix.SYS_SHUTDOWN, unix.SYS_GETSOCKOPT, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME,
	// the machine
	unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_GETRANDOM, unix.SYS_GETCPU,
}

// refused are answered with "operation not permitted", which people understand. All others do not exist (ENOSYS): libraries then take another way.
var refused = []uint32{
	unix.SYS_SOCKET, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_BPF,
	unix.SYS_IO_URING_SETUP, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN,
	unix.SYS_MEMFD_CREATE, // its memory would be nobody's, and so beyond every bound
}

// From <asm-generic/ioctls.h>, which both architectures use.
const (
	fionbio  = 0x5421
	fionclex = 0x5450
	fioclex  = 0x5451
)

// ioctls that may be asked of what a program can have open: a pipe, a file, null.
var ioctls = []uint32{unix.TCGETS, unix.TIOCGWINSZ, unix.TIOCINQ, fionbio, fioclex, fionclex}

// namespaces are the flags of clone that would make new ones.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// seccompFilter is the program with which the kernel judges each system call.
func seccompFilter() []unix.SockFilter {
	var f filter
	f.load(atArch)
	f.unless(arch, unix.SECCOMP_RET_KILL_PROCESS)
	f.load(atCall)
	f.below(foreign, unix.SECCOMP_RET_KILL_PROCESS)
	for _, call := range allowed {
		f.when(call, unix.SECCOMP_RET_ALLOW)
	}
	for _, call := range allowedHere {
		f.when(call, unix.SECCOMP_RET_ALLOW)
	}
	for _, call := range refused {
		f.when(call, fails(unix.EPERM))
	}
	// clone, without namespaces. clone3 takes its flags by reference, where nobody can look: C libraries take clone instead.
	f.block(unix.SYS_CLONE, func(f *filter) {
		f.load(atArgument)
		f.whenAny(namespaces, fails(unix.EPERM))
		f.answer(unix.SECCOMP_RET_ALLOW)
	})
	f.block(unix.SYS_IOCTL, func(f *filter) {
		f.load(atArgument + 8)
		for _, i := range ioctls {
			f.when(i, unix.SECCOMP_RET_ALLOW)
		}
		f.answer(fails(unix.ENOTTY))
	})
	// A pair of streams only: a pair of datagrams could be turned to other addresses.
	f.block(unix.SYS_SOCKETPAIR, func(f *filter) {
		f.load(atArgument)
		f.unless(unix.AF_UNIX, fails(unix.EPERM))
		f.load(atArgument + 8)
		f.mask(0xf)
		f.unless(unix.SOCK_STREAM, fails(unix.EPERM))
		f.answer(unix.SECCOMP_RET_ALLOW)
	})
	// Not what a socket may hold: the keeper counts on it.
	f.block(unix.SYS_SETSOCKOPT, func(f *filter) {
		f.load(atArgument + 16)
		f.when(unix.SO_SNDBUF, fails(unix.EPERM))
		f.answer(unix.SECCOMP_RET_ALLOW)
	})
	f.answer(fails(unix.ENOSYS))
	return f
}

func fails(no unix.Errno) uint32 { return unix.SECCOMP_RET_ERRNO | uint32(no) }

// filter is a program in the making. Its jumps go over one answer, or over one block.
type filter []unix.SockFilter

func (f *filter) add(code uint16, yes, no uint8, k uint32) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: yes, Jf: no, K: k})
}

func (f *filter) load(at uint32)       { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, at) }
func (f *filter) mask(bits uint32)     { f.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0, 0, bits) }
func (f *filter) answer(action uint32) { f.add(unix.BPF_RET|unix.BPF_K, 0, 0, action) }

func (f *filter) when(value, action uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, 1, value)
	f.answer(action)
}

func (f *filter) unless(value, action uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 1, 0, value)
	f.answer(action)
}

// below answers all that are not below a value.
func (f *filter) below(value, action uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, 0, 1, value)
	f.answer(action)
}

func (f *filter) whenAny(bits, action uint32) {
	f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, 0, 1, bits)
	f.answer(action)
}

// block is for one call; it must answer in every case.
func (f *filter) block(call uint32, inside func(*filter)) {
	var b filter
	inside(&b)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, uint8(len(b)), call)
	*f = append(*f, b...)
}
