package bus

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hmap-project/hmap/bus/bustest/crash"
)

const (
	damagedTasks = 6
	eachRecords  = 100
)

// folder is a data folder, each write of which was synced, with six open tasks of 100 records, which take two blocks of the server's; it was stopped in good
// order. Each task is in a session of its own. It is made once, and copied for each test.
func folder(t *testing.T) string {
	t.Helper()
	folderOnce.Do(func() { makeFolder(t) })
	if t.Failed() || folderDir == "" {
		t.Fatal("there is no folder to be damaged")
	}
	return crash.Copy(t, folderDir)
}

var (
	folderOnce sync.Once
	folderDir  string // removed when all tests have ended
)

func makeFolder(t *testing.T) {
	dir := must(os.MkdirTemp("", "hmap-bus-"))
	s := startServer(t, ServerOptions{Dir: dir})
	b := connect(t, Options{Server: s})
	ctx := within(t)
	for n := range damagedTasks {
		session, task, last := fmt.Sprint("s", n), fmt.Sprint("t", n), uint64(0)
		for range eachRecords {
			r := record(session, task, task, KindRound)
			r.Agent, r.Thought = "master", strings.Repeat("x", 20_000)
			last = must(b.Append(ctx, r, last))
		}
		if err := b.MarkOpen(ctx, OpenTask{Session: session, Task: task, Agent: "master"}); err != nil {
			t.Fatal(err)
		}
	}
	must(b.Submit(ctx, "master", Submission{Query: "waits"}, ""))
	b.Close()
	s.Stop()
	folderDir = dir
}

// files are the blocks of a stream, oldest first.
func files(t *testing.T, dir, stream string) []string {
	t.Helper()
	all := must(filepath.Glob(filepath.Join(dir, streamsFolder, stream, "msgs", "*.blk")))
	slices.SortFunc(all, func(a, b string) int { return len(a) - len(b) + strings.Compare(a, b) })
	if len(all) == 0 {
		t.Fatal("no blocks of ", stream)
	}
	return all
}

func newest(paths []string) string { return paths[len(paths)-1] }

func damageFile(t *testing.T, path string, do func([]byte) []byte) {
	t.Helper()
	if err := os.WriteFile(path, do(must(os.ReadFile(path))), 0o600); err != nil {
		t.Fatal(err)
	}
}

func flipAt(at, n int) func([]byte) []byte {
	return func(b []byte) []byte {
		for i := range n {
			b[at+i] ^= 0x5a
		}
		return b
	}
}

// flipAfter flips bits behind the first place of a text.
func flipAfter(t *testing.T, path, text string) {
	t.Helper()
	at := bytes.Index(must(os.ReadFile(path)), []byte(text))
	if at < 0 {
		t.Fatalf("%s has no %q", path, text)
	}
	damageFile(t, path, flipAt(at+len(text), 1))
}

func half(b []byte) []byte { return b[:len(b)/2] }

func zeroed(b []byte) []byte { return make([]byte, len(b)) }

