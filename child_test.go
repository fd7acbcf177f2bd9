package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// child is a process of a cluster.
type child struct {
	cmd   *exec.Cmd
	said  *buffer
	ready chan string // the line that was waited for
	ended chan error
}

// spawn starts hmap and returns when it has printed a line that holds the text.
func spawn(t *testing.T, dir, until string, args ...string) *child {
	t.Helper()
	exe := os.Args[0]
	if args[0] == "nats" {
		exe = plainHmap(t)
	}
	c := &child{cmd: program(context.Background(), exe, dir, args...), said: &buffer{}, ready: make(chan string, 1), ended: make(chan error, 1)}
	r, w := io.Pipe()
	c.cmd.Stdout, c.cmd.Stderr = w, w
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		for in := bufio.NewScanner(r); in.Scan(); {
			fmt.Fprintln(c.said, in.Text())
			if strings.Contains(in.Text(), until) {
				select {
				case c.ready <- in.Text():
				default:
				}
			}
		}
	}()
	go func() {
		err := c.cmd.Wait()
		w.Close()
		c.ended <- err
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill() // most have ended before
		unraced(t, c.said.String())
	})
	return c
}

// is waits for the line and gives it.
func (c *child) is(t *testing.T) string {
	t.Helper()
	select {
	case line := <-c.ready:
		return line
	case err := <-c.ended:
		t.Fatalf("%v ended: %v\n%s", c.cmd.Args[1:], err, c.said)
	case <-time.After(patience):
		t.Fatalf("%v is not ready:\n%s", c.cmd.Args[1:], c.said)
	}
	return ""
}

// end sends SIGTERM and waits for an end in good order.
func (c *child) end(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-c.ended:
		if err != nil {
			t.Errorf("%v: %v\n%s", c.cmd.Args[1:], err, c.said)
		}
	case <-time.After(patience):
		t.Fatalf("%v does not end:\n%s", c.cmd.Args[1:], c.said)
	}
}

// servers starts three NATS servers and gives their URLs.
func servers(t *testing.T) string {
	t.Helper()
	var routes, urls []string
	for range 3 {
		routes, urls = append(routes, "nats://"+freePort(t)), append(urls, "nats://"+freePort(t))
	}
	var all []*child
	for i := range 3 {
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(urls[i], "nats://"))
		all = append(all, spawn(t, t.TempDir(), "Server is ready", "nats", "-n", fmt.Sprint("n", i), "-a", "127.0.0.1", "-p", port,
			"-js", "-sd", t.TempDir(), "--cluster_name", "test", "--cluster", routes[i], "--routes", strings.Join(routes, ",")))
	}
	for _, c := range all {
		c.is(t)
	}
	return strings.Join(urls, ",")
}

// freePort is an address of loopback that nobody listens on. It is none of those that systems give out by themselves, which a connection of
// another test might take before the child does, nor of a drill's.
func freePort(t *testing.T) string {
	t.Helper()
	for range 1000 {
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(10_000))); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no free port from 10000 to 20000")
	return ""
}
