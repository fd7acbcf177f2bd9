package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"go.uber.org/goleak"

	"github.com/hmap-project/hmap/bus/bustest/leaks"
)

const (
	// becomeMain is set: this test binary becomes hmap. That is how tests run what serves, with the race detector.
	becomeMain = "HMAP_TEST_MAIN"
	// natsProgram is an hmap without it, which becomes the NATS servers that such an hmap starts: their code is not ours, and they are a
	// third of what a cluster costs.
	natsProgram = "HMAP_TEST_NATS"
)

func TestMain(m *testing.M) {
	if os.Getenv(becomeMain) != "" {
		if nats := os.Getenv(natsProgram); nats != "" && slices.Contains(os.Args, "nats") {
			fmt.Fprintln(os.Stderr, syscall.Exec(nats, os.Args, os.Environ()))
			os.Exit(1)
		}
		main()
		return
	}
	goleak.VerifyTestMain(m, append(leaks.OfLibraries(), goleak.IgnoreCurrent(), goleak.Cleanup(func(status int) { // bleve starts its analysers at import
		for _, dir := range []string{filledDir, plainDir} {
			if dir != "" {
				_ = os.RemoveAll(dir)
			}
		}
		os.Exit(status)
	}))...)
}

// What is made once for all tests, and removed when they have ended.
var filledDir, plainDir string

// filled is a filled shop, which is copied for each test.
var filled = sync.OnceValues(func() (string, error) {
	var err error
	if filledDir, err = os.MkdirTemp("", "hmap-test-"); err != nil {
		return "", err
	}
	exe, err := plain()
	if err != nil {
		return "", err
	}
	if out, err := program(context.Background(), exe, filledDir, "agents").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(filledDir, "shop.db"), nil
})

func dataDir(t *testing.T) string {
	t.Helper()
	from, err := filled()
	if err != nil {
		t.Fatal(err)
	}
	shop, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "shop.db"), shop, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// plain is hmap as people have it, without the race detector: for what is killed before it could tell of a race, what is not ours, and the
// commands of most tests, which take a quarter of the processor so (0.4 s to start instead of 1.7 s).
var plain = sync.OnceValues(func() (string, error) {
	var err error
	if plainDir, err = os.MkdirTemp("", "hmap-test-"); err != nil {
		return "", err
	}
	exe := filepath.Join(plainDir, "hmap.exe")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", exe, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return exe, nil
})

func plainHmap(t *testing.T) string {
	t.Helper()
	exe, err := plain()
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// command is hmap with the race detector.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	return program(ctx, os.Args[0], dir, args...)
}

func program(ctx context.Context, exe, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, exe, append([]string{"--data", dir}, args...)...)
	// By default a program with the race detector waits 1 s before it ends; there are hundreds of them.
	c.Env = append(os.Environ(), becomeMain+"=1", "OPENAI_API_KEY=", "OPENAI_BASE_URL=", "NO_COLOR=1", "GORACE=atexit_sleep_ms=20")
	return c
}

// unraced fails a test whose program found a race. Its exit status tells, too, unless it was killed.
func unraced(t *testing.T, said string) {
	t.Helper()
	if _, race, found := strings.Cut(said, "WARNING: DATA RACE"); found {
		t.Error("a race:", race)
	}
}

// hmap runs a command to its end, without the race detector: a house in it is the one that serve and node run with it.
func hmap(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return toItsEnd(t, plainHmap(t), dir, args...)
}

// raced is hmap with the race detector, for one test of each command.
func raced(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return toItsEnd(t, os.Args[0], dir, args...)
}

func toItsEnd(t *testing.T, exe, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	c := program(ctx, exe, dir, args...)
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	exit := new(exec.ExitError)
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("hmap %v: %v\n%s%s", args, errors.Join(err, ctx.Err()), &out, &errs)
	}
	unraced(t, errs.String())
	return out.String(), errs.String(), c.ProcessState.ExitCode()
}

// patience bounds what a test waits for; it is only reached when the test fails.
const patience = 2 * time.Minute
