package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// drillOnce runs a drill to its end, in a folder of the system for temporary files or, if there is a name, in that one. Its evidence stays
// there when it finds a breach; the output says where.
func drillOnce(t *testing.T, exe, folder string, args ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute) // only reached when the test fails
	defer cancel()
	var both bytes.Buffer
	c := program(ctx, exe, t.TempDir(), append([]string{"drill"}, args...)...)
	c.Stdout, c.Stderr, c.Env = &both, &both, append(c.Env, natsProgram+"="+plainHmap(t))
	if folder != "" {
		c.Env = append(c.Env, "TMPDIR="+folder)
	}
	err := c.Run()
	exit := new(exec.ExitError)
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s", args, errors.Join(err, ctx.Err()), &both)
	}
	return both.String(), c.ProcessState.ExitCode()
}

// A short drill of the real thing: kills, freezes, cuts, floods, lies, and every promise kept.
func TestDrill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two minutes")
	}
	t.Parallel()
	out, code := drillOnce(t, os.Args[0], "", "--seed", "7", "--minutes", "0.75", "--tasks", "60", "--kills", "30")
	if code != 0 {
		t.Errorf("exit status %d\n%s", code, out)
	}
	t.Log(out)
}

// Tools that break their word are noticed, by the checks that guard it. What every check sees is tried in package drill, on evidence that
// was made up; here it has come all the way.
func TestDrillNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	out, code := drillOnce(t, plainHmap(t), t.TempDir(), "--seed", "7", "--minutes", "0.1", "--tasks", "8", "--kills", "3", "--lie")
	row := func(check string) string {
		for l := range strings.Lines(out) {
			if strings.HasPrefix(strings.TrimSpace(l), check) {
				return l
			}
		}
		return ""
	}
	for _, check := range []string{"unsafe-once", "ok-is-done"} {
		if !strings.Contains(row(check), "BREACH") {
			t.Errorf("%s is said to be kept:\n%s", check, out)
		}
	}
	if code != exitFailed || !strings.Contains(out, "evidence: ") {
		t.Errorf("exit status %d\n%s", code, out)
	}
}
