package bus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk mounts one of that size for the test.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	return mount(t, "size="+size, 0)
}

func readOnlyDisk(t *testing.T) string {
	t.Helper()
	return mount(t, "size=1m", syscall.MS_RDONLY)
}

func mount(t *testing.T, options string, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("a disk of its own needs root: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return dir
}

// A folder that another user wrote, as after one start with sudo: refused, and left as it is. The server below would take files that it cannot
// open for lost ones.
func TestFolderOfSomebodyElse(t *testing.T) {
	t.Parallel()
	const nobody = 65534
	if dir := os.Getenv("HMAP_TEST_FOLDER"); dir != "" { // we are nobody
		_, err := StartServer(ServerOptions{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), "another user") || !strings.Contains(err.Error(), "chown") {
			t.Errorf("%v", err)
		}
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("becoming somebody else needs root")
	}
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	write(t, b, Where{"s", "t", "t"}, 3, 0)
	b.Close()
	s.Stop()
	was := must(blocks(dir, nil))
	for path := dir; len(path) > 1; path = filepath.Dir(path) {
		info := must(os.Stat(path))
		if err := os.Chmod(path, info.Mode().Perm()|0o055); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "token"), filepath.Join(dir, "lock"), filepath.Join(dir, "format"), sealFile(dir)} {
		if err := os.Chown(path, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(dir, "test") // where nobody may run it
	if err := os.WriteFile(exe, must(os.ReadFile(must(os.Executable()))), 0o755); err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), exe, "-test.run=^TestFolderOfSomebodyElse$", "-test.v")
	child.Dir = dir
	child.Env = append(os.Environ(), "HMAP_TEST_FOLDER="+dir)
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for path, before := range was {
		if now := must(blocks(dir, nil))[path]; now != before {
			t.Errorf("%s was changed", path)
		}
	}
}
