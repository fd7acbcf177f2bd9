//go:build amd64 || arm64

package sandbox

import (
	"archive/tar"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stageName is what our program is called when it is to be the stage.
const stageName = "hmap-sandbox"

// toParent is the stage's open file that leads to its parent.
const toParent = 3

// What the stage says to its parent: one sign with the folder /work, or what is wrong.
const (
	ready = '+'
	unfit = "unfit:" // the files are more than the limits allow, or have no possible names
	// Between the program that could not be begun and a number: a digit for the step that failed, and three for the error of the kernel.
	failed = "\x00"
)

// Enter must be the first call of a program that runs jobs: as the stage of one, which its arguments tell, it builds the walls around itself,
// becomes the job, and does not return.
func Enter() {
	if len(os.Args) != 2 || os.Args[0] != stageName {
		return
	}
	runtime.LockOSThread() // Landlock, seccomp and privileges are a thread's, and exec keeps those of this one
	debug.SetGCPercent(-1) // it lives for milliseconds
	parent := os.NewFile(toParent, "parent")
	err := stage(parent, os.Args[1])
	fmt.Fprintln(parent, err) // becoming the job does not come back here
	os.Exit(1)
}

func stage(parent *os.File, told string) error {
	var p plan
	if err := json.Unmarshal([]byte(told), &p); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // ended first when the machine has no memory left; where that cannot be said, the largest is
	if err := newRoot(&p); err != nil {
		return err
	}
	if err := handOver(parent); err != nil {
		return err
	}
	if err := unpack(parent); err != nil {
		return fmt.Errorf("%s %w", unfit, err)
	}
	return become(&p)
}

// shown are the folders and files of the system that a program may need. What is not there is not shown.
var shown = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/nix/store",
	"/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/mime.types", "/etc/timezone",
}

