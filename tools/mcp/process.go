package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// How long a server that was told to end may take: first after its input was closed, then after it was asked to by a signal.
const (
	quitWithin = 2 * time.Second
	termWithin = time.Second
)

// writeWithin is how long a server may leave its input unread. The client library holds a lock while it writes, so one that does not
// read would hold up all calls.
const writeWithin = 5 * time.Second

// process is a server that we started.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	output *bounded // of stdout
	errors *tail
	exited chan struct{} // closed when it has ended
	once   sync.Once
}

// childEnv are the names of the variables that a server gets of ours: what programs need to run, and no keys.
var childEnv = []string{"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM", "TMPDIR", "TMP", "TEMP",
	"XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "PROGRAMFILES"}

// start runs the server's command in a process group of its own, so that all it starts ends with it.
func start(s *Server) (*process, error) {
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close(), stdin.Close())
	}
	p := &process{cmd: exec.Command(s.Command, s.Args...), stdin: stdin, stdout: stdout, errors: &tail{}, exited: make(chan struct{})}
	p.output = &bounded{ReadCloser: p.stdout, ends: byLine, most: maxMessage, says: io.EOF}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = in, out, p.errors
	p.cmd.WaitDelay = termWithin // its own children may hold its standard error open
	for _, name := range childEnv {
		if v, ok := os.LookupEnv(name); ok {
			p.cmd.Env = append(p.cmd.Env, name+"="+v)
		}
	}
	p.cmd.Env = append(p.cmd.Env, s.Env...)
	grouped(p.cmd)
	err = p.cmd.Start()
	_, _ = in.Close(), out.Close() // the child has its own
	if err != nil {
		_, _ = stdin.Close(), stdout.Close()
		return nil, fmt.Errorf("%s cannot be started: %w", s.Command, err)
	}
	go func() { // ends with the process, which stop sees to
		_ = p.cmd.Wait() // how it ended is in ProcessState
		close(p.exited)
	}()
	return p, nil
}

// stop ends the process, asking first, and returns when it has ended.
func (p *process) stop() {
	p.once.Do(func() {
		_ = p.stdin.Close() // for MCP servers this is the word to end
		for _, next := range []struct {
			within time.Duration
			then   func(*exec.Cmd)
		}{{quitWithin, terminate}, {termWithin, kill}} {
			t := time.NewTimer(next.within)
			select {
			case <-p.exited:
			case <-t.C:
				next.then(p.cmd)
			}
			t.Stop()
		}
		<-p.exited
		kill(p.cmd) // what it started and left behind
		_ = p.stdout.Close()
	})
}

// lastWords is how long after its output a process may end and still be said to have ended.
const lastWords = 300 * time.Millisecond

// why says how a process whose output has ended came to its end and what it said last. It waits for lastWords at most.
func (p *process) why() string {
	if p.output.flooded.Load() {
		return errFlood.Error()
	}
	t := time.NewTimer(lastWords)
	defer t.Stop()
	select {
	case <-p.exited:
	case <-t.C:
		return "it closed its output"
	}
	text := "it ended (" + p.cmd.ProcessState.String() + ")"
	if said := p.errors.String(); said != "" {
		text += ", saying: " + said
	}
	return text
}

// Write gives bytes to the server; see [writeWithin].
func (p *process) Write(b []byte) (int, error) {
	_ = p.stdin.SetWriteDeadline(time.Now().Add(writeWithin)) // where pipes know no deadline, a stop ends the write
	n, err := p.stdin.Write(b)
	if err != nil {
		_ = p.stdin.Close() // half a message was written: nothing that follows could be understood
	}
	return n, err
}

// Close is for the client library; stop does it all.
func (p *process) Close() error { return nil }

// reading is what the process writes, as the client library reads it.
func (p *process) reading() io.Reader { return p.output }

// watch calls fn once the process has ended, if ctx has not by then.
func (p *process) watch(ctx context.Context, fn func()) {
	select {
	case <-p.exited:
		fn()
	case <-ctx.Done():
	}
}

// tail keeps the end of what a server writes to its standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail bounds it, in bytes.
const maxTail = 2000

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b[max(0, len(b)-maxTail):]...)
	if extra := len(t.text) - maxTail; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

// String is the last lines, cleaned, at most 300 bytes.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(plain(string(t.text)))
	return text[max(0, len(text)-300):]
}
