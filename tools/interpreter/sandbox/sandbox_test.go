//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// python is Debian's and everybody's. The sandbox knows nothing of it, but it is the program with which one can try most.
const python = "/usr/bin/python3"

// patience is for what takes no time but on a machine that is emulated.
const patience = 2 * time.Minute

func TestMain(m *testing.M) {
	Enter()
	if code := os.Getenv("SANDBOX_TEST_HOLD"); code != "" { // TestParentKilled
		_, err := Run(context.Background(), script(code))
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func script(code string, args ...string) Job {
	return Job{Args: append([]string{python, "-I", "-u", "-c", code}, args...), Env: []string{"PATH=/usr/bin"}, Limits: Limits{Time: patience}}
}

// able skips a test, with the reason, on a machine where no sandbox can be made or nothing could be tried in it.
func able(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(python); err != nil {
		t.Skipf("there is no %s (Debian: python3)", python)
	}
	if _, err := Run(t.Context(), script("")); errors.Is(err, ErrUnsafe) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// runs runs a job and gives what it wrote.
func runs(t *testing.T, job Job) (Result, string) {
	t.Helper()
	var out strings.Builder
	job.Output = func(b []byte) { out.Write(b) }
	r, err := Run(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return r, out.String()
}

// outside sets up what the escapes are after.
func outside(t *testing.T) string {
	t.Helper()
	t.Setenv("SANDBOX_TEST_SECRET", "hunter2")
	dir, err := os.MkdirTemp("/var/tmp", "sandbox") // the tests' own folder is nobody else's
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(dir+"/secret", []byte("hunter2"), 0o666)); err != nil {
		t.Fatal(err)
	}
	open, err := os.Open(dir + "/secret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	fd, err := syscall.Dup(int(open.Fd())) // one that a child inherits
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tcp.Close() })
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { udp.Close() })
	abstract := fmt.Sprint("sandbox-", os.Getpid())
	for _, address := range []string{dir + "/socket", "@" + abstract} {
		l, err := net.Listen("unix", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
	}
	if err := os.Chmod(dir+"/socket", 0o777); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(map[string]any{
		"pid": os.Getpid(), "folder": dir, "fd": fd, "abstract": abstract, "host": host,
		"tcp": tcp.Addr().(*net.TCPAddr).Port, "udp": udp.LocalAddr().(*net.UDPAddr).Port,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(told)
}

func TestEscapes(t *testing.T) {
	able(t)
	code, err := os.ReadFile("testdata/escapes.py")
	if err != nil {
		t.Fatal(err)
	}
	job := script(string(code), outside(t))
	job.Files = []File{{Name: "a.txt", Data: []byte("a")}}
	r, out := runs(t, job)
	if r.Exit != 0 || !strings.Contains(out, "tried 40") {
		t.Errorf("it did not try all: %+v\n%s", r, out)
	}
	if strings.Contains(out, "ESCAPED") {
		t.Error(out)
	}
}

// The same program without walls comes through nearly everywhere: its attempts are real.
func TestEscapesAreReal(t *testing.T) {
	able(t)
	code, err := filepath.Abs("testdata/escapes.py")
	if err != nil {
		t.Fatal(err)
	}
	told := outside(t)
	var arguments struct{ FD int }
	if err := json.Unmarshal([]byte(told), &arguments); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-I", code, told)
	cmd.Dir = t.TempDir()
	cmd.ExtraFiles = make([]*os.File, arguments.FD-2) // nil: closed
	if cmd.ExtraFiles[arguments.FD-3], err = os.Open(code); err != nil {
		t.Fatal(err)
	}
	defer cmd.ExtraFiles[arguments.FD-3].Close()
	if os.Geteuid() == 0 { // what root may do is no escape
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		cmd.Args[2], cmd.Dir = "/dev/stdin", "/var/tmp"
		if cmd.Stdin, err = os.Open(code); err != nil {
			t.Fatal(err)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err, string(out))
	}
	segments, err := os.ReadFile("/proc/sysvipc/shm") // key, id, perms, size, the process that made it
	for line := range strings.Lines(string(segments)) {
		if f := strings.Fields(line); err == nil && len(f) > 4 && f[4] == fmt.Sprint(cmd.Process.Pid) {
			t.Errorf("it left a segment behind: %s", line)
		}
	}
	if _, err := os.Stat("/dev/shm/mine"); err == nil {
		t.Error("it left /dev/shm/mine behind")
	}
	for _, name := range []string{
		"read /etc/passwd", "read a file outside", "see a file outside", "see the homes", "list processes", "own environment", "a variable of the parent", "an open file of the parent",
		"write outside", "TCP", "UDP", "unix socket", "abstract socket", "listen", "datagram pair", "priority of the parent", "name of the machine", "ptrace", "keyring",
		"memory that is nobody's", "shared memory segment", "inotify", "pidfd",
	} {
		if !strings.Contains(string(out), "ESCAPED "+name+"\n") {
			t.Errorf("%s does not work without walls either; what does the attempt prove?\n%s", name, out)
		}
	}
}

// All of it as a user without privileges; the tests of root run the others again.
func TestOrdinaryUser(t *testing.T) {
	able(t)
	if os.Geteuid() != 0 {
		t.Skip("we are one: the other tests were it")
	}
	cmd := exec.Command("/proc/self/exe", "-test.run", "^Test(Escapes|Inside|Bounds|Daemon|Foreign|Shown|Files|Cancelled)$", "-test.v")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
	cmd.Env = []string{"TMPDIR=/var/tmp", "PATH=/usr/bin:/bin"}
	dir, err := os.MkdirTemp("/var/tmp", "sandbox") // whoever is not root may not read where the sources are
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	code, err := os.ReadFile("testdata/escapes.py")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Mkdir(dir+"/testdata", 0o755), os.WriteFile(dir+"/testdata/escapes.py", code, 0o644)); err != nil {
		t.Fatal(err)
	}
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "\n--- PASS: Test")+strings.Count(string(out), no32Bits) != 8 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestInside(t *testing.T) {
	able(t)
	r, out := runs(t, script(`
import asyncio, os, sqlite3, subprocess, sys, tempfile, threading, shutil
assert os.getpid() == 1 and os.getuid() != 0
db = sqlite3.connect("x.db"); db.execute("create table a (b)"); db.execute("insert into a values (7)"); db.commit()
print("sqlite", db.execute("select b from a").fetchone()[0])
async def later(): await asyncio.sleep(0.01); return 5
print("asyncio", asyncio.run(later()))
t = threading.Thread(target=lambda: print("thread")); t.start(); t.join()
print("child", subprocess.run(["sh", "-c", "echo 3"], capture_output=True, text=True).stdout.strip())
with tempfile.TemporaryDirectory() as d:
    open(d + "/a", "w").write("a"); shutil.copy2(d + "/a", "b"); os.rename("b", "c")
print("file", open("c").read())
sys.exit(4)`))
	if r.Exit != 4 || r.Bound != "" || out != "sqlite 7\nasyncio 5\nthread\nchild 3\nfile a\n" {
		t.Errorf("%+v\n%s", r, out)
	}
}

const no32Bits = "programs of 32 bits do not run here"

// System calls of another architecture have other numbers; who makes one dies.
func TestForeign(t *testing.T) {
	able(t)
	// A program of 32 bits that ends with status 7. Not every processor and kernel can run one.
	machine, flags, code := 3, 0, "b801000000bb07000000cd80" // 386: exit(7)
	if runtime.GOARCH == "arm64" {
		machine, flags, code = 40, 0x05000000, "0700a0e30170a0e3000000ef" // ARM
	}
	const at = 0x100000
	program, err := hex.DecodeString("7f454c46010101" + strings.Repeat("00", 9))
	if err != nil {
		t.Fatal(err)
	}
	for _, half := range []int{2, machine} {
		program = binary.LittleEndian.AppendUint16(program, uint16(half))
	}
	for _, word := range []int{1, at + 84, 52, 0, flags, 52 | 32<<16, 1, 0, 1, 0, at, at, 96, 96, 5, 0x10000} {
		program = binary.LittleEndian.AppendUint32(program, uint32(word))
	}
	text, err := hex.DecodeString(code)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "foreign")
	if err := os.WriteFile(path, append(program, text...), 0o755); err != nil {
		t.Fatal(err)
	}
	runnable := exec.Command(path)
	if err := runnable.Run(); runnable.ProcessState.ExitCode() != 7 {
		t.Skipf("%s: %v", no32Bits, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	job := script("import os\nos.chmod('foreign', 0o755)\nos.execv('foreign', ['foreign'])")
	job.Files = []File{{"foreign", whole}}
	if r, out := runs(t, job); r.Signal != syscall.SIGSYS.String() {
		t.Errorf("%+v %s", r, out)
	}
	if runtime.GOARCH != "amd64" {
		return
	}
	r, out := runs(t, script(`
import ctypes, mmap
m = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
m.write(bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3])) # getpid, as 32 bits make it
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()`))
	if r.Signal != syscall.SIGSYS.String() {
		t.Errorf("%+v %s", r, out)
	}
}

// What is shown may lie where the program has folders of its own, and is not written to there either.
func TestShown(t *testing.T) {
	able(t)
	dir, err := os.MkdirTemp("/tmp", "sandbox")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(os.Chmod(dir, 0o777), os.WriteFile(dir+"/a", []byte("seen"), 0o666), os.Chmod(dir+"/a", 0o666)); err != nil {
		t.Fatal(err)
	}
	job := script(`
import os, sys
os.chdir(sys.argv[1])
print(open("a").read(), os.listdir("/tmp") == [os.path.basename(sys.argv[1])])
for way in (lambda: open("b", "w"), lambda: open("a", "w"), lambda: os.remove("a"), lambda: os.rename(".", "/tmp/c"), lambda: os.rmdir(sys.argv[1])):
    try: way(); print("ESCAPED")
    except OSError: pass
open("/tmp/mine", "w").write("x")`, dir)
	job.Show = []string{dir}
	if r, out := runs(t, job); r.Exit != 0 || out != "seen True\n" {
		t.Errorf("%+v %s", r, out)
	}
}

func TestFiles(t *testing.T) {
	able(t)
	job := script("import os\nprint(open('a.txt').read(), open('表.csv').read())\nopen('out', 'w').write('made')\nos.symlink('/etc/passwd', 'link')\nos.mkfifo('pipe')")
	job.Files = []File{{"a.txt", []byte("one")}, {"表.csv", []byte("two")}, {"empty", nil}}
	var names []string
	job.Collect = func(work *os.Root) error {
		if f, err := work.Open("link"); err == nil {
			f.Close()
			t.Error("the link was followed")
		}
		text, err := work.ReadFile("out")
		if err != nil || string(text) != "made" {
			t.Errorf("%q %v", text, err)
		}
		return fs.WalkDir(work.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
			names = append(names, path)
			return err
		})
	}
	if r, out := runs(t, job); r.Exit != 0 || out != "one two\n" || fmt.Sprint(names) != "[. a.txt empty link out pipe 表.csv]" {
		t.Errorf("%+v %q %v", r, out, names)
	}
	job = script("import os\nopen('out', 'w').write('made')\nos.chmod('.', 0)")
	job.Collect = func(work *os.Root) error {
		_, err := work.ReadFile("out")
		return err
	}
	runs(t, job)
	for _, name := range []string{"", ".", "..", "/", "../x", "a/b", "/etc/x", "a\x00b"} {
		if _, err := Run(t.Context(), Job{Args: []string{python}, Files: []File{{Name: name}}}); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
	for name, files := range map[string][]File{"large": {{"big", make([]byte, 1<<20)}}, "long name": {{strings.Repeat("x", 300), nil}}, "one name": {{"a", nil}, {"a", nil}}} {
		job.Limits.Disk, job.Files = 4096, files
		if _, err := Run(t.Context(), job); err == nil || errors.Is(err, ErrUnsafe) || !strings.Contains(err.Error(), "do not fit") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
