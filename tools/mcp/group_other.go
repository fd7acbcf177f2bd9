//go:build !unix

package mcp

import "os/exec"

func grouped(*exec.Cmd) {}

// There is no word to ask a process to end; it may be gone already, which is what is wanted.
func terminate(c *exec.Cmd) { kill(c) }
func kill(c *exec.Cmd)      { _ = c.Process.Kill() }
