package interpreter

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus"
)

// Where namespaces are forbidden, as in many containers, Python is refused with the reason and JavaScript goes on with all its bounds.
func TestWithoutNamespaces(t *testing.T) {
	if os.Getenv("INTERPRETER_TEST_INSIDE") == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/bin/sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" -test.v -test.run '^TestWithoutNamespaces$'`, self)
		cmd.Env = append(os.Environ(), "INTERPRETER_TEST_INSIDE=yes")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		out, err := cmd.CombinedOutput()
		if len(out) == 0 && err != nil {
			t.Skip("no namespace in which to forbid namespaces: ", err)
		}
		if err != nil || strings.Count(string(out), "--- PASS: Test") != 1 {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	r := newRoom(t, Options{})
	if o, files := r.outcome(Arguments{Code: "writeFile('a.txt', 'a'); 6 * 7", Language: "javascript"}); o.Answer != "42" || len(files) != 1 {
		t.Errorf("%+v %v", o, files)
	}
	answer := r.ask(Arguments{Code: "print(1)"}, nil)
	if answer.Error == nil || answer.Error.Code != bus.CodeUnsupported || !strings.Contains(answer.Error.Message, "JavaScript is") || !strings.Contains(answer.Error.Message, "namespaces") {
		t.Errorf("%s %s %v", answer.Status, answer.Observation, answer.Error)
	}
}

// Killed, we take the JavaScript that runs in a process of its own with us.
func TestAloneParentKilled(t *testing.T) {
	dir := t.TempDir() // where it makes its folder, by which its process is known
	alive := func() (found []string) {
		all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, path := range all {
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), dir) {
				found = append(found, path)
			}
		}
		return found
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = []string{"INTERPRETER_TEST_HOLD=while (true) {}", "TMPDIR=" + dir}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the code runs", func() bool { return len(alive()) > 0 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed is what it says
	until(t, "the code has ended", func() bool { return len(alive()) == 0 })
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not within 20 s: " + what)
		}
	}
}
