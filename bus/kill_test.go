package bus

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus/bustest/crash"
)

// killedHere is where the process that a test kills finds its data folder.
const killedHere = "HMAP_KILLED_IN_REMOVAL"

// A process that is killed while it removes a session of some blocks leaves a folder that the next one starts on, and ends the removal.
func TestRealKillInARemoval(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(killedHere); dir != "" {
		b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: dir, NoSync: true})})
		must(0, os.WriteFile(filepath.Join(dir, "begun"), nil, 0o600))
		must(0, b.Remove(t.Context(), "s")) // however slow the machine is: who kills us waits
		must(0, os.WriteFile(filepath.Join(dir, "removed"), nil, 0o600))
		<-t.Context().Done()
	}
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, NoSync: true})
	b := connect(t, Options{Server: s})
	ctx := t.Context()
	write(t, b, Where{Session: "other", Task: "t2", Call: "t2"}, 3, 0)
	last := uint64(0)
	for range 120 { // the blocks that are all the session's go one after the other
		r := record("s", "t1", "t1", KindRound)
		r.Agent, r.Thought = "master", strings.Repeat("x", 200_000)
		last = must(b.Append(ctx, r, last))
	}
	write(t, b, Where{Session: "other", Task: "t2", Call: "t2-1-0"}, 3, 0)
	must(b.Append(ctx, record("s", "t1", "t1", KindResponse), last))
	b.Close()
	s.Stop()
	was := len(files(t, dir, LogStream))
	in := 0
	for n := range 2 {
		d := crash.Copy(t, dir)
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestRealKillInARemoval$")
		c.Env = append(os.Environ(), killedHere+"="+d)
		must(0, c.Start())
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		over := func() bool {
			select {
			case <-ended:
				return true
			default:
				return false
			}
		}
		look := time.NewTicker(100 * time.Microsecond)
		there := func(name string) bool { _, err := os.Stat(filepath.Join(d, name)); return err == nil }
		for !over() && !there("removed") && (!there("begun") || len(files(t, d, LogStream)) >= was) {
			<-look.C
		}
		look.Stop()
		if over() {
			t.Fatalf("kill %d: it ended by itself: %v", n, c.ProcessState)
		}
		must(0, c.Process.Kill())
		<-ended
		if !there("removed") {
			in++
		}
		again, err := StartServer(ServerOptions{Dir: d, NoSync: true})
		if err != nil {
			t.Errorf("kill %d, with %d of %d blocks left: refused: %v", n, len(files(t, d, LogStream)), was, err)
			continue
		}
		b := connect(t, Options{Server: again})
		if _, err := b.Sweep(t.Context(), Retention{}); err != nil {
			t.Error(err)
		}
		if n := left(t, b, "s"); n != 0 {
			t.Errorf("%d messages are left of the session", n)
		}
		if recs := must(b.Read(ctx, Where{Session: "other"}, 0)); len(recs) != 6 {
			t.Errorf("%d records are left of the other session", len(recs))
		}
		b.Close()
		again.Stop()
	}
	t.Logf("%d of 2 kills came in the middle", in)
}