// killed makes a folder look as after a kill: without the sizes, and without the server's own index, which it writes when it stops.
func killed(t *testing.T, dir string) {
	t.Helper()
	was := must(readSeal(dir))
	was.Blocks = nil
	if err := was.write(dir); err != nil {
		t.Fatal(err)
	}
	for _, index := range must(filepath.Glob(filepath.Join(dir, streamsFolder, "*", "msgs", "index.db"))) {
		if err := os.Remove(index); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever happens to the files of the log, nothing goes missing without a word, and who accepts it gets an end for each task that lacks something.
func TestDamagedLogIsNoticed(t *testing.T) {
	t.Parallel()
	good := folder(t)
	first := func(dir string) string { return files(t, dir, LogStream)[0] }
	last := func(dir string) string { return newest(files(t, dir, LogStream)) }
	for _, c := range []struct {
		name string
		do   func(dir string)
	}{
		{"flipped in a block", func(dir string) { damageFile(t, first(dir), flipAt(4_000_000, 50)) }},
		{"flipped at a header", func(dir string) { damageFile(t, first(dir), flipAt(0, 20)) }},
		{"a block cut", func(dir string) { damageFile(t, first(dir), half) }},
		{"flipped in the last block", func(dir string) { damageFile(t, last(dir), flipAt(1_000_000, 50)) }},
		{"the last block cut", func(dir string) { damageFile(t, last(dir), half) }},
		{"a block zeroed", func(dir string) { damageFile(t, first(dir), zeroed) }},
		{"the last block zeroed", func(dir string) { damageFile(t, last(dir), zeroed) }},
		{"the last block gone", func(dir string) { _ = os.Remove(last(dir)) }},
		{"the stream's own file", func(dir string) {
			damageFile(t, filepath.Join(dir, streamsFolder, LogStream, "meta.inf"), flipAt(0, 30))
		}},
		{"the stream gone", func(dir string) { _ = os.RemoveAll(filepath.Join(dir, streamsFolder, LogStream)) }},
	} {
		for _, orderly := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, orderly stop %v", c.name, orderly), func(t *testing.T) {
				t.Parallel()
				dir := crash.Copy(t, good)
				if !orderly {
					killed(t, dir)
				}
				c.do(dir)
				was := must(blocks(dir, nil))
				s, err := StartServer(ServerOptions{Dir: dir, NoSync: true})
				if err == nil { // damage within a message is met when the message is
					b := connect(t, Options{Server: s})
					met := 0
					for n := range damagedTasks {
						if _, err := b.Read(within(t), Where{Session: fmt.Sprint("s", n)}, 0); errors.Is(err, ErrDamaged) {
							met++
						} else if err != nil {
							t.Error(err)
						}
					}
					if met == 0 {
						t.Fatal("it started, and read as if nothing had happened")
					}
					b.Close()
					s.Stop()
				} else if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "--accept-damage") {
					t.Fatalf("refused with: %v", err)
				} else if strings.Contains(err.Error(), "nothing was changed") && !maps.Equal(was, must(blocks(dir, nil))) {
					t.Error("files were changed before anybody was asked")
				}
				s = startServer(t, ServerOptions{Dir: dir, NoSync: true, AcceptDamage: true})
				b := connect(t, Options{Server: s})
				for n := range damagedTasks {
					w := Where{Session: fmt.Sprint("s", n), Task: fmt.Sprint("t", n), Call: fmt.Sprint("t", n)}
					recs, err := b.Read(within(t), w, 0)
					if err != nil {
						t.Errorf("%s after the damage was accepted: %v", w.Task, err)
					}
					ended := len(recs) > 0 && recs[len(recs)-1].Kind == KindResponse
					if complete := len(recs) == eachRecords; !complete && !ended && len(recs) > 0 {
						t.Errorf("%s goes on with %d of %d records", w.Task, len(recs), eachRecords)
					}
					if ended && recs[len(recs)-1].Error.Code != CodeInDoubt {
						t.Errorf("%s ended with %+v", w.Task, recs[len(recs)-1].Error)
					}
				}
				b.Close()
				s.Stop()
				startServer(t, ServerOptions{Dir: dir, NoSync: true}) // decided once
			})
		}
	}
}

// The index of open tasks is made again from the log, and nobody need be asked.
func TestLostIndexIsMadeAgain(t *testing.T) {
	t.Parallel()
	good := folder(t)
	for name, do := range map[string]func(dir string){
		"cut":  func(dir string) { damageFile(t, newest(files(t, dir, openStream)), half) },
		"gone": func(dir string) { _ = os.RemoveAll(filepath.Join(dir, streamsFolder, openStream)) },
		// A block that can be read in part only: the server would fail at the next write.
		"one bit": func(dir string) { flipAfter(t, newest(files(t, dir, openStream)), `"session":"s1`) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			do(dir)
			log := &notes{}
			b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: dir, NoSync: true, Log: slog.New(log)})})
			if !log.warned(openStream) {
				t.Error("nobody was told")
			}
			open := must(b.OpenTasks(within(t)))
			if len(open) != damagedTasks {
				t.Fatalf("%d tasks are open, want %d: %+v", len(open), damagedTasks, open)
			}
			for _, o := range open {
				if o.Agent != "master" || o.Node == "" {
					t.Errorf("found again as %+v", o)
				}
			}
		})
	}
}

