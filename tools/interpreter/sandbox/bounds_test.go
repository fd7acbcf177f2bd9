//go:build linux && (amd64 || arm64)

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// How a job ends: by its bounds, by who wants it no more, and with who runs it.

// alive are the processes whose command line holds a mark.
func alive(mark string) (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range all {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), mark) {
			found = append(found, path+" "+string(text))
		}
	}
	return found
}

func TestBounds(t *testing.T) {
	able(t)
	for _, c := range []struct {
		name, code string
		limits     Limits
		bound      Bound
		says       string
	}{
		{"time", "import time\ntime.sleep(600)", Limits{Time: time.Second}, Time, ""},
		{"CPU", "while True: pass", Limits{Time: time.Second}, Time, ""},
		{"memory of one", "try: x = b'x' * (200 << 20)\nexcept MemoryError: print('no memory')", Limits{Memory: 128 << 20}, "", "no memory\n"},
		{"memory of all", "import os, time\nfor i in range(4): os.fork()\nx = b'x' * (100 << 20)\ntime.sleep(600)", Limits{Memory: 160 << 20, Time: patience}, Memory, ""},
		{"memory in sockets", `
import os, socket, time
for i in range(4): os.fork()
kept = []
try:
    while True:
        kept += socket.socketpair()
        for s in kept[-2:]:
            s.setblocking(False)
            try:
                while True: s.send(b"x" * 65536)
            except BlockingIOError: pass
except OSError: time.sleep(600)`, Limits{Memory: 512 << 20, Time: patience}, Memory, ""},
		{"buffer of a socket", "import socket\ntry: socket.socketpair()[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)\nexcept PermissionError: print('no')", Limits{}, "", "no\n"},
		{"output", "while True: print('x' * 1000)", Limits{Output: 10_000}, Output, strings.Repeat(strings.Repeat("x", 1000)+"\n", 10)[:10_000]},
		{"fork bomb", "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", Limits{Time: time.Second}, Time, ""},
		{"processes", "import os\nn = 0\ntry:\n  while True:\n    if os.fork() == 0: os.read(os.pipe()[0], 1)\n    n += 1\nexcept OSError: print(n)", Limits{Processes: 8}, "", "7\n"},
		{"bytes", "try:\n  f = open('big', 'wb')\n  while True: f.write(b'x' * 65536)\nexcept OSError as e: print(e.errno)", Limits{Disk: 1 << 20}, "", ""},
		{"bytes of all", "try:\n  for i in range(1000): open(str(i), 'wb').write(b'x' * 65536)\nexcept OSError as e: print(e.errno)", Limits{Disk: 1 << 20}, "", "28\n"},
		{"files", "try:\n  for i in range(1000): open('/tmp/%d' % i, 'w')\nexcept OSError as e: print(i, e.errno)", Limits{Files: 50}, "", "50 28\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			mark := fmt.Sprintf("mark-%d-%s.", os.Getpid(), c.name) // none is the beginning of another
			job := script(c.code, mark)
			if job.Limits = c.limits; c.limits.Time == 0 {
				job.Limits.Time = patience
			}
			r, out := runs(t, job)
			if r.Bound != c.bound || c.says != "" && out != c.says {
				t.Errorf("%+v %.200q", r, out)
			}
			if left := alive(mark); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// A process that leaves its parents and its session ends with the job.
func TestDaemon(t *testing.T) {
	able(t)
	mark := fmt.Sprint("mark-daemon-", os.Getpid())
	r, out := runs(t, script(`
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print("here", flush=True)
        time.sleep(600)
    os._exit(0)
os.wait()
time.sleep(0.2)`, mark))
	if r.Exit != 0 || out != "here\n" {
		t.Errorf("%+v %q", r, out)
	}
	if left := alive(mark); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// When the machine runs out of memory, the kernel ends the job first, and not who runs it.
func TestFirstToGo(t *testing.T) {
	able(t)
	mark := fmt.Sprint("mark-first-", os.Getpid())
	job := script("import os\nprint('up')\nos.read(os.pipe()[0], 1)", mark)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var found string
	job.Output = func([]byte) {
		defer cancel()
		for _, path := range alive(mark) {
			score, err := os.ReadFile(filepath.Dir(strings.Fields(path)[0]) + "/oom_score_adj")
			if found = strings.TrimSpace(string(score)); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := Run(ctx, job); !errors.Is(err, context.Canceled) || found != "1000" {
		t.Errorf("%q %v", found, err)
	}
}

func TestCancelled(t *testing.T) {
	able(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	mark, why := fmt.Sprint("mark-cancelled-", os.Getpid()), errors.New("enough")
	job := script("import time\nprint('up')\ntime.sleep(600)", mark)
	job.Output = func([]byte) { cancel(why) }
	if _, err := Run(ctx, job); !errors.Is(err, why) {
		t.Error(err)
	}
	if left := alive(mark); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestNoProgram(t *testing.T) {
	for want, args := range map[string][]string{"absolute path of a program": nil, "absolute path": {"python3"}, "/no/such: execve: no such file or directory": {"/no/such"}, "/etc/mime.types: execve: permission denied": {"/etc/mime.types"}} {
		for range 10 { // for what is left of us then can hardly speak
			if r, err := Run(t.Context(), Job{Args: args}); err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("%v: %+v %v", args, r, err)
			}
		}
	}
}

// Killed, we take the job with us.
func TestParentKilled(t *testing.T) {
	able(t)
	mark := fmt.Sprint("mark-orphan-", os.Getpid())
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = []string{"SANDBOX_TEST_HOLD=import time\ntime.sleep(600) # " + mark}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the job runs", func() bool { return len(alive(mark)) > 0 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed is what it says
	until(t, "the job has ended", func() bool { return len(alive(mark)) == 0 })
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
