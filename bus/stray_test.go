package bus

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus/bustest/crash"
)

// lostFolder makes a data folder of four sessions, two of them with a task that waits for a person, and stops in good order.
func lostFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	for n := range 4 {
		session, task := fmt.Sprint("s", n), fmt.Sprint("t", n)
		talk(t, b, session, "first", strings.Repeat("a question ", 50))
		keep(t, b, session, time.Now())
		if n%2 == 1 {
			write(t, b, Where{Session: session, Task: task, Call: task}, 3, 0)
			must(0, b.MarkOpen(within(t), OpenTask{Session: session, Task: task, Agent: "master", Waiting: true}))
		}
	}
	b.Close()
	s.Stop()
	return dir
}

// What the log has lost whole is named before and when that is accepted, and nothing lists it any more.
func TestLostSessionsAreNotListed(t *testing.T) {
	t.Parallel()
	good := lostFolder(t)
	beforeS2 := func(path string) error {
		return os.Truncate(path, int64(bytes.Index(must(os.ReadFile(path)), []byte(LogSubject("main", "s2", "first", "first")))))
	}
	for name, c := range map[string]struct {
		killed bool
		do     func(path string) error
		lost   []string
	}{
		"cut":           {false, beforeS2, []string{"s2", "s3"}},
		"cut, killed":   {true, beforeS2, []string{"s2", "s3"}},
		"gone":          {false, os.Remove, []string{"s0", "s1", "s2", "s3"}},
		"gone, killed":  {true, os.Remove, []string{"s0", "s1", "s2", "s3"}},
		"empty":         {false, func(path string) error { return os.Truncate(path, 0) }, []string{"s0", "s1", "s2", "s3"}},
		"empty, killed": {true, func(path string) error { return os.Truncate(path, 0) }, []string{"s0", "s1", "s2", "s3"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := crash.Copy(t, good)
			if c.killed {
				killed(t, dir)
			}
			must(0, c.do(newest(files(t, dir, LogStream))))
			_, err := StartServer(ServerOptions{Dir: dir, NoSync: true})
			if !errors.Is(err, ErrDamaged) {
				t.Fatal("not noticed: ", err)
			}
			for _, session := range c.lost {
				if c.killed && !strings.Contains(err.Error(), "session "+session+" (all of it)") {
					t.Errorf("the refusal does not name %s: %v", session, err)
				}
			}
			log := &notes{}
			s := startServer(t, ServerOptions{Dir: dir, NoSync: true, AcceptDamage: true, Log: slog.New(log)})
			for _, session := range c.lost {
				if !log.failed("session " + session + " (all of it)") {
					t.Errorf("the warning does not name %s", session)
				}
			}
			b := connect(t, Options{Server: s})
			list, _, err := b.Sessions(within(t), 0, 10)
			if err != nil || len(list) != 4-len(c.lost) {
				t.Errorf("listed: %+v, %v", list, err)
			}
			for _, o := range must(b.OpenTasks(within(t))) {
				if recs := must(b.Read(within(t), Where{Session: o.Session, Task: o.Task}, 0)); len(recs) == 0 {
					t.Errorf("%s is open, and the log has nothing of it", o.Task)
				}
				if o.Waiting {
					t.Errorf("%s waits for a person, and was ended", o.Task)
				}
			}
			for _, session := range c.lost {
				if left(t, b, session) != 0 {
					t.Errorf("something is left of %s", session)
				}
			}
			// A task of the same name begins as any other.
			write(t, b, Where{Session: "s3", Task: "t3", Call: "t3"}, 1, 0)
			must(0, b.MarkOpen(within(t), OpenTask{Session: "s3", Task: "t3", Agent: "master"}))
			if _, found, err := b.OpenTask(within(t), "s3", "t3"); !found || err != nil {
				t.Errorf("begun anew: %v, %v", found, err)
			}
		})
	}
}

