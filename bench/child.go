package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"time"
)

// A contender is a process of its own, started by the driver. It says "ready", with the URL of its bus if it has one, and then
// obeys these orders, one JSON object a line on its standard input, until that ends. After each it writes one line.
type order struct {
	Tasks   int    `json:"tasks,omitempty"`   // carry out that many tasks
	At      int    `json:"at,omitempty"`      // that many at a time
	Profile string `json:"profile,omitempty"` // write profiles to this path: the processor's from now until the end, with .cpu behind, and the memory's at the end, with .heap
	Collect bool   `json:"collect,omitempty"` // give back all memory that is not used
}

type outcome struct {
	Took  []time.Duration `json:"took,omitempty"` // of each task
	Error string          `json:"error,omitempty"`
}

// obey is the contender's side. task is nil for a contender whose tasks come over its bus.
func obey(ready string, task func(context.Context) (string, error)) error {
	fmt.Println(strings.TrimSpace("ready " + ready))
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	finish := func() error { return nil }
	for {
		var o order
		err := in.Decode(&o)
		if errors.Is(err, io.EOF) {
			return finish()
		}
		if err != nil {
			return err
		}
		var done outcome
		switch {
		case o.Profile != "":
			finish, err = profile(o.Profile)
		case o.Collect:
			debug.FreeOSMemory()
		case task == nil:
			err = errors.New("its tasks come over the bus")
		default:
			done.Took, err = pump(context.Background(), o.Tasks, o.At, task)
		}
		if err != nil {
			done.Error = err.Error()
		}
		if err := out.Encode(done); err != nil {
			return err
		}
	}
}

// profile begins to profile; finish writes what is due at the end.
func profile(path string) (finish func() error, err error) {
	processor, err := os.Create(path + ".cpu")
	if err != nil {
		return nil, err
	}
	memory, err := os.Create(path + ".heap")
	if err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(pprof.WriteHeapProfile(memory), processor.Close(), memory.Close())
	}, pprof.StartCPUProfile(processor)
}

// child is the driver's side of a process that it started: a contender or the model.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	ready string // what it said behind "ready"
}

// start runs this program again, with other arguments, and returns when it is ready.
func start(args ...string) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(self, args...)}
	c.cmd.Stderr = &few{left: 20}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	line, err := c.out.ReadString('\n')
	ready, ok := strings.CutPrefix(line, "ready")
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("%v did not get ready: it said %q", args, line), err, c.stop())
	}
	c.ready = strings.TrimSpace(ready)
	return c, nil
}

// do gives an order and waits until it is carried out.
func (c *child) do(o order) ([]time.Duration, error) {
	if err := json.NewEncoder(c.in).Encode(o); err != nil {
		return nil, err
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("it ended: %w", err)
	}
	var done outcome
	if err := json.Unmarshal(line, &done); err != nil {
		return nil, err
	}
	if done.Error != "" {
		return nil, errors.New(done.Error)
	}
	return done.Took, nil
}

// stop ends the process, and waits for it.
func (c *child) stop() error {
	c.in.Close()
	late := time.AfterFunc(30*time.Second, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	return c.cmd.Wait()
}

// few passes some lines on to standard error; a contender in trouble may complain for each of its tasks.
type few struct{ left int }

func (f *few) Write(text []byte) (int, error) {
	for line := range bytes.Lines(text) {
		switch f.left--; {
		case f.left > 0:
			os.Stderr.Write(line)
		case f.left == 0:
			fmt.Fprintln(os.Stderr, "… and more")
		}
	}
	return len(text), nil
}