// A list of sessions with a damaged block is made again from the log, nobody need be asked, and the sessions can be kept and removed.
func TestDamagedListOfSessionsIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	s := startServer(t, ServerOptions{Dir: dir, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}) // which says why, if it could not be sealed
	b := connect(t, Options{Server: s})
	for _, session := range []string{"s0", "s1", "s2"} {
		talk(t, b, session, "t1", "about "+session)
		keep(t, b, session, time.Now())
	}
	ctx := within(t)
	must(0, b.IndexSessions(ctx))
	b.Close()
	s.Stop()
	flipAfter(t, newest(files(t, dir, sessionsStream)), "about s")
	log := &notes{}
	s, err := StartServer(ServerOptions{Dir: dir, Log: slog.New(log)})
	if err != nil {
		t.Fatal("refused: ", err)
	}
	if !log.warned(sessionsStream) {
		_ = s.lock.Close() // and no Stop, which would not return once something was written
		t.Fatal("not noticed")
	}
	t.Cleanup(s.Stop)
	b = connect(t, Options{Server: s})
	must(0, b.IndexSessions(ctx))
	list, _, err := b.Sessions(ctx, 0, 10)
	if err != nil || len(list) != 3 {
		t.Errorf("listed: %+v, %v", list, err)
	}
	keep(t, b, "s1", time.Now())
	must(0, b.Remove(ctx, "s0"))
	if n := left(t, b, "s0"); n != 0 {
		t.Errorf("%d messages are left of what was removed", n)
	}
	if err := s.Trouble(); err != nil {
		t.Error(err)
	}
}

// Killed before a lost index was made again: the next start does it, and takes nothing that others have written since for damage.
func TestLostIndexIsNotForgottenByAKill(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(dir string){
		"noticed before the start": func(dir string) { damageFile(t, newest(files(t, dir, openStream)), half) },
		"noticed behind it": func(dir string) {
			killed(t, dir)
			must(0, os.RemoveAll(filepath.Join(dir, streamsFolder, openStream)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			lose(dir)
			s := startServer(t, ServerOptions{Dir: dir, Listen: "127.0.0.1:0"})
			other := connect(t, Options{URL: s.URL()}) // not ours to set right what the embedded server found
			write(t, other, Where{Session: "other", Task: "t", Call: "t"}, 3, 0)
			for range damagedTasks + 1 { // as far as the index has ever come
				must(0, other.MarkOpen(within(t), OpenTask{Session: "other", Task: "t", Agent: "master"}))
			}
			must(0, s.note())
			b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: crash.Copy(t, dir), NoSync: true})})
			if open := must(b.OpenTasks(within(t))); len(open) != damagedTasks+1 {
				t.Errorf("%d tasks are open, want %d", len(open), damagedTasks+1)
			}
		})
	}
}

// What nobody needs for anything, or the server mends by itself, is no reason to refuse.
func TestNoFalseAlarm(t *testing.T) {
	t.Parallel()
	good := folder(t)
	for name, do := range map[string]func(dir string){
		"nothing":         func(string) {},
		"killed":          func(dir string) { killed(t, dir) },
		"leases gone":     func(dir string) { _ = os.RemoveAll(filepath.Join(dir, streamsFolder, nodesStream)) },
		"seal unreadable": func(dir string) { damageFile(t, sealFile(dir), half) },
		"seal gone":       func(dir string) { _ = os.Remove(sealFile(dir)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			do(dir)
			b := connect(t, Options{Server: startServer(t, ServerOptions{Dir: dir, NoSync: true})})
			if open := must(b.OpenTasks(within(t))); len(open) != damagedTasks {
				t.Errorf("%d tasks are open", len(open))
			}
			if got := takeOne(t, b, "master").Submission.Query; got != "waits" {
				t.Errorf("the queue holds %q", got)
			}
			for n := range damagedTasks {
				if recs := must(b.Read(within(t), Where{Session: fmt.Sprint("s", n)}, 0)); len(recs) != eachRecords {
					t.Errorf("%d records of session %d", len(recs), n)
				}
			}
		})
	}
}

func TestChains(t *testing.T) {
	type rec struct {
		before, seq uint64
		kind        Kind
	}
	for _, c := range []struct {
		name   string
		after  uint64
		recs   []rec
		broken bool
	}{
		{"whole", 0, []rec{{0, 5, KindRequest}, {5, 9, KindRound}}, false},
		{"first missing", 0, []rec{{5, 9, KindRound}}, true},
		{"first not asked for", 5, []rec{{5, 9, KindRound}}, false},
		{"one missing behind what was not asked for", 5, []rec{{7, 9, KindRound}}, true},
		{"one missing", 0, []rec{{0, 5, KindRequest}, {7, 9, KindRound}}, true},
		{"ended", 0, []rec{{0, 5, KindRequest}, {7, 9, KindResponse}}, false},
	} {
		all := chains{}
		for _, r := range c.recs {
			m := message("s", "id", nil)
			m.Header.Set(HeaderKind, string(r.kind))
			m.Header.Set("Nats-Expected-Last-Subject-Sequence", fmt.Sprint(r.before))
			all.add("s", m.Header, r.seq, c.after)
		}
		if err := all.broken(); errors.Is(err, ErrDamaged) != c.broken {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
