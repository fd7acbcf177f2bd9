package main

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// drillOnce runs a drill to its end, in a folder of the system for temporary files or, if there is a name, in that one. Its evidence stays
// there when it finds a breach; the output says where.
func drillOnce(t *testing.T, folder string, within time.Duration, args ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	var both bytes.Buffer
	c := command(ctx, t.TempDir(), append([]string{"drill"}, args...)...)
	c.Stdout, c.Stderr = &both, &both
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
	out, code := drillOnce(t, "", 8*time.Minute, "--seed", "7", "--minutes", "0.75", "--tasks", "60", "--kills", "30")
	if code != 0 {
		t.Errorf("exit status %d\n%s", code, out)
	}
	t.Log(out)
}

// Tools that break their word are noticed, by the check that guards it.
func TestDrillNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	t.Parallel()
	for word, check := range map[string]string{"twice": "unsafe-once", "never": "ok-is-done"} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			out, code := drillOnce(t, t.TempDir(), 5*time.Minute, "--seed", "7", "--minutes", "0.1", "--tasks", "8", "--kills", "3", "--break", word)
			var line string
			for l := range strings.Lines(out) {
				if strings.HasPrefix(strings.TrimSpace(l), check) {
					line = l
				}
			}
			if code != exitFailed || !strings.Contains(line, "BREACH") || !strings.Contains(out, "evidence: ") {
				t.Errorf("exit status %d\n%s", code, out)
			}
		})
	}
}
