package drill

import (
	"os/exec"
	"syscall"
)

// together lets the child end when we do, however we end.
func together(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
