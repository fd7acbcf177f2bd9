//go:build amd64 || arm64

package sandbox

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// nobody is who the program is inside, and outside as well when we are root.
const nobody = 65534

// plan is what the stage, our own program inside the new namespaces, is told to build.
type plan struct {
	Args, Env, Show []string
	Bare            bool
	Limits          Limits
}

// Run runs a job and waits until nothing of it is left. The context's end kills it; that is its error then. [ErrUnsafe] where the walls cannot
// be built. Safe from many goroutines. The program that calls it must begin with [Enter].
func Run(ctx context.Context, job Job) (result Result, err error) {
	job.Limits = job.Limits.Filled()
	if err := job.check(); err != nil {
		return Result{}, err
	}
	done := make(chan struct{})
	go func() { // of its own, for the kernel kills the program when the thread that started it ends
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		result, err = run(ctx, job)
	}()
	<-done
	return result, err
}

func (j *Job) check() error {
	if len(j.Args) == 0 || !filepath.IsAbs(j.Args[0]) {
		return errors.New("sandbox: a job needs the absolute path of a program")
	}
	names := map[string]bool{}
	for _, f := range j.Files {
		if names[f.Name] {
			return fmt.Errorf("sandbox: the files do not fit: two have the name %.80q", f.Name)
		}
		names[f.Name] = true
		if f.Name != filepath.Base(f.Name) || f.Name == "." || f.Name == ".." || f.Name == "/" || strings.ContainsRune(f.Name, 0) {
			return fmt.Errorf("sandbox: file %.80q: want a name without a folder", f.Name)
		}
	}
	return nil
}

func run(ctx context.Context, job Job) (Result, error) {
	told, err := json.Marshal(plan{Args: job.Args, Env: job.Env, Show: job.Show, Bare: job.Bare, Limits: job.Limits})
	if err != nil {
		return Result{}, err
	}
	ours, theirs, err := socketpair()
	if err != nil {
		return Result{}, fmt.Errorf("sandbox: %w", err)
	}
	defer func() { _ = ours.Close() }()
	read, write, err := os.Pipe()
	if err != nil {
		theirs.Close()
		return Result{}, fmt.Errorf("sandbox: %w", err)
	}
	defer read.Close()

	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{stageName, string(told)}, Env: []string{}, Dir: "/",
		Stdout: write, Stderr: write, ExtraFiles: []*os.File{theirs}, SysProcAttr: walls(),
	}
	err = cmd.Start()
	write.Close()
	theirs.Close()
	if err != nil {
		return Result{}, fmt.Errorf("%w: a process with namespaces of its own could not be started (%v)", ErrUnsafe, err)
	}
	k := &keeper{pid: cmd.Process.Pid, kill: cmd.Process.Kill, limits: job.Limits}
	unhook := context.AfterFunc(ctx, func() { k.end("") })
	defer unhook()
	var readers sync.WaitGroup
	readers.Go(func() { k.read(read, job.Output) })

	work, err := start(ours, job.Files)
	begun := time.Now()
	if err == nil {
		late := time.AfterFunc(job.Limits.Time, func() { k.end(Time) })
		defer late.Stop()
		ended := make(chan struct{})
		var watching sync.WaitGroup
		watching.Go(func() { k.watch(ended) })
		defer watching.Wait()
		defer close(ended)
	} else {
		k.end("")
	}
	waited := cmd.Wait() // with the first process of its pid namespace all others have ended, and only then
	took := time.Since(begun)
	readers.Wait()
	if work != nil {
		defer work.Close()
	}
	switch {
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case err != nil:
		return Result{}, err
	}
	result, err := k.judge(cmd.ProcessState, waited)
	result.Took, result.CPU = took, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if err != nil || job.Collect == nil {
		return result, err
	}
	_ = work.Chmod(0o700) // the program may have barred it; where that fails, the next line tells
	root, err := os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d", work.Fd()))
	if err != nil {
		return result, fmt.Errorf("sandbox: its files: %w", err)
	}
	defer root.Close()
	return result, job.Collect(root)
}

// walls are the namespaces the stage is born in. As root we are nobody outside, too.
func walls() *syscall.SysProcAttr {
	uid, gid := os.Getuid(), os.Getgid()
	root := os.Geteuid() == 0
	if root {
		uid, gid = nobody, nobody
	}
	return &syscall.SysProcAttr{
		Cloneflags:                 unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP,
		UidMappings:                []syscall.SysProcIDMap{{ContainerID: nobody, HostID: uid, Size: 1}},
		GidMappings:                []syscall.SysProcIDMap{{ContainerID: nobody, HostID: gid, Size: 1}},
		GidMappingsEnableSetgroups: root, // and only root may leave its groups
		Credential:                 &syscall.Credential{Uid: nobody, Gid: nobody, NoSetGroups: !root},
		AmbientCaps:                []uintptr{unix.CAP_SYS_ADMIN}, // over its own namespaces, until the walls stand
		Pdeathsig:                  syscall.SIGKILL,
		Setsid:                     true,
	}
}

func socketpair() (ours *net.UnixConn, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	theirs = os.NewFile(uintptr(fds[1]), "stage")
	f := os.NewFile(uintptr(fds[0]), "parent")
	defer f.Close()
	conn, err := net.FileConn(f)
	if err != nil {
		theirs.Close()
		return nil, nil, err
	}
	return conn.(*net.UnixConn), theirs, nil
}

// start waits for the stage to have built the walls, hands it the files, and returns the folder /work once the program runs.
func start(stage *net.UnixConn, files []File) (work *os.File, err error) {
	text, space := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	n, spaced, _, _, err := stage.ReadMsgUnix(text, space)
	if err != nil || n != 1 || text[0] != ready {
		return nil, complaint(stage, text[:max(n, 0)], err)
	}
	messages, err := unix.ParseSocketControlMessage(space[:spaced])
	if err != nil || len(messages) != 1 {
		return nil, fmt.Errorf("sandbox: the stage gave no folder (%v)", err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, fmt.Errorf("sandbox: the stage gave no folder (%v)", err)
	}
	unix.CloseOnExec(fds[0])
	work = os.NewFile(uintptr(fds[0]), Dir)
	sent := send(stage, files)
	rest, err := io.ReadAll(io.LimitReader(stage, 4<<10)) // the stage's end of it is closed when the program begins
	if len(rest) > 0 || sent != nil || err != nil {
		work.Close()
		return nil, complaint(stage, rest, cmp.Or(sent, err))
	}
	return work, nil
}

func send(stage *net.UnixConn, files []File) error {
	out := tar.NewWriter(stage)
	for _, f := range files {
		if err := out.WriteHeader(&tar.Header{Name: f.Name, Size: int64(len(f.Data)), Mode: 0o600, Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		if _, err := io.Copy(out, bytes.NewReader(f.Data)); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), stage.CloseWrite())
}

// complaint is what the stage said, and why it did not come to its end.
func complaint(stage *net.UnixConn, said []byte, err error) error {
	rest, _ := io.ReadAll(io.LimitReader(stage, 4<<10)) // what is said is said
	text := because(strings.TrimSpace(string(append(said, rest...))))
	if text == "" {
		text = fmt.Sprintf("the stage ended without a word (%v)", err)
	}
	if text, full := strings.CutPrefix(text, unfit); full {
		return fmt.Errorf("sandbox: the files do not fit: %s", strings.TrimSpace(text))
	}
	return fmt.Errorf("%w: %s", ErrUnsafe, text)
}
