//go:build unix

package drill

import (
	"os"
	"syscall"
)

// freeze stops a process where it is, without its knowledge; thaw lets it go on.
func freeze(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

func thaw(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
