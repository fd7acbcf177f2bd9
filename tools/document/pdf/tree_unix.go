//go:build unix

package pdf

import (
	"os/exec"
	"syscall"
)

// tree makes a command the head of a group, which ends with it: a browser is many processes.
func tree(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
