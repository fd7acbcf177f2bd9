package drill

import (
	"bytes"
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

// child is one process of the cluster. It is started again whenever it has ended until the drill is over; an end that the drill did
// not bring about is kept as a crash.
type child struct {
	name, kind string
	exe        string
	env        []string
	args       func(start int) []string // start counts from 1
	log        *os.File                 // what it says, all starts together
	crash      func(string)             // told of an end that nobody wanted
	heard      func(line string)        // told what it says once it is ready; may be nil

	mu     sync.Mutex
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	ended  chan struct{} // closed when the present process has ended
	ready  chan struct{} // closed when it has said so
	meant  bool          // the drill ends it
	over   bool          // it is not started any more
	frozen bool
	starts int
	out    *sayings // of the present process
}

// sayings are what a child says; it is ready when the word "ready" is in a line of it.
type sayings struct {
	to    io.Writer
	ready chan struct{}
	heard func(line string) // of the lines after that; may be nil

	mu   sync.Mutex
	line []byte // the one that is being written
	word string // the last word of the line that said ready
}

func (s *sayings) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(s.line, p...)
	for s.word == "" || s.heard != nil {
		line, rest, whole := bytes.Cut(s.line, []byte("\n"))
		if !whole {
			break
		}
		s.line = rest
		if s.word != "" {
			s.heard(string(line))
			continue
		}
		if words := strings.Fields(string(line)); bytes.Contains(line, []byte("ready")) {
			s.word = words[len(words)-1]
			close(s.ready)
		}
	}
	if s.word != "" && s.heard == nil {
		s.line = nil
	}
	return s.to.Write(p)
}

// start starts the process and returns at once.
func (c *child) start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return errors.New("the drill is over")
	}
	c.starts++
	cmd := exec.Command(c.exe, c.args(c.starts)...)
	cmd.Env, cmd.WaitDelay = c.env, 2*time.Second
	together(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.log, "--- %s: start %d of %s\n", time.Now().UTC().Format("15:04:05.000"), c.starts, c.name)
	out := &sayings{to: c.log, ready: make(chan struct{}), heard: c.heard}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	ended := make(chan struct{})
	c.cmd, c.stdin, c.out, c.ended, c.ready, c.meant, c.frozen = cmd, in, out, ended, out.ready, false, false
	go func() { // ends with the process
		err := cmd.Wait()
		c.mu.Lock()
		meant := c.meant
		close(ended)
		c.mu.Unlock()
		if !meant {
			c.crash(fmt.Sprintf("%s ended by itself (%v); see %s", c.name, err, c.log.Name()))
			_ = wait(context.Background(), 200*time.Millisecond)
			if err := c.start(); err != nil {
				fmt.Fprintln(c.log, "---", err)
			}
		}
	}()
	return nil
}

// awaitReady waits until the present process has said that it is ready.
func (c *child) awaitReady(ctx context.Context) error {
	c.mu.Lock()
	ready, ended := c.ready, c.ended
	c.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ended:
		return fmt.Errorf("%s ended before it was ready; see %s", c.name, c.log.Name())
	case <-ctx.Done():
		return fmt.Errorf("%s was not ready in time; see %s", c.name, c.log.Name())
	}
}

// up reports whether it runs, was not stopped and is ready.
func (c *child) up() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.upLocked()
}

// condemn claims the end of a child that is up for its caller, who is to kill it, start it again, and is the only one: two who start a child leave
// one of them where nobody kills it, and it is started for ever.
func (c *child) condemn() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.upLocked() {
		return false
	}
	c.meant = true
	return true
}

func (c *child) upLocked() bool {
	if c.cmd == nil || c.meant || c.frozen {
		return false
	}
	select {
	case <-c.ended:
		return false
	case <-c.ready:
		return true
	default:
		return false
	}
}

// kill is kill -9; it returns when the process has ended.
func (c *child) kill() {
	c.mu.Lock()
	cmd, ended := c.cmd, c.ended
	c.meant = true
	c.mu.Unlock()
	if cmd == nil {
		return
	}
	_ = cmd.Process.Kill() // it may have ended already
	<-ended
}

// end kills it for good.
func (c *child) end() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.kill()
}

// frozenFor stops the process for a while and lets it go on, unless it was killed meanwhile.
func (c *child) frozenFor(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	cmd := c.cmd
	c.frozen = true
	c.mu.Unlock()
	if err := freeze(cmd.Process); err != nil {
		c.mu.Lock()
		c.frozen = c.frozen && c.cmd != cmd // its next life is not
		c.mu.Unlock()
		return err
	}
	_ = wait(ctx, d) // ended early: it goes on all the sooner
	c.mu.Lock()
	c.frozen = false
	c.mu.Unlock()
	if err := thaw(cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

// tell writes a line to its standard input.
func (c *child) tell(line string) error {
	c.mu.Lock()
	in := c.stdin
	c.mu.Unlock()
	_, err := io.WriteString(in, line+"\n")
	return err
}

// word is the last word of the line with which the present process said that it is ready; "" before.
func (c *child) word() string {
	c.mu.Lock()
	out := c.out
	c.mu.Unlock()
	if out == nil {
		return ""
	}
	out.mu.Lock()
	defer out.mu.Unlock()
	return out.word
}

// generation is how often it was started.
func (c *child) generation() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.starts
}