// newRoot makes the machine that the program sees, and leaves ours.
func newRoot(p *plan) error {
	const private = unix.MS_REC | unix.MS_PRIVATE
	const old = "/old" // where our root is meanwhile
	steps := []struct {
		what string
		do   func() error
	}{
		{"hostname", func() error { return unix.Sethostname([]byte("sandbox")) }},
		{"mounts of its own", func() error { return unix.Mount("", "/", "", private, "") }},
		{"a root", func() error {
			return unix.Mount("tmpfs", "/tmp", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,nr_inodes=1024,mode=0755")
		}},
		{"a place for the old root", func() error { return os.Mkdir("/tmp"+old, 0o700) }},
		{"pivot_root", func() error { return unix.PivotRoot("/tmp", "/tmp"+old) }},
		{"chdir", func() error { return os.Chdir("/") }},
		{"a folder to write", func() error { return scratch(p) }}, // before those to read, which may lie below
		{"the folders to read", func() error {
			if p.Bare {
				return show(old, p.Show)
			}
			return show(old, append(shown, p.Show...))
		}},
		{"devices", func() error { return devices(old) }},
		{"itself", func() error { return self(old, p) }},
		{"leaving the old root", func() error { return unix.Unmount(old, unix.MNT_DETACH) }},
		{"removing its place", func() error { return os.Remove(old) }},
		{"a root to read", func() error { return readOnly("/", 0, unix.MOUNT_ATTR_NODEV) }},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	return nil
}

func show(old string, paths []string) error {
	for _, path := range paths {
		path = filepath.Clean(path)
		if _, err := os.Lstat(path); err == nil || path == "/" {
			continue // below one that is shown
		}
		kind, err := os.Lstat(old + path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err != nil {
			return err
		}
		if kind.Mode()&os.ModeSymlink != 0 {
			target, err := os.Readlink(old + path)
			if err == nil {
				err = os.Symlink(target, path)
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := bind(old+path, path, kind.IsDir(), unix.MOUNT_ATTR_NODEV); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

// devices are the two that programs take for granted. A device needs no mount that could be written, and no nodev.
func devices(old string) error {
	if err := os.Mkdir("/dev", 0o755); err != nil {
		return err
	}
	for _, path := range []string{"/dev/null", "/dev/urandom"} {
		if err := bind(old+path, path, false, 0); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func self(old string, p *plan) error {
	if p.Args[0] != Self {
		return nil
	}
	return bind(old+"/proc/self/exe", Self, false, unix.MOUNT_ATTR_NODEV)
}

func bind(from, to string, folder bool, attributes uint64) error {
	var err error
	if folder {
		err = os.Mkdir(to, 0o755)
	} else {
		err = os.WriteFile(to, nil, 0o644)
	}
	if err == nil {
		err = unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if err != nil {
		return err
	}
	return readOnly(to, unix.AT_RECURSIVE, attributes)
}

func readOnly(path string, flags uint, attributes uint64) error {
	return unix.MountSetattr(unix.AT_FDCWD, path, flags, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | attributes})
}

// scratch makes /work and /tmp, in memory and with one bound for both, which the kernel holds.
func scratch(p *plan) error {
	const both = "/scratch"
	if err := os.Mkdir(both, 0o755); err != nil {
		return err
	}
	inodes := p.Limits.Files + 3 // with the three folders, and what shows something below them
	for _, path := range p.Show {
		if strings.HasPrefix(path, Dir+"/") || strings.HasPrefix(path, "/tmp/") {
			inodes += strings.Count(path, "/")
		}
	}
	if err := unix.Mount("tmpfs", both, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("size=%d,nr_inodes=%d,mode=0755", p.Limits.Disk, inodes)); err != nil {
		return err
	}
	for _, path := range []string{Dir, "/tmp"} {
		for _, made := range []string{both + path, path} {
			if err := os.Mkdir(made, 0o755); err != nil {
				return err
			}
		}
		if err := unix.Mount(both+path, path, "", unix.MS_BIND, ""); err != nil {
			return err
		}
	}
	return errors.Join(unix.Unmount(both, unix.MNT_DETACH), os.Remove(both))
}

// handOver gives the parent the folder /work, which it can reach in no other way.
func handOver(parent *os.File) error {
	dir, err := os.Open(Dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.Sendmsg(int(parent.Fd()), []byte{ready}, unix.UnixRights(int(dir.Fd())), nil, 0)
}

// unpack puts the parent's files into /work.
func unpack(parent io.Reader) error {
	for in := tar.NewReader(parent); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f, err := os.OpenFile(filepath.Join(Dir, filepath.Base(h.Name)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, in)
		if err := errors.Join(err, f.Close(), os.Chtimes(f.Name(), Placed, Placed)); err != nil {
			return fmt.Errorf("%s: %w", strings.ToValidUTF8(h.Name, "?"), err)
		}
	}
}

// become gives up what is left of us and runs the program. It returns only when that fails.
func become(p *plan) error {
	if err := os.Chdir(Dir); err != nil {
		return err
	}
	path, err := unix.BytePtrFromString(p.Args[0])
	if err != nil {
		return err
	}
	args, err := syscall.SlicePtrFromStrings(p.Args)
	if err != nil {
		return err
	}
	env, err := syscall.SlicePtrFromStrings(p.Env)
	if err != nil {
		return err
	}
	filter := seccompFilter()
	unix.Umask(0o022)
	for _, err := range []error{
		unix.CloseRange(toParent, 1<<32-1, unix.CLOSE_RANGE_CLOEXEC), // also what others left open in us
		dropPrivileges(),
		landlock(),
		bounds(p.Limits),
	} {
		if err != nil {
			return err
		}
	}
	program := &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	var memory *unix.Rlimit
	if p.Args[0] != Self {
		memory = &unix.Rlimit{Cur: uint64(p.Limits.Memory), Max: uint64(p.Limits.Memory)}
	}
	words := []byte(p.Args[0] + failed + "0000")
	replace(memory, program, path, &args[0], &env[0], &words[0], uintptr(len(words)), (*[4]byte)(words[len(words)-4:]))
	return nil
}

// replace bounds the memory, bars the system calls and becomes the program. When one of these fails it tells which and why, as it stands behind failed,
// and ends us. Nothing in it may need memory, not even for the race detector: our own program could not live below that bound, nor behind those bars.
//
//go:norace
//go:nosplit
func replace(memory *unix.Rlimit, filter *unix.SockFprog, path *byte, args, env **byte, words *byte, length uintptr, end *[4]byte) {
	var no syscall.Errno
	if memory != nil {
		_, _, no = syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(memory)), 0, 0, 0)
	}
	if no == 0 {
		end[0] = '1'
		_, _, no = syscall.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(filter)))
	}
	if no == 0 {
		end[0] = '2'
		_, _, no = syscall.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(args)), uintptr(unsafe.Pointer(env)))
	}
	end[1], end[2], end[3] = '0'+byte(no/100%10), '0'+byte(no/10%10), '0'+byte(no%10)
	syscall.RawSyscall(unix.SYS_WRITE, toParent, uintptr(unsafe.Pointer(words)), length)
	syscall.RawSyscall(unix.SYS_EXIT_GROUP, 1, 0, 0)
}

// because is the stage's words with the reason in words that replace could only give as a number.
func because(words string) string {
	what, told, is := strings.Cut(words, failed)
	no, err := strconv.Atoi(told)
	if steps := []string{"bound of memory", "seccomp", "execve"}; is && err == nil && 0 <= no && no < 1000*len(steps) {
		return fmt.Sprintf("%s: %s: %v", what, steps[no/1000], syscall.Errno(no%1000))
	}
	return words
}

func dropPrivileges() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("ambient capabilities: %w", err)
	}
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	return nil
}

// bounds are what the kernel counts for each process, and for all of this user namespace.
func bounds(l Limits) error {
	seconds := uint64((l.Time + 999_999_999) / 1_000_000_000)
	for _, b := range []struct {
		resource  int
		soft, max uint64
	}{
		{unix.RLIMIT_CPU, seconds, seconds + 1},
		{unix.RLIMIT_NPROC, uint64(l.Processes), uint64(l.Processes)},
		{unix.RLIMIT_FSIZE, uint64(l.Disk), uint64(l.Disk)},
		{unix.RLIMIT_NOFILE, 256, 256},
		{unix.RLIMIT_CORE, 0, 0},
		{unix.RLIMIT_MEMLOCK, 0, 0},
		{unix.RLIMIT_MSGQUEUE, 0, 0},
		{unix.RLIMIT_SIGPENDING, 256, 256},
	} {
		if err := unix.Setrlimit(b.resource, &unix.Rlimit{Cur: b.soft, Max: b.max}); err != nil {
			return fmt.Errorf("bound %d: %w", b.resource, err)
		}
	}
	return nil
}