// A list of damaged sessions that nobody could read is cut.
func TestFewDamagedSessionsAreNamed(t *testing.T) {
	d := &damage{}
	for n := range shown + 5 {
		d.strays = append(d.strays, stray{where: Where{Session: fmt.Sprintf("s%02d", n)}})
	}
	if all := d.sessions(); len(all) != shown+1 || all[shown] != "and 5 more" {
		t.Errorf("%d: %v", len(all), all)
	}
}

// Damage somewhere else is no reason to forget what is being removed, or what the log has.
func TestStraysAreOnlyWhatTheLogHasNothingOf(t *testing.T) {
	b := newBus(t)
	ctx := within(t)
	last := talk(t, b, "there", "t1", "whole")
	must(0, b.MarkOpen(ctx, OpenTask{Session: "there", Task: "t1", Agent: "master"}))
	must(0, b.MarkOpen(ctx, OpenTask{Session: "there", Task: "lost", Agent: "master"}))
	must(0, b.MarkOpen(ctx, OpenTask{Session: "there", Task: "ended", Agent: "master"}))
	must(0, b.Unmark(ctx, "there", "ended"))
	for _, session := range []string{"there", "removing", "lost"} {
		keep(t, b, session, time.Now())
	}
	must(0, b.swapJSON(ctx, b.removalSubject("removing"), removal{Seq: last}, 0))
	calls, _, err := readChains(ctx, b.js, 0)
	if err != nil {
		t.Fatal(err)
	}
	strays := must(readStrays(ctx, b.js, calls))
	if len(strays) != 2 || strays[0].where != (Where{Session: "there", Task: "lost"}) || strays[1].where != (Where{Session: "lost"}) {
		t.Errorf("strays: %+v", strays)
	}
	write(t, b, Where{Session: "there", Task: "lost", Call: "lost"}, 1, 0) // by now it has begun
	if dropped, err := b.dropStray(ctx, strays[0], 0); dropped || err != nil {
		t.Errorf("dropped what has begun: %v, %v", dropped, err)
	}
}

// Whoever removes a session that was lost is rid of it, also where only the index of open tasks knows it.
func TestRemoveOfALostSession(t *testing.T) {
	for _, snapshot := range []bool{true, false} {
		b := newBus(t)
		ctx := within(t)
		must(0, b.MarkOpen(ctx, OpenTask{Session: "s", Task: "t1", Agent: "master", Waiting: true}))
		must(0, b.MarkOpen(ctx, OpenTask{Session: "s", Task: "t2", Agent: "master"}))
		must(0, b.MarkOpen(ctx, OpenTask{Session: "other", Task: "t1", Agent: "master"}))
		if snapshot {
			keep(t, b, "s", time.Now())
		}
		must(0, b.Remove(ctx, "s"))
		if list, _, err := b.Sessions(ctx, 0, 10); err != nil || len(list) != 1 || list[0].ID != "other" {
			t.Errorf("listed: %+v, %v", list, err)
		}
		if err := b.Remove(ctx, "s"); !errors.Is(err, ErrNotFound) {
			t.Errorf("once more: %v", err)
		}
	}
}

func FuzzStrayAt(f *testing.F) {
	f.Add("$KV." + OpenBucket + ".main.s.t")
	f.Add("$KV." + SessionsBucket + ".main.s")
	f.Add("$KV." + SessionsBucket + ".main.s.removal")
	f.Fuzz(func(t *testing.T, subject string) {
		s, tenant, ok := strayAt(subject, 1)
		bucket, key := SessionsBucket, tenant+"."+s.where.Session
		if s.where.Task != "" || strings.Count(subject, ".") == 4 {
			bucket, key = OpenBucket, key+"."+s.where.Task
		}
		if _, rest, _ := strings.Cut(subject, "."); ok && rest != bucket+"."+key {
			t.Errorf("%q: %+v of %q", subject, s, tenant)
		}
	})
}

// failed reports whether an error was logged with an attribute that has a text.
func (n *notes) failed(with string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.all, func(r slog.Record) (found bool) {
		r.Attrs(func(a slog.Attr) bool { found = found || strings.Contains(a.Value.String(), with); return true })
		return found && r.Level == slog.LevelError
	})
}
