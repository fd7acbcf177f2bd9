//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// grouped puts a command into a process group of its own; Ctrl-C in our terminal does not reach it.
func grouped(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// The group may be gone already, which is what is wanted.
func terminate(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
func kill(c *exec.Cmd)      { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
